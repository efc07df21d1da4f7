"""nnc accuracy: tables, JSON, the report, and one clear error for everything that cannot be."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from cli_harness import DIGITS, PIXELS, data_of, fails, ok

from nnc.accuracies.schema import AccuracyReport
from nnc.models.digits import INT8_MODEL, load_heldout, sample_pngs, to_input

NAMES = {png: int(png.stem.removeprefix("digit-")) for png in sample_pngs()}


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of three pictures."""
    folder = tmp_path_factory.mktemp("pictures")
    for png in list(NAMES)[:3]:
        shutil.copy(png, folder)
    return folder


def test_table_and_report(pictures: Path, tmp_path: Path) -> None:
    labels, report = tmp_path / "labels.txt", tmp_path / "a.json"
    labels.write_text("\n".join(str(label) for label in list(NAMES.values())[:3]))
    command = ("accuracy", DIGITS, INT8_MODEL, "--data", pictures, *PIXELS)
    text = ok(*command, "--labels", labels, "--report", report)
    lines = text.splitlines()
    assert lines[0] == f"digits_cnn.int8.onnx beside digits_cnn.onnx on 3 samples: {pictures}"
    assert lines[1].split()[:6] == ["tensor", "operator", "type", "own", "dB", "cumulative"]
    found = AccuracyReport.model_validate_json(report.read_bytes())
    assert lines[2].split()[0] == found.tensors[0].tensor
    assert sum(" Conv " in line for line in lines) == 9
    assert any(line.startswith("chip          npu: ") for line in lines)
    assert "top1          probabilities: float 100.00%, quantised 100.00%, chip 100.00%; loss 0.00%" in lines
    verbose = ok(*command, "-v", "--sort", "cumulative", "--chip-samples", "0")
    assert all(row.tensor in verbose for row in found.tensors)
    assert "agreement     probabilities" in verbose and "chip" not in verbose


def test_json_is_that_of_the_schema(pictures: Path) -> None:
    data = data_of("accuracy", DIGITS, INT8_MODEL, "--data", pictures, *PIXELS, "--chip-samples", "1")
    assert AccuracyReport.model_validate(data).chip_samples == 1
    schema = json.loads(ok("schema", "accuracy"))
    assert set(data) == set(schema["properties"])
    assert set(data["tensors"][0]) == set(schema["$defs"]["TensorAccuracy"]["properties"])


def test_data_come_in_all_forms(tmp_path: Path) -> None:
    """A folder of .npy files, one of .npz files and an archive are the same samples."""
    images = [to_input(image) for image in load_heldout()[0][:3]]
    (tmp_path / "npy").mkdir()
    (tmp_path / "npz").mkdir()
    for index, image in enumerate(images):
        np.save(tmp_path / "npy" / f"{index}.npy", image)
        np.savez(tmp_path / "npz" / f"{index}.npz", image=image)
    np.savez(tmp_path / "all.npz", image=np.concatenate(images))
    tables = [
        data_of("accuracy", DIGITS, INT8_MODEL, "--data", tmp_path / name, "--chip-samples", "0")["tensors"]
        for name in ("npy", "npz", "all.npz")
    ]
    assert tables[0] == tables[1] == tables[2]


def test_labels_come_in_all_forms(tmp_path: Path) -> None:
    images, labels = load_heldout()
    np.savez(tmp_path / "data.npz", image=np.concatenate([to_input(image) for image in images[:2]]))
    np.save(tmp_path / "labels.npy", labels[:2])
    np.savez(tmp_path / "labels.npz", labels=labels[:2], images=images[:2])
    (tmp_path / "labels.txt").write_text(f"{labels[0]}\n{labels[1]}\n")
    for name in ("labels.npy", "labels.npz", "labels.txt"):
        command = ("accuracy", DIGITS, INT8_MODEL, "--data", tmp_path / "data.npz", "--chip-samples", "0")
        assert data_of(*command, "--labels", tmp_path / name)["scores"][0]["float_score"] == 1


def test_the_page_takes_the_figures(pictures: Path, tmp_path: Path) -> None:
    figures, page = tmp_path / "a.json", tmp_path / "page.html"
    only = ("--chip-samples", "0", "--report", figures)
    ok("accuracy", DIGITS, INT8_MODEL, "--data", pictures, *PIXELS, *only)
    ok("report", INT8_MODEL, "-O0", "--accuracy", figures, "-o", page)
    assert "below 20 dB" in page.read_text("utf-8")
    figures.write_text("{}")
    fails("NNC-E033", tmp_path, "report", INT8_MODEL, "-O0", "--accuracy", figures, "-o", page)


def test_errors(pictures: Path, tmp_path: Path) -> None:
    command = ("accuracy", DIGITS, INT8_MODEL, *PIXELS, "--chip-samples", "0", "--data")
    few = tmp_path / "few.txt"
    few.write_text("1 2")
    assert "3 samples" in fails("NNC-E050", tmp_path, *command, pictures, "--labels", few)
    few.write_text("one")
    assert "found: one" in fails("NNC-E050", tmp_path, *command, pictures, "--labels", few)
    np.savez(tmp_path / "no.npz", a=few.stat().st_size, b=1)
    fails("NNC-E050", tmp_path, *command, pictures, "--labels", tmp_path / "no.npz")
    fails("NNC-E050", tmp_path, *command, pictures, "--labels", tmp_path / "missing.npy")
    fails("NNC-E050", tmp_path, *command, tmp_path / "missing")
    fails("NNC-E001", tmp_path, *command, pictures, "--metric", "top1")
    quantised = fails("NNC-E017", tmp_path, "accuracy", INT8_MODEL, INT8_MODEL, "--data", pictures)
    assert "quantised already" in quantised

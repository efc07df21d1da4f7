"""nnc/accuracies/on_layers.py, and what pages make of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import nnc
from nnc.accuracies.on_layers import read_accuracy, with_accuracy
from nnc.accuracies.schema import AccuracyReport
from nnc.errors import ReportFileError
from nnc.models.digits import INT8_MODEL, MODEL, load_heldout, to_input
from nnc.page.document import page_html
from nnc.page.marks import ACCURACY_COLOURS, make_marks
from nnc.page.memory_bands import memory_bands
from nnc.page.tables import layer_table
from nnc.report.schema import Report


@pytest.fixture(scope="module")
def accuracy() -> AccuracyReport:
    data = np.concatenate([to_input(image) for image in load_heldout()[0][:2]])
    return nnc.accuracy(MODEL, INT8_MODEL, {"image": data}, chip=None)


@pytest.fixture(scope="module")
def plain() -> Report:
    return nnc.compile_model(INT8_MODEL, options=nnc.PlanOptions(effort="O0")).make_report(details=True)


@pytest.fixture(scope="module")
def report(plain: Report, accuracy: AccuracyReport) -> Report:
    return with_accuracy(plain, accuracy)


def test_a_layer_has_the_worst_of_its_tensors(report: Report, accuracy: AccuracyReport) -> None:
    by_layer = {layer.name: layer.accuracy for layer in report.layers}
    rows = {row.tensor: row for row in accuracy.tensors}
    fused = by_layer["node_conv2d_2"]  # with the sum behind it: getitem_6, then relu_2
    assert fused is not None and fused.tensor == "getitem_6"
    assert fused.own_snr_db == rows["getitem_6"].own.snr_db
    assert fused.own_snr_db is not None and fused.own_snr_db < (rows["relu_2"].own.snr_db or 0)
    pool, conv = by_layer["node_max_pool2d"], by_layer["node_conv2d_3"]
    assert pool is not None and pool.tensor == "max_pool2d"
    assert conv is not None and conv.tensor == "relu_3"
    assert by_layer["image_QuantizeLinear"] is None
    assert {it.chip_differing for it in by_layer.values() if it is not None} == {None}


def test_the_page_colours_layers_by_their_own_harm(report: Report, plain: Report) -> None:
    colours = make_marks(report, memory_bands(report)).columns["graph"]["color"]
    page = page_html(report)
    assert all(colour in page and band in page for band, colour in ACCURACY_COLOURS.items())
    assert "below 20 dB" not in page_html(plain)
    heads = [head.name for head in layer_table(report).heads]
    assert heads[4:7] == ["own dB", "cumulative dB", "saturated"]
    for row, layer in zip(layer_table(report).rows, report.layers, strict=True):
        known = layer.accuracy
        ratio = None if known is None else known.own_snr_db
        assert row.cells[4].text == ("-" if known is None else "equal" if ratio is None else f"{ratio:.1f}")
        assert [head.number for head in layer_table(report).heads] == [
            it.value is not None for it in row.cells
        ]
        if ratio is not None:
            assert colours[layer.id] == list(ACCURACY_COLOURS.values())[min(max(int(ratio / 10) - 1, 0), 4)]


def test_figures_of_another_network_are_refused(accuracy: AccuracyReport, tmp_path: Path) -> None:
    other = nnc.compile_model(nnc.models.build("lenet5", width=0.5), options=nnc.PlanOptions(effort="O0"))
    with pytest.raises(ReportFileError, match="another network"):
        with_accuracy(other.report, accuracy)
    file = tmp_path / "a.json"
    file.write_text(accuracy.model_dump_json(by_alias=True))
    assert read_accuracy(file) == accuracy
    file.write_text("{}")
    with pytest.raises(ReportFileError, match="no figures of accuracy"):
        read_accuracy(file)
    with pytest.raises(ReportFileError, match="no figures of accuracy"):
        read_accuracy(tmp_path / "missing.json")

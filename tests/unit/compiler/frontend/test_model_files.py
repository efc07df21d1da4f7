"""Model files and external data that are missing, damaged or elsewhere: one clear error each."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from bad_models import error_of

from nnc.compiler.frontend.errors import (
    ExternalDataError,
    ModelFileError,
)
from nnc.compiler.frontend.importer import import_model


def test_missing_file(tmp_path: Path) -> None:
    assert "no.onnx" in error_of(ModelFileError, tmp_path / "no.onnx").where


def test_empty_file(tmp_path: Path) -> None:
    (tmp_path / "m.onnx").touch()
    assert "empty" in error_of(ModelFileError, str(tmp_path / "m.onnx")).message


def test_folder(tmp_path: Path) -> None:
    error_of(ModelFileError, tmp_path)


@pytest.mark.parametrize("keep", [1, 10, 100, 8000, -1])
def test_truncated_file(weighted: onnx.ModelProto, keep: int) -> None:
    error_of(ModelFileError, weighted.SerializeToString()[:keep])


@pytest.mark.parametrize("data", [b"hello, this is text", b"\x89PNG\r\n\x1a\n" + bytes(64), b"\x00" * 64])
def test_not_onnx(data: bytes) -> None:
    error_of(ModelFileError, data)


def test_too_large_for_protobuf(tmp_path: Path) -> None:
    path = tmp_path / "huge.onnx"
    with path.open("wb") as file:
        file.truncate(1 << 31)  # sparse: takes no room on the disk
    assert "external data" in error_of(ModelFileError, path).remedy


@pytest.fixture
def external(weighted: onnx.ModelProto, tmp_path: Path) -> Path:
    """The same model in a folder of its own, its weight in w.bin beside it."""
    folder = tmp_path / "model"
    folder.mkdir()
    onnx.save_model(
        weighted, folder / "m.onnx", save_as_external_data=True, location="w.bin", size_threshold=0
    )
    return folder / "m.onnx"


def relocate(path: Path, **entries: str) -> None:
    """Change entries of the external data in the model file."""
    model = onnx.load(path, load_external_data=False)
    for entry in model.graph.initializer[0].external_data:
        entry.value = entries.get(entry.key, entry.value)
    path.write_bytes(model.SerializeToString())


def test_external_data_is_read(external: Path) -> None:
    np.testing.assert_array_equal(import_model(external).constants["w"], np.arange(4096))


def test_external_data_missing(external: Path) -> None:
    (external.parent / "w.bin").unlink()
    assert "w.bin" in error_of(ExternalDataError, external).found


def test_external_data_too_short(external: Path) -> None:
    data = external.parent / "w.bin"
    data.write_bytes(data.read_bytes()[:-1])
    assert error_of(ExternalDataError, external).expected == "16384 bytes"


def test_external_data_length_less_than_the_shape(external: Path) -> None:
    relocate(external, length="16380")
    error_of(ExternalDataError, external)


@pytest.mark.parametrize("key", ["offset", "length"])
def test_external_data_with_absurd_numbers(external: Path, key: str) -> None:
    model = onnx.load(external, load_external_data=False)
    del model.graph.initializer[0].external_data[1:]
    model.graph.initializer[0].external_data.add(key=key, value="-4")
    external.write_bytes(model.SerializeToString())
    error_of(ExternalDataError, external)


def test_external_data_above_the_folder(external: Path) -> None:
    (external.parent / "w.bin").rename(external.parent.parent / "w.bin")
    relocate(external, location="../w.bin")
    assert "outside" in error_of(ExternalDataError, external).message


def test_external_data_by_absolute_path(external: Path) -> None:
    relocate(external, location=str(external.parent / "w.bin"))
    assert "outside" in error_of(ExternalDataError, external).message


def test_external_data_through_a_symlink(external: Path) -> None:
    outside = external.parent.parent / "secret.bin"
    (external.parent / "w.bin").rename(outside)
    (external.parent / "w.bin").symlink_to(outside)
    assert "outside" in error_of(ExternalDataError, external).message


def test_external_data_without_a_folder(external: Path) -> None:
    error_of(ExternalDataError, external.read_bytes())

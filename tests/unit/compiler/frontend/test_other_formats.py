"""What is no ONNX model is named, with the way to get one."""

from __future__ import annotations

from pathlib import Path

import onnx
import pytest
from bad_models import error_of

from nnc.compiler.frontend.errors import ModelFileError
from nnc.compiler.frontend.importer import import_model
from nnc.models import digits

ZIP = b"PK\x03\x04" + bytes(60)


@pytest.mark.parametrize(
    ("name", "data", "found", "said"),
    [
        ("m.pt", ZIP, "a PyTorch checkpoint", "torch.onnx.export"),
        ("m.pth", b"\x80\x02\x8a", "a PyTorch checkpoint", "torch.onnx.export"),
        ("m.tflite", b"\x20\0\0\0TFL3" + bytes(60), "a TensorFlow Lite model", "--tflite"),
        ("m.bin", b"\x20\0\0\0TFL3" + bytes(60), "a TensorFlow Lite model", "--tflite"),
        ("m.h5", b"\x89HDF\r\n\x1a\n" + bytes(60), "a Keras model", "from_keras"),
        ("m.keras", ZIP, "a Keras model", "from_keras"),
        ("m.pb", b"\x0a\x2e\x0a\x05input", "a TensorFlow graph", "--graphdef"),
        ("m.mlmodel", b"\x08\x04\x12\x02", "a Core ML model", "torch.onnx.export"),
        ("m.safetensors", b"\x40\0\0\0\0\0\0\0{", "weights without a network", "optimum-cli"),
        ("m.jpg", b"\xff\xd8\xff\xe0" + bytes(60), "a picture", "nnc run PROGRAM.bin --input"),
        ("m.onnx", b"\x89PNG\r\n\x1a\n" + bytes(60), "a picture", "nnc run PROGRAM.bin --input"),
        ("m.bin", b"\x89NNC\r\n\x1a\n" + bytes(60), "a program", "nnc run "),
    ],
)
def test_other_formats(name: str, data: bytes, found: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    error = error_of(ModelFileError, path)
    assert error.found.startswith(found)
    assert said in error.remedy
    assert "{" not in error.remedy


def test_a_saved_model_is_a_folder(tmp_path: Path) -> None:
    assert "folder" in error_of(ModelFileError, tmp_path).message
    (tmp_path / "saved_model.pb").write_bytes(b"\x08\x01")
    error = error_of(ModelFileError, tmp_path)
    assert error.found == "a TensorFlow SavedModel" and f"--saved-model {tmp_path}" in error.remedy


def test_a_model_by_another_name_is_a_model(tmp_path: Path) -> None:
    """The contents decide: onnx's own test data end in .pb."""
    path = tmp_path / "model.pb"
    path.write_bytes(digits.MODEL.read_bytes())
    assert len(import_model(path)) == len(import_model(onnx.load(digits.MODEL)))


def test_a_damaged_model_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(digits.MODEL.read_bytes()[:-100])
    assert "truncated" in error_of(ModelFileError, path).message

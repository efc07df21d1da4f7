"""Files that are handed over as models and are none: what they are, and how an ONNX model is made of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath


@dataclass(frozen=True, slots=True)
class OtherFormat:
    """A format that is not ONNX.

    Attributes:
        name: what a file of it is, in words.
        remedy: how to get on.
    """

    name: str
    remedy: str


_PYTORCH = OtherFormat(
    "a PyTorch checkpoint",
    'load it into its network and export that: torch.onnx.export(model, example_inputs, "model.onnx")',
)
_TFLITE = OtherFormat(
    "a TensorFlow Lite model",
    "convert it with tf2onnx (pip install tf2onnx): python -m tf2onnx.convert --tflite {file}"
    " --output model.onnx",
)
_KERAS = OtherFormat(
    "a Keras model",
    "convert it in Python with tf2onnx (pip install tf2onnx):"
    ' tf2onnx.convert.from_keras(keras.models.load_model("{file}"), output_path="model.onnx")',
)
_TENSORFLOW = OtherFormat(
    "a TensorFlow graph",
    "convert it with tf2onnx (pip install tf2onnx): python -m tf2onnx.convert --graphdef {file}"
    " --inputs NAME:0 --outputs NAME:0 --output model.onnx",
)
_SAVED_MODEL = OtherFormat(
    "a TensorFlow SavedModel",
    "convert it with tf2onnx (pip install tf2onnx): python -m tf2onnx.convert --saved-model {file}"
    " --output model.onnx",
)
_CORE_ML = OtherFormat(
    "a Core ML model",
    "export the network that it was made from: torch.onnx.export for PyTorch, tf2onnx for TensorFlow",
)
_SAFETENSORS = OtherFormat(
    "weights without a network (safetensors)",
    "load them into their network and export that: torch.onnx.export, or optimum-cli export onnx",
)
_PICTURE = OtherFormat(
    "a picture",
    "compile the network, then run it on the picture: nnc run PROGRAM.bin --input {file}",
)
_PROGRAM = OtherFormat("a program that is compiled already", "run it: nnc run {file}")

_BY_SUFFIX = {
    **dict.fromkeys((".pt", ".pth", ".pt2", ".ckpt"), _PYTORCH),
    ".tflite": _TFLITE,
    **dict.fromkeys((".h5", ".hdf5", ".keras"), _KERAS),
    ".pb": _TENSORFLOW,
    **dict.fromkeys((".mlmodel", ".mlpackage"), _CORE_ML),
    ".safetensors": _SAFETENSORS,
    **dict.fromkeys((".jpg", ".jpeg", ".png", ".gif", ".bmp", ".webp"), _PICTURE),
}
_BY_START = {b"\x89NNC": _PROGRAM, b"\x89PNG": _PICTURE, b"\xff\xd8\xff": _PICTURE, b"\x89HDF": _KERAS}
_TFLITE_MARK = b"TFL3"
"""Bytes 4 to 7 of such a file."""


def other_format(path: str, start: bytes = b"", *, is_folder: bool = False) -> OtherFormat | None:
    """What a file is that is no ONNX model, with its name in the remedy; None if nothing is known of it.

    Args:
        path: its name, of which the suffix counts where the contents say nothing.
        start: its first bytes.
    """
    file_format = next((kind for mark, kind in _BY_START.items() if start.startswith(mark)), None)
    if file_format is None and start[4:8] == _TFLITE_MARK:
        file_format = _TFLITE
    if file_format is None:
        file_format = _BY_SUFFIX.get(PurePath(path).suffix.lower(), _SAVED_MODEL if is_folder else None)
    return (
        None
        if file_format is None
        else OtherFormat(file_format.name, file_format.remedy.replace("{file}", path))
    )

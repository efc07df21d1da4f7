"""Weights that a model keeps in files beside it: read from the folder of the model and from nowhere else."""

from __future__ import annotations

import re
from math import prod
from pathlib import Path

from onnx import ModelProto, TensorProto, external_data_helper

from nnc.compiler.frontend.errors import ExternalDataError
from nnc.compiler.frontend.model.element_types import onnx_numpy
from nnc.compiler.frontend.model.messages import tensors


def read_external_data(proto: ModelProto, folder: Path | None, label: str) -> None:
    """Read every external tensor into the protobuf; a protobuf without such tensors is left untouched.

    Args:
        folder: of the model; None if it was not given as a path.
        label: what messages call the model.

    Raises:
        ExternalDataError: external data is missing, too short or outside the folder.
    """
    for tensor in tensors(proto):
        if not external_data_helper.uses_external_data(tensor):
            continue
        where = f"{label}: tensor {tensor.name}"
        if folder is None:
            raise ExternalDataError(
                "the model keeps weights in external files, but was not given as a path",
                where=where,
                remedy="give the path of the model file, or load the external data first",
            )
        try:
            _check_extent(tensor, _data_file(tensor, folder, where), where)
            external_data_helper.load_external_data_for_tensor(tensor, str(folder))
        except ExternalDataError:
            raise
        except Exception as error:  # onnx raises several kinds, by version and by cause; paths OSErrors
            raise ExternalDataError(
                "the external data cannot be read",
                where=where,
                found=str(error)[:400],
                remedy="put the data file beside the model, readable, or export both again",
            ) from error


def files_named(proto: ModelProto, folder: Path) -> list[Path]:
    """The files that the external tensors of a model name, whether there are such or not."""
    tensors_apart = filter(external_data_helper.uses_external_data, tensors(proto))
    return [folder / name for name in dict.fromkeys(_entries(t).get("location", "") for t in tensors_apart)]


def _entries(tensor: TensorProto) -> dict[str, str]:
    return {entry.key: entry.value for entry in tensor.external_data}


def _data_file(tensor: TensorProto, folder: Path, where: str) -> Path:
    """The file with the bytes of a tensor, which exists and lies in the folder of the model."""
    location = _entries(tensor).get("location", "")
    path = folder / location
    if not location or Path(location).is_absolute() or not path.resolve().is_relative_to(folder.resolve()):
        raise ExternalDataError(
            "external data lies outside the folder of the model",
            where=where,
            found=location[:400] or "no location",
            expected=f"a file below {folder}",
            remedy="put the data file beside the model and store its relative path",
        )
    if not path.is_file():
        raise ExternalDataError(
            "the file with external data is missing",
            where=where,
            found=str(path),
            remedy="put it beside the model",
        )
    return path


def _check_extent(tensor: TensorProto, path: Path, where: str) -> None:
    """Raise ExternalDataError unless the file has the bytes that the tensor needs, and those it claims."""
    offset, length = (_byte_count(tensor, key, where) for key in ("offset", "length"))
    dtype = onnx_numpy(tensor.data_type)
    needed = prod(tensor.dims) * dtype.itemsize if dtype is not None else (length or 0)
    rest = max(path.stat().st_size - (offset or 0), 0)
    present = rest if length is None else min(rest, length)
    if present < max(needed, length or 0):
        raise ExternalDataError(
            "external data is too short",
            where=where,
            found=f"{present} bytes at offset {offset or 0} of {path}",
            expected=f"{max(needed, length or 0)} bytes",
            remedy="copy the data file again, completely",
        )


def _byte_count(tensor: TensorProto, key: str, where: str) -> int | None:
    text = _entries(tensor).get(key)
    if text is None:
        return None
    if not re.fullmatch("[0-9]{1,19}", text):
        raise ExternalDataError(
            f"the {key} of external data is not a number of bytes",
            where=where,
            found=text[:40],
            remedy="export the model again: onnx.save_model with save_as_external_data=True",
        )
    return int(text)

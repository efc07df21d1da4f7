"""Reading the model: a path, bytes, or a ModelProto that the caller already has."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from math import prod
from pathlib import Path
from typing import BinaryIO

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from onnx import GraphProto, ModelProto, TensorProto, external_data_helper

from nnc.compiler.frontend.errors import ExternalDataError, ModelFileError
from nnc.compiler.frontend.model.element_types import onnx_numpy
from nnc.compiler.frontend.model.large_values import Values, parse_apart, parse_whole

ModelSource = str | os.PathLike[str] | bytes | ModelProto

_PROTOBUF_LIMIT = 1 << 31
_REMEDY = "give the file of an ONNX model"


@dataclass(frozen=True)
class LoadedModel:
    """The protobuf, weights in external files included, and a name for messages.

    Attributes:
        values: bytes of initialisers that the protobuf does not hold.
    """

    proto: ModelProto
    label: str
    values: Values = field(default_factory=dict)


def load_model(source: ModelSource, *, apart: bool = False) -> LoadedModel:
    """Read a model.

    Args:
        apart: leave the bytes of large initialisers out of the protobuf (see `parse_apart`).

    Raises:
        ModelFileError: the file is missing, empty, truncated, not ONNX, or larger than protobuf allows.
        ExternalDataError: external data is missing, too short or outside the model's folder.
    """
    if isinstance(source, ModelProto):
        _load_external(source, None, "model")
        return LoadedModel(source, source.graph.name or "model")
    if isinstance(source, bytes):
        proto, values = _parse(BytesIO(source), "model", apart=apart)
        _load_external(proto, None, "model")
        return LoadedModel(proto, proto.graph.name or "model", values)
    path = Path(source)
    with _opened(path) as file:
        proto, values = _parse(file, str(path), apart=apart)
    _load_external(proto, path.parent, str(path))
    return LoadedModel(proto, path.stem, values)


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        size = path.stat().st_size
        if path.is_dir():
            raise ModelFileError("the model is a folder", where=str(path), remedy=_REMEDY)
        if size >= _PROTOBUF_LIMIT:
            raise ModelFileError(
                "the model file is too large",
                where=str(path),
                found=f"{size} bytes",
                expected=f"less than {_PROTOBUF_LIMIT} bytes, the limit of protobuf",
                remedy="save the weights as external data (onnx.save_model with save_as_external_data=True)",
            )
        with path.open("rb") as file:
            yield file
    except FileNotFoundError:
        raise ModelFileError("there is no such file", where=str(path), remedy=_REMEDY) from None
    except (OSError, ValueError) as error:
        raise ModelFileError("the file cannot be read", where=str(path), found=str(error)) from error


def _parse(file: BinaryIO, label: str, *, apart: bool) -> tuple[ModelProto, Values]:
    if not file.read(1):
        raise ModelFileError("the model file is empty", where=label, remedy=_REMEDY)
    try:
        proto, values = parse_apart(file) if apart else (parse_whole(file), {})
    except DecodeError as error:
        raise ModelFileError(
            "the file is truncated or not an ONNX model", where=label, found=str(error), remedy=_REMEDY
        ) from None
    if not proto.ir_version or not proto.HasField("graph"):
        raise ModelFileError("the file is not an ONNX model", where=label, remedy=_REMEDY)
    return proto, values


# --- external data -----------------------------------------------------------------------------------------


def _load_external(proto: ModelProto, folder: Path | None, label: str) -> None:
    """Read every external tensor into the protobuf; a protobuf without such tensors is left untouched."""
    for tensor in _tensors(proto):
        if not external_data_helper.uses_external_data(tensor):
            continue
        where = f"{label}: tensor {tensor.name}"
        if folder is None:
            raise ExternalDataError(
                "the model keeps weights in external files, but was not given as a path",
                where=where,
                remedy="give the path of the model file, or load the external data first",
            )
        _check_location(tensor, folder, where)
        try:
            external_data_helper.load_external_data_for_tensor(tensor, str(folder))
        except Exception as error:  # onnx raises several kinds, by version and by cause
            raise ExternalDataError(
                "the external data cannot be read", where=where, found=str(error)
            ) from error


def _tensors(proto: ModelProto) -> Iterator[TensorProto]:
    yield from _graph_tensors(proto.graph)
    for function in proto.functions:
        for node in function.node:
            for attribute in node.attribute:
                if attribute.HasField("t"):
                    yield attribute.t


def _graph_tensors(graph: GraphProto) -> Iterator[TensorProto]:
    yield from graph.initializer
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                yield attribute.t
            if attribute.HasField("g"):
                yield from _graph_tensors(attribute.g)


def _check_location(tensor: TensorProto, folder: Path, where: str) -> None:
    """Raise ExternalDataError unless the bytes exist, are enough, and lie inside the folder of the model."""
    entries = {entry.key: entry.value for entry in tensor.external_data}
    location = entries.get("location", "")
    path = folder / location
    if not location or Path(location).is_absolute() or not path.resolve().is_relative_to(folder.resolve()):
        raise ExternalDataError(
            "external data lies outside the folder of the model",
            where=where,
            found=location or "no location",
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
    offset, length = (_byte_count(entries, key, where) for key in ("offset", "length"))
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


def _byte_count(entries: dict[str, str], key: str, where: str) -> int | None:
    if key not in entries:
        return None
    if not entries[key].isdecimal():
        raise ExternalDataError(
            f"the {key} of external data is not a number", where=where, found=entries[key]
        )
    return int(entries[key])

"""Reading the model: a path, bytes, or a ModelProto that the caller already has."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from onnx import ModelProto

from nnc.compiler.frontend.errors import ModelFileError
from nnc.compiler.frontend.model.check import check_text
from nnc.compiler.frontend.model.external_data import files_named, read_external_data
from nnc.compiler.frontend.model.large_values import Values, parse_apart, parse_whole
from nnc.compiler.frontend.model.other_formats import other_format
from nnc.isa.errors import NncError
from nnc.isa.files import open_file
from nnc.isa.limits import MODEL_FILE

ModelSource = str | os.PathLike[str] | bytes | ModelProto

_REMEDY = "give the file of an ONNX model"
_START = 16
"""Bytes by which formats are told apart."""


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
        ModelInvalidError: a name is not text.
        ExternalDataError: external data is missing, too short or outside the model's folder.
    """
    if isinstance(source, ModelProto):
        check_text(source)
        read_external_data(source, None, "model")
        return LoadedModel(source, source.graph.name or "model")
    if isinstance(source, bytes):
        proto, values = _parse(BytesIO(source), "model", apart=apart)
        read_external_data(proto, None, "model")
        return LoadedModel(proto, proto.graph.name or "model", values)
    path = Path(source)
    with _opened(path) as file:
        proto, values = _parse(file, str(path), apart=apart)
    read_external_data(proto, path.parent, str(path))
    return LoadedModel(proto, path.stem, values)


def external_files(path: Path) -> list[Path]:
    """The files that a model keeps weights in, as it names them; none of a model that cannot be read."""
    try:
        with _opened(path) as file:
            return files_named(_parse(file, str(path), apart=True)[0], path.parent)
    except NncError:
        return []


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        size = path.stat().st_size
        if path.is_dir():
            is_saved = (path / "saved_model.pb").is_file()
            raise _no_model("the model is a folder", str(path), is_folder=is_saved)
        MODEL_FILE.check(
            size,
            ModelFileError,
            "the model file is too large",
            where=str(path),
            remedy="save the weights as external data (onnx.save_model with save_as_external_data=True)",
        )
        with open_file(path) as file:
            yield file
    except FileNotFoundError:
        raise ModelFileError("there is no such file", where=str(path), remedy=_REMEDY) from None
    except (OSError, ValueError) as error:
        raise ModelFileError(
            "the file cannot be read", where=str(path), found=str(error), remedy=_REMEDY
        ) from error


def _parse(file: BinaryIO, label: str, *, apart: bool) -> tuple[ModelProto, Values]:
    if not file.read(1):
        raise ModelFileError("the model file is empty", where=label, remedy=_REMEDY)
    try:
        proto, values = parse_apart(file) if apart else (parse_whole(file), {})
    except DecodeError as error:
        message = "the file is truncated or not an ONNX model"
        raise _no_model(message, label, _start(file), found=str(error)) from None
    if not proto.ir_version or not proto.HasField("graph"):
        raise _no_model("the file is not an ONNX model", label, _start(file))
    check_text(proto)
    return proto, values


def _start(file: BinaryIO) -> bytes:
    file.seek(0)
    return file.read(_START)


def _no_model(
    message: str, label: str, start: bytes = b"", *, found: str = "", is_folder: bool = False
) -> ModelFileError:
    """The error, which says how to get an ONNX model where the format is known."""
    file_format = other_format(label, start, is_folder=is_folder)
    if file_format is None:
        return ModelFileError(message, where=label, found=found, remedy=_REMEDY)
    return ModelFileError(
        "this is no ONNX model",
        where=label,
        found=file_format.name,
        expected="an ONNX model",
        remedy=file_format.remedy,
    )

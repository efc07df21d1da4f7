"""The bytes of large initialisers, read from a model file straight into arrays.

protobuf copies all that it parses, and copies it again for who asks: of a network of which most is weights,
each byte would be moved three times.  So the file is walked field by field (a field is a number, a kind and,
for messages and bytes, a length), and protobuf gets all but these bytes:

    model      7: graph                                       -> ModelProto
               5: initialiser, 5: initialiser, 1: node …      -> its graph
               1: dims, 8: name, 9: bytes                     -> TensorProto without bytes, array of them
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from math import prod
from typing import BinaryIO, Protocol

import numpy as np
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from numpy.typing import NDArray
from onnx import GraphProto, ModelProto, TensorProto

from nnc.compiler.frontend.model.element_types import onnx_numpy

Values = dict[str, NDArray[np.uint8]]
"""Bytes by name of the initialiser."""

SMALL = 1024
"""Elements up to which a tensor stays in the protobuf: shape inference needs shapes, axes, scales."""

_LARGE = 1 << 16
"""Bytes from which on a field is worth a look."""
_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5
_LONGEST_HEAD = 20
"""Bytes of two numbers of 64 bits, 7 bits in each."""


class _Message(Protocol):
    def MergeFromString(self, serialized: bytes) -> int: ...


class _IrregularError(Exception):
    """The file is not made as expected: let protobuf say what is wrong, if anything is."""


def parse_apart(file: BinaryIO) -> tuple[ModelProto, Values]:
    """A model without the bytes of its large initialisers, and these.

    Raises:
        DecodeError: the file is no model.
    """
    try:
        return _Parser(file).parse()
    except (_IrregularError, DecodeError):
        return parse_whole(file), {}


def parse_whole(file: BinaryIO) -> ModelProto:
    """A model with all of its bytes.

    Raises:
        DecodeError: the file is no model.
    """
    file.seek(0)
    proto = ModelProto()
    proto.ParseFromString(file.read())
    return proto


class _Parser:
    def __init__(self, file: BinaryIO) -> None:
        self._file, self._model, self._values = file, ModelProto(), Values()

    def parse(self) -> tuple[ModelProto, Values]:
        size = self._file.seek(0, os.SEEK_END)
        self._merge(self._model, 0, size, ModelProto.GRAPH_FIELD_NUMBER, self._graph)
        return self._model, self._values

    def _graph(self, begin: int, end: int) -> None:
        graph = self._model.graph
        graph.SetInParent()
        self._merge(graph, begin, end, GraphProto.INITIALIZER_FIELD_NUMBER, self._initialiser)

    def _initialiser(self, begin: int, end: int) -> None:
        tensor, raw = self._model.graph.initializer.add(), list[tuple[int, int]]()
        number = TensorProto.RAW_DATA_FIELD_NUMBER
        self._merge(tensor, begin, end, number, lambda *place: raw.append(place))
        if len(raw) == 1 and _is_plain(tensor):
            self._values[tensor.name] = values = self._read(*raw[0])
            values.flags.writeable = False
        else:
            tensor.Clear()
            tensor.MergeFromString(self._read(begin, end).tobytes())

    def _merge(
        self, message: _Message, begin: int, end: int, number: int, apart: Callable[[int, int], None]
    ) -> None:
        """Merge the fields of a message; the large ones of one number go to `apart`: first byte, end."""
        merged = begin
        for field, start, first, stop in self._fields(begin, end):
            if field == number and stop - first >= _LARGE:
                message.MergeFromString(self._read(merged, start).tobytes())
                apart(first, stop)
                merged = stop
        message.MergeFromString(self._read(merged, end).tobytes())

    def _fields(self, begin: int, end: int) -> Iterator[tuple[int, int, int, int]]:
        """Number, first byte, first byte behind number and length, and end of every field of a message."""
        while begin < end:
            self._file.seek(begin)
            head = self._file.read(_LONGEST_HEAD)
            tag, used = _varint(head, 0)
            length = {_EIGHT_BYTES: 8, _FOUR_BYTES: 4}.get(tag & 7)
            if tag & 7 == _VARINT:
                length, used = 0, _varint(head, used)[1]
            elif tag & 7 == _BYTES:
                length, used = _varint(head, used)
            if length is None or begin + used + length > end:
                raise _IrregularError
            yield tag >> 3, begin, begin + used, begin + used + length
            begin += used + length

    def _read(self, begin: int, end: int) -> NDArray[np.uint8]:
        buffer = np.empty(end - begin, dtype=np.uint8)
        self._file.seek(begin)
        if self._file.readinto(buffer.data) != len(buffer):  # type: ignore[attr-defined]
            raise _IrregularError
        return buffer


def _is_plain(tensor: TensorProto) -> bool:
    """Whether a tensor without its bytes is one of many elements of a type that numpy has, in this file."""
    is_known = onnx_numpy(tensor.data_type) is not None and isinstance(tensor.name, str)
    return is_known and prod(tensor.dims) > SMALL and tensor.data_location != TensorProto.EXTERNAL


def _varint(head: bytes, position: int) -> tuple[int, int]:
    """A number in 7 bits per byte, the lowest first, and the place behind it."""
    value = 0
    for shift in range(0, 70, 7):
        if position >= len(head):
            break
        byte = head[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position
    raise _IrregularError

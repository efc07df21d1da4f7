"""The one walk over a model: every protobuf message in it, wherever the format allows one.

The format itself says where that is, so that no place is forgotten: graphs in attributes, functions with the
default values of their attributes, sparse tensors, training.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import cache
from typing import Any

from google.protobuf.message import Message  # type: ignore[import-untyped]
from onnx import ModelProto, NodeProto, TensorProto

_REMARKS = frozenset({"doc_string", "metadata_props", "producer_name", "producer_version"})
"""Fields that mean nothing to the model."""


def messages(whole: ModelProto | NodeProto) -> Iterator[Any]:
    """A model, or a node of it, and all messages in it but remarks, each before those that it holds."""
    pending: deque[Any] = deque([whole])
    while pending:
        message = pending.popleft()
        yield message
        for name in _fields(message.DESCRIPTOR)[0]:
            value = getattr(message, name)
            if not isinstance(value, Message):
                pending.extend(value)
            elif message.HasField(name):
                pending.append(value)


def tensors(model: ModelProto) -> Iterator[TensorProto]:
    """Every tensor with values in the model: initialisers, attributes, parts of sparse tensors."""
    return (message for message in messages(model) if isinstance(message, TensorProto))


def texts(model: ModelProto) -> Iterator[tuple[Any, str | bytes]]:
    """Every text of the model but remarks, with its message; protobuf gives bytes for what is not UTF-8."""
    for message in messages(model):
        for name in _fields(message.DESCRIPTOR)[1]:
            text = getattr(message, name)
            if isinstance(text, str | bytes):
                yield message, text
            else:
                yield from ((message, part) for part in text)


@cache
def _fields(descriptor: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the fields of a type of message that hold messages, and of those that hold texts."""
    fields = [field for field in descriptor.fields if field.name not in _REMARKS]
    holders = tuple(field.name for field in fields if field.message_type is not None)
    return holders, tuple(field.name for field in fields if field.type == field.TYPE_STRING)

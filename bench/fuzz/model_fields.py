"""Random changes of any field of any message of an ONNX model."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import onnx
from google.protobuf.descriptor import FieldDescriptor  # type: ignore[import-untyped]

from bench.fuzz.bytes_mutations import mutated_bytes
from bench.fuzz.values import other_float, other_integer, other_text

OPERATORS = sorted({schema.name for schema in onnx.defs.get_all_schemas() if schema.domain == ""})
_FLOATS = (FieldDescriptor.TYPE_FLOAT, FieldDescriptor.TYPE_DOUBLE)


def messages_in(message: Any) -> Iterator[Any]:
    """A message and all messages in it."""
    yield message
    for field, value in message.ListFields():
        if field.message_type is not None:
            for item in value if field.is_repeated else (value,):
                yield from messages_in(item)


def change_field(model: onnx.ModelProto, random: Random) -> None:
    """Change a field of a random message: one that is set, or, seldom, another."""
    message = random.choice(
        [candidate for candidate in messages_in(model) if not isinstance(candidate, _DULL)]
    )
    present = [field for field, _ in message.ListFields()]
    fields = present if present and random.random() < 0.85 else list(message.DESCRIPTOR.fields)
    field = random.choice(fields)
    if random.random() < 0.08:
        message.ClearField(field.name)
    elif field.is_repeated:
        change_repeated(message, field, model, random)
    elif field.message_type is not None:
        same = [candidate for candidate in messages_in(model) if candidate.DESCRIPTOR is field.message_type]
        getattr(message, field.name).SetInParent()
        if same:
            _copy(getattr(message, field.name), random.choice(same))
    else:
        assign(message, field, other_value(getattr(message, field.name), field, model, random))


_DULL = (onnx.StringStringEntryProto, onnx.OperatorSetIdProto)


def change_repeated(message: Any, field: FieldDescriptor, model: onnx.ModelProto, random: Random) -> None:
    values = getattr(message, field.name)
    if field.message_type is not None:
        kept = list(values) or [
            candidate for candidate in messages_in(model) if candidate.DESCRIPTOR is field.message_type
        ]
        if kept:
            _rearrange(values, [_copied(item) for item in kept], random)
        return
    kept = list(values)
    if not kept or random.random() < 0.2:
        kept.insert(random.randrange(len(kept) + 1), _default(field))
    elif random.random() < 0.2:
        del kept[random.randrange(len(kept))]
    place = random.randrange(len(kept)) if kept else None
    if place is not None:
        kept[place] = other_value(kept[place], field, model, random)
    before = list(values)
    del values[:]
    try:
        values.extend(kept)
    except (ValueError, UnicodeEncodeError):  # more than the field can hold
        del values[:]
        values.extend(before)


def _rearrange(values: Any, items: list[Any], random: Random) -> None:
    """Delete, double or swap elements of a repeated field."""
    place, partner = random.randrange(len(items)), random.randrange(len(items))
    how = random.random()
    if how < 0.4:
        del items[place]
    elif how < 0.7:
        items.insert(partner, items[place])
    else:
        items[place], items[partner] = items[partner], items[place]
    del values[:]
    values.extend(items)


def _copied(message: Any) -> Any:
    copy = type(message)()
    copy.CopyFrom(message)
    return copy


def _copy(target: Any, source: Any) -> None:
    """Replace a message by another, which may contain it."""
    target.CopyFrom(_copied(source))


def _default(field: FieldDescriptor) -> Any:
    if field.type in _FLOATS:
        return 0.0
    return {FieldDescriptor.TYPE_STRING: "", FieldDescriptor.TYPE_BYTES: b""}.get(field.type, 0)


def other_value(value: Any, field: FieldDescriptor, model: onnx.ModelProto, random: Random) -> Any:
    """Another value for a field that is no message."""
    if field.type in _FLOATS:
        return other_float(value, random)
    if isinstance(value, bytes):
        return mutated_bytes(value, random)
    if isinstance(value, str):
        if field.name == "op_type":
            return random.choice(OPERATORS)
        return random.choice(tensor_names(model)) if random.random() < 0.6 else other_text(value, random)
    if field.enum_type is not None and random.random() < 0.8:
        return random.choice(field.enum_type.values).number
    if field.name in ("data_type", "elem_type") and random.random() < 0.8:
        return random.choice(onnx.TensorProto.DataType.values())
    return other_integer(value, random)


def tensor_names(model: onnx.ModelProto) -> list[str]:
    """The names of tensors that nodes read or give, as often as they do; "" is an absent one."""
    return ["", *(name for node in model.graph.node for name in (*node.input, *node.output))]


def assign(message: Any, field: FieldDescriptor, value: Any) -> None:
    """Set a field, unless it cannot hold the value."""
    try:
        setattr(message, field.name, value)
    except (ValueError, UnicodeEncodeError):
        message.ClearField(field.name)

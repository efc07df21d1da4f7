"""Random changes of ONNX models: any field of any message, and what damages models in the wild."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import onnx
from onnx import external_data_helper

from bench.fuzz.model_fields import (
    OPERATORS,
    assign,
    change_field,
    change_repeated,
    messages_in,
    other_value,
    tensor_names,
)
from bench.fuzz.values import INTEGERS, other_float, other_integer, other_text

WEIGHTS_FILE = "weights.bin"
"""Lies beside every model: external data that exists."""


def mutated_model(model: onnx.ModelProto, random: Random) -> onnx.ModelProto:
    """A copy with one to four changes."""
    changed = onnx.ModelProto()
    changed.CopyFrom(model)
    if random.random() < 0.7:
        _forget_shapes(changed)
    for _ in range(random.choice((1, 1, 1, 1, 2, 3))):
        random.choice((change_field, change_field, *_DAMAGES))(changed, random)
    return changed


def _forget_shapes(model: onnx.ModelProto) -> None:
    """Leave out what is declared of results, so that a change is not refused for contradicting it alone."""
    del model.graph.value_info[:]
    for info in model.graph.output:
        info.type.tensor_type.ClearField("shape")


def _change_edge(model: onnx.ModelProto, random: Random) -> None:
    """A node reads another tensor: of a later node, of itself, none, one that does not exist."""
    nodes = [node for node in model.graph.node if node.input]
    if nodes:
        node = random.choice(nodes)
        node.input[random.randrange(len(node.input))] = random.choice([*tensor_names(model), "nothing"])


def _change_attribute(model: onnx.ModelProto, random: Random) -> None:
    """An attribute of a node of another value, seldom of another type."""
    nodes = [node for node in model.graph.node if node.attribute]
    if not nodes:
        return
    attribute = random.choice(random.choice(nodes).attribute)
    if random.random() < 0.1:
        attribute.type = random.choice(onnx.AttributeProto.AttributeType.values())
        return
    field = attribute.DESCRIPTOR.fields_by_name.get(_VALUE_FIELDS.get(attribute.type, ""))
    if field is None:
        return
    if field.is_repeated:
        change_repeated(attribute, field, model, random)
    else:
        assign(attribute, field, other_value(getattr(attribute, field.name), field, model, random))


def _set_attribute(model: onnx.ModelProto, random: Random) -> None:
    """A node gets an attribute that its operator has, with a value of the right type."""
    nodes = [node for node in model.graph.node if onnx.defs.has(node.op_type, node.domain)]
    if not nodes:
        return
    node = random.choice(nodes)
    schema = onnx.defs.get_schema(node.op_type, node.domain)
    kinds = {name: int(given.type) for name, given in schema.attributes.items()}  # type: ignore[call-overload]
    choices = [(name, kind) for name, kind in sorted(kinds.items()) if kind in _VALUE_FIELDS]
    if not choices:
        return
    name, kind = random.choice(choices)
    kept = [attribute for attribute in node.attribute if attribute.name != name]
    attribute = onnx.AttributeProto(name=name, type=kind)
    field = attribute.DESCRIPTOR.fields_by_name[_VALUE_FIELDS[kind]]
    text = random.choice(_WORDS).encode()
    number = random.choice((-1, 0, 1, 1, 2, 3, random.choice(INTEGERS[:-1])))
    value: Any = {"i": number, "f": other_float(1.0, random), "s": text}[field.name[0]]
    if field.is_repeated:
        getattr(attribute, field.name).extend([value] * random.randrange(5))
    else:
        setattr(attribute, field.name, value)
    node.ClearField("attribute")
    node.attribute.extend([*kept, attribute])


_VALUE_FIELDS = {
    onnx.AttributeProto.INT: "i",
    onnx.AttributeProto.FLOAT: "f",
    onnx.AttributeProto.STRING: "s",
    onnx.AttributeProto.INTS: "ints",
    onnx.AttributeProto.FLOATS: "floats",
    onnx.AttributeProto.STRINGS: "strings",
}
_WORDS = (
    *("linear", "nearest", "cubic", "constant", "reflect", "edge", "wrap", "NOTSET", "SAME_LOWER", "VALID"),
    *("add", "mul", "max", "none", "tanh", "DCR", "CRD", "floor", "ceil", "align_corners", "asymmetric", "x"),
)


def _change_constant(model: onnx.ModelProto, random: Random) -> None:
    """A constant of other extents, another type, or more or fewer bytes."""
    tensors = [candidate for candidate in messages_in(model) if isinstance(candidate, onnx.TensorProto)]
    if tensors:
        tensor = random.choice(tensors)
        name = random.choice(("dims", "data_type", "raw_data", "float_data", "int64_data", "int32_data"))
        field = tensor.DESCRIPTOR.fields_by_name[name]
        if field.is_repeated:
            change_repeated(tensor, field, model, random)
        else:
            assign(tensor, field, other_value(getattr(tensor, name), field, model, random))


def _change_values(model: onnx.ModelProto, random: Random) -> None:
    """A constant of other values, extreme ones among them, of the same type and extents."""
    tensors = [
        candidate
        for candidate in messages_in(model)
        if isinstance(candidate, onnx.TensorProto) and candidate.name
    ]
    if not tensors:
        return
    tensor = random.choice(tensors)
    try:
        array = onnx.numpy_helper.to_array(tensor).copy()
    except Exception:  # damaged before
        return
    if array.size and array.dtype.kind in "fiu":
        places = random.sample(range(array.size), min(array.size, random.choice((1, 3, array.size))))
        substitute = other_float if array.dtype.kind == "f" else other_integer
        for place in places:
            value = substitute(array.flat[place].item(), random)
            if array.dtype.kind != "f":
                limits = np.iinfo(array.dtype)
                value = min(max(value, limits.min), limits.max)
            with np.errstate(all="ignore"):
                array.flat[place] = value
        tensor.CopyFrom(onnx.numpy_helper.from_array(array, tensor.name))


def _change_dims(model: onnx.ModelProto, random: Random) -> None:
    """An input, output or inner tensor is declared with another extent, a symbolic or missing one."""
    infos = [*model.graph.input, *model.graph.output, *model.graph.value_info]
    shapes = [info.type.tensor_type.shape for info in infos if info.type.tensor_type.shape.dim]
    if shapes:
        dim = random.choice(random.choice(shapes).dim)
        how = random.random()
        if how < 0.1:
            dim.dim_param = random.choice(("N", "batch", ""))
        elif how < 0.15:
            dim.Clear()
        else:
            assign(dim, dim.DESCRIPTOR.fields_by_name["dim_value"], other_integer(dim.dim_value, random))


def _make_external(model: onnx.ModelProto, random: Random) -> None:
    """A constant lies in a file beside the model, or is said to: with any location, offset and length."""
    tensors = list(model.graph.initializer)
    if not tensors:
        return
    tensor = random.choice(tensors)
    tensor.data_location = onnx.TensorProto.EXTERNAL
    size = len(tensor.raw_data) or 4
    entries = {
        "location": WEIGHTS_FILE if random.random() < 0.7 else other_text(WEIGHTS_FILE, random),
        "offset": str(0 if random.random() < 0.5 else other_integer(4096, random)),
        "length": str(size if random.random() < 0.5 else other_integer(size, random)),
        "checksum": "0" * 40,
    }
    if random.random() < 0.2:
        entries[random.choice(list(entries))] = other_text("0", random)
    del tensor.external_data[:]
    for key in random.sample(list(entries), random.choice((1, 3, 3, 4))):
        tensor.external_data.add(key=key, value=entries[key])
    if random.random() < 0.7 and external_data_helper.uses_external_data(tensor):
        tensor.ClearField("raw_data")


def _change_opset(model: onnx.ModelProto, random: Random) -> None:
    if model.opset_import:
        versions = (*range(6, 27), *range(6, 27), -1, 0, 2**62)
        random.choice(model.opset_import).version = random.choice(versions)


def _change_operator(model: onnx.ModelProto, random: Random) -> None:
    if model.graph.node:
        random.choice(model.graph.node).op_type = random.choice(OPERATORS)


_DAMAGES = (
    _change_edge,
    _change_edge,
    _change_attribute,
    _change_attribute,
    _set_attribute,
    _set_attribute,
    _change_constant,
    _change_values,
    _change_values,
    _change_values,
    _change_dims,
    _make_external,
    _change_opset,
    _change_operator,
)

"""Models of the opsets 1 to 6: onnx's version converter, and the broadcasts that it cannot convert.

Before opset 7 the second operand of Add and its kin may lie along axes in the middle of the first
(`broadcast=1, axis=1`), and so may the slope of PRelu.  The importers know the forms since opset 7.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from onnx import ModelProto, NodeProto, defs, helper, version_converter

from nnc.compiler.frontend.errors import UnsupportedError
from nnc.compiler.frontend.model.check import OLDEST_OPSET, InferredTypes, check_model, infer_types
from nnc.compiler.frontend.model.weights import Skeleton, hoist_constants

_ALIGNING = frozenset({"Add", "Div", "Mul", "Pow", "PRelu", "Sub"})
_LAST_BEFORE = OLDEST_OPSET - 1


def convert_old_opset(skeleton: Skeleton, opset: int) -> int:
    """Convert a model of static shapes to the oldest opset that has importers, if it is older (in place).

    Returns:
        The opset that the model now has.

    Raises:
        UnsupportedError: onnx cannot convert it.
        ModelInvalidError: the model breaks the specification, as it was or as converted.
    """
    if opset >= OLDEST_OPSET:
        return opset
    _state_defaults(skeleton.model, opset)
    _convert(skeleton, opset, _LAST_BEFORE)
    weights = {name: (tensor.data_type, tuple(tensor.dims)) for name, tensor in skeleton.weights.items()}
    _align(skeleton.model, {**infer_types(skeleton.model, _LAST_BEFORE), **weights})
    _convert(skeleton, opset, OLDEST_OPSET)
    check_model(skeleton.model)
    return OLDEST_OPSET


def _convert(skeleton: Skeleton, opset: int, target: int) -> None:
    model = skeleton.model
    try:
        converted = version_converter.convert_version(model, target)
    except (RuntimeError, version_converter.ConvertError) as error:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise UnsupportedError(
            f"opset {opset} is not supported, and onnx cannot convert the model",
            found=lines[0],
            expected=f"opset {OLDEST_OPSET} or later",
            remedy="export the model again with a later opset",
        ) from None
    model.graph.ClearField("node")
    model.graph.node.extend(converted.graph.node)
    model.ClearField("opset_import")
    model.opset_import.extend(converted.opset_import)
    hoist_constants(skeleton)


def _state_defaults(model: ModelProto, opset: int) -> None:
    """Write out the constants of Selu, which are others since opset 6."""
    for node in model.graph.node:
        if node.op_type == "Selu":
            stated = {attribute.name for attribute in node.attribute}
            for name, value in defs.get_schema("Selu", opset, "").attributes.items():
                if name not in stated and value.default_value.name:
                    node.attribute.append(value.default_value)


def _align(model: ModelProto, types: InferredTypes) -> None:
    """Give second operands axes of extent 1 behind theirs: so they broadcast since opset 7 (in place).

    Raises:
        UnsupportedError: the rank of an operand is not known.
    """
    names = (name for name in (f"aligned.{number}" for number in count()) if name not in types)
    nodes = [*model.graph.node]
    model.graph.ClearField("node")
    for node in nodes:
        if node.op_type in _ALIGNING and node.domain in ("", "ai.onnx"):
            model.graph.node.extend(_aligned(node, types, names))
        model.graph.node.append(node)


def _aligned(node: NodeProto, types: InferredTypes, names: Iterator[str]) -> Iterator[NodeProto]:
    """The node that gives the second operand of a node its axes, if it lacks some; that node is changed."""
    attributes = {attribute.name: attribute.i for attribute in node.attribute}
    ranks = [None if (dims := types.get(name, (None, None))[1]) is None else len(dims) for name in node.input]
    if len(ranks) != 2 or None in ranks:
        raise UnsupportedError(
            "the shape of an operand is not known, which its opset needs",
            where=f"node {node.name or node.output[0]} ({node.op_type})",
            remedy="export the model again with a later opset",
        )
    first, second = (rank or 0 for rank in ranks)
    axis = attributes.get("axis", 1 if node.op_type == "PRelu" else first - second)
    behind = first - second - (axis + first if axis < 0 else axis)
    kept = [attribute for attribute in node.attribute if attribute.name not in ("broadcast", "axis")]
    node.ClearField("attribute")
    node.attribute.extend(kept)
    if behind > 0 and second:
        node.input[1], operand = next(names), node.input[1]
        axes = list(range(second, second + behind))
        yield helper.make_node("Unsqueeze", [operand], [node.input[1]], axes=axes)

"""A model with fewer channels of one node: every axis of every weight that must follow, follows.

Axes that have one extent for one reason are a class: the channels of a convolution with its bias, the
normalisation behind it, depthwise weights, the other branches of a sum, and the weights of those who read.
A class is narrowed as a whole (structured pruning); its first channels stay.  Axes of inputs and outputs of
the model, and what is not known of an operator, are fixed, and so is all that depends on them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from networkx.utils import UnionFind
from onnx import ModelProto, NodeProto, helper, numpy_helper

from nnc.compiler.frontend.domains import ONNX, domain_of, name_of
from nnc.compiler.frontend.model.check import inferred_shapes
from nnc.compiler.frontend.model.subgraphs import reads

Axis = tuple[str, int]
"""A tensor, and the number of one of its axes."""
Shape = tuple[int | None, ...]
_FIXED: Axis = ("", 0)
_RAMPS = frozenset(["Abs", "Clip", "HardSigmoid", "HardSwish", "LeakyRelu", "Relu", "ThresholdedRelu"])
_CURVES = frozenset(["Celu", "Elu", "Erf", "Exp", "Gelu", "Log", "Mish", "Selu", "Sigmoid", "Sqrt", "Tanh"])
_SAME_SHAPE = _RAMPS | _CURVES | {"Dropout", "Identity", "LRN", "Neg", "Softmax", "Softplus", "Softsign"}
_BROADCAST = frozenset(["Add", "Div", "Max", "Mean", "Min", "Mul", "Pow", "PRelu", "Sub", "Sum", "Where"])
_POOLS = frozenset(["AveragePool", "GlobalAveragePool", "GlobalMaxPool", "LpPool", "MaxPool"])
_SPATIAL = _POOLS | {"Pad", "ReduceMax", "ReduceMean", "Resize", "Upsample"}
"""Operators that leave batch and channels as they are, if these are as large behind them as before."""


class ChannelClasses:
    """The classes of axes of one model."""

    def __init__(self, model: ModelProto) -> None:
        """Raises ModelInvalidError if types or shapes of the model contradict each other."""
        self._model = model
        weights = {weight.name: tuple(weight.dims) for weight in model.graph.initializer}
        self._shapes: dict[str, Shape] = inferred_shapes(model) | weights
        self._weights = weights
        self._classes: UnionFind[Axis] = UnionFind([_FIXED])
        ports = [*model.graph.input, *model.graph.output]
        self._fix(*(port.name for port in ports if port.name not in weights))
        for node in model.graph.node:
            if not self._tie_node(node):
                self._fix(*reads(node), *node.output)

    def extent(self, name: str) -> int | None:
        """Channels that a node makes and can make fewer of; None if it cannot, or there is no such node."""
        axis = self._channels(name)
        return None if axis is None else self._shapes[axis[0]][axis[1]]

    def narrowed(self, name: str, extent: int) -> ModelProto:
        """The model with so many channels of a node, 1 … `extent(name)`."""
        axis, model = self._channels(name), ModelProto()
        assert axis is not None
        model.CopyFrom(self._model)
        del model.graph.value_info[:]
        for weight in model.graph.initializer:
            axes = [number for number in range(len(weight.dims)) if self._tied((weight.name, number), axis)]
            if axes:
                values = numpy_helper.to_array(weight)
                for number in axes:
                    values = np.take(values, range(extent), number)
                weight.CopyFrom(numpy_helper.from_array(np.ascontiguousarray(values), weight.name))
        for node in model.graph.node:
            if _is_depthwise(node, self._shapes) and self._tied((node.input[1], 0), axis):
                (group,) = (attribute for attribute in node.attribute if attribute.name == "group")
                group.i = extent
        return model

    def _channels(self, name: str) -> Axis | None:
        """The axis of the channels that a convolution or a product makes, if they can be fewer."""
        node = next((node for node in self._model.graph.node if name_of(node) == name), None)
        if node is None or _rule(node) not in _MAKERS or node.output[0] not in self._shapes:
            return None
        made_by_product = _rule(node) is ChannelClasses._product
        axis = node.output[0], len(self._shapes[node.output[0]]) - 1 if made_by_product else 1
        weights = ((weight, n) for weight, dims in self._weights.items() for n in range(len(dims)))
        is_free = not self._tied(axis, _FIXED) and any(self._tied(axis, other) for other in weights)
        return axis if is_free else None

    def _tied(self, axis: Axis, other: Axis) -> bool:
        return bool(self._classes[axis] == self._classes[other])

    def _tie(self, axis: Axis, other: Axis) -> None:
        """Two axes are one; nothing is known of those whose extents differ."""
        extents = [self._shapes[tensor][number] for tensor, number in (axis, other)]
        self._classes.union(axis, other)
        if extents[0] != extents[1]:
            self._classes.union(axis, _FIXED)

    def _tie_first(self, node: NodeProto, count: int) -> None:
        """The first axes of a node's operand are those of its result."""
        for number in range(count):
            self._tie((node.input[0], number), (node.output[0], number))

    def _fix(self, *tensors: str) -> None:
        for tensor in filter(None, tensors):
            for number in range(len(self._shapes.get(tensor, ()))):
                self._classes.union((tensor, number), _FIXED)

    def _fix_axes(self, tensor: str, first: int) -> None:
        """Fix the axes of a tensor from one on."""
        for number in range(first, len(self._shapes[tensor])):
            self._classes.union((tensor, number), _FIXED)

    def _tie_node(self, node: NodeProto) -> bool:
        """Tie what a node ties; False if that is not known of it."""
        tie = _rule(node)
        names = [name for name in (*node.input, *node.output) if name]
        if tie is None or any(name not in self._shapes for name in names):
            return False
        attributes = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
        return tie(self, node, attributes)

    # --- rules: axes of operands and of the result of each operator --------------------------------------

    def _same_shape(self, node: NodeProto, attributes: dict[str, Any]) -> bool:
        self._tie_first(node, len(self._shapes[node.input[0]]))
        self._fix(*node.output[1:])
        return True

    def _broadcast(self, node: NodeProto, attributes: dict[str, Any]) -> bool:
        """From the last axis on; an extent of one goes with any."""
        y = node.output[0]
        rank = len(self._shapes[y])
        for x in filter(None, node.input):
            shape = self._shapes[x]
            for number, extent in enumerate(shape):
                if extent != 1:
                    self._tie((x, number), (y, rank - len(shape) + number))
        return True

    def _spatial(self, node: NodeProto, attributes: dict[str, Any]) -> bool:
        x, y = node.input[0], node.output[0]
        rank = len(self._shapes[x])
        if rank < 3 or len(self._shapes[y]) != rank or (node.op_type == "Resize" and len(node.input) > 3):
            return False
        self._tie_first(node, 2)
        self._fix_axes(x, 2)
        self._fix_axes(y, 2)
        self._fix(*node.input[1:], *node.output[1:])
        return True

    def _normalisation(self, node: NodeProto, attributes: dict[str, Any]) -> bool:
        self._tie_first(node, len(self._shapes[node.input[0]]))
        for parameter in node.input[1:]:
            self._tie((parameter, 0), (node.output[0], 1))
        return len(node.output) == 1

    def _convolution(self, node: NodeProto, attributes: dict[str, Any]) -> bool:
        (x, weight), y = node.input[:2], node.output[0]
        group = attributes.get("group", 1)
        made, summed = (1, 0) if node.op_type == "ConvTranspose" else (0, 1)
        if _is_depthwise(node, self._shapes):
            self._tie((x, 1), (y, 1))
            made = 0
        elif group == 1:
            self._tie((x, 1), (weight, summed))
        else:
            return False
        self._tie_first(node, 1)
        self._tie((weight, made), (y, 1))
        for bias in filter(None, node.input[2:]):
            self._tie((bias, 0), (y, 1))
        for tensor in (x, weight, y):
            self._fix_axes(tensor, 2)
        return True

    def _product(self, node: NodeProto, attributes: dict[str, Any]) -> bool:
        (x, weight), y = node.input[:2], node.output[0]
        if len(self._shapes[weight]) != 2 or attributes.get("transA", 0) or len(self._shapes[x]) < 2:
            return False
        made, summed = (0, 1) if attributes.get("transB", 0) else (1, 0)
        rank = len(self._shapes[x])
        self._tie_first(node, rank - 1)
        self._tie((x, rank - 1), (weight, summed))
        self._tie((y, rank - 1), (weight, made))
        for bias in filter(None, node.input[2:]):
            shape = self._shapes[bias]
            if shape and shape[-1] != 1:
                self._tie((bias, len(shape) - 1), (y, rank - 1))
        return True

    def _flatten(self, node: NodeProto, attributes: dict[str, Any]) -> bool:
        behind = self._shapes[node.input[0]][2:]
        if attributes.get("axis", 1) != 1 or behind != (1,) * len(behind):
            return False
        self._tie_first(node, 2)
        return True

    def _transpose(self, node: NodeProto, attributes: dict[str, Any]) -> bool:
        x, y = node.input[0], node.output[0]
        rank = len(self._shapes[x])
        for number, source in enumerate(attributes.get("perm", range(rank - 1, -1, -1))):
            self._tie((x, source), (y, number))
        return True


Rule = Callable[[ChannelClasses, NodeProto, dict[str, Any]], bool]
_RULES: dict[str, Rule] = {
    **dict.fromkeys(_SAME_SHAPE, ChannelClasses._same_shape),
    **dict.fromkeys(_BROADCAST, ChannelClasses._broadcast),
    **dict.fromkeys(_SPATIAL, ChannelClasses._spatial),
    **dict.fromkeys(("BatchNormalization", "InstanceNormalization"), ChannelClasses._normalisation),
    **dict.fromkeys(("Conv", "ConvTranspose"), ChannelClasses._convolution),
    **dict.fromkeys(("Gemm", "MatMul"), ChannelClasses._product),
    "Flatten": ChannelClasses._flatten,
    "Transpose": ChannelClasses._transpose,
}
_MAKERS: tuple[Rule | None, ...] = (ChannelClasses._convolution, ChannelClasses._product)


def _rule(node: NodeProto) -> Rule | None:
    return _RULES.get(node.op_type) if domain_of(node) == ONNX else None


def _is_depthwise(node: NodeProto, shapes: dict[str, Shape]) -> bool:
    """Whether a convolution has one filter for each channel."""
    if node.op_type not in ("Conv", "ConvTranspose"):
        return False
    group = next((attribute.i for attribute in node.attribute if attribute.name == "group"), 1)
    return group > 1 and shapes.get(node.input[1], ())[:2] == (group, 1)

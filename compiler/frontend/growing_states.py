"""States to which a concat adds rows: present = concat(past, new), as exporters of PyTorch write decoders.

The past has a fixed number of places, P, of which the first n hold rows: n is the position, an input that the
host gives.  New rows lie behind all places in the network, and are stored into place n and those behind it.

    past [1, 8, P, 64], new [1, 8, T, 64]    keys: past 0 … n-1, places that hold nothing, the T new ones

So rows of the past come in another place than in the model, and some hold nothing.  Where they meet in a
softmax, those that hold nothing are hidden, and weigh nothing in the product behind it.  A network in which
they come into a result another way, or that computes something of how long the past is, is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto

from nnc.compiler.frontend.errors import UnsupportedError
from nnc.compiler.frontend.model.specialise import Shapes
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.regions.operand_boxes import Boxes, needed
from nnc.compiler.ir.required import required
from nnc.isa.functions import Function, ReduceFunction
from nnc.isa.types import DType

_KEEPS_ZERO = {
    Function.IDENTITY, Function.CAST, Function.MUL, Function.NEG, Function.ABS, Function.RELU,
}  # fmt: skip
"""Functions that make zero of a zero among their operands."""
_CONVERSIONS = {Function.QUANTIZE, Function.DEQUANTIZE}
"""Between zero and the integer that stands for it, of which nothing else makes zero."""
_PARTIAL = {
    Function.SQRT, Function.RECIPROCAL, Function.LOG, Function.TAN, Function.ASIN, Function.ACOS,
    Function.ACOSH, Function.ATANH, Function.DIV, Function.POW, Function.MOD, Function.FMOD,
}  # fmt: skip
"""Functions that make no number of some numbers: of a place that holds nothing, perhaps, too."""


@dataclass(frozen=True, slots=True)
class GrowingState:
    """A state to which a concat adds rows.

    Attributes:
        before: the input; joined: the tensor of all rows, old and new.
        axis: along which they follow each other.
        places: of old rows; rows: new ones.
    """

    before: str
    joined: str
    axis: int
    places: int
    rows: int


def growing_state(graph: Graph, before: str, joined: str) -> tuple[GrowingState, str] | None:
    """What the tensor `joined` adds to an input, and the tensor of the new rows; None if it is no concat."""
    concat = graph.producer(joined)
    if not isinstance(concat, ir.Concat):
        return None
    operands = [required(tensor) for tensor in graph.inputs_of(concat.name)]
    if len(operands) != 2 or operands[0] != before:
        return None
    places, rows = (graph.types[operand].shape[concat.axis] for operand in operands)
    return GrowingState(before, joined, concat.axis, places, rows), operands[1]


def hide_free_places(graph: Graph, states: Sequence[GrowingState], position: str) -> None:
    """Hide places of the past that hold nothing from every softmax over them.

    Args:
        graph: as imported.
        states: of one number of places, and of new rows.
        position: the input that says how many places hold rows.

    Raises:
        UnsupportedError: they come into a result another way.
    """
    tracer = _Tracer(graph, states, position)
    for layer in graph.layers():
        tracer.visit(layer)
    for tensor in graph.outputs:
        if tensor in tracer.axes:
            raise _exposed(graph, tensor, "it is an output of the network")


class _Tracer:
    """Follows the axis of places through the layers.

    Attributes:
        axes: by tensor, its axis of places.
        zeros: tensors that are zero in places that hold nothing, or integers that stand for zero there.
        partial: those that may be no number there, which not even a weight of zero hides.
    """

    def __init__(self, graph: Graph, states: Sequence[GrowingState], position: str) -> None:
        self._graph, self._position = graph, position
        self.axes = {state.before: state.axis for state in states}
        self._joined = {state.joined: state.axis for state in states}
        self.zeros: set[str] = set()
        self.partial: set[str] = set()
        self._places = states[0].places

    def visit(self, layer: ir.Layer) -> None:
        """Find which axis of a layer's result is that of places, if any is."""
        graph = self._graph
        result, operands = graph.output_of(layer.name), graph.inputs_of(layer.name)
        slots = [slot for slot, tensor in enumerate(operands) if tensor in self.axes]
        if result in self._joined:
            self.axes[result] = self._joined[result]
            return
        if not slots:
            return
        moved = {slot: self._moved_axis(layer, slot) for slot in slots}
        axes = {axis for axis in moved.values() if axis is not None}
        if None not in moved.values() and len(axes) == 1:
            self.axes[result] = axes.pop()
            if self._makes_zero(layer, slots):
                self.zeros.add(result)
            elif self._is_partial(layer, slots):
                self.partial.add(result)
        elif isinstance(layer, ir.Softmax) and not layer.log:  # along the places: its one axis that mixes
            self._hide(layer)
            self.axes[result] = layer.axis
            self.zeros.add(result)
        elif not self._sums(layer, moved):
            raise _exposed(graph, result, f"{layer.loc} mixes them with others")

    def _moved_axis(self, layer: ir.Layer, slot: int) -> int | None:
        """The axis of the result whose element e needs place e of an operand; None if there is none."""
        graph = self._graph
        shapes = [None if t is None else graph.types[t].shape for t in graph.inputs_of(layer.name)]
        own = self.axes[required(graph.inputs_of(layer.name)[slot])]
        out_shape = graph.types[graph.output_of(layer.name)].shape
        count = required(shapes[slot])[own]
        each = np.arange(count)
        for axis in [axis for axis, extent in enumerate(out_shape) if extent == count]:
            slabs = Boxes.whole(out_shape, count)
            slabs.low[:, axis], slabs.high[:, axis] = each, each + 1
            boxes = needed(layer, slot, slabs, shapes, out_shape).boxes
            if (boxes.low[:, own] == each).all() and (boxes.high[:, own] == each + 1).all():
                return axis
        return None

    def _makes_zero(self, layer: ir.Layer, slots: Sequence[int]) -> bool:
        """Whether a layer of zeros, in places that hold nothing, has zeros there."""
        operands = self._graph.inputs_of(layer.name)
        if layer.is_view or isinstance(layer, ir.Copy):
            return all(operand in self.zeros for operand in operands)
        if not isinstance(layer, ir.Elementwise) or layer.src_scales:
            return False
        if layer.function in _CONVERSIONS:
            return operands[0] in self.zeros
        has_zero = any(operands[slot] in self.zeros for slot in slots)
        has_numbers = not any(operands[slot] in self.partial for slot in slots)
        return layer.function in _KEEPS_ZERO and has_zero and has_numbers and self._is_real(layer)

    def _is_real(self, layer: ir.Layer) -> bool:
        """Whether a layer computes real numbers of real numbers: zero of integers may stand for another."""
        graph = self._graph
        tensors = (*graph.inputs_of(layer.name), graph.output_of(layer.name))
        return all(tensor is None or graph.types[tensor].dtype.is_float for tensor in tensors)

    def _is_partial(self, layer: ir.Layer, slots: Sequence[int]) -> bool:
        """Whether the result may be no number in places that hold nothing."""
        operands = self._graph.inputs_of(layer.name)
        if any(operands[slot] in self.partial for slot in slots):
            return True
        if not isinstance(layer, ir.Elementwise) or layer.function not in _PARTIAL:
            return False
        return layer.function is not Function.DIV or (0 if layer.swap else 1) in slots

    def _sums(self, layer: ir.Layer, moved: dict[int, int | None]) -> bool:
        """Whether a layer adds products over all places, of which one factor is zero where nothing is."""
        operands = self._graph.inputs_of(layer.name)
        has_zero = any(operands[slot] in self.zeros for slot in moved)
        has_numbers = not any(operands[slot] in self.partial for slot in moved)
        is_moved = any(axis is not None for axis in moved.values())
        if is_moved or not has_zero or not has_numbers or not self._is_real(layer):
            return False
        if isinstance(layer, ir.Reduce):
            return layer.function is ReduceFunction.SUM
        return isinstance(layer, ir.MatMul) and set(moved) == {0, 1}

    def _hide(self, layer: ir.Layer) -> None:
        """Let scores of places that hold nothing be minus infinity."""
        graph, (scores,) = self._graph, self._graph.inputs_of(layer.name)
        type_ = graph.types[required(scores)]
        axis = self.axes[required(scores)]
        numbers = np.arange(type_.shape[axis], dtype=np.int64)
        numbers[self._places :] = -1  # new rows: in front of any position
        shape = (-1, *[1] * (len(type_.shape) - axis - 1))
        places = graph.add_constant(graph.fresh(f"{layer.name}.places"), numbers.reshape(shape))
        hidden = np.array(-np.inf, type_.dtype.numpy)
        lowest = graph.add_constant(graph.fresh(f"{layer.name}.lowest"), hidden)
        mask_type = TensorType(DType.BOOL, graph.types[places].shape)
        held = self._add(layer, "held", Function.LESS, [places, self._position], mask_type)
        masked = self._add(layer, "masked", Function.WHERE, [held, required(scores), lowest], type_)
        graph.set_inputs(layer.name, [masked])

    def _add(
        self, user: ir.Layer, suffix: str, function: Function, operands: list[str], type_: TensorType
    ) -> str:
        name = self._graph.fresh(f"{user.name}.{suffix}")
        layer = ir.Elementwise(name=name, loc=user.loc, function=function)
        self._graph.add(layer, operands, [name], [type_], before=user.name)
        return name


def _exposed(graph: Graph, tensor: str, how: str) -> UnsupportedError:
    return UnsupportedError(
        "a state has places that hold nothing yet, and these come into a result",
        where=f"tensor {tensor} of {graph.name}",
        found=how,
        expected="a softmax over them, and a product of its weights",
        remedy="leave this state to the caller, or export the model with a buffer and a position",
    )


def with_longer_past(model: ModelProto, graph: Graph, states: Sequence[GrowingState]) -> Shapes:
    """Shapes of all inputs with which the past has a place more, and all axes that count places.

    Args:
        model: as it was exported; graph: the same as imported.

    Raises:
        UnsupportedError: the past has a fixed length in the model.
    """
    axes = {state.before: state.axis for state in states}
    declared = {info.name: info.type.tensor_type.shape.dim for info in model.graph.input}
    symbols = {declared[name][axis].dim_param for name, axis in axes.items()} - {""}
    longer, total = {}, states[0].places + states[0].rows
    for port in graph.input_ports:
        if port.name not in declared:  # the position
            continue
        extents = list(port.type.shape)
        for axis, dim in enumerate(declared[port.name]):
            is_past = axes.get(port.name) == axis
            if is_past and dim.dim_value > 0:
                raise _depends(graph, f"the past {port.name} has a fixed length in the model")
            if is_past or dim.dim_param in symbols or (dim.dim_param and extents[axis] == total):
                extents[axis] += 1
        longer[port.name] = extents
    return longer


def check_length_is_free(graph: Graph, longer: Graph, states: Sequence[GrowingState]) -> None:
    """Insist that a network says nothing of how long the past is, but in axes that count places.

    Args:
        longer: the same network with a place more.

    Raises:
        UnsupportedError: it does, such as by positions that follow from the length of the past.
    """
    for name, value in graph.constants.items():
        twin = longer.constants.get(name)
        if twin is None or not _says_the_same(value, twin, states[0].places):
            raise _depends(graph, f"constant {name}, {list(value.shape)}")
    for layer in graph.layers():
        if layer.name not in longer or not _is_alike(graph, longer, layer):
            raise _depends(graph, str(layer.loc))


def _depends(graph: Graph, what: str) -> UnsupportedError:
    return UnsupportedError(
        "the model computes something of the length of the past, which is not known before a run",
        where=graph.name,
        found=what,
        expected="position_ids and attention_mask as inputs, and a past of any length",
        remedy="export the model so, or leave the states to the caller",
    )


def _says_the_same(value: NDArray[Any], twin: NDArray[Any], places: int) -> bool:
    """Whether two constants are equal, or have one value for all places, and a place more."""
    if value.dtype != twin.dtype or value.ndim != twin.ndim:
        return False
    if value.shape == twin.shape:
        return value.tobytes() == twin.tobytes()
    for axis, (extent, longer) in enumerate(zip(value.shape, twin.shape, strict=True)):
        if longer == extent:
            continue
        if longer != extent + 1 or extent < places:
            return False
        past = np.take(value, np.arange(places), axis), np.take(twin, np.arange(places + 1), axis)
        firsts = [np.take(part, [0], axis) for part in past]
        uniform = all((part == first).all() for part, first in zip(past, firsts, strict=True))
        rest = np.take(twin, np.arange(places + 1, longer), axis)
        twin = np.concatenate([np.take(twin, np.arange(places), axis), rest], axis)
        if not uniform:
            return False
    return value.shape == twin.shape and value.tobytes() == twin.tobytes()


_EXTENTS = {"shape", "extent", "src_extent"}
"""Attributes that say how large a tensor is."""


def _is_alike(graph: Graph, longer: Graph, layer: ir.Layer) -> bool:
    """Whether a layer differs in extents alone, or takes its elements from behind a place more."""
    twin = longer.layer(layer.name)
    own, other = layer.attributes(), twin.attributes()
    free = set(_EXTENTS)
    if isinstance(layer, ir.Reduce) and layer.function is not ReduceFunction.MEAN:
        free.add("count")  # which nothing else divides by
    if isinstance(layer, ir.Slice) and isinstance(twin, ir.Slice):
        free.add("start")
        source = graph.types[required(graph.inputs_of(layer.name)[0])].shape
        grown = longer.types[required(longer.inputs_of(layer.name)[0])].shape
        for start, later, extent, longer_extent in zip(layer.start, twin.start, source, grown, strict=True):
            if start != later and (later - start != 1 or longer_extent - extent != 1):
                return False
    kept = own.keys() - free
    return type(layer) is type(twin) and all(own[name] == other[name] for name in kept)

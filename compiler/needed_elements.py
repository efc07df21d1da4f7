"""Which elements of its tensors a network needs for its outputs, one by one.

The regions (``ir/regions``) answer with boxes, as programs load them.  A box may hold elements that nobody
reads: lines between the windows of a wide stride, rows of a table that no index names.  A bound must not
count those, so this walks the network once more with a mask per tensor, exact for every kind of layer.  Of
weights, those of needed output channels are needed, but for taps that meet nothing but padding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.regions.boxes import Shape
from nnc.compiler.ir.regions.window_taps import Window, meetings, tap_slices, windows_of
from nnc.compiler.ir.required import required
from nnc.compiler.masks import Mask, any_along, count_along, is_empty, is_whole, whole
from nnc.compiler.passes.free_views import view_array
from nnc.isa.functions import Function, PadMode
from nnc.isa.resample import pad_indices, resize_taps
from nnc.isa.rule_table import RuleTable

Ints = npt.NDArray[np.int64]
Needed = dict[str, Mask]
Shapes = Sequence[Shape | None]
Rule = Callable[[Any, int, Mask, Shapes, "Indices"], Mask]
"""(layer, slot, mask of its result, shapes of all operands, indices of gathers) → mask of the operand."""

RULES = RuleTable[ir.Layer, Rule]()
"""The rule of every kind."""
_rule = RULES.rule


def needed_elements(graph: Graph) -> Needed:
    """The mask of every tensor of which some element is needed, by name; outputs are needed whole."""
    needed: Needed = {tensor: whole(graph.types[tensor].shape) for tensor in graph.outputs}
    indices = Indices(graph)
    for layer in reversed(list(graph.layers())):
        _pull(graph, layer, needed, indices)
    return needed


def delivered_elements(graph: Graph) -> Needed:
    """The elements that outputs of the network show, of the tensors that own them (views do not)."""
    needed: Needed = {tensor: whole(graph.types[tensor].shape) for tensor in graph.outputs}
    for layer in reversed(list(graph.layers())):
        if layer.is_view:
            _pull(graph, layer, needed, Indices(graph))
            needed.pop(graph.output_of(layer.name), None)
    return needed


def _pull(graph: Graph, layer: ir.Layer, needed: Needed, indices: Indices) -> None:
    """Add what a layer needs of its operands for what is needed of its result."""
    out = needed.get(graph.output_of(layer.name))
    if out is None or is_empty(out):
        return
    for slot, tensor in enumerate(graph.inputs_of(layer.name)):
        if tensor is None or (tensor in needed and is_whole(needed[tensor])):
            continue
        mask = needed_operand(graph, layer, slot, out, indices)
        needed[tensor] = needed[tensor] | mask if tensor in needed else mask


def needed_operand(graph: Graph, layer: ir.Layer, slot: int, out: Mask, indices: Indices) -> Mask:
    """Which elements of an operand a layer needs for those of its result that the mask `out` names."""
    shapes = [None if t is None else graph.types[t].shape for t in graph.inputs_of(layer.name)]
    return RULES[type(layer)](layer, slot, out, shapes, indices)


class Indices:
    """The values of index tensors; for those that are known at run time only, some that may come.

    A program is the same for all values, so it moves no less than those that need most: all different, and
    different from those of other index tensors.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._first: dict[str, int] = {}
        self._taken = 0

    def known(self, layer: ir.Layer, extent: int) -> Ints | None:
        """Values along an axis of so many elements, None if they are computed at run time."""
        tensor = required(self._graph.inputs_of(layer.name)[1])
        if tensor not in self._graph.constants:
            return None
        return np.asarray(self._graph.constants[tensor], dtype=np.int64) % extent

    def of(self, layer: ir.Layer, wanted: Mask, extent: int) -> Ints:
        """The same, or some that may come, shaped as `wanted`, which says what will be read."""
        tensor = required(self._graph.inputs_of(layer.name)[1])
        values = self.known(layer, extent)
        if values is not None:
            return values
        if tensor not in self._first:
            self._first[tensor] = self._taken
            self._taken += int(wanted.sum())
        places = np.cumsum(wanted.ravel()).reshape(wanted.shape) - 1
        return np.asarray((places + self._first[tensor]) % extent, dtype=np.int64)


# --- along one axis ----------------------------------------------------------------------------------------


def _unbroadcast(mask: Mask, shape: Shape) -> Mask:
    """The mask of an operand that is broadcast to the result: axes align on the right, extent 1 repeats."""
    skipped = mask.ndim - len(shape)
    repeated = [skipped + axis for axis, extent in enumerate(shape) if extent != mask.shape[skipped + axis]]
    return any_along(mask, [*range(skipped), *repeated]).reshape(shape)


def _read_at(mask: Mask, axis: int, extent: int, positions: Ints) -> Mask:
    """The operand's mask if element i of the result reads element positions[i] of it along an axis."""
    operand = np.zeros((extent, *np.delete(mask.shape, axis)), dtype=bool)
    np.logical_or.at(operand, positions, np.moveaxis(mask, axis, 0))
    return np.moveaxis(operand, 0, axis)


def _windows(mask: Mask, axis: int, extent: int, window: Window, *, transposed: bool = False) -> Mask:
    """The operand's mask if windows run along an axis of it: element y·stride + k·dilation − begin.

    Transposed, element x of the operand adds to elements x·stride + k·dilation − begin of the result.
    """
    shape = list(mask.shape)
    shape[axis] = extent
    operand = np.zeros(shape, dtype=bool)
    into, out = np.moveaxis(operand, axis, 0), np.moveaxis(mask, axis, 0)
    dense, strided = (into, out) if transposed else (out, into)
    for tap in range(window[0]):
        here, there = tap_slices(tap, window, len(dense), len(strided))
        into[here if transposed else there] |= out[there if transposed else here]
    return operand


def _all_windows(layer: ir.Conv | ir.ConvTranspose | ir.Pool, mask: Mask, shape: Shape) -> Mask:
    """`_windows` along all spatial axes."""
    for axis, window in enumerate(windows_of(layer), start=2):
        mask = _windows(mask, axis, shape[axis], window, transposed=isinstance(layer, ir.ConvTranspose))
    return mask


# --- the kinds of layers -----------------------------------------------------------------------------------


@_rule(ir.Reshape, ir.Transpose, ir.Slice, ir.Expand, ir.Unfold, ir.Concat)
def _view(layer: ir.Layer, slot: int, out: Mask, shapes: Shapes, indices: Indices) -> Mask:
    shape = required(shapes[slot])
    if not isinstance(layer, ir.Slice | ir.Unfold) and is_whole(out):
        return whole(shape)
    if isinstance(layer, ir.Transpose):
        return out.transpose(np.argsort(layer.perm))
    mask = np.zeros(shape, dtype=bool)
    if isinstance(layer, ir.Slice):
        axes = zip(layer.start, layer.step, layer.shape, strict=True)
        mask[np.ix_(*(start + step * np.arange(extent) for start, step, extent in axes))] = out
        return mask
    numbers = [np.full(required(operand_shape), -1, dtype=np.int64) for operand_shape in shapes]
    numbers[slot] = np.arange(prod(shape)).reshape(shape)
    read = view_array(layer, numbers)[out]
    mask.flat[read[read >= 0]] = True
    return mask


@_rule(ir.Elementwise)
def _broadcast(layer: ir.Layer, slot: int, out: Mask, shapes: Shapes, indices: Indices) -> Mask:
    return _unbroadcast(out, required(shapes[slot]))


@_rule(ir.Copy, ir.Fill)
def _same(layer: ir.Layer, slot: int, out: Mask, shapes: Shapes, indices: Indices) -> Mask:
    return out


def _epilogue(layer: ir.MacLayer, slot: int, out: Mask, shape: Shape, channel: int) -> Mask:
    """Bias and scale (vectors over the channels, or broadcast) and residual."""
    if layer.slots[slot] in ("bias", "scale") and len(shape) == 1 and shape[0] != 1:
        return any_along(out, [axis for axis in range(out.ndim) if axis != channel]).reshape(shape)
    return _unbroadcast(out, shape)


def _weights(layer: ir.Conv | ir.ConvTranspose, out: Mask, shape: Shape, source: Shape) -> Mask:
    """The weights of a convolution: taps of a needed channel that meet the source for a needed result."""
    results = count_along(out, [0])[0]
    if not results.strides[0]:  # all channels are alike
        results = results[:1]
    used = meetings(results, windows_of(layer), source, transposed=isinstance(layer, ir.ConvTranspose)) > 0
    if isinstance(layer, ir.Conv):
        return np.broadcast_to(used[:, None], shape)
    if len(used) > 1:
        used = used.reshape(layer.groups, 1, -1, *layer.kernel)
        used = np.broadcast_to(used, (layer.groups, shape[0] // layer.groups, *shape[1:])).reshape(shape)
    return np.broadcast_to(used, shape)


@_rule(ir.Conv, ir.ConvTranspose)
def _convolution(
    layer: ir.Conv | ir.ConvTranspose, slot: int, out: Mask, shapes: Shapes, indices: Indices
) -> Mask:
    shape = required(shapes[slot])
    if slot >= 2:
        return _epilogue(layer, slot, out, shape, channel=1)
    batch, channels, *spatial = out.shape
    if slot == 1:
        return _weights(layer, out, shape, required(shapes[0])[2:])
    groups = 1 if is_whole(out) else layer.groups
    grouped = any_along(out.reshape(batch, groups, channels // groups, *spatial), [2])[:, :, 0]
    mask = _all_windows(layer, grouped, shape)
    return np.repeat(mask, shape[1] // groups, axis=1) if groups > 1 else np.broadcast_to(mask, shape)


@_rule(ir.MatMul)
def _matmul(layer: ir.MacLayer, slot: int, out: Mask, shapes: Shapes, indices: Indices) -> Mask:
    shape = required(shapes[slot])
    if slot >= 2:
        return _epilogue(layer, slot, out, shape, channel=out.ndim - 1)
    summed = -1 if slot == 0 else -2
    kept = [*shape]
    kept[summed] = 1
    return np.broadcast_to(_unbroadcast(any_along(out, [summed]), tuple(kept)), shape)


@_rule(ir.BlockMatMul)
def _block_matmul(layer: ir.BlockMatMul, slot: int, out: Mask, shapes: Shapes, indices: Indices) -> Mask:
    if slot != 1:
        return _matmul(layer, slot, out, shapes, indices)
    return np.broadcast_to(any_along(out, [*range(out.ndim - 1)]).reshape(1, -1), required(shapes[1]))


@_rule(ir.Pool)
def _pool(layer: ir.Pool, slot: int, out: Mask, shapes: Shapes, indices: Indices) -> Mask:
    return _all_windows(layer, out, required(shapes[0]))


@_rule(ir.LocalResponseNorm)
def _neighbours(layer: ir.LocalResponseNorm, slot: int, out: Mask, shapes: Shapes, indices: Indices) -> Mask:
    return _windows(out, 1, out.shape[1], (layer.size, 1, 1, (layer.size - 1) // 2))


@_rule(ir.CumSum)
def _cumsum(layer: ir.CumSum, slot: int, out: Mask, shapes: Shapes, indices: Indices) -> Mask:
    """All elements up to those that are needed, these themselves unless they are excluded."""
    ordered = np.moveaxis(out, layer.axis, 0)[:: 1 if layer.reverse else -1]
    mask = np.logical_or.accumulate(ordered, axis=0)
    if layer.exclusive:
        mask = np.concatenate([np.zeros_like(mask[:1]), mask[:-1]])
    return np.moveaxis(mask[:: 1 if layer.reverse else -1], 0, layer.axis)


@_rule(ir.Softmax, ir.ArgMax, ir.Reduce, ir.Normalise)
def _whole_axes(
    layer: ir.AlongAxis | ir.Reduce | ir.Normalise, slot: int, out: Mask, shapes: Shapes, indices: Indices
) -> Mask:
    shape = required(shapes[slot])
    if isinstance(layer, ir.Normalise) and slot:
        return _unbroadcast(out, shape)
    axes = (layer.axis,) if isinstance(layer, ir.AlongAxis) else layer.axes
    return np.broadcast_to(any_along(out, axes), shape)


@_rule(ir.Recurrence)
def _recurrence(layer: ir.Recurrence, slot: int, out: Mask, shapes: Shapes, indices: Indices) -> Mask:
    """Of the sequences that are needed, the steps up to the last one that is; weights are needed whole."""
    shape = required(shapes[slot])
    if layer.slots[slot] in ("weight", "bias"):
        return np.broadcast_to(any_along(out, (0, 1, 2)).reshape((1,) * len(shape)), shape)
    if slot:
        return np.broadcast_to(any_along(out, (0, 2))[0], shape)
    steps = shape[0]
    if not layer.sequence:
        return np.broadcast_to(any_along(out, (0, 2)), shape)
    read = any_along(out, (2,))
    ordered = read[:steps][:: 1 if layer.backwards else -1]
    mask = np.logical_or.accumulate(ordered, axis=0)[:: 1 if layer.backwards else -1]
    if layer.cell_state:
        mask = mask | read[steps:]
    return np.broadcast_to(mask, shape)


@_rule(ir.Resize)
def _resize(layer: ir.Resize, slot: int, out: Mask, shapes: Shapes, indices: Indices) -> Mask:
    for axis, extent in enumerate(required(shapes[0])):
        first, last = resize_taps(layer, axis, np.arange(layer.extent[axis]))
        out = _read_at(out, axis, extent, first) | _read_at(out, axis, extent, last)
    return out


@_rule(ir.Pad)
def _pad(layer: ir.Pad, slot: int, out: Mask, shapes: Shapes, indices: Indices) -> Mask:
    for axis, extent in enumerate(required(shapes[0])):
        positions = np.arange(out.shape[axis]) - layer.begin[axis]
        if layer.mode is PadMode.CONSTANT:
            inside = (positions >= 0) & (positions < extent)
            out, positions = out.compress(inside, axis), positions[inside]
        else:
            positions = pad_indices(layer.mode, extent, positions)
        out = _read_at(out, axis, extent, positions)
    return out


@_rule(ir.Gather)
def _gather(layer: ir.Gather, slot: int, out: Mask, shapes: Shapes, indices: Indices) -> Mask:
    data, index = required(shapes[0]), required(shapes[1])
    axis, end = layer.axis, layer.axis + len(index)
    wanted = any_along(out, [*range(axis), *range(end, out.ndim)]).reshape(index)
    if slot == 1:
        return wanted
    lines = out.reshape(*out.shape[:axis], prod(index), *out.shape[end:])
    values = indices.of(layer, wanted, layer.extent)
    return _read_at(lines, axis, data[axis], values.reshape(-1))


@_rule(ir.GatherElements)
def _gather_elements(
    layer: ir.GatherElements, slot: int, out: Mask, shapes: Shapes, indices: Indices
) -> Mask:
    if slot == 1:
        return out
    shape = required(shapes[0])
    places = list(np.nonzero(out))
    values = indices.of(layer, out, shape[layer.axis])
    places[layer.axis] = values[out]
    mask = np.zeros(shape, dtype=bool)
    mask[tuple(places)] = True
    return mask


@_rule(ir.Scatter)
def _scatter(layer: ir.Scatter, slot: int, out: Mask, shapes: Shapes, indices: Indices) -> Mask:
    """Indices that are known only at run time may name elements twice, or not at all: then all count."""
    updates = required(shapes[2])
    lines = np.broadcast_to(any_along(out, (layer.axis,)), updates)
    if slot == 1:
        return _unbroadcast(lines, required(shapes[1]))
    values = indices.known(layer, out.shape[layer.axis])
    if values is None:
        return out if slot == 0 else lines
    places = [*np.indices(updates)]
    places[layer.axis] = np.broadcast_to(values, updates)
    targets = tuple(places)
    if layer.function is not Function.IDENTITY:
        return out if slot == 0 else out[targets]
    numbers, last = np.arange(prod(updates)).reshape(updates), np.full(out.shape, -1)
    last[targets] = numbers
    return out & (last < 0) if slot == 0 else out[targets] & (last[targets] == numbers)

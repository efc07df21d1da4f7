"""Regions of the layers that compute: windows, products, reductions, interpolation."""

from __future__ import annotations

import numpy as np

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.regions.boxes import Boxes, Ints, Need, Shape, broadcast, clipped, exact, rule
from nnc.isa.functions import PadMode
from nnc.isa.resample import pad_indices, resize_taps


@rule(ir.Elementwise)
def _elementwise(layer: ir.Elementwise, slot: int, out: Boxes, shape: Shape, out_shape: Shape) -> Need:
    return broadcast(out, shape)


@rule(ir.Copy, ir.Fill)
def _copy(layer: ir.Copy | ir.Fill, slot: int, out: Boxes, shape: Shape, out_shape: Shape) -> Need:
    return exact(out.low, out.high)


def _epilogue_operand(layer: ir.MacLayer, slot: int, out: Boxes, shape: Shape, channel: int) -> Need:
    """Bias and scale (vectors over the channels, or broadcast), residual and accumulator."""
    if layer.slots[slot] in ("bias", "scale") and len(shape) == 1 and shape[0] != 1:
        return exact(out.low[:, [channel]], out.high[:, [channel]])
    return broadcast(out, shape)


def _spatial(out: Boxes, shape: Shape, channels: tuple[Ints, Ints], low: Ints, high: Ints) -> Need:
    """Boxes of an N, C, spatial… operand from channel ranges and (unclipped) spatial ranges."""
    return clipped(
        np.concatenate([out.low[:, :1], channels[0][:, None], low], axis=1),
        np.concatenate([out.high[:, :1], channels[1][:, None], high], axis=1),
        shape,
    )


def _window(layer: ir.Conv | ir.Pool, out: Boxes) -> tuple[Ints, Ints]:
    """Receptive field per spatial axis: y·stride − pad … (y_last)·stride − pad + reach of the kernel.

    Gaps between taps (dilation, or a stride beyond the kernel) at the borders are not cut off.
    """
    stride = np.array(layer.stride, dtype=np.int64)
    reach = (np.array(layer.kernel, dtype=np.int64) - 1) * np.array(layer.dilation, dtype=np.int64)
    begin = np.array(layer.pad_begin, dtype=np.int64)
    return out.low[:, 2:] * stride - begin, (out.high[:, 2:] - 1) * stride + reach + 1 - begin


def _group_channels(
    layer: ir.SpatialMacLayer, out: Boxes, channels: int, out_channels: int
) -> tuple[Ints, Ints]:
    """Input channels of the channel groups that the output channels belong to."""
    per_group_out, per_group_in = out_channels // layer.groups, channels // layer.groups
    low = out.low[:, 1] // per_group_out * per_group_in
    return low, ((out.high[:, 1] - 1) // per_group_out + 1) * per_group_in


@rule(ir.Conv)
def _conv(layer: ir.Conv, slot: int, out: Boxes, shape: Shape, out_shape: Shape) -> Need:
    if slot >= 2:
        return _epilogue_operand(layer, slot, out, shape, channel=1)
    if slot == 1:
        whole = Boxes.whole(shape, len(out))
        whole.low[:, 0], whole.high[:, 0] = out.low[:, 1], out.high[:, 1]
        return exact(whole.low, whole.high)
    return _spatial(out, shape, _group_channels(layer, out, shape[1], out_shape[1]), *_window(layer, out))


@rule(ir.ConvTranspose)
def _conv_transpose(layer: ir.ConvTranspose, slot: int, out: Boxes, shape: Shape, out_shape: Shape) -> Need:
    if slot >= 2:
        return _epilogue_operand(layer, slot, out, shape, channel=1)
    if slot == 1:
        return _transposed_weight(layer, out, shape, out_shape[1])
    stride = np.array(layer.stride, dtype=np.int64)
    reach = (np.array(layer.kernel, dtype=np.int64) - 1) * np.array(layer.dilation, dtype=np.int64)
    begin = np.array(layer.pad_begin, dtype=np.int64)
    low = -((reach - begin - out.low[:, 2:]) // stride)  # ceil((y + begin - reach) / stride)
    high = (out.high[:, 2:] - 1 + begin) // stride + 1
    channels = _group_channels(layer, out, shape[1], out_shape[1])
    need = _spatial(out, shape, channels, low, high)
    before, after = np.zeros_like(need.before), np.zeros_like(need.after)
    before[:, 2:] = begin + out.low[:, 2:] - need.boxes.low[:, 2:] * stride
    full = (need.boxes.extents[:, 2:] - 1) * stride + reach + 1
    after[:, 2:] = full - before[:, 2:] - out.extents[:, 2:]
    return Need(need.boxes, before, after)


def _transposed_weight(layer: ir.ConvTranspose, out: Boxes, shape: Shape, out_channels: int) -> Need:
    """Weight [IC, OC/groups, K…]: its second axis counts output channels inside their group."""
    per_group = out_channels // layer.groups
    whole = Boxes.whole(shape, len(out))
    whole.low[:, 0], whole.high[:, 0] = _group_channels(layer, out, shape[0], out_channels)
    first, last = out.low[:, 1], out.high[:, 1] - 1
    single = first // per_group == last // per_group  # across a group's border the hull is the whole axis
    whole.low[:, 1] = np.where(single, first % per_group, 0)
    whole.high[:, 1] = np.where(single, last % per_group + 1, per_group)
    return exact(whole.low, whole.high)


@rule(ir.MatMul)
def _matmul(layer: ir.MacLayer, slot: int, out: Boxes, shape: Shape, out_shape: Shape) -> Need:
    if slot >= 2:
        return _epilogue_operand(layer, slot, out, shape, channel=len(out_shape) - 1)
    whole = Boxes.whole(shape, len(out))
    batch = broadcast(Boxes(out.low[:, :-2], out.high[:, :-2]), shape[:-2])
    whole.low[:, :-2], whole.high[:, :-2] = batch.boxes.low, batch.boxes.high
    kept = -2 if slot == 0 else -1
    whole.low[:, kept], whole.high[:, kept] = out.low[:, kept], out.high[:, kept]
    return exact(whole.low, whole.high)


@rule(ir.BlockMatMul)
def _block_matmul(layer: ir.BlockMatMul, slot: int, out: Boxes, shape: Shape, out_shape: Shape) -> Need:
    if slot != 1:
        return _matmul(layer, slot, out, shape, out_shape)
    whole = Boxes.whole(shape, len(out))
    whole.low[:, 1], whole.high[:, 1] = out.low[:, -1], out.high[:, -1]
    return exact(whole.low, whole.high)


@rule(ir.Pool)
def _pool(layer: ir.Pool, slot: int, out: Boxes, shape: Shape, out_shape: Shape) -> Need:
    need = _spatial(out, shape, (out.low[:, 1], out.high[:, 1]), *_window(layer, out))
    after = need.after.copy()
    reach = need.boxes.high[:, 2:] + after[:, 2:]
    padded = np.array(shape[2:], dtype=np.int64) + np.array(layer.pad_end, dtype=np.int64)
    after[:, 2:] = np.minimum(reach, padded) - need.boxes.high[:, 2:]  # beyond it is no padding (ceil mode)
    return Need(need.boxes, need.before, np.maximum(after, 0))


def _whole_axes(out: Boxes, shape: Shape, axes: tuple[int, ...]) -> Need:
    low, high = out.low.copy(), out.high.copy()
    for axis in axes:
        low[:, axis], high[:, axis] = 0, shape[axis]
    return exact(low, high)


@rule(ir.Reduce)
def _reduce(layer: ir.Reduce, slot: int, out: Boxes, shape: Shape, out_shape: Shape) -> Need:
    return _whole_axes(out, shape, layer.axes)


@rule(*ir.WHOLE_AXES)
def _of_whole_axes(layer: ir.WholeAxes, slot: int, out: Boxes, shape: Shape, out_shape: Shape) -> Need:
    return broadcast(out, shape) if slot else _whole_axes(out, shape, layer.whole_axes)


@rule(ir.Recurrence)
def _recurrence(layer: ir.Recurrence, slot: int, out: Boxes, shape: Shape, out_shape: Shape) -> Need:
    """All steps and hidden elements of the sequences of a box: these are axis 1 of x, axis 0 of states."""
    need = Boxes.whole(shape, len(out))
    axis = {"x": 1, "hidden": 0, "initial_cell": 0}.get(layer.slots[slot])
    if axis is not None:
        need.low[:, axis], need.high[:, axis] = out.low[:, 1], out.high[:, 1]
    return exact(need.low, need.high)


@rule(ir.Resize)
def _resize(layer: ir.Resize, slot: int, out: Boxes, shape: Shape, out_shape: Shape) -> Need:
    low, high = out.low.copy(), out.high.copy()
    for axis in range(len(shape)):
        first, last = resize_taps(layer, axis, np.arange(layer.extent[axis]))
        low[:, axis] = first[out.low[:, axis]]
        high[:, axis] = last[out.high[:, axis] - 1] + 1
    return exact(low, high)


@rule(ir.Pad)
def _pad(layer: ir.Pad, slot: int, out: Boxes, shape: Shape, out_shape: Shape) -> Need:
    begin = np.array(layer.begin, dtype=np.int64)
    low, high = out.low - begin, out.high - begin
    if layer.mode is PadMode.CONSTANT or layer.mode is PadMode.EDGE:
        return Need(clipped(low, high, shape).boxes, np.zeros_like(low), np.zeros_like(low))
    for axis, extent in enumerate(shape):
        index = pad_indices(
            layer.mode, extent, np.arange(-layer.begin[axis], out_shape[axis] - layer.begin[axis])
        )
        for part in range(len(out)):
            taps = index[out.low[part, axis] : out.high[part, axis]]
            low[part, axis], high[part, axis] = taps.min(), taps.max() + 1
    return exact(low, high)


@rule(ir.Gather)
def _gather(layer: ir.Gather, slot: int, out: Boxes, shape: Shape, out_shape: Shape) -> Need:
    axis = layer.axis
    index_rank = len(out_shape) - len(shape) + 1 if slot == 0 else len(shape)
    if slot == 1:
        return exact(out.low[:, axis : axis + index_rank], out.high[:, axis : axis + index_rank])
    whole = Boxes.whole(shape, len(out))
    for operand_axis in range(len(shape)):
        if operand_axis != axis:
            result_axis = operand_axis if operand_axis < axis else operand_axis + index_rank - 1
            whole.low[:, operand_axis], whole.high[:, operand_axis] = (
                out.low[:, result_axis],
                out.high[:, result_axis],
            )
    return exact(whole.low, whole.high)


@rule(ir.Scatter)
def _scatter(layer: ir.Scatter, slot: int, out: Boxes, shape: Shape, out_shape: Shape) -> Need:
    """Data as the result, which no tile cuts along the axis; indices and updates whole along it."""
    if slot == 0:
        return _whole_axes(out, shape, (layer.axis,))
    need = broadcast(out, tuple(1 if axis == layer.axis else extent for axis, extent in enumerate(shape)))
    need.boxes.high[:, layer.axis] = shape[layer.axis]
    return need


@rule(ir.GatherElements)
def _gather_elements(layer: ir.GatherElements, slot: int, out: Boxes, shape: Shape, out_shape: Shape) -> Need:
    return exact(out.low, out.high) if slot else _whole_axes(out, shape, (layer.axis,))

"""The records of all kinds of layers that compute."""

from __future__ import annotations

from functools import partial
from math import prod

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import channels_last, identity_order, permute
from nnc.compiler.target.layer_record import (
    Axes,
    AxisOrder,
    LayerRecord,
    Operands,
    Shape,
    Shapes,
    register,
)
from nnc.isa import instructions as isa
from nnc.isa.functions import ReduceFunction
from nnc.isa.instruction import INSTRUCTIONS
from nnc.isa.operand import Operand

# --- facts that several kinds share ------------------------------------------------------------------------


def _row_major(slot: int, rank: int) -> Axes:
    return identity_order(rank)


def _channels_last(slot: int, rank: int) -> Axes:
    return channels_last(rank)


def _no_lanes(rank: int) -> None:
    return None


def _any_cut(layer: ir.Layer, shapes: Shapes) -> Axes:
    return ()


def _no_chunks(layer: ir.Layer, shapes: Shapes) -> dict[int, int]:
    return {}


def _as_tensors(layer: ir.Layer, out: Operand, ins: Operands) -> tuple[Operand, Operands]:
    """For rules that do not ask in which order the axes are."""
    return out, ins


def _no_macs(layer: ir.Layer, out: Shape, shapes: Shapes) -> int:
    return 0


def shape_of(shapes: Shapes, slot: int) -> Shape:
    """The shape of an operand that is present."""
    return required(shapes[slot])


vector_layer = partial(
    LayerRecord,
    constant_order=_row_major,
    lane_axis=_no_lanes,
    chunk_axes=_no_chunks,
    work_operands=_as_tensors,
    macs=_no_macs,
)
"""A kind of the vector unit; what it does not take from here it must say."""

# --- the MAC array -----------------------------------------------------------------------------------------


def _channel_lanes(rank: int) -> int:
    return 1


def _last(block: Operand) -> Operand:
    """A block with its channels as the last axis."""
    axes = channels_last(len(block.shape))
    shape, strides = permute(block.shape, axes), permute(block.strides, axes)
    return Operand(block.memory, block.address, block.dtype, shape, strides)


def _weights(block: Operand, *shape: int) -> Operand:
    return Operand.dense(block.memory, block.address, block.dtype, shape)


def _windows(layer: ir.Layer, out: Operand, ins: Operands) -> tuple[Operand, Operands]:
    return _last(out), (_last(required(ins[0])), *ins[1:])


def _conv_weights(slot: int, rank: int) -> Axes:
    """Weights nest K…, IC, OC (M3: one row is the vector over the output channels)."""
    return (*range(2, rank), 1, 0) if slot == 1 else identity_order(rank)


def _conv_operands(layer: ir.Conv, out: Operand, ins: Operands) -> tuple[Operand, Operands]:
    x, weight = required(ins[0]), required(ins[1])
    return _last(out), (_last(x), _weights(weight, *layer.kernel, weight.shape[1], out.shape[1]))


def _conv_macs(layer: ir.Conv, out: Shape, shapes: Shapes) -> int:
    return prod(out) * prod(shape_of(shapes, 1)[1:])


register(
    ir.Conv,
    LayerRecord(
        instruction=isa.Conv,
        axis_order=AxisOrder.CHANNELS_LAST,
        constant_order=_conv_weights,
        lane_axis=_channel_lanes,
        uncut_axes=_any_cut,
        chunk_axes=lambda layer, shapes: {0: 1, 1: 1},
        work_operands=_conv_operands,
        macs=_conv_macs,
    ),
)


def _transposed_weights(slot: int, rank: int) -> Axes:
    """Weights nest K…, IC, OC, which is another order of axes than that of a convolution."""
    return (*range(2, rank), 0, 1) if slot == 1 else identity_order(rank)


def _transposed_operands(layer: ir.ConvTranspose, out: Operand, ins: Operands) -> tuple[Operand, Operands]:
    x, weight = required(ins[0]), required(ins[1])
    depth = x.shape[1] // layer.groups * layer.groups
    return _last(out), (_last(x), _weights(weight, *layer.kernel, depth, out.shape[1] // layer.groups))


def _transposed_macs(layer: ir.ConvTranspose, out: Shape, shapes: Shapes) -> int:
    return prod(shape_of(shapes, 0)) * prod(shape_of(shapes, 1)[1:])


register(
    ir.ConvTranspose,
    LayerRecord(
        instruction=isa.ConvTranspose,
        axis_order=AxisOrder.CHANNELS_LAST,
        constant_order=_transposed_weights,
        lane_axis=_channel_lanes,
        uncut_axes=_any_cut,
        chunk_axes=lambda layer, shapes: {0: 1, 1: 0},
        work_operands=_transposed_operands,
        macs=_transposed_macs,
    ),
)


def _chunks_of_products(layer: ir.Layer, shapes: Shapes) -> dict[int, int]:
    return {0: len(shape_of(shapes, 0)) - 1, 1: len(shape_of(shapes, 1)) - 2}


_matrix_product = partial(
    LayerRecord,
    axis_order=AxisOrder.ROW_MAJOR,
    constant_order=_row_major,
    lane_axis=lambda rank: rank - 1,
    uncut_axes=_any_cut,
    work_operands=_as_tensors,
    macs=lambda layer, out, shapes: prod(out) * shape_of(shapes, 0)[-1],
)
register(ir.MatMul, _matrix_product(instruction=isa.Gemm, chunk_axes=_chunks_of_products))
register(ir.BlockMatMul, _matrix_product(instruction=isa.BlockGemm, chunk_axes=_no_chunks))

# --- the vector unit ---------------------------------------------------------------------------------------


def _folded_axis(layer: ir.Reduce, shapes: Shapes) -> dict[int, int]:
    if layer.function in (ReduceFunction.LOG_SUM_EXP, ReduceFunction.LOG_SUM):
        return {}
    shape = shape_of(shapes, 0)
    order = channels_last(len(shape))
    return {0: min(layer.axes, key=lambda axis: (shape[axis] == 1, order.index(axis)))}


def _gathered_rows(layer: ir.Gather, shapes: Shapes) -> Axes:
    """What a row of the table holds, where the DMA engine gathers rows."""
    rows, index = len(shape_of(shapes, 0)), len(shape_of(shapes, 1))
    return tuple(range(index, index + rows - 1)) if layer.axis == 0 else ()


register(
    ir.Pool,
    vector_layer(
        instruction=isa.Pool,
        axis_order=AxisOrder.CHANNELS_LAST,
        uncut_axes=_any_cut,
        work_operands=_windows,
    ),
)
register(
    ir.Elementwise,
    vector_layer(
        instruction=isa.Elementwise,
        axis_order=AxisOrder.PASSES,
        constant_order=_channels_last,
        uncut_axes=_any_cut,
    ),
)
register(
    ir.Reduce,
    vector_layer(
        instruction=isa.Reduce,
        axis_order=AxisOrder.FOLLOWS,
        uncut_axes=_any_cut,
        chunk_axes=_folded_axis,
    ),
)
whole_axes_layer = partial(vector_layer, uncut_axes=lambda layer, shapes: layer.whole_axes)
"""A kind of ``ir.WholeAxes``."""

for _kind in ir.ALONG_AXIS:
    register(_kind, whole_axes_layer(instruction=INSTRUCTIONS[_kind.kind], axis_order=AxisOrder.FOLLOWS))
register(
    ir.Normalise,
    whole_axes_layer(instruction=isa.Normalise, axis_order=AxisOrder.FOLLOWS, constant_order=_channels_last),
)
register(
    ir.LocalResponseNorm,
    whole_axes_layer(instruction=isa.LocalResponseNorm, axis_order=AxisOrder.CHANNELS_LAST),
)
register(
    ir.Recurrence,
    vector_layer(
        instruction=isa.Recurrence,
        axis_order=AxisOrder.ROW_MAJOR,
        uncut_axes=lambda layer, shapes: (0, 2),
        macs=lambda layer, out, shapes: prod(shape_of(shapes, 0)) * shape_of(shapes, 1)[0],
    ),
)
register(ir.Resize, vector_layer(instruction=isa.Resize, axis_order=AxisOrder.PASSES, uncut_axes=_any_cut))
register(ir.Pad, vector_layer(instruction=isa.Pad, axis_order=AxisOrder.PASSES, uncut_axes=_any_cut))
register(ir.Fill, vector_layer(instruction=isa.Fill, axis_order=AxisOrder.FOLLOWS, uncut_axes=_any_cut))
register(ir.Copy, vector_layer(instruction=isa.Copy, axis_order=AxisOrder.PASSES, uncut_axes=_any_cut))
register(
    ir.Gather,
    vector_layer(instruction=isa.Gather, axis_order=AxisOrder.ROW_MAJOR, uncut_axes=_gathered_rows),
)
register(
    ir.GatherElements,
    vector_layer(instruction=isa.GatherElements, axis_order=AxisOrder.FOLLOWS, uncut_axes=_any_cut),
)
register(
    ir.Scatter,
    vector_layer(
        instruction=isa.Scatter,
        axis_order=AxisOrder.FOLLOWS,
        uncut_axes=lambda layer, shapes: (layer.axis,),
    ),
)

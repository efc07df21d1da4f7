"""Inference rules of the layers that compute."""

from __future__ import annotations

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.inference.table import (
    Given,
    Operands,
    Shape,
    check_rank,
    common_shape,
    first_operand,
    misfit,
    rule,
)
from nnc.compiler.ir.required import required
from nnc.compiler.ir.windows import window_reach
from nnc.isa.functions import Result
from nnc.isa.instruction import Phase
from nnc.isa.instructions.shape_checks import QUANTISED_TYPES
from nnc.isa.types import DType


def _second(layer: ir.Layer, operands: Operands) -> TensorType:
    second = operands[1] if len(operands) > 1 else None
    if second is None:
        raise misfit(layer, f"operand {layer.slots[1]} is missing")
    return second


# --- products ----------------------------------------------------------------------------------------------


_FINAL = (Phase.WHOLE, Phase.FINISH)
_OF_QUANTISED = {DType.I8, DType.U8, DType.I32, DType.F32}
"""Types of results of layers that work on quantised integers."""


def _given(layer: ir.Layer, given: Given, x: DType) -> DType:
    """The type of the result of a layer on quantised integers, which it does not say."""
    dtype = given.dtype or x
    if dtype not in _OF_QUANTISED:
        raise misfit(layer, f"a result of {dtype.value} of quantised integers")
    return dtype


def _of_products(layer: ir.MacLayer, operands: Operands, given: Given) -> DType:
    """Element type of a result, or of partial sums; products of 8-bit integers are of any two such types."""
    x, weight = first_operand(operands).dtype, _second(layer, operands).dtype
    if x not in QUANTISED_TYPES:
        return x
    if weight not in QUANTISED_TYPES:
        raise misfit(layer, f"{x.value} times {weight.value}")
    return _given(layer, given, x)


def _accumulated(layer: ir.MacLayer | ir.Reduce, operands: Operands, result: TensorType) -> TensorType:
    """The type of a result that may be a partial sum; checks the accumulator that it continues."""
    sums = operands[-1] if len(operands) == len(layer.slots) else None
    phase = layer.phase
    partial = TensorType(layer.partial_type(first_operand(operands).dtype), result.shape)
    continues = phase in (Phase.ADD, Phase.FINISH)
    if continues != (sums is not None):
        raise misfit(layer, f"phase {phase.value} with{'out' if continues else ''} an accumulator")
    if sums is not None and sums != partial:
        raise misfit(layer, f"the accumulator is {sums}, not {partial}")
    return partial if phase in (Phase.START, Phase.ADD) else result


def _epilogue(layer: ir.MacLayer, operands: Operands, result: TensorType, channel: int) -> TensorType:
    bias, residual, scale = (*operands[2:5], None, None, None)[:3]
    if bias is not None and bias.shape != (result.shape[channel],):
        vector_only = isinstance(layer, ir.SpatialMacLayer)
        if vector_only or common_shape(layer, [bias.shape, result.shape]) != result.shape:
            raise misfit(layer, f"a bias of shape {bias.shape} for the result {result}")
    if residual is not None and residual.shape != result.shape:
        raise misfit(layer, f"a residual of shape {residual.shape} for the result {result}")
    if scale is not None and (
        scale.dtype is not DType.F32 or scale.shape not in ((1,), (result.shape[channel],))
    ):
        raise misfit(layer, f"a scale {scale} for the result {result}")
    return _accumulated(layer, operands, result)


def _spatial(layer: ir.SpatialMacLayer | ir.Pool, x: TensorType) -> None:
    rank = len(x.shape) - 2
    for name in ("kernel", "stride", "dilation", "pad_begin", "pad_end"):
        check_rank(layer, name, getattr(layer, name), rank)


def _positions(layer: ir.Conv | ir.Pool, x: Shape, *, ceil: bool) -> Shape:
    """Window positions per spatial axis; with `ceil` a partial last one counts if it starts inside.

    A tile of a layer with `ceil` may be that partial window alone.
    """
    counts = []
    reaches = window_reach(layer.kernel, layer.dilation)
    axes = zip(x[2:], reaches, layer.stride, layer.pad_begin, layer.pad_end, strict=True)
    for extent, reach, stride, begin, end in axes:
        room = extent + begin + end - reach
        count = room // stride + 1
        if ceil and room % stride and count * stride < extent + begin:
            count += 1
        if count < 1:
            raise misfit(layer, f"a window of {reach} does not fit {extent} elements padded {begin}/{end}")
        counts.append(count)
    return tuple(counts)


@rule(ir.Conv)
def _conv(layer: ir.Conv, operands: Operands, given: Given) -> TensorType:
    x, weight = first_operand(operands), _second(layer, operands)
    _spatial(layer, x)
    channels = weight.shape[0]
    if weight.shape != (channels, x.shape[1] // layer.groups, *layer.kernel) or x.shape[1] % layer.groups:
        raise misfit(layer, f"weight {weight} for {x} in {layer.groups} groups")
    if channels % layer.groups:
        raise misfit(layer, f"{channels} channels in {layer.groups} groups")
    shape = (x.shape[0], channels, *_positions(layer, x.shape, ceil=False))
    return _epilogue(layer, operands, TensorType(_of_products(layer, operands, given), shape), 1)


@rule(ir.ConvTranspose)
def _conv_transpose(layer: ir.ConvTranspose, operands: Operands, given: Given) -> TensorType:
    x, weight = first_operand(operands), _second(layer, operands)
    _spatial(layer, x)
    if weight.shape != (x.shape[1], weight.shape[1], *layer.kernel) or x.shape[1] % layer.groups:
        raise misfit(layer, f"weight {weight} for {x} in {layer.groups} groups")
    reaches = window_reach(layer.kernel, layer.dilation)
    axes = zip(x.shape[2:], reaches, layer.stride, layer.pad_begin, layer.pad_end, strict=True)
    spatial = ((extent - 1) * stride + reach - begin - end for extent, reach, stride, begin, end in axes)
    shape = (x.shape[0], weight.shape[1] * layer.groups, *spatial)
    return _epilogue(layer, operands, TensorType(_of_products(layer, operands, given), shape), 1)


@rule(ir.MatMul)
def _matmul(layer: ir.MatMul, operands: Operands, given: Given) -> TensorType:
    x, weight = first_operand(operands), _second(layer, operands)
    if min(len(x.shape), len(weight.shape)) < 2 or x.shape[-1] != weight.shape[-2]:
        raise misfit(layer, f"{x} times {weight}")
    batch = common_shape(layer, [x.shape[:-2], weight.shape[:-2]])
    result = TensorType(_of_products(layer, operands, given), (*batch, x.shape[-2], weight.shape[-1]))
    return _epilogue(layer, operands, result, len(result.shape) - 1)


@rule(ir.BlockMatMul)
def _block_matmul(layer: ir.BlockMatMul, operands: Operands, given: Given) -> TensorType:
    x, weight = first_operand(operands), _second(layer, operands)
    if (
        weight.dtype is not DType.U8
        or len(weight.shape) != 2
        or len(x.shape) < 2
        or any(layer.format.errors())
    ):
        raise misfit(layer, f"{x} times blocks of weights in {weight}")
    if weight.shape[0] != layer.format.rows(x.shape[-1]):
        raise misfit(layer, f"{x} times {weight.shape[0]} bytes of weights")
    if x.dtype not in (DType.F16, DType.F32):
        raise misfit(layer, f"blocks of weights times {x.dtype.value}")
    result = TensorType(x.dtype, (*x.shape[:-1], weight.shape[1]))
    return _epilogue(layer, operands, result, len(result.shape) - 1)


# --- layers of the vector unit -----------------------------------------------------------------------------


@rule(ir.Pool)
def _pool(layer: ir.Pool, operands: Operands, given: Given) -> TensorType:
    x = first_operand(operands)
    _spatial(layer, x)
    dtype = _given(layer, given, x.dtype) if layer.src_scale else x.dtype
    return TensorType(dtype, (*x.shape[:2], *_positions(layer, x.shape, ceil=layer.ceil)))


@rule(ir.Elementwise)
def _elementwise(layer: ir.Elementwise, operands: Operands, given: Given) -> TensorType:
    present = [operand for operand in operands if operand is not None]
    shape = common_shape(layer, [operand.shape for operand in present])
    if layer.src_scales and len(layer.src_scales) != len(present):
        raise misfit(layer, f"{len(layer.src_scales)} scales for {len(present)} operands")
    if layer.src_scales and layer.function.record.result is not Result.BOOL:
        return TensorType(_given(layer, given, present[0].dtype), shape)
    match layer.function.record.result:
        case Result.BOOL:
            return TensorType(DType.BOOL, shape)
        case Result.GIVEN:
            if given.dtype is None:
                raise misfit(layer, "the element type of a conversion is not given")
            return TensorType(given.dtype, shape)
        case Result.SECOND:
            return TensorType(present[1].dtype, shape)
        case Result.FIRST:
            return TensorType(present[0].dtype, shape)


@rule(ir.Reduce)
def _reduce(layer: ir.Reduce, operands: Operands, given: Given) -> TensorType:
    x = first_operand(operands)
    if any(not 0 <= axis < len(x.shape) for axis in layer.axes):
        raise misfit(layer, f"axes {layer.axes} of {x}")
    shape = tuple(1 if axis in layer.axes else extent for axis, extent in enumerate(x.shape))
    dtype = _given(layer, given, x.dtype) if layer.src_scale and layer.phase in _FINAL else x.dtype
    return _accumulated(layer, operands, TensorType(dtype, shape))


@rule(*ir.WHOLE_AXES)
def _whole_axes(layer: ir.WholeAxes, operands: Operands, given: Given) -> TensorType:
    x = first_operand(operands)
    if any(not 0 <= axis < len(x.shape) for axis in layer.whole_axes):
        raise misfit(layer, f"axes {layer.whole_axes} of {x}")
    for operand in operands[1:]:
        if operand is not None and common_shape(layer, [x.shape, operand.shape]) != x.shape:
            raise misfit(layer, f"scale or bias {operand} for {x}")
    folded = layer.folded_extent
    shape = tuple(
        extent if folded is None or axis not in layer.whole_axes else folded
        for axis, extent in enumerate(x.shape)
    )
    is_quantised = isinstance(layer, ir.Softmax | ir.Normalise) and layer.src_scale
    return TensorType(_given(layer, given, x.dtype) if is_quantised else layer.result or x.dtype, shape)


@rule(ir.Recurrence)
def _recurrence(layer: ir.Recurrence, operands: Operands, given: Given) -> TensorType:
    x = first_operand(operands)
    check_rank(layer, "x", x.shape, 3)
    steps, batch, columns = x.shape
    hidden = columns // layer.cell.gates
    states = TensorType(x.dtype, (batch, hidden))
    expected = (TensorType(x.dtype, (hidden, columns)), TensorType(x.dtype, (hidden,)), states, states)
    if not x.dtype.is_float or any(
        operand not in (None, own) for operand, own in zip(operands[1:], expected, strict=False)
    ):
        raise misfit(layer, f"{layer.cell.value} of {x} with {', '.join(map(str, operands[1:]))}")
    return TensorType(x.dtype, (layer.rows(steps), batch, hidden))


@rule(ir.Fill)
def _fill(layer: ir.Fill, operands: Operands, given: Given) -> TensorType:
    return TensorType(layer.dtype, layer.shape)


@rule(ir.Copy)
def _copy(layer: ir.Copy, operands: Operands, given: Given) -> TensorType:
    return first_operand(operands)


def _interpolated(layer: ir.Resize | ir.Pad, x: TensorType, whole: Shape, given: Given) -> TensorType:
    """The result of a whole layer, or of a tile that lies at `origin` of it and reads at `src_origin`."""
    shape = whole if given.tile is None else given.tile
    for name in ("origin", "src_origin", "src_extent"):
        check_rank(layer, name, getattr(layer, name), len(whole))
    check_rank(layer, "the operand", x.shape, len(whole))
    check_rank(layer, "the result", shape, len(whole))
    for origin, tile, extent in (
        (layer.origin, shape, whole),
        (layer.src_origin, x.shape, layer.src_extent),
    ):
        if any(a < 0 or a + n > e for a, n, e in zip(origin, tile, extent, strict=True)):
            raise misfit(layer, f"a tile of {tile} at {origin} reaches beyond {extent}")
    if given.tile is None and x.shape != layer.src_extent:
        raise misfit(layer, f"{x} where {layer.src_extent} was said")
    return TensorType(x.dtype, shape)


@rule(ir.Resize)
def _resize(layer: ir.Resize, operands: Operands, given: Given) -> TensorType:
    check_rank(layer, "scales", layer.scales, len(layer.extent))
    return _interpolated(layer, first_operand(operands), layer.extent, given)


@rule(ir.Pad)
def _pad(layer: ir.Pad, operands: Operands, given: Given) -> TensorType:
    axes = zip(layer.src_extent, layer.begin, layer.end, strict=True)
    whole = tuple(extent + begin + end for extent, begin, end in axes)
    return _interpolated(layer, first_operand(operands), whole, given)


@rule(ir.Gather)
def _gather(layer: ir.Gather, operands: Operands, given: Given) -> TensorType:
    data, index = first_operand(operands), _second(layer, operands)
    if not 0 <= layer.axis < len(data.shape) or index.dtype.is_float:
        raise misfit(layer, f"elements {index} along axis {layer.axis} of {data}")
    shape = (*data.shape[: layer.axis], *index.shape, *data.shape[layer.axis + 1 :])
    return TensorType(data.dtype, shape)


@rule(ir.Scatter)
def _scatter(layer: ir.Scatter, operands: Operands, given: Given) -> TensorType:
    data, index = first_operand(operands), _second(layer, operands)
    updates = required(operands[2])
    if not 0 <= layer.axis < len(data.shape) or index.dtype.is_float:
        raise misfit(layer, f"elements {index} along axis {layer.axis} of {data}")
    check_rank(layer, "index", index.shape, len(data.shape))
    count = index.shape[layer.axis]
    expected = (*data.shape[: layer.axis], count, *data.shape[layer.axis + 1 :])
    if updates != TensorType(data.dtype, expected) or any(
        extent not in (1, whole) for extent, whole in zip(index.shape, expected, strict=True)
    ):
        raise misfit(layer, f"updates {updates} at {index} of {data}")
    return data


@rule(ir.GatherElements)
def _gather_elements(layer: ir.GatherElements, operands: Operands, given: Given) -> TensorType:
    data, index = first_operand(operands), _second(layer, operands)
    if not 0 <= layer.axis < len(data.shape) or index.dtype.is_float:
        raise misfit(layer, f"elements {index} along axis {layer.axis} of {data}")
    check_rank(layer, "index", index.shape, len(data.shape))
    pairs = enumerate(zip(index.shape, data.shape, strict=True))
    if any(wanted > extent for axis, (wanted, extent) in pairs if axis != layer.axis):
        raise misfit(layer, f"indices {index} reach beyond {data}")
    return TensorType(data.dtype, index.shape)

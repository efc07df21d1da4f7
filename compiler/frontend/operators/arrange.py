"""Importers of operators that move elements: transpose, slice, split, concat, depth to space, reversal."""

from __future__ import annotations

import numpy as np

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.operators.shaping import (
    reshape_result,
    reshape_step,
    transpose_step,
)
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.storage import identity_order
from nnc.isa.integers import ceil_div


@importer("Transpose")
def transpose(context: OpContext) -> None:
    """Permutation of the axes."""
    x = context.type()
    order = identity_order(len(x.shape))
    perm = context.ints("perm") or order[::-1]
    if tuple(sorted(perm)) != order:
        raise context.invalid("perm is not a permutation of the axes", found=str(list(perm)))
    if perm == order:
        context.rename(context.tensor(0))
    else:
        type_ = TensorType(x.dtype, tuple(x.shape[axis] for axis in perm))
        context.result(ir.Transpose, [context.tensor(0)], type_, perm=perm)


def _slice(context: OpContext, ranges: dict[int, range], slot: int = 0) -> None:
    """Output `slot` takes from each named axis the indices of a range."""
    x = context.type()
    picks = [ranges.get(axis, range(extent)) for axis, extent in enumerate(x.shape)]
    shape = tuple(len(pick) for pick in picks)
    if all(pick == range(extent) for pick, extent in zip(picks, x.shape, strict=True)):
        context.rename(context.tensor(0), slot)
        return
    context.result(
        ir.Slice,
        [context.tensor(0)],
        TensorType(x.dtype, shape),
        slot=slot,
        start=tuple(pick.start for pick in picks),
        step=tuple(pick.step if len(pick) > 1 else 1 for pick in picks),
        shape=shape,
    )


@importer("Slice", constraints=("Starts, ends, axes and steps are known at compile time.",))
def slice_(context: OpContext) -> None:
    """Elements start, start + step … of the named axes; negative starts, ends and steps as in ONNX."""
    x = context.shape()
    starts, ends = context.attribute_or_input("starts", 1), context.attribute_or_input("ends", 2)
    if starts is None or ends is None:
        raise context.invalid("starts and ends are needed")
    axes = context.attribute_or_input("axes", 3)
    axes = tuple(range(len(starts))) if axes is None else axes
    steps = context.attribute_or_input("steps", 4) or (1,) * len(starts)
    if not len(starts) == len(ends) == len(axes) == len(steps) or 0 in steps:
        raise context.invalid(
            "starts, ends, axes and steps do not fit", found=f"{starts}, {ends}, {axes}, {steps}"
        )
    context.axes(axes, len(x))
    ranges = {
        axis % len(x): range(*slice(_clamped(start, step, x[axis]), end, step).indices(x[axis]))
        for start, end, axis, step in zip(starts, ends, axes, steps, strict=True)
    }
    _slice(context, ranges)


def _clamped(start: int, step: int, extent: int) -> int:
    """Where a slice starts: backwards from before the first element, Python has nothing, ONNX the first."""
    return max(start, -extent) if step < 0 else start


@importer("Split", constraints=("The sizes are known at compile time.",))
def split(context: OpContext) -> None:
    """Consecutive pieces along an axis, of given or equal sizes."""
    axis = context.axis(context.attribute("axis", 0), len(context.shape()))
    extent, count = context.shape()[axis], context.output_count
    sizes = context.attribute_or_input("split", 1)
    if sizes is None:
        size = ceil_div(extent, count)
        if context.version < 18 and extent % count:
            raise context.invalid("the axis cannot be divided equally", found=f"{extent} into {count}")
        sizes = (*(size for _ in range(count - 1)), extent - size * (count - 1))
    if len(sizes) != count or sum(sizes) != extent or min(sizes) < 0:
        raise context.invalid(
            "the sizes do not fit", found=str(list(sizes)), expected=f"{count} with the sum {extent}"
        )
    start = 0
    for slot, size in enumerate(sizes):
        if context.uses(slot):
            _slice(context, {axis: range(start, start + size)}, slot)
        start += size


def join(context: OpContext, tensors: list[str], axis: int) -> None:
    """Let the output be tensors joined along an axis, which counts from the end if it is negative.

    Raises:
        ModelInvalidError: they differ beside the axis, or there is no such axis.
    """
    types = [context.type_of(tensor) for tensor in tensors]
    first = types[0].shape
    axis = context.axis(axis, len(first))
    for type_ in types:
        if (*type_.shape[:axis], *type_.shape[axis + 1 :]) != (*first[:axis], *first[axis + 1 :]):
            raise context.invalid("operands differ beside the axis", found=", ".join(map(str, types)))
    parts = [tensor for tensor, type_ in zip(tensors, types, strict=True) if type_.shape[axis]]
    if len(parts) == 1:
        context.rename(parts[0])
        return
    total = sum(type_.shape[axis] for type_ in types)
    shape = (*first[:axis], total, *first[axis + 1 :])
    context.result(ir.Concat, parts, TensorType(types[0].dtype, shape), axis=axis)


@importer("Concat")
def concat(context: OpContext) -> None:
    """Join along an axis."""
    tensors = [context.tensor(slot) for slot in range(context.input_count)]
    join(context, tensors, context.attribute("axis", 1))


def _image(context: OpContext) -> tuple[tuple[int, ...], int]:
    shape, block = context.shape(), context.attribute("blocksize", 0)
    if len(shape) != 4 or block < 1:
        raise context.invalid(
            "a 4-D input and a positive blocksize are needed", found=f"{list(shape)}, {block}"
        )
    return shape, block


@importer("DepthToSpace")
def depth_to_space(context: OpContext) -> None:
    """Channels become blocks of pixels, in mode DCR or CRD: reshape, transpose, reshape."""
    (n, c, h, w), block = _image(context)
    if c % (block * block):
        raise context.invalid("channels do not divide into blocks", found=f"{c} channels, blocksize {block}")
    depth = c // (block * block)
    column_first = context.attribute("mode", "DCR") == "DCR"
    apart = (n, block, block, depth, h, w) if column_first else (n, depth, block, block, h, w)
    perm = (0, 3, 4, 1, 5, 2) if column_first else (0, 1, 4, 2, 5, 3)
    tensor = reshape_step(context, "apart", context.tensor(0), apart)
    tensor = transpose_step(context, "moved", tensor, perm)
    reshape_result(context, tensor, (n, depth, h * block, w * block))


@importer("SpaceToDepth")
def space_to_depth(context: OpContext) -> None:
    """Blocks of pixels become channels, in mode DCR or CRD: reshape, transpose, reshape."""
    (n, c, h, w), block = _image(context)
    if h % block or w % block:
        raise context.invalid("pixels do not divide into blocks", found=f"{h} × {w}, blocksize {block}")
    apart = (n, c, h // block, block, w // block, block)
    tensor = reshape_step(context, "apart", context.tensor(0), apart)
    perm = (0, 3, 5, 1, 2, 4) if context.attribute("mode", "DCR") == "DCR" else (0, 1, 3, 5, 2, 4)
    tensor = transpose_step(context, "moved", tensor, perm)
    reshape_result(context, tensor, (n, c * block * block, h // block, w // block))


@importer("ReverseSequence", constraints=("Lengths of run time are within the axis, as ONNX demands.",))
def reverse_sequence(context: OpContext) -> None:
    """For each element of the batch, so many of the first steps in reverse order."""
    x = context.shape()
    batch, time = context.attribute("batch_axis", 1), context.attribute("time_axis", 0)
    if {batch, time} != {0, 1} or len(x) < 2:
        raise context.invalid(
            "batch and time are not the first two axes", found=f"{batch} and {time} of {list(x)}"
        )
    context.expect_shape(1, x[batch])
    lengths = context.value(1)
    if lengths is not None and lengths.size and not (lengths.min() >= 0 and lengths.max() <= x[time]):
        raise context.invalid(
            "a length does not fit the axis", found=str(lengths.tolist()), expected=f"0 … {x[time]}"
        )
    make = Expansion(context)
    if lengths is not None and len({*lengths.tolist()}) == 1:
        count = int(lengths[0])
        parts = [make.slice(context.tensor(0), time, count - 1, -x[time] - 1, -1)] if count else []
        if count < x[time]:
            parts.append(make.slice(context.tensor(0), time, count, x[time]))
        make.define(0, make.concat(parts, time))
        return
    step = make.constant(np.arange(x[time], dtype=np.int64)[None])
    length = make.reshape(context.tensor(1), x[batch], 1)
    last = make("Sub", length, make.constant(np.array(1, np.int64)))
    source = make("Where", make("Less", step, length), make("Sub", last, step), step)
    places = make.reshape(source, x[batch], x[time], 1)
    turn = (batch, time, *range(2, len(x)))
    rows = make("GatherND", make.transpose(context.tensor(0), *turn), places, batch_dims=1)
    make.define(0, make.transpose(rows, *turn))

"""Verifier, part 1b: do the operands of an instruction fit together, so that no kernel can index outside?

One generator per instruction class, found by a table that the decorator fills; it yields what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import numpy as np

from nnc.isa.functions import PadMode, Result, is_unary
from nnc.isa.instruction import Instruction, Phase
from nnc.isa.instructions import (
    ALONG_AXIS,
    AlongAxis,
    Broadcast,
    Conv,
    ConvTranspose,
    Copy,
    Elementwise,
    Fill,
    Gather,
    GatherElements,
    Gemm,
    Load,
    LoadRows,
    LocalResponseNorm,
    MacInstruction,
    Normalise,
    Pad,
    Pool,
    Reduce,
    Resize,
    Store,
)
from nnc.isa.operand import Operand
from nnc.isa.resample import Indices, pad_indices, resize_taps
from nnc.isa.types import DType

Shape = tuple[int, ...]
RULES: dict[type[Instruction], Callable[[Any], Iterable[str]]] = {}
RuleT = TypeVar("RuleT", bound=Callable[..., Iterable[str]])
_INDEX_TYPES = (DType.I8, DType.U8, DType.I16, DType.U16, DType.I32, DType.U32, DType.I64, DType.U64)


def shape_errors(instruction: Instruction) -> Iterable[str]:
    """What does not fit in the operands and attributes of an instruction (nothing for a sound one)."""
    return RULES[type(instruction)](instruction)


def _rule(*classes: type[Instruction]) -> Callable[[RuleT], RuleT]:
    def register(function: RuleT) -> RuleT:
        for cls in classes:
            RULES[cls] = function
        return function

    return register


def _equal(what: str, found: object, expected: object) -> Iterator[str]:
    if found != expected:
        yield f"{what} is {found}, expected {expected}"


def _broadcasts(name: str, block: Operand | None, shape: Shape) -> Iterator[str]:
    if block is None:
        return
    tail = shape[len(shape) - len(block.shape) :]
    if len(block.shape) > len(shape) or any(a not in (1, b) for a, b in zip(block.shape, tail, strict=True)):
        yield f"{name} of shape {block.shape} does not broadcast to {shape}"


def _per_axis(rank: int, least: int | None, **lists: tuple[int, ...]) -> Iterator[str]:
    """Attributes with one value per axis, each at least `least`."""
    for name, values in lists.items():
        if len(values) != rank or (least is not None and any(value < least for value in values)):
            bound = "" if least is None else f" ≥ {least}"
            yield f"{name} is {values}, expected {rank} values{bound}"


@_rule(Load, Broadcast, Store, Copy)
def _same_block(i: Load | Broadcast | Store | Copy) -> Iterator[str]:
    yield from _equal("dst shape", i.dst.shape, i.src.shape)
    yield from _equal("dst type", i.dst.dtype, i.src.dtype)


@_rule(Fill)
def _fill(i: Fill) -> Iterable[str]:
    return ()


@_rule(LoadRows)
def _load_rows(i: LoadRows) -> Iterator[str]:
    if len(i.index.shape) != 1 or i.index.dtype not in _INDEX_TYPES:
        yield f"index is {i.index}, expected a vector of integers"
    elif not i.src.shape:
        yield "src is a scalar, expected a table of rows"
    else:
        yield from _equal("dst shape", i.dst.shape, i.index.shape + i.src.shape[1:])
    yield from _equal("dst type", i.dst.dtype, i.src.dtype)


def _phase(i: MacInstruction | Reduce) -> Iterator[str]:
    """Which of dst and accumulator a phase has, and that they agree."""
    if (i.dst is None) != (i.phase in (Phase.START, Phase.ADD)):
        yield f"phase {i.phase.value} {'lacks' if i.dst is None else 'has'} a dst"
    if (i.accumulator is None) != (i.phase is Phase.WHOLE):
        yield f"phase {i.phase.value} {'lacks' if i.accumulator is None else 'has'} an accumulator"
    if i.accumulator is not None and i.dst is not None:
        yield from _equal("accumulator shape", i.accumulator.shape, i.dst.shape)


def _epilogue(i: MacInstruction, shape: Shape) -> Iterator[str]:
    if i.src.dtype.is_float != i.weight.dtype.is_float:
        yield f"src is {i.src.dtype.value} but weight is {i.weight.dtype.value}"
    if i.accumulator is not None and i.accumulator.dtype not in (DType.F32, DType.I32):
        yield f"accumulator is {i.accumulator.dtype.value}, expected f32 or i32"
    if i.phase in (Phase.START, Phase.ADD):
        for name in ("bias", "residual", "scale"):
            if getattr(i, name) is not None:
                yield f"{name} belongs to the epilogue; phase {i.phase.value} has none"
        return
    if not is_unary(i.act) or i.act.record.result is not Result.FIRST:
        yield f"act is {i.act.value}, expected a unary function that keeps the type"
    yield from _broadcasts("bias", i.bias, shape)
    yield from _broadcasts("scale", i.scale, shape)
    if i.residual is not None:
        yield from _equal("residual shape", i.residual.shape, shape)


def _result(i: MacInstruction | Reduce) -> Operand | None:
    return i.dst if i.dst is not None else i.accumulator


@_rule(Conv, ConvTranspose)
def _conv(i: Conv | ConvTranspose) -> Iterator[str]:
    yield from _phase(i)
    out = _result(i)
    if out is None:
        return
    rank = len(i.src.shape)
    if rank < 3 or len(i.weight.shape) != rank or len(out.shape) != rank:
        yield f"src {i.src.shape}, weight {i.weight.shape}, dst {out.shape}: expected one rank, 3 or more"
        return
    yield from _per_axis(rank - 2, 1, stride=i.stride, dilation=i.dilation)
    transposed = isinstance(i, ConvTranspose)
    yield from _per_axis(rank - 2, None if transposed else 0, pad_begin=i.pad_begin)
    if i.groups < 1:
        yield f"groups is {i.groups}"
        return
    into, outof = (1, i.groups) if transposed else (i.groups, 1)
    yield from _equal("input channels of src", i.src.shape[-1], i.weight.shape[-2] * into)
    yield from _equal("output channels of dst", out.shape[-1], i.weight.shape[-1] * outof)
    if i.weight.shape[-2 if transposed else -1] % i.groups:
        yield f"channels of weight {i.weight.shape} are no multiple of {i.groups} groups"
    yield from _equal("batch of dst", out.shape[0], i.src.shape[0])
    yield from _epilogue(i, out.shape)


@_rule(Gemm)
def _gemm(i: Gemm) -> Iterator[str]:
    yield from _phase(i)
    out = _result(i)
    if out is None:
        return
    src, weight = i.src.shape, i.weight.shape
    if min(len(src), len(weight)) < 2:
        yield f"src {src}, weight {weight}: expected rank 2 or more"
        return
    yield from _equal("K of weight", weight[-2], src[-1])
    try:
        batch = np.broadcast_shapes(src[:-2], weight[:-2])
    except ValueError:
        yield f"batch axes of src {src} and weight {weight} do not broadcast"
        return
    yield from _equal("dst shape", out.shape, (*batch, src[-2], weight[-1]))
    yield from _epilogue(i, out.shape)


@_rule(Pool)
def _pool(i: Pool) -> Iterator[str]:
    rank = len(i.src.shape)
    if rank < 3 or len(i.dst.shape) != rank:
        yield f"src {i.src.shape}, dst {i.dst.shape}: expected one rank, 3 or more"
        return
    yield from _per_axis(rank - 2, 1, kernel=i.kernel, stride=i.stride, dilation=i.dilation)
    yield from _per_axis(rank - 2, 0, pad_begin=i.pad_begin, pad_end=i.pad_end)
    yield from _equal("batch of dst", i.dst.shape[0], i.src.shape[0])
    yield from _equal("channels of dst", i.dst.shape[-1], i.src.shape[-1])


@_rule(Elementwise)
def _elementwise(i: Elementwise) -> Iterator[str]:
    least, most = i.function.record.sources
    count = len(i.srcs) + (len(i.srcs) == 1 and least == 2 and bool(i.params))
    if count < least or (most is not None and count > most):
        expected = f"{least}" if most == least else f"{least} or more"
        yield f"{i.function.value} has {len(i.srcs)} sources, expected {expected}"
    for number, source in enumerate(i.srcs):
        yield from _broadcasts(f"source {number}", source, i.dst.shape)


def _axes(axes: tuple[int, ...], rank: int) -> Iterator[str]:
    if any(not -rank <= axis < rank for axis in axes) or len({axis % rank for axis in axes}) != len(axes):
        yield f"axes {axes} are not distinct axes of rank {rank}"


@_rule(Reduce)
def _reduce(i: Reduce) -> Iterator[str]:
    yield from _phase(i)
    rank = len(i.src.shape)
    wrong = list(_axes(i.axes, rank)) if rank else ["src is a scalar"]
    yield from wrong
    out = _result(i)
    if out is None or wrong:
        return
    folded = {axis % rank for axis in i.axes}
    expected = tuple(1 if axis in folded else extent for axis, extent in enumerate(i.src.shape))
    yield from _equal("dst shape", out.shape, expected)


@_rule(*ALONG_AXIS)
def _along_axis(i: AlongAxis) -> Iterator[str]:
    rank = len(i.src.shape)
    wrong = list(_axes((i.axis,), rank or 1))
    yield from wrong
    if wrong:
        return
    folded = (i.axis % (rank or 1),) if i.folds else ()
    expected = tuple(1 if axis in folded else extent for axis, extent in enumerate(i.src.shape))
    yield from _equal("dst shape", i.dst.shape, expected)


@_rule(Normalise)
def _normalise(i: Normalise) -> Iterator[str]:
    yield from _equal("dst shape", i.dst.shape, i.src.shape)
    yield from _axes(i.axes, len(i.src.shape) or 1)
    yield from _broadcasts("scale", i.scale, i.dst.shape)
    yield from _broadcasts("bias", i.bias, i.dst.shape)


@_rule(LocalResponseNorm)
def _local_response_norm(i: LocalResponseNorm) -> Iterator[str]:
    yield from _equal("dst shape", i.dst.shape, i.src.shape)
    if i.size < 1:
        yield f"size is {i.size}, expected 1 or more"


def _inside(name: str, shape: Shape, origin: Shape, extent: Shape) -> Iterator[str]:
    if any(o < 0 or o + n > e for n, o, e in zip(shape, origin, extent, strict=True)):
        yield f"{name} tile {shape} at {origin} leaves the whole tensor {extent}"


def _holds(axis: int, needed: Indices, i: Resize | Pad) -> Iterator[str]:
    """Does the tile of the source hold the positions of the whole source that the result needs?"""
    low, high = i.src_origin[axis], i.src_origin[axis] + i.src.shape[axis]
    if len(needed) and (needed.min() < low or needed.max() >= high):
        yield f"axis {axis} needs elements {needed.min()} … {needed.max()}, src has {low} … {high - 1}"


@_rule(Resize)
def _resize(i: Resize) -> Iterator[str]:
    rank = len(i.src.shape)
    wrong = list(_equal("rank of dst", len(i.dst.shape), rank))
    wrong += _per_axis(rank, 1, extent=i.extent, src_extent=i.src_extent)
    wrong += _per_axis(rank, 0, origin=i.origin, src_origin=i.src_origin)
    if len(i.scales) != rank or any(scale <= 0 for scale in i.scales):
        wrong.append(f"scales are {i.scales}, expected {rank} positive values")
    yield from wrong
    if wrong:
        return
    yield from _inside("dst", i.dst.shape, i.origin, i.extent)
    yield from _inside("src", i.src.shape, i.src_origin, i.src_extent)
    for axis in range(rank):
        yield from _holds(axis, _resize_sources(i, axis), i)


def _resize_sources(i: Resize, axis: int) -> Indices:
    """The positions of the whole source that the result needs along an axis."""
    positions = np.arange(i.origin[axis], i.origin[axis] + i.dst.shape[axis], dtype=np.int64)
    return np.concatenate(resize_taps(i, axis, positions))


@_rule(Pad)
def _pad(i: Pad) -> Iterator[str]:
    rank = len(i.src.shape)
    wrong = list(_equal("rank of dst", len(i.dst.shape), rank))
    wrong += _per_axis(rank, None, begin=i.begin)
    wrong += _per_axis(rank, 0, origin=i.origin, src_origin=i.src_origin)
    wrong += _per_axis(rank, 1, src_extent=i.src_extent)
    yield from wrong
    if wrong:
        return
    yield from _inside("src", i.src.shape, i.src_origin, i.src_extent)
    for axis in range(rank):
        yield from _holds(axis, _pad_sources(i, axis), i)


def _pad_sources(i: Pad, axis: int) -> Indices:
    """The positions of the whole source that the result needs along an axis."""
    extent = i.src_extent[axis]
    position = np.arange(i.dst.shape[axis], dtype=np.int64) + (i.origin[axis] - i.begin[axis])
    if i.mode is PadMode.CONSTANT:
        return position[(position >= 0) & (position < extent)]
    return pad_indices(i.mode, extent, position)


@_rule(Gather)
def _gather(i: Gather) -> Iterator[str]:
    rank = len(i.src.shape)
    if not -rank <= i.axis < rank:
        yield f"axis {i.axis} is none of src {i.src.shape}"
        return
    axis = i.axis % rank
    yield from _equal("dst shape", i.dst.shape, i.src.shape[:axis] + i.index.shape + i.src.shape[axis + 1 :])
    yield from _equal("dst type", i.dst.dtype, i.src.dtype)
    yield from _integers(i.index)
    yield from _inside("src", (i.src.shape[axis],), (i.src_origin,), (i.extent,))


@_rule(GatherElements)
def _gather_elements(i: GatherElements) -> Iterator[str]:
    rank = len(i.src.shape)
    if not -rank <= i.axis < rank:
        yield f"axis {i.axis} is none of src {i.src.shape}"
        return
    yield from _equal("index shape", i.index.shape, i.dst.shape)
    yield from _equal("dst type", i.dst.dtype, i.src.dtype)
    yield from _integers(i.index)
    pairs = enumerate(zip(i.dst.shape, i.src.shape, strict=False))
    if len(i.dst.shape) != rank or any(m > n for axis, (m, n) in pairs if axis != i.axis % rank):
        yield f"dst {i.dst.shape} reaches beyond src {i.src.shape}"


def _integers(index: Operand) -> Iterator[str]:
    if index.dtype not in _INDEX_TYPES:
        yield f"index is {index.dtype.value}, expected integers"

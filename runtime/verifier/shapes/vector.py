"""Shapes of pools, functions of elements, folds, normalisations and work along an axis."""

from __future__ import annotations

from collections.abc import Iterator

from nnc.isa.instructions import (
    ALONG_AXIS,
    AlongAxis,
    Elementwise,
    LocalResponseNorm,
    Normalise,
    Pool,
    Reduce,
)
from nnc.runtime.verifier.shapes.rule import (
    broadcasts,
    distinct_axes,
    equal,
    per_axis,
    phase_fits,
    result_of,
    rule,
)


@rule(Pool)
def _pool(i: Pool) -> Iterator[str]:
    rank = len(i.src.shape)
    if rank < 3 or len(i.dst.shape) != rank:
        yield f"src {i.src.shape}, dst {i.dst.shape}: expected one rank, 3 or more"
        return
    yield from per_axis(rank - 2, 1, kernel=i.kernel, stride=i.stride, dilation=i.dilation)
    yield from per_axis(rank - 2, 0, pad_begin=i.pad_begin, pad_end=i.pad_end)
    yield from equal("batch of dst", i.dst.shape[0], i.src.shape[0])
    yield from equal("channels of dst", i.dst.shape[-1], i.src.shape[-1])


@rule(Elementwise)
def _elementwise(i: Elementwise) -> Iterator[str]:
    least, most = i.function.record.sources
    count = len(i.srcs) + (len(i.srcs) == 1 and least == 2 and bool(i.params))
    if count < least or (most is not None and count > most):
        expected = f"{least}" if most == least else f"{least} or more"
        yield f"{i.function.value} has {len(i.srcs)} sources, expected {expected}"
    for number, source in enumerate(i.srcs):
        yield from broadcasts(f"source {number}", source, i.dst.shape)


@rule(Reduce)
def _reduce(i: Reduce) -> Iterator[str]:
    yield from phase_fits(i)
    rank = len(i.src.shape)
    wrong = list(distinct_axes(i.axes, rank)) if rank else ["src is a scalar"]
    yield from wrong
    out = result_of(i)
    if out is None or wrong:
        return
    folded = {axis % rank for axis in i.axes}
    expected = tuple(1 if axis in folded else extent for axis, extent in enumerate(i.src.shape))
    yield from equal("dst shape", out.shape, expected)


@rule(*ALONG_AXIS)
def _along_axis(i: AlongAxis) -> Iterator[str]:
    rank = len(i.src.shape)
    wrong = list(distinct_axes((i.axis,), rank or 1))
    yield from wrong
    if wrong:
        return
    folded = (i.axis % (rank or 1),) if i.folds else ()
    expected = tuple(1 if axis in folded else extent for axis, extent in enumerate(i.src.shape))
    yield from equal("dst shape", i.dst.shape, expected)


@rule(Normalise)
def _normalise(i: Normalise) -> Iterator[str]:
    yield from equal("dst shape", i.dst.shape, i.src.shape)
    yield from distinct_axes(i.axes, len(i.src.shape) or 1)
    yield from broadcasts("scale", i.scale, i.dst.shape)
    yield from broadcasts("bias", i.bias, i.dst.shape)


@rule(LocalResponseNorm)
def _local_response_norm(i: LocalResponseNorm) -> Iterator[str]:
    yield from equal("dst shape", i.dst.shape, i.src.shape)
    if i.size < 1:
        yield f"size is {i.size}, expected 1 or more"

"""Transposed convolution of a tile: one product per kernel tap, added where the tap reaches."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product as combinations
from math import prod

import numpy as np

from nnc.isa.instructions import ConvTranspose
from nnc.runtime.kernels.binding import Binder, Kernel, kernel, sequence
from nnc.runtime.kernels.mac import Index, MacOutput, rows
from nnc.runtime.kernels.products import RealProducts, exact_slices


def tap_ranges(x: int, y: int, stride: int, offset: int) -> tuple[slice, slice] | None:
    """Elements x' of a source axis and their positions x'·stride + offset of a result axis, where inside."""
    first = max(0, -(offset // stride))
    last = min(x - 1, (y - 1 - offset) // stride)
    if first > last:
        return None
    start = first * stride + offset
    return slice(first, last + 1), slice(start, start + (last - first) * stride + 1, stride)


def _taps(i: ConvTranspose, out: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], Index, Index]]:
    """Kernel taps that reach the result: tap, source elements, result positions (spatial axes)."""
    for tap in combinations(*map(range, i.weight.shape[:-2])):
        ranges = [
            tap_ranges(
                i.src.shape[1 + axis], out[1 + axis], i.stride[axis], k * i.dilation[axis] - i.pad_begin[axis]
            )
            for axis, k in enumerate(tap)
        ]
        inner_ranges = [item for item in ranges if item is not None]
        if len(inner_ranges) == len(ranges):
            yield tap, tuple(a for a, _ in inner_ranges), tuple(b for _, b in inner_ranges)


@kernel(ConvTranspose)
def bind_conv_transpose(i: ConvTranspose, binder: Binder) -> Kernel:
    """Transposed convolution with any spatial rank, stride, dilation, cropping and groups.

    The sums grow in place: in dst or the accumulator where their type allows it.
    """
    depth, values = prod(i.weight.shape[:-1]), binder.constant(i.weight)
    of_all = exact_slices(i, depth, None if values is None else values.reshape(depth, -1))
    slices = of_all if len(of_all) == 1 else exact_slices(i, i.weight.shape[-2] // i.groups)
    products = RealProducts(i, slices, binder, exact=len(of_all) == 1)
    output = MacOutput(i, binder, products.sums)
    source = binder.view(i.src)
    src, steps = products.stage_features(source)
    weight, stage = products.stage_weights(binder.view(i.weight))
    steps = output.stage + steps + stage
    matrix = rows(src, src.ndim - 1)
    if matrix is None:
        dense = binder.scratch(src.shape, src.dtype)
        steps.append(partial(np.copyto, dense, src))
        matrix = dense.reshape(-1, src.shape[-1])
    matrix = matrix.reshape(len(matrix), i.groups, -1).transpose(1, 0, 2)
    sums = output.target(())
    steps.append(partial(sums.fill, 0))
    part = binder.scratch((*src.shape[:-1], output.shape[-1]), sums.dtype)
    grouped = part.reshape(matrix.shape[1], i.groups, -1).transpose(1, 0, 2)
    for tap, elements, positions in _taps(i, output.shape):
        lanes = weight[tap].reshape(i.groups, -1, weight.shape[-1])
        steps += products.steps(matrix, lanes, grouped)
        grown = sums[(slice(None), *positions)]
        steps.append(partial(np.add, grown, part[(slice(None), *elements)], grown))
    return sequence(steps + output.finish(sums, ()))

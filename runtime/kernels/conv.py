"""Convolution of a tile: windows are gathered into a matrix block by block, BLAS multiplies, the epilogue
follows while the block is in cache.  Depthwise tiles have their own kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from math import prod

import numpy as np

from nnc.isa.instructions import Conv
from nnc.isa.integers import ceil_div
from nnc.runtime.kernels import kept_windows
from nnc.runtime.kernels.binding import Binder, Kernel, kernel, sequence
from nnc.runtime.kernels.depthwise import bind_depthwise
from nnc.runtime.kernels.mac import (
    DType,
    Index,
    MacOutput,
    rows,
)
from nnc.runtime.kernels.products import Products, RealProducts, byte_products, exact_slices
from nnc.runtime.memory import Array, strided

_BLOCK_BYTES = 2**20
"""Size of the gathered window matrix: small enough for the cache of one core of the host."""
_DEPTHWISE_BLOCK_BYTES = 2**18
"""Size of a block of a depthwise result, finished while it is in cache."""


Span = tuple[int, int]
"""Of one axis: where the source begins in the padded source (negative: elements cut off), and its extent."""


def padded(src: Array, spans: list[Span], products: Products, binder: Binder) -> tuple[Array, list[Kernel]]:
    """The source as it is multiplied on the spans of its spatial axes, zeros where it has no elements."""
    inside: Index = (slice(None),)
    needed: Index = (slice(None),)
    for (begin, reach), extent in zip(spans, src.shape[1:-1], strict=True):
        low = min(max(begin, 0), reach)
        high = max(low, min(begin + extent, reach))
        inside = (*inside, slice(low, high))
        needed = (*needed, slice(low - begin, high - begin))
    src = src[needed]
    spatial = tuple(reach for _, reach in spans)
    if src.shape[1:-1] == spatial:
        return products.stage_features(src)
    copy = binder.scratch((src.shape[0], *spatial, src.shape[-1]), products.features)
    steps: list[Kernel] = []
    for axis, reach in enumerate(spatial, start=1):
        for border in (slice(0, inside[axis].start), slice(inside[axis].stop, reach)):
            if border.start < border.stop:
                steps.append(partial(copy[(*inside[:axis], border)].fill, products.border))
    steps.append(products.stage_into(copy[inside], src))
    return copy, steps


def windows(src: Array, i: Conv, out: tuple[int, ...], kernel_shape: tuple[int, ...]) -> Array:
    """A view (N, Y…, K…, C) of a padded source: the elements under the kernel at every position."""
    step = src.strides[1:-1]
    return strided(
        src,
        (src.shape[0], *out, *kernel_shape, src.shape[-1]),
        (
            src.strides[0],
            *(s * n for s, n in zip(step, i.stride, strict=True)),
            *(s * n for s, n in zip(step, i.dilation, strict=True)),
            src.strides[-1],
        ),
    )


def conv_spans(i: Conv, out: tuple[int, ...]) -> list[Span]:
    """The part of the padded source that the result needs, per spatial axis."""
    return [
        (i.pad_begin[axis], (y - 1) * i.stride[axis] + (i.weight.shape[axis] - 1) * i.dilation[axis] + 1)
        for axis, y in enumerate(out)
    ]


def blocks(shape: tuple[int, ...], limit: int) -> Iterator[Index]:
    """Cut the leading axes (N, first spatial) of a result into blocks of about `limit` positions."""
    inner = prod(shape[2:-1])
    if prod(shape[:-1]) <= limit:
        yield (slice(None),)
        return
    count = max(1, limit // inner)
    pieces = ceil_div(shape[1], count)
    bounds = [shape[1] * piece // pieces for piece in range(pieces + 1)]
    for n in range(shape[0]):
        for a, b in pairwise(bounds):
            yield (slice(n, n + 1), slice(a, b))


@kernel(Conv)
def bind_conv(i: Conv, binder: Binder) -> Kernel:
    """Convolution with any spatial rank, stride, dilation, padding and groups."""
    products = _products(i, binder)
    output = MacOutput(i, binder, products.sums)
    weight, steps = products.stage_weights(binder.view(i.weight))
    steps = output.stage + steps
    if _is_depthwise(i):
        view, stage = _windows_of(i, output.shape, products, binder)
        positions = _DEPTHWISE_BLOCK_BYTES // (output.shape[-1] * view.itemsize)
        parts = list(blocks(output.shape, positions))
        return sequence(stage + steps + bind_depthwise(output, view, weight, parts))
    matrix, stage = _weight_matrix(weight, i.groups, binder)
    return sequence(steps + stage + _blocks_of_products(output, i, matrix, products))


def _is_depthwise(i: Conv) -> bool:
    return i.groups > 1 and i.weight.shape[-2] == 1


def _products(i: Conv, binder: Binder) -> Products:
    """How the windows and the weights are multiplied."""
    depth = prod(i.weight.shape[:-1])
    result = i.dst if i.dst is not None else i.accumulator
    if result is not None and not _is_depthwise(i):
        fast = byte_products(i, prod(result.shape) // i.groups * depth, binder)
        if fast is not None:
            return fast
    values = binder.constant(i.weight)
    slices = exact_slices(i, depth, None if values is None else values.reshape(depth, -1))
    return RealProducts(i, slices, binder, exact=len(slices) == 1)


def _windows_of(
    i: Conv, out: tuple[int, ...], products: Products, binder: Binder
) -> tuple[Array, list[Kernel]]:
    """The elements under the kernel at every position of a result (see `windows`), and how to stage them."""
    src, steps = padded(binder.view(i.src), conv_spans(i, out[1:-1]), products, binder)
    return windows(src, i, out[1:-1], i.weight.shape[:-2]), steps


def _weight_matrix(weight: Array, groups: int, binder: Binder) -> tuple[Array, list[Kernel]]:
    """The weights as (groups, K·IC/g, OC/g), copied if their layout does not allow that view."""
    stage: list[Kernel] = []
    flat = rows(weight, weight.ndim - 1)
    if flat is None:
        dense = binder.scratch(weight.shape, weight.dtype)
        stage.append(partial(np.copyto, dense, weight))
        flat = dense.reshape(-1, weight.shape[-1])
    return flat.reshape(len(flat), groups, -1).transpose(1, 0, 2), stage


def _blocks_of_products(output: MacOutput, i: Conv, matrix: Array, products: Products) -> list[Kernel]:
    """Per block of output positions: gather windows, multiply, finish."""
    binder = output.binder
    groups, depth, lanes = matrix.shape
    leading = len(output.shape) - 1
    view, stage = _windows_of(i, output.shape, products, binder)
    is_direct = _is_direct(view, groups, leading)
    width = max(depth, lanes) if is_direct else depth * groups
    indices = list(blocks(output.shape, max(64, _BLOCK_BYTES // (width * view.itemsize))))
    if is_direct:
        windows_of, is_new = [_rows(view[index], leading) for index in indices], True
    else:
        sizes = [(groups, prod(view[index].shape[:leading]), depth) for index in indices]
        windows_of, is_new = _room_for_windows(i, output.shape[:-1], sizes, view.dtype, binder)
    steps = stage if is_new else []
    for index, a in zip(indices, windows_of, strict=True):
        if is_new and not is_direct:
            steps.append(_gather(a, view[index], groups))
        sums = output.target(index, leading)
        flat = rows(sums, leading)
        assert flat is not None
        out = flat.reshape(-1, groups, lanes).transpose(1, 0, 2)
        if groups == 1:
            steps += products.steps(a[0], matrix[0], out[0])
        else:
            steps += products.steps(a, matrix, out)
        steps += output.finish(sums, index)
    return steps


def _rows(block: Array, leading: int) -> Array:
    """A block of direct windows as a matrix (1, positions, C)."""
    matrix = rows(block, 2 * leading - 1)
    assert matrix is not None
    return matrix[np.newaxis]


def _room_for_windows(
    i: Conv, positions: tuple[int, ...], shapes: Sequence[tuple[int, ...]], dtype: DType, binder: Binder
) -> tuple[list[Array], bool]:
    """Matrices of these shapes, and whether their windows must be gathered: maybe the last one left them."""
    sizes = [prod(shape) for shape in shapes]
    if sum(sizes) * dtype.itemsize > kept_windows.MOST_BYTES:
        shared = binder.scratch((max(sizes),), dtype)
        return [shared[:size].reshape(shape) for size, shape in zip(sizes, shapes, strict=True)], True
    fields = (i.src_zero, i.stride, i.dilation, i.pad_begin, i.groups)
    key = (i.src, dtype, *fields, i.weight.shape[:-2], positions)
    return binder.windows.matrices(key, i.src, lambda arena: [arena.take(shape, dtype) for shape in shapes])


def _is_direct(view: Array, groups: int, leading: int) -> bool:
    """Whether the windows are already a matrix in memory, as those of a 1×1 convolution with stride 1."""
    if groups > 1 or prod(view.shape[leading:-1]) > 1:
        return False
    return rows(view, 2 * leading - 1) is not None


def _gather(matrix: Array, block: Array, groups: int) -> Kernel:
    """Copy windows (N, Y…, K…, C) to a matrix (groups, N·Y…, K…·C/groups)."""
    if groups > 1:
        axes = range(block.ndim - 1)
        block = _split_channels(block, groups).transpose(block.ndim - 1, *axes, block.ndim)
    return partial(np.copyto, matrix.reshape(block.shape), block)


def _split_channels(block: Array, groups: int) -> Array:
    """A view (…, groups, C/groups) of (…, C)."""
    each = block.shape[-1] // groups
    step = block.strides[-1]
    return strided(block, (*block.shape[:-1], groups, each), (*block.strides[:-1], each * step, step))

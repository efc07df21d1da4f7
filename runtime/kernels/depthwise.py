"""Depthwise convolution: one sum of products over the kernel taps per channel, without a window matrix.

`numpy.einsum` multiplies and adds in one pass with vector instructions as long as its innermost axis is
long.  With stride 1 along the last spatial axis, positions and channels are together one contiguous axis;
repeating the weights along it once per tile makes that axis innermost.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod
from string import ascii_lowercase

import numpy as np

from nnc.runtime.kernels.binding import Kernel
from nnc.runtime.kernels.mac import Index, MacOutput
from nnc.runtime.memory import Array, strided

_LONG_ENOUGH = 384
"""Channels from which on einsum's inner loop is long enough by itself."""
_FEW_ROWS = 4
"""Rows of a tile under which repeating the weights costs more than it gains."""


def bind_depthwise(output: MacOutput, view: Array, weight: Array, blocks: Sequence[Index]) -> list[Kernel]:
    """Steps for windows (N, Y…, K…, C) and weights (K…, 1, C·m): m results for every channel.

    `blocks` are the blocks of the result to finish one by one.  What is not exact in the type of `view`, the
    output takes in another one: it is summed up in double then.
    """
    spatial = (view.ndim - 2) // 2
    channels = view.shape[-1]
    multiple = weight.shape[-1] // channels
    weight = weight.reshape(*weight.shape[:-2], channels, multiple)
    weight = weight[..., 0] if multiple == 1 else weight
    positions = 1 + spatial
    steps: list[Kernel] = []
    if multiple == 1 and _can_lengthen(view, output.target(blocks[0]), spatial):
        extent = view.shape[spatial]
        repeated = output.binder.scratch((*weight.shape[:-1], extent, channels), weight.dtype)
        steps.append(partial(np.copyto, repeated, weight[..., np.newaxis, :]))
        weight = repeated.reshape(*weight.shape[:-1], extent * channels)
        view = _lengthen(view, spatial)
        positions -= 1
    subscripts = _subscripts(positions, spatial, multiple)
    kind = view.dtype if output.sum_type == view.dtype else np.dtype(np.float64)
    for index in blocks:
        sums = output.target(index)
        part = sums if sums.dtype == kind else output.scratch("part", sums.shape, kind)
        block = view[index]
        result = part.reshape(*block.shape[:positions], *weight.shape[spatial:])
        steps.append(partial(np.einsum, subscripts, block, weight, out=result, dtype=kind))
        if part is not sums:
            steps.append(partial(np.copyto, sums, part, casting="unsafe"))
        steps += output.finish(sums, index)
    return steps


def _subscripts(positions: int, taps: int, multiple: int) -> str:
    """Such as 'abcdef,def->abcf': positions a b c, taps d e, channel f (and the multiple behind it)."""
    p, k = ascii_lowercase[:positions], ascii_lowercase[positions : positions + taps]
    channel, many = "y", "z" if multiple > 1 else ""
    return f"{p}{k}{channel},{k}{channel}{many}->{p}{channel}{many}"


def _can_lengthen(view: Array, sums: Array, spatial: int) -> bool:
    """Whether the last spatial axis and the channels are one contiguous axis, in windows and result."""
    channels = view.shape[-1]
    if spatial < 2 or channels >= _LONG_ENOUGH or prod(view.shape[:spatial]) < _FEW_ROWS:
        return False
    contiguous = all(
        array.strides[axis] == channels * array.strides[-1]
        for array, axis in ((view, spatial), (sums, spatial))
    )
    return contiguous and sums.strides[-1] == sums.itemsize


def _lengthen(view: Array, spatial: int) -> Array:
    """(N, Y…, X, K…, C) as (N, Y…, K…, X·C)."""
    shape, strides = list(view.shape), list(view.strides)
    extent = shape.pop(spatial)
    strides.pop(spatial)
    shape[-1] *= extent
    return strided(view, shape, strides)

"""Weights of 4 or 8 bits in blocks along what a product sums over, each with a scale and maybe a zero point.

A weight w of a block becomes an integer q = clip(rint(w / scale) + zero, 0, 2^bits - 1), that is to nearest,
and stands for (q - zero) · scale.  Of a block's candidates, that one is taken whose squared error is least,
the first of equal ones; they are, for each clipping ratio r = 1 - i / 2^(bits + 1), i = 0 … 16:

    symmetric    zero = 2^(bits - 1), scale = ±r · largest magnitude / (2^(bits - 1) - 1)
    asymmetric   scale = r · (high - low) / (2^bits - 1), zero = z, z - 1 and z + 1 within 0 … 2^bits - 1, and
                 z = rint(-low · (2^bits - 1) / (high - low)); low and high are the block's, or 0 if beyond it

With i = 0 that is scaling by the largest magnitude; with i = 4 and a sign, that becomes -2^(bits - 1).
Scales are rounded to float16 before they are judged, as nnc stores such in two bytes.  If one of a float32
matrix is no normal number of float16, all scales of that matrix stay float32.

onnxruntime's MatMulNBitsQuantizer is not used: it scales by the largest magnitude alone (of normal weights in
blocks of 32, 4 bits have a squared error that is a ninth larger), knows no Gemm, stores a weight that two
products share twice, and needs packages that onnxruntime does not bring along (onnx_ir, ml_dtypes).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.isa.block_weights import bits_in_bytes
from nnc.isa.integers import ceil_div

Array = npt.NDArray[Any]
_RATIOS = 17
_CHUNK = 1 << 16
"""Weights that are judged at a time: what is computed of them stays in the cache."""
_HALF = np.finfo(np.float16)


@dataclass(frozen=True)
class BlockOptions:
    """How weights become integers.

    Attributes:
        bits: of a weight, 4 or 8.
        block: weights with a common scale; a power of two from 16 on.
        symmetric: the zero point is 2^(bits - 1) everywhere; else each block has its own.
    """

    bits: int = 4
    block: int = 32
    symmetric: bool = True


@dataclass(frozen=True)
class BlockWeights:
    """A matrix [K,N] in blocks, as MatMulNBits takes it.

    Attributes:
        integers: u8 [N, blocks, block]; what fills the last block up stands for 0.
        scales: f32 [N, blocks].
        zeros: u8 [N, blocks]; None: 2^(bits - 1).
    """

    bits: int
    integers: Array
    scales: Array
    zeros: Array | None

    def packed(self) -> Array:
        """The integers in bytes, u8 [N, blocks, block · bits / 8], the first in the lowest bits."""
        return bits_in_bytes(self.integers, self.bits)

    def packed_zeros(self) -> Array | None:
        """The zero points in bytes, u8 [N, ceil(blocks · bits / 8)]; None if they are none."""
        return None if self.zeros is None else bits_in_bytes(self.zeros, self.bits)

    def real(self, depth: int) -> Array:
        """What the integers stand for, f32 [K,N] with K = depth."""
        zeros = np.float32(1 << (self.bits - 1)) if self.zeros is None else self.zeros[..., None]
        values: Array = (self.integers.astype(np.float32) - zeros) * self.scales[..., None]
        return values.reshape(len(values), -1)[:, :depth].T


def packed_bytes(depth: int, channels: int, options: BlockOptions, scale_bytes: int) -> int:
    """Bytes of a matrix [K,N] in blocks: integers, scales and zero points."""
    blocks = ceil_div(depth, options.block)
    zeros = 0 if options.symmetric else ceil_div(blocks * options.bits, 8)
    return channels * (blocks * (options.block * options.bits // 8 + scale_bytes) + zeros)


def in_blocks(matrix: Array, options: BlockOptions) -> BlockWeights:
    """A matrix in blocks, as the docstring of the module defines it.

    Args:
        matrix: f32 or f16 [K,N] of finite numbers; of f16, all scales are rounded to float16.
    """
    depth, channels = matrix.shape
    blocks = ceil_div(depth, options.block)
    filled = np.zeros((channels, blocks * options.block), np.float32)
    filled[:, :depth] = matrix.T
    rows = filled.reshape(-1, options.block)
    integers = np.empty(rows.shape, np.uint8)
    scales, zeros = np.empty(len(rows), np.float32), np.empty(len(rows), np.float32)
    half = matrix.dtype == np.float16 or _fit_half(rows, options)
    step = max(1, _CHUNK // options.block)
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        scales[part], zeros[part] = _best(rows[part], options, half=half)
        integers[part] = _nearest(rows[part], scales[part], zeros[part], options.bits)
    return BlockWeights(
        options.bits,
        integers.reshape(channels, blocks, options.block),
        scales.reshape(channels, blocks),
        None if options.symmetric else zeros.astype(np.uint8).reshape(channels, blocks),
    )


def _best(rows: Array, options: BlockOptions, *, half: bool) -> tuple[Array, Array]:
    """Scale and zero point of the least squared error for each row, f32 [rows]."""
    least = np.full(len(rows), np.inf, np.float32)
    best_scale, best_zero = np.ones(len(rows), np.float32), np.zeros(len(rows), np.float32)
    for number, (exact, zero) in enumerate(_candidates(rows, options)):
        scale = exact.astype(np.float16).astype(np.float32) if half else exact
        scale[scale == 0] = 1  # of zeros, or of what is less than half of the least float16
        difference = _nearest(rows, scale, zero, options.bits)
        difference -= zero[:, None]
        with np.errstate(over="ignore"):  # infinite errors are never the least
            difference *= scale[:, None]
            difference -= rows
            error = np.einsum("ij,ij->i", difference, difference)
        better = (error < least) | (number == 0)
        for best, candidate in ((least, error), (best_scale, scale), (best_zero, zero)):
            best[better] = candidate[better]
    return best_scale, best_zero


def _nearest(rows: Array, scale: Array, zero: Array, bits: int) -> Array:
    """The integers of rows [rows, block] by a scale and a zero point each, as f32."""
    integers = rows / scale[:, None]
    np.rint(integers, out=integers)
    integers += zero[:, None]
    return np.clip(integers, 0, (1 << bits) - 1, out=integers)


def _candidates(rows: Array, options: BlockOptions) -> Iterator[tuple[Array, Array]]:
    """Scales and zero points to be tried, f32 [rows] each."""
    widest, middle = _widest(rows, options), 1 << (options.bits - 1)
    ratios = [np.float32(1 - i / (4 * middle)) for i in range(_RATIOS)]
    if options.symmetric:
        zero = np.full(len(rows), middle, np.float32)
        yield from ((widest * (sign * ratio), zero) for ratio in ratios for sign in (1, -1))
        return
    low = np.minimum(rows.min(axis=1), 0)
    first = np.rint(np.divide(-low, widest, out=np.zeros_like(low), where=widest > 0))
    for shift in (0, -1, 1):
        zero = np.clip(first + np.float32(shift), 0, 2 * middle - 1)
        yield from ((widest * ratio, zero) for ratio in ratios)


def _widest(rows: Array, options: BlockOptions) -> Array:
    """The scales that clip nothing, f32 [rows]."""
    if options.symmetric:
        scale = np.abs(rows).max(axis=1) / np.float32((1 << (options.bits - 1)) - 1)
    else:
        steps = np.float32((1 << options.bits) - 1)
        scale = np.maximum(rows.max(axis=1), 0) / steps - np.minimum(rows.min(axis=1), 0) / steps
    return np.asarray(scale, np.float32)


def _fit_half(rows: Array, options: BlockOptions) -> bool:
    """Whether every candidate scale but 0 is among the normal numbers of float16."""
    widest = _widest(rows, options)
    widest = widest[widest > 0]
    least = float(_HALF.tiny) * (1 << (options.bits + 1)) / ((1 << (options.bits + 1)) - _RATIOS + 1)
    return bool(((widest >= least) & (widest <= float(_HALF.max))).all())

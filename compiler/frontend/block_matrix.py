"""Constant matrices of few bits in blocks, and the layer that multiplies by one as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nnc.isa.block_weights import BlockFormat

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class BlockMatrix:
    """Weights (integer − zero point) · scale, each block along K with a scale and a zero point.

    Attributes:
        bits: 2, 4 or 8; block: weights of a block.
        integers: u8 [K, N].
        scales, zeros: f32 [blocks, N].
        is_turned: whether the tensor in the model is [N, K].
    """

    bits: int
    block: int
    integers: Array
    scales: Array
    zeros: Array
    is_turned: bool = False

    def turned(self) -> BlockMatrix:
        """That of the tensor transposed."""
        return replace(self, is_turned=not self.is_turned)

    def packed(self) -> tuple[BlockFormat, int, Array]:
        """The narrowest format that loses nothing, the zero point of all blocks, and the bytes."""
        scales, zeros = _narrow(self.scales), self.zeros
        with np.errstate(invalid="ignore"):
            small = zeros.astype(np.uint8)
        if (zeros == small).all():
            if (small == small.flat[0]).all():
                format_ = BlockFormat(self.bits, self.block, scales.itemsize, 0)
                return format_, int(small.flat[0]), format_.packed(self.integers, scales, None)
            zeros = small
        else:
            zeros = _narrow(zeros)
        format_ = BlockFormat(self.bits, self.block, scales.itemsize, zeros.itemsize)
        return format_, 0, format_.packed(self.integers, scales, zeros)


def of_blocks(
    integers: Array, parameters: Sequence[Array], axis: int, block: int, bits: int
) -> BlockMatrix | None:
    """The matrix that DequantizeLinear makes of integers in blocks; None if no product takes it so.

    Args:
        integers: of 8 bits, signed or not.
        parameters: scales, and zero points of their type if they have any; one for each block.
        axis: along which blocks lie: K.
    """
    if integers.ndim != 2 or integers.dtype.itemsize != 1 or block * bits % 8:
        return None
    scales, *zeros = parameters
    middle = 1 << (bits - 1) if integers.dtype == np.int8 else 0
    own = zeros[0].astype(np.float32) if zeros else np.zeros(scales.shape, np.float32)
    unsigned: Array = (integers.astype(np.int16) + middle).astype(np.uint8)
    if axis == 0:
        return BlockMatrix(bits, block, unsigned, scales.astype(np.float32), own + middle)
    return BlockMatrix(bits, block, unsigned.T, scales.T.astype(np.float32), own.T + middle, is_turned=True)


def _narrow(numbers: Array) -> Array:
    """Real numbers in f16 if that holds all of them, else in f32."""
    with np.errstate(over="ignore"):
        half = numbers.astype(np.float16)
    return half if (half == numbers).all() else numbers.astype(np.float32)

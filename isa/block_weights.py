"""Weights of few bits in blocks along what a product sums over, each block with a scale and a zero point.

Bytes of one output channel, block by block; rows of a matrix [rows, N] count these bytes:

    scale        2 or 4 bytes, a float, little endian
    zero point   none (all blocks have the same), 1 byte (u8), or 2 or 4 bytes (a float)
    weights      block · bits / 8 bytes, the first weight in the lowest bits

So a range of channels is a range of columns, and comes with all that it needs in one transfer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nnc.isa.integers import ceil_div

Array = NDArray[Any]
_FLOATS: dict[int, np.dtype[Any]] = {2: np.dtype("<f2"), 4: np.dtype("<f4")}
_ZEROS: dict[int, np.dtype[Any]] = {1: np.dtype(np.uint8), **_FLOATS}


class BlockFormat(NamedTuple):
    """How blocks of weights lie in bytes.

    Attributes:
        bits: of a weight: 2, 4 or 8.
        block: weights of a block; whole bytes of them.
        scale_bytes, zero_bytes: of the scale and of the zero point; no bytes: the zero point is known apart.
    """

    bits: int
    block: int
    scale_bytes: int
    zero_bytes: int

    def errors(self) -> Iterator[str]:
        """What contradicts itself."""
        if self.bits not in (2, 4, 8):
            yield f"bits is {self.bits}, expected 2, 4 or 8"
        elif self.block < 1 or self.block * self.bits % 8:
            yield f"block is {self.block}, expected whole bytes of {self.bits} bits"
        if self.scale_bytes not in _FLOATS:
            yield f"scale_bytes is {self.scale_bytes}, expected 2 or 4"
        if self.zero_bytes and self.zero_bytes not in _ZEROS:
            yield f"zero_bytes is {self.zero_bytes}, expected 0, 1, 2 or 4"

    @property
    def block_bytes(self) -> int:
        """Bytes of a block."""
        return self.scale_bytes + self.zero_bytes + self.block * self.bits // 8

    def rows(self, depth: int) -> int:
        """Bytes of an output channel of so many weights; the last block may be part of one."""
        return ceil_div(depth, self.block) * self.block_bytes

    def packed(self, integers: Array, scales: Array, zeros: Array | None) -> Array:
        """The matrix of bytes, u8 [rows, N].

        Args:
            integers: u8 [K, N].
            scales: [blocks, N]; zeros: as these, or None without bytes for them.
        """
        depth, channels = integers.shape
        blocks = ceil_div(depth, self.block)
        filled = np.zeros((blocks * self.block, channels), np.uint8)
        filled[:depth] = integers
        per_byte = 8 // self.bits
        shifts = np.arange(0, 8, self.bits, dtype=np.uint8)[:, None]
        parts = (filled.reshape(blocks, -1, per_byte, channels) << shifts).astype(np.uint8)
        columns = [_bytes_of(scales, _FLOATS[self.scale_bytes])]
        if zeros is not None:
            columns.append(_bytes_of(zeros, _ZEROS[self.zero_bytes]))
        columns.append(np.bitwise_or.reduce(parts, axis=2))
        return np.concatenate(columns, axis=1).reshape(self.rows(depth), channels)

    def real(self, matrix: Array, depth: int, zero: int) -> Array:
        """The weights (integer − zero point) · scale, f32 [K, N], one rounding per operation.

        Args:
            matrix: u8 [rows, N]; zero: the zero point of all blocks, if they have none of their own.
        """
        channels = matrix.shape[1]
        blocks = matrix.reshape(-1, self.block_bytes, channels)
        first = self.scale_bytes + self.zero_bytes
        scale = _numbers(blocks[:, : self.scale_bytes], _FLOATS[self.scale_bytes])
        own: Array = np.full((1, 1), zero, np.float32)
        if self.zero_bytes:
            own = _numbers(blocks[:, self.scale_bytes : first], _ZEROS[self.zero_bytes])
        shifts = np.arange(0, 8, self.bits, dtype=np.uint8)[:, None]
        integers = (blocks[:, first:, None] >> shifts) & np.uint8((1 << self.bits) - 1)
        wide = integers.reshape(len(blocks), self.block, channels).astype(np.float32)
        wide -= own[:, None]
        wide *= scale[:, None]
        return wide.reshape(-1, channels)[:depth]


def bits_in_bytes(integers: Array, bits: int) -> Array:
    """Integers of so many bits in bytes along the last axis, the first in the lowest bits.

    Args:
        integers: u8; the last byte may have room.
    """
    per_byte = 8 // bits
    count = ceil_div(integers.shape[-1], per_byte)
    filled = np.zeros((*integers.shape[:-1], count * per_byte), np.uint8)
    filled[..., : integers.shape[-1]] = integers
    parts = filled.reshape(*integers.shape[:-1], count, per_byte) << np.arange(0, 8, bits, dtype=np.uint8)
    packed: Array = np.bitwise_or.reduce(parts.astype(np.uint8), axis=-1)
    return packed


def _bytes_of(numbers: Array, dtype: np.dtype[Any]) -> Array:
    """Numbers [blocks, N] as bytes [blocks, bytes, N]."""
    dense = np.ascontiguousarray(numbers, dtype)
    return np.moveaxis(dense.view(np.uint8).reshape(*dense.shape, dtype.itemsize), 2, 1)


def _numbers(data: Array, dtype: np.dtype[Any]) -> Array:
    """Bytes [blocks, bytes, N] as the numbers [blocks, N] in f32."""
    dense = np.ascontiguousarray(np.moveaxis(data, 1, 2))
    return dense.view(dtype)[..., 0].astype(np.float32)

"""Importers of onnxruntime's operators on weights of few bits, with a scale and a zero point for each block.

Products keep the weights as they are.  Tables are integers of 8 bits, of which rows are read and made real.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from onnx import TensorProto

from nnc.compiler.frontend.block_matrix import BlockMatrix
from nnc.compiler.frontend.context import Array, OpContext
from nnc.compiler.frontend.domains import MICROSOFT
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.operators.matmul import block_product
from nnc.compiler.frontend.table import importer
from nnc.isa.integers import ceil_div
from nnc.isa.types import DType

_BITS = (2, 4, 8)
_LEAST_BLOCK = 16
_CONSTANT = "Weights, scales and zero points are known at compile time."


def unpacked(packed: Array, bits: int) -> Array:
    """Integers of so many bits out of the bytes of the last axis, the lowest bits first, as u8."""
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    parts = (packed[..., None] >> shifts) & np.uint8((1 << bits) - 1)
    return parts.reshape(*packed.shape[:-1], packed.shape[-1] * len(shifts))


@importer("MatMulNBits", domain=MICROSOFT, constraints=(_CONSTANT, "There are no indices of groups."))
def mat_mul_n_bits(context: OpContext) -> None:
    """A times a matrix of 2, 4 or 8 bits in blocks along its rows, and an optional bias."""
    matrix, type_ = _block_matrix(context), context.type()
    if type_.dtype not in (DType.F16, DType.F32):
        raise context.unsupported(f"A of {type_} is not supported")
    if type_.shape[-1:] != matrix.integers.shape[:1]:
        raise context.invalid("A does not fit K", found=str(type_), expected=str(matrix.integers.shape[0]))
    if context.has(5):
        context.expect_shape(5, matrix.integers.shape[1])
    block_product(context, context.tensor(0), matrix, context.optional(5))


def _block_matrix(context: OpContext) -> BlockMatrix:
    """The weights, which are (x − zero) · scale in float32 as onnxruntime rounds them."""
    rows, depth, block = (context.attribute(name, 0) for name in ("N", "K", "block_size"))
    bits, blocks = _bits(context), ceil_div(depth, max(block, 1))
    if block < _LEAST_BLOCK or block & (block - 1):
        raise context.invalid("block_size is no power of two from 16 on", found=str(block))
    if min(rows, depth) < 1 or context.has(4) or context.attribute("weight_prepacked", 0):
        raise context.unsupported("indices of groups, or weights in an order of their own, are not supported")
    packed = context.required_constant(1, "the weights")
    scales = context.required_constant(2, "scales")
    if packed.shape != (rows, blocks, block * bits // 8) or scales.shape not in _shapes(rows, blocks):
        actual = f"{list(packed.shape)} with scales of {list(scales.shape)}"
        raise context.invalid("the weights do not fit N, K and block_size", found=actual)
    zeros: Array = np.full((rows, blocks), 1 << (bits - 1), np.float32)
    if context.has(3):
        zeros = context.required_constant(3, "zero points")
        if zeros.dtype == np.uint8:
            columns = ceil_div(blocks * bits, 8)
            if zeros.shape not in _shapes(rows, columns):
                raise context.invalid("the zero points do not fit", found=str(list(zeros.shape)))
            zeros = unpacked(zeros.reshape(rows, columns), bits)[:, :blocks]
        elif zeros.shape not in _shapes(rows, blocks):
            raise context.invalid("the zero points do not fit", found=str(list(zeros.shape)))
    integers = unpacked(packed, bits).reshape(rows, blocks * block)[:, :depth]
    zeros, scales = (array.reshape(rows, blocks).astype(np.float32).T for array in (zeros, scales))
    return BlockMatrix(bits, block, integers.T, scales, zeros)


def _shapes(rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
    """The shapes that a matrix of parameters may have."""
    return (rows, columns), (rows * columns,)


def _bits(context: OpContext) -> int:
    bits: int = context.attribute("bits", 4)
    if bits not in _BITS:
        raise context.unsupported(f"weights of {bits} bits are not supported")
    return bits


@importer("GatherBlockQuantized", domain=MICROSOFT, constraints=(_CONSTANT,))
def gather_block_quantized(context: OpContext) -> None:
    """Rows of a table of 2, 4 or 8 bits, with a scale and a zero point for each block of an axis."""
    make, table = Expansion(context), _block_table(context)
    axis = context.axis(context.attribute("gather_axis", 0), len(context.shape(0)))
    has_rows_of_blocks = table.integers.ndim == 2 and (axis, table.axis) == (0, 1)
    if has_rows_of_blocks and table.integers.shape[1] % table.block == 0:
        make.define(0, _rows_of_blocks(context, make, table))
    else:
        make.define(0, make("Gather", make.constant(table.real()), context.tensor(1), axis=axis))


def _rows_of_blocks(context: OpContext, make: Expansion, table: _BlockTable) -> str:
    """Rows of integers of 8 bits, made real numbers behind the gather: a row is what is read."""
    rows, columns = context.shape(1), table.integers.shape[1]
    blocks = (*rows, columns // table.block, table.block)

    def gathered(array: Array) -> str:
        return make("Gather", make.constant(array), context.tensor(1), axis=0)

    integers = make("Cast", gathered(table.integers), to=TensorProto.FLOAT)
    zeros = make.constant(np.float32(table.zeros.flat[0]))
    if (table.zeros != table.zeros.flat[0]).any():
        of_rows = make("Cast", gathered(table.zeros), to=TensorProto.FLOAT)
        zeros = make.reshape(of_rows, *blocks[:-1], 1)
    scales = make.reshape(gathered(table.scales.astype(np.float32)), *blocks[:-1], 1)
    centred = make("Sub", make.reshape(integers, *blocks), zeros)
    real = make.reshape(make("Mul", centred, scales), *rows, columns)
    is_half = table.scales.dtype == np.float16
    return make("Cast", real, to=TensorProto.FLOAT16) if is_half else real


@dataclass(frozen=True, slots=True)
class _BlockTable:
    """A table of integers of 8 bits, a scale and a zero point of their type for each block of an axis."""

    integers: Array
    scales: Array
    zeros: Array
    axis: int
    block: int

    def real(self) -> Array:
        """The table as real numbers of the type of its scales."""
        extent = self.integers.shape[self.axis]
        scales, zeros = (
            np.repeat(array, self.block, self.axis).take(np.arange(extent), self.axis)
            for array in (self.scales.astype(np.float32), self.zeros.astype(np.int32))
        )
        real: Array = ((self.integers.astype(np.int32) - zeros).astype(np.float32) * scales).astype(
            self.scales.dtype
        )
        return real


def _block_table(context: OpContext) -> _BlockTable:
    data = context.required_constant(0, "the table")
    scales = context.required_constant(2, "scales")
    limits, bits = context.packed_range(0), _bits(context)
    axis = context.axis(context.attribute("quantize_axis", 1), data.ndim)
    block, default = context.attribute("block_size", 128), 0
    if limits is None:  # bytes, in which several lie side by side
        if data.dtype != np.uint8 or axis != data.ndim - 1 or context.attribute("gather_axis", 0) % data.ndim:
            raise context.unsupported("bytes are only gathered by rows, quantised along them")
        data, default = unpacked(data, bits), 1 << (bits - 1)
    block = min(block, max(data.shape[axis], 1))
    expected = [*data.shape]
    expected[axis] = ceil_div(expected[axis], max(block, 1))
    if block < 1 or list(scales.shape) != expected:
        raise context.invalid("the scales do not fit", found=str(list(scales.shape)), expected=str(expected))
    zeros: Array = np.full(scales.shape, default, data.dtype)
    if context.has(3):
        zeros = context.required_constant(3, "zero points")
        if limits is None and zeros.ndim == data.ndim:
            zeros = unpacked(zeros, bits)[..., : scales.shape[-1]]
        if zeros.shape != scales.shape or zeros.dtype != data.dtype:
            raise context.invalid("the zero points do not fit", found=f"{zeros.dtype} {list(zeros.shape)}")
    return _BlockTable(data, scales, zeros, axis, block)

"""Scales and zero points of instructions: which fit their operands, and what is said of those that do not."""

from __future__ import annotations

from math import inf, nan
from typing import Any

import pytest

from nnc.isa.functions import Function, PoolFunction, ReduceFunction
from nnc.isa.instruction import Instruction
from nnc.isa.instructions import Elementwise, Gemm, Pool, Reduce
from nnc.isa.operand import Operand
from nnc.isa.types import DType

I8, U8, F32 = DType.I8, DType.U8, DType.F32


def block(dtype: DType, *shape: int) -> Operand:
    return Operand.dense("sram", 0, dtype, shape)


def gemm(dst: DType = I8, **fields: Any) -> Gemm:
    base = {"src": block(U8, 4, 8), "weight": block(I8, 8, 3), "dst": block(dst, 4, 3)}
    return Gemm(**base | fields)


def function(dst: DType = I8, **fields: Any) -> Elementwise:
    base = {"dst": block(dst, 4, 3), "srcs": (block(I8, 4, 3), block(F32, 3)), "function": Function.ADD}
    return Elementwise(**base | fields)


def pool(dst: DType = I8, **fields: Any) -> Pool:
    shape: dict[str, Any] = dict.fromkeys(("kernel", "stride", "dilation"), (1,))
    shape |= {"pad_begin": (0,), "pad_end": (0,)}
    blocks = {"src": block(I8, 1, 5, 3), "dst": block(dst, 1, 5, 3), "function": PoolFunction.AVERAGE}
    return Pool(**shape | blocks | fields)


def mean(dst: DType = I8, **fields: Any) -> Reduce:
    base = {"src": block(I8, 4, 3), "dst": block(dst, 4, 1), "function": ReduceFunction.MEAN}
    return Reduce(**base | {"axes": (1,), "count": 3} | fields)


CODED = {"src_scales": (0.5, 1.0), "src_zeros": (-3, 0), "dst_scale": 0.25, "dst_zero": 7}
FOLD = {"src_scale": 0.5, "src_zero": -3, "dst_scale": 0.25, "dst_zero": 7}
CASES: list[tuple[Instruction, str]] = [
    (gemm(src_zero=255, weight_zero=-128, dst_zero=127, dst_scale=0.1), ""),
    (gemm(sum_scale=0.5, sum_zero=-9, residual=block(U8, 4, 3), residual_zero=200), ""),
    (gemm(F32, scale=block(F32, 3)), ""),
    (gemm(scale=block(DType.I32, 3)), "type of scale is i32"),
    (gemm(src_zero=-1), "src_zero is -1, which is no u8"),
    (gemm(weight_zero=128), "weight_zero is 128, which is no i8"),
    (gemm(dst_zero=-129), "dst_zero is -129"),
    (gemm(F32, dst_zero=3), "dst_zero is 3, but f32 has no zero point"),
    (gemm(dst_scale=0.0), "dst_scale is 0.0"),
    (gemm(dst_scale=1e-60), "dst_scale is 1e-60"),  # nothing in f32
    (gemm(residual_scale=nan), "residual_scale is nan"),
    (gemm(sum_scale=-1.0), "sum_scale is -1.0"),
    (gemm(sum_scale=0.5, sum_zero=300), "sum_zero is 300"),
    (gemm(sum_zero=3), "without a sum_scale"),
    (gemm(F32, sum_scale=0.5), "needs a dst of 8-bit integers"),
    (function(**CODED), ""),
    (function(F32, src_scales=(0.5, 1.0), src_zeros=(0, 0)), ""),
    (function(DType.BOOL, function=Function.LESS, src_scales=(0.5, 1.0), src_zeros=(0, 0)), ""),
    (function(**CODED | {"src_zeros": (0,)}), "number of src_zeros is 1"),
    (function(**CODED | {"src_scales": (0.5,), "src_zeros": (0,)}), "number of src_scales is 1"),
    (function(**CODED | {"src_scales": (0.5, inf)}), "scale of source 1 is inf"),
    (function(**CODED | {"src_zeros": (-3, 1)}), "zero point of source 1 is 1, but f32"),
    (function(**CODED | {"src_zeros": (-300, 0)}), "zero point of source 0 is -300"),
    (function(**CODED | {"dst_scale": 0.0}), "dst_scale is 0.0"),
    (function(F32, **CODED), "but dst is f32"),
    (function(dst_scale=0.5), "need src_scales"),
    (function(**CODED | {"function": Function.CAST}), "cast has no src_scales"),
    (pool(**FOLD), ""),
    (pool(F32, src_scale=0.5, src_zero=-3), ""),
    (pool(**FOLD | {"function": PoolFunction.MAX}), "for averages"),
    (pool(dst_scale=0.5), "need a src_scale"),
    (pool(**FOLD | {"src": block(F32, 1, 5, 3)}), "expected 8-bit integers"),
    (pool(**FOLD | {"dst_zero": 128}), "dst_zero is 128"),
    (mean(**FOLD), ""),
    (mean(**FOLD | {"function": ReduceFunction.MAX}), "for sums and means"),
    (mean(**FOLD | {"src_scale": -0.5}), "src_scale is -0.5"),
]


@pytest.mark.parametrize(("instruction", "text"), CASES)
def test_scales_and_zero_points(instruction: Instruction, text: str) -> None:
    errors = list(instruction.shape_errors())
    if text:
        assert any(text in error for error in errors), errors
    else:
        assert errors == []

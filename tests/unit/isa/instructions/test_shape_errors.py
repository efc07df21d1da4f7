"""Which shapes and attributes of an instruction fit together, and what is said of those that do not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nnc.isa.functions import (
    Coordinates,
    Function,
    Nearest,
    PadMode,
    PoolFunction,
    RecurrentCell,
    ReduceFunction,
    ResizeMode,
)
from nnc.isa.instruction import INSTRUCTIONS, Instruction, Phase
from nnc.isa.instructions import (
    ArgMax,
    Conv,
    Copy,
    CumSum,
    Elementwise,
    Gather,
    GatherElements,
    Gemm,
    Pad,
    Pool,
    Recurrence,
    Reduce,
    Resize,
    Scatter,
)
from nnc.isa.operand import Operand
from nnc.isa.reference.pages import examples
from nnc.isa.types import DType

F32 = DType.F32
LSTM = RecurrentCell.LSTM


def block(memory: str, address: int, shape: tuple[int, ...] = (4, 16), dtype: DType = F32) -> Operand:
    return Operand.dense(memory, address, dtype, shape)


S4 = block("sram", 0, (1, 8, 8, 16))


def conv(**fields: object) -> Conv:
    weight, dst = block("sram", 8192, (3, 3, 16, 32)), block("sram", 65536, (1, 8, 8, 32))
    base = {
        "src": S4,
        "weight": weight,
        "dst": dst,
        "stride": (1, 1),
        "dilation": (1, 1),
        "pad_begin": (1, 1),
    }
    return Conv(**(base | fields))  # type: ignore[arg-type]


def pool(**fields: object) -> Pool:
    """Windows of 3 over 8 positions, 2 apart, with a padding of 1 before."""
    base: dict[str, object] = {
        "dst": block("sram", 0, (1, 4, 16)),
        "src": block("sram", 4096, (1, 8, 16)),
        "function": PoolFunction.AVERAGE,
        "kernel": (3,),
        "stride": (2,),
        "dilation": (1,),
        "pad_begin": (1,),
        "pad_end": (0,),
    }
    return Pool(**(base | fields))  # type: ignore[arg-type]


def pad(**fields: object) -> Pad:
    base: dict[str, object] = {
        "dst": block("sram", 0, (4,)),
        "src": block("sram", 64, (4,)),
        "mode": PadMode.CONSTANT,
        "value": 0.0,
        "begin": (2,),
        "origin": (0,),
        "src_origin": (0,),
        "src_extent": (4,),
    }
    return Pad(**(base | fields))  # type: ignore[arg-type]


def resize(**fields: object) -> Resize:
    """The first half of a vector of 4, doubled."""
    base: dict[str, object] = {
        "dst": block("sram", 0, (4,)),
        "src": block("sram", 64, (3,)),
        "mode": ResizeMode.LINEAR,
        "coordinates": Coordinates.HALF_PIXEL,
        "nearest": Nearest.FLOOR,
        "scales": (2.0,),
        "origin": (0,),
        "extent": (8,),
        "src_origin": (0,),
        "src_extent": (4,),
    }
    return Resize(**(base | fields))  # type: ignore[arg-type]


def reduce(axes: tuple[int, ...]) -> Reduce:
    dst = block("sram", 0, (1, 1, 1, 16))
    return Reduce(src=S4, dst=dst, function=ReduceFunction.SUM, axes=axes, count=64)


def gather(index: DType, extent: int) -> Gather:
    dst, src = block("sram", 0, (5, 3)), block("sram", 64, (9, 3))
    return Gather(dst=dst, src=src, index=block("sram", 256, (5,), index), axis=0, extent=extent)


@pytest.mark.parametrize(
    ("instruction", "text"),
    [
        (conv(), ""),
        (conv(groups=2, weight=block("sram", 8192, (3, 3, 8, 32))), ""),
        (conv(groups=2), "input channels"),
        (conv(groups=3), "no multiple"),
        (conv(stride=(1,)), "stride"),
        (conv(stride=(0, 1)), "stride"),
        (conv(pad_begin=(-1, 0)), "pad_begin"),
        (conv(dst=block("sram", 65536, (2, 8, 8, 32))), "batch"),
        (conv(dst=block("sram", 65536, (1, 8, 8, 31))), "output channels"),
        (conv(residual=block("sram", 0, (1, 8, 8, 16))), "residual"),
        (conv(phase=Phase.ADD), "has a dst"),
        (conv(phase=Phase.FINISH), "lacks an accumulator"),
        (conv(weight=block("sram", 8192, (3, 3, 16, 32), DType.I8)), "weight is i8"),
        (conv(phase=Phase.START, dst=None, accumulator=block("sram", 65536, (1, 8, 8, 32))), ""),
        (
            conv(
                phase=Phase.START,
                dst=None,
                accumulator=block("sram", 65536, (1, 8, 8, 32)),
                bias=block("sram", 0, (32,)),
            ),
            "belongs to the epilogue",
        ),
        (pool(), ""),
        (pool(pad_begin=(2,)), ""),
        (pool(pad_begin=(3,)), "windows that hold nothing of src"),
        (pool(pad_begin=(3,), count_pad=True), ""),
        (pool(stride=(3,)), "windows that hold nothing of src"),
        (pool(stride=(3,), pad_end=(1,), count_pad=True), ""),
        (pool(kernel=(10,)), ""),
        (pool(kernel=(12,)), "windows of 12, src has 8"),
        (pool(dilation=(6,)), "windows of 13, src has 8"),
        (pool(kernel=(2**62,)), "src has 8"),
        (pool(stride=(0,)), "stride"),
        (resize(), ""),
        (resize(origin=(4,)), "needs elements 1"),
        (resize(origin=(4,), mode=ResizeMode.NEAREST, nearest=Nearest.CEIL), "needs elements 2"),
        (resize(origin=(1,), dst=block("sram", 0, (3,))), ""),
        (resize(origin=(7,)), "leaves the whole tensor"),
        (resize(scales=(0.0,)), "scale of axis 0"),
        (resize(scales=(float("nan"),)), "scale of axis 0"),
        (resize(scales=()), "expected 1 values"),
        (resize(src_origin=(1, 2)), "src_origin"),
        (pad(), ""),
        (pad(src_origin=(1,), src_extent=(5,)), "needs elements 0"),
        (pad(src_origin=(1,), src_extent=(5,), begin=(-1,)), ""),
        (pad(mode=PadMode.EDGE, begin=(-5,), src_extent=(9,)), "needs elements 5 … 8"),
        (pad(mode=PadMode.REFLECT), ""),
        (pad(mode=PadMode.WRAP, src_extent=(8,)), "needs elements 0 … 7"),
        (pad(src_origin=(2,), src_extent=(4,)), "leaves the whole tensor"),
        (reduce((1, 2)), ""),
        (reduce((1,)), "dst shape"),
        (reduce((1, 4)), "axes"),
        (gather(DType.I64, 9), ""),
        (gather(F32, 8), "integers"),
        *[
            (
                Recurrence(
                    dst=block("sram", 0, dst),
                    src=block("sram", 1024, (3, 2, 16)),
                    weight=block("sram", 2048, weight, dtype),
                    bias=None if bias is None else block("sram", 3072, bias),
                    hidden=None if hidden is None else block("sram", 4096, hidden),
                    cell=cell,
                    sequence=dst[0] > 2,
                    cell_state=dst[0] % 2 == 0,
                ),
                text,
            )
            for dst, weight, dtype, bias, hidden, cell, text in (
                ((4, 2, 4), (4, 16), F32, None, (2, 4), LSTM, ""),
                ((2, 2, 4), (4, 16), F32, None, None, LSTM, ""),
                ((1, 2, 16), (16, 16), F32, None, None, RecurrentCell.RNN_RELU, ""),
                ((5, 2, 4), (4, 16), F32, None, None, LSTM, "dst shape"),
                ((4, 2, 4), (16, 4), F32, None, None, LSTM, "weight shape"),
                ((4, 2, 4), (4, 16), DType.F16, None, None, LSTM, "type of weight"),
                ((4, 2, 4), (4, 16), F32, None, (4, 2), LSTM, "hidden shape"),
                ((4, 2, 4), (4, 16), F32, (4,), None, LSTM, "lstm has no bias"),
                ((4, 2, 16), (16, 16), F32, None, None, RecurrentCell.RNN_TANH, "no cell state"),
                ((3, 2, 5), (5, 15), F32, None, None, RecurrentCell.GRU, "expected steps"),
            )
        ],
        *[
            (
                Scatter(
                    dst=block("sram", 0, (9, 3)),
                    src=block("sram", 128, (9, 3)),
                    index=block("sram", 256, index, dtype),
                    updates=block("sram", 512, updates),
                    axis=axis,
                    function=function,
                ),
                text,
            )
            for index, updates, dtype, axis, function, text in (
                ((4, 1), (4, 3), DType.I32, 0, Function.IDENTITY, ""),
                ((9, 2), (9, 2), DType.I64, -1, Function.ADD, ""),
                ((4, 1), (4, 3), DType.F32, 0, Function.IDENTITY, "integers"),
                ((4, 2), (4, 3), DType.I64, 0, Function.IDENTITY, "does not broadcast"),
                ((1, 1), (4, 3), DType.I64, 0, Function.IDENTITY, "has not the extent"),
                ((4,), (4, 3), DType.I64, 0, Function.IDENTITY, "rank of index"),
                ((4, 1), (4, 2), DType.I64, 0, Function.IDENTITY, "shape of updates"),
                ((1, 4), (4,), DType.I64, 0, Function.IDENTITY, "rank of updates"),
                ((4, 1), (4, 3), DType.I64, 2, Function.IDENTITY, "axis 2 is none"),
                ((4, 1), (4, 3), DType.I64, 0, Function.SUB, "function is sub"),
            )
        ],
        *[
            (
                GatherElements(
                    dst=block("sram", 0, shape),
                    src=block("sram", 64, (9, 3)),
                    index=block("sram", 256, index, dtype),
                    axis=axis,
                ),
                text,
            )
            for shape, index, dtype, axis, text in (
                ((11, 2), (11, 2), DType.I32, -2, ""),
                ((11, 2), (11, 2), DType.F32, 0, "integers"),
                ((11, 2), (11, 1), DType.I64, 0, "index shape"),
                ((11, 4), (11, 4), DType.I64, 0, "reaches beyond"),
                ((9,), (9,), DType.I64, 0, "reaches beyond"),
                ((9, 3), (9, 3), DType.I64, 2, "axis 2 is none"),
            )
        ],
        (CumSum(dst=S4, src=S4, axis=-1), ""),
        (CumSum(dst=S4, src=S4, axis=4), "axes (4,) are not"),
        (ArgMax(dst=block("sram", 0, (1, 8, 1, 16), DType.I64), src=S4, axis=2), ""),
        (ArgMax(dst=block("sram", 0, (1, 8, 5, 16), DType.I64), src=S4, axis=2, count=5), ""),
        (
            ArgMax(dst=block("sram", 0, (1, 8, 9, 16), DType.I64), src=S4, axis=2, count=9),
            "count is 9, src has 8",
        ),
        (
            ArgMax(dst=block("sram", 0, (1, 8, 2, 16), DType.I64), src=S4, axis=2, count=2, last=True),
            "count is 2, exp",
        ),
        (ArgMax(dst=block("sram", 0, (1, 8, 8, 16), DType.I64), src=S4, axis=2), "dst shape"),
        (Elementwise(dst=S4, srcs=(S4, block("sram", 0, (16,))), function=Function.ADD), ""),
        (Elementwise(dst=S4, srcs=(S4, block("sram", 0, (8,))), function=Function.ADD), "does not broadcast"),
        (Elementwise(dst=S4, srcs=(S4,), function=Function.ADD, params=(2.0,)), ""),
        (Elementwise(dst=S4, srcs=(S4,), function=Function.DEQUANTIZE, params=(2.0,)), "has 1 sources"),
        (Elementwise(dst=S4, srcs=(S4, S4), function=Function.QUANTIZE), "expected integers"),
        (Elementwise(dst=S4, srcs=(S4,), function=Function.CLIP), "clip has 0 params"),
        (
            Gemm(
                src=block("sram", 0, (2, 3, 4)),
                weight=block("sram", 0, (5, 4, 6)),
                dst=block("sram", 0, (2, 3, 6)),
            ),
            "do not broadcast",
        ),
    ],
)
def test_shapes(instruction: Instruction, text: str) -> None:
    errors = list(instruction.shape_errors())
    if text:
        assert any(text in error for error in errors), errors
    else:
        assert errors == []


def test_types_of_storage_are_copied_and_converted() -> None:
    stored, computed, other = (
        Operand.dense("sram", address, dtype, (4,))
        for address, dtype in ((0, DType.BF16), (64, DType.F32), (128, DType.F16))
    )
    for dst, src, function, count in (
        (stored, computed, Function.CAST, 0),
        (computed, stored, Function.CAST, 0),
        (stored, stored, Function.IDENTITY, 2),
        (stored, other, Function.CAST, 1),
        (other, stored, Function.CAST, 1),
    ):
        cast = Elementwise(dst=dst, srcs=(src,), function=function)
        assert len(list(cast.type_errors())) == count
    add = Elementwise(dst=computed, srcs=(computed, stored), function=Function.ADD)
    assert list(add.type_errors()) == ["sram+0x0 bf16[4] is of bf16, expected f32"]
    assert not list(Copy(dst=stored, src=replace(stored, address=8)).type_errors())


@pytest.mark.parametrize("cls", INSTRUCTIONS.values(), ids=lambda cls: cls.mnemonic)
def test_examples_fit_together(cls: type[Instruction]) -> None:
    assert not list(examples()[cls].shape_errors())

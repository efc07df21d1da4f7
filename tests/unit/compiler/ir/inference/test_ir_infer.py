"""Shape inference against layers of every kind, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from region_cases import CASES
from region_model import NAME

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.inference.infer import RULES, infer
from nnc.isa.errors import InternalError
from nnc.isa.functions import Function, PadMode, PoolFunction, ReduceFunction
from nnc.isa.instruction import Phase
from nnc.isa.types import DType

WINDOW: dict[str, Any] = {
    "kernel": (3, 3), "stride": (1, 1), "dilation": (1, 1), "pad_begin": (0, 0), "pad_end": (0, 0)
}  # fmt: skip
Shapes = tuple[tuple[int, ...] | None, ...]


def types(shapes: Shapes, dtype: DType = DType.F32) -> list[TensorType | None]:
    return [None if shape is None else TensorType(dtype, shape) for shape in shapes]


def conv(**changes: Any) -> ir.Conv:
    return ir.Conv(**NAME, **WINDOW | changes)


def test_every_kind_has_a_rule() -> None:
    assert set(RULES) == {*CASES, ir.Join, ir.AsStrided}


@pytest.mark.parametrize("kind", CASES, ids=lambda kind: kind.kind)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_result_is_what_the_operator_defines(kind: type[ir.Layer], data: st.DataObject) -> None:
    case = data.draw(CASES[kind])
    if isinstance(case.layer, ir.Pool):  # in ceil mode the cases go on where ONNX stops
        axes = zip(case.out[2:], case.layer.stride, case.shapes[0][2:], case.layer.pad_begin, strict=True)
        assume(all((count - 1) * stride < extent + begin for count, stride, extent, begin in axes))
    operands = types(case.shapes)
    if kind in (ir.Gather, ir.GatherElements, ir.Scatter):
        operands[1] = TensorType(DType.I64, case.shapes[1] or ())
    if kind is ir.BlockMatMul:
        operands[1] = TensorType(DType.U8, case.shapes[1] or ())
    if case.layer.slots[-1:] == ("accumulator",):  # the cases attach one to whole layers, which have none
        operands = operands[: len(case.layer.slots) - 1]
    dtype = DType.I64 if kind is ir.ArgMax else DType.F32
    assert infer(case.layer, operands) == TensorType(dtype, case.out)


@pytest.mark.parametrize(
    ("function", "dtype"),
    [(Function.LESS, DType.BOOL), (Function.NOT, DType.BOOL), (Function.ADD, DType.F16)],
)
def test_element_type_of_functions(function: Function, dtype: DType) -> None:
    layer = ir.Elementwise(**NAME, function=function)
    assert infer(layer, types(((2, 1), (3,)), DType.F16)) == TensorType(dtype, (2, 3))


def test_where_has_the_type_of_its_values() -> None:
    operands = [TensorType(DType.BOOL, (3,)), *types(((2, 1), ()))]
    assert infer(ir.Elementwise(**NAME, function=Function.WHERE), operands) == TensorType(DType.F32, (2, 3))


def test_conversions_take_the_type_that_is_given() -> None:
    cast = ir.Elementwise(**NAME, function=Function.CAST)
    assert infer(cast, types(((4,),)), dtype=DType.I8) == TensorType(DType.I8, (4,))
    with pytest.raises(InternalError, match="element type of a conversion is not given"):
        infer(cast, types(((4,),)))


@pytest.mark.parametrize(
    ("dtype", "sums"),
    [
        (DType.F16, DType.F32),
        (DType.F32, DType.F32),
        (DType.F64, DType.F64),
        (DType.I8, DType.I32),
        (DType.I32, DType.I32),
        (DType.U32, DType.U32),
        (DType.I64, DType.I64),
        (DType.U64, DType.U64),
    ],
)
def test_chunks_chain_partial_sums(dtype: DType, sums: DType) -> None:
    x, partial = types(((4, 5), (5, 6)), dtype), TensorType(sums, (4, 6))
    start = infer(ir.MatMul(**NAME, phase=Phase.START), x)
    add = infer(ir.MatMul(**NAME, phase=Phase.ADD), [*x, None, None, None, partial])
    finish = infer(ir.MatMul(**NAME, phase=Phase.FINISH), [*x, None, None, None, partial])
    assert (start, add, finish) == (partial, partial, TensorType(dtype, (4, 6)))


QUANTISED: list[tuple[ir.Layer, Shapes]] = [
    (ir.MatMul(**NAME), ((4, 5), (5, 6), (6,), (4, 6), (1,))),
    (ir.Elementwise(**NAME, function=Function.MUL, src_scales=(0.5, 0.25), src_zeros=(0, 0)), ((4,), (4,))),
    (ir.Pool(**NAME, **WINDOW, function=PoolFunction.AVERAGE, src_scale=0.5), ((1, 2, 5, 5),)),
    (ir.Reduce(**NAME, function=ReduceFunction.SUM, axes=(1,), count=3, src_scale=0.5), ((2, 3),)),
]


@pytest.mark.parametrize(("layer", "shapes"), QUANTISED, ids=lambda value: getattr(value, "kind", ""))
def test_results_of_quantised_integers_have_the_type_that_is_given(layer: ir.Layer, shapes: Shapes) -> None:
    operands = types(shapes, DType.I8)
    if len(operands) > 4:
        operands[4] = TensorType(DType.F32, (1,))
    for dtype in (DType.I8, DType.U8, DType.F32):
        assert infer(layer, operands, dtype=dtype).dtype is dtype
    with pytest.raises(InternalError, match="a result of i64 of quantised integers"):
        infer(layer, operands, dtype=DType.I64)


def test_tiles_of_pads_have_the_extents_that_are_given() -> None:
    pad = ir.Pad(**NAME, mode=PadMode.CONSTANT, value=0.0, begin=(1, 2), end=(0, 3), origin=(0, 4),
                 src_origin=(0, 2), src_extent=(4, 6))  # fmt: skip
    assert infer(pad, types(((4, 3),)), tile=(5, 7)) == TensorType(DType.F32, (5, 7))
    with pytest.raises(InternalError, match=r"a tile of \(5, 8\) at \(0, 4\) reaches beyond \(5, 11\)"):
        infer(pad, types(((4, 3),)), tile=(5, 8))
    with pytest.raises(InternalError, match=r"a tile of \(4, 5\) at \(0, 2\) reaches beyond \(4, 6\)"):
        infer(pad, types(((4, 5),)), tile=(5, 7))


def test_a_join_reaches_as_far_as_its_operands() -> None:
    join = ir.Join(**NAME, origins=((0, 0), (0, 3)))
    assert infer(join, types(((2, 3), (2, 4)))) == TensorType(DType.F32, (2, 7))


def as_strided(offset: int, strides: tuple[int, ...], shape: tuple[int, ...]) -> ir.AsStrided:
    """Of a block of 2 rows of 3 elements, rows begin every 4."""
    return ir.AsStrided(**NAME, steps=(4, 1), offset=offset, strides=strides, shape=shape)


def test_strides_show_elements_of_the_operand() -> None:
    assert infer(as_strided(6, (-1, -4), (3, 2)), types(((2, 3),))) == TensorType(DType.F32, (3, 2))


POOL = ir.Pool(**NAME, **WINDOW, function=PoolFunction.MAX)
REFUSED: list[tuple[str, ir.Layer, Shapes]] = [
    ("an operand is missing", conv(), ()),
    ("an operand is missing", conv(), (None, (4, 2, 3, 3))),
    ("operand weight is missing", conv(), ((1, 2, 5, 5),)),
    ("2 operands for the slots x\n", ir.Softmax(**NAME, axis=0), ((4,), (4,))),
    ("weight f32.4,3,3,3. for", conv(), ((1, 2, 5, 5), (4, 3, 3, 3))),
    ("weight f32.4,2,3,1. for", conv(), ((1, 2, 5, 5), (4, 2, 3, 1))),
    ("3 channels in 2 groups", conv(groups=2), ((1, 2, 5, 5), (3, 1, 3, 3))),
    ("kernel has 2 entries for rank 1", conv(), ((1, 2, 5), (4, 2, 3))),
    ("a window of 3 does not fit 2 elements padded 0/0", conv(), ((1, 2, 2, 5), (4, 2, 3, 3))),
    ("a window of 3 does not fit", POOL, ((1, 2, 5, 2),)),
    ("a bias of shape", conv(), ((1, 2, 5, 5), (4, 2, 3, 3), (3,))),
    ("a bias of shape", conv(), ((1, 2, 5, 5), (4, 2, 3, 3), (1, 4, 1, 1))),
    ("a residual of shape", conv(), ((1, 2, 5, 5), (4, 2, 3, 3), None, (1, 4, 3, 1))),
    ("a scale f32.3. for", conv(), ((1, 2, 5, 5), (4, 2, 3, 3), None, None, (3,))),
    ("2 scales for 1 operands", ir.Elementwise(**NAME, function=Function.ABS, src_scales=(1.0, 2.0)),
     ((2,),)),
    ("phase whole with an accumulator", conv(),
     ((1, 2, 5, 5), (4, 2, 3, 3), None, None, None, (1, 4, 3, 3))),
    ("phase add without an accumulator", conv(phase=Phase.ADD), ((1, 2, 5, 5), (4, 2, 3, 3))),
    ("the accumulator is f32.1,4,3,2.", conv(phase=Phase.ADD),
     ((1, 2, 5, 5), (4, 2, 3, 3), None, None, None, (1, 4, 3, 2))),
    ("f32.2,3. times f32.4,5", ir.MatMul(**NAME), ((2, 3), (4, 5))),
    ("f32.3. times", ir.MatMul(**NAME), ((3,), (3, 5))),
    ("do not broadcast", ir.MatMul(**NAME), ((2, 4, 3), (3, 3, 5))),
    ("blocks of weights in f32", ir.BlockMatMul(**NAME, bits=4, block=8), ((2, 8), (8, 5))),
    ("a bias of shape", ir.MatMul(**NAME), ((2, 3), (3, 5), (2, 2, 5))),
    ("do not broadcast", ir.Elementwise(**NAME, function=Function.ADD), ((2, 3), (2,))),
    ("an operand is missing", ir.Elementwise(**NAME, function=Function.ADD), ((2, 3), None)),
    ("axes .2,. of", ir.Reduce(**NAME, function=ReduceFunction.SUM, axes=(2,), count=1), ((2, 3),)),
    (r"axes \(1,\) of", ir.Softmax(**NAME, axis=1), ((4,),)),
    (r"axes \(1,\) of", ir.LocalResponseNorm(**NAME, size=3, alpha=1, beta=1, k=1), ((4,),)),
    ("cannot become", ir.Reshape(**NAME, shape=(5,), order=(0, 1)), ((2, 3),)),
    ("cannot become", ir.Reshape(**NAME, shape=(6,), order=(0, 0)), ((2, 3),)),
    ("does not permute", ir.Transpose(**NAME, perm=(0, 2)), ((2, 3),)),
    ("elements 1 to 3 of an axis of 3", ir.Slice(**NAME, start=(1,), step=(1,), shape=(3,)), ((3,),)),
    ("elements 1 to -1 of an axis", ir.Slice(**NAME, start=(1,), step=(-1,), shape=(3,)), ((3,),)),
    ("cannot be repeated", ir.Expand(**NAME, shape=(2, 6)), ((2, 3),)),
    ("differ beside axis 1", ir.Concat(**NAME, axis=1), ((2, 3), (3, 3))),
    ("what is no element", as_strided(0, (1,), (4,)), ((2, 3),)),  # the gap behind a row
    ("what is no element", as_strided(1, (4,), (3,)), ((2, 3),)),
    ("what is no element", as_strided(-1, (1,), (2,)), ((2, 3),)),
    ("steps has 2 entries", as_strided(0, (1,), (2,)), ((2,),)),
    ("strides has 1 entries", as_strided(0, (1,), (2, 2)), ((2, 3),)),
    ("origins has 1 entries", ir.Join(**NAME, origins=((0,),)), ((2,), (2,))),
    ("axis 2 of", ir.Gather(**NAME, axis=2, extent=1), ((2, 3), (1,))),
    ("axis 0 of", ir.GatherElements(**NAME, axis=0), ((2, 3), (1, 1))),  # indices are no floats
    ("axis 0 of", ir.Scatter(**NAME, axis=0), ((2, 3), (1, 1), (1, 3))),
]  # fmt: skip


@pytest.mark.parametrize(("message", "layer", "shapes"), REFUSED)
def test_operands_that_do_not_fit(message: str, layer: ir.Layer, shapes: Shapes) -> None:
    with pytest.raises(InternalError, match=message) as caught:
        infer(layer, types(shapes))
    assert f"layer layer ({layer.kind})" in str(caught.value)


def test_a_whole_layer_reads_a_whole_operand() -> None:
    pad = ir.Pad(**NAME, mode=PadMode.CONSTANT, value=0.0, begin=(1,), end=(0,), origin=(0,),
                 src_origin=(0,), src_extent=(4,))  # fmt: skip
    with pytest.raises(InternalError, match=r"f32.3. where \(4,\) was said"):
        infer(pad, types(((3,),)))


@pytest.mark.parametrize(("shape", "message"), [((2,), "index has 1 entries"), ((1, 4), "reach beyond")])
def test_indices_lie_inside_the_data(shape: tuple[int, ...], message: str) -> None:
    layer = ir.GatherElements(**NAME, axis=0)
    with pytest.raises(InternalError, match=message):
        infer(layer, [TensorType(DType.F32, (2, 3)), TensorType(DType.I64, shape)])

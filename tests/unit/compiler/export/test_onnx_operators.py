"""Every operator that can be imported can be exported again and computes the same; so can every function."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from frontend_evaluator import evaluate, session
from operator_cases import CASES, Case, build, feeds_of

from nnc.compiler.errors import ExportError
from nnc.compiler.export.to_onnx import EMITTERS, to_onnx
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.inference.infer import infer
from nnc.compiler.pipeline import canonicalise
from nnc.isa.functions import (
    OF_BITS,
    Coordinates,
    Function,
    Nearest,
    PadMode,
    PoolFunction,
    RecurrentCell,
    ReduceFunction,
    ResizeMode,
)
from nnc.isa.instruction import Phase
from nnc.isa.types import DType

LOC = ir.Loc("node", "Op")
F32 = DType.F32
QUANTISED = {Function.QUANTIZE, Function.DEQUANTIZE}
LATER = {Function.BITCAST}
"""Functions that the opset of what is written has no operator for."""


def run(graph: Graph, feeds: dict[str, Any]) -> list[Any]:
    model = to_onnx(graph)
    onnx.checker.check_model(model, full_check=True)
    return list(session(model).run(graph.outputs, feeds))


def single(layer: ir.Layer, operands: dict[str, TensorType], result: TensorType) -> Graph:
    """A graph of one layer on network inputs."""
    graph = Graph("one")
    for name, type_ in operands.items():
        graph.add_input(name, type_)
    graph.add(layer, list(operands), ["y"], [result])
    graph.add_output("y")
    return graph


def _id(case: Case) -> str:
    return f"{case}-{case.opsets[-1]}"


@pytest.mark.parametrize("case", [case for case in CASES if case.op != "BitCast"], ids=_id)
def test_operator_and_back(case: Case) -> None:
    graph = import_model(model := build(case, case.opsets[-1]))
    feeds = feeds_of(case, model)
    expected = evaluate(graph, feeds)
    for level in (graph, canonicalise(graph)):
        for want, found in zip(expected.values(), run(level, feeds), strict=True):
            assert want.dtype == found.dtype
            assert want.shape == found.shape
            np.testing.assert_allclose(found, want, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("cell", RecurrentCell)
@pytest.mark.parametrize("backwards", [False, True])
def test_recurrence_and_back(cell: RecurrentCell, backwards: bool) -> None:
    """With all operands, with and without the results of all steps."""
    rng, columns = np.random.default_rng(0), 3 * cell.gates
    states = [(2, 3), (2, 3) if cell.has_cell_state else None]
    shapes = [(4, 2, columns), (3, columns), (3,) if cell is RecurrentCell.GRU_LINEAR else None, *states]
    for sequence in (True, False):
        layer = ir.Recurrence(
            name="layer",
            loc=LOC,
            cell=cell,
            backwards=backwards,
            sequence=sequence,
            cell_state=cell.has_cell_state and sequence,
        )
        graph, feeds = Graph("one"), dict[str, Any]()
        for slot, shape in zip(layer.slots, shapes, strict=True):
            if shape is not None:
                graph.add_input(slot, TensorType(F32, shape))
                feeds[slot] = rng.standard_normal(shape).astype(np.float32)
        reads = [slot if slot in feeds else None for slot in layer.slots]
        graph.add(layer, reads, ["y"], [TensorType(F32, (layer.rows(4), 2, 3))])
        graph.add_output("y")
        np.testing.assert_allclose(run(graph, feeds)[0], evaluate(graph, feeds)["y"], rtol=1e-5, atol=1e-6)


def test_every_kind_has_an_emitter() -> None:
    def leaves(kind: type[ir.Layer]) -> set[type[ir.Layer]]:
        below = kind.__subclasses__()
        return set().union(*map(leaves, below)) if below else {kind}

    # frozen dataclasses with slots are made twice: only those of the module are kinds
    assert set(EMITTERS) == {kind for kind in leaves(ir.Layer) if getattr(ir, kind.__name__, None) is kind}


CELLS = (Function.GATED_TANH, Function.LSTM_STATE, Function.GRU_STATE)


@pytest.mark.parametrize("function", [f for f in Function if f not in QUANTISED | LATER])
def test_every_function_can_be_written(function: Function) -> None:
    truth = {Function.NOT, Function.AND, Function.OR, Function.XOR}
    dtype = DType.BOOL if function in truth else DType.U8 if function in OF_BITS else F32
    type_ = TensorType(dtype, (2, 3))
    several = {Function.WHERE, Function.SCALE_SHIFT, *CELLS}
    count = function.record.sources[0] if function in several else 1
    pairs = (Function.CLIP, Function.HARD_SIGMOID, Function.SELU)
    params = (0.25, 0.5)[: 2 if function in pairs else 1] if count == 1 else ()
    operands = {f"x{i}": type_ for i in range(count)}
    if function is Function.WHERE:
        operands["x0"] = TensorType(DType.BOOL, (2, 3))
    layer = ir.Elementwise(name="n", loc=LOC, function=function, params=params)
    model = to_onnx(single(layer, operands, type_))
    onnx.checker.check_model(model)
    assert model.graph.node[-1].output == ["y"]


@pytest.mark.parametrize("function", LATER)
def test_functions_without_an_operator(function: Function) -> None:
    layer = ir.Elementwise(name="n", loc=LOC, function=function)
    with pytest.raises(ExportError, match="no counterpart in ONNX"):
        to_onnx(single(layer, {"x": TensorType(F32, (2,))}, TensorType(DType.I32, (2,))))


@pytest.mark.parametrize("function", sorted(QUANTISED, key=lambda f: f.value))
def test_scales_along_several_axes_are_refused(function: Function) -> None:
    types = {"x": TensorType(DType.I8, (2, 3)), "scale": TensorType(F32, (2, 3))}
    layer = ir.Elementwise(name="n", loc=LOC, function=function)
    with pytest.raises(ExportError, match="scales vary along several axes") as caught:
        to_onnx(single(layer, types, TensorType(F32, (2, 3))))
    assert caught.value.code == "NNC-E016"
    assert caught.value.where == "layer n, from node (Op)"
    assert caught.value.remedy


# --- forms that only tiles have ----------------------------------------------------------------------------


def test_bounds_of_a_scale_and_shift_are_a_clip() -> None:
    layer = ir.Elementwise(name="n", loc=LOC, function=Function.SCALE_SHIFT, params=(0.0, np.inf))
    operands = {f"x{i}": TensorType(F32, (2, 3)) for i in range(3)}
    model = to_onnx(single(layer, operands, TensorType(F32, (2, 3))))
    onnx.checker.check_model(model)
    assert [node.op_type for node in model.graph.node] == ["Mul", "Add", "Clip"]


def test_modulo_of_floats_has_the_sign_of_the_divisor() -> None:
    graph = single(
        ir.Elementwise(name="n", loc=LOC, function=Function.MOD, params=(-0.75,)),
        {"x": TensorType(F32, (5,))},
        TensorType(F32, (5,)),
    )
    x = np.array([-2, -0.5, 0.25, 1, 3], np.float32)
    np.testing.assert_allclose(run(graph, {"x": x})[0], np.mod(x, np.float32(-0.75)), atol=1e-6)


@pytest.mark.parametrize("pads", [(-1, 2), (1, -2), (-2, -1), (0, 1)])
def test_conv_transpose_with_any_pads(pads: tuple[int, int]) -> None:
    begin, end = pads
    layer = ir.ConvTranspose(
        name="n",
        loc=LOC,
        kernel=(3,),
        stride=(2,),
        dilation=(1,),
        pad_begin=(begin,),
        pad_end=(end,),
        act=Function.RELU,
    )
    types = {"x": TensorType(F32, (1, 2, 5)), "w": TensorType(F32, (2, 3, 3)), "b": TensorType(F32, (3,))}
    graph = single(layer, types, TensorType(F32, (1, 3, 11 - begin - end)))
    rng = np.random.default_rng(0)
    feeds = {name: rng.standard_normal(t.shape).astype(np.float32) for name, t in types.items()}
    np.testing.assert_allclose(
        run(graph, feeds)[0], np.maximum(evaluate(graph, feeds)["y"], 0), rtol=1e-5, atol=1e-6
    )


@pytest.mark.parametrize("mode", ResizeMode)
@pytest.mark.parametrize("dtype", [F32, DType.F64, DType.F16, DType.U8])
def test_tile_of_a_resize(mode: ResizeMode, dtype: DType) -> None:
    """The middle of a row of 6 enlarged to 15, from elements 1 to 4."""

    def resized(origin: int, start: int, held: int, extent: int, type_: DType) -> Graph:
        layer = ir.Resize(
            name="n",
            loc=LOC,
            mode=mode,
            coordinates=Coordinates.HALF_PIXEL,
            nearest=Nearest.FLOOR,
            scales=(1.0, 1.0, 1.0, 2.5),
            origin=(0, 0, 0, origin),
            extent=(1, 1, 1, 15),
            src_origin=(0, 0, 0, start),
            src_extent=(1, 1, 1, 6),
        )
        return single(layer, {"x": TensorType(type_, (1, 1, 1, held))}, TensorType(type_, (1, 1, 1, extent)))

    x = (np.arange(6) ** 2 * 5).reshape(1, 1, 1, 6).astype(dtype.numpy)
    want = run(resized(0, 0, 6, 15, F32), {"x": x.astype(np.float32)})[0][..., 5:11]
    result = run(resized(5, 1, 4, 6, dtype), {"x": x[..., 1:5]})[0]
    assert result.dtype == dtype.numpy
    np.testing.assert_allclose(result, np.trunc(want) if dtype is DType.U8 else want, rtol=1e-3)


@pytest.mark.parametrize("mode", PadMode)
@pytest.mark.parametrize("origin", range(0, 10, 2))
def test_tile_of_a_pad(mode: PadMode, origin: int) -> None:
    """Two elements of a line of 4 with 4 more on both sides, from the elements that they need."""
    whole = np.pad(np.arange(4.0), 4, **_pad_arguments(mode))
    held = 4 if mode is not PadMode.CONSTANT else 2
    start = 0 if held == 4 else min(max(origin - 4, 0), 2)
    layer = ir.Pad(
        name="n",
        loc=LOC,
        mode=mode,
        value=7.0,
        begin=(4,),
        end=(4,),
        origin=(origin,),
        src_origin=(start,),
        src_extent=(4,),
    )
    graph = single(layer, {"x": TensorType(F32, (held,))}, TensorType(F32, (2,)))
    x = np.arange(start, start + held, dtype=np.float32)
    np.testing.assert_array_equal(run(graph, {"x": x})[0], whole[origin : origin + 2])


def _pad_arguments(mode: PadMode) -> dict[str, Any]:
    return {"mode": mode.value} | ({"constant_values": 7.0} if mode is PadMode.CONSTANT else {})


def test_gather_from_a_part_of_an_axis() -> None:
    """Elements 2 to 5 of an axis of 6, one index counted from the end."""
    layer = ir.Gather(name="n", loc=LOC, axis=0, extent=6, src_origin=2)
    types = {"x": TensorType(F32, (4,)), "i": TensorType(DType.I32, (3,))}
    found = run(
        single(layer, types, TensorType(F32, (3,))),
        {"x": np.arange(2, 6, dtype=np.float32), "i": np.array([3, -1, 2], np.int32)},
    )
    np.testing.assert_array_equal(found[0], [3, 5, 2])


@pytest.mark.parametrize("function", [f for f in ReduceFunction if f is not ReduceFunction.LOG_SUM_EXP])
@pytest.mark.parametrize("dtype", [F32, DType.F16])
def test_reduction_in_chunks(function: ReduceFunction, dtype: DType) -> None:
    """Three chunks, partial results in f32."""
    graph = Graph("chunks")
    previous = None
    for number, phase in enumerate((Phase.START, Phase.ADD, Phase.FINISH)):
        graph.add_input(f"x{number}", TensorType(dtype, (2, 4)))
        layer = ir.Reduce(name=f"n{number}", loc=LOC, function=function, axes=(1,), count=12, phase=phase)
        held = TensorType(dtype if phase is Phase.FINISH else F32, (2, 1))
        graph.add(layer, [f"x{number}", *([previous] if previous else [])], [f"y{number}"], [held])
        previous = f"y{number}"
    graph.add_output("y2")
    x = np.abs(np.random.default_rng(0).standard_normal((2, 12))).astype(dtype.numpy) + dtype.numpy.type(0.5)
    whole = single(
        ir.Reduce(name="n", loc=LOC, function=function, axes=(1,), count=12),
        {"x": TensorType(F32, (2, 12))},
        TensorType(F32, (2, 1)),
    )
    result = run(graph, {f"x{i}": x[:, 4 * i : 4 * i + 4] for i in range(3)})[0]
    assert result.dtype == dtype.numpy
    np.testing.assert_allclose(result, evaluate(whole, {"x": x.astype(np.float32)})["y"], rtol=2e-3)


@pytest.mark.parametrize("function", PoolFunction)
@pytest.mark.parametrize("count_pad", [False, True])
@pytest.mark.parametrize(
    ("extent", "kernel", "stride", "dilation", "pads", "ceil"),
    [
        (7, 3, 2, 1, (1, 1), False),
        (8, 3, 2, 1, (1, 1), True),  # the last window reaches beyond the padding
        (4, 2, 3, 2, (0, 0), True),  # by as much as the kernel
        (2, 3, 3, 1, (0, 0), True),  # the tile of a partial window alone
        (6, 2, 1, 2, (2, 2), False),  # padded by more than operators allow
    ],
)
def test_pool_of_any_geometry(
    function: PoolFunction,
    count_pad: bool,
    extent: int,
    kernel: int,
    stride: int,
    dilation: int,
    pads: tuple[int, int],
    ceil: bool,
) -> None:
    layer = ir.Pool(
        name="n",
        loc=LOC,
        function=function,
        kernel=(kernel,),
        stride=(stride,),
        dilation=(dilation,),
        pad_begin=pads[:1],
        pad_end=pads[1:],
        count_pad=count_pad,
        ceil=ceil,
    )
    type_ = TensorType(F32, (1, 2, extent))
    result = infer(layer, [type_])
    x = np.random.default_rng(0).standard_normal((1, 2, extent)).astype(np.float32) - 3
    neutral = -np.inf if function is PoolFunction.MAX else 0
    wide = np.pad(x, ((0, 0), (0, 0), (pads[0], pads[1] + kernel * dilation)), constant_values=neutral)
    counted = np.zeros(wide.shape[-1])
    counted[slice(0, sum(pads) + extent) if count_pad else slice(pads[0], pads[0] + extent)] = 1
    taps = np.arange(result.shape[2])[:, None] * stride + np.arange(kernel) * dilation
    if function is PoolFunction.MAX:
        want = wide[..., taps].max(axis=-1)
    else:
        want = wide[..., taps].sum(axis=-1) / np.maximum(counted[taps].sum(axis=-1), 1)
    np.testing.assert_allclose(run(single(layer, {"x": type_}, result), {"x": x})[0], want, rtol=1e-5)


@pytest.mark.parametrize("pads", [(-1, 1), (2, -1), (-1, -2)])
def test_conv_that_crops(pads: tuple[int, int]) -> None:
    layer = ir.Conv(
        name="n", loc=LOC, kernel=(3,), stride=(1,), dilation=(1,), pad_begin=pads[:1], pad_end=pads[1:]
    )
    types = {"x": TensorType(F32, (1, 1, 8)), "w": TensorType(F32, (1, 1, 3))}
    graph = single(layer, types, TensorType(F32, (1, 1, 6 + sum(pads))))
    x, weight = np.arange(8, dtype=np.float32) + 1, np.array([1, 2, 4], np.float32)
    wide = np.pad(x, 2)[2 - pads[0] : 10 + pads[1]]
    found = run(graph, {"x": x.reshape(1, 1, 8), "w": weight.reshape(1, 1, 3)})[0]
    np.testing.assert_allclose(found.ravel(), np.correlate(wide, weight))


@pytest.mark.parametrize("dtype", [F32, DType.F16, DType.F64])
def test_product_in_chunks(dtype: DType) -> None:
    """Partial sums have their own type; the function is applied once, after bias and residual."""
    graph = Graph("chunks")
    sums = DType.F64 if dtype is DType.F64 else F32
    types = {"a": (2, 12), "b": (12, 3), "bias": (3,), "residual": (2, 3)}
    rng = np.random.default_rng(0)
    values = {name: rng.standard_normal(shape).astype(dtype.numpy) for name, shape in types.items()}
    feeds = {name: values[name] for name in ("bias", "residual")}
    for number in range(3):
        feeds[f"a{number}"] = values["a"][:, 4 * number : 4 * number + 4].copy()
        feeds[f"b{number}"] = values["b"][4 * number : 4 * number + 4]
    for name, value in feeds.items():
        graph.add_input(name, TensorType(dtype, value.shape))
    previous: list[str | None] = []
    for number, phase in enumerate((Phase.START, Phase.ADD, Phase.FINISH)):
        last = phase is Phase.FINISH
        layer = ir.MatMul(name=f"n{number}", loc=LOC, act=Function.RELU, phase=phase)
        addends = ["bias", "residual"] if last else [None, None]
        extra = [] if phase is Phase.START else [*addends, None, *previous]
        type_ = TensorType(dtype if last else sums, (2, 3))
        graph.add(layer, [f"a{number}", f"b{number}", *extra], [f"y{number}"], [type_])
        previous = [f"y{number}"]
    graph.add_output("y2")
    wide = {name: value.astype(np.float64) for name, value in values.items()}
    want = np.maximum(wide["a"] @ wide["b"] + wide["bias"] + wide["residual"], 0)
    (result,) = run(graph, feeds)
    assert result.dtype == dtype.numpy
    np.testing.assert_allclose(result, want, rtol=1e-2, atol=1e-2 if dtype is DType.F16 else 1e-6)


def test_strides_are_elements_by_their_places() -> None:
    """Two rows of three with a gap behind each, read backwards and column by column."""
    layer = ir.AsStrided(name="n", loc=LOC, steps=(4, 1), offset=6, strides=(-1, -4), shape=(3, 2))
    graph = single(layer, {"x": TensorType(F32, (2, 3))}, TensorType(F32, (3, 2)))
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_array_equal(run(graph, {"x": x})[0], x.T[::-1, ::-1])


# --- joins -------------------------------------------------------------------------------------------------

PINWHEEL = [((0, 0), (1, 2)), ((0, 2), (2, 1)), ((2, 1), (1, 2)), ((1, 0), (2, 1)), ((1, 1), (1, 1))]


def joined(boxes: list[tuple[tuple[int, int], tuple[int, int]]], dtype: DType = F32) -> Graph:
    layer = ir.Join(name="n", loc=LOC, origins=tuple(low for low, _ in boxes))
    types = {f"x{i}": TensorType(dtype, shape) for i, (_, shape) in enumerate(boxes)}
    return single(layer, types, TensorType(dtype, (3, 3)))


@pytest.mark.parametrize("dtype", [F32, DType.BOOL, DType.I64])
def test_join_that_no_straight_cut_divides(dtype: DType) -> None:
    whole = np.arange(9).reshape(3, 3).astype(dtype.numpy)
    feeds = {f"x{i}": whole[a : a + m, b : b + n].copy() for i, ((a, b), (m, n)) in enumerate(PINWHEEL)}
    graph = joined(PINWHEEL, dtype)
    assert not any(node.op_type == "Concat" for node in to_onnx(graph).graph.node)
    np.testing.assert_array_equal(run(graph, feeds)[0], whole)


def test_join_of_a_grid_is_one_concat_per_row_and_one_of_the_rows() -> None:
    boxes = [((0, 0), (1, 2)), ((1, 0), (2, 1)), ((0, 2), (1, 1)), ((1, 1), (2, 2))]
    whole = np.arange(9, dtype=np.float32).reshape(3, 3)
    feeds = {f"x{i}": whole[a : a + m, b : b + n].copy() for i, ((a, b), (m, n)) in enumerate(boxes)}
    graph = joined(boxes)
    assert [node.op_type for node in to_onnx(graph).graph.node] == ["Concat"] * 3
    np.testing.assert_array_equal(run(graph, feeds)[0], whole)


@pytest.mark.parametrize("missing", [0, 1, 4])
@pytest.mark.parametrize("dtype", [F32, DType.I64])
def test_gaps_of_a_join_are_poisoned(missing: int, dtype: DType) -> None:
    boxes = [*PINWHEEL[:missing], *PINWHEEL[missing + 1 :]]
    want = np.arange(9).reshape(3, 3).astype(dtype.numpy)
    feeds = {f"x{i}": want[a : a + m, b : b + n].copy() for i, ((a, b), (m, n)) in enumerate(boxes)}
    (a, b), (m, n) = PINWHEEL[missing]
    want[a : a + m, b : b + n] = np.nan if dtype is F32 else 0
    np.testing.assert_array_equal(run(joined(boxes, dtype), feeds)[0], want)


def test_a_join_whose_operands_overlap_is_refused() -> None:
    with pytest.raises(ExportError, match="overlap"):
        to_onnx(joined([*PINWHEEL, PINWHEEL[0]]))


def test_constants_too_large_for_a_file_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = import_model(build(next(c for c in CASES if c.op == "Conv"), 11))
    monkeypatch.setattr("nnc.compiler.export.to_onnx.LARGEST", 100)
    with pytest.raises(ExportError, match="too large"):
        to_onnx(graph)

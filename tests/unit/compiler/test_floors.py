"""Floors: elements that a network needs against a model by brute force; what no program may come below."""

from __future__ import annotations

from math import prod

import numpy as np
import onnx
import pytest
from harness import random_networks_settings
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper, parser
from region_cases import CASES
from region_model import Case, within

from nnc.compiler.floors import floor_bytes, floors
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.needed_elements import RULES, Indices
from nnc.compiler.needed_work import operations, products_of
from nnc.compiler.pipeline import canonicalise, run_pipeline
from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import load_chip
from nnc.isa.instructions import Conv
from nnc.isa.operand import Operand
from nnc.isa.timing.cost import cycles
from nnc.isa.types import DType
from nnc.runtime.session import Session

COMPUTED = [kind for kind in CASES if kind not in (ir.Gather, ir.GatherElements, ir.Scatter)]


# --- which elements are needed -----------------------------------------------------------------------------


def test_every_kind_has_a_rule() -> None:
    assert set(RULES) == set(CASES)


@pytest.mark.parametrize("kind", COMPUTED)
def test_needed_elements_are_those_that_are_read(kind: type[ir.Layer]) -> None:
    """The union of what each needed element of the result reads, neither more nor less."""

    @random_networks_settings(40)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        case = data.draw(CASES[kind])
        share = data.draw(st.sampled_from([0.1, 0.5, 1.0]))
        rng = np.random.default_rng(data.draw(st.integers(0, 999)))
        out = rng.random(case.out) <= share
        for slot, shape in enumerate(case.shapes):
            if shape is not None:
                compare(case, slot, shape, out)

    check()


def compare(case: Case, slot: int, shape: tuple[int, ...], out: np.ndarray) -> None:
    read = np.zeros(shape, dtype=bool)
    is_weight = isinstance(case.layer, ir.SpatialMacLayer) and slot == 1
    for index in np.argwhere(out):
        for element in case.reads(slot, tuple(index.tolist())):
            if within(element, shape) and not (is_weight and is_padding(case, index[2:], element[2:])):
                read[element] = True
    found = RULES[type(case.layer)](case.layer, slot, out, case.shapes, Indices(Graph("none")))
    assert found.shape == shape
    if isinstance(case.layer, ir.CumSum):
        assert not (found & ~read).any()  # the model of the regions reads the whole axis
    else:
        assert (found == read).all()


def is_padding(case: Case, position: np.ndarray, taps: tuple[int, ...]) -> bool:
    """Whether a tap of the window of a result has no element of the source."""
    layer, extents = case.layer, (case.shapes[0] or ())[2:]
    assert isinstance(layer, ir.Conv | ir.ConvTranspose)
    axes = zip(position, taps, extents, layer.stride, layer.dilation, layer.pad_begin, strict=True)
    if isinstance(layer, ir.Conv):
        return any(not 0 <= y * s + k * d - b < x for y, k, x, s, d, b in axes)
    return any((y + b - k * d) % s or not 0 <= (y + b - k * d) // s < x for y, k, x, s, d, b in axes)


# --- which work is needed ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [ir.Conv, ir.ConvTranspose, ir.Pool, ir.LocalResponseNorm])
def test_only_what_has_a_source_is_work(kind: type[ir.Layer]) -> None:
    """Products and operations are those of elements that needed results read; taps on padding are none."""

    @random_networks_settings(60)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        case = data.draw(CASES[kind])
        share = data.draw(st.sampled_from([0.1, 0.5, 1.0]))
        out = np.random.default_rng(data.draw(st.integers(0, 999))).random(case.out) <= share
        source = case.shapes[0] or ()
        read = sum(
            within(element, source)
            for index in np.argwhere(out)
            for element in case.reads(0, tuple(index.tolist()))
        )
        if isinstance(case.layer, ir.SpatialMacLayer):
            products = products_of(graph_of(case), case.layer, out)
            depth = products.depth if kind is ir.ConvTranspose else 1  # it is rounded down to whole pixels
            assert read - depth < products.count <= read
        else:
            assert operations(case.layer, out, source) == read + (kind is ir.LocalResponseNorm) * out.sum()

    check()


def graph_of(case: Case) -> Graph:
    """A network of one layer whose operands are inputs."""
    graph = Graph("case")
    names = [None if shape is None else f"x{slot}" for slot, shape in enumerate(case.shapes)]
    for name, shape in zip(names, case.shapes, strict=True):
        if name is not None and shape is not None:
            graph.add_input(name, TensorType(DType.F32, shape))
    graph.add(case.layer, names, ["y"], [TensorType(DType.F32, case.out)])
    return graph


# --- networks ----------------------------------------------------------------------------------------------


def model_of(
    nodes: list[onnx.NodeProto],
    x: list[int],
    y: list[int],
    kind: int = TensorProto.FLOAT,
    **constants: np.ndarray,
) -> onnx.ModelProto:
    """A model with the input x, an optional input i, constants, and the output y."""
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, x)]
    if any("i" in node.input for node in nodes):
        inputs.append(helper.make_tensor_value_info("i", TensorProto.INT64, [4]))
    graph = helper.make_graph(
        nodes,
        "floors",
        inputs,
        [helper.make_tensor_value_info("y", kind, y)],
        [
            helper.make_tensor(n, helper.np_dtype_to_tensor_dtype(v.dtype), v.shape, v)
            for n, v in constants.items()
        ],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def bytes_of(model: onnx.ModelProto, *overrides: str) -> tuple[int, int]:
    """Floor of the DRAM bytes, and what the compiled program moves."""
    imported = import_model(model)
    program = run_pipeline(imported, load_chip("npu", list(overrides))).program
    return floor_bytes(imported), Session(program).ledger.total


def numbers(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def test_a_network_that_reads_4_of_512_rows() -> None:
    """It had 0.02 times the floor."""
    row = 64 * 4
    node = helper.make_node("Slice", ["x", "b", "e"], ["s"])
    add = helper.make_node("Relu", ["s"], ["y"])
    model = model_of([node, add], [512, 64], [4, 64], b=numbers(100, 0), e=numbers(104, 64))
    assert bytes_of(model) == (8 * row, 8 * row)


@pytest.mark.parametrize(
    ("rate", "cores", "slowest"), [(16, 1, 16), (400, 1, 64), (400, 2, 128), (400, 12, 400)]
)
def test_dma_engines_bound_transfers_where_the_dram_is_faster(rate: int, cores: int, slowest: int) -> None:
    """A core moves 64 bytes per cycle; 50 kB of weights are nearly all that is read."""
    model = parser.parse_model(
        '<ir_version: 8, opset_import: ["": 17]> g (float[1,112] x) => (float[1,112] y) { y = MatMul(x, w) }'
    )
    model.graph.initializer.append(numpy_helper.from_array(np.ones((112, 112), np.float32), "w"))
    chip = load_chip("vdsp12", [f"cores={cores}", f"dram.bytes_per_cycle={rate}"])
    compilation = run_pipeline(import_model(model), chip)
    read, written = 113 * 112 * 4, 112 * 4
    moved = read + written if slowest == rate else read
    assert compilation.floors.dram_cycles == -(-moved // slowest)
    assert compilation.plan.cycles >= compilation.floors.cycles


def test_rows_that_an_index_names_count_once_for_each_entry_or_row() -> None:
    row = 64 * 4
    gather = [helper.make_node("Gather", ["x", "i"], ["s"]), helper.make_node("Relu", ["s"], ["y"])]
    floor, moved = bytes_of(model_of(gather, [512, 64], [4, 64]))
    assert floor == 4 * 8 + 8 * row <= moved
    constant = [helper.make_node("Gather", ["x", "c"], ["s"]), helper.make_node("Relu", ["s"], ["y"])]
    floor, moved = bytes_of(model_of(constant, [512, 64], [4, 64], c=numbers(7, 7, -1, 7)))
    assert floor == 4 * 8 + 2 * row + 4 * row <= moved  # the program reads the index, too
    few = [helper.make_node("Gather", ["x", "i"], ["s"]), helper.make_node("Relu", ["s"], ["y"])]
    assert bytes_of(model_of(few, [3, 64], [4, 64]))[0] == 4 * 8 + 3 * row + 4 * row


def test_two_indices_read_rows_of_their_own() -> None:
    nodes = [
        helper.make_node("Neg", ["i"], ["j"]),
        helper.make_node("Gather", ["x", "i"], ["a"]),
        helper.make_node("Gather", ["x", "j"], ["b"]),
        helper.make_node("Add", ["a", "b"], ["y"]),
    ]
    assert bytes_of(model_of(nodes, [512, 64], [4, 64]))[0] == 4 * 8 + (8 + 4) * 64 * 4


def test_elements_that_an_index_names() -> None:
    nodes = [
        helper.make_node("GatherElements", ["x", "c"], ["s"], axis=0),
        helper.make_node("Relu", ["s"], ["y"]),
    ]
    floor, moved = bytes_of(model_of(nodes, [9, 2], [2, 2], c=np.array([[0, 3], [0, 4]])))
    assert floor == 4 * 8 + 3 * 4 + 4 * 4 <= moved


def test_elements_that_are_replaced() -> None:
    """Neither what the last update replaces is needed, nor an update that another one replaces."""
    nodes = [
        helper.make_node("ScatterElements", ["x", "c", "u"], ["s"], axis=0),
        helper.make_node("Neg", ["s"], ["y"]),
    ]
    updates = np.ones((3, 2), np.float32)
    floor, moved = bytes_of(model_of(nodes, [9, 2], [9, 2], c=np.array([[0, 3], [0, 4], [1, 5]]), u=updates))
    assert floor == 6 * 8 + 5 * 4 + (18 - 5) * 4 + 18 * 4 <= moved


def test_a_convolution_whose_stride_is_beyond_its_kernel() -> None:
    """3 × 3 with stride 9 reads a ninth of its input; the floor counted all of it."""
    weight = np.zeros((16, 16, 3, 3), np.float32)
    conv = helper.make_node("Conv", ["x", "w"], ["y"], strides=[9, 9])
    floor, moved = bytes_of(model_of([conv], [1, 16, 90, 90], [1, 16, 10, 10], w=weight))
    assert floor == 16 * 30 * 30 * 4 + weight.nbytes + 16 * 100 * 4
    assert moved >= floor


def test_scales_of_channels_do_not_pass_the_port_of_results() -> None:
    """8-bit products of a small depth are bound by their results, one byte each; they counted five."""
    text = """<ir_version: 9, opset_import: ["": 21]> g (uint8[1,3,32,32] x) => (uint8[1,64,32,32] y)
    <float s = {0.05}, uint8 z = {7}, int8 zw = {0}> { y = QLinearConv (x, s, z, w, s, zw, s, z) }"""
    model = parser.parse_model(text)
    model.graph.initializer.append(numpy_helper.from_array(np.ones((64, 3, 1, 1), np.int8), "w"))
    graph, chip = import_model(model), load_chip("npu")
    plan = run_pipeline(graph, chip).plan
    found = floors(graph, canonicalise(graph), chip)
    assert found.compute_cycles == 64 * 32 * 32 // chip.compute.result_bytes_per_cycle
    assert found.cycles <= plan.cycles


def test_channels_that_nobody_reads_need_no_weights() -> None:
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["s"]),
        helper.make_node("Slice", ["s", "b", "e", "a"], ["t"]),
        helper.make_node("Relu", ["t"], ["y"]),
    ]
    model = model_of(
        nodes,
        [1, 8, 4, 4],
        [1, 4, 4, 4],
        w=np.ones((16, 8, 1, 1), np.float32),
        b=numbers(2),
        e=numbers(6),
        a=numbers(1),
    )
    floor, moved = bytes_of(model)
    assert floor == 8 * 16 * 4 + 4 * 8 * 4 + 4 * 16 * 4 <= moved
    whole, canonical = import_model(model), canonicalise(import_model(model))
    bounds = floors(whole, canonical, load_chip("npu"))
    assert (bounds.macs, bounds.peak_cycles) == (4 * 16 * 8, 2)  # of a quarter of the channels
    assert bounds.compute_cycles == 8 * 1 + 2


def test_an_output_that_shows_an_element_often_is_written_as_often_as_the_program_says() -> None:
    nodes = [
        helper.make_node("Relu", ["x"], ["r"]),
        helper.make_node("Expand", ["r", "s"], ["y"]),
    ]
    floor, moved = bytes_of(model_of(nodes, [1, 8], [16, 8], s=numbers(16, 8)))
    assert floor <= moved


def test_products_with_padding_are_none() -> None:
    """Convolutions that skip them on vdsp12 had 0.60, 0.66, 0.33, 0.40 and 0.48 times their floors."""
    cases = [
        (12, (1, 448), 7, 1, 384),
        (12, (2, 896), 7, 1, 384),
        (1, (2, 224), 7, 1, 96),
        (1, (1, 512), 3, 1, 96),
        (1, (28, 28), 3, 24, 96),
    ]
    for cores, extents, taps, dilation, channels in cases:
        weight = np.ones((channels, 32, taps, taps), np.float32)
        pad = (taps - 1) // 2 * dilation
        conv = helper.make_node("Conv", ["x", "w"], ["y"], pads=[pad] * 4, dilations=[dilation] * 2)
        graph = import_model(model_of([conv], [1, 32, *extents], [1, channels, *extents], w=weight))
        compilation = run_pipeline(graph, load_chip("vdsp12", [f"cores={cores}"]))
        pairs = prod(inside(extent, taps, dilation) for extent in extents)
        assert compilation.floors.macs == 32 * channels * pairs
        assert compilation.floors.cycles <= compilation.plan.cycles


def inside(extent: int, taps: int, dilation: int) -> int:
    """Pairs of an output and a tap whose element exists, under same padding."""
    shifts = [(tap - (taps - 1) // 2) * dilation for tap in range(taps)]
    return sum(0 <= y + shift < extent for y in range(extent) for shift in shifts)


@pytest.mark.parametrize("op", ["Conv", "ConvTranspose", "MaxPool", "AveragePool"])
@pytest.mark.parametrize("rank", [1, 2, 3])
def test_a_pad_is_padding_once_it_is_merged(op: str, rank: int) -> None:
    """Wide windows on a picture of 3 elements per axis; whatever becomes of the pad, the floors hold."""
    taps, pad = 5, 4
    side = 3 + 2 * pad + taps - 1 if op == "ConvTranspose" else 3 + 2 * pad - taps + 1
    operands = ["p", "w"] if op.startswith("Conv") else ["p"]
    shape = {"strides": [1] * rank, "kernel_shape": [taps] * rank}
    nodes = [helper.make_node("Pad", ["x", "b"], ["p"]), helper.make_node(op, operands, ["y"], **shape)]
    begin = [0, 0, *[pad] * rank]
    model = model_of(
        nodes,
        [1, 8, *[3] * rank],
        [1, 8, *[side] * rank],
        b=numbers(*begin, *begin),
        w=np.ones((8, 8, *[taps] * rank), np.float32),
    )
    for chip in ("npu", "vdsp12"):
        compilation = run_pipeline(import_model(model), load_chip(chip))
        assert compilation.floors.cycles <= compilation.plan.cycles
        if op == "Conv":
            assert compilation.floors.macs == 64 * (3 * taps) ** rank


def tiles_cycles(chip: Chip, channels: list[int], pixels: list[int], depth: int, groups: int) -> int:
    """Cycles of the instructions that compute a layer in tiles of these extents (channels of each group)."""

    def tile(c: int, p: int) -> int:
        def block(*shape: int) -> Operand:
            return Operand.dense("sram", 0, DType.F32, shape)

        geometry = {"stride": (1, 1), "dilation": (1, 1), "pad_begin": (0, 0), "groups": groups}
        src, dst = block(1, 1, p, depth * groups), block(1, 1, p, c * groups)
        return cycles(Conv(src=src, weight=block(1, 1, depth, c * groups), dst=dst, **geometry), chip)

    return sum(tile(c, p) - chip.compute.issue for c in channels for p in pixels)


def conv_model(channels: int, pixels: int, depth: int) -> onnx.ModelProto:
    weight = np.ones((channels, depth, 1, 1), np.float32)
    return model_of(
        [helper.make_node("Conv", ["x", "w"], ["y"])],
        [1, depth, 1, pixels],
        [1, channels, 1, pixels],
        w=weight,
    )


def test_two_tiles_on_different_shapes_of_the_array_are_no_faster_than_the_floor() -> None:
    """24 channels × 48 pixels take 6 steps in one tile; 16 take 3 on 16 × 16, and 8 take 2 on 8 × 32."""
    graph = import_model(conv_model(24, 48, 64))
    found = floors(graph, canonicalise(graph), load_chip("npu"))
    assert found.compute_cycles == 5 * 64
    assert found.compute_cycles <= tiles_cycles(load_chip("npu"), [16, 8], [48], 64, 1)


@random_networks_settings(300)
@given(st.data())
def test_no_tiles_of_a_layer_beat_its_floor(data: st.DataObject) -> None:
    """Random cuts of channels, pixels and the summed axis, in groups or not, lanes along either."""
    shapes = data.draw(st.lists(st.tuples(st.integers(1, 40), st.integers(1, 40)), min_size=1, max_size=3))
    lanes = data.draw(st.sampled_from(["channels", "pixels"]))
    port, rate = data.draw(st.sampled_from([4, 64, 4096])), data.draw(st.integers(1, 64))
    arrays = ",".join(f"'{a}x{b}'" for a, b in shapes)
    chip = load_chip(
        "npu",
        [
            f"compute.arrays.f32=[{arrays}]",
            f"compute.map={lanes}",
            f"compute.result_bytes_per_cycle={port}",
            f"compute.depthwise.f32={rate}",
        ],
    )
    groups = data.draw(st.sampled_from([1, 1, 2, 3]))
    channels = [data.draw(st.integers(1, 50)) for _ in range(data.draw(st.integers(1, 3)))]
    pixels = [data.draw(st.integers(1, 90)) for _ in range(data.draw(st.integers(1, 3)))]
    depth = data.draw(st.integers(1, 40))
    weight = np.ones((groups * sum(channels), depth, 1, 1), np.float32)
    conv = helper.make_node("Conv", ["x", "w"], ["y"], group=groups)
    width = sum(pixels)
    model = model_of([conv], [1, groups * depth, 1, width], [1, groups * sum(channels), 1, width], w=weight)
    graph = import_model(model)
    bounds = floors(graph, canonicalise(graph), chip)
    assert bounds.peak_cycles <= bounds.compute_cycles
    assert bounds.compute_cycles <= tiles_cycles(chip, channels, pixels, depth, groups)

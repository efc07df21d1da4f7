"""Layer groups that keep what is between their layers on chip: M1's patterns, with random weights.

Every network is compiled for the least traffic, so that the group is worth it whatever it costs in cycles.
`check_compiled` insists that results are onnxruntime's, that the verifiers find nothing and that the
predicted bytes are the simulated ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import cycle
from math import prod, sqrt

import numpy as np
import onnx
import pytest
from harness import Checked, check_compiled, chip_of, random_inputs, reference
from onnx import numpy_helper, parser

import nnc
from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.annotations import GroupKind
from nnc.compiler.ir.layers import Join, Slice
from nnc.compiler.pipeline import Compilation, run_pipeline
from nnc.compiler.plan.options import PlanOptions
from nnc.isa.chip.load import load_chip
from nnc.isa.instruction import Engine
from nnc.isa.instructions import Load
from nnc.runtime.measure.ledger import FLOOR_CAUSES

Shapes = dict[str, tuple[int, ...]]
FLOOR_AND_ALIGN = {*FLOOR_CAUSES, "align"}


@dataclass(frozen=True)
class Case:
    """A network, the shapes of its weights, and a memory too small for its activations."""

    text: str
    weights: Shapes
    sram: str


CASES = {
    "bottleneck": Case(
        """(float[1,32,24,24] x) => (float[1,32,24,24] y) {
            c1 = Conv <kernel_shape=[1,1]> (x, w1)  r1 = Relu (c1)
            c2 = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (r1, w2)  r2 = Relu (c2)
            c3 = Conv <kernel_shape=[1,1]> (r2, w3)  s = Add (c3, x)  y = Relu (s)
        }""",
        {"w1": (8, 32, 1, 1), "w2": (8, 8, 3, 3), "w3": (32, 8, 1, 1)},
        "48KiB",
    ),
    "inverse-y": Case(
        """(float[1,8,32,32] x) => (float[1,16,32,32] a, float[1,16,16,16] b) {
            c = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (x, w1)  r = Relu (c)
            a = Conv <kernel_shape=[1,1]> (r, w2)
            b = Conv <kernel_shape=[3,3], pads=[1,1,1,1], strides=[2,2]> (r, w3)
        }""",
        {"w1": (16, 8, 3, 3), "w2": (16, 16, 1, 1), "w3": (16, 16, 3, 3)},
        "48KiB",
    ),
    "nested residual": Case(
        """(float[1,8,32,32] x) => (float[1,16,16,16] y) {
            c1 = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (x, w1)  r1 = Relu (c1)
            c2 = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (r1, w2)  i = Add (c2, r1)  ri = Relu (i)
            c3 = Conv <kernel_shape=[3,3], pads=[1,1,1,1], strides=[2,2]> (ri, w3)
            skip = Conv <kernel_shape=[1,1], strides=[2,2]> (x, w4)  s = Add (c3, skip)  y = Relu (s)
        }""",
        {"w1": (8, 8, 3, 3), "w2": (8, 8, 3, 3), "w3": (16, 8, 3, 3), "w4": (16, 8, 1, 1)},
        "48KiB",
    ),
    "u-net level": Case(
        """(float[1,8,32,32] x) => (float[1,8,32,32] y) {
            c1 = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (x, w1)  r1 = Relu (c1)
            p = MaxPool <kernel_shape=[2,2], strides=[2,2]> (r1)
            c2 = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (p, w2)  r2 = Relu (c2)
            u = ConvTranspose <kernel_shape=[2,2], strides=[2,2]> (r2, w3)
            k = Concat <axis=1> (r1, u)
            y = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (k, w4)
        }""",
        {"w1": (8, 8, 3, 3), "w2": (16, 8, 3, 3), "w3": (16, 8, 2, 2), "w4": (8, 16, 3, 3)},
        "64KiB",
    ),
    "densenet block": Case(
        """(float[1,16,32,32] x) => (float[1,16,32,32] y) {
            a = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (x, w1)  ra = Relu (a)
            k1 = Concat <axis=1> (x, ra)
            b = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (k1, w2)  rb = Relu (b)
            k2 = Concat <axis=1> (x, ra, rb)
            c = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (k2, w3)  rc = Relu (c)
            k3 = Concat <axis=1> (x, ra, rb, rc)
            y = Conv <kernel_shape=[1,1]> (k3, w4)
        }""",
        {"w1": (8, 16, 3, 3), "w2": (8, 24, 3, 3), "w3": (8, 32, 3, 3), "w4": (16, 40, 1, 1)},
        "192KiB",
    ),
    "depthwise-separable chain": Case(
        """(float[1,8,40,40] x) => (float[1,32,20,20] y) {
            a = Conv <kernel_shape=[3,3], pads=[1,1,1,1], group=8> (x, w1)  ra = Relu (a)
            b = Conv <kernel_shape=[1,1]> (ra, w2)  rb = Relu (b)
            c = Conv <kernel_shape=[3,3], pads=[1,1,1,1], strides=[2,2], group=16> (rb, w3)  rc = Relu (c)
            y = Conv <kernel_shape=[1,1]> (rc, w4)
        }""",
        {"w1": (8, 1, 3, 3), "w2": (16, 8, 1, 1), "w3": (16, 1, 3, 3), "w4": (32, 16, 1, 1)},
        "64KiB",
    ),
    "dilated": Case(
        """(float[1,8,40,24] x) => (float[1,8,40,24] y) {
            a = Conv <kernel_shape=[3,3], pads=[2,2,2,2], dilations=[2,2]> (x, w1)  ra = Relu (a)
            b = Conv <kernel_shape=[3,3], pads=[4,4,4,4], dilations=[4,4]> (ra, w2)  rb = Relu (b)
            y = Conv <kernel_shape=[3,1], pads=[3,0,3,0], dilations=[3,1]> (rb, w3)
        }""",
        {"w1": (8, 8, 3, 3), "w2": (8, 8, 3, 3), "w3": (8, 8, 3, 1)},
        "48KiB",
    ),
    "transposed": Case(
        """(float[1,16,16,16] x) => (float[1,4,64,64] y) {
            a = ConvTranspose <kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1], output_padding=[1,1]>
                (x, w1)
            ra = Relu (a)
            b = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (ra, w2)  rb = Relu (b)
            y = ConvTranspose <kernel_shape=[4,4], strides=[2,2], pads=[1,1,1,1]> (rb, w3)
        }""",
        {"w1": (16, 8, 3, 3), "w2": (8, 8, 3, 3), "w3": (8, 4, 4, 4)},
        "64KiB",
    ),
    "channel shuffle": Case(
        """(float[1,8,32,24] x) => (float[1,16,32,24] y) {
            a = Conv <kernel_shape=[1,1], group=2> (x, w1)  ra = Relu (a)
            s = Constant <value_ints=[1,2,8,32,24]> ()  r = Reshape (ra, s)
            t = Transpose <perm=[0,2,1,3,4]> (r)
            z = Constant <value_ints=[1,16,32,24]> ()  u = Reshape (t, z)
            b = Conv <kernel_shape=[3,3], pads=[1,1,1,1], group=16> (u, w2)
            y = Conv <kernel_shape=[1,1], group=2> (b, w3)
        }""",
        {"w1": (16, 4, 1, 1), "w2": (16, 1, 3, 3), "w3": (16, 8, 1, 1)},
        "48KiB",
    ),
    "pixel shuffle": Case(
        """(float[1,4,20,16] x) => (float[1,2,40,32] y) {
            a = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (x, w1)
            b = DepthToSpace <blocksize=2, mode="CRD"> (a)
            y = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (b, w2)
        }""",
        {"w1": (32, 4, 3, 3), "w2": (2, 8, 3, 3)},
        "32KiB",
    ),
    "windows of tokens": Case(
        """(float[1,8,32,24] x) => (float[1,8,32,24] y) {
            a = Conv <kernel_shape=[1,1]> (x, w1)
            s = Constant <value_ints=[1,8,8,4,6,4]> ()  r = Reshape (a, s)
            t = Transpose <perm=[0,2,4,3,5,1]> (r)
            z = Constant <value_ints=[-1,16,8]> ()  u = Reshape (t, z)  m = MatMul (u, w2)  e = Relu (m)
            v = Constant <value_ints=[1,8,6,4,4,8]> ()  f = Reshape (e, v)
            g = Transpose <perm=[0,5,1,3,2,4]> (f)
            q = Constant <value_ints=[1,8,32,24]> ()  h = Reshape (g, q)
            y = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (h, w3)
        }""",
        {"w1": (8, 8, 1, 1), "w2": (8, 8), "w3": (8, 8, 3, 3)},
        "48KiB",
    ),
    **{
        f"average pools, pad {'counts' if counts else 'does not count'}": Case(
            f"""(float[1,8,41,23] x) => (y) {{
                a = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (x, w1)
                p = AveragePool <kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1],
                                 count_include_pad={counts}> (a)
                b = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (p, w2)
                y = AveragePool <kernel_shape=[3,2], pads=[2,1,1,0], count_include_pad={counts}> (b)
            }}""",
            {"w1": (8, 8, 3, 3), "w2": (8, 8, 3, 3)},
            "20KiB",
        )
        for counts in (0, 1)
    },
}
KINDS = {
    "bottleneck": GroupKind.RESIDUAL,
    "inverse-y": GroupKind.INVERSE_Y,
    "nested residual": GroupKind.MIXED,
    "u-net level": GroupKind.RESIDUAL,
    "densenet block": GroupKind.MIXED,
    **dict.fromkeys(list(CASES)[5:], GroupKind.SERIAL),
}
SMALLER = ("16KiB", "24KiB", "32KiB", "56KiB", "80KiB", "128KiB")


def model_of(case: Case) -> onnx.ModelProto:
    model = parser.parse_model(f'<ir_version: 9, opset_import: ["": 20]> network {case.text}')
    for node in model.graph.node:
        node.name = node.output[0]
    rng = np.random.default_rng(0)
    for name, shape in case.weights.items():
        value = rng.standard_normal(shape) / sqrt(prod(shape[1:]))
        model.graph.initializer.append(numpy_helper.from_array(value.astype(np.float32), name))
    return model


def compile_for_traffic(model: onnx.ModelProto, sram: str) -> Compilation:
    """Every byte of DRAM traffic counts, cycles next to nothing."""
    options = PlanOptions(objective="traffic")
    return run_pipeline(import_model(model), chip_of("npu", sram=sram), options=options, verify_each=True)


@cache
def checked(name: str, sram: str) -> Checked:
    model = model_of(CASES[name])
    feeds = random_inputs(model)
    return check_compiled(compile_for_traffic(model, sram), feeds, reference(model, feeds))


@pytest.mark.parametrize("name", CASES)
def test_one_group_in_parts_at_the_floor(name: str) -> None:
    """All layers are one group of the expected kind, cut, and DRAM sees inputs, weights and outputs only.

    Several groups may be as lean, and faster.
    """
    run = checked(name, CASES[name].sram)
    groups = run.compilation.placed.notes.groups
    assert len(groups) > 1 or (groups[0].kind is KINDS[name] and groups[0].parts > 1)
    excess = {cause: count for cause, count in run.session.ledger.whole.items() if count}
    assert excess.keys() <= FLOOR_AND_ALIGN
    moved = sum(excess.get(cause, 0) for cause in FLOOR_CAUSES)
    assert moved == run.compilation.floors.dram_bytes


@pytest.mark.parametrize(("name", "sram"), [*zip(CASES, cycle((None, *SMALLER[1:4])), strict=False)])
def test_pictures_of_a_batch_are_cut_into_rows(name: str, sram: str | None) -> None:
    """Three pictures in the memory of one: nothing but the floor; less memory computes the same.

    Rows of several pictures are not cut where a view reads them in another order.
    """
    case = CASES[name]
    text = case.text.replace("float[1,", "float[3,").replace("ints=[1,", "ints=[3,")
    model = model_of(replace(case, text=text))
    feeds = random_inputs(model)
    run = check_compiled(compile_for_traffic(model, sram or case.sram), feeds, reference(model, feeds))
    whole = run.session.ledger.whole
    assert sum(whole[cause] for cause in FLOOR_CAUSES) == run.compilation.floors.dram_bytes
    if sram is None and "Reshape" not in text:
        assert any("rows" in group.axis for group in run.compilation.placed.notes.groups)
        assert {cause for cause, count in whole.items() if count} <= FLOOR_AND_ALIGN


@pytest.mark.parametrize("sram", ["24KiB", "32KiB", "48KiB"])
def test_wide_pictures_cost_what_tall_ones_do(sram: str) -> None:
    moved = []
    for shape in ("16,80,6", "16,6,80"):
        text = f"""(float[1,{shape}] x) => (y) {{
            a = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (x, w)  ra = Relu (a)
            b = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (ra, w)  rb = Relu (b)
            y = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (rb, w)
        }}"""
        model = model_of(Case(text, {"w": (16, 16, 3, 3)}, sram))
        feeds = random_inputs(model)
        run = check_compiled(compile_for_traffic(model, sram), feeds, reference(model, feeds))
        moved.append(sum(run.session.ledger.whole.values()))
    tall, wide = moved
    assert wide == tall  # the longer axis of a picture is the outer one


def test_wide_pictures_are_balanced_like_tall_ones() -> None:
    """Layers in tiles are weighed too where groups of several turn out to be slow, whichever way they lie."""
    found = []
    for shape in ("32,144,4", "32,4,144"):
        text = f"""(float[1,{shape}] x) => (y) {{
            a = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (x, w)  ra = Relu (a)
            b = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (ra, w)  rb = Relu (b)
            y = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (rb, w)
        }}"""
        model = model_of(Case(text, {"w": (32, 32, 3, 3)}, "128KiB"))
        report = nnc.compile_model(model, overrides=["memory.sram.bytes=128KiB"]).report
        found.append((report.network.figures.dram.total_bytes, report.network.cycles))
    tall, wide = found
    assert wide == tall


@pytest.mark.parametrize(("shape", "sram"), [("96,96", "12KiB"), ("40,120", "12KiB"), ("200,48", "8KiB")])
def test_pixels_are_shuffled_where_they_are_computed(shape: str, sram: str) -> None:
    """Every row of what is shuffled is two lines of the picture: its strips are cut inside of these."""
    text = f"""(float[1,1,{shape}] x) => (y) {{
        a = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (x, v)  b = Relu (a)
        c = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (b, w)  y = DepthToSpace <blocksize=2> (c)
    }}"""
    model = model_of(Case(text, {"v": (8, 1, 3, 3), "w": (4, 8, 3, 3)}, sram))
    feeds = random_inputs(model)
    run = check_compiled(compile_for_traffic(model, sram), feeds, reference(model, feeds))
    assert len(run.compilation.placed.notes.groups) == 1
    whole = run.session.ledger.whole
    assert {cause for cause, count in whole.items() if count} <= {*FLOOR_AND_ALIGN, "overlap"}
    assert whole["overlap"] < whole["input"] / 4  # columns at the borders of strips


def test_scores_of_attention_are_cut_into_rows_of_tokens() -> None:
    """The scores of one head, 36 KiB, never are on chip as a whole, and visit no DRAM."""
    text = """(float[1,2,96,8] q, float[1,2,8,96] k, float[1,2,96,8] v) => (y) {
        s = MatMul (q, k)  p = Softmax <axis=-1> (s)  y = MatMul (p, v)
    }"""
    model = model_of(Case(text, {}, "24KiB"))
    feeds = random_inputs(model)
    run = check_compiled(compile_for_traffic(model, "24KiB"), feeds, reference(model, feeds))
    (group,) = run.compilation.placed.notes.groups
    assert group.parts > 2
    assert {cause for cause, count in run.session.ledger.whole.items() if count} <= FLOOR_AND_ALIGN


def test_heads_of_attention_are_worked_through_one_by_one() -> None:
    """Queries, keys and values of a head are columns of three buffers of tokens, its result of a fourth."""
    text = """(float[1,64,48] q, float[1,64,48] k, float[1,64,48] v) => (y) {
        n = Constant <value_ints=[1,64,3,16]> ()  m = Constant <value_ints=[1,64,48]> ()
        a = Reshape (q, n)  b = Reshape (k, n)  c = Reshape (v, n)
        d = Transpose <perm=[0,2,1,3]> (a)  e = Transpose <perm=[0,2,3,1]> (b)
        f = Transpose <perm=[0,2,1,3]> (c)
        s = MatMul (d, e)  p = Softmax <axis=-1> (s)  r = MatMul (p, f)
        t = Transpose <perm=[0,2,1,3]> (r)  y = Reshape (t, m)
    }"""
    model = model_of(Case(text, {}, "24KiB"))
    feeds = random_inputs(model)
    run = check_compiled(compile_for_traffic(model, "24KiB"), feeds, reference(model, feeds))
    assert set(run.compilation.placed.notes.groups[0].layers) >= set("spr")
    assert {cause for cause, count in run.session.ledger.whole.items() if count} <= FLOOR_AND_ALIGN


@pytest.mark.parametrize("sram", SMALLER)
@pytest.mark.parametrize("name", CASES)
def test_other_memories(name: str, sram: str) -> None:
    """Whatever the memory makes of the network, it computes the same."""
    run = checked(name, sram)
    whole = run.session.ledger.whole
    assert sum(whole[cause] for cause in FLOOR_CAUSES) == run.compilation.floors.dram_bytes


def test_bottleneck_is_the_partitioned_network_of_m1() -> None:
    """P slices, P partial networks and one concat; weights are read before the loop over p."""
    run = checked("bottleneck", CASES["bottleneck"].sram)
    graph, (group,) = run.compilation.placed, run.compilation.placed.notes.groups
    part_of = graph.notes.part_of
    slices = [layer for layer in graph.layers() if graph.inputs_of(layer.name)[:1] == ("x",)]
    assert all(isinstance(layer, Slice) for layer in slices)
    assert [part_of[layer.name].part for layer in slices] == list(range(group.parts))
    (join,) = (layer for layer in graph.layers() if graph.outputs_of(layer.name) == ("y",))
    assert isinstance(join, Join) and len(join.origins) == group.parts
    for layer in group.layers:
        parts = [where.part for name, where in part_of.items() if name.startswith(f"{layer}/p")
                 and graph.layer(name).kind == "conv"]  # fmt: skip
        assert parts == list(range(group.parts))
    weights = [
        layer for layer in graph.layers() if graph.is_constant((*graph.inputs_of(layer.name), None)[0])
    ]
    assert sorted(str(graph.inputs_of(layer.name)[0]) for layer in weights) == ["w1", "w2", "w3"]
    assert all(part_of[layer.name].part == 0 for layer in weights)


def test_bottleneck_has_three_instruction_sets_per_part() -> None:
    run = checked("bottleneck", CASES["bottleneck"].sram)
    (group,) = run.compilation.placed.notes.groups
    engines: dict[int, set[Engine]] = {part: set() for part in range(group.parts)}
    for issued in run.compilation.program.issued:
        engines[issued.note.part].add(issued.instruction.engine)
    assert all(found == set(Engine) for found in engines.values())


def test_inverse_y_partitions_every_output() -> None:
    run = checked("inverse-y", CASES["inverse-y"].sram)
    graph, (group,) = run.compilation.placed, run.compilation.placed.notes.groups
    for output in graph.outputs:
        join = graph.producer(output)
        assert isinstance(join, Join) and len(join.origins) == group.parts


def test_no_interior_tensor_has_a_name_in_dram() -> None:
    """The tensor table knows the network's inputs, outputs and weights, and nothing between its layers."""
    for name, case in CASES.items():
        run = checked(name, case.sram)
        program, placed = run.compilation.program, run.compilation.placed
        known = {*placed.inputs, *placed.outputs, *placed.used_constants()}
        assert {tensor.name.split("[")[0] for tensor in program.tensors} == known, name


@pytest.mark.parametrize(
    "text",
    [
        "h = Relu (g)  c = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (h, w2)  y = Add (c, h)",
        "h = Relu (g)  t = Transpose <perm=[0,1,3,2]> (h)  y = Add (h, t)",
    ],
    ids=["convolution of the residual", "sum with the transposed"],
)
def test_additions_do_not_overwrite_what_they_read_otherwise(text: str) -> None:
    """The operand would be dead after the addition, but its elements are needed in other places too."""
    weights: Shapes = {"w": (8, 8, 1, 1)} | ({"w2": (8, 8, 3, 3)} if "w2" in text else {})
    case = Case(
        f"(float[1,8,12,12] x) => (float[1,8,12,12] y) {{ g = Conv <kernel_shape=[1,1]> (x, w)  {text} }}",
        weights,
        "32KiB",
    )
    model = model_of(case)
    feeds = random_inputs(model)
    check_compiled(compile_for_traffic(model, case.sram), feeds, reference(model, feeds))


# --- what only large pictures on small memories need --------------------------------------------------------


@cache
def large_picture(sram: str) -> Checked:
    """The first layers of VGG: boundary tensors that are larger than the memory."""
    model = models.build("vgg_first5", width=0.25, image=48)
    feeds = random_inputs(model)
    return check_compiled(compile_for_traffic(model, sram), feeds, reference(model, feeds))


def test_strips_of_columns() -> None:
    """Every strip works through all its rows; columns at its border are loaded for both strips."""
    run = large_picture("26KiB")
    assert run.compilation.placed.notes.groups[0].axis == "columns x rows"
    overlap = run.session.ledger.groups[0]["overlap"]
    assert 0 < overlap < run.session.ledger.groups[0]["input"] / 4


def test_the_last_rows_of_a_boundary_stay_on_chip() -> None:
    """They are not written to DRAM, and the group that reads them finds them."""
    run = large_picture("40KiB")
    first, second, *_ = run.compilation.placed.notes.groups
    assert "leaves the last" in first.reason and "finds the last" in second.reason
    graph = run.compilation.placed
    (join,) = (layer for layer in graph.layers() if graph.outputs_of(layer.name) == ("maxpool1",))
    written = sum(graph.types[str(tile)].elements for tile in graph.inputs_of(join.name))
    whole = graph.types["maxpool1"].elements
    assert 0 < written < whole
    assert run.session.ledger.groups[0]["spill"] == written * graph.types["maxpool1"].dtype.itemsize


# --- overlap ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_forced_overlap(name: str) -> None:
    """Kept rows are read once; rows that are computed again (M1 as published) are stored once."""
    model = model_of(CASES[name])
    feeds = random_inputs(model)
    expected = reference(model, feeds)
    graph, chip = import_model(model), chip_of("npu", sram=CASES[name].sram)
    for overlap in ("keep", "recompute"):
        options = PlanOptions(objective="traffic", overlap=overlap)
        run = check_compiled(run_pipeline(graph, chip, options=options, verify_each=True), feeds, expected)
        assert run.session.ledger.whole["overlap"] == 0 or overlap == "recompute"
        layers = run.compilation.placed.layers()
        kept = [layer.name for layer in layers if layer.kind == "copy" and ".move" in layer.name]
        assert not kept or overlap == "keep"


def test_weights_are_read_before_the_loop_over_the_parts() -> None:
    """M1 to the letter: a group's weights are read once, all of them before the input of its first part."""
    convolutions = Case(
        """(float[1,8,24,24] x) => (float[1,8,24,24] y) {
            a = Conv <pads=[1,1,1,1]> (x, w1)  c = Conv <pads=[1,1,1,1]> (a, w2)
            y = Conv <pads=[1,1,1,1]> (c, w3)
        }""",
        {"w1": (16, 8, 3, 3), "w2": (16, 16, 3, 3), "w3": (8, 16, 3, 3)},
        "20KiB",
    )
    model = model_of(convolutions)
    feeds = random_inputs(model)
    chip = load_chip("npu-banked", [f"memory.bank1.bytes={convolutions.sram}"])
    compilation = run_pipeline(
        import_model(model), chip, options=PlanOptions(objective="traffic", overlap="recompute")
    )
    run = check_compiled(compilation, feeds, reference(model, feeds))
    (group,) = run.compilation.placed.notes.groups
    issued = [item.instruction for item in compilation.program.issued]
    read_to = [instruction.dst.memory for instruction in issued if isinstance(instruction, Load)]
    assert group.parts > 1
    assert read_to == ["bank2"] * 3 + ["bank1"] * (len(read_to) - 3)

"""Convolutions with two fixed buffers of input rows (M3): worked figures, random geometries, the choice."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product

import numpy as np
import pytest
from conv_models import Convolution, convolutions, float_conv, integer_conv
from frontend_evaluator import evaluate_all
from harness import (
    check_compiled,
    chip_of,
    kept_if_wrong,
    random_inputs,
    random_networks_settings,
    reference,
)
from hypothesis import assume, example, given
from hypothesis import strategies as st
from small_builders import SIZES

from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import Compilation, canonicalise, run_pipeline
from nnc.compiler.plan.options import CONV_BUFFERS, PlanOptions
from nnc.compiler.plan.planner import make_plan
from nnc.compiler.plan.prices import AskedPrice
from nnc.isa.errors import OptionError
from nnc.isa.instructions import Broadcast, Conv, Load, Store
from nnc.runtime.verifier.redundant_waits import redundant_waits
from nnc.runtime.verifier.verify import verify

M3 = PlanOptions(conv_buffers="m3")
WORKED = Convolution(224, 224, channels=64, outputs=64, pads=(1, 1, 1, 1), bias=False)


@cache
def worked() -> Compilation:
    """224 x 224, 64 to 64 channels, on one core of vdsp12."""
    return run_pipeline(import_model(float_conv(WORKED)), chip_of("vdsp12", "cores=1"), options=M3)


def test_worked_figures() -> None:
    compilation = worked()
    instructions = [item.instruction for item in compilation.program.issued]
    assert Counter(map(type, instructions)) == {Load: 449, Conv: 1340, Store: 448}
    inputs = [i for i in instructions if isinstance(i, Load) and i.dst.memory == "sm"]
    assert Counter(load.src.shape for load in inputs) == {(1, 1, 113, 64): 448}
    assert sum(load.src.nbytes for load in inputs) == 12_959_744
    (prediction,) = compilation.plan.predictions
    assert prediction.dram_bytes == 25_952_256 <= 1.0045 * compilation.floors.dram_bytes
    assert prediction.compute_cycles == 19_574_720 >= 0.97 * prediction.cycles
    assert verify(compilation.program) == []
    (group,) = compilation.plan.groups
    assert group.group.reason.startswith(
        "buffers m3: t 224 = 112 + 112, w1 114, w2 114, r 1, 224 blocks; about 25952256 B and "
    )


def test_two_blocks_hold_all_inputs_and_each_element_comes_once_per_half() -> None:
    loads = [
        item.instruction
        for item in worked().program.issued
        if isinstance(item.instruction, Load) and item.instruction.dst.memory == "sm"
    ]
    second = 64 * 114 * 4
    assert {load.dst.address for load in loads[:2]} == {4, second}  # the first column of buffer 1 is padding
    assert {load.dst.address for load in loads} == {4, second}
    assert all(load.dst.strides == (64 * 114 * 4, 114 * 4, 4, 114 * 4) for load in loads)
    halves = [load for load in loads if load.dst.address == 4]
    assert len({load.src.address for load in halves}) == len(halves) == 224


def test_weights_lie_as_a_matrix_of_taps_per_channel() -> None:
    weights = {
        item.instruction.weight for item in worked().program.issued if isinstance(item.instruction, Conv)
    }
    base = min(weight.address for weight in weights)
    row = 3 * 64 * 4  # of the kernel: three taps of 64 outputs
    assert {weight.address - base for weight in weights} == {0, row, 2 * row}
    assert {weight.strides for weight in weights} == {(row, 64 * 4, 3 * row, 4)}


def test_a_load_waits_for_work_on_its_own_buffer_only() -> None:
    """Between the work on a buffer and its next load, the other buffer is worked on."""
    compilation = worked()
    streams = {
        kind: [i for i in compilation.program.issued if type(i.instruction) is kind] for kind in (Load, Conv)
    }
    buffer_of = [item.instruction.src.address < 64 * 114 * 4 for item in streams[Conv]]
    checked = 0
    for item in streams[Load]:
        for wait in item.waits:
            if wait.engine.value == "compute" and item.instruction.dst.memory == "sm":
                assert buffer_of[wait.index] == (item.instruction.dst.address == 4)
                checked += 1
    assert checked == 446


@st.composite
def chips(draw: st.DrawFn) -> tuple[tuple[str, ...], dict[str, str]]:
    """Cores, and sizes of both memories, of a chip like vdsp12."""
    sizes = {
        "sm": draw(st.sampled_from(["256", "1KiB", "4KiB", "64KiB"])),
        "am": draw(st.sampled_from(["8KiB", "16KiB", "64KiB"])),
    }
    return (f"cores={draw(st.sampled_from([1, 1, 2, 3]))}",), sizes


SEEN: Counter[str] = Counter()
IN_PIECES = Convolution(7, 7, channels=64, outputs=128, pads=(1, 1, 1, 1))
"""On two cores, its weights come in pieces, and as a whole between the first block of rows and the last."""


@random_networks_settings(40)
@example(conv=IN_PIECES, chip=(("cores=2",), {"sm": "8KiB", "am": "64KiB"}), integers=False)
@given(conv=convolutions(), chip=chips(), integers=st.booleans())
def test_random_convolutions(
    conv: Convolution, chip: tuple[tuple[str, ...], dict[str, str]], integers: bool
) -> None:
    """Equal to the reference, verified, no wait without need, traffic as it was priced."""
    assume(max(conv.result[2:]) > 0 < min(conv.result[2:]) and np.prod(conv.result) < 20000)
    overrides, sizes = chip
    target = chip_of("vdsp12", *overrides, **sizes)
    if integers:
        model, feeds = integer_conv(conv)
        graph = canonicalise(import_model(model))
        values = evaluate_all(graph, feeds)
        expected = {name: values[name] for name in graph.outputs}
    else:
        model = float_conv(conv)
        feeds = random_inputs(model)
        expected = reference(model, feeds)
    try:
        compilation = run_pipeline(import_model(model), target, options=M3, verify_each=True)
    except OptionError as error:
        assert "padding" in error.found or "fit" in error.found
        SEEN["refused"] += 1
        return
    with kept_if_wrong(model, f"{conv} on {chip}"):
        check_compiled(compilation, feeds, expected)
        assert redundant_waits(compilation.program) == []
        (planned,) = [p for p in compilation.plan.groups if p.group.buffers is not None]
        assert planned.estimate.dram_bytes == compilation.plan.predictions[planned.group.index].dram_bytes
    figures = planned.group.buffers
    assert figures is not None
    traits = {
        "integers": integers,
        "floats": not integers,
        "one column": figures.t == 1,
        "odd": figures.t1 != figures.t2,
        "chunks": figures.chunks > 1,
        "passes": figures.passes > 1,
        "cores": len(planned.group.cores) > 1,
        "r < k": figures.r < conv.kernel[0],
        "r = k": figures.r == conv.kernel[0],
        "rows < kernel": conv.rows < conv.kernel[0],
    }
    SEEN.update(name for name, present in traits.items() if present)


def test_random_convolutions_are_of_every_sort() -> None:
    """Runs behind the test above, in its process."""
    if SEEN:
        wanted = {"integers", "floats", "one column", "odd", "chunks", "passes", "cores", "r < k", "r = k"}
        assert wanted | {"rows < kernel"} <= set(SEEN), SEEN
        assert SEEN["refused"] < SEEN["floats"] + SEEN["integers"]


# --- the choice --------------------------------------------------------------------------------------------

NETWORKS = {
    "lenet5": lambda: models.build("lenet5"),
    "vgg_first5": lambda: models.build("vgg_first5", image=16, width=0.125),
    "conv": lambda: float_conv(Convolution(27, 27, channels=16, outputs=32, pads=(1, 1, 1, 1))),
}


@pytest.mark.parametrize(
    ("name", "objective"), [*product(NETWORKS, ("traffic", "balanced")), ("conv", "cycles")]
)
def test_auto_is_never_worse_than_rows(name: str, objective: str) -> None:
    target = chip_of("vdsp12", "cores=1", sm="4KiB", am="64KiB")
    graph = canonicalise(import_model(NETWORKS[name]()), chip=target)
    auto, rows = (
        make_plan(graph, target, options=PlanOptions(objective=objective, conv_buffers=choice))
        for choice in ("auto", "rows")
    )
    assert not any(planned.group.buffers for planned in rows.groups)
    asked = AskedPrice.of(objective, target)
    assert asked.worth_of(auto) <= asked.worth_of(rows)


def test_auto_takes_two_buffers_where_they_save_time() -> None:
    """A layer like the worked one, of a quarter of its rows and columns: a tenth faster, for 2 % of bytes."""
    conv = Convolution(54, 54, channels=64, outputs=64, pads=(1, 1, 1, 1), bias=False)
    graph = import_model(float_conv(conv))
    target = chip_of("vdsp12", "cores=1", sm="16KiB", am="288KiB")
    found = {
        choice: run_pipeline(graph, target, options=PlanOptions(conv_buffers=choice))
        for choice in CONV_BUFFERS
    }
    cycles = {choice: found[choice].plan.cycles for choice in found}
    buffers = {choice: found[choice].plan.groups[0].group.buffers for choice in found}
    assert cycles["auto"] == cycles["m3"] < 0.95 * cycles["rows"]
    assert buffers["auto"] == buffers["m3"] is not None
    assert buffers["rows"] is None


def test_a_view_without_what_a_stride_skips_says_what_it_spans() -> None:
    """M3's w1 = (t1 - 1) * stride + k counts columns of the input: the buffers hold every second of them."""
    conv = Convolution(57, 57, channels=16, outputs=96, kernel=(1, 1), stride=(2, 2), bias=False)
    plan = run_pipeline(import_model(float_conv(conv)), chip_of("vdsp12", "cores=1"), options=M3).plan
    assert "t 29 = 15 + 14, w1 15, w2 14 (one column in 2 of 29 and 27)" in plan.groups[0].group.reason


def test_what_cannot_have_two_buffers_says_why() -> None:
    graph = import_model(models.build("mobilenet_v2", **SIZES["mobilenet_v2"]))
    plan = run_pipeline(graph, chip_of("vdsp12", "cores=1"), options=M3).plan
    groups = [planned.group for planned in plan.groups]
    assert any(group.buffers for group in groups)
    depthwise = [group for group in groups if "no buffers m3, it has" in group.reason]
    assert depthwise
    assert all("groups of channels" in group.reason and group.buffers is None for group in depthwise)


@pytest.mark.parametrize(
    ("model", "chip", "found"),
    [
        ("lenet5", "npu", "its features lie in sram"),
        ("mlp-784-1152-10", "vdsp12", "no convolution"),
        ("lenet5", "npu4", "its features lie in sram"),
    ],
)
def test_where_it_can_be_nowhere_it_is_an_error(model: str, chip: str, found: str) -> None:
    with pytest.raises(OptionError, match="no convolution can have its input in two fixed buffers") as caught:
        run_pipeline(import_model(models.build(model)), chip_of(chip), options=M3)
    assert found in str(caught.value)
    assert "--conv-buffers auto" in str(caught.value)


def test_cores_share_the_output_channels() -> None:
    conv = Convolution(12, 12, channels=8, outputs=96, pads=(1, 1, 1, 1))
    model = float_conv(conv)
    feeds = random_inputs(model)
    compilation = run_pipeline(
        import_model(model), chip_of("vdsp12", "cores=3"), options=M3, verify_each=True
    )
    check_compiled(compilation, feeds, reference(model, feeds))
    assert compilation.plan.groups[0].group.cores == (0, 1, 2)
    sent = [
        item.instruction for item in compilation.program.issued if isinstance(item.instruction, Broadcast)
    ]
    assert len(sent) == 2  # all rows fit: one load for each half
    assert {send.cores for send in sent} == {0b111}

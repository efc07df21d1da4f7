"""Several cores: M2's worked example, splits of all kinds, results that do not depend on their number."""

from __future__ import annotations

from functools import cache

import numpy as np
import onnx
import pytest
from harness import check_compiled, check_model, random_inputs, reference
from onnx import numpy_helper, parser

from nnc import models
from nnc.compiler.floors import ordered_floor
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import Compilation, canonicalise, run_pipeline
from nnc.compiler.plan import scheduled
from nnc.compiler.plan import step as steps
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.prices import AskedPrice
from nnc.isa.chip.load import load_chip
from nnc.isa.instruction import Engine
from nnc.isa.instructions import Broadcast, Gemm, Load
from nnc.models.builder import NetBuilder
from nnc.runtime.verifier.redundant_waits import redundant_waits

NETWORKS = ("mlp-784-1152-10", "lenet5", "resnet18", "mobilenet_v2", "squeezenet", "unet")
COUNTS = (1, 2, 3, 5, 12)
"""Numbers of cores; every network is tried on two of them, all of them by two networks or more."""
ALL = (1 << 12) - 1


def even(model: onnx.ModelProto, *overrides: str) -> Compilation:
    chip = load_chip("vdsp12", list(overrides))
    return run_pipeline(import_model(model), chip, options=PlanOptions(split="even"), verify_each=True)


def test_the_worked_example_of_m2() -> None:
    """784 × 1152 in 12 parts of 784 × 96; 10 columns do not divide by 12: core 0 alone, input to all."""
    model = models.build("mlp-784-1152-10")
    compilation = even(model)
    feeds = random_inputs(model)
    check_compiled(compilation, feeds, reference(model, feeds))
    first, second, *_ = compilation.plan.groups
    assert (first.group.parts, first.group.cores) == (12, tuple(range(12)))
    assert first.core_reason == "12 cores by columns: 96 of 1152 columns each"
    assert second.group.cores == (0,)
    assert second.core_reason == "core 0: 10 columns do not divide by 12 cores"
    issued = compilation.program.issued
    products = [(item.core, item.instruction) for item in issued if isinstance(item.instruction, Gemm)]
    assert [core for core, _ in products] == [*range(12), 0]
    assert {p.weight.shape for _, p in products[:12]} == {(784, 96)}
    assert products[-1][1].weight.shape == (1152, 10)
    sent = [(item.core, item.instruction) for item in issued if isinstance(item.instruction, Broadcast)]
    assert [(core, b.cores, b.dst.memory, b.dst.shape[-1]) for core, b in sent] == [
        (0, ALL, "sm", 784),
        (0, ALL, "sm", 1152),
    ]
    loads = [
        i.core for i in issued if isinstance(i.instruction, Load) and i.instruction.dst.shape == (784, 96)
    ]
    assert sorted(loads) == list(range(12)), "every core loads its own columns"


def test_a_small_matrix_stays_on_one_core() -> None:
    nbytes = 784 * 1152 * 4
    small = even(models.build("mlp-784-1152-10"), f"split_bytes={nbytes + 1}")
    assert f"{nbytes} B of weights are fewer than" in small.plan.groups[0].core_reason
    assert even(models.build("mlp-784-1152-10"), f"split_bytes={nbytes}").plan.groups[0].group.parts == 12


SMALL_MATRIX = """
<ir_version: 8, opset_import: ["" : 17]>
small (float[1,{rows}] x) => (float[1,{columns}] y) {{ y = MatMul(x, w) }}
"""


@pytest.mark.parametrize(("rows", "columns", "cores"), [(48, 24, 1), (84, 48, 12)])
def test_the_preset_size_of_the_rule(rows: int, columns: int, cores: int) -> None:
    """4608 B are fewer than the 8192 of the chip, and faster on one core; 16128 B are neither."""
    model = parser.parse_model(SMALL_MATRIX.format(rows=rows, columns=columns))
    values = np.random.default_rng(0).standard_normal((rows, columns), dtype=np.float32)
    model.graph.initializer.append(numpy_helper.from_array(values, "w"))
    found = even(model)
    (planned,) = found.plan.groups
    assert len(planned.group.cores) == cores
    assert ("4608 B of weights are fewer than split_bytes = 8192" in planned.core_reason) == (cores == 1)
    other = even(model, f"split_bytes={0 if cores == 1 else 10**6}")
    assert len(other.plan.groups[0].group.cores) != cores
    assert found.plan.cycles < other.plan.cycles


def test_the_input_is_broadcast_before_the_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """Core 0 sends what all wait for; behind its own weights, the same broadcast takes 130 cycles more."""
    model = models.build("mlp-784-1152-10")
    early = even(model)
    first = next(i.instruction for i in early.program.issued if i.instruction.engine is Engine.READ)
    assert isinstance(first, Broadcast)
    monkeypatch.setattr(scheduled, "broadcasts_first", lambda graph, demand: None)
    late = even(model)
    first = next(i.instruction for i in late.program.issued if i.instruction.engine is Engine.READ)
    assert isinstance(first, Load)
    assert early.plan.cycles < late.plan.cycles


def test_even_without_broadcast_loads_the_input_everywhere() -> None:
    compilation = even(models.build("mlp-784-1152-10"), "dma.broadcast=false")
    assert not any(isinstance(item.instruction, Broadcast) for item in compilation.program.issued)
    loads = [i for i in compilation.program.issued if isinstance(i.instruction, Load)]
    assert sum(load.instruction.dst.shape == (1, 784) for load in loads) == 12


@pytest.mark.parametrize(
    ("name", "cores"),
    [(name, COUNTS[(first + step) % len(COUNTS)]) for first, name in enumerate(NETWORKS) for step in (0, 2)],
)
def test_any_number_of_cores(name: str, cores: int) -> None:
    """Equal to onnxruntime, clean, as predicted; one core is enough only where more cost no less."""
    size = {} if name.startswith("mlp") else {"image": 32, "width": 0.25}
    chip = load_chip("vdsp12", [f"cores={cores}"])
    compilation = check_model(models.build(name, **size), chip).compilation
    program, plan = compilation.program, compilation.plan
    used = {item.core for item in program.issued}
    assert used <= set(range(cores))
    if len(used) == 1 < cores:  # then those that share the work cost no less: its bytes come to them all
        asked, fastest = AskedPrice.of("balanced", chip), PlanOptions(objective="cycles")
        shared = check_model(models.build(name, **size), chip, options=fastest).compilation.plan
        assert asked.worth_of(plan) <= asked.worth_of(shared)
    assert redundant_waits(program) == []


def test_the_reason_names_what_the_ways_cost() -> None:
    chip = load_chip("npu4")
    model = import_model(models.build("vgg_first5", image=64))
    options = PlanOptions("traffic", effort="O1")
    compilation = run_pipeline(model, chip, options=options)
    reasons = {planned.core_reason for planned in compilation.plan.groups if len(planned.group.cores) > 1}
    assert any("estimated cycles: " in reason and "one core at least" in reason for reason in reasons)
    assert {where.reason for where in compilation.placed.notes.part_of.values()} >= reasons
    for planned in compilation.plan.groups:
        assert planned.core_reason in planned.group.reason
        assert planned.group.reason in {info.reason for info in compilation.program.groups}


@cache
def shared_bottlenecks(cores: int) -> Compilation:
    """The first stage of ResNet-50 on cores that have room for groups of several layers."""
    overrides = [f"cores={cores}", "memory.sram.bytes=1MiB", "dram.bytes_per_cycle=64"]
    model = models.build("resnet50", image=64, width=0.25)
    return check_model(model, load_chip("npu4", overrides)).compilation


@pytest.mark.parametrize("cores", [2, 4])
def test_cores_share_fused_groups(cores: int) -> None:
    """Each core has rows or columns of its own; only the group's inputs, outputs and weights visit DRAM."""
    compilation = shared_bottlenecks(cores)
    groups = compilation.plan.groups
    shared = [p for p in groups if len(p.group.cores) > 1 and len(p.group.layers) > 3]
    assert shared
    for planned in shared:
        assert "weights go to all, what two cores need both compute" in planned.core_reason
        computing = {step.core for step in planned.steps if isinstance(step, steps.Compute)}
        assert computing == set(planned.group.cores)
    assert redundant_waits(compilation.program) == []


@pytest.mark.parametrize(("rows", "tail"), [(13, "pool"), (16, "pool"), (16, "depthwise")])
def test_the_last_layers_of_a_shared_group_run_in_slices_of_channels(rows: int, tail: str) -> None:
    """The widest result is on no core whole, and does not visit DRAM."""
    net = NetBuilder("wide", (1, 32, rows, 16), width=1, seed=3)
    wide = net.relu(net.conv(net.relu(net.conv(net.input, 32, 3, pad=1)), 512, 1))
    last = net.pool(wide, 2, 2) if tail == "pool" else net.conv(wide, 512, 3, pad=1, groups=512)
    chip = load_chip("npu4", ["memory.sram.bytes=48KiB", "dram.bytes_per_cycle=4"])
    compilation = check_model(net.finish(last), chip).compilation
    (planned,) = compilation.plan.groups
    assert len(planned.group.cores) == 4
    assert redundant_waits(compilation.program) == []


def test_weights_of_a_shared_group_are_read_once_for_all_cores() -> None:
    compilation = shared_bottlenecks(4)
    constants = compilation.canonical.constants
    whole = sum(compilation.canonical.types[tensor].nbytes for tensor in constants)
    loads = [
        step for group in compilation.plan.groups for step in group.steps if isinstance(step, steps.Load)
    ]
    loaded = [step for step in loads if step.tile.tensor in constants]
    assert {step.receivers for step in loaded} <= {(), (0, 1, 2, 3)}
    assert any(step.receivers for step in loaded)
    assert sum(step.tile.type.nbytes for step in loaded) == whole


def test_cores_store_rows_of_their_own() -> None:
    """What two cores compute both is stored by one of them."""
    compilation = shared_bottlenecks(4)
    for group in compilation.plan.groups:
        stored: dict[str, int] = {}
        for step in group.steps:
            if isinstance(step, steps.Store):
                stored[step.tile.tensor] = stored.get(step.tile.tensor, 0) + step.tile.type.elements
        types = compilation.canonical.types
        assert stored == {tensor: types[tensor].elements for tensor in stored}


def test_without_broadcast_groups_are_not_shared() -> None:
    """Weights would come once for every core."""
    overrides = ["dma.broadcast=false", "memory.sram.bytes=1MiB"]
    model = models.build("resnet18", image=32, width=0.25)
    compilation = check_model(model, load_chip("npu4", overrides)).compilation
    for group in compilation.placed.notes.groups:
        assert len(group.cores) == 1 or len(group.layers) == 1


@pytest.mark.parametrize("size", ["64KiB", "256KiB", "1MiB"])
def test_no_plan_beats_the_floor_of_finite_memories(size: str) -> None:
    """Two large products in a row after a convolution: their weights come last, and memories hold few."""
    overrides = [f"memory.sram.bytes={size}", "dram.bytes_per_cycle=4"]
    chip = load_chip("npu4", overrides)
    compilation = check_model(models.build("lenet5", width=4), chip).compilation
    floor = ordered_floor(compilation.canonical, chip)
    assert 0 < floor <= compilation.plan.cycles


def test_weights_that_wait_for_a_layer_come_after_it() -> None:
    """c is done before the second product can use any weights; the first may have used all of its own."""
    text = """<ir_version: 9, opset_import: ["" : 20]>
    chain (float[1,1,32,32] x) => (float[1,5000] y) {
        c = Conv <pads=[1,1,1,1]> (x, w0)
        f = Flatten (c)
        p = MatMul (f, w1)
        y = MatMul (p, w2)
    }"""
    model = parser.parse_model(text)
    for number, shape in enumerate([(8, 1, 3, 3), (8 * 32 * 32, 64), (64, 5000)]):
        model.graph.initializer.append(numpy_helper.from_array(np.ones(shape, np.float32), f"w{number}"))
    chip = load_chip("npu", ["memory.sram.bytes=1KiB"])
    floor, room = ordered_floor(canonicalise(import_model(model)), chip), 1024
    conv, product = (macs // 256 for macs in (8 * 32 * 32 * 9, 8 * 32 * 32 * 64))  # 256 multipliers
    late = (64 * 5000 * 4 - room) // chip.dram.bytes_per_cycle
    assert conv + late <= floor <= conv + product + late

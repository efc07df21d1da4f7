"""Staging copies: where groups keep their tiles, in which tiles a layer is computed, and what that costs."""

from __future__ import annotations

from math import prod

import numpy as np
import onnx
import pytest
from harness import chip_file, chip_of
from onnx import parser

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.regions.operand_boxes import Boxes, needed
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.fusion.candidates import shared_candidates
from nnc.compiler.plan.fusion.capacity import Capacity
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.fusion.fused_order import FusedOrder
from nnc.compiler.plan.fusion.structure_cache import StructureCache
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.network.frontier import Frontier, Prefixes
from nnc.compiler.plan.network.layer_cycles import LayerCycles
from nnc.compiler.plan.network.orders import orders_of
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.staging import GroupMemories, StagedLayer, Staging
from nnc.compiler.plan.options import BALANCED, GroupPrice, PlanOptions
from nnc.compiler.plan.place.live_ranges import Touches
from nnc.compiler.plan.place.placement import allocate_blocks
from nnc.compiler.plan.planner import make_plan
from nnc.compiler.plan.prices import AskedPrice
from nnc.compiler.plan.search.group_search import find_candidates
from nnc.compiler.plan.step import Compute
from nnc.compiler.plan.steps.expansions import Expansions
from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import load_chip
from nnc.models.builder import NetBuilder


def convolutions(count: int, width: int = 40, channels: int = 16, rows: int = 24) -> onnx.ModelProto:
    """A chain of 3x3 convolutions on pictures of so many rows."""
    net = NetBuilder("chain", (1, channels, rows, width), width=1, seed=1)
    x = net.input
    for _ in range(count):
        x = net.relu(net.conv(x, channels, 3, pad=1))
    return net.finish(x)


def network_of(model: onnx.ModelProto) -> PlanNetwork:
    graph = canonicalise(import_model(model))
    return PlanNetwork(graph, orders_of(graph)[0])


def staging_of(chip: Chip, network: PlanNetwork) -> Staging:
    found = GroupMemories.of(chip, network)
    assert isinstance(found, GroupMemories)
    return Staging(chip, found)


@pytest.mark.parametrize(
    ("chip", "home", "store", "slots"),
    [
        ("npu", "sram", "sram", {}),
        ("npu-banked", "bank1", "bank2", {}),
        ("vdsp12", "am", "am", {0: "sm"}),
        ("far-sm", "am", "am", {0: "sm"}),
        ("three-memories", "sram", "sram", {0: "fram", 1: "wram", 2: "wram"}),
    ],
)
def test_where_groups_keep_their_tiles(chip: str, home: str, store: str, slots: dict[int, str]) -> None:
    network = network_of(convolutions(1))
    staging = staging_of(chip_of(chip), network)
    assert staging.memories == GroupMemories(home, store)
    assert staging.slots(network, 0) == slots


def test_results_that_no_dma_reaches_are_not_kept() -> None:
    found = GroupMemories.of(chip_of("far-results"), network_of(convolutions(1)))
    assert isinstance(found, Infeasible)
    assert "acc" in str(found)


@pytest.mark.parametrize("sm", ["1KiB", "3KiB", "8KiB", "20KiB", "64KiB"])
def test_tiles_cover_the_box_and_fit(sm: str) -> None:
    """Every element of a box is in one tile, and what a tile needs of the picture fits SM."""
    network = network_of(convolutions(1))
    chip = chip_of("vdsp12", sm=sm)
    staging = staging_of(chip, network)
    low, shape = (0, 0, 3, 0), (1, 16, 14, 40)
    whole = network.graph.types[network.defines[0]].shape
    seen = np.zeros(whole, dtype=np.int64)
    tiles = list(staging.boxes(network, 0, (low, shape)))
    for start, extent in tiles:
        ends = tuple(a + n for a, n in zip(start, extent, strict=True))
        seen[tuple(slice(a, b) for a, b in zip(start, ends, strict=True))] += 1
        need = needed(network.layers[0], 0, Boxes.of((start, ends)), network.shapes[0], whole)
        assert prod(int(n) for n in need.boxes.extents[0]) * 4 <= chip.memory["sm"].bytes
    assert seen.sum() == prod(shape)
    assert seen[:, :, 3:17].min() == 1
    assert len(tiles) > 1 or sm == "64KiB"


@pytest.mark.parametrize("how", ["", "strides=[2,2]", "strides=[3,1], dilations=[2,1]"])
def test_what_tiles_read_is_put_together_axis_by_axis(how: str) -> None:
    """A tile in the middle, and the next one, read what the region rules say."""
    comma = ", " if how else ""
    text = f"""<ir_version: 8, opset_import: ["": 17]>
    g (float[1,8,61,40] x, float[8,8,5,3] w) => (float[1,n,h,m] y)
    {{ y = Conv<pads=[2,1,2,1]{comma}{how}>(x, w) }}"""
    network = network_of(parser.parse_model(text))
    layer = LayerCycles(network, load_chip("vdsp12"), 0)
    _, channels, rows, columns = whole = layer.whole
    for tile in ((1, channels, a, b) for a in range(1, rows + 1) for b in range(1, columns + 1, 3)):
        for shift in (0, 1):
            low = tuple(min((n - m) // 2 + shift, n - m) for n, m in zip(whole, tile, strict=True))
            box = Boxes.of((low, tuple(a + n for a, n in zip(low, tile, strict=True))))
            need = needed(network.layers[0], 0, box, network.shapes[0], whole).boxes
            assert layer.extents(0, tile, shift) == tuple(need.extents[0]), tile


def test_what_fits_in_no_tile_is_left_alone() -> None:
    """One pixel of a 3x3 convolution of 16 channels takes 576 B."""
    network = network_of(convolutions(1))
    assert staging_of(chip_of("vdsp12", sm="576"), network).is_possible(network, 0)
    assert not staging_of(chip_of("vdsp12", sm="512"), network).is_possible(network, 0)


def test_no_tiles_of_the_same_bytes_are_cheaper() -> None:
    """The tiles that are chosen beat rows alone and columns alone."""
    network = network_of(convolutions(1, width=224, channels=64))
    staging = staging_of(load_chip("vdsp12"), network)
    shape = (1, 64, 14, 224)
    layer = StagedLayer(load_chip("vdsp12"), network, 0, {0: "sm"}, {"sm": 65536}, "am")
    cost = staging.cycles(network, 0, shape)
    assert cost == layer.cycles(shape)
    for other in ((1, 64, 1, 75), (1, 64, 14, 14), (1, 64, 2, 56)):
        assert cost <= layer._cycles(shape, other)


@pytest.mark.parametrize(("chip", "error"), [("vdsp12", 0.02), ("three-memories", 0.04)])
@pytest.mark.parametrize("sizes", [{}, {"sm": "4KiB", "fram": "4KiB"}])
def test_work_is_estimated_as_it_is_done(chip: str, error: float, sizes: dict[str, str]) -> None:
    """Within 2 % (4 % where features have a memory of their own): copies at borders differ from others."""
    memories = chip_of(chip).memory
    sized = [f"memory.{name}.bytes={size}" for name, size in sizes.items() if name in memories]
    target = load_chip(chip_file(chip), [*sized, "cores=1"])
    graph = canonicalise(import_model(convolutions(3, rows=40)))
    candidates = find_candidates(graph, target, PlanOptions(), lambda *_: None)
    choice = candidates.sequences_for(AskedPrice.of("traffic", target))[0]
    plan = make_plan(graph, target, options=PlanOptions(objective="traffic"))
    assert len(choice) == len(plan.groups)
    for group, prediction in zip(choice, plan.predictions, strict=True):
        work = prediction.compute_cycles
        assert isinstance(group, FusedChoice)
        assert abs(group.cost.compute_cycles - work) <= error * work
    steps = [step for group in plan.groups for step in group.steps]
    assert {step.layer.kind for step in steps if isinstance(step, Compute)} == {"copy", "conv"}


ATTENTION = """
<ir_version: 8, opset_import: ["" : 17]>
attention (float[1,12,16] x) => (float[1,12,16] y) {
    t = Transpose<perm = [0, 2, 1]>(x)
    s = MatMul(x, t)
    p = Softmax<axis = -1>(s)
    z = Relu(x)
    y = MatMul(p, z)
}
"""


def test_an_activation_may_be_the_weight_of_a_product() -> None:
    """On `npu-banked` it is copied to the bank of the weights, so that the product is not alone."""
    graph = canonicalise(import_model(parser.parse_model(ATTENTION)))
    network = PlanNetwork(graph, orders_of(graph)[0])
    chip = load_chip("npu-banked")
    staging = staging_of(chip, network)
    assert [staging.slots(network, p) for p in range(len(network.layers))].count({1: "bank2"}) == 2
    assert [len(g.group.layers) for g in make_plan(graph, chip).groups] == [len(network.layers)]


@pytest.mark.parametrize("rows", [7, 14])
def test_cores_in_lockstep_take_no_more_of_a_small_memory_than_one(rows: int) -> None:
    """Cores with other numbers of rows work in other tiles, and each needs place for its own only."""
    chip = chip_of("vdsp12", sm="2KiB", am="32KiB")  # weights come in blocks
    network = network_of(convolutions(3, width=8, channels=32, rows=rows))
    capacity = Capacity.of(chip, network)
    assert isinstance(capacity, Capacity)
    order = FusedOrder(0, network, chip, capacity, StructureCache())
    price = GroupPrice(BALANCED, chip.dram.bytes_per_cycle)
    frontier, expansions = (
        Frontier(Prefixes([[layer.name for layer in network.layers]]), price),
        Expansions([network], [order], chip, {}),
    )
    spans = [(end, range(end + 1)) for end in range(3)]
    shared = [choice for span in spans for choice in shared_candidates(order, span, frontier, set())]
    assert shared
    for choice in shared:
        (group,) = expansions.expand([choice])
        if group.steps:
            assert allocate_blocks(Touches(group.steps), chip)["sm"].peak <= chip.memory["sm"].bytes, (
                choice.cut
            )

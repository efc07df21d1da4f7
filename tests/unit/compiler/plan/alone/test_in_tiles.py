"""Which tilings of a layer the search may choose among: the fastest, and the leanest of about its speed."""

from __future__ import annotations

from contextlib import suppress

import pytest
from fusion_networks import network_of
from pass_harness import graph_of
from tiling_cases import candidates, small_chip
from wide_products import wide_products

from nnc import models
from nnc.compiler.errors import CapacityError
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.layers import MacLayer
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.alone.core_split import core_splits
from nnc.compiler.plan.alone.in_tiles import TiledLayers
from nnc.compiler.plan.alone.layer_alone import Candidate
from nnc.compiler.plan.alone.tile_search import LayerSearch
from nnc.compiler.plan.alone.tiled_layer import TiledLayer
from nnc.compiler.plan.effort import EFFORTS
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.options import OBJECTIVES, GroupPrice, Objective, PlanOptions
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import load_chip

PIXELS = ("(float[1,728,16,16] x) => (y) { y = Conv (x, w) }", {"w": (728, 728, 1, 1)})
"""Pixels of 45.5 bursts: chunks of their channels begin within bursts; the leanest tiling has one buffer."""
CHIP = small_chip(512 * 1024)


def offered(network: PlanNetwork, position: int, chip: Chip, objective: str) -> list[Candidate]:
    """The tilings that a layer's choices begin with."""
    tiled = TiledLayers(chip, PlanOptions(), {}, [OBJECTIVES[objective]])
    return [choice.best for choice in tiled.choices(0, network, position)]


def test_a_tiling_far_too_slow_hides_no_lean_one() -> None:
    network = network_of(canonicalise(graph_of(*PIXELS)))
    fastest, lean = offered(network, 0, CHIP, "balanced")
    assert lean.cycles <= 1.1 * fastest.cycles
    assert lean.dram_bytes < 0.8 * fastest.dram_bytes
    _, leanest = offered(network, 0, CHIP, "traffic")
    assert leanest.dram_bytes < lean.dram_bytes
    assert leanest.cycles > 1.25 * fastest.cycles


@pytest.mark.parametrize("seed", range(8))
def test_the_leanest_of_those_near_the_fastest_is_offered(seed: int) -> None:
    network, chip = network_of(canonicalise(import_model(wide_products(seed)))), small_chip(32 * 1024)
    for position, layer in enumerate(network.layers):
        if not isinstance(layer, MacLayer):
            continue
        tilings = candidates(network.graph, layer, chip)
        near = [mine.dram_bytes for mine in tilings if mine.cycles <= 1.25 * tilings[0].cycles]
        found = offered(network, position, chip, "balanced")
        assert min(mine.dram_bytes for mine in found) <= 1.005 * min(near)
        assert all(mine.cycles <= 1.25 * tilings[0].cycles for mine in found)


@pytest.mark.parametrize("cores", [3, 12])
@pytest.mark.parametrize("name", ["lenet5", "resnet18"])
def test_no_mapping_is_dropped_that_costs_less(name: str, cores: int) -> None:
    """By no price that chooses among tilings; splits that are alike, such as rows and columns, are one."""
    network = network_of(canonicalise(import_model(models.build(name, image=32, width=0.25))))
    chip, effort = load_chip("npu4", [f"cores={cores}", "memory.sram.bytes=16KiB"]), EFFORTS["O2"]
    prices = [GroupPrice(Objective(1.0, weight), chip.dram.bytes_per_cycle) for weight in effort.weights]
    for position, layer in enumerate(network.layers):
        search = LayerSearch(TiledLayer(network.graph, layer, chip), effort)
        found = offered(network, position, chip, "balanced")
        every = list[Candidate]()
        for split in [None, *core_splits(network.graph, layer, chip)]:
            with suppress(CapacityError):
                every += search.candidates(split, chip, percent=2.0)[:1]
        for price in prices:
            least, mine = (min(map(price.of_all, ([one] for one in those))) for those in (every, found))
            assert mine <= TUNING.tiles.above_least**2 * least

"""Which tilings of a layer the search may choose among: the fastest, and the leanest of about its speed."""

from __future__ import annotations

import pytest
from fusion_networks import network_of
from pass_harness import graph_of
from tiling_cases import small_chip
from wide_products import wide_products

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.layers import MacLayer
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.tiling.core_mapping import TiledLayers
from nnc.compiler.plan.tiling.layer_moves import LayerMoves
from nnc.compiler.plan.tiling.tile_price import Candidate
from nnc.compiler.plan.tiling.tile_search import candidates
from nnc.isa.chip.description import Chip

PIXELS = ("(float[1,728,16,16] x) => (y) { y = Conv (x, w) }", {"w": (728, 728, 1, 1)})
"""Pixels of 45.5 bursts: chunks of their channels begin within bursts; the leanest tiling has one buffer."""
CHIP = small_chip(512 * 1024)


def offered(network: PlanNetwork, position: int, chip: Chip, objective: str) -> list[Candidate]:
    """The tilings that a layer's choices begin with."""
    tiled = TiledLayers(chip, PlanOptions(objective=objective), {})
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
        tilings = candidates(LayerMoves(network.graph, layer, chip))
        near = [mine.dram_bytes for mine in tilings if mine.cycles <= 1.25 * tilings[0].cycles]
        found = offered(network, position, chip, "balanced")
        assert min(mine.dram_bytes for mine in found) <= 1.005 * min(near)
        assert all(mine.cycles <= 1.25 * tilings[0].cycles for mine in found)

"""The tile search against brute force: all tilings of small layers, at many sizes of the memory."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import cache

import pytest
from hypothesis import given, settings
from tiling_cases import LARGER, all_priced, candidates, case, random_layers, small_chip, tiles_of

from nnc.compiler.errors import CapacityError
from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.alone.layer_alone import Candidate, by_cycles, steps_of_cores
from nnc.compiler.plan.alone.tiled_layer import TiledLayer
from nnc.compiler.plan.place.live_ranges import Touches
from nnc.compiler.plan.place.lockstep import merged
from nnc.compiler.plan.place.placement import allocate_blocks, fits

NEAR = 1.05
"""What the leanest candidate moves at most, beside the leanest tiling of all."""


@dataclass(frozen=True)
class Priced:
    """Bytes that a tiling holds and moves."""

    held: int
    moved: int


def brute_force(tiles: TiledLayer) -> list[Priced]:
    """All tilings of a layer, with one buffer for everything, which fits where two do not."""
    found = []
    for priced in all_priced(tiles):
        if not priced.tiling.double_buffer:
            found.append(Priced(priced.demand(double=False)["sram"], priced.dram_bytes))
    return found


@cache
def all_of(name: str) -> list[Priced]:
    """All tilings of a case."""
    return brute_force(tiles_of(name, small_chip(2**20), LARGER))


def search(name: str, sram: int) -> list[Candidate]:
    """What the search finds for a case."""
    return candidates(*case(name, LARGER), small_chip(sram))


@pytest.mark.parametrize("name", LARGER)
def test_leanest_candidate_is_near_the_leanest_of_all(name: str) -> None:
    """And something is found if anything fits at all."""
    tilings = all_of(name)
    least, whole = (pick(tiling.held for tiling in tilings) for pick in (min, max))
    for part in (1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24):
        sram = max(least, int(whole / part))
        best = min(tiling.moved for tiling in tilings if tiling.held <= sram)
        found = min(candidate.dram_bytes for candidate in search(name, sram))
        assert best <= found <= NEAR * best, (sram, part)
    assert search(name, least)
    with pytest.raises(CapacityError, match=f"sram {least - 1} B < {least} B needed by y at tiles of"):
        search(name, least - 1)


@settings(deadline=None, max_examples=12)
@given(random_layers(300))
def test_leanest_candidate_of_a_random_layer_is_near_the_leanest_of_all(graph: Graph) -> None:
    (layer,) = graph.layers()
    tilings = brute_force(TiledLayer(graph, layer, small_chip(2**20)))
    least, whole = (pick(tiling.held for tiling in tilings) for pick in (min, max))
    for part in (2, 4, 8, 16):
        sram = max(least, int(whole / part))
        best = min(tiling.moved for tiling in tilings if tiling.held <= sram)
        found = candidates(graph, layer, small_chip(sram))
        assert best <= min(candidate.dram_bytes for candidate in found) <= NEAR * best, (sram, part)


@pytest.mark.parametrize("name", LARGER)
def test_candidates_fit_and_can_be_placed(name: str) -> None:
    graph, layer = case(name, LARGER)
    least = min(tiling.held for tiling in all_of(name))
    for sram in (least, 5 * least):
        chip = small_chip(sram)
        for candidate in search(name, sram)[:2]:
            assert candidate.demand["sram"] <= sram
            steps = merged(steps_of_cores(graph, layer, chip, candidate.cut))
            assert steps is not None and fits(allocate_blocks(Touches(steps), chip), chip)


def test_best_comes_first() -> None:
    """The leanest of those within 2 % of the fastest; half a percent of traffic is worth less than a tile."""
    found = search("convolution", 1000)
    fast = [mine for mine in found if mine.cycles <= 1.02 * min(other.cycles for other in found)]
    least = min(mine.dram_bytes for mine in fast)
    assert found[0] in fast and found[0].dram_bytes <= 1.005 * least
    assert found[0].steps == min(mine.steps for mine in fast if mine.dram_bytes <= 1.005 * least)
    fastest = by_cycles(found, 0.0)
    assert fastest[0].cycles == min(mine.cycles for mine in found) and len(found) > 5
    assert [mine.cycles for mine in fastest] == sorted(mine.cycles for mine in found)


def test_search_says_what_it_found(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="nnc.compiler.plan.alone"):
        found = search("matrix product", 1000)
    fitting, best = caplog.messages
    assert fitting.startswith("y: ") and fitting.endswith("tilings fit") and best == f"y: best {found[0]}"

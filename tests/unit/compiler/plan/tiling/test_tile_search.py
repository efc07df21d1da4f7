"""The tile search against brute force: all tilings of small layers, at many sizes of the memory."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import cache

import pytest
from tiling_cases import LARGER, all_tilings, case, small_chip

from nnc.compiler.errors import CapacityError
from nnc.compiler.plan.expand.lockstep import merged
from nnc.compiler.plan.expand.tiled_group import Expander
from nnc.compiler.plan.schedule.placement import allocate_blocks, fits
from nnc.compiler.plan.tiling.tile_extents import LayerTiles
from nnc.compiler.plan.tiling.tile_price import demand_of, pieces_of, price
from nnc.compiler.plan.tiling.tile_search import candidates


@dataclass(frozen=True)
class Priced:
    """Bytes that a tiling holds and moves."""

    held: int
    moved: int


@cache
def brute_force(name: str) -> list[Priced]:
    """All tilings of a layer, with one buffer for everything, which fits where two do not."""
    tiles = LayerTiles(*case(name, LARGER), small_chip(2**20))
    found = []
    for tiling in all_tilings(tiles):
        if not tiling.double_buffer:
            pieces = pieces_of(tiles, tiling)
            demand = demand_of(tiles, tiling, pieces, double=False)
            found.append(Priced(demand["sram"], price(tiles, tiling, pieces, demand).dram_bytes))
    return found


@pytest.mark.parametrize("name", LARGER)
def test_leanest_candidate_is_near_the_leanest_of_all(name: str) -> None:
    """The bounds that `candidates` states; and that something is found if anything fits at all."""
    tilings = brute_force(name)
    least, whole = (pick(tiling.held for tiling in tilings) for pick in (min, max))
    for part, bound in ((1, 1.0), (1.5, 1.5), (2, 1.5), (3, 1.5), (4, 1.5), (8, 4), (12, 4), (16, 4)):
        sram = int(whole / part)
        best = min(tiling.moved for tiling in tilings if tiling.held <= sram)
        found = min(candidate.dram_bytes for candidate in candidates(*case(name, LARGER), small_chip(sram)))
        assert best <= found <= bound * best, (sram, part)
    assert candidates(*case(name, LARGER), small_chip(least))
    with pytest.raises(CapacityError, match=f"sram {least - 1} B < {least} B needed by y at tiles of"):
        candidates(*case(name, LARGER), small_chip(least - 1))


@pytest.mark.parametrize("name", LARGER)
def test_candidates_fit_and_can_be_placed(name: str) -> None:
    graph, layer = case(name, LARGER)
    least = min(tiling.held for tiling in brute_force(name))
    for sram in (least, 5 * least):
        chip = small_chip(sram)
        for candidate in candidates(graph, layer, chip)[:2]:
            assert candidate.demand["sram"] <= sram
            steps = merged([Expander(graph, layer, chip, candidate.tiling).steps()])
            assert steps is not None and fits(allocate_blocks(steps, chip), chip)


def test_best_comes_first() -> None:
    found = candidates(*case("convolution", LARGER), small_chip(1000))
    best = min(candidate.cycles for candidate in found[:32])
    ranks = [candidate.rank(best) for candidate in found[:32]]
    assert ranks == sorted(ranks) and len(found) > 32


def test_search_says_what_it_found(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="nnc.compiler.plan.tiling"):
        found = candidates(*case("matrix product", LARGER), small_chip(1000))
    assert f"y: {len(found)} tilings fit, best {found[0]}" in caplog.messages

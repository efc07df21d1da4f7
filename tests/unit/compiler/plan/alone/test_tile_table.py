"""Prices of tilings against the steps that they become: every tiling of small layers is expanded."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from tiling_cases import LARGER, LAYERS, all_priced, case, small_chip, tiles_of, transfers

from nnc.compiler.plan.alone.core_split import core_splits
from nnc.compiler.plan.alone.tile_table import PricedTiling, TileTable
from nnc.isa.integers import round_up

SAME_PIECE = ("grouped convolution", "transposed convolution")
"""Neighbouring tiles may need the very same piece: channels of a group, rows from one row of the source."""


@pytest.mark.parametrize("name", LAYERS)
def test_dram_bytes_are_those_of_the_steps(name: str) -> None:
    """Of all tilings, with bursts of one byte (whole plans are held by test_estimates)."""
    graph, layer = case(name)
    chip = small_chip(2**20, "dram.burst=1")
    tiles = tiles_of(name, chip)
    for priced in all_priced(tiles):
        if not priced.tiling.double_buffer:
            loads, stores = transfers(graph, layer, chip, priced.tiling)
            moved = sum(tile.type.nbytes for tile in (*loads, *stores))
            assert moved == priced.dram_bytes, priced.tiling


@pytest.mark.parametrize("name", ["matrix product", "product of two results", "strided convolution"])
def test_tiles_abreast_load_what_they_share_once(name: str) -> None:
    """Bytes are those of the steps; sums of all tiles abreast are on chip, of what is loaded two."""
    graph, layer = case(name)
    chip = small_chip(2**20, "dram.burst=1")
    tiles, fewer = tiles_of(name, chip), 0
    for priced in all_priced(tiles, (2, 3)):
        tiling = priced.tiling
        count = tiles.counts(tiling.tile)[tiling.loops[-1]]
        if not tiling.double_buffer or count % tiling.abreast:
            continue
        loads, stores = transfers(graph, layer, chip, tiling)
        assert sum(tile.type.nbytes for tile in (*loads, *stores)) == priced.dram_bytes, tiling
        fewer += priced.dram_bytes < PricedTiling.of(tiles, replace(tiling, abreast=1)).dram_bytes
        changes = Counter(tile.tensor for tile in loads)
        align = chip.block_align("sram")
        blocks = {tile.tensor: round_up(tile.block.nbytes, align) for tile in loads}
        held = sum(size * (2 if changes[name] > 1 else 1) for name, size in blocks.items())
        held += tiling.abreast * round_up(stores[0].block.nbytes, align)
        assert priced.demand(double=True) == {"sram": held}, tiling
    assert fewer > 10


@pytest.mark.parametrize("name", LAYERS)
def test_whole_bursts_cost_no_less(name: str) -> None:
    bytes_of = []
    for burst in (1, 4, 64):
        tiles = tiles_of(name, small_chip(2**20, f"dram.burst={burst}"))
        tilings = [priced for priced in all_priced(tiles) if not priced.tiling.double_buffer]
        bytes_of.append([priced.dram_bytes for priced in tilings])
    assert bytes_of[0] == bytes_of[1]  # an element has 4 bytes
    assert all(one <= many for one, many in zip(*bytes_of[1:], strict=True))


@pytest.mark.parametrize("name", LAYERS)
def test_demand_is_one_block_of_everything_or_two_of_what_changes(name: str) -> None:
    graph, layer = case(name)
    chip = small_chip(2**20)
    tiles = tiles_of(name, chip)
    for priced in all_priced(tiles):
        tiling = priced.tiling
        loads, stores = transfers(graph, layer, chip, tiling)
        changes = Counter(tile.tensor for tile in (*loads, *stores))
        align = chip.block_align("sram")
        blocks = {tile.tensor: round_up(tile.block.nbytes, align) for tile in (*loads, *stores)}
        twice = tiling.double_buffer
        expected = sum(size * (2 if twice and changes[name] > 1 else 1) for name, size in blocks.items())
        # Partial sums are f32, as the result is: it takes their place.
        assert priced.demand(double=twice) == {"sram": expected}, tiling


@pytest.mark.parametrize("cores", [1, 4])
@pytest.mark.parametrize("name", LARGER)
def test_a_table_agrees_with_tilings_one_by_one(name: str, cores: int) -> None:
    """Bytes on chip and computations exactly; traffic with bursts of a byte."""
    chip = small_chip(2**20, "dram.burst=1", f"cores={cores}")
    splits = core_splits(*case(name, LARGER), chip) or [None]
    for split in (splits[0], splits[-1]):
        tiles = tiles_of(name, chip, LARGER, split)
        extents = [sorted({extent, (extent + 1) // 2, 1}, reverse=True) for extent in tiles.shape]
        if name == "grouped convolution":
            extents[1] = [4, 2, 1] if split is None or tiles.shape[1] > 4 else [tiles.shape[1]]
        table = TileTable(tiles, extents, [None, 2] if tiles.chunked else [None])
        allowed = table.allowed().ravel()
        loops = tuple(range(len(tiles.shape)))
        traffic, steps = table.dram_bytes(loops).ravel(), table.steps.ravel()
        demands = [table.demand(double=double)["sram"].ravel() for double in (False, True)]
        two_demands = table.demand(double=True, abreast=2)["sram"].ravel()
        for row in range(len(traffic)):
            if not allowed[row]:
                continue
            tiling = table.tiling(row, loops, double=False)
            priced, alone = PricedTiling(table, tiling, row), PricedTiling.of(tiles, tiling)
            for double in (False, True):
                assert priced.demand(double=double) == {"sram": demands[double][row]}
                assert alone.demand(double=double) == priced.demand(double=double)
            assert priced.candidate(chip) == alone.candidate(chip)
            assert steps[row] == priced.candidate(chip).steps
            if tiling.chunk is not None and tiles.counts(tiling.tile)[loops[-1]] % 2 == 0:
                two = PricedTiling(table, replace(tiling, abreast=2), row)
                assert name in SAME_PIECE or table.dram_bytes(loops, 2).ravel()[row] == two.dram_bytes
                assert two.demand(double=True) == {"sram": two_demands[row]}
            exact = traffic[row] == priced.dram_bytes
            assert exact or (traffic[row] > priced.dram_bytes and name in SAME_PIECE)

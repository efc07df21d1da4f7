"""Cycles of tilings: those of too many computations are not scheduled, and seem no faster for it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from nnc.compiler.plan.alone import tile_cycles
from nnc.compiler.plan.alone.tile_cycles import Stream, pipeline_cycles
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.load import load_chip

CHIP = load_chip("npu")


@pytest.mark.parametrize("seed", range(40))
def test_transfers_and_work_in_turn_take_no_less_than_scheduled(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(seed)
    chunks, tiles = draw.choice((1, 1, 2, 5)), draw.randrange(1, 13)
    loads = [
        Stream(draw.randrange(1, 4096), draw.randrange(1, 4096), chunks * draw.randrange(1, 4), 2)
        for _ in range(draw.randrange(1, 4))
    ]
    stores = Stream(draw.randrange(1, 4096), draw.randrange(1, 4096), chunks, draw.randrange(1, 3))
    work, steps = draw.randrange(1, 4000), chunks * tiles
    scheduled = pipeline_cycles(CHIP, loads, work, steps, stores)
    monkeypatch.setattr(TUNING, "tiles", replace(TUNING.tiles, max_scheduled=0))
    in_turn = pipeline_cycles(CHIP, loads, work, steps, stores)
    assert scheduled <= in_turn


def test_a_tiling_of_millions_of_computations_is_priced_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """In 2,048 chunks to a tile, the pace would show after thousands of computations."""
    monkeypatch.setattr(tile_cycles, "schedule", None)
    load, stores = Stream(64, 64, 1, 1), Stream(64, 64, 2048, 1)
    each = CHIP.dram.latency + -(-64 // CHIP.dram.bytes_per_cycle)
    assert pipeline_cycles(CHIP, [load], 5, 1 << 20, stores) == 5 + ((1 << 20) + (1 << 9)) * each

"""Tiles that are summed side by side: when they are found, and what they save."""

from __future__ import annotations

import pytest
from pass_harness import graph_of
from tiling_cases import candidates, planned_alone, small_chip, tiling_of

from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.alone.tile_shapes import tilings_abreast
from nnc.compiler.plan.alone.tile_table import PricedTiling
from nnc.compiler.plan.alone.tiled_layer import TiledLayer
from nnc.compiler.plan.effort import EFFORTS
from nnc.compiler.plan.step import Compute, Load

TOKENS = ("(float[100,384] x) => (y) { y = MatMul (x, w) }", {"w": (384, 768)})
"""None of its tensors fits 128 KiB."""
CHIP = small_chip(128 * 1024)


def layer_of(case: tuple[str, dict[str, tuple[int, ...]]] = TOKENS) -> TiledLayer:
    graph = canonicalise(graph_of(*case))
    (layer,) = graph.layers()
    return TiledLayer(graph, layer, CHIP)


def test_they_are_as_fast_and_move_less() -> None:
    """Of what is within 2 % of the fastest, the leanest loads the rows once for several tiles."""
    tokens = layer_of()
    best, *others = candidates(tokens.graph, tokens.layer, CHIP)
    alone = [mine for mine in others if tiling_of(mine).abreast == 1 and mine.cycles <= 1.02 * best.cycles]
    assert tiling_of(best).abreast > 1
    assert all(best.dram_bytes < 0.9 * mine.dram_bytes for mine in alone)


def test_all_fit_with_two_buffers() -> None:
    tiles = layer_of()
    found = tilings_abreast(tiles, EFFORTS["O2"].tilings)
    assert found and len(set(found)) == len(found)
    for tiling in found:
        assert tiling.double_buffer and tiling.chunk is not None
        assert PricedTiling.of(tiles, tiling).candidate(CHIP).demand["sram"] <= CHIP.memory["sram"].bytes


@pytest.mark.parametrize("text", ["y = MaxPool <kernel_shape=[3,3]> (x)", "y = Softmax (x)"])
def test_what_sums_nothing_has_none(text: str) -> None:
    layer = layer_of((f"(float[1,64,24,24] x) => (y) {{ {text} }}", {}))
    assert tilings_abreast(layer, EFFORTS["O2"].tilings) == []


def test_a_chunk_of_the_rows_comes_once_for_its_tiles() -> None:
    """Steps: rows, then weights and sums of every tile; a part is the tiles that share them."""
    tokens = layer_of()
    (group,) = planned_alone(tokens.graph, CHIP, "balanced").groups
    x, w = tokens.graph.inputs_of(tokens.layer.name)
    rows = [step for step in group.steps if isinstance(step, Load) and step.tile.tensor == x]
    weights = [step for step in group.steps if isinstance(step, Load) and step.tile.tensor == w]
    computed = [step for step in group.steps if isinstance(step, Compute)]
    assert len(weights) == len(computed) >= 2 * len(rows)
    assert [step.part for step in computed] == sorted(step.part for step in computed)
    assert len({(step.part, step.tile.low) for step in rows}) == len(rows)

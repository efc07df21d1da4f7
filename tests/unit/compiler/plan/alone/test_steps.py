"""Steps of layers in tiles: each element of the result is stored once, of what was made before."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiling_cases import random_layers, shrunk_chip, tiling_of

from nnc.compiler.errors import CapacityError
from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.alone.steps import TileSteps
from nnc.compiler.plan.alone.tile_search import LayerSearch
from nnc.compiler.plan.alone.tiled_layer import TiledLayer
from nnc.compiler.plan.effort import EFFORTS
from nnc.compiler.plan.step import Compute, Load, Store


@pytest.mark.parametrize("chip_name", ["npu", "npu4", "vdsp12"])
@settings(deadline=None, max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(graph=random_layers(3000), part=st.sampled_from([2, 4, 8]))
def test_every_element_is_stored_once_and_made_before(chip_name: str, graph: Graph, part: float) -> None:
    (layer,) = graph.layers()
    chip = shrunk_chip(chip_name, graph, part)
    tiled = TiledLayer(graph, layer, chip)
    search = LayerSearch(tiled, EFFORTS["O2"])
    for split in (None, *search.splits):
        try:
            candidates = search.candidates(split, chip, 2.0)
        except CapacityError:
            continue
        for candidate in (candidates[0], candidates[-1]):
            tiling = tiling_of(candidate)
            stored, there = np.zeros(tiled.out.shape, dtype=int), set[str]()
            for core in range(tiling.cores):  # the first one gets what it broadcasts
                for _, step in TileSteps(tiled, tiling, core).all():
                    if isinstance(step, Load):
                        there.add(step.tile.name)
                    elif isinstance(step, Compute):
                        assert {tile.name for tile in step.ins if tile is not None} <= there
                        there.add(step.out.name)
                    elif isinstance(step, Store):
                        assert step.tile.name in there
                        low, shape = step.tile.low, step.tile.type.shape
                        stored[tuple(slice(a, a + n) for a, n in zip(low, shape, strict=True))] += 1
            assert (stored == 1).all(), tiling

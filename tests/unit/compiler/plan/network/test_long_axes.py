"""Axes of millions of elements: what is looked at does not grow with them."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from bad_models import parse

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.regions.boxes import places_along
from nnc.compiler.pipeline import run_pipeline
from nnc.isa.chip.load import load_chip


def test_memory_for_many_pictures_is_bounded() -> None:
    """Boxes of all of them took 250 bytes of each."""
    graph = import_model(parse("g (float[524288,1,1,2] x) => (y) { y = GlobalAveragePool(x) }"))
    tracemalloc.start()
    try:
        run_pipeline(graph, load_chip("npu"))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100 << 20


@pytest.mark.parametrize("extent", [0, 1, 65536, 200_000])
def test_pieces_are_all_places(extent: int) -> None:
    pieces = list(places_along(extent))
    assert np.array_equal(np.concatenate(pieces), np.arange(extent))
    assert all(len(piece) <= 65536 for piece in pieces)

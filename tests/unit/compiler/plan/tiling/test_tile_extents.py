"""Extents of tiles against the region rules: what every single tile needs, box by box."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest
from tiling_cases import LAYERS, all_tilings, case, small_chip

from nnc.compiler.ir.regions.operand_boxes import Boxes, needed
from nnc.compiler.plan.tiling.tile_extents import LayerTiles
from nnc.compiler.plan.tiling.tiling import Tiling

PADDED = {
    "padded": (
        "(float[1,8,10,10] x) => (y) { y = Conv <pads=[1,1,1,1]> (x, w) }",
        {"w": (4, 8, 3, 3)},
    )
}
Box = tuple[tuple[int, ...], tuple[int, ...]]


def output_tiles(tiles: LayerTiles, tile: tuple[int, ...]) -> dict[tuple[int, ...], Box]:
    """Number of every output tile along each axis, and its box."""
    found = {}
    for place in product(*(range(count) for count in tiles.counts(tile))):
        low = tuple(number * extent for number, extent in zip(place, tile, strict=True))
        high = (min(a + b, end) for a, b, end in zip(low, tile, tiles.shape, strict=True))
        found[place] = (low, tuple(high))
    return found


def needed_box(tiles: LayerTiles, slot: int, box: Box) -> Box:
    """The box of an operand that an output box needs."""
    boxes = needed(tiles.layer, slot, Boxes.of(box), tiles.shapes, tiles.out.shape).boxes
    return tuple(map(int, boxes.low[0])), tuple(map(int, boxes.high[0]))


def extents(box: Box) -> tuple[int, ...]:
    return tuple(high - low for low, high in zip(*box, strict=True))


@pytest.mark.parametrize("name", LAYERS)
def test_cuts_of_operands_are_those_of_the_region_rules(name: str) -> None:
    """Largest piece, number of pieces, elements of all; tiles along other axes need the very same piece."""
    tiles = LayerTiles(*case(name), small_chip(2**20))
    shapes = {tiling.tile for tiling in all_tilings(tiles)}
    assert len(shapes) > 2
    for shape in shapes:
        outputs = output_tiles(tiles, shape)
        for slot in (slot for slot, type_ in enumerate(tiles.operands) if type_ is not None):
            cut = tiles.cut(slot, Tiling(shape, tuple(range(len(shape))), None, False, ""))
            pieces: dict[tuple[int, ...], Box] = {}
            for place, box in outputs.items():
                piece = needed_box(tiles, slot, box)
                key = tuple(place[axis] for axis in sorted(cut.moved_by))
                assert pieces.setdefault(key, piece) == piece
            assert cut.tile == tuple(map(max, zip(*map(extents, pieces.values()), strict=True)))
            assert cut.pieces == len(pieces) and cut.chunks == 1
            assert cut.elements == sum(prod(extents(piece)) for piece in pieces.values())


def test_example_of_the_manual() -> None:
    graph, layer = case("padded", PADDED)
    tiles = LayerTiles(graph, layer, small_chip(2**20))
    tiling = Tiling((1, 4, 5, 10), (2, 0, 1, 3), None, False, "")
    assert tiles.counts(tiling.tile) == [1, 1, 2, 1]
    assert tiles.spans(2, 5)[0, 2] == (6, 12)
    cut = tiles.cut(0, tiling)
    assert (cut.tile, cut.pieces, cut.elements, cut.moved_by) == ((1, 8, 6, 10), 2, 960, {2})
    assert tiles.cut(1, tiling).pieces == 1 and tiles.cut(1, tiling).moved_by == set()
    chunked = tiles.cut(0, Tiling((1, 4, 5, 10), (2, 0, 1, 3), 3, False, ""))
    assert (chunked.tile, chunked.chunks, chunked.elements) == ((1, 3, 6, 10), 3, 960)

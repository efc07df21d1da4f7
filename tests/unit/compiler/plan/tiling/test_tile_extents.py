"""Extents of tiles against the region rules: what every single tile needs, box by box."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest
from tiling_cases import LAYERS, all_tilings, small_chip, tiles_of

from nnc.compiler.ir.regions.operand_boxes import Boxes, needed
from nnc.compiler.plan.tiling.tile_extents import LayerTiles, cut_extents

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
    boxes = needed(tiles.layer, slot, Boxes.of(box), tiles.moves.shapes, tiles.out.shape).boxes
    return tuple(map(int, boxes.low[0])), tuple(map(int, boxes.high[0]))


def extents(box: Box) -> tuple[int, ...]:
    return tuple(high - low for low, high in zip(*box, strict=True))


@pytest.mark.parametrize("name", LAYERS)
def test_cuts_of_operands_are_those_of_the_region_rules(name: str) -> None:
    """Largest piece, number of pieces, bytes of all; tiles along other axes need the very same piece."""
    tiles = tiles_of(name, small_chip(2**20, "dram.burst=1"))
    shapes = {tiling.tile for tiling in all_tilings(tiles)}
    assert len(shapes) > 2
    for shape in shapes:
        outputs = output_tiles(tiles, shape)
        for slot in tiles.moves.slots:
            cut = tiles.cut(slot, shape, None)
            pieces: dict[tuple[int, ...], Box] = {}
            for place, box in outputs.items():
                piece = needed_box(tiles, slot, box)
                key = tuple(place[axis] for axis in sorted(cut.moved_by))
                assert pieces.setdefault(key, piece) == piece
            assert cut.tile == tuple(map(max, zip(*map(extents, pieces.values()), strict=True)))
            assert cut.pieces == len(pieces) and cut.chunks == 1
            assert cut.nbytes == 4 * sum(prod(extents(piece)) for piece in pieces.values())


def test_example_of_the_manual() -> None:
    tiles = tiles_of("padded", small_chip(2**20), PADDED)
    assert tiles.counts((1, 4, 5, 10)) == [1, 1, 2, 1]
    spans = tiles.moves.spans(2, 5, None)[0, 2]
    assert (spans.all.low, spans.all.high) == ((0, 4), (6, 10)) and spans.distinct is spans.all
    cut = tiles.cut(0, (1, 4, 5, 10), None)
    assert (cut.tile, cut.pieces, cut.nbytes, cut.moved_by) == ((1, 8, 6, 10), 2, 4 * 960, {2})
    assert (
        tiles.cut(1, (1, 4, 5, 10), None).pieces == 1 and tiles.cut(1, (1, 4, 5, 10), None).moved_by == set()
    )
    chunked = tiles.cut(0, (1, 4, 5, 10), 3)
    assert (chunked.tile, chunked.chunks) == ((1, 3, 6, 10), 3)
    assert tiles.largest(0, (1, 4, 5, 10), 3) == (1, 3, 6, 10)


def test_neighbours_that_need_the_same_piece_count_once_along_the_innermost_axis() -> None:
    """Two channels at a time of a convolution of two groups of two: one piece per group, in order."""
    tiles = tiles_of("grouped convolution", small_chip(2**20))
    one_channel = (1, 1, 4, 3)
    assert tiles.cut(0, one_channel, None).pieces == 4
    assert tiles.cut(0, one_channel, None, collapsed=1).pieces == 2


@pytest.mark.parametrize("extent", [1, 7, 2**16 - 1, 2**16, 2**16 + 1, 10**7, 10**9])
def test_cuts_of_an_axis_have_a_limit(extent: int) -> None:
    """Tiles are listed: single elements of a long axis would take gigabytes."""
    sizes = cut_extents(extent)
    assert sizes[0] == extent and sizes == sorted(set(sizes), reverse=True)
    finest = -(-extent // sizes[-1])
    assert finest == extent if extent <= 2**16 else 2**15 < finest <= 2**16

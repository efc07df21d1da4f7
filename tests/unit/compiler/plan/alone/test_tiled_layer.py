"""Extents of tiles against the region rules: what every single tile needs, box by box."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest
from tiling_cases import LAYERS, all_tilings, small_chip, tiles_of

from nnc.compiler.ir.regions.operand_boxes import Boxes, needed
from nnc.compiler.plan.alone.tile_shapes import cut_extents
from nnc.compiler.plan.alone.tile_table import PricedTiling, TileTable
from nnc.compiler.plan.alone.tiled_layer import TiledLayer
from nnc.compiler.plan.alone.tiling import Tiling

PADDED = {
    "padded": (
        "(float[1,8,10,10] x) => (y) { y = Conv <pads=[1,1,1,1]> (x, w) }",
        {"w": (4, 8, 3, 3)},
    )
}
Box = tuple[tuple[int, ...], tuple[int, ...]]


def output_tiles(tiles: TiledLayer, tile: tuple[int, ...]) -> dict[tuple[int, ...], Box]:
    """Number of every output tile along each axis, and its box."""
    found = {}
    for place in product(*(range(count) for count in tiles.counts(tile))):
        low = tuple(number * extent for number, extent in zip(place, tile, strict=True))
        high = (min(a + b, end) for a, b, end in zip(low, tile, tiles.shape, strict=True))
        found[place] = (low, tuple(high))
    return found


def needed_box(tiles: TiledLayer, slot: int, box: Box) -> Box:
    """The box of an operand that an output box needs."""
    boxes = needed(tiles.layer, slot, Boxes.of(box), tiles.shapes, tiles.out.shape).boxes
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
        for columns in TileTable(tiles, [[extent] for extent in shape], [None]).operands:
            moved_by = [axis for axis, moves in enumerate(columns.moves) if moves.item()]
            pieces: dict[tuple[int, ...], Box] = {}
            for place, box in outputs.items():
                piece = needed_box(tiles, columns.operand.slot, box)
                key = tuple(place[axis] for axis in moved_by)
                assert pieces.setdefault(key, piece) == piece
            largest = tuple(map(max, zip(*map(extents, pieces.values()), strict=True)))
            assert columns.piece((0,) * (len(shape) + 1)) == largest
            assert prod(cells.item().count for cells in columns.cells) == len(pieces)
            moved = tiles.nbytes(columns.operand, [cells.item() for cells in columns.cells])
            assert moved == 4 * sum(prod(extents(piece)) for piece in pieces.values())


def test_example_of_the_manual() -> None:
    layer = tiles_of("padded", small_chip(2**20), PADDED)
    assert layer.counts((1, 4, 5, 10)) == [1, 1, 2, 1]
    operand = layer.operands[0]
    assert operand is not None
    rows, moves = layer.intervals(operand, 2, 5)
    assert (rows.low, rows.high, moves) == ((0, 4), (6, 10), True)
    assert layer.intervals(operand, 2, 5, collapsed=True)[0] is rows
    x, w = PricedTiling.of(layer, Tiling((1, 4, 5, 10), (0, 1, 2, 3), None, False)).loads
    assert (x.tile, x.nbytes, x.rounds, x.changes) == ((1, 8, 6, 10), 4 * 960, 2, True)
    assert (w.rounds, w.changes) == (1, False)
    x, _ = PricedTiling.of(layer, Tiling((1, 4, 5, 10), (0, 1, 2, 3), 3, False)).loads
    assert (x.tile, x.chunks) == ((1, 3, 6, 10), 3)


def test_neighbours_that_need_the_same_piece_count_once() -> None:
    """Two channels at a time of a convolution of two groups of two: one piece per group, in order."""
    layer = tiles_of("grouped convolution", small_chip(2**20))
    operand = layer.operands[0]
    assert operand is not None
    every, _ = layer.intervals(operand, 1, 1)
    assert (every.low, every.high) == ((0, 0, 2, 2), (2, 2, 4, 4))
    distinct, _ = layer.intervals(operand, 1, 1, collapsed=True)
    assert (distinct.low, distinct.high) == ((0, 2), (2, 4))


@pytest.mark.parametrize("extent", [1, 7, 2**16 - 1, 2**16, 2**16 + 1, 10**7, 10**9])
def test_cuts_of_an_axis_have_a_limit(extent: int) -> None:
    """Tiles are listed: single elements of a long axis would take gigabytes."""
    sizes = cut_extents(extent)
    assert sizes[0] == extent and sizes == sorted(set(sizes), reverse=True)
    finest = -(-extent // sizes[-1])
    assert finest == extent if extent <= 2**16 else 2**15 < finest <= 2**16

"""Boxes of tiles as columns say what storage says of each tile alone."""

from __future__ import annotations

from itertools import product

import numpy as np
from pass_harness import graph_of

from nnc.compiler.ir.annotations import TileBox
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.storage import Storage, identity_order
from nnc.compiler.ir.verify.columns import Tiles, Vector
from nnc.compiler.ir.verify.tile_boxes import TileBoxes, rows_of
from nnc.compiler.pipeline import canonicalise
from nnc.isa.types import DType

NETWORK = """(float[2,3,4] x) => (y, z) {
    a = Relu (x)
    b = Transpose <perm=[0,2,1]> (a)
    c = Unsqueeze (a, first)
    y = Neg (b)
    z = Neg (c)
}"""


def test_tiles_are_the_boxes_that_their_storage_says() -> None:
    network = canonicalise(graph_of(NETWORK, {}, first=np.array([0], np.int64)))
    tensors = [tensor for tensor in ("a", "b", "c") if tensor in network.storage]
    assert len(tensors) == 3
    corners = {
        tensor: [*product(*(range(min(n, 2)) for n in network.types[tensor].shape))] for tensor in tensors
    }
    on_chip, boxes = Graph("tiles"), dict[str, TileBox]()
    for tensor, extent in product(tensors, (1, 2)):
        for low in corners[tensor]:
            shape = tuple(
                min(extent, n - start) for n, start in zip(network.types[tensor].shape, low, strict=True)
            )
            name = f"{tensor}{low}{shape}"
            boxes[name] = TileBox(tensor, low)
            if name not in on_chip.types:
                on_chip.add_input(name, TensorType(DType.F32, shape))
                on_chip.set_storage(name, Storage.dense(name, shape, identity_order(len(shape))))
    tiles = Tiles.of(on_chip, boxes)
    columns = TileBoxes(network, tiles, boxes)
    asked = [
        (tile, tensor, low) for tile in range(len(boxes)) for tensor in tensors for low in corners[tensor]
    ]
    numbers = np.array([columns.tensors[tensor] for _, tensor, _ in asked])
    places = np.array([tile for tile, _, _ in asked])
    answers = columns.are(places, numbers, *rows_of([low for _, _, low in asked])).tolist()
    names = tiles.names
    expected = [
        _is_box(network, boxes[names[tile]], on_chip.types[names[tile]].shape, tensor, low)
        for tile, tensor, low in asked
    ]
    assert answers == expected and 0 < sum(answers) < len(answers)


def _is_box(network: Graph, box: TileBox, shape: Vector, tensor: str, low: Vector) -> bool:
    if box.tensor == tensor:
        return box.low == low
    mine = network.storage[box.tensor].box(box.low, shape)
    theirs = network.storage[tensor].box(low, shape)
    return len(mine.strides) == len(theirs.strides) and mine.same_elements(theirs)

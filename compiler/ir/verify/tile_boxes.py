"""Of which elements of the network's buffers tiles consist, as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.annotations import TileBox
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.regions.boxes import Ints
from nnc.compiler.ir.storage import Storage, identity_order
from nnc.compiler.ir.verify.columns import Numbers, Tiles, Vector, column, matrix

Mask = npt.NDArray[np.bool_]


class TileBoxes:
    """The box of a network tensor that every tile is said to be, by the number of the tile.

    Attributes:
        tensors: names of the tensors; tensor: of every tile, by number.
        rank: axes of every box; −1 if that are not those of its tensor.
    """

    def __init__(self, network: Graph, tiles: Tiles, boxes: Mapping[str, TileBox]) -> None:
        """`boxes` has all of the tiles."""
        tile_boxes = [boxes[name] for name in tiles.names]
        self._network, self._tiles = network, tiles
        self.tensors, corners = Numbers[str](), Numbers[Vector]()
        self.tensor = column([self.tensors[box.tensor] for box in tile_boxes])
        self._corner = column([corners[box.low] for box in tile_boxes])
        self._lows, self._ranks = matrix([*corners]), column(map(len, corners))
        ranks = column(len(network.types[tensor].shape) for tensor in self.tensors)[self.tensor]
        self.rank = np.where(self._ranks[self._corner] == ranks, ranks, -1)
        self._wholes: dict[str, Storage] = {}

    def low(self, tiles: Ints, rank: int) -> Ints:
        """Where the boxes of some tiles begin; axes behind their last are at 0."""
        lows, width = self._lows[self._corner[tiles]], self._lows.shape[1]
        return lows[:, :rank] if rank <= width else np.pad(lows, ((0, 0), (0, rank - width)))

    def extents(self, tiles: Ints, rank: int) -> Ints:
        """Shapes of some tiles; axes behind their last are 0."""
        shapes, width = self._tiles.shapes[self._tiles.kind[tiles]], self._tiles.shapes.shape[1]
        return shapes[:, :rank] if rank <= width else np.pad(shapes, ((0, 0), (0, rank - width)))

    def are(self, tiles: Ints, tensor: Ints, low: Ints, rank: Ints) -> Mask:
        """Whether each of some tiles is the box of a tensor that begins at a corner.

        Args:
            tensor: numbers of tensors; one that is new gets its number from `tensors`.
            low, rank: corners as rows, zeros behind their last axes, and how many axes they have.
        """
        is_tensor = self.tensor[tiles] == tensor
        lows = self._lows[self._corner[tiles]]
        width = min(lows.shape[1], low.shape[1])
        same: Mask = is_tensor & (self._ranks[self._corner[tiles]] == rank)
        same &= (lows[:, :width] == low[:, :width]).all(axis=1)
        names, others = [*self.tensors], np.flatnonzero(~is_tensor)
        pairs = self.tensor[tiles[others]] * len(names) + tensor[others]
        for pair in np.unique(pairs).tolist():
            tile_tensor, box_tensor = names[pair // len(names)], names[pair % len(names)]
            alike = others[pairs == pair]
            alike = alike[rank[alike] == len(self.whole(box_tensor).shape)]
            same[alike] = self._are_elements(tiles[alike], tile_tensor, box_tensor, low[alike])
        return same

    def _are_elements(self, tiles: Ints, tensor: str, box_tensor: str, low: Ints) -> Mask:
        """Whether tiles of a tensor are the same elements of a buffer as boxes of another tensor."""
        storage, box_storage = self.whole(tensor), self.whole(box_tensor)
        rank = len(storage.strides)
        if storage.buffer != box_storage.buffer or len(box_storage.strides) != rank:
            return np.zeros(len(tiles), dtype=np.bool_)
        steps, box_steps = np.array([storage.strides, box_storage.strides], dtype=np.int64).reshape(2, rank)
        shapes = self.extents(tiles, rank)
        here = storage.offset + self.low(tiles, rank) @ steps
        there = box_storage.offset + low[:, :rank] @ box_steps
        same: Mask = (here == there) & ((shapes == 1) | (steps == box_steps)).all(axis=1)
        return same

    def are_the_same(self, tiles: Ints, others: Ints) -> Mask:
        """Whether tiles are the same elements as others, of the same shapes."""
        corners = self._corner[others]
        same = self.are(tiles, self.tensor[others], self._lows[corners], self._ranks[corners])
        shapes, kind = self._tiles.shapes, self._tiles.kind
        same &= (shapes[kind[tiles]] == shapes[kind[others]]).all(axis=1)
        return same

    def whole(self, tensor: str) -> Storage:
        """Where a tensor lies; a constant is a buffer of its own."""
        storage = self._wholes.get(tensor)
        if storage is None:
            storage = self._network.storage.get(tensor)
            if storage is None:
                shape = self._network.types[tensor].shape
                storage = Storage.dense(tensor, shape, identity_order(len(shape)))
            self._wholes[tensor] = storage
        return storage


def rows_of(corners: Sequence[Vector]) -> tuple[Ints, Ints]:
    """Corners as rows, and how many axes they have: what `are` takes; equal ones are written once."""
    numbers = Numbers[Vector]()
    which = column([numbers[corner] for corner in corners])
    return matrix([*numbers])[which], column(map(len, numbers))[which]

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
        found = [boxes[name] for name in tiles.names]
        self._network, self._tiles = network, tiles
        self.tensors, corners = Numbers[str](), Numbers[Vector]()
        self.tensor = column([self.tensors[box.tensor] for box in found])
        self._corner = column([corners[box.low] for box in found])
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
        at = self._lows[self._corner[tiles]]
        width = min(at.shape[1], low.shape[1])
        same: Mask = is_tensor & (self._ranks[self._corner[tiles]] == rank)
        same &= (at[:, :width] == low[:, :width]).all(axis=1)
        names, others = [*self.tensors], np.flatnonzero(~is_tensor)
        pairs = self.tensor[tiles[others]] * len(names) + tensor[others]
        for pair in np.unique(pairs).tolist():
            mine, theirs = names[pair // len(names)], names[pair % len(names)]
            alike = others[pairs == pair]
            alike = alike[rank[alike] == len(self.whole(theirs).shape)]
            same[alike] = self._are_elements(tiles[alike], mine, theirs, low[alike])
        return same

    def _are_elements(self, tiles: Ints, tensor: str, other: str, low: Ints) -> Mask:
        """Whether tiles of a tensor are the same elements of a buffer as boxes of another tensor."""
        mine, theirs = self.whole(tensor), self.whole(other)
        rank = len(mine.strides)
        if mine.buffer != theirs.buffer or len(theirs.strides) != rank:
            return np.zeros(len(tiles), dtype=np.bool_)
        steps, other_steps = np.array([mine.strides, theirs.strides], dtype=np.int64).reshape(2, rank)
        shapes = self.extents(tiles, rank)
        here = mine.offset + self.low(tiles, rank) @ steps
        there = theirs.offset + low[:, :rank] @ other_steps
        same: Mask = (here == there) & ((shapes == 1) | (steps == other_steps)).all(axis=1)
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
        found = self._wholes.get(tensor)
        if found is None:
            found = self._network.storage.get(tensor)
            if found is None:
                shape = self._network.types[tensor].shape
                found = Storage.dense(tensor, shape, identity_order(len(shape)))
            self._wholes[tensor] = found
        return found


def rows_of(corners: Sequence[Vector]) -> tuple[Ints, Ints]:
    """Corners as rows, and how many axes they have: what `are` takes; equal ones are written once."""
    numbers = Numbers[Vector]()
    which = column([numbers[corner] for corner in corners])
    return matrix([*numbers])[which], column(map(len, numbers))[which]

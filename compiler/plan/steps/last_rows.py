"""The last rows of a buffer that stay on chip from one group to the next, while the rows before visit DRAM.

rows 0..5 of b, the last 2 of which stay        [0 1 2 3|4 5]
a box of rows 2..5:  rows 2..3 go through DRAM, rows 4..5 through a tile on chip
"""

from __future__ import annotations

from collections.abc import Iterator

from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.fusion.sliding import moves_by_rows, piece_bytes
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.residents import Resident, Residents
from nnc.compiler.plan.step import Block, Tile
from nnc.compiler.plan.steps.step_writer import OnChip, StepWriter, Vector

Box = tuple[Vector, Vector]


class LastRows:
    """The last rows that a group finds on chip, and those that it leaves there.

    `residents` is what is on chip for more than a part: rows that are kept are added.
    """

    def __init__(
        self,
        network: PlanNetwork,
        choice: FusedChoice,
        residents: dict[Resident, OnChip],
        memory: str,
        align: int,
        writer: StepWriter,
    ) -> None:
        self._network, self._choice, self._residents = network, choice, residents
        self._memory, self._align, self._writer = memory, align, writer

    def split(
        self, tensor: str, low: Vector, shape: Vector, residents: Residents
    ) -> tuple[Box | None, Box | None]:
        """A box of a tensor as (what visits DRAM, what stays on chip): corners and shapes, None if empty."""
        rows, axis = residents.last_rows.get(tensor), self._network.view(tensor).axis
        if rows is None or axis is None:
            return (low, shape), None
        extent = self._network.graph.types[tensor].shape[axis]
        border = min(max(extent - rows - low[axis], 0), shape[axis])
        away = (low, (*shape[:axis], border, *shape[axis + 1 :]))
        here = (
            (*low[:axis], low[axis] + border, *low[axis + 1 :]),
            (*shape[:axis], shape[axis] - border, *shape[axis + 1 :]),
        )
        return (away if border else None), (here if border < shape[axis] else None)

    def _found(self, tensor: str, low: Vector, shape: Vector) -> Tile:
        """A box of the rows that the group before left on chip."""
        kept = self._residents[Resident(tensor, self._choice.residents_in.last_rows[tensor])]
        return self._writer.box(tensor, kept, low, shape)

    @property
    def move_by_rows(self) -> bool:
        """Whether rows move one by one, out of tiles and into them."""
        cut, is_sliced = self._choice.cut, self._choice.sliced_from <= self._choice.end
        return moves_by_rows(cut.passes, cut.chunks, is_sliced=is_sliced)

    def tile_block(self, name: str, nbytes: int, buffer: str, target: str | None) -> Block:
        """A block for a tile of a buffer; divided if last rows of it, or of its target, come or go by rows.

        Args:
            target: the buffer that takes its place.
        """
        there = self._choice.residents_in.last_rows.keys() | self._choice.residents_out.last_rows.keys()
        if there.isdisjoint((buffer, target)):
            return Block(name, self._memory, nbytes)
        return self._block_of_rows(name, nbytes, buffer)

    def _block_of_rows(self, name: str, nbytes: int, buffer: str) -> Block:
        """A block for rows of a buffer that come or go, one by one if they move so."""
        if not self.move_by_rows:
            return Block(name, self._memory, nbytes)
        piece = piece_bytes(self._network.buffers[buffer], self._align)
        return Block(name, self._memory, nbytes, piece, by_piece=True)

    def bring(self, buffer: str, state: OnChip, low: Vector, shape: Vector) -> None:
        """Bring a box of the rows that the group before left to a tile.

        One by one, it is the last one first: others follow in the place that it left.
        """
        for at, extent in reversed([*self._rows(buffer, low, shape)]):
            self._writer.move(state, buffer, at, self._found(buffer, at, extent))

    def leave(self, buffer: str, state: OnChip) -> None:
        """Let last rows that move one by one, the first one first, stay for the next group."""
        rows, info = self._choice.residents_out.last_rows.get(buffer), self._network.buffers[buffer]
        if rows is None or info.axis is None or not self.move_by_rows:
            return
        shape = self._network.graph.types[buffer].shape
        low = tuple(info.rows - rows if axis == info.axis else 0 for axis in range(len(shape)))
        for at, extent in self._rows(buffer, low, (*shape[: info.axis], rows, *shape[info.axis + 1 :])):
            self.keep(buffer, at, self._writer.box(buffer, state, at, extent))

    def _rows(self, buffer: str, low: Vector, shape: Vector) -> Iterator[Box]:
        """A box, or its rows, by corner and shape."""
        axis = self._network.view(buffer).axis
        if axis is None or not self.move_by_rows:
            yield low, shape
            return
        row = (*shape[:axis], 1, *shape[axis + 1 :])
        yield from (((*low[:axis], low[axis] + at, *low[axis + 1 :]), row) for at in range(shape[axis]))

    def keep(self, tensor: str, low: Vector, tile: Tile) -> None:
        """Copy computed rows to where they stay for the next group."""
        rows, info = self._choice.residents_out.last_rows[tensor], self._network.buffers[tensor]
        key = Resident(tensor, rows)
        if key not in self._residents:
            name = self._writer.name_of(tensor, "last", is_common=True)
            block = self._block_of_rows(name, rows * info.row_bytes, tensor)
            first = info.rows - rows
            base = -first * info.stride
            self._residents[key] = OnChip(block, first, info.rows, base, self._writer.strides_of(tensor))
        self._writer.move(self._residents[key], tensor, low, tile)

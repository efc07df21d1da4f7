"""The last rows of a buffer that stay on chip from one group to the next, while the rows before visit DRAM.

rows 0..5 of b, the last 2 of which stay        [0 1 2 3|4 5]
a box of rows 2..5:  rows 2..3 go through DRAM, rows 4..5 through a tile on chip
"""

from __future__ import annotations

from collections.abc import Iterator

from nnc.compiler.ir.regions.boxes import Box, Vector, ranged
from nnc.compiler.plan.fusion.sliding import moves_by_rows, piece_bytes
from nnc.compiler.plan.network.residents import Resident, Residents
from nnc.compiler.plan.step import Block, Tile
from nnc.compiler.plan.steps.step_writer import OnChip, StepWriter


class LastRows:
    """The last rows that a group finds on chip, and those that it leaves there.

    Attributes:
        move_by_rows: whether rows move one by one, out of tiles and into them.
    """

    def __init__(
        self, writer: StepWriter, residents: dict[Resident, OnChip], memory: str, align: int
    ) -> None:
        """Args:
        residents: what is on chip for more than a part; rows that are kept are added.
        """
        self._writer, self._residents, self._memory, self._align = writer, residents, memory, align
        self._buffers, self._view = writer.network.buffers, writer.network.view
        choice = writer.choice
        self._before, self._after = choice.residents_in.last_rows, choice.residents_out.last_rows
        is_sliced = choice.sliced_from <= choice.end
        self.move_by_rows = moves_by_rows(choice.cut.passes, choice.cut.chunks, is_sliced=is_sliced)

    def split(self, tensor: str, box: Box, residents: Residents) -> tuple[Box | None, Box | None]:
        """A box of a tensor as (what visits DRAM, what stays on chip): None if empty."""
        rows, axis = residents.last_rows.get(tensor), self._view(tensor).axis
        if rows is None or axis is None:
            return box, None
        first, end = box[0][axis], box[0][axis] + box[1][axis]
        border = min(max(self._writer.graph.types[tensor].shape[axis] - rows, first), end)
        away, here = ranged(box, axis, first, border), ranged(box, axis, border, end)
        return (away if first < border else None), (here if border < end else None)

    def tile_block(self, name: str, nbytes: int, buffer: str, target: str | None) -> Block:
        """A block for a tile of a buffer; divided if last rows of it, or of its target, come or go by rows.

        Args:
            target: the buffer that takes its place.
        """
        if (self._before.keys() | self._after.keys()).isdisjoint((buffer, target)):
            return Block(name, self._memory, nbytes)
        return self._block_of_rows(name, nbytes, buffer)

    def _block_of_rows(self, name: str, nbytes: int, buffer: str) -> Block:
        """A block for rows of a buffer that come or go, one by one if they move so."""
        if not self.move_by_rows:
            return Block(name, self._memory, nbytes)
        return Block(
            name, self._memory, nbytes, piece_bytes(self._buffers[buffer], self._align), by_piece=True
        )

    def bring(self, buffer: str, state: OnChip, box: Box) -> None:
        """Bring a box of the rows that the group before left to a tile.

        One by one, it is the last one first: others follow in the place that it left.
        """
        kept = self._residents[Resident(buffer, self._before[buffer])]
        for row in reversed([*self._rows(buffer, box)]):
            self._writer.move(state, buffer, row[0], self._writer.box(buffer, kept, row))

    def leave(self, buffer: str, state: OnChip) -> None:
        """Let last rows that move one by one, the first one first, stay for the next group."""
        info, shape = self._buffers[buffer], self._writer.graph.types[buffer].shape
        if buffer in self._after and info.axis is not None and self.move_by_rows:
            whole = (0,) * len(shape), shape
            last = ranged(whole, info.axis, info.rows - self._after[buffer], info.rows)
            for row in self._rows(buffer, last):
                self.keep(buffer, row[0], self._writer.box(buffer, state, row))

    def _rows(self, buffer: str, box: Box) -> Iterator[Box]:
        """A box, or its rows if they move one by one."""
        axis = self._view(buffer).axis
        if axis is None or not self.move_by_rows:
            yield box
            return
        first = box[0][axis]
        yield from (ranged(box, axis, row, row + 1) for row in range(first, first + box[1][axis]))

    def keep(self, tensor: str, corner: Vector, tile: Tile) -> None:
        """Copy computed rows to where they stay for the next group."""
        rows, info = self._after[tensor], self._buffers[tensor]
        key = Resident(tensor, rows)
        if key not in self._residents:
            block = self._block_of_rows(
                self._writer.name_of(tensor, "last", is_common=True), rows * info.row_bytes, tensor
            )
            first, strides = info.rows - rows, self._writer.graph.storage[tensor].strides
            self._residents[key] = OnChip(block, -first * info.stride, strides)
        self._writer.move(self._residents[key], tensor, corner, tile)

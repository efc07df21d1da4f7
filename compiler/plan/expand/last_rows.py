"""The last rows of a buffer that stay on chip from one group to the next, while the rows before visit DRAM.

rows 0..5 of b, the last 2 of which stay        [0 1 2 3|4 5]
a box of rows 2..5:  rows 2..3 go through DRAM, rows 4..5 through a tile on chip
"""

from __future__ import annotations

from nnc.compiler.plan.expand.step_writer import OnChip, StepWriter, Vector
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.residents import Resident, Residents
from nnc.compiler.plan.step import Block, Tile

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
        writer: StepWriter,
    ) -> None:
        self._network, self._choice, self._residents = network, choice, residents
        self._memory, self._writer = memory, writer

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

    def found(self, tensor: str, low: Vector, shape: Vector) -> Tile:
        """A box of the rows that the group before left on chip."""
        kept = self._residents[Resident(tensor, self._choice.residents_in.last_rows[tensor])]
        return self._writer.box(tensor, kept, low, shape)

    def keep(self, tensor: str, low: Vector, tile: Tile) -> None:
        """Copy computed rows to where they stay for the next group."""
        rows, info = self._choice.residents_out.last_rows[tensor], self._network.buffers[tensor]
        key = Resident(tensor, rows)
        if key not in self._residents:
            name = self._writer.common_name(self._writer.buffer_stem(tensor, "last"))
            block = Block(name, self._memory, rows * info.row_bytes)
            first = info.rows - rows
            base = -first * info.stride
            self._residents[key] = OnChip(block, first, info.rows, base, self._writer.strides_of(tensor))
        self._writer.move(self._residents[key], tensor, low, tile)

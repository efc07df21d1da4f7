"""Copies of operands to the memories where their layer reads them, tile by tile.

in:   the tiles of the operands of one computation, which operands are staged (`Staging`)
out:  the tiles that the computation reads, after copies of those that are staged

    x in am, a convolution reads sm:     copy sm+0x0 <- am+0x400;  conv am+0x8000 <- sm+0x0, …
"""

from __future__ import annotations

from collections.abc import Hashable

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.regions.boxes import Need
from nnc.compiler.ir.storage import normal_order, ordered_strides
from nnc.compiler.plan.expand.step_writer import StepWriter
from nnc.compiler.plan.expand.tile_layer import vector
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.staging import Staging
from nnc.compiler.plan.step import Block, Tile


def parts_of(
    writer: StepWriter, tiles: dict[int, Tile], needs: dict[int, Need], whole: dict[int, Need]
) -> dict[int, Tile]:
    """What a tile of a result needs of its operands, by slot, from what the whole box needs.

    A tile of a concat's operand may count in the concat: only the boxes count in the operand.
    """
    starts = {slot: vector(needs[slot].boxes.low[0] - whole[slot].boxes.low[0]) for slot in tiles}
    extents = {slot: vector(needs[slot].boxes.extents[0]) for slot in tiles}
    return {slot: writer.slice(tile, starts[slot], extents[slot]) for slot, tile in tiles.items()}


class StagedOperands:
    """The staged operands of one layer at a time: what lies there already is not copied again."""

    def __init__(self, network: PlanNetwork, staging: Staging, writer: StepWriter) -> None:
        self._network, self._staging, self._writer = network, staging, writer
        self._owner: tuple[int, int] | None = None  # position and part
        self._latest: dict[int, tuple[Hashable, Tile]] = {}

    def bring(self, position: int, part: int, ins: dict[int, Tile], stem: str) -> dict[int, Tile]:
        """The tiles that a computation reads.

        Args:
            position, part: of the computation.
            ins: tiles of its operands where the group keeps them, by slot.
            stem: of the names of the copies, the same on all cores.
        """
        slots = self._staging.slots(self._network, position)
        if slots and self._owner != (position, part):
            self._owner = position, part
            self._latest.clear()
        return {
            slot: self._copied(slot, tile, slots[slot], stem) if slot in slots else tile
            for slot, tile in ins.items()
        }

    def _copied(self, slot: int, tile: Tile, memory: str, stem: str) -> Tile:
        key = (tile.tensor, tile.low, tile.type, tile.block.name, tile.offset, tile.strides)
        known = self._latest.get(slot)
        if known is not None and known[0] == key:
            return known[1]
        writer, shape = self._writer, tile.type.shape
        name = writer.name(f"{stem}.{memory}{slot}")
        block = Block(writer.common_name(f"{stem}.{memory}{slot}.block"), memory, tile.type.nbytes)
        strides = ordered_strides(shape, normal_order(shape, tile.order))
        out = Tile(name, tile.tensor, tile.low, tile.type, block, 0, strides)
        writer.compute(ir.Copy(name=name, loc=writer.loc_of(tile.tensor)), out, (tile,))
        self._latest[slot] = key, out
        return out

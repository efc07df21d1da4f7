"""Operands of the layers of a fused group: constants, activations, and copies of them to other memories.

in:   boxes that a computation needs; which weights stay; which operands are staged (`Staging`)
out:  the tiles that the computation reads, after loads, joins, views and copies

    x in am, a convolution reads sm:     copy sm+0x0 <- am+0x400;  conv am+0x8000 <- sm+0x0, …
"""

from __future__ import annotations

from collections.abc import Hashable

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.regions.boxes import Need
from nnc.compiler.ir.storage import normal_order, ordered_strides
from nnc.compiler.plan.alone.tiling import vector
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.staging import Staging
from nnc.compiler.plan.step import Block, Tile
from nnc.compiler.plan.steps.line_buffers import LineBuffers
from nnc.compiler.plan.steps.step_writer import StepWriter, Vector
from nnc.compiler.plan.steps.strip_geometry import Part
from nnc.compiler.plan.steps.weight_blocks import WeightPlan
from nnc.compiler.target import layer_traits


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
    """The staged operands of one layer at a time: what lies there already is not copied again.

    The tiles of a layer take turns in one block per operand: copies and work are one engine's, so a second
    block would save no time.  And cores that work in other tiles, since their boxes differ, have the same.
    """

    def __init__(self, network: PlanNetwork, staging: Staging, writer: StepWriter) -> None:
        self._network, self._staging, self._writer = network, staging, writer
        self._owner: tuple[int, int] | None = None  # position and part
        self._latest: dict[int, tuple[Hashable, Tile]] = {}
        self._blocks: dict[int, str] = {}

    def bring(self, position: int, part: int, ins: dict[int, Tile], tail: str) -> dict[int, Tile]:
        """The tiles that a computation reads.

        Args:
            position, part: of the computation.
            ins: tiles of its operands where the group keeps them, by slot.
            tail: of the names of the copies, behind the layer: the same on all cores.
        """
        slots = self._staging.slots(self._network, position)
        if slots and self._owner != (position, part):
            self._owner = position, part
            self._latest.clear()
            self._blocks.clear()
        return {
            slot: self._copied(position, slot, tile, tail) if slot in slots else tile
            for slot, tile in ins.items()
        }

    def _copied(self, position: int, slot: int, tile: Tile, tail: str) -> Tile:
        key = (tile.tensor, tile.low, tile.type, tile.block.name, tile.offset, tile.strides)
        known = self._latest.get(slot)
        if known is not None and known[0] == key:
            return known[1]
        writer, shape, layer = self._writer, tile.type.shape, self._network.layers[position].name
        memory = self._staging.slots(self._network, position)[slot]
        name = writer.name(layer, f"{tail}.{memory}{slot}")
        if slot not in self._blocks:
            self._blocks[slot] = writer.name(layer, f"{tail}.{memory}{slot}.block", is_common=True)
        block = Block(self._blocks[slot], memory, tile.type.nbytes)
        strides = ordered_strides(shape, normal_order(shape, tile.order))
        out = Tile(name, tile.tensor, tile.low, tile.type, block, 0, strides)
        writer.compute(ir.Copy(name=name, loc=writer.loc_of(tile.tensor)), out, (tile,))
        self._latest[slot] = key, out
        return out


class GroupOperands:
    """The operands of a fused group on one core, where the group keeps them."""

    def __init__(
        self, network: PlanNetwork, weights: WeightPlan, store: str, buffers: LineBuffers, writer: StepWriter
    ) -> None:
        """Args:
        store: the memory of constants.
        """
        self._network, self._weights, self._store = network, weights, store
        self._buffers, self._writer = buffers, writer
        self._constants: dict[tuple[str, Vector, Vector], Tile] = {}
        self._passing: dict[tuple[str, Vector, Vector], Tile] | None = None
        self._operands: dict[tuple[str, Vector, Vector], Tile] = {}

    def begin_part(self) -> None:
        """Tiles of activations are those of a part, but for residents."""
        buffers, network = self._buffers, self._network
        self._operands = {
            key: tile
            for key, tile in self._operands.items()
            if buffers.is_resident(network.buffer_of(key[0]))
        }

    def begin_chunk(self) -> None:
        """From now on, constants that do not stay are loaded once, until the next chunk."""
        self._passing = {}

    def end_chunks(self) -> None:
        """Constants that do not stay are loaded for every computation again."""
        self._passing = None

    def constants(self, position: int, needs: dict[int, Need], part: Part) -> dict[int, Tile]:
        """The tiles of a layer's constants, by those slots that are needed."""
        found = [(slot, name) for slot, name in self._network.constant_operands(position) if slot in needs]
        return {slot: self._constant(position, slot, name, needs[slot], part) for slot, name in found}

    def _constant(self, position: int, slot: int, constant: str, need: Need, part: Part) -> Tile:
        """The tile of a constant: resident if it is pinned or was just loaded, else loaded now."""
        layer = self._network.layers[position]
        low, shape = vector(need.boxes.low[0]), vector(need.boxes.extents[0])
        key = (f"{layer.name}/{slot}", low, shape)
        known = self._constants.get(key) or (self._passing or {}).get(key)
        if known is not None:
            return known
        order = layer_traits.natural_order(layer, slot, len(shape))
        type_ = TensorType(self._network.graph.types[constant].dtype, shape)
        stays = self._weights.is_pinned(position, slot, low)
        # Cores may need it for the first time in different parts: what stays is sent once to all.
        when = "" if stays and self._buffers.choice.cut.cores > 1 else f"p{part.number}."
        name = self._writer.name(layer.name, f"/{when}w{slot}", is_common=True)
        tile = Tile.dense(name, constant, low, type_, order, self._store)
        self._writer.load(layer, tile)
        if stays:
            self._constants[key] = tile
        elif self._passing is not None:
            self._passing[key] = tile
        return tile

    def tiles_read(self, position: int, needs: dict[int, Need], part: Part) -> dict[int, Tile]:
        """The tiles of the activations that a layer reads, by those slots that are needed."""
        found: dict[int, Tile] = {}
        for slot, source in self._network.operands[position]:
            if slot in needs:
                box = needs[slot].boxes
                found[slot] = self._operand(source, vector(box.low[0]), vector(box.extents[0]), part)
        return found

    def _operand(self, tensor: str, low: Vector, shape: Vector, part: Part) -> Tile:
        """A tile of an operand, complete: pieces that lie side by side are joined, views are applied."""
        key = (tensor, low, shape)
        if key in self._operands:
            return self._operands[key]
        view = self._network.view(tensor)
        if view.origin is not None:
            at = tuple(a + b for a, b in zip(low, view.origin, strict=True))
            state = self._buffers.present(view.buffer, part)
            tile = self._writer.box(view.buffer, state, at, shape)
        else:
            rows = self._operand(*self._network.rows_below(tensor, low, shape), part)
            tile = self._writer.shown(tensor, low, shape, rows)
        self._operands[key] = tile
        return tile

"""A box of a layer in a part of a fused group, as steps: operands there, staged, computed into their place.

in:   a box of a layer's result, what it needs; which weights stay; which operands are staged (`Staging`)
out:  loads, joins, views and copies of operands; a computation for each tile whose staged operands fit

    x in am, a convolution reads sm:     copy sm+0x0 <- am+0x400;  conv am+0x8000 <- sm+0x0, …
"""

from __future__ import annotations

from collections.abc import Hashable

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.regions.boxes import Box, Vector, shifted
from nnc.compiler.ir.storage import normal_order, ordered_strides
from nnc.compiler.plan.network.staging import Staging
from nnc.compiler.plan.step import Block, Tile
from nnc.compiler.plan.steps.line_buffers import LineBuffers
from nnc.compiler.plan.steps.part_boxes import Needs, box_of
from nnc.compiler.plan.steps.step_writer import OnChip, StepWriter
from nnc.compiler.plan.steps.weight_blocks import WeightPlan
from nnc.compiler.target import layer_traits

Tiles = dict[int, Tile]
"""Operands by slot."""


class LayerSteps:
    """Computes boxes of layers on one core, from operands where the group keeps them, or staged.

    All mechanisms of a group come to that: layers as a whole, blocks, slices and chunks of channels.
    """

    def __init__(
        self, writer: StepWriter, weights: WeightPlan, staging: Staging, buffers: LineBuffers
    ) -> None:
        self.writer, self.network, self.buffers, self.boxes = writer, writer.network, buffers, buffers.boxes
        self._weights, self._staging = weights, staging
        self._constants: dict[tuple[str, Box], Tile] = {}
        self._passing: dict[tuple[str, Box], Tile] | None = None
        self._activations: dict[tuple[str, Box], Tile] = {}
        self._staged: dict[int, tuple[Hashable, Tile]] = {}  # of one layer in one part, by slot
        self._staged_for: tuple[int, int] | None = None

    def begin_part(self) -> None:
        """Tiles of activations are those of a part, but for residents."""
        is_resident, buffer_of = self.buffers.is_resident, self.network.buffer_of
        tiles = self._activations.items()
        self._activations = {key: tile for key, tile in tiles if is_resident(buffer_of(key[0]))}

    def begin_chunk(self) -> None:
        """From now on, constants that do not stay are loaded once, until the next chunk."""
        self._passing = {}

    def end_chunks(self) -> None:
        """Constants that do not stay are loaded for every computation again."""
        self._passing = None

    def constants(self, position: int, needs: Needs) -> Tiles:
        """The tiles of a layer's constants, by those slots that are needed."""
        constants = self.network.constant_operands(position)
        return {
            slot: self._constant(position, slot, name, box_of(needs[slot].boxes))
            for slot, name in constants
            if slot in needs
        }

    def _constant(self, position: int, slot: int, constant: str, box: Box) -> Tile:
        """The tile of a constant: resident if it is pinned or was just loaded, else loaded now."""
        layer, writer = self.network.layers[position], self.writer
        key = f"{layer.name}/{slot}", box
        loaded = self._constants.get(key) or (self._passing or {}).get(key)
        if loaded is not None:
            return loaded
        low, shape = box
        stays = self._weights.is_pinned(position, slot, low)
        # Cores may need it for the first time in different parts: what stays is sent once to all.
        when = "" if stays and writer.choice.cut.cores > 1 else f"p{writer.part.number}."
        name = writer.name(layer.name, f"/{when}w{slot}", is_common=True)
        type_ = TensorType(writer.graph.types[constant].dtype, shape)
        order = layer_traits.natural_order(layer, slot, len(shape))
        tile = Tile.dense(name, constant, low, type_, order, self._staging.memories.store)
        writer.load(layer, tile)
        if stays:
            self._constants[key] = tile
        elif self._passing is not None:
            self._passing[key] = tile
        return tile

    def activations(self, position: int, needs: Needs) -> Tiles:
        """The tiles of the activations that a layer reads, by those slots that are needed."""
        operands = self.network.operands[position]
        return {
            slot: self._operand(tensor, *box_of(needs[slot].boxes))
            for slot, tensor in operands
            if slot in needs
        }

    def _operand(self, tensor: str, low: Vector, shape: Vector) -> Tile:
        """A tile of an operand, complete: pieces that lie side by side are joined, views are applied."""
        key = tensor, (low, shape)
        if key in self._activations:
            return self._activations[key]
        view = self.network.view(tensor)
        if view.origin is not None:
            state = self.buffers.present(view.buffer)
            tile = self.writer.box(view.buffer, state, (shifted(low, view.origin), shape))
        else:
            rows = self._operand(*self.network.rows_below(tensor, low, shape))
            tile = self.writer.shown(tensor, low, shape, rows)
        self._activations[key] = tile
        return tile

    def parts_of(self, tiles: Tiles, needs: Needs, whole: Needs) -> Tiles:
        """What a tile of a result needs of its operands, from what the whole box needs.

        A tile of a concat's operand may count in the concat: only the boxes count in the operand.
        """
        boxes = {slot: (box_of(needs[slot].boxes), box_of(whole[slot].boxes)[0]) for slot in tiles}
        return {
            slot: self.writer.slice(tiles[slot], shifted(low, first, -1), shape)
            for slot, ((low, shape), first) in boxes.items()
        }

    def staged(self, position: int, ins: Tiles, tail: str) -> Tiles:
        """The tiles that a computation reads: copies of those that it reads in another memory.

        What lies there already is not copied again. The tiles of a layer take turns in one block per operand:
        copies and work are one engine's, so a second block would save no time. And cores that work in other
        tiles, since their boxes differ, have the same.

        Args:
            ins: tiles of its operands where the group keeps them.
            tail: of the names of the copies, behind the layer: the same on all cores.
        """
        slots = self._staging.slots(self.network, position)
        if not slots:
            return ins
        if self._staged_for != (position, self.writer.part.number):
            self._staged_for = position, self.writer.part.number
            self._staged.clear()
        stem = self.network.layers[position].name
        return {
            slot: self._copied(slot, tile, slots[slot], stem, f"{tail}.{slots[slot]}{slot}")
            if slot in slots
            else tile
            for slot, tile in ins.items()
        }

    def _copied(self, slot: int, tile: Tile, memory: str, stem: str, tail: str) -> Tile:
        key = (tile.tensor, tile.low, tile.type, tile.block.name, tile.offset, tile.strides)
        latest_key, latest = self._staged.get(slot, (None, None))
        if latest is not None and latest_key == key:
            return latest
        writer, shape = self.writer, tile.type.shape
        name = writer.name(stem, tail)
        block = latest.block.name if latest else writer.name(stem, f"{tail}.block", is_common=True)
        strides = ordered_strides(shape, normal_order(shape, tile.order))
        place = Block(block, memory, tile.type.nbytes)
        out = Tile(name, tile.tensor, tile.low, tile.type, place, 0, strides)
        writer.compute(ir.Copy(name=name, loc=writer.loc_of(tile.tensor)), out, (tile,))
        self._staged[slot] = key, out
        return out

    def compute(
        self,
        position: int,
        box: Box,
        needs: Needs,
        target: OnChip,
        suffix: str = "",
        activations: Tiles | None = None,
    ) -> None:
        """Compute one box of a layer into its place in the target, in tiles whose staged operands fit.

        Args:
            activations: that it reads; None: they are brought now.
        """
        ins = self.activations(position, needs) if activations is None else activations
        ins = ins | self.constants(position, needs)
        tiles = [*self._staging.boxes(self.network, position, box)]
        needs_of_tiles = [needs] if tiles == [box] else self.boxes.needs_of(position, tiles)
        for number, (tile, its_needs) in enumerate(zip(tiles, needs_of_tiles, strict=True)):
            tail = f"/p{self.writer.part.number}{suffix}" + (f".t{number}" if number else "")
            its_ins = ins if its_needs is needs else self.parts_of(ins, its_needs, needs)
            there = self.staged(position, its_ins, tail)
            name = self.writer.name(self.network.layers[position].name, tail)
            out = self.writer.write(target, name, self.network.defines[position], tile)
            self.writer.compute_tile(position, its_needs, there, out)

"""From a fused group to its steps, in the order of demand.

Part by part and layer by layer: load the new rows of the inputs, compute the new rows of every layer, keep
what the next part needs again, store the rows of the outputs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod

import numpy as np

from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.regions.operand_boxes import Boxes, Need, needed
from nnc.compiler.ir.storage import ordered_strides
from nnc.compiler.plan.expand.line_buffers import Presence
from nnc.compiler.plan.expand.lockstep import Keyed
from nnc.compiler.plan.expand.tile_layer import tile_layer, vector
from nnc.compiler.plan.expand.tile_views import Names, OnChip, Vector
from nnc.compiler.plan.expand.weight_blocks import WeightPlan
from nnc.compiler.plan.fusion.channel_slices import channel_axis, sliced_residual
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.network.plan_network import PlanNetwork, column_axis
from nnc.compiler.plan.step import Block, Tile
from nnc.compiler.target import layer_traits
from nnc.isa.chip.description import Chip


@dataclass(frozen=True, slots=True)
class PartBoxes:
    """Boxes of a layer's result over the parts of a strip, and what each needs of every operand, by slot."""

    boxes: Boxes
    needs: dict[int, Need]

    def needs_of(self, at: int) -> dict[int, Need]:
        """What one part needs."""
        one = slice(at, at + 1)
        return {
            slot: Need(Boxes(need.boxes.low[one], need.boxes.high[one]), need.before[one], need.after[one])
            for slot, need in self.needs.items()
        }


def _box_of(low: Vector, shape: Vector) -> Boxes:
    return Boxes.of((low, tuple(a + n for a, n in zip(low, shape, strict=True))))


class FusedExpander(Presence):
    """Expands one fused group.

    `residents` (whole buffers on chip) and `names` (uses of every name) are shared by all groups of a plan.
    """

    def __init__(
        self,
        network: PlanNetwork,
        chip: Chip,
        choice: FusedChoice,
        weights: WeightPlan,
        residents: dict[str, OnChip],
        names: Names,
        core: int = 0,
    ) -> None:
        super().__init__(network, chip, choice, residents, names, core)
        self.weights = weights
        self._constants: dict[tuple[str, Vector, Vector], Tile] = {}
        self._views: dict[tuple[str, Vector, Vector], Tile] = {}
        self._stored: dict[tuple[int, tuple[tuple[int, int], ...]], int] = {}
        self._boxes: dict[tuple[int, int], PartBoxes] = {}
        self.sliced = sliced_residual(network, choice.start, choice.end, choice.tail)

    def steps(self) -> Keyed:
        """All steps of the core in the order of demand, with keys that are the same on all cores."""
        for part in range(self.choice.parts):
            self.part = part
            self.strip, self.at = divmod(self.part, self.choice.cut.total)
            self.strip += self.side
            if self.at == 0:
                self._begin_strip()
            self._views = {key: tile for key, tile in self._views.items() if self._is_resident(key[0])}
            for position in range(self.choice.start, min(self.choice.tail, self.choice.end + 1)):
                self._layer(position)
                self._finish(position)
            if self.choice.tail <= self.choice.end:
                self._tail()
                for position in range(self.choice.tail, self.choice.end + 1):
                    self._finish(position)
        for buffer in [b for b in self.residents if b not in self.choice.outside]:
            del self.residents[buffer]
        return self._steps

    def _finish(self, position: int) -> None:
        """Free or keep the buffers that a part has used for the last time."""
        for buffer, last in self.last.items():
            if last == position:
                self._keep(buffer)

    def _tail(self) -> None:
        """The last layers of a part, slice by slice of their output channels."""
        choice, network = self.choice, self.network
        for number, (first, end) in enumerate(self.weights.blocks(choice.tail)):
            for position in range(choice.tail, choice.end + 1):
                tensor = network.defines[position]
                box = self._new_box(position)
                if box is None:
                    continue
                lane = channel_axis(network, position)
                low = (*box[0][:lane], first, *box[0][lane + 1 :])
                shape = (*box[1][:lane], end - first, *box[1][lane + 1 :])
                needs = self._needs(position, _box_of(low, shape))
                if position == choice.tail and self.sliced is not None and self.sliced not in self.residents:
                    self._load_slice(self.sliced, low, shape)
                operands = self._operands(position, needs)
                target = self._slice_target(position, tensor, low, shape)
                out = self._write(target, tensor, low, shape)
                self._compute(position, low, shape, needs, operands, out, f".b{number}")
                self._store(position, tensor, target, low, shape)
            for position in range(choice.tail, choice.end + 1):
                self.rolling.pop(network.buffer_of(network.defines[position]), None)

    def _load_slice(self, buffer: str, low: Vector, shape: Vector) -> None:
        """Load the slice of an addition's operand that belongs to a slice of its result."""
        state = self._slice_state(buffer, low, shape)
        self._fetch(state, buffer, low, shape, self.network.layers[self.choice.tail])

    def _slice_target(self, position: int, tensor: str, low: Vector, shape: Vector) -> OnChip:
        """Where a slice goes: into the whole buffer if it stays on chip, else to a tile of its own."""
        buffer = self.network.buffer_of(tensor)
        if buffer in self.residents or buffer in self.choice.outside:
            return self._target(position, tensor)
        return self._slice_state(buffer, low, shape)

    def _slice_state(self, buffer: str, low: Vector, shape: Vector) -> OnChip:
        """A tile for a slice of a buffer; it takes the place of the slice before."""
        strides = ordered_strides(shape, self.graph.storage[buffer].order)
        base = -sum(a * b for a, b in zip(low, strides, strict=True))
        nbytes = prod(shape) * self.graph.types[buffer].dtype.itemsize
        rows = self.rows[buffer]
        block = Block(self._common_name(f"{buffer}/p{self.part}.slice"), self.memory, nbytes)
        state = OnChip(block, int(rows.low[self.at]), int(rows.high[self.at]), base, strides)
        self.rolling[buffer] = state
        return state

    def _part_boxes(self, position: int) -> PartBoxes:
        """What a layer computes and needs in every part of this strip; found for all parts at once."""
        key = (position, self.strip)
        if key not in self._boxes:
            network = self.network
            boxes = network.out_boxes(position, self.walk.new[position])
            columns = self._columns(network.buffer_of(network.defines[position]))
            if columns is not None:
                axis = column_axis(network, network.defines[position])
                boxes.low[:, axis] = np.maximum(boxes.low[:, axis], columns[0])
                boxes.high[:, axis] = np.minimum(boxes.high[:, axis], columns[1])
            self._boxes[key] = PartBoxes(boxes, self._needs(position, boxes))
        return self._boxes[key]

    def _new_box(self, position: int) -> tuple[Vector, Vector] | None:
        """Low corner and shape of what a layer computes in this part; None if that is nothing."""
        boxes = self._part_boxes(position).boxes
        extents = boxes.high[self.at] - boxes.low[self.at]
        if (extents <= 0).any():
            return None
        return vector(boxes.low[self.at]), vector(extents)

    def _operands(self, position: int, needs: dict[int, Need]) -> dict[int, Tile]:
        """The tiles of the activations that a layer reads."""
        found: dict[int, Tile] = {}
        for slot, source in self.network.operands[position]:
            box = needs[slot].boxes
            found[slot] = self._operand(source, vector(box.low[0]), vector(box.extents[0]))
        return found

    def _is_resident(self, tensor: str) -> bool:
        return tensor in self.graph.storage and self.network.buffer_of(tensor) in self.residents

    # --- a layer of a part ---------------------------------------------------------------------------------

    def _layer(self, position: int) -> None:
        tensor = self.network.defines[position]
        box = self._new_box(position)
        if box is None:
            return
        low, shape = box
        needs = self._part_boxes(position).needs_of(self.at)
        operands = self._operands(position, needs)
        target = self._target(position, tensor)
        blocks = self.weights.blocks(position)
        if len(blocks) == 1:
            out = self._write(target, tensor, low, shape)
            self._compute(position, low, shape, needs, operands, out, "")
        else:
            self._sliced(position, low, shape, needs, operands, target, blocks)
        self._store(position, tensor, target, low, shape)

    def _sliced(
        self,
        position: int,
        low: Vector,
        shape: Vector,
        whole_needs: dict[int, Need],
        operands: dict[int, Tile],
        target: OnChip,
        blocks: list[tuple[int, int]],
    ) -> None:
        """A layer in slices of output channels, one per block of weights."""
        network, layer = self.network, self.network.layers[position]
        tensor = network.defines[position]
        whole = self.graph.types[tensor].shape
        lane = layer_traits.lane_axis(layer, len(whole))
        assert lane is not None
        for number, (first, end) in enumerate(blocks):
            part_low = (*low[:lane], first, *low[lane + 1 :])
            part_shape = (*shape[:lane], end - first, *shape[lane + 1 :])
            needs = self._needs(position, _box_of(part_low, part_shape))
            mine = {}
            for slot, tile in operands.items():
                # A tile of a concat's operand may count in the concat: only the boxes count in the operand.
                start = needs[slot].boxes.low[0] - whole_needs[slot].boxes.low[0]
                mine[slot] = self._slice(tile, vector(start), vector(needs[slot].boxes.extents[0]))
            out = self._write(target, tensor, part_low, part_shape)
            self._compute(position, part_low, part_shape, needs, mine, out, f".b{number}")

    def _needs(self, position: int, boxes: Boxes) -> dict[int, Need]:
        """What boxes of a layer's result need of every operand, constants too."""
        network, layer = self.network, self.network.layers[position]
        whole, shapes = self.graph.types[network.defines[position]].shape, network.shapes(position)
        slots = [slot for slot, shape in enumerate(shapes) if shape is not None]
        return {slot: needed(layer, slot, boxes, shapes, whole) for slot in slots}

    def _compute(
        self,
        position: int,
        low: Vector,
        shape: Vector,
        needs: dict[int, Need],
        operands: dict[int, Tile],
        out: Tile,
        suffix: str,
    ) -> None:
        network, layer = self.network, self.network.layers[position]
        whole = self.graph.types[network.defines[position]].shape
        inputs = self.graph.inputs_of(layer.name)
        ins: list[Tile | None] = [operands.get(slot) for slot in range(len(inputs))]
        for slot, constant in network.constant_operands(position):
            ins[slot] = self._constant(position, slot, constant, needs[slot])
        if 0 in operands:
            layer = tile_layer(layer, needs[0], 0, low, shape, whole)
        layer = replace(layer, name=self._name(f"{layer.name}/p{self.part}{suffix}"))
        out = replace(out, name=layer.name)
        self._emit_compute(layer, out, tuple(ins))
        self._rename_last_piece(position, out)

    # --- constants -----------------------------------------------------------------------------------------

    def _constant(self, position: int, slot: int, constant: str, need: Need) -> Tile:
        """The tile of a constant: resident if it is pinned or was just loaded, else loaded now."""
        layer = self.network.layers[position]
        low, shape = vector(need.boxes.low[0]), vector(need.boxes.extents[0])
        key = (f"{layer.name}/{slot}", low, shape)
        if key in self._constants:
            return self._constants[key]
        memory = layer_traits.memory_for(self.chip, layer, layer_traits.slot_role(layer, slot))
        order = layer_traits.natural_order(layer, slot, len(shape))
        type_ = TensorType(self.graph.types[constant].dtype, shape)
        stays = self.weights.is_pinned(position, slot, low)
        # Cores may need it for the first time in different parts: what stays is sent once to all.
        when = "" if stays and self.choice.cut.cores > 1 else f"p{self.part}."
        name = self._common_name(f"{layer.name}/{when}w{slot}")
        tile = Tile.dense(name, constant, low, type_, order, memory)
        self._emit_load(layer, tile)
        if stays:
            self._constants[key] = tile
        return tile

    # --- activations ---------------------------------------------------------------------------------------

    def _operand(self, tensor: str, low: Vector, shape: Vector) -> Tile:
        """A tile of an operand, complete: pieces that lie side by side are joined, views are applied."""
        key = (tensor, low, shape)
        if key in self._views:
            return self._views[key]
        view = self.network.view(tensor)
        state = self._present(view.buffer)
        if view.origin is not None:
            at = tuple(a + b for a, b in zip(low, view.origin, strict=True))
            tile = self._box(view.buffer, state, at, shape)
        else:
            tile = self._slice(self._through_views(tensor, state), low, shape)  # it starts at zero
        self._views[key] = tile
        return tile

    def _store(self, position: int, tensor: str, state: OnChip, low: Vector, shape: Vector) -> None:
        """Write new rows of a tensor to DRAM if they are needed there."""
        network, choice = self.network, self.choice
        buffer = network.buffer_of(tensor)
        read_there = network.last_read[buffer] > choice.end and buffer not in choice.outside
        if not read_there and tensor not in network.delivered:
            return
        view = network.view(tensor)
        assert view.origin is not None
        low, shape = self._own_rows(tensor, *self._not_yet_stored(position, low, shape))
        if min(shape, default=1) <= 0:
            return
        away, here = self._split(tensor, low, shape, choice.outside)
        if away is not None:
            at = tuple(a + b for a, b in zip(away[0], view.origin, strict=True))
            tile = replace(self._box(buffer, state, at, away[1]), tensor=tensor, low=away[0])
            self._emit_store(network.layers[position], tile)
        if here is not None:
            self._keep_last_rows(tensor, here[0], self._box(buffer, state, *here))

    def _own_rows(self, tensor: str, low: Vector, shape: Vector) -> tuple[Vector, Vector]:
        """The rows of a box that belong to this core: those beside them, other cores store."""
        view = self.network.view(tensor)
        if self.choice.cut.bands == 1 or view.axis is None:
            return low, shape
        first, end = self.walk.own_rows(self.network.buffers[view.buffer].rows)
        axis, at = view.axis, low[view.axis] + view.first
        start, stop = max(at, first), min(at + shape[axis], end)
        low = (*low[:axis], start - view.first, *low[axis + 1 :])
        return low, (*shape[:axis], stop - start, *shape[axis + 1 :])

    def _not_yet_stored(self, position: int, low: Vector, shape: Vector) -> tuple[Vector, Vector]:
        """The rows of a box that are stored for the first time: parts and strips may compute rows again."""
        cut, axis = self.choice.cut, self.network.view(self.network.defines[position]).axis
        if not cut.recompute and cut.strips == 1:
            return low, shape
        others = tuple(pair for at, pair in enumerate(zip(low, shape, strict=True)) if at != axis)
        stored = self._stored.get((position, others), 0)
        if axis is None:
            self._stored[position, others] = 1
            return low, (0,) * len(shape) if stored else shape
        first, end = max(low[axis], stored), low[axis] + shape[axis]
        self._stored[position, others] = max(end, stored)
        return (*low[:axis], first, *low[axis + 1 :]), (*shape[:axis], end - first, *shape[axis + 1 :])

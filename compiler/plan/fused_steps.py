"""From a fused group to its steps, in the order of demand.

Part by part and layer by layer: load the new rows of the inputs, compute the new rows of every layer, keep
what the next part needs again, store the rows of the outputs.  A buffer is on chip in one of two forms:
*whole* (resident; it outlives the group) or *rolling* (a tile of rows per part; rows that are needed again
are moved to the head of the next tile, straight or by way of a small tile of their own).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import prod

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.regions import Boxes, Need, needed
from nnc.compiler.ir.storage import ordered_strides
from nnc.compiler.plan import geometry
from nnc.compiler.plan.decision import Block, Step, StepKind, Tile
from nnc.compiler.plan.intervals import (
    FusedChoice,
    channel_axis,
    in_place_source,
    sliced_residual,
    slides,
)
from nnc.compiler.plan.network import PlanNetwork
from nnc.compiler.plan.steps import tile_layer, vector
from nnc.compiler.plan.walk import BufferRows, Walk
from nnc.compiler.plan.weights import WeightPlan
from nnc.isa.chip import Chip

Vector = tuple[int, ...]


@dataclass
class OnChip:
    """Rows of a buffer on chip.

    `base` is the offset in the block (elements) of the buffer's element 0, which may lie before the block;
    `strides` are those of the buffer's owner, or of a slice of its channels.
    `pieces` are the tiles that have been written, in coordinates of the buffer's owner, by the tensor they
    belong to.
    """

    block: Block
    low: int
    high: int
    base: int
    strides: Vector
    pieces: list[tuple[Vector, Tile]] = field(default_factory=list)


class FusedExpander:
    """Expands one fused group.

    `residents` (whole buffers on chip) and `names` (uses of every name) are shared by all groups of a plan.
    """

    def __init__(
        self,
        network: PlanNetwork,
        chip: Chip,
        choice: FusedChoice,
        group: int,
        weights: WeightPlan,
        residents: dict[str, OnChip],
        names: dict[str, int],
    ) -> None:
        self.network, self.graph, self.chip = network, network.graph, chip
        self.choice, self.group, self.weights = choice, group, weights
        self.residents = residents
        self.walk = Walk(network, choice.end, *choice.cut)
        for position in range(choice.end, choice.start - 1, -1):
            self.walk.extend(position)
        self.memory = geometry.memory_for(chip, network.layers[choice.start], "result")
        self.rolling: dict[str, OnChip] = {}
        self.kept: dict[str, list[tuple[Vector, Tile]]] = {}
        self.rows: dict[str, BufferRows] = {**{b: self.walk.input_rows(b) for b in self.walk.pending}}
        self.rows.update(self.walk.rows)
        self.last = {b: self._last_touch(b) for b in self.rows}
        self._constants: dict[tuple[str, Vector, Vector], Tile] = {}
        self._views: dict[tuple[str, Vector, Vector], Tile] = {}
        self._names = names
        self._steps: list[Step] = []
        self.part = 0
        self._sliding: dict[str, bool] = {}
        self._slide_block: dict[str, Block] = {}
        self.in_place = {
            source: network.buffer_of(network.defines[p])
            for p in range(choice.start, min(choice.tail, choice.end + 1))
            if (source := in_place_source(network, p)) is not None
        }
        self.sliced = sliced_residual(network, choice.start, choice.end, choice.tail)

    def steps(self) -> tuple[Step, ...]:
        """All steps in the order of demand."""
        for part in range(self.choice.parts):
            self.part = part
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
        return tuple(self._steps)

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
                needs = self._needs(position, low, shape)
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
        tile = replace(self._write(state, buffer, low, shape), name=self._name(f"{buffer}/p{self.part}.in"))
        state.pieces[-1] = (low, tile)
        self._emit(StepKind.LOAD, self.network.layers[self.choice.tail], tile, ())

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
        block = Block(self._name(f"{buffer}/p{self.part}.slice"), self.memory, nbytes)
        state = OnChip(block, int(rows.low[self.part]), int(rows.high[self.part]), base, strides)
        self.rolling[buffer] = state
        return state

    def _new_box(self, position: int) -> tuple[Vector, Vector] | None:
        """Low corner and shape of what a layer computes in this part; None if that is nothing."""
        boxes = self.network.out_boxes(position, self.walk.new[position])
        extents = boxes.extents[self.part]
        if (extents <= 0).any():
            return None
        return vector(boxes.low[self.part]), vector(extents)

    def _operands(self, position: int, needs: dict[int, Need]) -> dict[int, Tile]:
        """The tiles of the activations that a layer reads."""
        found: dict[int, Tile] = {}
        for slot, source in self.network.operands[position]:
            box = needs[slot].boxes
            found[slot] = self._operand(source, vector(box.low[0]), vector(box.extents[0]))
        return found

    def _last_touch(self, buffer: str) -> int:
        """The last layer of the group that reads or writes a buffer."""
        network, choice = self.network, self.choice
        touched = [*network.uses.get(buffer, ()), *(p for p, _ in network.definitions.get(buffer, ()))]
        return max(p for p in touched if choice.start <= p <= choice.end)

    def _is_resident(self, tensor: str) -> bool:
        return tensor in self.graph.storage and self.network.buffer_of(tensor) in self.residents

    # --- a layer of a part ---------------------------------------------------------------------------------

    def _layer(self, position: int) -> None:
        tensor = self.network.defines[position]
        box = self._new_box(position)
        if box is None:
            return
        low, shape = box
        needs = self._needs(position, low, shape)
        operands = self._operands(position, needs)
        target = self._target(position, tensor)
        blocks = self.weights.blocks(position)
        if len(blocks) == 1:
            out = self._write(target, tensor, low, shape)
            self._compute(position, low, shape, needs, operands, out, "")
        else:
            self._sliced(position, low, shape, operands, target, blocks)
        self._store(position, tensor, target, low, shape)

    def _sliced(
        self,
        position: int,
        low: Vector,
        shape: Vector,
        operands: dict[int, Tile],
        target: OnChip,
        blocks: list[tuple[int, int]],
    ) -> None:
        """A layer in slices of output channels, one per block of weights."""
        network, layer = self.network, self.network.layers[position]
        tensor = network.defines[position]
        whole = self.graph.types[tensor].shape
        lane = geometry.lane_axis(layer, len(whole))
        assert lane is not None
        for number, (first, end) in enumerate(blocks):
            part_low = (*low[:lane], first, *low[lane + 1 :])
            part_shape = (*shape[:lane], end - first, *shape[lane + 1 :])
            needs = self._needs(position, part_low, part_shape)
            mine = {}
            for slot, tile in operands.items():
                a = vector(needs[slot].boxes.low[0])
                mine[slot] = self._crop(tile, a, vector(needs[slot].boxes.extents[0]))
            out = self._write(target, tensor, part_low, part_shape)
            self._compute(position, part_low, part_shape, needs, mine, out, f".b{number}")

    def _needs(self, position: int, low: Vector, shape: Vector) -> dict[int, Need]:
        """What a box of a layer's result needs of every activation."""
        network = self.network
        box = Boxes.of((low, tuple(a + n for a, n in zip(low, shape, strict=True))))
        whole = self.graph.types[network.defines[position]].shape
        layer, shapes = network.layers[position], network.shapes(position)
        return {slot: needed(layer, slot, box, shapes, whole) for slot, _ in network.operands[position]}

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
        box = Boxes.of((low, tuple(a + n for a, n in zip(low, shape, strict=True))))
        inputs = self.graph.inputs_of(layer.name)
        ins: list[Tile | None] = [operands.get(slot) for slot in range(len(inputs))]
        for slot, constant in network.constant_operands(position):
            need = needed(layer, slot, box, network.shapes(position), whole)
            ins[slot] = self._constant(position, slot, constant, need)
        if 0 in needs:
            layer = tile_layer(layer, needs[0], 0, low, shape, whole)
        layer = replace(layer, name=self._name(f"{layer.name}/p{self.part}{suffix}"))
        self._emit(StepKind.COMPUTE, layer, replace(out, name=layer.name), tuple(ins))
        self._rename_last_piece(position, replace(out, name=layer.name))

    def _emit(self, kind: StepKind, layer: ir.Layer, out: Tile | None, ins: tuple[Tile | None, ...]) -> None:
        self._steps.append(Step(kind, self.group, self.part, 0, layer, out, ins))

    def _name(self, stem: str) -> str:
        """A unique name for a node and the tile it defines."""
        number = self._names.get(stem, 0)
        self._names[stem] = number + 1
        return stem if number == 0 else f"{stem}.{number}"

    # --- constants -----------------------------------------------------------------------------------------

    def _constant(self, position: int, slot: int, constant: str, need: Need) -> Tile:
        """The tile of a constant: resident if it is pinned or was just loaded, else loaded now."""
        layer = self.network.layers[position]
        low, shape = vector(need.boxes.low[0]), vector(need.boxes.extents[0])
        key = (f"{layer.name}/{slot}", low, shape)
        if key in self._constants:
            return self._constants[key]
        memory = geometry.memory_for(self.chip, layer, geometry.slot_role(layer, slot))
        order = geometry.natural_order(layer, slot, len(shape))
        type_ = TensorType(self.graph.types[constant].dtype, shape)
        name = self._name(f"{layer.name}/p{self.part}.w{slot}")
        tile = Tile.dense(name, constant, low, type_, order, memory)
        self._emit(StepKind.LOAD, layer, tile, ())
        if self.weights.is_pinned(position, slot, low):
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
            tile = self._crop(self._through_views(tensor, state), low, shape)
        self._views[key] = tile
        return tile

    def _through_views(self, tensor: str, state: OnChip) -> Tile:
        """A whole tensor that is a reshape, transpose … of its buffer: the network's own views, on chip."""
        view = self.network.view(tensor)
        whole = self.graph.types[tensor]
        if view.origin is not None:
            return self._box(view.buffer, state, view.origin, whole.shape)
        layer = self.graph.producer(tensor)
        assert layer is not None and layer.is_view
        source = self._through_views(str(self.graph.inputs_of(layer.name)[0]), state)
        storage = self.graph.storage[tensor]
        name = self._name(f"{layer.name}/p{self.part}")
        zero = (0,) * len(whole.shape)
        tile = Tile(name, tensor, zero, whole, state.block, state.base + storage.offset, storage.strides)
        self._emit(StepKind.VIEW, replace(layer, name=name), tile, (source,))
        return tile

    def _box(self, buffer: str, state: OnChip, low: Vector, shape: Vector) -> Tile:
        """A box of a buffer, in the coordinates of its owner, from the pieces on chip."""
        inside = [(at, tile) for at, tile in state.pieces if _meets(at, tile.type.shape, low, shape)]
        for at, tile in inside:
            if at == low and tile.type.shape == shape:
                return tile
        if len(inside) == 1:
            at, tile = inside[0]
            start = tuple(a - b for a, b in zip(low, at, strict=True))
            return self._slice(tile, start, shape)
        cropped = [self._crop_piece(at, tile, low, shape) for at, tile in inside]
        name = self._name(f"{buffer}/p{self.part}.join")
        origins = tuple(tuple(a - b for a, b in zip(at, low, strict=True)) for at, _ in cropped)
        out = self._tile_at(state, name, buffer, low, shape)
        layer = ir.Join(name=name, loc=self._loc(buffer), origins=origins)
        self._emit(StepKind.VIEW, layer, out, tuple(tile for _, tile in cropped))
        return out

    def _crop_piece(self, at: Vector, tile: Tile, low: Vector, shape: Vector) -> tuple[Vector, Tile]:
        first = tuple(max(a, b) for a, b in zip(at, low, strict=True))
        ends = zip(at, tile.type.shape, low, shape, strict=True)
        extent = tuple(min(a + n, b + m) - f for (a, n, b, m), f in zip(ends, first, strict=True))
        return first, self._slice(tile, tuple(a - b for a, b in zip(first, at, strict=True)), extent)

    def _crop(self, tile: Tile, low: Vector, shape: Vector) -> Tile:
        """A box of a tile, `low` counting in the tile's tensor."""
        return self._slice(tile, tuple(a - b for a, b in zip(low, tile.low, strict=True)), shape)

    def _slice(self, tile: Tile, start: Vector, shape: Vector) -> Tile:
        if tile.type.shape == shape:
            return tile
        name = self._name(f"{tile.name}.s")
        offset = tile.offset + sum(a * b for a, b in zip(start, tile.strides, strict=True))
        low = tuple(a + b for a, b in zip(tile.low, start, strict=True))
        out = replace(tile, name=name, low=low, type=TensorType(tile.type.dtype, shape), offset=offset)
        layer = ir.Slice(
            name=name, loc=self._loc(tile.tensor), start=start, step=(1,) * len(shape), shape=shape
        )
        self._emit(StepKind.VIEW, layer, out, (tile,))
        return out

    def _loc(self, tensor: str) -> ir.Loc:
        layer = self.graph.producer(tensor)
        return ir.Loc(tensor, "Input") if layer is None else layer.loc

    def _tile_at(self, state: OnChip, name: str, tensor: str, low: Vector, shape: Vector) -> Tile:
        """A box of a buffer as it lies in the state's block; `low` in the coordinates of the owner."""
        strides = state.strides
        offset = state.base + sum(a * b for a, b in zip(low, strides, strict=True))
        type_ = TensorType(self.graph.types[tensor].dtype, shape)
        return Tile(name, tensor, low, type_, state.block, offset, strides)

    def _strides(self, buffer: str) -> Vector:
        return self.graph.storage[buffer].strides

    def _write(self, state: OnChip, tensor: str, low: Vector, shape: Vector) -> Tile:
        """The tile that a layer is about to compute, entered as a piece of its buffer."""
        view = self.network.view(tensor)
        assert view.origin is not None
        at = tuple(a + b for a, b in zip(low, view.origin, strict=True))
        tile = replace(self._tile_at(state, "", tensor, at, shape), low=low)
        state.pieces.append((at, tile))
        return tile

    def _rename_last_piece(self, position: int, tile: Tile) -> None:
        buffer = self.network.buffer_of(self.network.defines[position])
        state = self._state(buffer)
        assert state is not None
        state.pieces[-1] = (state.pieces[-1][0], tile)

    # --- presence of buffers ---------------------------------------------------------------------------------

    def _state(self, buffer: str) -> OnChip | None:
        return self.residents.get(buffer) or self.rolling.get(buffer)

    def _present(self, buffer: str) -> OnChip:
        """The state of a buffer that is about to be read; its rows from DRAM are loaded if need be."""
        if buffer in self.residents:
            return self.residents[buffer]
        state = self.rolling.get(buffer)
        if state is None:
            state = self._open(buffer)
        return state

    def _target(self, position: int, tensor: str) -> OnChip:
        """The state of a buffer that is about to be written."""
        buffer = self.network.buffer_of(tensor)
        if buffer in self.residents or buffer in self.rolling:
            return self.residents.get(buffer) or self.rolling[buffer]
        if buffer in self.choice.outside:
            return self._open_whole(buffer, position)
        return self._open(buffer, position)

    def _open_whole(self, buffer: str, position: int) -> OnChip:
        """Make room for a resident buffer, over the operand of an addition where that is allowed."""
        info = self.network.buffers[buffer]
        source = in_place_source(self.network, position)
        if source in self.residents and self.network.last_use[str(source)] == position:
            old = self.residents[str(source)]
            state = OnChip(old.block, 0, info.rows, old.base, old.strides)
        else:
            name = self._name(f"{buffer}.whole")
            state = OnChip(Block(name, self.memory, info.nbytes), 0, info.rows, 0, self._strides(buffer))
        self.residents[buffer] = state
        return state

    def _open(self, buffer: str, position: int | None = None) -> OnChip:
        """A new tile of rows for this part: over an operand, or with the kept rows at its head."""
        info, rows, part = self.network.buffers[buffer], self.rows[buffer], self.part
        low, high = int(rows.low[part]), int(rows.high[part])
        state = self._over_operand(buffer, position, low, high)
        if state is None:
            block = self._tile_block(buffer, max(1, high - low) * info.row_bytes)
            state = OnChip(block, low, high, -low * info.stride, self._strides(buffer))
        self.rolling[buffer] = state
        for at, tile in self.kept.pop(buffer, []):
            self._move(state, buffer, at, tile)
        self._load(buffer, state)
        return state

    def _tile_block(self, buffer: str, nbytes: int) -> Block:
        """A block for the rows of a part: one for all parts if the buffer slides."""
        if self.choice.parts > 1 and self._slides(buffer):
            if buffer not in self._slide_block:
                held = self.rows[buffer].held(self.network.buffers[buffer].row_bytes)
                name = self._name(f"{buffer}.window")
                self._slide_block[buffer] = Block(name, self.memory, int(held.max()))
            return self._slide_block[buffer]
        return Block(self._name(f"{buffer}/p{self.part}.tile"), self.memory, nbytes)

    def _over_operand(self, buffer: str, position: int | None, low: int, high: int) -> OnChip | None:
        source = None if position is None else in_place_source(self.network, position)
        old = None if source is None else self._state(source)
        if old is None or source is None or self.last.get(source) != position:
            return None
        if not (old.low <= low and high <= old.high):
            return None
        if source not in self.residents:
            self._keep(source)  # before its rows are overwritten
        return OnChip(old.block, low, high, old.base, old.strides)

    def _load(self, buffer: str, state: OnChip) -> None:
        """Load the new rows of everything that was computed before the group and lies in DRAM."""
        network, rows, part = self.network, self.rows[buffer], self.part
        definitions = network.definitions.get(buffer, [])
        before = [t for p, t in definitions if p < self.choice.start]
        if definitions and not before:
            return
        if len(before) == len(definitions):
            before = [buffer]  # all of it: whole rows
        first, end = int(rows.new_low[part]), int(rows.high[part])
        for tensor in before:
            view, type_ = network.view(tensor), self.graph.types[tensor]
            low, shape = [0] * len(type_.shape), list(type_.shape)
            if view.axis is not None:
                low[view.axis] = max(0, first - view.first)
                shape[view.axis] = min(end - view.first, view.rows) - low[view.axis]
            if min(shape) <= 0 or (view.axis is None and first > 0):
                continue
            tile = self._write(state, tensor, tuple(low), tuple(shape))
            tile = replace(tile, name=self._name(f"{tensor}/p{part}.in"))
            state.pieces[-1] = (state.pieces[-1][0], tile)
            layer = network.layers[network.uses[buffer][0]]
            self._emit(StepKind.LOAD, layer, tile, ())

    # --- rows for the next part, and stores ------------------------------------------------------------------

    def _keep(self, buffer: str) -> None:
        """After its last use in a part: move the rows that the next part needs again, free the rest."""
        state = self.rolling.pop(buffer, None)
        part, rows = self.part, self.rows[buffer]
        if state is None or part + 1 == self.choice.parts:
            return
        low, high = int(rows.low[part + 1]), int(rows.high[part])
        if high <= low:
            return
        info = self.network.buffers[buffer]
        pieces = self._rows_of(buffer, state, low, high)
        if self._slides(buffer):
            self.kept[buffer] = pieces
            return
        block = Block(self._name(f"{buffer}/p{part}.keep"), self.memory, (high - low) * info.row_bytes)
        target = OnChip(block, low, high, -low * info.stride, self._strides(buffer))
        for at, tile in pieces:
            self._move(target, buffer, at, tile)
        self.kept[buffer] = target.pieces

    def _slides(self, buffer: str) -> bool:
        """See `slides`; a buffer that takes over an operand's place, or gives up its own, does not."""
        if buffer not in self._sliding:
            taken = {b for pair in self.in_place.items() for b in pair}
            row_bytes = self.network.buffers[buffer].row_bytes
            kept, held = self.rows[buffer].kept(row_bytes), self.rows[buffer].held(row_bytes)
            self._sliding[buffer] = buffer not in taken and slides(kept, held)
        return self._sliding[buffer]

    def _rows_of(self, buffer: str, state: OnChip, low: int, high: int) -> list[tuple[Vector, Tile]]:
        """The pieces of a buffer in a range of rows, joined where one box holds them all."""
        shape = self.graph.types[buffer].shape
        axis = self.network.view(buffer).axis
        start, extent = [0] * len(shape), list(shape)
        if axis is not None:
            start[axis], extent[axis] = low, high - low
        box = (tuple(start), tuple(extent))
        inside = [(at, tile) for at, tile in state.pieces if _meets(at, tile.type.shape, *box)]
        cropped = [_cropped_box(at, tile.type.shape, *box) for at, tile in inside]
        if sum(prod(extent) for _, extent in cropped) == prod(box[1]):
            return [(box[0], self._box(buffer, state, *box))]
        return [self._crop_piece(at, tile, *box) for at, tile in inside]

    def _move(self, target: OnChip, buffer: str, at: Vector, tile: Tile) -> None:
        """Copy a piece into another tile of its buffer, unless it lies in the right place already."""
        name = self._name(f"{buffer}/p{self.part}.move")
        here = self._tile_at(target, name, buffer, at, tile.type.shape)
        if here.block == tile.block and here.offset == tile.offset:
            target.pieces.append((at, tile))
            return
        out = replace(here, tensor=tile.tensor, low=tile.low)
        layer = ir.Copy(name=name, loc=self._loc(buffer))
        self._emit(StepKind.COMPUTE, layer, out, (tile,))
        target.pieces.append((at, out))

    def _store(self, position: int, tensor: str, state: OnChip, low: Vector, shape: Vector) -> None:
        """Write new rows of a tensor to DRAM if they are needed there."""
        network, choice = self.network, self.choice
        buffer = network.buffer_of(tensor)
        leaves = network.last_use[buffer] > choice.end
        if not leaves or (buffer in choice.outside and buffer not in network.network_outputs):
            return
        view = network.view(tensor)
        assert view.origin is not None
        at = tuple(a + b for a, b in zip(low, view.origin, strict=True))
        tile = replace(self._box(buffer, state, at, shape), tensor=tensor, low=low)
        self._emit(StepKind.STORE, network.layers[position], None, (tile,))


def _meets(at: Vector, extent: Vector, low: Vector, shape: Vector) -> bool:
    boxes = zip(at, extent, low, shape, strict=True)
    return all(a < b + m and b < a + n for a, n, b, m in boxes)


def _cropped_box(at: Vector, extent: Vector, low: Vector, shape: Vector) -> tuple[Vector, Vector]:
    first = tuple(max(a, b) for a, b in zip(at, low, strict=True))
    ends = zip(at, extent, low, shape, strict=True)
    return first, tuple(min(a + n, b + m) - f for (a, n, b, m), f in zip(ends, first, strict=True))

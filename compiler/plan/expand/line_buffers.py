"""Which rows of which buffers are on chip during a part: opened, loaded, kept for the next part, freed.

A buffer is on chip in one of two forms: *whole* (resident; it may outlive the group) or *rolling* (a tile of
rows per part, as wide as the strip; rows that are needed again are moved to the head of the next tile,
straight or by way of a small tile of their own).  Of a rolling buffer, the last rows may be resident besides.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from nnc.compiler.ir import layers as ir
from nnc.compiler.plan.expand.tile_views import Names, OnChip, TileViews, Vector, cropped_box, meets
from nnc.compiler.plan.fusion.buffer_bytes import slides
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.fusion.row_ranges import BufferRows, Walk
from nnc.compiler.plan.network.in_place import in_place_source
from nnc.compiler.plan.network.plan_network import PlanNetwork, column_axis
from nnc.compiler.plan.network.residents import Residents, last_rows, rows_on_chip
from nnc.compiler.plan.step import Block, Tile
from nnc.compiler.target import layer_traits
from nnc.isa.chip.description import Chip


class Presence(TileViews):
    """The buffers of a fused group.  `residents` (whole, or last rows) are shared by all groups of a plan."""

    def __init__(
        self,
        network: PlanNetwork,
        chip: Chip,
        choice: FusedChoice,
        residents: dict[str, OnChip],
        names: Names,
        core: int,
    ) -> None:
        super().__init__(network, names, core)
        self.chip, self.choice, self.residents = chip, choice, residents
        self.memory = layer_traits.memory_for(chip, network.layers[choice.start], "result")
        band, self.side = divmod(core, choice.cut.sides)
        self.walk = Walk(network, choice.end, choice.cut, band)
        for position in range(choice.end, choice.start - 1, -1):
            self.walk.extend(position)
        self.rows: dict[str, BufferRows] = {b: self.walk.input_rows(b) for b in self.walk.pending}
        self.rows.update(self.walk.rows)
        self.rolling: dict[str, OnChip] = {}
        self.kept: dict[str, list[tuple[Vector, Tile]]] = {}
        self.last = {buffer: self._last_touch(buffer) for buffer in self.rows}
        self._loaded: dict[str, int] = {}
        self.strip = self.at = 0
        self._sliding: dict[str, bool] = {}
        self._slide_block: dict[str, Block] = {}
        self.in_place = {
            source: network.buffer_of(network.defines[p])
            for p in range(choice.start, min(choice.tail, choice.end + 1))
            if (source := in_place_source(network, p)) is not None
        }

    def _begin_strip(self) -> None:
        """All rows are worked through once more, for other columns."""
        self.rolling.clear()
        self.kept.clear()
        self._loaded.clear()
        self._slide_block.clear()

    def _last_touch(self, buffer: str) -> int:
        """The last layer of the group that reads or writes a buffer."""
        return self.network.touched(buffer, self.choice.start, self.choice.end)[-1]

    def _rename_last_piece(self, position: int, tile: Tile) -> None:
        buffer = self.network.buffer_of(self.network.defines[position])
        state = self._state(buffer)
        assert state is not None
        state.pieces[-1] = (state.pieces[-1][0], tile)

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
            name = self._common_name(f"{buffer}.whole")
            state = OnChip(Block(name, self.memory, info.nbytes), 0, info.rows, 0, self._strides(buffer))
        self.residents[buffer] = state
        return state

    def _open(self, buffer: str, position: int | None = None) -> OnChip:
        """A new tile of rows for this part: over an operand, or with the kept rows at its head."""
        rows = self.rows[buffer]
        low, high = int(rows.low[self.at]), int(rows.high[self.at])
        state = self._over_operand(buffer, position, low, high)
        if state is None:
            block = self._tile_block(buffer, max(1, high - low) * self._row_bytes(buffer))
            state = self._rows_in(buffer, block, low, high)
        self.rolling[buffer] = state
        for at, tile in self._kept_rows(buffer, low, high):
            self._move(state, buffer, at, tile)
        self._load(buffer, state)
        return state

    def _tile_block(self, buffer: str, nbytes: int) -> Block:
        """A block for the rows of a part: one for all parts if the buffer slides."""
        if self.choice.parts > 1 and self._slides(buffer):
            if buffer not in self._slide_block:
                held = self.rows[buffer].held(self._row_bytes(buffer))
                name = self._common_name(f"{buffer}.window")
                self._slide_block[buffer] = Block(name, self.memory, int(held.max()))
            return self._slide_block[buffer]
        return Block(self._common_name(f"{buffer}/p{self.part}.tile"), self.memory, nbytes)

    def _over_operand(self, buffer: str, position: int | None, low: int, high: int) -> OnChip | None:
        source = None if position is None else in_place_source(self.network, position)
        old = None if source is None else self._state(source)
        if old is None or source is None or self.last.get(source) != position:
            return None
        if not (old.low <= low and high <= old.high):
            return None
        if source not in self.residents:
            self._keep(source)  # before its rows are overwritten
        elif self.choice.cut.recompute or self.choice.cut.strips > 1:
            return None  # rows or columns of the result may be computed again, from the operand
        return OnChip(old.block, low, high, old.base, old.strides)

    def _load(self, buffer: str, state: OnChip) -> None:
        """Load the new rows of everything that was computed before the group and lies in DRAM."""
        network, rows = self.network, self.rows[buffer]
        columns = self._columns(buffer)
        definitions = network.definitions.get(buffer, [])
        before = [t for p, t in definitions if p < self.choice.start]
        if buffer not in self.walk.pending or (definitions and not before):
            return  # nobody reads it here, or it is all made here
        if len(before) == len(definitions):
            before = [buffer]  # all of it: whole rows
        first, end = int(rows.low[self.at]), int(rows.high[self.at])
        if rows.keeps:
            first = max(first, self._loaded.get(buffer, 0))
            self._loaded[buffer] = end  # a part that did not touch the buffer left its rows to this one
        for tensor in before:
            view, type_ = network.view(tensor), self.graph.types[tensor]
            low, shape = [0] * len(type_.shape), list(type_.shape)
            if view.axis is not None:
                low[view.axis] = max(0, first - view.first)
                shape[view.axis] = min(end - view.first, view.rows) - low[view.axis]
            if columns is not None:
                axis = column_axis(network, tensor)
                assert axis is not None
                low[axis], shape[axis] = columns[0], columns[1] - columns[0]
            if min(shape, default=1) > 0 and not (view.axis is None and first > 0):
                self._fetch(state, tensor, tuple(low), tuple(shape), network.layers[network.uses[buffer][0]])

    def _fetch(self, state: OnChip, tensor: str, low: Vector, shape: Vector, layer: ir.Layer) -> None:
        """Bring a box of a tensor into a tile: from DRAM, and from its last rows that stayed on chip."""
        away, here = self._split(tensor, low, shape, self.choice.inside)
        if away is not None:
            tile = replace(self._write(state, tensor, *away), name=self._name(f"{tensor}/p{self.part}.in"))
            state.pieces[-1] = (state.pieces[-1][0], tile)
            self._emit_load(layer, tile)
        if here is not None:
            kept = self.residents[last_rows(tensor, rows_on_chip(self.choice.inside)[tensor])]
            self._move(state, tensor, here[0], self._box(tensor, kept, *here))

    def _split(
        self, tensor: str, low: Vector, shape: Vector, residents: Residents
    ) -> tuple[tuple[Vector, Vector] | None, tuple[Vector, Vector] | None]:
        """A box of a tensor as (what visits DRAM, what stays on chip): corners and shapes, None if empty."""
        rows, axis = rows_on_chip(residents).get(tensor), self.network.view(tensor).axis
        if rows is None or axis is None:
            return (low, shape), None
        border = min(max(self.graph.types[tensor].shape[axis] - rows - low[axis], 0), shape[axis])
        away = (low, (*shape[:axis], border, *shape[axis + 1 :]))
        here = (
            (*low[:axis], low[axis] + border, *low[axis + 1 :]),
            (*shape[:axis], shape[axis] - border, *shape[axis + 1 :]),
        )
        return (away if border else None), (here if border < shape[axis] else None)

    def _keep_last_rows(self, tensor: str, low: Vector, tile: Tile) -> None:
        """Copy computed rows to where they stay for the next group."""
        rows, info = rows_on_chip(self.choice.outside)[tensor], self.network.buffers[tensor]
        key = last_rows(tensor, rows)
        if key not in self.residents:
            block = Block(self._common_name(f"{tensor}.last"), self.memory, rows * info.row_bytes)
            first = info.rows - rows
            base = -first * info.stride
            self.residents[key] = OnChip(block, first, info.rows, base, self._strides(tensor))
        self._move(self.residents[key], tensor, low, tile)

    # --- rows for the next part -----------------------------------------------------------------------------

    def _keep(self, buffer: str) -> None:
        """After its last use in a part: move the rows that the next part needs again, free the rest."""
        state = self.rolling.pop(buffer, None)
        at, rows = self.at, self.rows[buffer]
        if state is None or at + 1 == self.choice.cut.total or not rows.keeps:
            return
        low, high = int(rows.low[at + 1]), int(rows.high[at])
        if high <= low:
            return
        pieces = self._rows_of(buffer, state, low, high)
        if self._slides(buffer):
            self.kept[buffer] = pieces
            return
        nbytes = (high - low) * self._row_bytes(buffer)
        block = Block(self._common_name(f"{buffer}/p{self.part}.keep"), self.memory, nbytes)
        target = self._rows_in(buffer, block, low, high)
        for corner, tile in pieces:
            self._move(target, buffer, corner, tile)
        self.kept[buffer] = target.pieces

    def _kept_rows(self, buffer: str, low: int, high: int) -> list[tuple[Vector, Tile]]:
        """The kept pieces of a buffer that lie in a range of rows; parts that did not use it kept more."""
        box = self._row_box(buffer, low, high)
        kept = [piece for piece in self.kept.pop(buffer, []) if meets(piece[0], piece[1].type.shape, *box)]
        return [self._crop_piece(at, tile, *box) for at, tile in kept]

    def _row_box(self, buffer: str, low: int, high: int) -> tuple[Vector, Vector]:
        """Corner and shape of a range of rows of a buffer."""
        shape = self.graph.types[buffer].shape
        axis = self.network.view(buffer).axis
        start, extent = [0] * len(shape), list(shape)
        if axis is not None:
            start[axis], extent[axis] = low, high - low
        columns = self._columns(buffer)
        if columns is not None:
            axis = column_axis(self.network, buffer)
            assert axis is not None
            start[axis], extent[axis] = columns[0], columns[1] - columns[0]
        return tuple(start), tuple(extent)

    def _columns(self, buffer: str) -> tuple[int, int] | None:
        """Columns of a buffer in this strip; None if they are not cut."""
        found = self.walk.columns.of(buffer)
        return None if found is None else (int(found.low[self.strip]), int(found.high[self.strip]))

    def _row_bytes(self, buffer: str) -> int:
        """Bytes of a row of a buffer, or of what this strip needs of it."""
        info, columns = self.network.buffers[buffer], self.walk.columns.of(buffer)
        if columns is None:
            return info.row_bytes
        low, high = int(columns.low[self.strip]), int(columns.high[self.strip])
        return info.row_bytes // columns.total * (high - low)

    def _rows_in(self, buffer: str, block: Block, low: int, high: int) -> OnChip:
        """Rows of a buffer, dense in a block, as wide as this strip needs them."""
        columns, strides = self._columns(buffer), list(self._strides(buffer))
        base = -low * self.network.buffers[buffer].stride
        if columns is not None:
            row, column = self.network.view(buffer).axis, column_axis(self.network, buffer)
            assert row is not None and column is not None
            strides[row] = (columns[1] - columns[0]) * strides[column]
            base = -low * strides[row] - columns[0] * strides[column]
        return OnChip(block, low, high, base, tuple(strides))

    def _slides(self, buffer: str) -> bool:
        """See `slides`; a buffer that takes over an operand's place, or gives up its own, does not."""
        if buffer not in self._sliding:
            taken = {b for pair in self.in_place.items() for b in pair}
            kept, held = self.rows[buffer].kept(1), self.rows[buffer].held(1)
            self._sliding[buffer] = buffer not in taken and slides(kept, held)
        return self._sliding[buffer]

    def _rows_of(self, buffer: str, state: OnChip, low: int, high: int) -> list[tuple[Vector, Tile]]:
        """The pieces of a buffer in a range of rows, joined where one box holds them all."""
        box = self._row_box(buffer, low, high)
        inside = [(at, tile) for at, tile in state.pieces if meets(at, tile.type.shape, *box)]
        cropped = [cropped_box(at, tile.type.shape, *box) for at, tile in inside]
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
        self._emit_compute(layer, out, (tile,))
        target.pieces.append((at, out))

"""Line buffers of a fused group: allocate, fill, shift and free the rows that each part holds in SRAM.

in:   rows of every buffer that each part reads, makes and keeps; what is on chip before the group
out:  loads of new rows, copies of rows that the next part needs again; blocks (`OnChip`) for all of them

A buffer is on chip in one of two forms: *whole* (resident; it may outlive the group) or *rolling* (a tile of
rows per part, as wide as the strip; rows that are needed again are moved to the head of the next tile,
straight or by way of a small tile).  Of a rolling buffer, the last rows may be resident, too; its tile lies
in the result that takes its place if that stays whole.

x, read by a 3x3 convolution in parts of 2 rows:

    part 0   open  [0 1 2]        load rows 0..2
             keep      [1 2]      the next part needs them again; row 0 is freed
    part 1   open  [1 2|3 4]      move rows 1..2 to the head, load rows 3..4
             keep          [3 4]
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.regions.boxes import meets
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import ordered_strides
from nnc.compiler.plan.fusion.buffer_rows import BufferRows, is_sliding_window
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.fusion.row_ranges import RowRanges
from nnc.compiler.plan.fusion.sliding import piece_bytes
from nnc.compiler.plan.network.hidden_runs import HiddenRun
from nnc.compiler.plan.network.layout import in_place_source
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.residents import Resident
from nnc.compiler.plan.step import Block, Tile
from nnc.compiler.plan.steps.last_rows import LastRows
from nnc.compiler.plan.steps.step_writer import OnChip, OnChipBetween, ResidentRows, StepWriter, Vector
from nnc.compiler.plan.steps.strip_geometry import Part, StripGeometry, pieces_in


class LineBuffers:
    """The buffers of a fused group on one core.

    `residents` (whole, or last rows) is what is on chip for more than a part: what the group finds there, and
    what it leaves.
    """

    def __init__(
        self,
        network: PlanNetwork,
        memory: str,
        align: int,
        choice: FusedChoice,
        runs: Mapping[int, HiddenRun],
        residents_in: OnChipBetween,
        writer: StepWriter,
    ) -> None:
        """Args:
        runs: of hidden channels that come in chunks, by position; their results take no operand's place.
        """
        self.network, self.graph, self.choice, self.writer = network, network.graph, choice, writer
        self.memory, self.align = memory, align
        self.residents = {resident.original: self._opened(resident, rows) for resident, rows in residents_in}
        band, _ = divmod(writer.core, choice.cut.column_shards)
        self.walk = RowRanges(network, choice.end, choice.cut, band)
        for position in range(choice.end, choice.start - 1, -1):
            self.walk.extend(position)
        self.rows: dict[str, BufferRows] = {b: self.walk.input_rows(b) for b in self.walk.pending}
        self.rows.update(self.walk.rows)
        self.strips = StripGeometry(network, self.walk.columns)
        self.last_rows = LastRows(network, choice, self.residents, self.memory, align, writer)
        self._last_touch = {b: network.touched(b, choice.start, choice.end)[-1] for b in self.rows}
        self._rolling: dict[str, OnChip] = {}
        self._kept: dict[str, list[tuple[Vector, Tile]]] = {}
        self._loaded: dict[str, int] = {}
        self._sliding: dict[str, bool] = {}
        self._window: dict[str, Block] = {}
        self._runs = runs
        self._in_place = {
            source: network.buffer_of(network.defines[p])
            for p in range(choice.start, min(choice.sliced_from, choice.end + 1))
            if (source := self._source(p)) is not None
        }
        self._landings = self.walk.landings(self._in_place, choice.residents_out.whole)

    # --- what the group asks for ------------------------------------------------------------------------

    def begin_strip(self) -> None:
        """All rows are worked through once more, for other columns."""
        for of_strip in (self._rolling, self._kept, self._loaded, self._window):
            of_strip.clear()

    def is_resident(self, buffer: str) -> bool:
        """Whether all of a buffer is on chip, for parts and groups to come."""
        return Resident(buffer) in self.residents

    def stays(self, buffer: str) -> bool:
        """Whether all of a buffer is to be on chip after the group."""
        return buffer in self.choice.residents_out.whole

    def present(self, buffer: str, part: Part) -> OnChip:
        """The state of a buffer that is about to be read; its rows from DRAM are loaded if need be."""
        state = self._state(buffer)
        if buffer in self.choice.copied:
            state = state or self._new_whole(buffer)
            self._load(buffer, state, part)
        return state or self._open(buffer, part)

    def target(self, position: int, tensor: str, part: Part) -> OnChip:
        """The state of a buffer that is about to be written."""
        buffer = self.network.buffer_of(tensor)
        if (state := self._state(buffer)) is not None:
            return state
        if self.stays(buffer):
            return self._open_whole(buffer, position)
        return self._open(buffer, part, position)

    def slice_of(self, buffer: str, low: Vector, shape: Vector, part: Part) -> OnChip:
        """A tile for a slice of a buffer's channels; it takes the place of the slice before."""
        strides = ordered_strides(shape, self.graph.storage[buffer].order)
        base = -sum(a * b for a, b in zip(low, strides, strict=True))
        nbytes = prod(shape) * self.graph.types[buffer].dtype.itemsize
        rows = self.rows[buffer]
        block = Block(self.writer.name_of(buffer, "slice", is_common=True), self.memory, nbytes)
        state = OnChip(block, int(rows.low[part.at]), int(rows.high[part.at]), base, strides)
        self._rolling[buffer] = state
        return state

    def drop(self, buffer: str) -> None:
        """Free what the part holds of a buffer; nothing of it is needed again."""
        self._rolling.pop(buffer, None)

    def finish(self, position: int, part: Part) -> None:
        """Free or keep the buffers that a part has used for the last time."""
        for buffer, last in self._last_touch.items():
            if last == position:
                self._keep(buffer, part)

    def residents_out(self) -> OnChipBetween:
        """What stays on chip for the next group."""
        return frozenset((r, ResidentRows.of(self.residents[r.original])) for r in self.choice.residents_out)

    def _opened(self, resident: Resident, rows: ResidentRows) -> OnChip:
        """What the group finds on chip; the group before may have cut the buffer along another axis."""
        found = rows.opened()
        if resident.rows is None:
            found.high = self.network.buffers[resident.buffer].rows
        return found

    # --- allocate and fill ----------------------------------------------------------------------------------

    def _state(self, buffer: str) -> OnChip | None:
        return self.residents.get(Resident(buffer)) or self._rolling.get(buffer)

    def _source(self, position: int) -> str | None:
        """The buffer of an operand that a result may overwrite."""
        return None if position in self._runs else in_place_source(self.network, position)

    def _open_whole(self, buffer: str, position: int) -> OnChip:
        """Make room for a resident buffer, over the operand of an addition where that is allowed."""
        source = self._source(position)
        old, rows = self.residents.get(Resident(source or "")), self.network.buffers[buffer].rows
        if source is None or old is None or not self.walk.may_take_over(source, buffer):
            return self._new_whole(buffer)
        return self._enter(buffer, OnChip(old.block, 0, rows, old.base, old.strides))

    def _new_whole(self, buffer: str) -> OnChip:
        """A block of its own for a resident buffer."""
        info = self.network.buffers[buffer]
        name = self.writer.name(self.writer.stem_of(buffer), ".whole", is_common=True)
        block = Block(name, self.memory, info.nbytes, piece_bytes(info, self.align))
        return self._enter(buffer, OnChip(block, 0, info.rows, 0, self.writer.strides_of(buffer)))

    def _enter(self, buffer: str, state: OnChip) -> OnChip:
        self.residents[Resident(buffer)] = state
        return state

    def _open(self, buffer: str, part: Part, position: int | None = None) -> OnChip:
        """A new tile of rows for this part: over an operand, or with the kept rows at its head."""
        rows = self.rows[buffer]
        low, high = int(rows.low[part.at]), int(rows.high[part.at])
        state = self._over_operand(buffer, position, low, high, part) or self._in_result(buffer, low, high)
        if state is None:
            block = self._tile_block(buffer, max(1, high - low) * self.strips.row_bytes(buffer, part), part)
            state = self.strips.rows_in(buffer, block, low, high, part)
        self._rolling[buffer] = state
        # All pieces of a window move down by as much: the lowest first, so that none lands on one that waits.
        for at, tile in sorted(self._kept_rows(buffer, low, high, part), key=lambda kept: kept[1].offset):
            self.writer.move(state, buffer, at, tile)
        self._load(buffer, state, part)
        return state

    def _tile_block(self, buffer: str, nbytes: int, part: Part) -> Block:
        """A block for the rows of a part: one for all parts if the buffer slides."""
        if self.choice.parts > 1 and self._slides(buffer):
            if buffer not in self._window:
                held = self.rows[buffer].held(self.strips.row_bytes(buffer, part))
                name = self.writer.name(self.writer.stem_of(buffer), ".window", is_common=True)
                self._window[buffer] = Block(name, self.memory, int(held.max()))
            return self._window[buffer]
        name = self.writer.name_of(buffer, "tile", is_common=True)
        return self.last_rows.tile_block(name, nbytes, buffer, self._in_place.get(buffer))

    def _over_operand(self, buffer: str, at: int | None, low: int, high: int, part: Part) -> OnChip | None:
        source = None if at is None else self._source(at)
        old = self._state(source or "")
        if old is None or source is None or self._last_touch.get(source) != at:
            return None
        covers = self.is_resident(source) or self.walk.columns.covers(source, buffer)
        if not covers or not (old.low <= low and high <= old.high):
            return None
        if not self.is_resident(source):
            self._keep(source, part)  # before its rows are overwritten
        elif not self.walk.may_take_over(source, buffer):
            return None  # rows or columns of the result may be computed again, from the operand
        return OnChip(old.block, low, high, old.base, old.strides)

    def _in_result(self, buffer: str, low: int, high: int) -> OnChip | None:
        """Rows of an operand where the result that takes its place is to stay; None if that is nowhere."""
        if (target := self._landings.get(buffer)) is None:
            return None
        at = self.residents.get(Resident(target)) or self._new_whole(target)
        return OnChip(at.block, low, high, at.base, at.strides)

    def _load(self, buffer: str, state: OnChip, part: Part) -> None:
        """Load the new rows of everything that was computed before the group and lies in DRAM."""
        network, rows, columns = self.network, self.rows[buffer], self.strips.columns(buffer, part)
        definitions = network.definitions.get(buffer, [])
        before = [t for p, t in definitions if p < self.choice.start]
        if buffer not in self.walk.pending or (definitions and not before):
            return  # nobody reads it here, or it is all made here
        if len(before) == len(definitions):
            before = [buffer]  # all of it: whole rows
        first, end = int(rows.low[part.at]), int(rows.high[part.at])
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
                # A piece may have some of the columns of its buffer: others come after it, behind the group.
                axis, origin = required(network.buffers[buffer].column_axis), required(view.origin)
                low[axis] = max(0, columns[0] - origin[axis])
                shape[axis] = min(columns[1] - origin[axis], shape[axis]) - low[axis]
            if min(shape, default=1) > 0 and not (view.axis is None and first > 0):
                reader = network.layers[network.uses[buffer][0]]
                self.fetch(state, tensor, tuple(low), tuple(shape), reader)

    def fetch(self, state: OnChip, tensor: str, low: Vector, shape: Vector, layer: ir.Layer) -> None:
        """Bring a box of a tensor into a tile: from DRAM, and from its last rows that stayed on chip."""
        away, here = self.last_rows.split(tensor, low, shape, self.choice.residents_in)
        if here is not None:  # first, so that what is loaded may lie where they were
            self.last_rows.bring(tensor, state, *here)
        if away is not None:
            name = self.writer.name_of(tensor, "in")
            self.writer.load(layer, self.writer.write(state, name, tensor, *away))

    # --- shift and free: rows for the next part ------------------------------------------------------------

    def _keep(self, buffer: str, part: Part) -> None:
        """After its last use in a part: move the rows that the next part needs again, free the rest."""
        state = self._rolling.pop(buffer, None)
        at, rows = part.at, self.rows[buffer]
        if state is not None:
            self.last_rows.leave(buffer, state)
        if state is None or at + 1 == self.choice.cut.parts or not rows.keeps:
            return
        low, high = int(rows.low[at + 1]), int(rows.high[at])
        if high <= low:
            return
        pieces = pieces_in(self.writer, buffer, state, *self.strips.row_box(buffer, low, high, part))
        if self._slides(buffer) or buffer in self._landings:
            self._kept[buffer] = pieces
            return
        nbytes = (high - low) * self.strips.row_bytes(buffer, part)
        block = Block(self.writer.name_of(buffer, "keep", is_common=True), self.memory, nbytes)
        target = self.strips.rows_in(buffer, block, low, high, part)
        for piece in pieces:
            self.writer.move(target, buffer, *piece)
        self._kept[buffer] = target.pieces

    def _kept_rows(self, buffer: str, low: int, high: int, part: Part) -> list[tuple[Vector, Tile]]:
        """The kept pieces of a buffer that lie in a range of rows; parts that did not use it kept more."""
        box = self.strips.row_box(buffer, low, high, part)
        kept = [piece for piece in self._kept.pop(buffer, []) if meets(piece[0], piece[1].type.shape, *box)]
        return [self.writer.crop_piece(at, tile, *box) for at, tile in kept]

    def _slides(self, buffer: str) -> bool:
        """See `slides`; a buffer that takes over an operand's place, or gives up its own, does not."""
        if buffer not in self._sliding:
            taken = {b for pair in self._in_place.items() for b in pair}
            kept, held = self.rows[buffer].kept(1), self.rows[buffer].held(1)
            self._sliding[buffer] = buffer not in taken and is_sliding_window(kept, held)
        return self._sliding[buffer]

"""Line buffers of a fused group: allocate, fill, shift and free the rows that each part holds in SRAM.

in:   rows of every buffer that each part reads, makes and keeps; what is on chip before the group
out:  loads of new rows, copies of rows that the next part needs again; blocks (`OnChip`) for all of them

A buffer is on chip in one of two forms: *whole* (resident; it may outlive the group) or *rolling* (a tile of
rows per part, as wide as the strip; rows that are needed again are moved to the head of the next tile,
straight or by way of a small tile).  Of a rolling buffer, the last rows may be resident, too; its tile lies
in the result that takes its place if that stays whole.

x, read by a 3x3 convolution in parts of 2 rows:

    part 0   open  [0 1 2]        load rows 0..2
             keep      [1 2]      the next part needs them again: move them to the head, row 0 is freed
    part 1   open  [1 2|3 4]      load rows 3..4
             keep          [3 4]
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from math import prod
from operator import mul

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.regions.boxes import Box, ranged
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import ordered_strides
from nnc.compiler.plan.fusion.buffer_rows import is_sliding_window
from nnc.compiler.plan.fusion.sliding import piece_bytes
from nnc.compiler.plan.network.residents import Resident
from nnc.compiler.plan.network.staging import Staging
from nnc.compiler.plan.step import Block
from nnc.compiler.plan.steps.last_rows import LastRows
from nnc.compiler.plan.steps.part_boxes import PartBoxes
from nnc.compiler.plan.steps.step_writer import OnChip, OnChipBetween, Piece, StepWriter, shared


class LineBuffers:
    """The buffers of a fused group on one core.

    `residents` (whole, or last rows) is what is on chip for more than a part: what the group finds there, and
    what it leaves.
    """

    def __init__(
        self, writer: StepWriter, staging: Staging, runs: Collection[int], residents_in: OnChipBetween
    ) -> None:
        """Args:
        runs: positions of layers in runs of hidden channels; their results take no operand's place.
        """
        self._writer, self._network, self._choice = writer, writer.network, writer.choice
        self.memory = staging.memories.home
        self._align = staging.chip.block_align(self.memory)
        self.boxes = PartBoxes(writer)
        self._walk, self._rows = self.boxes.walk, self.boxes.rows
        self.residents = {
            resident.original: replace(rows, pieces=[*rows.pieces]) for resident, rows in residents_in
        }
        self.last_rows = LastRows(writer, self.residents, self.memory, self._align)
        interval = self._choice.start, self._choice.end
        self._last_touch = {buffer: self._network.touched(buffer, *interval)[-1] for buffer in self._rows}
        self._runs = runs
        self._in_place = {
            source: self._network.buffer_of(self._network.defines[position])
            for position in writer.unsliced
            if (source := self._source(position)) is not None
        }
        self._landings = self._walk.landings(self._in_place, self._choice.residents_out.whole)
        self._sliding = {buffer for buffer in self._rows if self._slides(buffer)}
        self.begin_strip()

    def begin_strip(self) -> None:
        """All rows are worked through once more, for other columns."""
        self._rolling: dict[str, OnChip] = {}
        self._kept: dict[str, list[Piece]] = {}
        self._loaded: dict[str, int] = {}
        self._window: dict[str, Block] = {}

    # --- what the group asks for ------------------------------------------------------------------------

    def is_resident(self, buffer: str) -> bool:
        """Whether all of a buffer is on chip, for parts and groups to come."""
        return Resident(buffer) in self.residents

    def stays(self, buffer: str) -> bool:
        """Whether all of a buffer is to be on chip after the group."""
        return buffer in self._choice.residents_out.whole

    def present(self, buffer: str) -> OnChip:
        """The state of a buffer that is about to be read; its rows from DRAM are loaded if need be."""
        state = self._state(buffer)
        if buffer in self._choice.copied:
            state = state or self._new_whole(buffer)
            self._load(buffer, state)
        return state or self._open(buffer)

    def target(self, position: int) -> OnChip:
        """The state of the buffer of a result that is about to be written."""
        buffer = self._network.buffer_of(self._network.defines[position])
        if (state := self._state(buffer)) is not None:
            return state
        return self._open_whole(buffer, position) if self.stays(buffer) else self._open(buffer, position)

    def slice_of(self, buffer: str, box: Box) -> OnChip:
        """A tile for a slice of a buffer's channels; it takes the place of the slice before."""
        storage, type_ = self._writer.graph.storage[buffer], self._writer.graph.types[buffer]
        name = self._writer.name_of(buffer, "slice", is_common=True)
        block = Block(name, self.memory, prod(box[1]) * type_.dtype.itemsize)
        strides = ordered_strides(box[1], storage.order)
        self._rolling[buffer] = OnChip(block, -sum(map(mul, box[0], strides)), strides)
        return self._rolling[buffer]

    def drop(self, buffer: str) -> None:
        """Free what the part holds of a buffer; nothing of it is needed again."""
        self._rolling.pop(buffer, None)

    def finish(self, position: int) -> None:
        """Free or keep the buffers that a part has used for the last time."""
        for buffer, last in self._last_touch.items():
            if last == position:
                self._keep(buffer)

    def residents_out(self) -> OnChipBetween:
        """What stays on chip for the next group."""
        return frozenset((r, self.residents[r.original]) for r in self._choice.residents_out)

    # --- allocate and fill ----------------------------------------------------------------------------------

    def _state(self, buffer: str) -> OnChip | None:
        return self.residents.get(Resident(buffer)) or self._rolling.get(buffer)

    def _source(self, position: int) -> str | None:
        """The buffer of an operand that a result may overwrite."""
        return None if position in self._runs else self._network.in_place_source(position)

    def _open_whole(self, buffer: str, position: int) -> OnChip:
        """Make room for a resident buffer, over the operand of an addition where that is allowed."""
        source = self._source(position)
        old = self.residents.get(Resident(source or ""))
        if source is None or old is None or not self._walk.may_take_over(source, buffer):
            return self._new_whole(buffer)
        self.residents[Resident(buffer)] = old.in_place()
        return self.residents[Resident(buffer)]

    def _new_whole(self, buffer: str) -> OnChip:
        """A block of its own for a resident buffer."""
        info = self._network.buffers[buffer]
        name = self._writer.name(self._writer.stem_of(buffer), ".whole", is_common=True)
        block = Block(name, self.memory, info.nbytes, piece_bytes(info, self._align))
        self.residents[Resident(buffer)] = OnChip(block, 0, self._writer.graph.storage[buffer].strides)
        return self.residents[Resident(buffer)]

    def _open(self, buffer: str, position: int | None = None) -> OnChip:
        """A new tile of rows for this part: over an operand, or with the kept rows at its head."""
        low, high = self.boxes.held(buffer)
        state = None if position is None else self._over_operand(buffer, position)
        if state is None and (target := self._landings.get(buffer)) is not None:
            # an operand lies where the result that takes its place is to stay
            state = (self.residents.get(Resident(target)) or self._new_whole(target)).in_place()
        if state is None:
            block = self._tile_block(buffer, max(1, high - low) * self.boxes.row_bytes(buffer))
            state = self.boxes.rows_in(buffer, block, low, high)
        self._rolling[buffer] = state
        # Parts that did not use the buffer kept more rows.
        box = self.boxes.row_box(buffer, low, high)
        cropped = [self._writer.cropped(*part) for part in shared(self._kept.pop(buffer, []), box)]
        is_window = state.block == self._window.get(buffer)
        if not is_window:  # before the copies: what begins with a load may arrive in the part before
            self._load(buffer, state)
        self._move(buffer, cropped, state)
        if is_window:  # over the rows that have moved
            self._load(buffer, state)
        return state

    def _tile_block(self, buffer: str, nbytes: int) -> Block:
        """A block for the rows of a part: one for all parts if the buffer slides."""
        if self._choice.parts == 1 or buffer not in self._sliding:
            name = self._writer.name_of(buffer, "tile", is_common=True)
            return self.last_rows.tile_block(name, nbytes, buffer, self._in_place.get(buffer))
        if buffer not in self._window:
            held = self._rows[buffer].held(self.boxes.row_bytes(buffer))
            name = self._writer.name(self._writer.stem_of(buffer), ".window", is_common=True)
            self._window[buffer] = Block(name, self.memory, int(held.max()))
        return self._window[buffer]

    def _over_operand(self, buffer: str, position: int) -> OnChip | None:
        """The place of an operand, which a result may overwrite; None if it may not, or has more rows."""
        source = self._source(position)
        old = self._state(source or "")
        if old is None or source is None or self._last_touch.get(source) != position:
            return None
        if self.is_resident(source):
            # rows or columns of the result may be computed again, from the operand
            return old.in_place() if self._walk.may_take_over(source, buffer) else None
        (low, high), (first, end) = self.boxes.held(buffer), self.boxes.held(source)
        if not (first <= low and high <= end and self._walk.columns.covers(source, buffer)):
            return None
        self._keep(source)  # before its rows are overwritten
        return old.in_place()

    def _load(self, buffer: str, state: OnChip) -> None:
        """Load the new rows of everything that was computed before the group and lies in DRAM."""
        network, rows = self._network, self._rows[buffer]
        definitions = network.definitions.get(buffer, [])
        before = [tensor for position, tensor in definitions if position < self._choice.start]
        if buffer not in self._walk.pending or (definitions and not before):
            return  # nobody reads it here, or it is all made here
        if len(before) == len(definitions):
            before = [buffer]  # all of it: whole rows
        first, end = self.boxes.held(buffer)
        if rows.keeps:
            first = max(first, self._loaded.get(buffer, 0))
            self._loaded[buffer] = end  # a part that did not touch the buffer left its rows to this one
        reader = network.layers[network.uses[buffer][0]]
        for tensor in before:
            box = self._box_to_load(buffer, tensor, first, end)
            if min(box[1], default=1) > 0 and not (network.view(tensor).axis is None and first > 0):
                self.fetch(state, tensor, box, reader)

    def _box_to_load(self, buffer: str, tensor: str, first: int, end: int) -> Box:
        """What a range of rows of a buffer, in the columns of this strip, has of a tensor."""
        view, shape = self._network.view(tensor), self._writer.graph.types[tensor].shape
        box = (0,) * len(shape), shape
        if view.axis is not None:
            low = max(0, first - view.first)
            box = ranged(box, view.axis, low, min(end - view.first, view.rows))
        if (columns := self.boxes.columns(buffer)) is not None:
            # A piece may have some of the columns of its buffer: others come after it, behind the group.
            axis = required(self._network.buffers[buffer].column_axis)
            low, high = (edge - required(view.origin)[axis] for edge in columns)
            box = ranged(box, axis, max(0, low), min(high, shape[axis]))
        return box

    def fetch(self, state: OnChip, tensor: str, box: Box, layer: ir.Layer) -> None:
        """Bring a box of a tensor into a tile: from DRAM, and from its last rows that stayed on chip."""
        away, here = self.last_rows.split(tensor, box, self._choice.residents_in)
        if here is not None:  # first, so that what is loaded may lie where they were
            self.last_rows.bring(tensor, state, here)
        if away is not None:
            name = self._writer.name_of(tensor, "in")
            self._writer.load(layer, self._writer.write(state, name, tensor, away))

    # --- shift and free: rows for the next part ------------------------------------------------------------

    def _keep(self, buffer: str) -> None:
        """After its last use in a part: move the rows that the next part needs again, free the rest."""
        state, place, rows = self._rolling.pop(buffer, None), self._writer.part.place, self._rows[buffer]
        if state is None:
            return
        self.last_rows.leave(buffer, state)
        if place + 1 == self._choice.cut.parts or not rows.keeps:
            return
        low, high = int(rows.low[place + 1]), int(rows.high[place])
        if high <= low:
            return
        pieces = self._writer.pieces(buffer, state, self.boxes.row_box(buffer, low, high))
        if buffer not in self._landings:
            target = self._head(buffer, state, low, high)
            self._move(buffer, pieces, target)
            pieces = target.pieces
        self._kept[buffer] = pieces

    def _move(self, buffer: str, pieces: Sequence[Piece], target: OnChip) -> None:
        """Move pieces to where they belong in a tile.

        Those of a window move down by as much, all of them: the lowest first, so that none lands on one that
        waits.
        """
        for corner, tile in sorted(pieces, key=lambda piece: piece[1].offset):
            self._writer.move(target, buffer, corner, tile)

    def _head(self, buffer: str, state: OnChip, low: int, high: int) -> OnChip:
        """Where the rows go that the next part needs again.

        Those of a window move to its head at once, so that what is loaded behind them need not wait for the
        layers of this part that do not read it.
        """
        if state.block == self._window.get(buffer):
            return self.boxes.rows_in(buffer, state.block, low, high)
        nbytes = (high - low) * self.boxes.row_bytes(buffer)
        block = Block(self._writer.name_of(buffer, "keep", is_common=True), self.memory, nbytes)
        return self.boxes.rows_in(buffer, block, low, high)

    def _slides(self, buffer: str) -> bool:
        """See `is_sliding_window`; a buffer that takes an operand's place, or gives up its own, does not."""
        taken, rows = self._in_place.keys() | self._in_place.values(), self._rows[buffer]
        return buffer not in taken and is_sliding_window(rows.kept(1), rows.held(1))

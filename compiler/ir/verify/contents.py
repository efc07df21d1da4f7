"""What the blocks on chip hold: every tile that is read is still there (from level `partition` on)."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.layers import Copy, Layer
from nnc.compiler.ir.regions.boxes import Boxes, Ints
from nnc.compiler.ir.regions.operand_boxes import needed
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import Storage
from nnc.compiler.ir.verify.columns import column
from nnc.compiler.ir.verify.storage import elements_of
from nnc.compiler.ir.verify.subject import Subject, broken, hull

Numbers = npt.NDArray[np.int32]
Vector = tuple[int, ...]
MAX_PAIRS = 128
"""Reads of a block are compared with writes one by one up to so many pairs per read, else by marks."""


def check_contents(subject: Subject) -> None:
    """In the order of issue, every element that is read was last written by the tile that it belongs to.

    Where the hulls of tiles show that (see `_Hulls`), that is all; in other blocks every element is marked
    with the number of the tile that wrote it.  A tile may be written over an operand in place if each element
    of the result needs just the operand's element in its own place; a copy may overlap what it copies.
    """
    _check_widths(subject)
    tiles, sources = subject.numbered, _Sources(subject)
    suspects = _Hulls(subject, sources).suspects()
    marks = _marks(subject, suspects) if suspects else {}
    storage = subject.graph.storage
    for place in range(len(subject.graph.notes.order)) if marks else ():
        node, reads, written = subject.access(place)
        for tensor in reads:
            marked = marks.get(storage[tensor].buffer)
            if marked is not None and not _holds(marked.of(storage[tensor]), sources.of(tensor)):
                raise broken(node, f"{tensor}, which it reads, has been overwritten or was never written")
        if written is None or storage[written].buffer not in marks:
            continue
        marked = marks[storage[written].buffer]
        marked.of(storage[written])[...] = number = tiles.number[written] + 1
        for operand in reads:
            if storage[operand].buffer != storage[written].buffer:
                continue
            hit = bool((marked.of(storage[operand]) == number).any())
            if hit and not may_overwrite(subject, node, operand, written):
                raise broken(node, f"it overwrites {operand} while reading it")


class _Sources:
    """The tiles that were written to make every tile: itself, or those behind a view."""

    def __init__(self, subject: Subject) -> None:
        graph, number = subject.graph, subject.numbered.number
        self._number = number
        self.of_views: dict[int, tuple[int, ...]] = {}
        for view in subject.renamed:
            operands = map(required, graph.inputs_of(view.name))
            behind = {source for tensor in operands for source in self.behind(number[tensor])}
            self.of_views[number[graph.output_of(view.name)]] = tuple(sorted(behind))

    def behind(self, tile: int) -> tuple[int, ...]:
        """The written tiles of a tile, by number."""
        return self.of_views.get(tile, (tile,))

    def of(self, tensor: str) -> tuple[int, ...]:
        """The marks that are found where a tile is."""
        return tuple(source + 1 for source in self.behind(self._number[tensor]))


class _Hulls:
    """Reads and writes of the blocks in which several tiles are written, by the hulls of the tiles.

    Slices of channels interleave, so a hull has a second axis: the places inside the period of the block, the
    largest step that divides the strides of all its tiles.
    """

    def __init__(self, subject: Subject, sources: _Sources) -> None:
        self._subject, self._sources = subject, sources
        tiles, touched = subject.numbered, subject.touched
        counts = np.bincount(tiles.block[touched.written], minlength=len(tiles.blocks))
        self._is_shared = (counts > 1)[tiles.block]
        self._span = self._spans(np.flatnonzero(self._is_shared))

    def _spans(self, numbers: Ints) -> Ints:
        """First and last element of tiles in their blocks, and first and last place inside the period."""
        tiles = self._subject.numbered
        spans = np.full((len(tiles.names), 4), -1, dtype=np.int64)
        numbers = numbers[np.argsort(tiles.block[numbers], kind="stable")]
        begins = np.flatnonzero(np.diff(tiles.block[numbers], prepend=-1))
        steps, runs = (column(map(of, tiles.forms))[tiles.form[numbers]] for of in (_step, _run))
        if len(begins):
            period = np.gcd.reduceat(steps, begins)
            period = np.repeat(np.maximum(period, 1), np.diff(begins, append=len(numbers)))
            place = tiles.offset[numbers] % period
            is_inside = place + runs <= period
            low, high = np.where(is_inside, place, 0), np.where(is_inside, place + runs, period) - 1
            spans[numbers] = np.column_stack([tiles.low[numbers], tiles.high[numbers], low, high])
        return spans

    def _writes(self) -> Ints:
        """Block, issue and span of every tile that is written, by its number; −1 for others."""
        tiles, touched = self._subject.numbered, self._subject.touched
        writes = np.full((len(tiles.names), 6), -1, dtype=np.int64)
        shared = self._is_shared[touched.written]
        tile = touched.written[shared]
        writes[tile] = np.column_stack([tiles.block[tile], touched.written_at[shared], self._span[tile]])
        return writes

    def suspects(self) -> set[str]:
        """Blocks in which a tile may be overwritten, or not written, before it is read.

        Every read, source by source, is compared with the writes to its block since that source was written.
        Blocks with so many pairs that marks are cheaper are suspects without a look.
        """
        reads, tiles = self._reads()
        if not len(reads):
            return set()
        writes, when = self._writes(), len(self._subject.graph.notes.order) + 1
        block, issue, source = reads[:, 0], reads[:, 1], reads[:, 2]
        low = np.maximum(reads[:, 4::2], writes[source, 2::2])
        high = np.minimum(reads[:, 5::2], writes[source, 3::2])
        part = np.any((low != reads[:, 4::2]) | (high != reads[:, 5::2]), axis=1)
        wrong = (writes[source, 0] != block) | (writes[source, 1] >= issue) | ((reads[:, 3] == 1) & part)
        order = np.argsort(writes[:, 0] * when + writes[:, 1], kind="stable")
        keys = (writes[:, 0] * when + writes[:, 1])[order]
        begin = np.searchsorted(keys, block * when + writes[source, 1], side="right")
        counts = np.maximum(np.searchsorted(keys, block * when + issue, side="right") - begin, 0)
        crowded = np.bincount(block, counts) > MAX_PAIRS * np.bincount(block)
        counts[crowded[block] | wrong] = 0
        read = np.repeat(np.arange(len(reads)), counts)
        written = order[np.repeat(begin - np.cumsum(counts) + counts, counts) + np.arange(len(read))]
        for axis, first, last in ((0, 2, 3), (1, 4, 5)):  # most pairs meet on the first axis or not at all
            begins, ends = writes[:, first][written], writes[:, last][written]
            meet = (begins <= high[:, axis][read]) & (low[:, axis][read] <= ends)
            read, written = read[meet], written[meet]
        blocks = set(np.flatnonzero(crowded).tolist()) | set(block[wrong].tolist())
        is_own = self._subject.order.node[issue[read]] == written  # written by the very issue that reads
        blocks.update(block[read[~is_own]].tolist())
        names = self._subject.numbered.names
        for index, tile in zip(read[is_own].tolist(), written[is_own].tolist(), strict=True):
            if int(block[index]) in blocks:
                continue
            node = self._subject.tiles[names[tile]]
            if not may_overwrite(self._subject, node, names[tiles[index]], names[tile]):
                blocks.add(int(block[index]))
        return {self._subject.numbered.blocks[number] for number in blocks}

    def _reads(self) -> tuple[Ints, Ints]:
        """Block, issue, source, number of sources, and span of every read; its tile."""
        tiles, touched = self._subject.numbered, self._subject.touched
        of_views = self._sources.of_views
        shared = self._is_shared[touched.read]
        place, tile = touched.read_at[shared], touched.read[shared]
        is_view = np.isin(tile, list(of_views))
        direct = np.column_stack([place, tile, tile, np.ones_like(place)])[~is_view]
        views = zip(place[is_view].tolist(), tile[is_view].tolist(), strict=True)
        behind = [(when, t, source, len(of_views[t])) for when, t in views for source in of_views[t]]
        rows = np.concatenate([direct, np.array(behind, dtype=np.int64).reshape(-1, 4)])
        tile = rows[:, 1]
        return np.column_stack([tiles.block[tile], rows[:, 0], rows[:, 2:], self._span[tile]]), tile


def _step(form: tuple[Vector, Vector]) -> int:
    """The largest number that divides all steps of a tile but 1; 0 if it has none."""
    return gcd(*(s for n, s in zip(*form, strict=True) if n != 1 and s != 1))


def _run(form: tuple[Vector, Vector]) -> int:
    """The longest run of elements in a tile."""
    return max((n for n, s in zip(*form, strict=True) if s == 1), default=1)


@dataclass(frozen=True)
class Marks:
    """The number of the tile that wrote each run of `grain` elements of a block; no tile cuts a run."""

    grain: int
    numbers: Numbers

    def of(self, storage: Storage) -> Numbers:
        """The marks of a tile, as a view that can be written."""
        axes = zip(storage.shape, storage.strides, strict=True)
        coarse = [(n // self.grain, 1) if s == 1 and n > 1 else (n, s // self.grain) for n, s in axes]
        shape, strides = tuple(n for n, _ in coarse), tuple(s for _, s in coarse)
        return elements_of(self.numbers, Storage("", storage.offset // self.grain, shape, strides))


def _grain(storage: Storage) -> int:
    """The longest run of elements that the tile is made of, all at multiples of its length."""
    axes = [(n, s) for n, s in zip(storage.shape, storage.strides, strict=True) if n != 1]
    runs = [n if s == 1 else s for n, s in axes]
    return gcd(storage.offset, *runs) if any(s == 1 for _, s in axes) else 1


def _holds(elements: Numbers, sources: tuple[int, ...]) -> bool:
    if len(sources) == 1:
        return bool((elements == sources[0]).all())
    return bool(np.isin(elements, sources).all())


def _check_widths(subject: Subject) -> None:
    """All tiles of a block have elements of one size: then offsets in elements can be compared."""
    tiles = subject.numbered
    width = tiles.size[tiles.leader]
    for tile in np.flatnonzero(tiles.size != width)[:1].tolist():
        block = tiles.blocks[tiles.block[tile]]
        raise broken(tiles.names[tile], f"its block {block} holds elements of {width[tile]} bytes")


def _marks(subject: Subject, blocks: set[str]) -> dict[str, Marks]:
    """Marks of the elements of blocks."""
    grain: dict[str, int] = {}
    size: dict[str, int] = {}
    for tensor in subject.tiles:
        storage = subject.graph.storage[tensor]
        block = storage.buffer
        if block in blocks:
            size[block] = max(size.get(block, 0), hull(storage)[1] + 1)
            grain[block] = gcd(grain.get(block, 0), _grain(storage))
    return {block: Marks(grain[block], np.zeros(size[block] // grain[block], np.int32)) for block in grain}


def may_overwrite(subject: Subject, node: Layer, operand: str, result: str) -> bool:
    """Whether a node may write its result to the bytes of an operand."""
    if isinstance(node, Copy):
        return True
    graph = subject.graph
    written, read = graph.storage[result], graph.storage[operand]
    if (written.offset, written.shape, written.strides) != (read.offset, read.shape, read.strides):
        return False
    operands = graph.inputs_of(node.name)
    cache = subject.in_place
    for slot in (slot for slot, tensor in enumerate(operands) if tensor == operand):
        shapes = tuple(None if t is None else graph.types[t].shape for t in operands)
        key = (node.signature, slot, shapes, written.shape)
        if key not in cache:
            cache[key] = _is_in_place(node, slot, shapes, written.shape)
        if not cache[key]:
            return False
    return True


def _is_in_place(node: Layer, slot: int, shapes: tuple[Vector | None, ...], shape: Vector) -> bool:
    """Whether each element of the result needs just the element of the operand in its own place."""
    last = np.array(shape, dtype=np.int64) - 1
    corners = np.stack([np.zeros_like(last), last])
    need = needed(node, slot, Boxes(corners, corners + 1), shapes, shape).boxes
    return bool((need.low == corners).all() and (need.high == corners + 1).all())

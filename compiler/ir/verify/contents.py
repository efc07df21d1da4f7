"""What the blocks on chip hold: every tile that is read is still there (from level `partition` on)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import gcd

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.layers import Copy, Layer
from nnc.compiler.ir.regions.boxes import Boxes, Ints
from nnc.compiler.ir.regions.operand_boxes import needed
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import Storage
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
    graph = subject.graph
    _check_widths(subject)
    number = {graph.output_of(node.name): at for at, node in enumerate(subject.issued, 1)}
    sources = _sources(subject, number)
    suspects = _Hulls(subject, number, sources).suspects()
    marks = _marks(subject, suspects) if suspects else {}
    for node, reads, written in subject.accesses if marks else ():
        for tensor in reads:
            marked = marks.get(graph.storage[tensor].buffer)
            if marked is not None and not _holds(marked.of(graph.storage[tensor]), sources[tensor]):
                raise broken(node, f"{tensor}, which it reads, has been overwritten or was never written")
        if written is None or graph.storage[written].buffer not in marks:
            continue
        marked = marks[graph.storage[written].buffer]
        marked.of(graph.storage[written])[...] = number[written]
        for operand in reads:
            if graph.storage[operand].buffer != graph.storage[written].buffer:
                continue
            hit = bool((marked.of(graph.storage[operand]) == number[written]).any())
            if hit and not may_overwrite(subject, node, operand, written):
                raise broken(node, f"it overwrites {operand} while reading it")


class _Hulls:
    """Reads and writes of the blocks in which several tiles are written, by the hulls of the tiles.

    Slices of channels interleave, so a hull has a second axis: the places inside the period of the block, the
    largest step that divides the strides of all its tiles.
    """

    def __init__(self, subject: Subject, number: dict[str, int], sources: dict[str, tuple[int, ...]]) -> None:
        self._subject, self._number, self._sources = subject, number, sources
        storage = subject.graph.storage
        counts = Counter(storage[tile].buffer for tile in number)
        self._blocks = [block for block, count in counts.items() if count > 1]
        self._id = {block: at for at, block in enumerate(self._blocks)}
        self._tiles = [tile for tile in subject.tiles if storage[tile].buffer in self._id]
        period = dict.fromkeys(self._blocks, 0)
        for tile in self._tiles:
            block = storage[tile].buffer
            period[block] = _period(period[block], storage[tile].shape, storage[tile].strides)
        self._span = {tile: _span(storage[tile], period[storage[tile].buffer]) for tile in self._tiles}

    @cached_property
    def _writes(self) -> Ints:
        """Block, issue and span of every tile that is written, by its number."""
        found = np.full((len(self._number) + 1, 6), -1, dtype=np.int64)
        when = {written: at for at, (_, _, written) in enumerate(self._subject.accesses)}
        storage = self._subject.graph.storage
        mine = [tile for tile in self._tiles if tile in self._number]
        rows = [(self._id[storage[tile].buffer], when[tile], *self._span[tile]) for tile in mine]
        found[[self._number[tile] for tile in mine]] = np.array(rows, dtype=np.int64).reshape(-1, 6)
        return found

    def suspects(self) -> set[str]:
        """Blocks in which a tile may be overwritten, or not written, before it is read.

        Every read, source by source, is compared with the writes to its block since that source was written.
        Blocks with so many pairs that marks are cheaper are suspects without a look.
        """
        if not self._blocks:
            return set()
        reads, tiles = self._reads()
        writes, when = self._writes, len(self._subject.accesses) + 1
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
        other = order[np.repeat(begin - np.cumsum(counts) + counts, counts) + np.arange(len(read))]
        for axis, first, last in ((0, 2, 3), (1, 4, 5)):  # most pairs meet on the first axis or not at all
            begins, ends = writes[:, first][other], writes[:, last][other]
            meet = (begins <= high[:, axis][read]) & (low[:, axis][read] <= ends)
            read, other = read[meet], other[meet]
        found = set(np.flatnonzero(crowded).tolist()) | set(block[wrong].tolist())
        for at, number in zip(read.tolist(), other.tolist(), strict=True):
            node, _, written = self._subject.accesses[int(issue[at])]
            same = written is not None and self._number[written] == number
            if not same or not may_overwrite(self._subject, node, tiles[at], str(written)):
                found.add(int(block[at]))
        return {self._blocks[at] for at in found}

    def _reads(self) -> tuple[Ints, list[str]]:
        """Block, issue, source, number of sources, and span of every read; its tile."""
        storage = self._subject.graph.storage
        of = {t: (self._id[storage[t].buffer], self._span[t], self._sources[t]) for t in self._tiles}
        rows, tiles = [], []
        for at, (_, operands, _) in enumerate(self._subject.accesses):
            for tile in operands:
                if tile in of:
                    block, span, sources = of[tile]
                    for source in sources:
                        rows.append((block, at, source, len(sources), *span))
                        tiles.append(tile)
        return np.array(rows, dtype=np.int64).reshape(-1, 8), tiles


@lru_cache(maxsize=65536)
def _period(known: int, shape: Vector, strides: Vector) -> int:
    """The largest number that divides `known` and all steps of a tile but 1."""
    return gcd(known, *(s for n, s in zip(shape, strides, strict=True) if n != 1 and s != 1))


def _span(storage: Storage, period: int) -> tuple[int, int, int, int]:
    """First and last element of a tile in its block, and first and last place inside the period."""
    first, last = hull(storage)
    if period <= 1:
        return first, last, 0, 0
    run = max((n for n, s in zip(storage.shape, storage.strides, strict=True) if s == 1), default=1)
    place = storage.offset % period
    return (first, last, 0, period - 1) if place + run > period else (first, last, place, place + run - 1)


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


def _sources(subject: Subject, number: dict[str, int]) -> dict[str, tuple[int, ...]]:
    """The tiles that were written to make every tile: itself, or those behind a view."""
    graph = subject.graph
    found: dict[str, tuple[int, ...]] = {}
    for node in subject.nodes:
        if subject.is_store(node):
            continue
        result = graph.output_of(node.name)
        if result in number:
            found[result] = (number[result],)
        else:
            behind = {source for tensor in graph.inputs_of(node.name) for source in found[required(tensor)]}
            found[result] = tuple(sorted(behind))
    return found


def _check_widths(subject: Subject) -> None:
    """All tiles of a block have elements of one size: then offsets in elements can be compared."""
    width: dict[str, int] = {}
    for tensor in subject.tiles:
        itemsize, block = subject.graph.types[tensor].dtype.itemsize, subject.graph.storage[tensor].buffer
        if width.setdefault(block, itemsize) != itemsize:
            raise broken(tensor, f"its block {block} holds elements of {width[block]} bytes")


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
    mine, theirs = graph.storage[result], graph.storage[operand]
    if (mine.offset, mine.shape, mine.strides) != (theirs.offset, theirs.shape, theirs.strides):
        return False
    operands = graph.inputs_of(node.name)
    known = subject.in_place
    for slot in (slot for slot, tensor in enumerate(operands) if tensor == operand):
        shapes = tuple(None if t is None else graph.types[t].shape for t in operands)
        key = (node.signature, slot, shapes, mine.shape)
        if key not in known:
            known[key] = _is_in_place(node, slot, shapes, mine.shape)
        if not known[key]:
            return False
    return True


def _is_in_place(node: Layer, slot: int, shapes: tuple[Vector | None, ...], shape: Vector) -> bool:
    """Whether each element of the result needs just the element of the operand in its own place."""
    last = np.array(shape, dtype=np.int64) - 1
    corners = np.stack([np.zeros_like(last), last])
    need = needed(node, slot, Boxes(corners, corners + 1), shapes, shape).boxes
    return bool((need.low == corners).all() and (need.high == corners + 1).all())

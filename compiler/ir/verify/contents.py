"""What the blocks on chip hold: every tile that is read is still there (from level `partition` on)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import gcd

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.layers import Copy, Layer
from nnc.compiler.ir.regions.boxes import Boxes
from nnc.compiler.ir.regions.operand_boxes import needed
from nnc.compiler.ir.storage import Storage
from nnc.compiler.ir.verify.storage import elements_of
from nnc.compiler.ir.verify.subject import Subject, broken

Numbers = npt.NDArray[np.int32]


def check_contents(subject: Subject) -> None:
    """In the order of issue, every element that is read was last written by the tile that it belongs to.

    Done by marking every element with the number of the tile that wrote it; blocks in which only one tile
    is ever written need no marks.  A tile may be written over an operand in place if each element of the
    result needs just the operand's element in its own place; a copy may overlap what it copies.
    """
    graph = subject.graph
    number = {graph.output_of(node.name): at for at, node in enumerate(subject.issued, 1)}
    sources = _sources(subject, number)
    marks = _marks(subject)
    for node, reads, written in subject.accesses:
        for tensor in reads:
            marked = marks.get(graph.storage[tensor].buffer)
            if marked is not None and not _holds(marked.of(graph.storage[tensor]), sources[tensor]):
                raise broken(node, f"{tensor}, which it reads, has been overwritten or was never written")
        if written is None or graph.storage[written].buffer not in marks:
            continue
        marked = marks[graph.storage[written].buffer]
        marked.of(graph.storage[written])[...] = number[written]
        for slot, operand in enumerate(graph.inputs_of(node.name)):
            if operand not in reads or graph.storage[operand].buffer != graph.storage[written].buffer:
                continue
            hit = bool((marked.of(graph.storage[operand]) == number[written]).any())
            if hit and not isinstance(node, Copy) and not _is_in_place(subject, node, slot, operand, written):
                raise broken(node, f"it overwrites {operand} while reading it")


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
            behind = {source for tensor in graph.inputs_of(node.name) for source in found[str(tensor)]}
            found[result] = tuple(sorted(behind))
    return found


def _marks(subject: Subject) -> dict[str, Marks]:
    """Marks of every block in which several tiles are written."""
    graph = subject.graph
    grain: dict[str, int] = {}
    size: dict[str, int] = {}
    width: dict[str, int] = {}
    for tensor in subject.tiles:
        storage, itemsize = graph.storage[tensor], graph.types[tensor].dtype.itemsize
        block = storage.buffer
        if width.setdefault(block, itemsize) != itemsize:
            raise broken(tensor, f"its block {block} holds elements of {width[block]} bytes")
        last = sum((n - 1) * s for n, s in zip(storage.shape, storage.strides, strict=True))
        size[block] = max(size.get(block, 0), storage.offset + last + 1)
        grain[block] = gcd(grain.get(block, 0), _grain(storage))
    written = Counter(graph.storage[graph.output_of(node.name)].buffer for node in subject.issued)
    shared = [block for block, count in written.items() if count > 1]
    return {block: Marks(grain[block], np.zeros(size[block] // grain[block], np.int32)) for block in shared}


def _is_in_place(subject: Subject, node: Layer, slot: int, operand: str, result: str) -> bool:
    """Whether operand and result are the same bytes and each element of the result needs just its own."""
    graph = subject.graph
    mine, theirs = graph.storage[result], graph.storage[operand]
    if (mine.offset, mine.shape, mine.strides) != (theirs.offset, theirs.shape, theirs.strides):
        return False
    last = np.array(mine.shape, dtype=np.int64) - 1
    corners = np.stack([np.zeros_like(last), last])
    shapes = [None if t is None else graph.types[t].shape for t in graph.inputs_of(node.name)]
    need = needed(node, slot, Boxes(corners, corners + 1), shapes, mine.shape).boxes
    return bool((need.low == corners).all() and (need.high == corners + 1).all())

"""The form of a test case of regions: a layer with a model of which elements it reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from hypothesis import strategies as st

from nnc.compiler.ir import layers as ir

Index = tuple[int, ...]
Shape = tuple[int, ...]
Reads = Callable[[int, Index], Iterable[Index]]
Draw = Callable[[st.SearchStrategy[Any]], Any]
NAME: dict[str, Any] = {"name": "layer", "loc": ir.Loc("node", "Op")}


@dataclass(frozen=True)
class Case:
    """A layer and what it reads.

    Attributes:
        reads: (slot, element of the output) → elements of the operand that it depends on.
        window: the same with everything that the rule may add, elements in the padding included; the rule
            must give the hull of the window over the box, cut to the tensor.
        padded: slots whose tiles have padding; of all others before = after = 0.
    """

    layer: ir.Layer
    shapes: tuple[Shape | None, ...]
    out: Shape
    reads: Reads
    window: Reads
    padded: frozenset[int] = frozenset()


def within(index: Index, shape: Shape) -> bool:
    return all(0 <= i < extent for i, extent in zip(index, shape, strict=True))


def broadcast_read(index: Index, shape: Shape) -> Index:
    """The element that numpy's broadcasting puts at an index."""
    tail = index[len(index) - len(shape) :]
    return tuple(0 if extent == 1 else i for i, extent in zip(tail, shape, strict=True))


def moved(layer: ir.Layer, shapes: Sequence[Shape], sources: Sequence[np.ndarray]) -> Case:
    """A case from index arrays: sources[slot] has the output's shape and holds flat indices, or −1."""

    def reads(slot: int, index: Index) -> list[Index]:
        flat = int(sources[slot][index])
        return [] if flat < 0 else [tuple(int(i) for i in np.unravel_index(flat, shapes[slot]))]

    return Case(layer, tuple(shapes), sources[0].shape, reads, reads)


def numbered(shape: Shape) -> np.ndarray:
    return np.arange(prod(shape)).reshape(shape)


extents = st.integers(1, 5)


def shapes_of(least: int, most: int) -> st.SearchStrategy[Shape]:
    return st.lists(extents, min_size=least, max_size=most).map(tuple)


@st.composite
def shapes_that_broadcast_to(draw: Draw, out: Shape) -> Shape:
    kept = draw(st.integers(0, len(out)))
    return tuple(draw(st.sampled_from([1, extent])) for extent in out[len(out) - kept :])

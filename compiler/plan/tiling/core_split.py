"""Splits of a layer over cores (M2, and its generalisation): which core computes what of the result.

A split cuts one or two axes of the result.  Operands that do not move along a cut axis are the same on all
cores along it and are broadcast to them, if the chip can; every core loads its own part of the others.  Along
output channels that means: the input is broadcast, the weight matrix is split by columns.  Along rows it is
the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, permutations
from math import prod

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.target import layer_traits
from nnc.isa.chip.description import Chip, rate_class
from nnc.isa.timing.cost import ceil_div


@dataclass(frozen=True, slots=True)
class AxisCut:
    """An axis of a result, cut: share k is borders[k] ≤ i < borders[k + 1]; the first shares are largest."""

    axis: int
    borders: tuple[int, ...]

    @property
    def shares(self) -> int:
        """Number of shares."""
        return len(self.borders) - 1

    @property
    def extents(self) -> list[int]:
        """Elements of every share."""
        return [high - low for low, high in pairwise(self.borders)]

    @staticmethod
    def even(axis: int, extent: int, quantum: int, shares: int) -> AxisCut | None:
        """As even as whole multiples of a quantum allow; None if some share would be empty."""
        base, more = divmod(ceil_div(extent, quantum), shares)
        if not base:
            return None
        borders = [0]
        for share in range(shares):
            borders.append(min(extent, borders[-1] + quantum * (base + (share < more))))
        return AxisCut(axis, tuple(borders))


@dataclass(frozen=True, slots=True)
class Split:
    """How cores 0, 1, … share a layer: cuts of different axes, the last one moving fastest with the core.

    Attributes:
        listeners: cores that get what all get; more than compute where M2 falls back to one core.
    """

    cuts: tuple[AxisCut, ...]
    listeners: int

    @property
    def cores(self) -> int:
        """How many cores compute."""
        return prod(cut.shares for cut in self.cuts)

    def share(self, core: int) -> dict[int, tuple[int, int]]:
        """First element and the one behind the last that a core computes, by cut axis."""
        return {
            cut.axis: (cut.borders[at], cut.borders[at + 1])
            for cut, at in zip(self.cuts, self._place(core), strict=True)
        }

    def sharing(self, core: int, moves: frozenset[int]) -> tuple[int, ...]:
        """The cores that need the same of an operand as this one.

        Args:
            moves: axes of the result along which the operand moves.
        """
        mine = self._place(core)
        if self.cores == 1:
            return tuple(range(self.listeners)) if not moves & {cut.axis for cut in self.cuts} else (core,)
        fixed = [number for number, cut in enumerate(self.cuts) if cut.axis in moves]
        return tuple(
            other
            for other in range(self.cores)
            if all(self._place(other)[number] == mine[number] for number in fixed)
        )

    def _place(self, core: int) -> list[int]:
        """Which share of every cut is the core's."""
        place = []
        for cut in reversed(self.cuts):
            core, at = divmod(core, cut.shares)
            place.append(at)
        return place[::-1]


@dataclass(frozen=True, slots=True)
class Way:
    """One way to spread a layer over the cores: a split, or None for core 0 alone; its name, and why."""

    split: Split | None
    name: str
    reason: str = ""

    @staticmethod
    def by_cost(graph: Graph, layer: ir.Layer, split: Split) -> Way:
        """A split that is chosen by what it costs."""
        names = layer_traits.axis_names(layer, len(graph.types[graph.output_of(layer.name)].shape))
        what = [names[cut.axis] for cut in split.cuts]
        numbers = " x ".join(str(cut.shares) for cut in split.cuts)
        return Way(split, f"{numbers} cores by {' x '.join(what)}")


ALONE = Way(None, "one core")


def even_way(graph: Graph, layer: ir.Layer, chip: Chip) -> Way:
    """M2's rule for a fully connected layer: equal columns for every core, else core 0 alone.

    All cores get the input either way.
    """
    out = graph.types[graph.output_of(layer.name)].shape
    weight = graph.types[required(graph.operand(layer.name, 1))]
    axis, columns, cores = len(out) - 1, out[-1], chip.cores
    whole = Split((AxisCut(axis, (0, columns)),), cores)
    if columns % cores:
        return Way(whole, "core 0", f"{columns} columns do not divide by {cores} cores")
    if weight.nbytes < chip.split_bytes:
        reason = f"{weight.nbytes} B of weights are fewer than split_bytes = {chip.split_bytes}"
        return Way(whole, "core 0", reason)
    share = columns // cores
    even = Split((AxisCut(axis, tuple(range(0, columns + 1, share))),), cores)
    return Way(even, f"{cores} cores by columns", f"{share} of {columns} columns each")


def is_fully_connected(graph: Graph, layer: ir.Layer) -> bool:
    """Whether a layer multiplies with a constant matrix."""
    return isinstance(layer, ir.MatMul) and graph.is_constant(graph.operand(layer.name, 1))


def splits_of(graph: Graph, layer: ir.Layer, chip: Chip) -> list[Split]:
    """All splits of a layer over all cores of a chip, or over the most that its result has work for."""
    tensor = graph.output_of(layer.name)
    out = graph.types[tensor]
    if chip.cores == 1 or layer_traits.is_row_gather(layer):
        return []
    shapes = [None if t is None else graph.types[t].shape for t in graph.inputs_of(layer.name)]
    lane = layer_traits.lane_axis(layer, len(out.shape))
    fixed = {*layer_traits.uncut_axes(layer, shapes)}
    if isinstance(layer, ir.SpatialMacLayer) and layer.groups > 1:
        fixed.add(1)  # channels of a group belong together
    axes = [a for a in graph.storage[tensor].order if a not in fixed and out.shape[a] > 1]
    lanes = {n for n, _ in chip.compute.array_shapes[rate_class(out.dtype)]} if lane in axes else {1}
    found: dict[Split, None] = {}
    for quantum in sorted(lanes):
        quanta = {axis: quantum if axis == lane else 1 for axis in axes}
        found.update(dict.fromkeys(_splits(out.shape, quanta, chip.cores)))
    return list(found)


def _splits(shape: tuple[int, ...], quanta: dict[int, int], cores: int) -> Iterator[Split]:
    """Cuts of one axis, and of two axes at once."""
    for axis, quantum in quanta.items():
        shares = min(cores, ceil_div(shape[axis], quantum))
        cut = AxisCut.even(axis, shape[axis], quantum, shares)
        if cut is not None and shares > 1:
            yield Split((cut,), shares)
    for first, second in permutations(quanta, 2):
        for shares in range(2, cores // 2 + 1):
            one = AxisCut.even(first, shape[first], quanta[first], shares)
            other = AxisCut.even(second, shape[second], quanta[second], cores // shares)
            if one is not None and other is not None:
                yield Split((one, other), one.shares * other.shares)

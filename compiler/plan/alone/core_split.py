"""Core splits of a layer (M2, and its generalisation): which core computes which box of the result.

A split cuts one or two axes of the result.  Operands that do not move along a cut axis are the same on all
cores along it and are broadcast to them, if the chip can; every core loads its own part of the others.  Along
output channels that means: the input is broadcast, the weight matrix is split by columns.  Along rows it is
the other way round.

In: a layer of a graph and a chip.  Out: the core splits that there are (`core_splits`), or the one that M2
prescribes (`even_mapping`).  A result of [1, 64, 56, 56] on 4 cores, cut in rows and in channels:

    CoreSplit((AxisCut(2, (0, 28, 56)), AxisCut(1, (0, 32, 64))), listeners=4)
    .share(1) == {2: (0, 28), 1: (32, 64)}          core 1: upper rows, last channels
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, permutations
from math import lcm, prod

import numpy as np

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.target import layer_traits, layer_work
from nnc.compiler.target.cuts import obeys, quanta
from nnc.isa.chip.description import Chip
from nnc.isa.integers import ceil_div


@dataclass(frozen=True, slots=True)
class AxisCut:
    """An axis of a result, cut: share k is borders[k] ≤ i < borders[k + 1]; the first shares are largest.

    A share is cut further into multiples of `step` elements.
    """

    axis: int
    borders: tuple[int, ...]
    step: int = 1

    @property
    def shares(self) -> int:
        """Number of shares."""
        return len(self.borders) - 1

    @property
    def extents(self) -> list[int]:
        """Elements of every share."""
        return [high - low for low, high in pairwise(self.borders)]

    @staticmethod
    def even(axis: int, extent: int, quantum: int, shares: int, step: int = 1) -> AxisCut | Infeasible:
        """As even as whole multiples of a quantum allow; infeasible if some share would be empty."""
        quanta = ceil_div(extent, quantum)
        base, more = divmod(quanta, shares)
        if not base:
            return Infeasible(f"shares of axis {axis} by whole multiples of {quantum}", shares, quanta)
        borders = [0]
        for share in range(shares):
            borders.append(min(extent, borders[-1] + quantum * (base + (share < more))))
        return AxisCut(axis, tuple(borders), step)

    def tiles(self, share: int, count: int) -> list[tuple[int, int]]:
        """A share in so many tiles, as even as steps allow; some may be empty."""
        first, end = self.borders[share], self.borders[share + 1]
        each, more = divmod(ceil_div(end - first, self.step), count)
        borders = (first + self.step * (number * each + min(number, more)) for number in range(count + 1))
        return list(pairwise(min(end, border) for border in borders))


@dataclass(frozen=True, slots=True)
class CoreSplit:
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
        cuts = zip(self.cuts, self._shares(core), strict=True)
        return {cut.axis: (cut.borders[share], cut.borders[share + 1]) for cut, share in cuts}

    def cut_of(self, axis: int, core: int) -> tuple[AxisCut | None, int]:
        """The cut of an axis, if cores share it, and which of its shares is the core's."""
        cuts = zip(self.cuts, self._shares(core), strict=True)
        return next(((cut, share) for cut, share in cuts if cut.axis == axis), (None, 0))

    def sharing(self, core: int, moves: frozenset[int]) -> tuple[int, ...]:
        """The cores that need the same of an operand as this one.

        Args:
            moves: axes of the result along which the operand moves.
        """
        fixed = [number for number, cut in enumerate(self.cuts) if cut.axis in moves]
        if self.cores == 1:
            return (core,) if fixed else tuple(range(self.listeners))
        shares = [[self._shares(listener)[number] for number in fixed] for listener in range(self.cores)]
        return tuple(listener for listener, needed in enumerate(shares) if needed == shares[core])

    def largest_share(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Extents of the largest share of a result of this shape."""
        largest = {cut.axis: max(cut.extents) for cut in self.cuts}
        return tuple(largest.get(axis, extent) for axis, extent in enumerate(shape))

    def _shares(self, core: int) -> tuple[int, ...]:
        """Which share of every cut is the core's."""
        return tuple(map(int, np.unravel_index(core, [cut.shares for cut in self.cuts])))


@dataclass(frozen=True, slots=True)
class CoreMapping:
    """How a layer is mapped to cores.

    Attributes:
        split: how they share it; None for core 0 alone.
        name: the mapping in words; reason: why it has to be this one, if it has to.
    """

    split: CoreSplit | None
    name: str
    reason: str = ""

    @staticmethod
    def by_cost(graph: Graph, layer: ir.Layer, split: CoreSplit) -> CoreMapping:
        """A split that is chosen by what it costs."""
        names = layer_traits.axis_names(layer, len(graph.types[graph.output_of(layer.name)].shape))
        what = [names[cut.axis] for cut in split.cuts]
        numbers = " x ".join(str(cut.shares) for cut in split.cuts)
        return CoreMapping(split, f"{numbers} cores by {' x '.join(what)}")


ONE_CORE = CoreMapping(None, "one core")


def even_mapping(graph: Graph, layer: ir.Layer, chip: Chip) -> CoreMapping:
    """M2's rule for a fully connected layer: equal columns for every core, else core 0 alone.

    All cores get the input either way.
    """
    out = graph.types[graph.output_of(layer.name)].shape
    weight = graph.types[required(graph.operand(layer.name, 1))]
    axis, columns, cores = len(out) - 1, out[-1], chip.cores
    whole = CoreSplit((AxisCut(axis, (0, columns)),), cores)
    if columns % cores:
        return CoreMapping(whole, "core 0", f"{columns} columns do not divide by {cores} cores")
    step = quanta(graph, graph.output_of(layer.name))[axis]
    if columns // cores % step:
        return CoreMapping(
            whole, "core 0", f"{columns // cores} columns are no multiple of {step}, a DMA unit"
        )
    if weight.nbytes < chip.split_bytes:
        reason = f"{weight.nbytes} B of weights are fewer than split_bytes = {chip.split_bytes}"
        return CoreMapping(whole, "core 0", reason)
    share = columns // cores
    even = CoreSplit((AxisCut(axis, tuple(range(0, columns + 1, share)), step),), cores)
    return CoreMapping(even, f"{cores} cores by columns", f"{share} of {columns} columns each")


def is_fully_connected(graph: Graph, layer: ir.Layer) -> bool:
    """Whether a layer multiplies with a constant matrix."""
    return isinstance(layer, ir.MatrixProduct) and graph.is_constant(graph.operand(layer.name, 1))


def fully_connected(network: PlanNetwork) -> list[int]:
    """Positions of the layers that multiply with a constant matrix."""
    layers = enumerate(network.layers)
    return [position for position, layer in layers if is_fully_connected(network.graph, layer)]


def core_splits(graph: Graph, layer: ir.Layer, chip: Chip) -> list[CoreSplit]:
    """All splits of a layer over all cores of a chip, or over the most that its result has work for."""
    tensor = graph.output_of(layer.name)
    out = graph.types[tensor]
    if chip.cores == 1 or layer_traits.is_read_engine(layer):
        return []
    shapes = [None if t is None else graph.types[t].shape for t in graph.inputs_of(layer.name)]
    lane = layer_traits.lane_axis(layer, len(out.shape))
    fixed = {*layer_traits.uncut_axes(layer, shapes)}
    if isinstance(layer, ir.SpatialMacLayer) and layer.groups > 1:
        fixed.add(1)  # channels of a group belong together
    steps = quanta(graph, tensor)
    axes = [a for a in graph.storage[tensor].order if a not in fixed and out.shape[a] > 1]
    shapes_of_array = chip.compute.shapes_for(out.dtype, layer_work.weight_bits(layer))
    lanes = {n for n, _ in shapes_of_array if lane in axes} or {1}
    splits: dict[CoreSplit, None] = {}
    for quantum in sorted(lanes):
        least = {axis: lcm(steps[axis], quantum if axis == lane else 1) for axis in axes}
        splits.update(dict.fromkeys(_splits(out.shape, least, steps, chip.cores)))
    return [split for split in splits if obeys(out.shape, steps, split.largest_share(out.shape))]


def _splits(
    shape: tuple[int, ...], least: dict[int, int], steps: tuple[int, ...], cores: int
) -> Iterator[CoreSplit]:
    """Cuts of one axis, and of two axes at once; all of them have work for every core."""
    shares = {axis: min(cores, ceil_div(shape[axis], quantum)) for axis, quantum in least.items()}
    numbers = [[(axis, count)] for axis, count in shares.items() if count > 1]
    for first, second in permutations(least, 2):
        numbers += [[(first, count), (second, cores // count)] for count in range(2, cores // 2 + 1)]
    for of_axes in numbers:
        cuts = [AxisCut.even(axis, shape[axis], least[axis], count, steps[axis]) for axis, count in of_axes]
        even = tuple(cut for cut in cuts if isinstance(cut, AxisCut))
        if len(even) == len(cuts):
            yield CoreSplit(even, prod(cut.shares for cut in even))

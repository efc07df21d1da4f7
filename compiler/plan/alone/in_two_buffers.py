"""Convolutions with two fixed buffers (M3) as choices of the group search.

in:   a layer of a network, the chip, and what the user asks for
out:  the `LayerAlone`s among which the search takes one, or why there is none

A layer has a way for each number of cores and of output channels per pass whose weights, sums and results fit
beside each other; those that are no faster than one that moves no more bytes are left out.
"""

from __future__ import annotations

import logging
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import prod

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.plan.alone.layer_alone import Candidate, LayerAlone, LayerCut
from nnc.compiler.plan.alone.tile_cycles import paced_cycles, phase_cycles
from nnc.compiler.plan.alone.two_buffers import (
    Box,
    BufferedConv,
    ConvShape,
    Timetable,
    buffer_bytes,
    fitting,
    row_blocks,
)
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.target import layer_traits, layer_work, memories
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip, rate_class
from nnc.isa.chip.rates import move_cycles
from nnc.isa.errors import OptionError
from nnc.isa.instruction import Phase
from nnc.isa.integers import ceil_div, round_up
from nnc.isa.operand import DRAM, Operand, burst_bytes
from nnc.isa.record import changed
from nnc.isa.timing.timeline import Task

_log = logging.getLogger(__name__)


class BufferedLayers:
    """The convolutions of a network with two buffers; layers of the same structure are priced once."""

    def __init__(self, chip: Chip, options: PlanOptions) -> None:
        self._chip, self._asked = chip, options.conv_buffers
        self._known: dict[Hashable, tuple[str, list[Candidate]]] = {}
        self._banned: set[tuple[str, LayerCut]] = set()

    def choices(self, order: int, network: PlanNetwork, position: int) -> list[LayerAlone]:
        """A layer of a network with its layers in some order, in every way that may be best."""
        name, (_, found) = network.layers[position].name, self._priced(network, position)
        found = [candidate for candidate in found if (name, candidate.cut) not in self._banned]
        return [LayerAlone(order, position, (best,), _core_reason(best, found)) for best in found]

    def why_not(self, network: PlanNetwork, position: int) -> str:
        """Why a layer cannot be computed so; empty if it can."""
        reason, _ = self._priced(network, position)
        return reason or ("" if self.choices(0, network, position) else "its blocks fragment a memory")

    def forced(self, network: PlanNetwork) -> frozenset[int]:
        """Positions of the layers that must be computed so.

        Raises:
            OptionError: the user asks for it, and it can be nowhere.
        """
        if self._asked != "m3":
            return frozenset()
        reasons = [self.why_not(network, position) for position in range(len(network.layers))]
        if reasons and all(reasons):
            layers = zip(network.layers, reasons, strict=True)
            convs = [f"{layer.name}: {reason}" for layer, reason in layers if isinstance(layer, ir.Conv)]
            raise OptionError(
                "no convolution can have its input in two fixed buffers",
                where=f"chip {self._chip.name}",
                found=convs[0] if convs else "no convolution",
                expected="a convolution without groups, its features in a memory of their own",
                remedy="--conv-buffers auto, or another chip, such as vdsp12",
            )
        return frozenset(position for position, reason in enumerate(reasons) if not reason)

    def refusals(self, network: PlanNetwork) -> dict[str, str]:
        """Why convolutions are not computed so, by name, if the user asks for it (see `forced`)."""
        if self._asked != "m3":
            return {}
        layers = [(at, layer.name) for at, layer in enumerate(network.layers) if isinstance(layer, ir.Conv)]
        reasons = {name: self.why_not(network, position) for position, name in layers}
        return {name: f"no buffers m3, {reason}" for name, reason in reasons.items() if reason}

    def ban(self, name: str, conv: LayerCut) -> None:
        """Take a way to compute a layer out of the search."""
        self._banned.add((name, conv))

    def _priced(self, network: PlanNetwork, position: int) -> tuple[str, list[Candidate]]:
        key = network.structure(position)
        if key not in self._known:
            self._known[key] = self._price(network.graph, network.layers[position])
        return self._known[key]

    def _price(self, graph: Graph, layer: ir.Layer) -> tuple[str, list[Candidate]]:
        """Why not, and all ways that fit on one core and on several, without those that are never best."""
        if self._asked == "rows":
            return "--conv-buffers rows", []
        if reason := why_not(graph, layer, self._chip):
            return reason, []
        assert isinstance(layer, ir.Conv)
        kept: list[Candidate] = []
        for candidate in sorted(candidates(graph, layer, self._chip), key=lambda c: (c.dram_bytes, c.cycles)):
            if not kept or candidate.cycles < kept[-1].cycles:
                kept.append(candidate)
        _log.debug("%s: %d ways with two buffers", layer.name, len(kept))
        return "" if kept else "its weights and sums do not fit beside each other", kept


def _core_reason(best: Candidate, found: Sequence[Candidate]) -> str:
    """How many cores, and what the other ways would take."""
    cores = f"{best.cut.cores} core{'s by channels' if best.cut.cores > 1 else ''}"
    if len(found) == 1:
        return cores
    ways = ((way.cut, way.cycles) for way in found if isinstance(way.cut, BufferedConv))
    said = ", ".join(f"{cut.cores} in {len(cut.passes(0))} passes {cycles}" for cut, cycles in ways)
    return f"{cores}; estimated cycles: {said}"


def why_not(graph: Graph, layer: ir.Layer, chip: Chip) -> str:
    """Why M3 cannot compute a layer on a chip; empty if it can."""
    if not isinstance(layer, ir.Conv):
        return "it is no convolution"
    if chip.compute.map != "channels":
        return "the lanes of the chip run along pixels"
    if layer.groups > 1:
        return f"it has {layer.groups} groups of channels"
    if len(layer.kernel) != 2:
        return f"it has {len(layer.kernel)} spatial axes, not two"
    features, vectors, *others = _memories(graph, layer, chip)
    if features in (vectors, *others):
        return f"its features lie in {features}, as does what must be apart from them"
    if {vectors} != {*others}:
        return "weights, sums and results lie in several memories"
    if (memories.landing(chip, features), memories.landing(chip, vectors)) != (features, vectors):
        return f"no DMA reaches {features} or {vectors} at once"
    if memories.departure(chip, vectors) != vectors:
        return f"no DMA stores from {vectors}"
    if chip.transfer_unit > 1:
        return f"the DMA moves whole units of {chip.transfer_unit} B"
    if not graph.is_constant(required(graph.inputs_of(layer.name)[1])):
        return "its weights are computed"
    shape = ConvShape(graph, layer)
    rows = shape.source.shape[2]
    if row_blocks(shape.window(0), rows, rows) is None or any(h.last <= h.first for h in shape.halves):
        return "some of its results read nothing but padding"
    if not _fitting(shape, chip, features)[0]:
        return f"a row of one channel needs more than {chip.memory[features].bytes} B"
    return ""


def _memories(graph: Graph, layer: ir.Layer, chip: Chip) -> list[str]:
    """The memories of features, weights, results and sums."""
    roles = "feature", "weight", "result", "accumulator"
    return [layer_traits.memory_for(chip, graph, layer, role) for role in roles]


def _fitting(shape: ConvShape, chip: Chip, features: str) -> tuple[int, int]:
    """Rows and channels in the buffers, whole pictures at most."""
    _, channels, rows, _ = shape.source.shape
    size, align = shape.source.dtype.itemsize, chip.block_align(features)
    return fitting(shape.halves, rows, channels, size, chip.memory[features].bytes, align)


def candidates(graph: Graph, layer: ir.Conv, chip: Chip) -> Iterator[Candidate]:
    """For each number of cores, the way with the fewest passes whose weights, sums and results fit.

    In several passes, the weights of one take the place of those before, in pieces by input channels.
    """
    features, vectors, *_ = _memories(graph, layer, chip)
    shape, align, capacity = ConvShape(graph, layer), chip.block_align(vectors), chip.memory[vectors].bytes
    r, channels = _fitting(shape, chip, features)
    held = buffer_bytes(shape.halves, r, channels, shape.source.dtype.itemsize, chip.block_align(features))
    _, all_outputs, height, _ = shape.out.shape
    lanes = max(lanes for lanes, _ in chip.compute.array_shapes[rate_class(shape.source.dtype)])
    at_once = in_pieces = Timetable(shape, r, channels, 1, height)
    if channels == shape.source.shape[1]:
        in_pieces = replace(at_once, pieces=min(TUNING.two_buffers.weight_pieces, channels))
    for cores in range(1, (chip.cores if chip.dma.broadcast else 1) + 1):
        share = round_up(ceil_div(all_outputs, cores), lanes)
        if (cores - 1) * share >= all_outputs:
            continue  # a core would have nothing to do
        share = min(share, all_outputs)
        for outputs in _sizes(share, lanes):
            table = at_once if outputs == share else in_pieces
            if most := table.most_rows_in(capacity, outputs, align):
                table = table.cut(most)
                demand = {features: held, vectors: table.vector_bytes(outputs, align)}
                yield _Price(graph, chip, BufferedConv(table, outputs, share, cores)).candidate(demand)
                break


def _sizes(share: int, lanes: int) -> list[int]:
    """Output channels per pass worth trying, most first: all, multiples of the lanes, parts of them."""
    multiples = range(share // lanes * lanes, 0, -lanes)
    parts = [1 << bit for bit in reversed(range(lanes.bit_length()))]
    return list(dict.fromkeys([share, *multiples, *(n for n in parts if n < min(share, lanes))]))


class _Price:
    """DRAM bytes of boxes and cycles of instructions of a timetable."""

    def __init__(self, graph: Graph, chip: Chip, conv: BufferedConv) -> None:
        self._graph, self._chip, self._conv = graph, chip, conv
        layer, shape = conv.table.shape.layer, conv.table.shape
        self._inputs, self._output = graph.inputs_of(layer.name), graph.output_of(layer.name)
        self._residual = self._inputs[layer.slots.index("residual")] if shape.residual else None
        self._sources = [self._moved_bytes(self._inputs[0], turns[0].source) for turns in conv.table.loads]

    def candidate(self, demand: Mapping[str, int]) -> Candidate:
        """The convolution with its price: as the simulator's scheduler has it if one core made all transfers.

        Its work is that of core 0, whose share is the largest.
        """
        chip, conv, dram_bytes, cycles = self._chip, self._conv, 0, 0
        passes = [self.of_pass(number) for number in range(len(conv.passes(0)))]
        for number, (constants, loads) in enumerate(passes):
            dram_bytes += constants + sum(task.dram_bytes for tasks in loads for task in tasks)
            cycles += _pass_cycles(chip, conv, constants // (conv.table.pieces if number else 1), loads)
        least = chip.dram.latency + ceil_div(dram_bytes, chip.transfer_rate(conv.cores))
        return Candidate(conv, demand, dram_bytes, max(cycles, least), sum(len(loads) for _, loads in passes))

    def of_pass(self, number: int) -> tuple[int, list[tuple[Task, Task, Task]]]:
        """DRAM bytes of the constants of a pass; of each load, that, the work on it, and the stores."""
        conv, buffers = self._conv, len(self._conv.table.shape.halves)
        cores = [core for core in range(conv.cores) if number < len(conv.passes(core))]
        shares = [conv.passes(core)[number] for core in cores]
        constants = [constant for core in cores for constant in conv.constants(core, number)]
        cycles_of, tasks = cache(self._cycles), []
        for load, turns in enumerate(conv.table.loads):
            work, loaded, stored = 0, self._sources[load], 0
            for turn, (visit, phase) in ((row, each) for row in turns for each in row.visits):
                taps = turn.channels[1] - turn.channels[0], visit.last - visit.first
                work += cycles_of(turn.result(visit, shares[0])[1], taps, phase)
                for outputs in shares if phase in (Phase.WHOLE, Phase.FINISH) else ():
                    box = turn.result(visit, outputs)
                    loaded += 0 if self._residual is None else self._moved_bytes(self._residual, box)
                    stored += self._moved_bytes(self._output, box)
            landed = prod(turns[0].source[1]) * conv.table.shape.source.dtype.itemsize
            waits = ((1, load - buffers),) if load >= buffers else ()
            read = Task(move_cycles(self._chip, landed), loaded, waits)
            tasks.append((read, Task(work, waits=((0, load + 1),)), Task(0, stored, ((1, load),))))
        return sum(self._moved_bytes(self._inputs[slot], box) for slot, box in constants), tasks

    def _moved_bytes(self, tensor: str | None, box: Box) -> int:
        """DRAM bytes of the transfer of a box, whole bursts; buffers and packed constants start with one."""
        type_, burst, (low, extents) = self._graph.types[required(tensor)], self._chip.dram.burst, box
        size = type_.dtype.itemsize
        if self._graph.is_constant(tensor):
            return round_up(prod(extents) * size, burst)
        stored = self._graph.storage[required(tensor)].box(low, extents)
        strides = tuple(size * stride for stride in stored.strides)
        return burst_bytes(Operand(DRAM, stored.offset * size, type_.dtype, extents, strides), burst)

    def _cycles(self, tile: tuple[int, ...], taps: tuple[int, int], phase: Phase) -> int:
        """Cycles of an instruction: a tile of the result; input channels x kernel rows."""
        shape, order = self._conv.table.shape, (0, 2, 3, 1)
        layer = changed(shape.layer, kernel=(taps[1], shape.layer.kernel[1]))
        ins: list[Operand | None] = [None] * (len(layer.slots) - 1)
        ins[0] = layer_work.block(shape.source.dtype, (1, taps[0], *tile[2:]), order)
        ins[1] = layer_work.block(shape.weight.dtype, (tile[1], *taps, layer.kernel[1]), order)
        if shape.residual:
            ins[layer.slots.index("residual")] = layer_work.block(shape.residual.dtype, tile, order)
        sums = layer_work.block(layer.partial_type(shape.source.dtype), tile, order)
        out = layer_work.block(shape.out.dtype, tile, order)
        return phase_cycles(self._chip, layer, out, sums, ins, phase)


def _pass_cycles(chip: Chip, conv: BufferedConv, constants: int, loads: list[tuple[Task, Task, Task]]) -> int:
    """Cycles of a pass: constants, then loads into buffers that take turns."""
    reads, works, stores = zip(*loads[: TUNING.two_buffers.max_units], strict=True)
    first = Task(move_cycles(chip, constants // conv.cores), constants)
    stored = [store for store in stores if store.dram_bytes]
    return paced_cycles([[first, *reads], works, stored], chip, len(loads))

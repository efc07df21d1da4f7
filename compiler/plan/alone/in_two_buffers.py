"""Convolutions with two fixed buffers (M3) as choices of the group search.

in:   a layer of a network, the chip, and what the user asks for
out:  the `LayerAlone`s among which the search takes one, or why there is none

A layer has a way for each number of cores and of output channels per pass whose weights, sums and results fit
beside each other; those that are no faster than one that moves no more bytes are left out.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from math import prod

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.plan.alone.dram_bytes import Intervals, Range, ranges
from nnc.compiler.plan.alone.layer_alone import Candidate, LayerAlone, LayerCut
from nnc.compiler.plan.alone.tile_cycles import phase_cycles
from nnc.compiler.plan.alone.tiled_layer import Shape, TiledLayer
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
from nnc.isa.errors import OptionError
from nnc.isa.instruction import Phase
from nnc.isa.integers import ceil_div, round_up
from nnc.isa.operand import Operand
from nnc.isa.record import changed

_log = logging.getLogger(__name__)


class BufferedLayers:
    """The convolutions of a network with two buffers; layers of the same structure are priced once."""

    def __init__(self, chip: Chip, options: PlanOptions) -> None:
        self._chip, self._asked = chip, options.conv_buffers
        self._known: dict[Hashable, tuple[str, list[Candidate]]] = {}
        self._banned: set[tuple[str, LayerCut]] = set()

    def choices(self, order: int, network: PlanNetwork, position: int) -> list[LayerAlone]:
        """A layer of a network with its layers in some order, in every way that may be best."""
        name, (_, priced) = network.layers[position].name, self._priced(network, position)
        priced = [candidate for candidate in priced if (name, candidate.cut) not in self._banned]
        return [LayerAlone(order, position, (best,), _core_reason(best, priced)) for best in priced]

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
        layers = [
            (position, layer.name)
            for position, layer in enumerate(network.layers)
            if isinstance(layer, ir.Conv)
        ]
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


def _core_reason(best: Candidate, priced: Sequence[Candidate]) -> str:
    """How many cores, and what the other ways would take."""
    cores = f"{best.cut.cores} core{'s by channels' if best.cut.cores > 1 else ''}"
    if len(priced) == 1:
        return cores
    ways = ((way.cut, way.cycles) for way in priced if isinstance(way.cut, BufferedConv))
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
    tiled = TiledLayer(graph, layer, chip)
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
                yield _priced(tiled, BufferedConv(table, outputs, share, cores), demand)
                break


def _sizes(share: int, lanes: int) -> list[int]:
    """Output channels per pass worth trying, most first: all, multiples of the lanes, parts of them."""
    multiples = range(share // lanes * lanes, 0, -lanes)
    parts = [1 << bit for bit in reversed(range(lanes.bit_length()))]
    return list(dict.fromkeys([share, *multiples, *(n for n in parts if n < min(share, lanes))]))


def _priced(layer: TiledLayer, conv: BufferedConv, demand: Mapping[str, int]) -> Candidate:
    """A convolution with its price: the work of core 0, whose share is the largest, beside all transfers.

    Work waits for the first constants and rows, and between passes for a piece of the weights; nothing hides
    the last store.
    """
    table, chip, passes = conv.table, layer.chip, len(conv.passes(0))
    grid, boxes = _grid(conv)
    loads = table.loads * passes
    loaded = passes * layer.nbytes(required(layer.operands[0]), grid)
    residual = table.shape.layer.slots.index("residual")
    added = layer.nbytes(required(layer.operands[residual]), boxes) if table.shape.residual else 0
    stored = layer.nbytes(layer.result, boxes)
    constants = [
        sum(
            layer.nbytes(required(layer.operands[slot]), _one_box(box))
            for core in range(conv.cores)
            if number < len(conv.passes(core))
            for slot, box in conv.constants(core, number)
        )
        for number in range(passes)
    ]
    dram_bytes = loaded + added + stored + sum(constants)
    exposed = constants[0] + sum(constants[1:]) // table.pieces
    exposed += loaded // loads + stored // prod(of.count for of in boxes)
    rate, latency = chip.transfer_rate(conv.cores), chip.dram.latency
    cycles = 2 * latency + ceil_div(exposed, rate) + _work(layer, conv)
    return Candidate(conv, demand, dram_bytes, max(cycles, latency + ceil_div(dram_bytes, rate)), loads)


def _grid(conv: BufferedConv) -> tuple[list[Intervals], list[Intervals]]:
    """Intervals of what a pass loads of the input, and of all stores, along every axis."""
    table, shape = conv.table, conv.table.shape
    images, _, rows, _ = shape.source.shape
    image = _intervals(ranges(0, images, 1))
    columns = _intervals([(half.first, half.last) for half in shape.halves])
    loads = [image, _intervals(table.chunks), _intervals(ranges(0, rows, table.r)), columns]
    last = [visit for visits in table.blocks for visit in visits if visit.number == visit.count - 1]
    outputs = [each for core in range(conv.cores) for each in conv.passes(core)]
    results = [[(visit.low, visit.high) for visit in last], [(half.low, half.high) for half in shape.halves]]
    return loads, [image, _intervals(outputs), *map(_intervals, results)]


def _intervals(of: Sequence[Range]) -> Intervals:
    return Intervals(*zip(*of, strict=True))


def _one_box(box: Box) -> list[Intervals]:
    return [Intervals((low,), (low + extent,)) for low, extent in zip(*box, strict=True)]


def _work(layer: TiledLayer, conv: BufferedConv) -> int:
    """Cycles of all instructions of core 0."""
    cycles_of = cache(partial(_cycles, layer.chip, conv.table.shape))
    passes = Counter(high - low for low, high in conv.passes(0))
    return sum(
        count
        * cycles_of(
            turn.result(visit, (0, width))[1],
            (turn.channels[1] - turn.channels[0], visit.last - visit.first),
            phase,
        )
        for width, count in passes.items()
        for turn in conv.table.turns
        for visit, phase in turn.visits
    )


def _cycles(chip: Chip, shape: ConvShape, tile: Shape, taps: tuple[int, int], phase: Phase) -> int:
    """Cycles of an instruction: a tile of the result; input channels x kernel rows."""
    order = (0, 2, 3, 1)
    layer = changed(shape.layer, kernel=(taps[1], shape.layer.kernel[1]))
    ins: list[Operand | None] = [None] * (len(layer.slots) - 1)
    ins[0] = layer_work.block(shape.source.dtype, (1, taps[0], *tile[2:]), order)
    ins[1] = layer_work.block(shape.weight.dtype, (tile[1], *taps, layer.kernel[1]), order)
    if shape.residual:
        ins[layer.slots.index("residual")] = layer_work.block(shape.residual.dtype, tile, order)
    sums = layer_work.block(layer.partial_type(shape.source.dtype), tile, order)
    out = layer_work.block(shape.out.dtype, tile, order)
    return phase_cycles(chip, layer, out, sums, ins, phase)

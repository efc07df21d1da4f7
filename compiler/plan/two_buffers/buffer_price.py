"""What a convolution with two fixed buffers costs: DRAM traffic to the byte, and estimated cycles.

The cycles are those of the simulator's scheduler on the loads of buffers, the work on each, and the stores
of its rows; all cores' bytes are taken as one core's, whose work is that of the largest share.  Layers with
many blocks are scheduled as far as it takes to see their pace.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from math import prod

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.plan.two_buffers.buffered_choice import BufferedCandidate
from nnc.compiler.plan.two_buffers.buffered_conv import BufferedConv, Range
from nnc.compiler.plan.two_buffers.geometry import Half
from nnc.compiler.plan.two_buffers.row_blocks import Visit
from nnc.compiler.plan.two_buffers.vector_memory import memory_demand
from nnc.compiler.target import layer_work
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.chip.rates import move_cycles
from nnc.isa.instruction import ENGINES, Engine, Phase
from nnc.isa.integers import ceil_div, round_up
from nnc.isa.operand import DRAM, Operand, burst_bytes
from nnc.isa.timing.timeline import Task, schedule
from nnc.isa.types import DType

_READ, _COMPUTE, _WRITE = (ENGINES.index(engine) for engine in (Engine.READ, Engine.COMPUTE, Engine.WRITE))


@dataclass(slots=True)
class _Unit:
    """One block in one buffer: bytes loaded, cycles of work, bytes stored; on all cores, of the largest.

    `landed` are the bytes that each core gets.
    """

    half: bool
    loaded: int
    work: int
    stored: int
    landed: int


class BufferPrice:
    """Traffic and cycles of a convolution."""

    def __init__(self, graph: Graph, chip: Chip, conv: BufferedConv) -> None:
        self._graph, self._chip, self._conv = graph, chip, conv
        self._inputs = graph.inputs_of(conv.shape.layer.name)
        self._output = graph.output_of(conv.shape.layer.name)
        self._cycles_of = cache(self._conv_cycles)

    def candidate(self) -> BufferedCandidate:
        """The convolution with its price."""
        conv, chip = self._conv, self._chip
        weights = [self._constant_bytes(number) for number in range(len(conv.passes(0)))]
        passes = [self._units(number) for number in range(len(weights))]
        dram_bytes = sum(weights) + sum(unit.loaded + unit.stored for units in passes for unit in units)
        cycles = 0
        for number, (units, nbytes) in enumerate(zip(passes, weights, strict=True)):
            cycles += self._pass_cycles(units, nbytes if number == 0 else nbytes // conv.pieces)
        least = chip.dram.latency + ceil_div(dram_bytes, chip.transfer_rate(conv.cores))
        last = next((unit.stored for unit in reversed(passes[-1]) if unit.stored), 0)
        return BufferedCandidate(
            conv,
            memory_demand(self._graph, chip, conv),
            dram_bytes,
            sum(unit.work for units in passes for unit in units),
            max(cycles, least),
            sum(map(len, passes)),
            (passes[0][0].loaded, weights[0], last),
        )

    def _units(self, number: int) -> list[_Unit]:
        """What every buffer is loaded with in a pass, in order."""
        conv, source = self._conv, required(self._inputs[0])
        ranges = [found[number] for core in range(conv.cores) if number < len(found := conv.passes(core))]
        units: dict[int, _Unit] = {}
        for turn in conv.turns():
            extents = tuple(b - a for a, b in (turn.loaded, turn.rows, (turn.half.first, turn.half.last)))
            if turn.number not in units:
                low = (turn.image, turn.loaded[0], turn.rows[0], turn.half.first)
                landed = prod(extents) * conv.shape.source.dtype.itemsize
                loaded = self._box_bytes(source, low, (1, *extents))
                units[turn.number] = _Unit(turn.half is conv.shape.columns.halves[-1], loaded, 0, 0, landed)
            unit = units[turn.number]
            shape = (1, turn.channels[1] - turn.channels[0], *extents[1:])
            for visit, phase in turn.visits:
                size = (visit.high - visit.low, visit.last - visit.first)
                unit.work += self._cycles_of(*size, phase, turn.half, ranges[0], shape)
                for share in ranges if phase in (Phase.WHOLE, Phase.FINISH) else ():
                    added, stored = self._finished(turn.image, visit, turn.half, share)
                    unit.loaded += added
                    unit.stored += stored
        return list(units.values())

    def _finished(self, image: int, visit: Visit, half: Half, share: Range) -> tuple[int, int]:
        """Bytes of the residual and of the result of rows that a visit finishes."""
        low = (image, share[0], visit.low, half.low)
        extents = (1, share[1] - share[0], visit.high - visit.low, half.high - half.low)
        residual = self._operand("residual")
        added = 0 if residual is None else self._box_bytes(residual, low, extents)
        return added, self._box_bytes(self._output, low, extents)

    def _operand(self, name: str) -> str | None:
        slot = self._conv.shape.layer.slots.index(name)
        return self._inputs[slot] if slot < len(self._inputs) else None

    def _box_bytes(self, tensor: str, low: tuple[int, ...], extents: tuple[int, ...]) -> int:
        """Bytes that a transfer of a box moves; buffers start with bursts."""
        if self._graph.is_constant(tensor):
            return self._packed(extents, self._graph.types[tensor].dtype)
        box, size = self._graph.storage[tensor].box(low, extents), self._graph.types[tensor].dtype.itemsize
        strides = tuple(size * stride for stride in box.strides)
        there = Operand(DRAM, box.offset * size, self._graph.types[tensor].dtype, extents, strides)
        return burst_bytes(there, self._chip.dram.burst)

    def _packed(self, extents: tuple[int, ...], dtype: DType) -> int:
        nbytes = dtype.itemsize
        for extent in extents:
            nbytes *= extent
        return round_up(nbytes, self._chip.dram.burst)

    def _constant_bytes(self, number: int) -> int:
        """Bytes of weights, biases and scales that all cores load for a pass."""
        conv, graph = self._conv, self._graph
        total = 0
        for core in range(conv.cores):
            if number >= len(conv.passes(core)):
                continue
            low, high = conv.passes(core)[number]
            for slot, tensor in enumerate(self._inputs):
                if slot == 0 or tensor is None or conv.shape.layer.slots[slot] == "residual":
                    continue
                type_ = graph.types[tensor]
                if slot == 1:
                    pieces = (b - a for a, b in conv.weight_pieces)
                    taps = type_.shape[2:]
                    total += sum(self._packed((high - low, n, *taps), type_.dtype) for n in pieces)
                    continue
                own = len(type_.shape) == 1 and type_.shape[0] != 1
                extents = (high - low, *type_.shape[1:]) if own else type_.shape
                if not own and number:
                    continue  # it stays on chip
                first = (low if own else 0, *(0 for _ in type_.shape[1:]))[: len(type_.shape)]
                total += self._box_bytes(tensor, first, extents)
        return total

    def _conv_cycles(
        self, rows: int, taps: int, phase: Phase, half: Half, share: Range, extents: tuple[int, ...]
    ) -> int:
        """Cycles of one instruction."""
        shape, graph = self._conv.shape, self._graph
        layer = replace(shape.layer, kernel=(taps, shape.layer.kernel[1]), phase=phase)
        tile = (1, share[1] - share[0], rows, half.high - half.low)
        order = (0, 2, 3, 1)
        weight = (tile[1], extents[1], taps, shape.layer.kernel[1])
        ins: list[Operand | None] = [None] * len(layer.slots)
        ins[0] = layer_work.block(shape.source.dtype, extents, order)
        ins[1] = layer_work.block(graph.types[required(self._inputs[1])].dtype, weight, order)
        sums = layer_work.block(layer.partial_type(shape.source.dtype), tile, order)
        if phase in (Phase.ADD, Phase.FINISH):
            ins[-1] = sums
        if phase in (Phase.START, Phase.ADD):
            return layer_work.tile_cycles(self._chip, layer, sums, ins)
        if (residual := self._operand("residual")) is not None:
            dtype = graph.types[residual].dtype
            ins[layer.slots.index("residual")] = layer_work.block(dtype, tile, order)
        return layer_work.tile_cycles(self._chip, layer, layer_work.block(shape.out.dtype, tile, order), ins)

    def _pass_cycles(self, units: list[_Unit], weights: int) -> int:
        """Cycles of a pass: its weights, then its blocks, in buffers that take turns."""
        streams: list[list[Task]] = [[] for _ in ENGINES]
        if weights:
            streams[_READ].append(Task(move_cycles(self._chip, weights // self._conv.cores), weights))
        before: dict[bool, int] = {}  # the last work on each buffer
        shown = units[: TUNING.two_buffers.max_units]
        for number, unit in enumerate(shown):
            waits = ((_COMPUTE, before[unit.half]),) if unit.half in before else ()
            loaded = len(streams[_READ])
            streams[_READ].append(Task(move_cycles(self._chip, unit.landed), unit.loaded, waits))
            streams[_COMPUTE].append(Task(unit.work, waits=((_READ, loaded),)))
            before[unit.half] = number
            if unit.stored:
                streams[_WRITE].append(Task(0, unit.stored, ((_COMPUTE, number),)))
        timeline = schedule(streams, self._chip, engines=ENGINES)
        if len(shown) == len(units):
            return timeline.total
        ends, half = timeline.end[_COMPUTE], len(shown) // 2
        return timeline.total + (ends[-1] - ends[half - 1]) * (len(units) - len(shown)) // (len(shown) - half)

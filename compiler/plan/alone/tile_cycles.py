"""Cycles of a tiling: of the work of its tiles, and of its pipeline of loads, work and stores.

The pipeline is the simulator's scheduler on a few tasks.  The tiles of all cores are taken as those of one
core: transfers bring the bytes of all, work takes that of the busiest.  Long layers are scheduled as far as
it takes to see their pace.

in:   a tile and a chunk (`work_of`); what tiles load, compute and store, and in how many buffers
out:  cycles
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, product
from math import prod

from nnc.compiler.ir.layers.layer import Layer
from nnc.compiler.plan.alone.tiled_layer import Shape, TiledLayer, TiledOperand
from nnc.compiler.plan.alone.tiling import axis_tiles, turns
from nnc.compiler.target import layer_traits, layer_work, memories
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.chip.rates import move_cycles
from nnc.isa.instruction import ENGINES, Engine, Phase
from nnc.isa.integers import ceil_div
from nnc.isa.operand import Operand
from nnc.isa.timing.timeline import Task, schedule

_READ, _COMPUTE, _WRITE = (ENGINES.index(engine) for engine in (Engine.READ, Engine.COMPUTE, Engine.WRITE))


@dataclass(frozen=True, slots=True)
class Stream:
    """Loads of one operand, or the stores of the result.

    Attributes:
        nbytes: of each, on all cores; on_chip: of the largest tile, which take their time in its memory.
        period: computations from one to the next; buffers: blocks that take turns.
        late: whether the last computation of a period is the only one that needs it.
        behind: whether it waits for the loads before it: rows that one of them lists.
    """

    nbytes: int
    on_chip: int
    period: int
    buffers: int
    late: bool = False
    behind: bool = False


def pipeline_cycles(
    chip: Chip, loads: Sequence[Stream], work: int, steps: int, stores: Stream, abreast: int = 1
) -> int:
    """Cycles of all tiles.

    Args:
        loads: operands in the order in which they are loaded.
        work: cycles of all computations; steps: their number.
        stores: of the result, each after the last computation of its period.
        abreast: tiles that are computed side by side.
    """
    if steps > TUNING.tiles.max_scheduled:
        return work + sum(_cycles_in_turn(chip, stream, steps) for stream in (*loads, stores))
    chunks, order = stores.period, _Order(stores.period, abreast)
    two_tiles = min(2 * chunks * abreast, TUNING.tiles.max_chunks)
    shown = min(steps, max(two_tiles, TUNING.tiles.max_computations // chunks * chunks))
    streams: list[list[Task]] = [[] for _ in ENGINES]
    early = stores.buffers >= abreast
    # Sums have hundreds of equal operands.
    runs = [(stream, len([*same]), move_cycles(chip, stream.on_chip)) for stream, same in groupby(loads)]
    store = move_cycles(chip, stores.on_chip)
    for step in range(shown):
        chunk, tile = order.at(step)
        is_last = chunk == chunks - 1
        for stream, count, cycles in runs:
            reused = order.reused(stream, step)
            if reused is not None:
                waits = ((_COMPUTE, reused),) if reused >= 0 else ()
                if stream.behind:
                    waits = (*waits, (_READ, len(streams[_READ]) - 1))
                streams[_READ] += [Task(cycles, max(1, stream.nbytes), waits)] * count
        needed = [(_READ, len(streams[_READ]) - 1)] if loads else []
        if (chunk == 0 if early else is_last) and tile >= stores.buffers:
            needed.append((_WRITE, tile - stores.buffers))
        streams[_COMPUTE].append(
            Task(cycles=(step + 1) * work // steps - step * work // steps, waits=tuple(needed))
        )
        if is_last:
            streams[_WRITE].append(Task(store, max(1, stores.nbytes), ((_COMPUTE, step),)))
    return paced_cycles(streams, chip, steps)


def paced_cycles(streams: Sequence[Sequence[Task]], chip: Chip, steps: int) -> int:
    """Cycles of so many computations, the first of which are given: later ones keep their second half's pace.

    Args:
        streams: tasks of each engine.
    """
    timeline = schedule(streams, chip, engines=ENGINES)
    ends = timeline.end[_COMPUTE]
    shown, half = len(ends), len(ends) // 2
    if shown == steps:
        return timeline.total
    return timeline.total + (ends[-1] - ends[half - 1]) * (steps - shown) // (shown - half)


def _cycles_in_turn(chip: Chip, stream: Stream, steps: int) -> int:
    """Cycles of the transfers of a stream if nothing goes on beside them."""
    each = chip.dram.latency + ceil_div(stream.nbytes, chip.dram.bytes_per_cycle)
    return ceil_div(steps, stream.period) * each


class _Order:
    """Which chunk of which tile every computation adds, and which of them use what is loaded."""

    def __init__(self, chunks: int, abreast: int) -> None:
        self._chunks, self._abreast, self._turns = chunks, abreast, turns(chunks, abreast)
        self._first: dict[int, int] = {}
        self._last: dict[int, int] = {}
        for place, (chunk, _) in enumerate(self._turns):
            self._first.setdefault(chunk, place)
            self._last[chunk] = place
        self._finished = [place for place, (chunk, _) in enumerate(self._turns) if chunk == chunks - 1]

    def at(self, step: int) -> tuple[int, int]:
        """Chunk and tile of a computation."""
        run, place = divmod(step, len(self._turns))
        chunk, tile = self._turns[place]
        return chunk, run * self._abreast + tile

    def reused(self, stream: Stream, step: int) -> int | None:
        """The last computation on the buffer of a load, negative if it is new; None: a step loads nothing."""
        chunk, tile = self.at(step)
        run, place = divmod(step, len(self._turns))
        if stream.late:
            tiles = stream.period // self._chunks
            if chunk != self._chunks - 1 or tile % tiles:
                return None
            run, place = divmod(tile - stream.buffers * tiles, self._abreast)
            return run * len(self._turns) + self._finished[place]
        if self._abreast > 1 and stream.period == self._abreast:
            if place != self._first[chunk]:
                return None
            run, chunk = divmod(run * self._chunks + chunk - stream.buffers, self._chunks)
            return run * len(self._turns) + self._last[chunk]
        return None if step % stream.period else step - (stream.buffers - 1) * stream.period - 1


def work_of(
    layer: TiledLayer, tile: Shape, shapes: Mapping[TiledOperand, Shape], chunks: int, *, exact: bool = False
) -> int:
    """Cycles of all computations of the first core, whose share is the largest.

    Args:
        shapes: of the largest pieces of operands; chunks: of each tile of the result.
        exact: look at each size of tile, for the last ones may be smaller; else all are as the largest.
    """
    if layer_traits.is_read_engine(layer.layer):
        return 0
    sizes: list[Iterable[tuple[int, int]]] = [[size] for size in zip(tile, layer.counts(tile), strict=True)]
    for axis, extent in enumerate(tile if exact else ()):
        tiles = axis_tiles(layer.out.shape[axis], extent, layer.cuts.get(axis), 0)
        sizes[axis] = Counter(high - low for low, high in tiles).items()
    ins = [
        None if operand is None else _block(operand, shapes[operand], operand.homes[0])
        for operand in layer.operands
    ]
    return sum(
        _tile_cycles(layer, tuple(extent for extent, _ in each), ins, chunks) * prod(n for _, n in each)
        for each in product(*sizes)
    )


def _tile_cycles(layer: TiledLayer, tile: Shape, ins: list[Operand | None], chunks: int) -> int:
    """Cycles of a tile of the result, in chunks, of these dense tiles of operands."""
    of_tile = layer_work.layer_of_tile(layer.layer, layer.out.shape, tile)
    out = _block(layer.result, tile, layer.result.homes[0])
    if chunks == 1:
        return layer_work.tile_cycles(layer.chip, of_tile, out, ins)
    sums = layer_work.block(layer.sums_dtype, tile, layer.result.order, layer.sums_home)
    cycles = partial(phase_cycles, layer.chip, of_tile, out, sums, ins)
    return cycles(Phase.START) + (chunks - 2) * cycles(Phase.ADD) + cycles(Phase.FINISH)


def phase_cycles(
    chip: Chip, layer: Layer, out: Operand, sums: Operand, ins: Sequence[Operand | None], phase: Phase
) -> int:
    """Cycles of a computation that does this to sums: bias, residual and scale come at the end."""
    is_early = phase in (Phase.START, Phase.ADD)
    operands = [*ins[:2], *(None for _ in ins[2:])] if is_early else [*ins]
    if phase in (Phase.ADD, Phase.FINISH):
        operands = [*operands, *[None] * (len(layer.slots) - 1 - len(operands)), sums]
    return layer_work.tile_cycles(chip, layer, sums if is_early else out, operands)


def copy_cycles(chip: Chip, operand: TiledOperand, tile: Shape) -> int:
    """Cycles of the copy of a tile between its home and the memory that a DMA engine reaches, if another."""
    home, *others = operand.homes
    ways = [(home, memory) if operand.slot < 0 else (memory, home) for memory in others]
    return sum(memories.copy_cycles(chip, _block(operand, tile, source), target) for source, target in ways)


def _block(operand: TiledOperand, tile: Shape, memory: str) -> Operand:
    return layer_work.block(operand.type.dtype, tile, operand.order, memory)

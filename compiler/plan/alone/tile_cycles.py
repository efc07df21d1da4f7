"""Cycles of a tiling: of the work of its tiles, and of its pipeline of loads, work and stores.

The tiles of all cores are taken as those of one core: transfers bring the bytes of all, work takes that of
the busiest.

in:   a tile and a chunk (`work_of`); what tiles load, compute and store, and in how many buffers
out:  cycles
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import ceil, prod

from nnc.compiler.ir.layers.layer import Layer
from nnc.compiler.plan.alone.tiled_layer import Shape, TiledLayer, TiledOperand
from nnc.compiler.plan.alone.tiling import axis_tiles
from nnc.compiler.target import layer_traits, layer_work, memories
from nnc.isa.chip.description import Chip
from nnc.isa.instruction import Phase
from nnc.isa.integers import ceil_div
from nnc.isa.operand import Operand


@dataclass(frozen=True, slots=True)
class Stream:
    """Loads of one operand, or the stores of the result.

    Attributes:
        nbytes: of each, on all cores.
        period: computations from one to the next; buffers: blocks that take turns.
        late: whether the last computation of a period is the only one that needs it.
        behind: whether it waits for the loads before it: rows that one of them lists.
    """

    nbytes: int
    period: int
    buffers: int
    late: bool = False
    behind: bool = False


def pipeline_cycles(
    chip: Chip, loads: Sequence[Stream], work: int, steps: int, stores: Stream, abreast: int = 1
) -> int:
    """Cycles of all tiles: those of what takes longest, behind the first loads and before the last store.

    That is the work; the DRAM; the loads in order, each with its latency; or a stream all of whose buffers
    are in use until a computation is done with one.

    Args:
        loads: operands in the order in which they are loaded.
        work: cycles of all computations; steps: their number.
        stores: of the result, each after the last computation of its period.
        abreast: tiles that are computed side by side, whose stores come with their last two chunks.
    """
    rate, latency, each = chip.dram.bytes_per_cycle, chip.dram.latency, work / steps
    streams = [(stream, ceil_div(steps, stream.period)) for stream in (*loads, stores)]
    moved = sum(count * stream.nbytes for stream, count in streams) / rate
    once = sum(stream.nbytes for stream, _ in streams) / rate
    later = sum(count - 1 for _, count in streams[:-1])
    busy = [work, each + moved - once, later * latency / chip.dma.in_flight]
    for stream, count in streams:
        if count > stream.buffers:
            until_free = latency + moved / count + each * (1 if stream.late else stream.period)
            busy.append(until_free * (count - 1) / stream.buffers)
    if abreast > 1:
        each_time = sum(stream.nbytes for stream in loads if stream.period == 1)
        at_end = (abreast - 1) * stores.nbytes + 2 * abreast * each_time
        busy.append(each * (steps - 2 * abreast) + at_end / rate)
    one_by_one = 2 + any(stream.behind for stream in loads)
    return ceil(once + one_by_one * latency + max(busy))


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
    ways = [(home, other) if operand.slot < 0 else (other, home) for other in others]
    return sum(memories.copy_cycles(chip, _block(operand, tile, source), target) for source, target in ways)


def _block(operand: TiledOperand, tile: Shape, memory: str) -> Operand:
    return layer_work.block(operand.type.dtype, tile, operand.order, memory)

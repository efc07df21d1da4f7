"""Sizes of tiles worth trying: extents along every axis of the result, and of chunks of the summed one.

in:   a layer, and how many tilings may be looked at
out:  extents per axis, and chunks

    a result of [1, 64, 56, 56]     [[1], [64, 32, …], [56, 28, …], [56, 28, …]], [None, 32, …]
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from nnc.compiler.errors import CapacityError
from nnc.compiler.ir.layers import SpatialMacLayer
from nnc.compiler.ir.required import required
from nnc.compiler.plan.alone.tiled_layer import TiledLayer
from nnc.compiler.target import layer_traits
from nnc.compiler.tuning import TUNING
from nnc.isa.integers import ceil_div, round_up


def cut_extents(extent: int, quantum: int = 1) -> list[int]:
    """Tile extents worth trying along an axis, largest first: about even cuts, down to one element (of very
    long axes, to the finest that leaves 65,536 tiles).

    Args:
        quantum: elements whose multiples are worth trying too.
    """
    far = TUNING.tiles.far_cuts
    cuts = (*TUNING.tiles.cuts, *(far if extent > far[-1] else (extent,)))
    sizes = {ceil_div(extent, cut) for cut in cuts if cut <= extent}
    multiples = {round_up(size, quantum) for size in sizes} if quantum > 1 else set()
    return sorted(sizes | {size for size in multiples if size < extent}, reverse=True)


def tile_sizes(layer: TiledLayer, most: int) -> tuple[list[list[int]], list[int | None]]:
    """Extents of tiles per axis of the result, and of chunks: fewer along those that have most.

    Args:
        most: tilings of all these sizes.

    Raises:
        CapacityError: no share of a core is whole units of the DMA.
    """
    fixed = layer_traits.uncut_axes(layer.layer, layer.shapes)
    free = sorted({*range(len(layer.shape))} - {*fixed}, key=lambda axis: (layer.shape[axis], axis))
    extents = []
    for axis, extent in enumerate(layer.shape):
        sizes = cut_extents(extent, layer.result.quantum(axis)) if axis in free else [extent]
        extents.append(_allowed(layer, axis, sizes))
    if not all(extents):
        raise _unaligned(layer)
    chunks: list[int | None] = [None, *_chunks(layer)]
    few = min(most, TUNING.tiles.few_tilings)
    if layer.chip.transfer_unit > 1:
        most = few  # each is looked at alone
    while len(chunks) * prod(map(len, extents)) > most:
        longest = max(range(len(extents)), key=lambda axis: len(extents[axis]))
        sizes = extents[longest]
        if len(chunks) > len(sizes):
            chunks = _fewer_chunks(layer, chunks)
        else:
            extents[longest] = [*sizes[:-1:2], sizes[-1]]
    for axis in free:
        if layer.shape[axis] > TUNING.tiles.far_cuts[-1]:
            continue
        every = _allowed(layer, axis, range(1, layer.shape[axis] + 1))
        if len(chunks) * len(every) * prod(map(len, (*extents[:axis], *extents[axis + 1 :]))) <= few:
            extents[axis] = every
    if chunks[1:] and layer.depth * prod(map(len, extents)) <= few:
        chunks = [None, *range(layer.depth - 1, 0, -1)]
    return extents, chunks


def _allowed(layer: TiledLayer, axis: int, sizes: Iterable[int]) -> list[int]:
    """Extents of tiles, largest first: inside a group of channels, or whole groups; as the DMA demands."""
    lane, network_layer = layer_traits.lane_axis(layer.layer, len(layer.shape)), layer.layer
    extent, step = layer.shape[axis], layer.quanta[axis]
    every = {min(extent, round_up(size, step)) for size in sizes}
    every = {size for size in every if size == layer.out.shape[axis] or size % step == 0}
    if axis == lane and isinstance(network_layer, SpatialMacLayer) and network_layer.groups > 1:
        per_group = extent // network_layer.groups
        groups = {per_group * n for n in cut_extents(network_layer.groups)} | {*cut_extents(per_group)}
        every |= {size for size in groups if size == extent or size % step == 0}
        every = {n for n in every if layer_traits.lane_step_allowed(network_layer, extent, n)}
    return sorted(every, reverse=True)


def _chunks(layer: TiledLayer) -> list[int]:
    """Extents of chunks of the summed axis worth trying."""
    if layer.chunked is None:
        return []
    quantum, depth = _chunk_quantum(layer), layer.depth
    halves = cut_extents(depth, max(1, quantum // 2))  # where rows do not start with bursts
    return sorted({*cut_extents(depth, quantum), *halves} - {depth}, reverse=True)


def _fewer_chunks(layer: TiledLayer, chunks: list[int | None]) -> list[int | None]:
    """Half of the chunks: those whose rows do not end with bursts go first."""
    quantum = _chunk_quantum(layer)
    even = [chunk for chunk in chunks[:-1] if chunk is None or chunk % quantum == 0]
    return [*(even if len(even) < len(chunks) - 1 else chunks[:-1:2]), chunks[-1]]


def _chunk_quantum(layer: TiledLayer) -> int:
    operand, axis = required(layer.chunked)
    return operand.quantum(axis)


def _unaligned(layer: TiledLayer) -> CapacityError:
    chip = layer.chip
    return CapacityError(
        f"no share of {layer.layer.name} is whole units of {chip.transfer_unit} B",
        where=f"{layer.layer.loc} on chip {chip.name}",
        found=f"dram.align = {chip.dram.align}, dma.align = {chip.dma.align}",
        expected="results that cores store without bytes of each other",
        remedy="--set cores=1, or a smaller dram.align or dma.align",
    )

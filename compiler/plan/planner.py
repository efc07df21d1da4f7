"""The plan: one step decides groups, cuts, loop order, storage and addresses together.

Each layer that computes is a group of its own (kind `single`), cut by the search of ``tiling``; layers with
the same structure are searched once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import prod

from nnc.compiler.ir.annotations import GroupKind, Piece, Place
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Layer, Loc
from nnc.compiler.plan import geometry
from nnc.compiler.plan.allocate import Allocation, Block, allocate
from nnc.compiler.plan.decision import (
    GroupPlan,
    Plan,
    Step,
    StepKind,
    Tile,
    Tiling,
)
from nnc.compiler.plan.predict import Addresses, piece_of, predict, table_piece, table_tensor
from nnc.compiler.plan.steps import Expander, chained_sums
from nnc.compiler.plan.tiling import Candidate, candidates
from nnc.isa.chip import Chip
from nnc.isa.cost import ceil_div
from nnc.isa.errors import CapacityError, InternalError
from nnc.isa.program import CONSTANT_ALIGN

Progress = Callable[[str, int, int], None]


def no_progress(what: str, done: int, total: int) -> None:
    """The progress callback that shows nothing."""


def make_plan(graph: Graph, chip: Chip, progress: Progress = no_progress) -> Plan:
    """Decide everything about a canonical graph on a chip.

    Args:
        graph: canonical, with storage for every tensor.
        chip: the target.
        progress: called as progress(what, done, total) while planning.

    Raises:
        CapacityError: a layer cannot fit the memories, or the tensors the DRAM.
    """
    layers = graph.layers()
    working = [layer for layer in layers if not layer.is_view]
    views = _views_after(graph, layers)
    searched: dict[object, list[Candidate]] = {}
    groups: list[GroupPlan] = []
    places: dict[str, Place] = {}
    for index, layer in enumerate(working):
        progress("planning", index, len(working))
        key = _structure(graph, layer)
        if key not in searched:
            searched[key] = candidates(graph, layer, chip)
        group, found = _plan_layer(graph, layer, chip, index, searched[key])
        groups.append(replace(group, views=tuple(views.get(layer.name, ()))))
        places.update(found)
    addresses = _address_dram(graph, chip, groups, places)
    predictions, cycles = predict(graph, addresses.inner, chip, [group.steps for group in groups])
    return Plan(
        groups=tuple(groups),
        places=places,
        pieces=addresses.inner.pieces,
        buffers=addresses.inner.buffers,
        constant_bytes=addresses.inner.constant_bytes,
        dram_bytes=addresses.total,
        predictions=tuple(predictions),
        cycles=cycles,
    )


def _structure(graph: Graph, layer: Layer) -> object:
    """All that the tiling of a layer depends on: kind, attributes, types and storage of its tensors."""
    bare = replace(layer, name="", loc=Loc("", ""))
    tensors = [*graph.inputs_of(layer.name), graph.output_of(layer.name)]
    types = tuple(None if t is None else graph.types[t] for t in tensors)
    layouts = tuple(
        (graph.storage[t].strides, graph.storage[t].offset % CONSTANT_ALIGN) if t in graph.storage else None
        for t in tensors
    )
    return bare, types, layouts


def _views_after(graph: Graph, layers: list[Layer]) -> dict[str, list[str]]:
    """Views belong to the group of the layer that computes their operand."""
    owner: dict[str, str] = {}
    views: dict[str, list[str]] = {}
    for layer in layers:
        if not layer.is_view:
            owner[layer.name] = layer.name
            continue
        above = [owner[name] for name in graph.predecessors(layer.name) if name in owner]
        if above:
            owner[layer.name] = above[-1]
            views.setdefault(above[-1], []).append(layer.name)
    return views


def _plan_layer(
    graph: Graph, layer: Layer, chip: Chip, index: int, ranked: list[Candidate]
) -> tuple[GroupPlan, dict[str, Place]]:
    """The best candidate whose tiles can really be placed."""
    for candidate in ranked:
        tiling = replace(candidate.tiling, reason=_reason(candidate, chip))
        steps = Expander(graph, layer, chip, tiling, index).steps()
        allocations = _allocate_tiles(steps, chip)
        if all(found.peak <= chip.memory[name].bytes for name, found in allocations.items()):
            return _group(graph, layer, index, tiling, steps, allocations), _places(
                steps, allocations, chip, from_top=index % 2 == 1
            )
    raise InternalError("no candidate could be placed", where=f"{layer.loc} on chip {chip.name}")


def _reason(candidate: Candidate, chip: Chip) -> str:
    dram = ceil_div(candidate.dram_bytes, chip.dram.bytes_per_cycle)
    bound = "DRAM-bound" if dram >= candidate.compute_cycles else "compute-bound"
    buffers = "double-buffered" if candidate.tiling.double_buffer else "single-buffered"
    return f"{bound}, {buffers}, about {candidate.cycles} cycles for {candidate.dram_bytes} B"


def _group(
    graph: Graph,
    layer: Layer,
    index: int,
    tiling: Tiling,
    steps: tuple[Step, ...],
    allocations: dict[str, Allocation],
) -> GroupPlan:
    shape = graph.types[graph.output_of(layer.name)].shape
    cut = [axis for axis in tiling.loops if tiling.tile[axis] < shape[axis]]
    names = axis_names(layer, len(shape))
    axis = " x ".join(names[a] for a in cut) or "none"
    if tiling.chunk is not None:
        axis += " x k" if cut else ""
        axis = "k" if not cut else axis
    return GroupPlan(
        index=index,
        kind=GroupKind.SINGLE,
        layers=(layer.name,),
        views=(),
        tiling=tiling,
        parts=prod(ceil_div(shape[a], tiling.tile[a]) for a in cut),
        axis=axis,
        cores=(0,),
        core_reason="one core",
        reason=tiling.reason,
        steps=steps,
        memory_peak={name: found.peak for name, found in allocations.items()},
    )


def axis_names(layer: Layer, rank: int) -> list[str]:
    """Names of the output axes for people: n, c, h, w for pictures; else numbers."""
    lane = geometry.lane_axis(layer, rank)
    if rank == 4 and lane != rank - 1:
        return ["batch", "channels", "rows", "columns"]
    names = [f"axis{axis}" for axis in range(rank)]
    if lane is not None:
        names[lane] = "channels"
    return names


def _allocate_tiles(steps: tuple[Step, ...], chip: Chip) -> dict[str, Allocation]:
    """Offsets per memory from the live ranges of the tiles over the steps; partial sums share theirs."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    tiles: dict[str, Tile] = {}
    for position, step in enumerate(steps):
        for tile in (step.out, *step.ins):
            if tile is not None:
                tiles[tile.name] = tile
                first.setdefault(tile.name, position)
                last[tile.name] = position
    leader = _leaders(steps)
    for name, head in leader.items():
        last[head] = max(last[head], last[name])
    blocks: dict[str, list[Block]] = {}
    for name, tile in tiles.items():
        if name not in leader:
            block = Block(name, tile.type.nbytes, first[name], last[name])
            blocks.setdefault(tile.memory, []).append(block)
    found = {}
    for memory, mine in blocks.items():
        allocation = allocate(mine, chip.memory[memory].align)
        offsets = dict(allocation.offsets)
        offsets.update({n: offsets[h] for n, h in leader.items() if h in offsets})
        found[memory] = replace(allocation, offsets=offsets)
    return found


def _leaders(steps: tuple[Step, ...]) -> dict[str, str]:
    """Partial sums that continue earlier ones → the first of their chain."""
    leader: dict[str, str] = {}
    for step in steps:
        pair = chained_sums(step)
        if pair is not None:
            earlier, later = pair
            leader[later.name] = leader.get(earlier.name, earlier.name)
    return leader


def _places(
    steps: tuple[Step, ...], allocations: dict[str, Allocation], chip: Chip, *, from_top: bool
) -> dict[str, Place]:
    """Addresses of tiles.  Every other group counts from the top, so that it can start early."""
    places: dict[str, Place] = {}
    for position, step in enumerate(steps):
        for tile in (step.out, *step.ins):
            if tile is None:
                continue
            if tile.name in places:
                places[tile.name] = replace(places[tile.name], last=position)
                continue
            memory = chip.memory[tile.memory]
            nbytes = tile.type.nbytes
            address = allocations[tile.memory].offsets[tile.name]
            if from_top:
                size = ceil_div(nbytes, memory.align) * memory.align
                address = memory.bytes // memory.align * memory.align - address - size
            places[tile.name] = Place(tile.memory, address, nbytes, position, position)
    return places


class _Dram:
    def __init__(self, inner: Addresses, total: int) -> None:
        self.inner, self.total = inner, total


def _address_dram(graph: Graph, chip: Chip, groups: list[GroupPlan], places: dict[str, Place]) -> _Dram:
    """DRAM addresses: packed constants first, then buffers by live ranges over the groups."""
    align = max(CONSTANT_ALIGN, chip.dram.burst)
    pieces: dict[Piece, int] = {}
    end = 0
    for piece in _pieces(graph, groups):
        if piece not in pieces:
            pieces[piece] = end
            nbytes = prod(piece.shape) * graph.types[piece.constant].dtype.itemsize
            end = ceil_div(end + nbytes, align) * align
    found = allocate(_buffer_lives(graph, groups), align)
    total = end + ceil_div(found.peak, align) * align
    if total > chip.dram.bytes:
        raise CapacityError(
            f"the program needs {total} B of DRAM",
            where=f"chip {chip.name}",
            found=f"dram.bytes = {chip.dram.bytes}",
            expected=f"at least {total}: {end} B of constants and {found.peak} B of activations",
            remedy=f"--set dram.bytes={total}, or a smaller input or batch",
        )
    buffers = {name: end + offset for name, offset in found.offsets.items()}
    return _Dram(Addresses(places, pieces, buffers, end), total)


def _pieces(graph: Graph, groups: list[GroupPlan]) -> list[Piece]:
    found = []
    for group in groups:
        for step in group.steps:
            if step.kind is StepKind.LOAD and step.out is not None and graph.is_constant(step.out.tensor):
                found.append(piece_of(step.out))
            elif step.kind is StepKind.LOAD_ROWS and graph.is_constant(table_tensor(graph, step)):
                found.append(table_piece(graph, table_tensor(graph, step)))
    return found


def _buffer_lives(graph: Graph, groups: list[GroupPlan]) -> list[Block]:
    """Live ranges of DRAM buffers in groups; those of network inputs and outputs live throughout."""
    count = len(groups)
    first: dict[str, int] = {}
    last: dict[str, int] = {}

    def touch(tensor: str | None, when: int) -> None:
        if tensor in graph.storage:
            buffer = graph.storage[tensor].buffer
            first.setdefault(buffer, when)
            last[buffer] = max(last.get(buffer, when), when)

    for tensor in graph.inputs:
        touch(tensor, -1)
    for group in groups:
        for layer in group.layers:
            for tensor in (*graph.inputs_of(layer), *graph.outputs_of(layer)):
                touch(tensor, group.index)
    held = {graph.storage[t].buffer for t in (*graph.inputs, *graph.outputs)}
    return [
        Block(
            name,
            graph.buffers[name].nbytes,
            -1 if name in held else first[name],
            count if name in held else last[name],
        )
        for name in first
    ]

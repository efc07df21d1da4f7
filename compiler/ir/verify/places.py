"""Checks of addresses: tiles on chip, packed constants and buffers in DRAM (level `place`)."""

from __future__ import annotations

from collections import Counter

import numpy as np

from nnc.compiler.ir.annotations import Piece, Place
from nnc.compiler.ir.layers import Fill, Gather, Layer, Slice
from nnc.compiler.ir.required import required
from nnc.compiler.ir.runs import unit_of
from nnc.compiler.ir.verify.subject import Subject, broken, clashes, hull
from nnc.isa.instruction import Engine


def check_places(subject: Subject) -> None:
    """Every tile has a place of its size where its block lies, inside a memory, from its issue on."""
    graph, notes = subject.graph, subject.graph.notes
    if missing := sorted(subject.tiles.keys() ^ notes.places.keys()):
        what = "the tile has no place" if missing[0] in subject.tiles else "a place for what is no tile"
        raise broken(missing[0], what)
    blocks: dict[str, tuple[str, str, int]] = {}
    types, storages = graph.types, graph.storage
    for tensor, place in notes.places.items():
        type_, storage = types[tensor], storages[tensor]
        if place.nbytes != type_.nbytes:
            raise broken(tensor, f"the place has {place.nbytes} bytes, the tile {type_.nbytes}")
        base = place.address - storage.offset * type_.dtype.itemsize
        other, memory, known = blocks.setdefault(storage.buffer, (tensor, place.memory, base))
        if (memory, known) != (place.memory, base):
            raise broken(tensor, f"its block {storage.buffer} begins at {place.memory}+{base}, for {other} "
                                 f"at {memory}+{known}")  # fmt: skip
        _check_memory(subject, tensor, place, base)
    places = notes.places
    for at, (_, reads, written) in enumerate(subject.accesses):
        if written is not None and places[written].first != at:
            raise broken(written, f"alive from step {places[written].first} on, but issued in {at}")
        for tensor in reads:
            if places[tensor].last < at:
                raise broken(tensor, f"alive until step {places[tensor].last}, but read in {at}")


def check_waits(subject: Subject) -> None:
    """Every instruction has its waits, none on what the chip has not or comes later in the order of issue."""
    graph, notes = subject.graph, subject.graph.notes
    if lost := set(notes.order) ^ notes.waits.keys():
        first = min(lost, key=lambda issue: (issue.node, issue.slot or 0))
        what = "it has no waits" if first in notes.order else "waits for what is not issued"
        raise broken(first.node, what)
    issued: Counter[tuple[int | None, Engine]] = Counter()
    for issue in notes.order:
        node = graph.layer(issue.node)
        for wait in notes.waits[issue]:
            if wait.index >= issued[wait.core, wait.engine]:
                raise broken(node, f"it waits for {wait.engine.value} {wait.index} of core {wait.core}, "
                                   "which is not issued before it")  # fmt: skip
        owner = node  # a store belongs to the core that computes its tile
        if issue.slot is not None:
            owner = required(graph.producer(required(graph.operand(node.name, issue.slot))))
        issued[notes.part_of[owner.name].core, _engine(subject, node)] += 1


def _engine(subject: Subject, node: Layer) -> Engine:
    """The engine of the instruction that a node becomes."""
    if subject.is_store(node):
        return Engine.WRITE
    if isinstance(node, Slice | Fill):
        return Engine.READ
    table = subject.graph.operand(node.name, 0)
    return Engine.READ if isinstance(node, Gather) and table not in subject.tiles else Engine.COMPUTE


def _check_memory(subject: Subject, tensor: str, place: Place, base: int) -> None:
    if subject.chip is None:
        return
    memory = subject.chip.memory.get(place.memory)
    if memory is None:
        raise broken(tensor, f"chip {subject.chip.name} has no memory {place.memory}")
    end = base + block_bytes(subject, tensor)
    if base < 0 or end > memory.bytes:
        raise broken(tensor, f"bytes {base} to {end} of {place.memory}, which has {memory.bytes}")
    if base % subject.chip.block_align(place.memory):
        raise broken(tensor, f"its block begins at {base}, which is no multiple of "
                             f"{subject.chip.block_align(place.memory)}")  # fmt: skip


def block_bytes(subject: Subject, tensor: str) -> int:
    """Bytes from the beginning of a tile's block to the end of the tile."""
    return (hull(subject.graph.storage[tensor])[1] + 1) * subject.graph.types[tensor].dtype.itemsize


def check_blocks(subject: Subject) -> None:
    """Blocks of one memory that are alive together do not overlap.

    Alive is a block from the first issue that touches one of its tiles to the last one; what happens to
    the tiles of one block is the matter of `check_contents`.
    """
    graph, tiles = subject.graph, subject.tiles
    storages, types, notes = graph.storage, graph.types, graph.notes
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for at, (_, reads, written) in enumerate(subject.accesses):
        for tensor in reads if written is None else (*reads, written):
            first.setdefault(tensor, at)
            last[tensor] = at
    lives: dict[str, list[int]] = {}  # first and last issue, first byte and one past the last
    homes: dict[str, set[tuple[str, tuple[int | None, ...]]]] = {}
    for tensor, begin in first.items():
        storage, place, size = storages[tensor], notes.places[tensor], types[tensor].dtype.itemsize
        base, where = place.address - storage.offset * size, notes.part_of[tiles[tensor].name]
        end, home = base + (hull(storage)[1] + 1) * size, (place.memory, where.receivers or (where.core,))
        life = lives.get(storage.buffer)
        if life is None:
            lives[storage.buffer], homes[storage.buffer] = [begin, last[tensor], base, end], {home}
            continue
        life[:] = min(life[0], begin), max(life[1], last[tensor]), base, max(life[3], end)
        homes[storage.buffer].add(home)
    by_memory: dict[tuple[str, int | None], list[str]] = {}
    for block, mine in homes.items():
        for memory_and_core in {(memory, core) for memory, cores in mine for core in cores}:
            by_memory.setdefault(memory_and_core, []).append(block)
    for (memory, _), blocks in by_memory.items():
        starts, ends, low, high = np.array([lives[block] for block in blocks], dtype=np.int64).T
        for a, b in zip(*clashes(starts, ends, low, high), strict=True):
            raise broken(blocks[b], f"it overlaps {blocks[a]}, which is alive, at {memory}+{low[b]:#x}")


def check_packing(subject: Subject) -> None:
    """Every piece of a constant that is loaded lies in the region of constants, none over another."""
    graph = subject.graph
    for piece in graph.notes.pieces:
        shape = graph.types[piece.constant].shape if piece.constant in graph.constants else ()
        ends = zip(piece.low, piece.shape, shape, strict=False)
        if len(piece.shape) != len(shape) or any(a < 0 or a + n > e for a, n, e in ends):
            raise broken(piece.constant, f"a packed piece {piece.shape} at {piece.low} of shape {shape}")
    for node in subject.nodes:
        for tensor in graph.inputs_of(node.name)[:1]:
            if (
                graph.is_constant(tensor)
                and _piece(subject, node, required(tensor)) not in graph.notes.pieces
            ):
                raise broken(node, f"the part of {tensor} that it reads is not packed")
    end, before = 0, ""
    for piece, address in sorted(graph.notes.pieces.items(), key=lambda item: item[1]):
        if address < end:
            raise broken(piece.constant, f"packed at dram+{address:#x}, over {before}")
        end, before = address + piece.elements * graph.types[piece.constant].dtype.itemsize, piece.constant
    if end > graph.notes.constant_bytes:
        raise broken(before, f"it ends at {end}, beyond {graph.notes.constant_bytes} bytes of constants")


def _piece(subject: Subject, node: object, tensor: str) -> Piece | None:
    """The packed piece that a slice or a row gather reads."""
    graph = subject.graph
    if isinstance(node, Slice):
        order = graph.storage[graph.output_of(node.name)].order
        return Piece(tensor, node.start, node.shape, order)
    if isinstance(node, Gather):
        type_ = graph.types[tensor]
        return Piece.table(tensor, type_.shape, unit_of(type_.dtype, graph.notes.transfer_unit))
    return None


def check_dram(subject: Subject) -> None:
    """Buffers lie behind the constants inside the DRAM in use; those alive together do not overlap."""
    graph, notes = subject.graph, subject.graph.notes
    names = sorted(notes.buffers)
    lives = _buffer_lives(subject)
    if missing := sorted(lives.keys() - notes.buffers.keys()):
        raise broken(missing[0], "the buffer has no address in DRAM")
    for name in names:
        end = notes.buffers[name] + graph.buffers[name].nbytes
        if notes.buffers[name] < notes.constant_bytes or end > notes.dram_bytes:
            bounds = f"{notes.constant_bytes} to {notes.dram_bytes}"
            raise broken(name, f"the buffer lies at dram+{notes.buffers[name]} to {end}, outside {bounds}")
    if subject.chip is not None and notes.dram_bytes > subject.chip.dram.bytes:
        raise broken(graph.name, f"{notes.dram_bytes} B of DRAM: the chip has {subject.chip.dram.bytes}")
    alive = [name for name in names if name in lives]
    low = np.array([notes.buffers[name] for name in alive], dtype=np.int64)
    high = low + np.array([graph.buffers[name].nbytes for name in alive], dtype=np.int64)
    first = np.array([lives[name][0] for name in alive], dtype=np.int64)
    last = np.array([lives[name][1] for name in alive], dtype=np.int64)
    for a, b in zip(*clashes(first, last, low, high), strict=True):
        raise broken(alive[b], f"the buffer overlaps {alive[a]}, which is alive, at dram+{low[b]:#x}")


def _buffer_lives(subject: Subject) -> dict[str, tuple[int, int]]:
    """From which issue to which the bytes of every buffer in use matter."""
    graph = subject.graph
    touched: dict[str, list[int]] = {}

    def touch(tensor: str, when: int) -> None:
        if tensor in graph.storage and tensor not in subject.tiles:
            touched.setdefault(graph.storage[tensor].buffer, []).append(when)

    for tensor in graph.inputs:
        touch(tensor, -1)
    for tensor in graph.outputs:
        touch(tensor, len(graph.notes.order))
    for at, (node, _, written) in enumerate(subject.accesses):
        tensors = graph.outputs_of(node.name) if written is None else graph.inputs_of(node.name)
        for name in tensors:
            if name is not None:
                touch(name, at)
    return {name: (min(when), max(when)) for name, when in touched.items()}

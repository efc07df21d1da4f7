"""Checks of addresses: tiles on chip, packed constants and buffers in DRAM (level `placed`)."""

from __future__ import annotations

from math import prod

import numpy as np

from nnc.compiler.ir.annotations import Piece, Place
from nnc.compiler.ir.layers import Gather, Join, Slice
from nnc.compiler.ir.verify_subject import Subject, broken, clashes
from nnc.isa.instruction import Phase


def check_places(subject: Subject) -> None:
    """Every tile has a place of its size inside a memory, and the lifetime that the order of issue gives."""
    graph = subject.graph
    if missing := sorted(subject.tiles.keys() ^ graph.notes.places.keys()):
        what = "the tile has no place" if missing[0] in subject.tiles else "a place for what is no tile"
        raise broken(missing[0], what)
    lifetimes = _lifetimes_in_group(subject)
    for tensor, place in graph.notes.places.items():
        nbytes = graph.types[tensor].nbytes
        if place.nbytes != nbytes:
            raise broken(tensor, f"the place has {place.nbytes} bytes, the tile {nbytes}")
        _check_memory(subject, tensor, place)
        if (place.first, place.last) != lifetimes[tensor]:
            raise broken(tensor, f"alive in steps {place.first}-{place.last}, in use in {lifetimes[tensor]}")


def _check_memory(subject: Subject, tensor: str, place: Place) -> None:
    if subject.chip is None:
        return
    memory = subject.chip.memory.get(place.memory)
    if memory is None:
        raise broken(tensor, f"chip {subject.chip.name} has no memory {place.memory}")
    if place.address < 0 or place.address + place.nbytes > memory.bytes:
        end = place.address + place.nbytes
        raise broken(tensor, f"bytes {place.address} to {end} of {place.memory}, which has {memory.bytes}")
    if place.address % memory.align:
        raise broken(tensor, f"address {place.address} is no multiple of {memory.align}")


def _uses(subject: Subject) -> dict[str, list[int]]:
    """Places in the order of issue at which every tile is written or read."""
    graph = subject.graph
    uses = {tensor: [subject.issue_position[node.name, None]] for tensor, node in subject.tiles.items()}
    for node in subject.nodes:
        for slot, tensor in enumerate(graph.inputs_of(node.name)):
            if tensor in uses:
                key = (node.name, slot if isinstance(node, Join) else None)
                uses[str(tensor)].append(subject.issue_position[key])
    return uses


def _lifetimes_in_group(subject: Subject) -> dict[str, tuple[int, int]]:
    """First and last step of its group in which every tile is in use."""
    notes = subject.graph.notes
    counts: dict[int, int] = {}
    step, group_at = [], []
    for issue in notes.order:
        group = notes.part_of[issue.node].group
        step.append(counts.get(group, 0))
        group_at.append(group)
        counts[group] = step[-1] + 1
    found = {}
    for tensor, uses in _uses(subject).items():
        group = notes.part_of[subject.tiles[tensor].name].group
        own = [step[at] for at in uses if group_at[at] == group]
        found[tensor] = (min(own), max(own))
    return found


def check_lifetimes(subject: Subject) -> None:
    """Tiles that are alive together do not overlap, unless one is the partial sum that the other continues.

    Alive is a tile from its issue to its last use in the order of issue; a sum and its continuation share
    the step in which one becomes the other.
    """
    graph = subject.graph
    uses = _uses(subject)
    by_memory: dict[tuple[str, int | None], list[str]] = {}
    for tensor, place in graph.notes.places.items():
        core = graph.notes.part_of[subject.tiles[tensor].name].core
        by_memory.setdefault((place.memory, core), []).append(tensor)
    continued = _continued_sums(subject)
    for (memory, _), tensors in by_memory.items():
        places = [graph.notes.places[t] for t in tensors]
        low = np.array([place.address for place in places], dtype=np.int64)
        high = low + np.array([place.nbytes for place in places], dtype=np.int64)
        first = np.array([min(uses[t]) for t in tensors], dtype=np.int64)
        last = np.array([max(uses[t]) for t in tensors], dtype=np.int64)
        for a, b in zip(*clashes(first, last, low, high), strict=True):
            same = low[a] == low[b] and high[a] == high[b] and last[a] == first[b]
            if not (same and (tensors[a], tensors[b]) in continued):
                raise broken(tensors[b], f"it overlaps {tensors[a]}, which is alive, at {memory}+{low[b]:#x}")


def _continued_sums(subject: Subject) -> set[tuple[str, str]]:
    """(partial sum, the partial sum that is it plus one more chunk)."""
    found = set()
    for node in subject.nodes:
        if getattr(node, "phase", None) is Phase.ADD:
            found.add((str(subject.graph.inputs_of(node.name)[-1]), subject.graph.output_of(node.name)))
    return found


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
            if graph.is_constant(tensor) and _piece(subject, node, str(tensor)) not in graph.notes.pieces:
                raise broken(node, f"the part of {tensor} that it reads is not packed")
    end, before = 0, ""
    for piece, address in sorted(graph.notes.pieces.items(), key=lambda item: item[1]):
        if address < end:
            raise broken(piece.constant, f"packed at dram+{address:#x}, over {before}")
        end, before = address + prod(piece.shape) * graph.types[piece.constant].dtype.itemsize, piece.constant
    if end > graph.notes.constant_bytes:
        raise broken(before, f"it ends at {end}, beyond {graph.notes.constant_bytes} bytes of constants")


def _piece(subject: Subject, node: object, tensor: str) -> Piece | None:
    """The packed piece that a slice or a row gather reads."""
    graph = subject.graph
    if isinstance(node, Slice):
        order = graph.storage[graph.output_of(node.name)].order
        return Piece(tensor, node.start, node.shape, order)
    if isinstance(node, Gather):
        shape = graph.types[tensor].shape
        return Piece(tensor, (0,) * len(shape), shape, tuple(range(len(shape))))
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
    for node in subject.nodes:
        operands = graph.inputs_of(node.name)
        if isinstance(node, Join):
            for slot in range(len(operands)):
                touch(graph.output_of(node.name), subject.issue_position[node.name, slot])
            continue
        for operand in operands:
            if operand is not None:
                touch(operand, subject.issue_position[node.name, None])
    return {name: (min(when), max(when)) for name, when in touched.items()}

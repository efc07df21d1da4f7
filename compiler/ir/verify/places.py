"""Checks of addresses: tiles on chip, packed constants and buffers in DRAM (level `place`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from math import prod

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.annotations import Piece, Place
from nnc.compiler.ir.layers import Fill, Gather, Layer, Slice
from nnc.compiler.ir.regions.boxes import Ints
from nnc.compiler.ir.required import required
from nnc.compiler.ir.runs import unit_of
from nnc.compiler.ir.storage import Storage
from nnc.compiler.ir.verify.columns import Numbers, column, first_and_last
from nnc.compiler.ir.verify.subject import Subject, broken, clashes
from nnc.isa.instruction import Engine


def check_places(subject: Subject) -> None:
    """Every tile has a place of its size where its block lies, inside a memory, from its issue on."""
    tiles, places = subject.numbered, subject.graph.notes.places
    if missing := sorted(subject.tiles.keys() ^ places.keys()):
        what = "the tile has no place" if missing[0] in subject.tiles else "a place for what is no tile"
        raise broken(missing[0], what)
    tile_places = [places[tile] for tile in tiles.names]
    nbytes = column(prod(shape) * dtype.itemsize for dtype, shape in tiles.kinds)[tiles.kind]
    for index in _where(column([place.nbytes for place in tile_places]) != nbytes):
        raise broken(
            tiles.names[index], f"the place has {tile_places[index].nbytes} bytes, the tile {nbytes[index]}"
        )
    memories, base = Numbers[str](), subject.bases
    memory = column([memories[place.memory] for place in tile_places])
    leader = tiles.leader
    for index in _where((base != base[leader]) | (memory != memory[leader])):
        first = leader[index]
        raise broken(
            tiles.names[index],
            f"its block {tiles.blocks[tiles.block[index]]} begins at "
            f"{tile_places[index].memory}+{base[index]}, for "
            f"{tiles.names[first]} at {tile_places[first].memory}+{base[first]}",
        )
    for number, name in enumerate(memories):
        _check_memory(subject, name, base, np.flatnonzero(memory == number))
    _check_lifetimes(subject, tile_places)


def _where(wrong: npt.NDArray[np.bool_]) -> list[int]:
    """The first place at which something is wrong, if there is one."""
    return [int(index) for index in np.flatnonzero(wrong)[:1]]


def _check_memory(subject: Subject, name: str, base: Ints, numbers: Ints) -> None:
    """Tiles `numbers` lie inside the memory, in blocks that begin where one may."""
    if subject.chip is None:
        return
    tiles, memory = subject.numbered, subject.chip.memory.get(name)
    if memory is None:
        raise broken(tiles.names[numbers[0]], f"chip {subject.chip.name} has no memory {name}")
    begin, align = base[numbers], subject.chip.block_align(name)
    end = begin + (tiles.high[numbers] + 1) * tiles.size[numbers]
    for index in _where((begin < 0) | (end > memory.bytes)):
        where = f"bytes {begin[index]} to {end[index]} of {name}, which has {memory.bytes}"
        raise broken(tiles.names[numbers[index]], where)
    for index in _where(begin % align != 0):
        what = f"its block begins at {begin[index]}, which is no multiple of {align}"
        raise broken(tiles.names[numbers[index]], what)


def _check_lifetimes(subject: Subject, places: Sequence[Place]) -> None:
    """Tiles are alive from the issue that writes them to the last that reads them."""
    tiles, touched = subject.numbered, subject.touched
    first, last = (column(of) for of in ([p.first for p in places], [p.last for p in places]))
    for index in _where(first[touched.written] != touched.written_at):
        tile, issue = touched.written[index], touched.written_at[index]
        raise broken(tiles.names[tile], f"alive from step {first[tile]} on, but issued in {issue}")
    for index in _where(last[touched.read] < touched.read_at):
        tile, issue = touched.read[index], touched.read_at[index]
        raise broken(tiles.names[tile], f"alive until step {last[tile]}, but read in {issue}")


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


def check_blocks(subject: Subject) -> None:
    """Blocks of one memory do not overlap where bytes of both are alive.

    Alive is a byte of a block from the first issue that touches it to the last one; what happens to the tiles
    of one block is the matter of `check_contents`.
    """
    tiles, notes = subject.numbered, subject.graph.notes
    first, last = subject.touched.lives(len(tiles.names))
    homes = Numbers[tuple[str, tuple[int | None, ...]]]()
    parts, part = subject.parts
    cores = [where.receivers or (where.core,) for where in parts]
    memory = [notes.places[name].memory for name in tiles.names]
    home = column([homes[name, cores[index]] for name, index in zip(memory, part.tolist(), strict=True)])
    used = np.flatnonzero(first >= 0)
    used = used[np.argsort(tiles.block[used], kind="stable")]
    if not len(used):
        return
    used, copy, first, last = subject.whole_program.lives(used, first[used], last[used])
    block = tiles.block[used] + copy * len(tiles.blocks)
    begins = np.flatnonzero(np.diff(block, prepend=-1))
    base = subject.bases[used]
    high = base + (tiles.high[used] + 1) * tiles.size[used]
    start, end = np.minimum.reduceat(first, begins), np.maximum.reduceat(last, begins)
    low, high = base[begins], np.maximum.reduceat(high, begins)
    number = np.cumsum(np.diff(block, prepend=-1) != 0) - 1
    ends = np.append(begins[1:], len(used))

    @cache
    def pieces(position: int) -> tuple[Ints, Ints, Ints, Ints]:
        rows = slice(begins[position], ends[position])
        return _pieces(subject, used[rows], first[rows], last[rows])

    for (name, _), blocks in _by_core(homes, number, home[used]).items():
        for a, b in zip(*clashes(start[blocks], end[blocks], low[blocks], high[blocks]), strict=True):
            pair = pieces(int(blocks[a])), pieces(int(blocks[b]))
            if not _meet(*pair):
                continue
            earlier, this = (tiles.blocks[tiles.block[used[begins[blocks[index]]]]] for index in (a, b))
            raise broken(this, f"it overlaps {earlier}, which is alive, at {name}+{low[blocks[b]]:#x}")


def _pieces(subject: Subject, numbers: Ints, begun: Ints, done: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Ranges of the bytes of a block that the same tiles touch: first and last issue, low, high.

    Args:
        numbers: the tiles of the block; begun, done: the first and last issue that touches each.
    """
    tiles = subject.numbered
    unit = 1  # transfers touch whole units, beyond the elements of a tile
    if subject.chip is not None:
        unit = subject.chip.block_align(subject.graph.notes.places[tiles.names[numbers[0]]].memory)
    low = (subject.bases[numbers] + tiles.low[numbers] * tiles.size[numbers]) // unit * unit
    high = -(-(subject.bases[numbers] + (tiles.high[numbers] + 1) * tiles.size[numbers]) // unit) * unit
    cuts = np.unique(np.concatenate([low, high]))
    first, last = np.full(len(cuts) - 1, np.iinfo(np.int64).max), np.full(len(cuts) - 1, -1)
    spans = zip(np.searchsorted(cuts, low), np.searchsorted(cuts, high), begun, done, strict=True)
    for a, b, begin, end in spans:
        first[a:b] = np.minimum(first[a:b], begin)
        last[a:b] = np.maximum(last[a:b], end)
    there = last >= 0
    return first[there], last[there], cuts[:-1][there], cuts[1:][there]


def _meet(pieces: tuple[Ints, Ints, Ints, Ints], other_pieces: tuple[Ints, Ints, Ints, Ints]) -> bool:
    """Whether ranges of bytes of two blocks share a byte and an issue."""
    first, last, low, high = (column[:, np.newaxis] for column in pieces)
    begun, done, begin, end = other_pieces
    return bool(np.any((first <= done) & (begun <= last) & (low < end) & (begin < high)))


def _by_core(
    homes: dict[tuple[str, tuple[int | None, ...]], int], block: Ints, home: Ints
) -> dict[tuple[str, int | None], Ints]:
    """The blocks in every memory of every core.

    Args:
        homes: numbers of memories and the cores on which a tile lies there.
        block, home: of every tile, in the order of blocks.
    """
    masks: dict[tuple[str, int | None], npt.NDArray[np.bool_]] = {}
    for (memory, cores), number in homes.items():
        blocks = block[home == number]
        for core in cores:
            masks.setdefault((memory, core), np.zeros(block[-1] + 1, dtype=np.bool_))[blocks] = True
    return {where: np.flatnonzero(there) for where, there in masks.items()}


def check_packing(subject: Subject) -> None:
    """Every piece of a constant that is loaded lies in the region of constants, none over another."""
    graph = subject.graph
    for piece in graph.notes.pieces:
        shape = graph.types[piece.constant].shape if piece.constant in graph.constants else ()
        ends = zip(piece.low, piece.shape, shape, strict=False)
        if len(piece.shape) != len(shape) or any(a < 0 or a + n > e for a, n, e in ends):
            raise broken(piece.constant, f"a packed piece {piece.shape} at {piece.low} of shape {shape}")
    orders = [Storage("", 0, *form).order for form in subject.numbered.forms]
    checked: set[tuple[object, ...]] = set()
    for load, form in zip(subject.loads, subject.numbered.form[subject.loaded].tolist(), strict=True):
        tensor = required(graph.inputs_of(load.name)[0])
        what = tensor, load.start, load.shape, form
        if what in checked or not graph.is_constant(tensor):
            continue
        checked.add(what)
        if Piece(*what[:3], orders[form]) not in graph.notes.pieces:
            raise broken(load, f"the part of {tensor} that it reads is not packed")
    for node in (*subject.computed, *subject.renamed):
        for table in graph.inputs_of(node.name)[:1]:
            if graph.is_constant(table) and _table(subject, node, required(table)) not in graph.notes.pieces:
                raise broken(node, f"the part of {table} that it reads is not packed")
    end, before = 0, ""
    for piece, address in sorted(graph.notes.pieces.items(), key=lambda item: item[1]):
        if address < end:
            raise broken(piece.constant, f"packed at dram+{address:#x}, over {before}")
        end, before = address + piece.elements * graph.types[piece.constant].dtype.itemsize, piece.constant
    if end > graph.notes.constant_bytes:
        raise broken(before, f"it ends at {end}, beyond {graph.notes.constant_bytes} bytes of constants")


def _table(subject: Subject, node: Layer, tensor: str) -> Piece | None:
    """The packed piece that a row gather reads."""
    type_ = subject.graph.types[tensor]
    if not isinstance(node, Gather):
        return None
    return Piece.table(tensor, type_.shape, unit_of(type_.dtype, subject.graph.notes.transfer_unit))


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
    graph, whole = subject.graph, subject.whole_program
    ends = [(-1, name) for name in graph.inputs] + [(whole.count, name) for name in graph.outputs]
    place = np.concatenate([whole.read_at, whole.stored_at])
    number = np.concatenate([whole.read, whole.stored])
    for places in first_and_last(place, number, len(whole.names)):
        ends += [end for end in zip(places.tolist(), whole.names, strict=True) if end[0] >= 0]
    lives: dict[str, tuple[int, int]] = {}
    for when, tensor in ends:
        if tensor in graph.storage and tensor not in subject.tiles:
            buffer = graph.storage[tensor].buffer
            first, last = lives.get(buffer, (when, when))
            lives[buffer] = min(first, when), max(last, when)
    return lives

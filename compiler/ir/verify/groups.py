"""Checks of groups, parts, joins, the order of issue and cores (levels `group` to `map`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.annotations import Issue
from nnc.compiler.ir.layers import Join, Layer, Slice
from nnc.compiler.ir.regions.boxes import Ints
from nnc.compiler.ir.required import required
from nnc.compiler.ir.verify.columns import column
from nnc.compiler.ir.verify.subject import Subject, broken

Vector = tuple[int, ...]


def check_groups(subject: Subject) -> None:
    """Every layer that computes is in exactly one group, and no group needs a later one.

    Then no path leaves a group and comes back: groups are convex.  Views take no time: they only pass on
    which group their operands need.
    """
    graph = subject.graph
    group_of: dict[str, int] = {}
    for position, group in enumerate(graph.notes.groups):
        if group.index != position or group.parts < 1:
            raise broken(graph.name, f"group {position} has the number {group.index} and {group.parts} parts")
        for name in (*group.layers, *group.views):
            if name not in graph:
                raise broken(graph.name, f"group {position} names {name}, which is no layer")
            if graph.layer(name).is_view != (name in group.views):
                raise broken(
                    graph.layer(name), f"group {position} takes views for layers or layers for views"
                )
            if group_of.setdefault(name, position) != position:
                raise broken(graph.layer(name), f"it is in the groups {group_of[name]} and {position}")
    needed: dict[str, int] = {}
    for layer in subject.layers:
        above = max((needed[name] for name in graph.predecessors(layer.name)), default=-1)
        number = group_of.get(layer.name)
        if layer.is_view:
            needed[layer.name] = above
            continue
        if number is None:
            raise broken(layer, "it is in no group")
        if above > number:
            raise broken(layer, f"group {number} needs group {above}, which comes later: it is not convex")
        needed[layer.name] = number
    _check_order_in_groups(subject)


def _check_order_in_groups(subject: Subject) -> None:
    for group in subject.graph.notes.groups:
        positions = {name: number for number, name in enumerate(group.layers)}
        if len(positions) != len(group.layers):
            raise broken(subject.graph.name, f"group {group.index} names a layer twice")
        for name in group.layers:
            for above in subject.graph.predecessors(name):
                if positions.get(above, -1) >= positions[name]:
                    raise broken(subject.graph.layer(name), f"it stands before {above} in its group")


def check_parts(subject: Subject) -> None:
    """Every node that costs something belongs to a part of a group and works on tiles."""
    graph = subject.graph
    for layer in subject.layers:
        where = graph.notes.part_of.get(layer.name)
        if where is None:
            if not layer.is_view or isinstance(layer, Join):
                raise broken(layer, "it belongs to no part")
            continue
        if not 0 <= where.group < len(graph.notes.groups):
            raise broken(layer, f"group {where.group} does not exist")
        if not 0 <= where.part < graph.notes.groups[where.group].parts:
            raise broken(layer, f"group {where.group} has no part {where.part}")
        for slot, tensor in enumerate(graph.inputs_of(layer.name)):
            if tensor is not None and tensor not in subject.tiles and not subject.may_read_dram(layer, slot):
                raise broken(layer, f"operand {tensor} is a tensor in DRAM")
    if missing := graph.notes.part_of.keys() - {layer.name for layer in subject.layers}:
        raise broken(min(missing), "a part names it, but it is no node")


def check_joins(subject: Subject) -> None:
    """The operands of a join, in DRAM or on chip, cover its result exactly once."""
    graph = subject.graph
    for join in (*subject.stored, *(view for view in subject.renamed if isinstance(view, Join))):
        shape = graph.types[graph.output_of(join.name)].shape
        tiles = [graph.types[required(t)].shape for t in graph.inputs_of(join.name)]
        if tiles == [shape] or not shape:
            if len(tiles) != 1 or any(join.origins[0]):
                raise broken(join, f"{len(tiles)} operands for the whole result")
        elif not _is_grid(join.origins, tiles, shape):
            low = np.array(join.origins, dtype=np.int64)
            _check_cover(subject, join, low, low + np.array(tiles, dtype=np.int64), shape)


def _is_grid(origins: Sequence[Vector], extents: Sequence[Vector], shape: Vector) -> bool:
    """Whether cutting every axis of a shape into intervals gives just these boxes: the usual case, fast."""
    cells = 1
    for n, low, extent in zip(shape, zip(*origins, strict=True), zip(*extents, strict=True), strict=True):
        end, intervals = 0, sorted(set(zip(low, extent, strict=True)))
        for first, length in intervals:
            if first != end:
                return False
            end += length
        if end != n:
            return False
        cells *= len(intervals)
    return cells == len(origins) == len(set(origins))


def _check_cover(subject: Subject, join: Join, low: Ints, high: Ints, shape: tuple[int, ...]) -> None:
    """Count, on the grid of all borders, how often each cell is covered: exact whatever the boxes are.

    +1 at the corners where a box begins and −1 where it ends along an axis, summed along every axis, gives
    the number of boxes over each cell.
    """
    if np.any(low < 0) or np.any(high > np.array(shape)):
        outside = int(np.argmax(np.any((low < 0) | (high > np.array(shape)), axis=1)))
        raise broken(join, f"operand {outside} lies outside the result")
    borders = [sorted({0, n, *low[:, a].tolist(), *high[:, a].tolist()}) for a, n in enumerate(shape)]
    begin = np.stack([np.searchsorted(b, low[:, a]) for a, b in enumerate(borders)])
    end = np.stack([np.searchsorted(b, high[:, a]) for a, b in enumerate(borders)])
    count = np.zeros([len(b) for b in borders], dtype=np.int64)
    for corner in np.ndindex(*(2,) * len(shape)):
        place = tuple(end[a] if side else begin[a] for a, side in enumerate(corner))
        np.add.at(count, place, (-1) ** sum(corner))
    for axis in range(len(shape)):
        count = count.cumsum(axis)
    cells = count[tuple(slice(0, -1) for _ in shape)]
    is_leader = subject.graph.notes.part_of[join.name].group in subject.leaders  # copies have other readers
    wrong = (cells > 1) | ((cells == 0) & (is_leader | _needed(subject, join, borders, cells.shape)))
    if np.any(wrong):
        cell = np.unravel_index(int(np.argmax(wrong)), cells.shape)
        first = tuple(borders[a][int(n)] for a, n in enumerate(cell))
        raise broken(join, f"element {first} of the result is written {int(cells[cell])} times")


def _needed(
    subject: Subject, join: Join, borders: Sequence[Sequence[int]], cells: tuple[int, ...]
) -> npt.NDArray[np.bool_]:
    """The cells of a result that somebody reads from DRAM; rows that stay on chip need not be there."""
    graph = subject.graph
    tensor = graph.output_of(join.name)
    read = np.zeros(cells, dtype=np.bool_)
    readers = subject.readers_in_dram.get(tensor, [])
    for reader in readers:
        if tensor not in graph.outputs and _is_idle_view(subject, reader):
            continue
        if not isinstance(reader, Slice) or tensor in graph.outputs:
            return np.ones(cells, dtype=np.bool_)
        box = zip(borders, reader.start, reader.shape, strict=True)
        slices = tuple(
            slice(int(np.searchsorted(b, low, "right")) - 1, int(np.searchsorted(b, low + n)))
            for b, low, n in box
        )
        read[slices] = True
    return read if readers else np.ones(cells, dtype=np.bool_)


def _is_idle_view(subject: Subject, reader: Layer) -> bool:
    """Whether a layer only renames bytes in DRAM, and nobody reads them by that name."""
    graph = subject.graph
    if not reader.is_view or reader.name in graph.notes.part_of:
        return False
    tensor = graph.output_of(reader.name)
    users = subject.readers_in_dram.get(tensor, [])
    return tensor not in graph.outputs and all(_is_idle_view(subject, user) for user in users)


def check_issues(subject: Subject) -> None:
    """Every node that is not free and every operand of a join in DRAM is issued once."""
    graph, order = subject.graph, subject.graph.notes.order
    if not _is_issued_once(subject):
        expected = {Issue(node.name) for node in subject.issued}
        for node in subject.stored:
            expected.update(Issue(node.name, slot) for slot in range(len(graph.inputs_of(node.name))))
        counts = Counter(order)
        if twice := next((issue for issue in order if counts[issue] > 1), None):
            raise broken(twice.node, "it is issued twice")
        first = min(expected ^ counts.keys(), key=str)
        what = "it" if first.slot is None else f"operand {first.slot} of it"
        raise broken(first.node, f"{what} is {'never issued' if first in expected else 'no node to issue'}")


def check_order(subject: Subject) -> None:
    """Everything is issued after what it reads."""
    if late := _late_read(subject):
        place, tensor = late
        layer = subject.graph.layer(subject.graph.notes.order[place].node)
        raise broken(layer, f"it is issued before {tensor}, which it reads, is complete")


def _is_issued_once(subject: Subject) -> bool:
    """Whether the order of issue has every node and every operand to store once, and nothing else."""
    order = subject.order
    slots = column(len(subject.graph.inputs_of(join.name)) for join in subject.stored)
    stores = order.join[order.stores]
    if len(order.tiles) + len(stores) < len(order.node) or (order.slot[order.stores] >= slots[stores]).any():
        return False
    expected = np.zeros(len(subject.tiles), dtype=np.int64)
    expected[subject.loaded] = expected[subject.results] = 1
    stored = (np.cumsum(slots) - slots)[stores] + order.slot[order.stores]
    nodes = np.bincount(order.node[order.tiles], minlength=len(expected))
    return np.array_equal(nodes, expected) and bool((np.bincount(stored, minlength=slots.sum()) == 1).all())


def _late_read(subject: Subject) -> tuple[int, str] | None:
    """The first read, place in the order and tensor, of what is not complete there; None if all are."""
    tiles, touched, whole = subject.numbered, subject.touched, subject.whole_program
    on_chip, in_dram = _complete(subject)
    names = [*whole.names]
    stored = column(in_dram.get(tensor, -1) for tensor in names)
    late = list[tuple[int, str]]()
    for read in np.flatnonzero(stored[whole.read] >= whole.read_at)[:1].tolist():
        late.append((int(whole.reader[read]), names[whole.read[read]]))
    for read in np.flatnonzero(on_chip[touched.read] >= whole.places[touched.read_at])[:1].tolist():
        late.append((int(touched.read_at[read]), tiles.names[touched.read[read]]))
    return min(late, default=None)


def _complete(subject: Subject) -> tuple[Ints, dict[str, int]]:
    """After which issue every tile, and every tensor in DRAM, is complete; −1: it is there from the start.

    A view is complete with the last of its operands, what is stored with the last of its stores.  Issues are
    those of the whole program.
    """
    graph, tiles, whole = subject.graph, subject.numbered, subject.whole_program
    on_chip, in_dram = np.full(len(tiles.names), -1, dtype=np.int64), dict[str, int]()
    on_chip[subject.touched.written] = whole.places[subject.touched.written_at]
    last_stores = whole.last_stores()
    for layer in subject.free:
        operands, result = graph.inputs_of(layer.name), graph.output_of(layer.name)
        if result in last_stores:
            ends = [last_stores[result]]
        elif subject.is_whole(layer):
            ends = [whole.count]  # what is not stored is never there
        else:
            numbers = [(t, tiles.number.get(t)) for t in operands if t is not None]
            ends = [in_dram.get(t, -1) if n is None else int(on_chip[n]) for t, n in numbers]
        if result in tiles.number:
            on_chip[tiles.number[result]] = max(ends, default=-1)
        else:
            in_dram[result] = max(ends, default=-1)
    return on_chip, in_dram


def check_cores(subject: Subject) -> None:
    """Every node has a core of the chip and its group, and reads tiles of its own core only."""
    part_of, names = subject.graph.notes.part_of, subject.numbered.names
    cores = [frozenset(group.cores) for group in subject.graph.notes.groups]
    parts, part = subject.parts
    of_tiles = [subject.tiles[names[number]] for number in np.unique(part, return_index=True)[1].tolist()]
    for layer in (*of_tiles, *subject.stored):  # most share their part
        where = part_of[layer.name]
        if where.core is None or where.core < 0:
            raise broken(layer, "it has no core")
        if subject.chip is not None and where.core >= subject.chip.cores:
            raise broken(layer, f"core {where.core}: chip {subject.chip.name} has {subject.chip.cores}")
        if where.receivers and subject.chip is not None and not subject.chip.dma.broadcast:
            raise broken(layer, f"chip {subject.chip.name} has no broadcast")
        if where.core not in cores[where.group]:
            raise broken(layer, f"core {where.core} does not work on group {where.group}")
    reader, source = subject.operands.all_of(np.arange(len(names)))  # a store belongs to the core of its tile
    reader, source = reader[source >= 0], source[source >= 0]
    core = column(required(where.core) for where in parts)
    has_receivers = np.array([bool(where.receivers) for where in parts], dtype=np.bool_)
    for pair in np.flatnonzero(
        (core[part[reader]] != core[part[source]]) | has_receivers[part[source]]
    ).tolist():
        here, there = parts[part[reader[pair]]].core, parts[part[source[pair]]]
        if here not in (there.receivers or (there.core,)):
            tensor = names[source[pair]]
            what = f"it works on core {here} and reads {tensor} of core {there.core}"
            raise broken(subject.tiles[names[reader[pair]]], what)

"""Programs broken on purpose: one instruction or wait of a sound program changed, all else in place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

import networkx as nx

from nnc.isa.instruction import Engine, operand_specs
from nnc.isa.operand import DRAM, Operand
from nnc.isa.program import Issued, Program, Wait
from nnc.isa.timing.streams import places_of


def replaced(program: Program, index: int, item: Issued) -> Program:
    """The program with another instruction at `index`."""
    items = list(program.issued)
    items[index] = item
    return replace(program, issued=tuple(items))


def with_waits(program: Program, index: int, waits: tuple[Wait, ...]) -> Program:
    """The program with other waits of one instruction."""
    return replaced(program, index, replace(program.issued[index], waits=waits))


def dropped(program: Program, index: int) -> Program:
    """The program without one instruction; waits for it become waits for the one before it."""
    places = places_of(program)
    stream, position = places.places[index]
    core, engine = places.keys[stream]

    def renumbered(wait: Wait) -> Wait | None:
        if (wait.core, wait.engine) != (core, engine) or wait.index < position:
            return wait
        return replace(wait, index=wait.index - 1) if wait.index else None

    items = [
        replace(item, waits=tuple(w for w in map(renumbered, item.waits) if w is not None))
        for number, item in enumerate(program.issued)
        if number != index
    ]
    return replace(program, issued=tuple(items))


def neighbours(program: Program) -> Iterator[tuple[int, int]]:
    """Indices of every two instructions that follow each other on an engine."""
    for members in places_of(program).members:
        yield from pairwise(members)


def swapped(program: Program, first: int, second: int) -> Program:
    """The program with two instructions of one engine in each other's place, each with its own waits."""
    items = list(program.issued)
    items[first], items[second] = items[second], items[first]
    return replace(program, issued=tuple(items))


def conflict(program: Program, first: int, second: int) -> bool:
    """Whether two instructions share a byte that one of them writes."""
    a, b = program.issued[first], program.issued[second]
    return any(
        _memory_of(x, a.core) == _memory_of(y, b.core) and x.overlaps(y)
        for x, mine, _ in a.instruction.accesses()
        for y, theirs, _ in b.instruction.accesses()
        if mine.writes or theirs.writes
    )


def operand_fields(item: Issued) -> Iterator[tuple[str, Operand]]:
    """Name and value of every single operand of an instruction that is present."""
    for name in operand_specs(type(item.instruction)):
        value = getattr(item.instruction, name)
        if isinstance(value, Operand):
            yield name, value


def with_operand(program: Program, index: int, name: str, operand: Operand) -> Program:
    """The program with another operand of one instruction."""
    item = program.issued[index]
    changed = replace(item.instruction, **{name: operand})
    return replaced(program, index, replace(item, instruction=changed))


def of_engine(program: Program, engine: Engine) -> list[int]:
    """Indices of the instructions of one kind of engine."""
    return [i for i, item in enumerate(program.issued) if item.instruction.engine is engine]


def ordered_before(program: Program) -> Callable[[int, int], bool]:
    """Happens-before as reachability over events: has instruction a completed when b issues?

    Written apart from the verifier's vector clocks.  An engine issues in order and completes in order.
    """
    places = places_of(program)
    numbers = {key: number for number, key in enumerate(places.keys)}
    graph = nx.DiGraph()
    for index, item in enumerate(program.issued):
        graph.add_edge(("issue", index), ("done", index))
        for wait in item.waits:
            awaited = places.members[numbers[wait.core, wait.engine]][wait.index]
            graph.add_edge(("done", awaited), ("issue", index))
    for a, b in neighbours(program):
        graph.add_edge(("issue", a), ("issue", b))
        graph.add_edge(("done", a), ("done", b))

    def before(a: int, b: int) -> bool:
        return bool(nx.has_path(graph, ("done", a), ("issue", b)))

    return before


def _memory_of(operand: Operand, core: int) -> tuple[str, int]:
    """Key of the physical memory that an operand of an instruction of `core` names (DRAM is shared)."""
    return (operand.memory, -1 if operand.memory == DRAM else core)

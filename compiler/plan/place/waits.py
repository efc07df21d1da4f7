"""What every step waits for: hazards between the bytes that steps touch, on chip and in DRAM.

in:   the steps of all cores in the order of issue, and their operands
out:  the same steps, each with its waits (`IssuedStep`)

    load x.0 -> sram+0        waits for nothing
    compute y.0 = f(x.0)      waits for the load
    load x.2 -> sram+0        waits for the computation, which reads the bytes that it overwrites

The order of issue is cut into segments; waits of those that are alike and come after the same are found once:

    group       0           1           2                  a segment begins with the first computation of a
    issue       L L C L S C | L C S C L | L C S C L S      group: loads of the next one come before it, and
    segment     0           | 1         | 2                stores of the one before behind it

Layers that differ in names alone (blocks of a transformer) are issued alike, mostly at the same addresses.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, pairwise
from operator import sub

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.regions.boxes import Ints
from nnc.compiler.plan.place.issue_order import Issue
from nnc.compiler.plan.place.live_ranges import Touches
from nnc.compiler.plan.place.lockstep import flattened, offsets_of_all, with_own_blocks
from nnc.compiler.plan.place.transfers import Operands
from nnc.compiler.plan.plan import GroupPlan
from nnc.compiler.plan.step import ENGINE_OF, Compute, Fill, IssuedStep, Load, LoadRows, Step, Store, View
from nnc.compiler.plan.steps.template import Template
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.instruction import ENGINES, Engine
from nnc.isa.operand import DRAM
from nnc.isa.program import Wait
from nnc.isa.timing.hazards import ByteAccess, State, Synchroniser


@dataclass(frozen=True)
class IssuedSteps:
    """The steps of all cores in the order of issue.

    Attributes:
        groups: with the steps of all cores.
        order: the steps; group: by step, the number of its group.
        kinds: numbers of the steps, equal for those that differ in names and places alone.
        begins: of each leader, where it and the same steps of other cores begin in the order.
        offsets: where the blocks of all cores begin in their memories, by name.
    """

    groups: list[GroupPlan]
    order: list[Step]
    group: Ints
    kinds: Ints
    begins: list[int]
    offsets: Mapping[str, int]


def issued_steps(leaders: Sequence[GroupPlan], issue: Issue) -> IssuedSteps:
    """Let all cores do what their leaders do.

    Args:
        leaders: groups with the steps of leaders.
    """
    is_shared = any(step.core or step.others for step in issue.touches.order)
    steps = [
        tuple(with_own_blocks(flattened(group.steps))) if is_shared else group.steps for group in leaders
    ]
    first: dict[Template, int] = {}
    kinds: list[Ints] = []
    ends = accumulate(map(len, steps))
    for group, own, end in zip(leaders, steps, ends, strict=True):
        begin = end - len(own)
        if group.template:
            begin = first.setdefault(group.template, begin)
        kinds.append(np.arange(begin, begin + len(own)))
    all_steps, leading = [*chain(*steps)], issue.touches.order
    counts = np.array([1 + len(step.others) for step in leading], dtype=np.int64)
    begins, numbers = _begins(counts), _numbers_of_all(counts, issue.touches.demanded)
    order = [all_steps[number] for number in numbers.tolist()] if is_shared else [*leading]
    return IssuedSteps(
        [replace(group, steps=own) for group, own in zip(leaders, steps, strict=True)],
        order,
        np.repeat(issue.touches.group, counts),
        np.concatenate(kinds)[numbers],
        [*begins.tolist(), len(order)],
        offsets_of_all(leading, order, issue.offsets) if is_shared else issue.offsets,
    )


def _begins(counts: Ints) -> Ints:
    """Where each of several runs of so many begins, one behind the other."""
    return np.asarray(counts.cumsum() - counts)


def _numbers_of_all(counts: Ints, demanded: Ints) -> Ints:
    """Places in the order of demand of the steps of all cores, in the order of issue.

    Args:
        counts: of steps that hang together, by leader in the order of issue.
        demanded: places of leaders in the order of demand.
    """
    in_demand = np.zeros_like(counts)
    in_demand[demanded] = counts
    behind_leaders = np.arange(counts.sum()) - np.repeat(_begins(counts), counts)
    return np.asarray(np.repeat(_begins(in_demand)[demanded], counts) + behind_leaders)


@dataclass(frozen=True)
class Segment:
    """Steps of all cores from one place in the order of issue to another; the key says what they are."""

    begin: int
    end: int
    key: Hashable


def segments(
    graph: Graph, issue: Issue, issued: IssuedSteps, buffers: Mapping[str, int]
) -> Iterator[Segment]:
    """The segments of the order of issue.

    Args:
        buffers: addresses in DRAM.
    """
    touches, begins = issue.touches, issued.begins
    places = np.argsort(touches.place, kind="stable")
    rows = np.searchsorted(touches.place[places], np.arange(len(touches.order) + 1))
    offsets = np.array([issue.offsets[block.name] for block in touches.blocks], dtype=np.int64)
    lies, kinds = offsets[touches.block[places]], issued.kinds[begins[:-1]]
    moved = _addresses_in_dram(graph, touches.order, buffers)
    comes_again = np.bincount(kinds)[kinds] > 1
    for low, high in pairwise([*_cuts(touches, comes_again), len(touches.order)]):
        columns = kinds[low:high], moved[low:high], lies[rows[low] : rows[high]]
        yield Segment(begins[low], begins[high], tuple([of.tobytes() for of in columns]))


def _cuts(touches: Touches, comes_again: npt.NDArray[np.bool_]) -> list[int]:
    """Where segments begin: with first computations of groups, if those may be alike that end or begin."""
    cuts, latest = [0], -1
    for place, (step, group) in enumerate(zip(touches.order, touches.group.tolist(), strict=True)):
        if group > latest and isinstance(step, Compute):
            latest, begin = group, cuts[-1]
            if place - begin >= TUNING.place.min_segment_steps and (comes_again[place] or comes_again[begin]):
                cuts.append(place)
    return cuts


def _addresses_in_dram(graph: Graph, order: Sequence[Step], buffers: Mapping[str, int]) -> Ints:
    """By step, where the buffer begins that it loads from or stores to; -1: none, or it is a constant."""
    tensor_addresses = {name: buffers.get(storage.buffer, -1) for name, storage in graph.storage.items()}
    addresses = np.full(len(order), -1, dtype=np.int64)
    for place, step in enumerate(order):
        if isinstance(step, Load | Store):
            addresses[place] = tensor_addresses.get(step.tile.tensor, -1)
        elif isinstance(step, LoadRows):
            addresses[place] = tensor_addresses.get(step.table, -1)
    return addresses


_DRAM = (DRAM, -1)


Waits = tuple[tuple[int, int], ...]
"""What a step waits for: instructions 0 … position of a stream, see `streams_of`."""


def streams_of(chip: Chip) -> list[tuple[int, Engine]]:
    """Core and engine of every stream, by number."""
    return [(core, engine) for core in range(chip.cores) for engine in ENGINES]


def waits_of(
    chip: Chip,
    constant_bytes: int,
    order: Sequence[Step],
    operands: Callable[[int], Operands],
    segments: Iterable[Segment],
) -> list[Waits]:
    """What the steps wait for; waits that others or the order of an engine imply are left out.

    What a segment waits for is found once for all that are alike and come after the same.

    Args:
        constant_bytes: DRAM below this address is never written.
        order: the steps of all groups and cores in the order of issue.
        operands: of the step at a place, see `operands_of`.
        segments: of the order.
    """
    streams = streams_of(chip)
    index = {key: number for number, key in enumerate(streams)}
    synchroniser = Synchroniser(streams, constant_bytes)
    cached: dict[Hashable, tuple[_Since, list[int], State]] = {}
    state, waits = synchroniser.state(), list[Waits]()
    for segment in segments:
        key, counts = (segment.key, state), synchroniser.counts
        if key in cached:
            again, issued, state = cached[key]
            synchroniser.skip(issued, state)
            waits += again.waits(counts)
            continue
        begin = len(waits)
        for place in range(segment.begin, segment.end):
            step = order[place]
            if isinstance(step, View):
                waits.append(())
                continue
            stream = index[step.core, ENGINE_OF[type(step)]]
            waits.append(tuple(synchroniser.issue(stream, step_accesses(step, operands(place)))))
        state = synchroniser.state()
        cached[key] = _Since.of(waits[begin:], counts), [*map(sub, synchroniser.counts, counts)], state
    return waits


@dataclass(frozen=True, slots=True)
class _Since:
    """Waits of steps as columns: streams, and positions counted from a place in the order of issue.

    Attributes:
        ends: how many waits there are up to each step, from 0 on.
    """

    streams: Ints
    positions: Ints
    ends: list[int]

    @staticmethod
    def of(waits: Sequence[Waits], counts: Sequence[int]) -> _Since:
        """Waits of steps; counts: instructions of each stream before them."""
        streams, positions = np.array([*chain(*waits)], dtype=np.int64).reshape(-1, 2).T
        ends = [*accumulate(map(len, waits), initial=0)]
        return _Since(streams, positions - np.array(counts)[streams], ends)

    def waits(self, counts: Sequence[int]) -> Iterator[Waits]:
        """Those of the same steps elsewhere."""
        positions = self.positions + np.array(counts)[self.streams]
        waits = [*zip(self.streams.tolist(), positions.tolist(), strict=True)]
        return (tuple(waits[begin:end]) for begin, end in pairwise(self.ends))


def with_waits(chip: Chip, issued: IssuedSteps, waits: Sequence[Waits]) -> list[IssuedStep]:
    """The steps with what they wait for."""
    streams = streams_of(chip)
    return [
        IssuedStep(group, step, tuple([Wait(*streams[stream], position) for stream, position in step_waits]))
        for group, step, step_waits in zip(issued.group.tolist(), issued.order, waits, strict=True)
    ]


def step_accesses(step: Step, operands: Operands) -> list[ByteAccess]:
    """The bytes that a step touches."""
    core = step.core
    match step:
        case Load():
            there, here = operands
            written = [((here.memory, receiver), here, True, False) for receiver in step.receivers or (core,)]
            return [(_DRAM, there, False, False), *written]
        case LoadRows():
            there, listed, here = operands
            index = (listed.memory, core), listed, False, True
            return [(_DRAM, there, False, False), index, ((here.memory, core), here, True, False)]
        case Fill() | Compute():
            *sources, out = operands
            read = [((source.memory, core), source, False, False) for source in sources]
            return [*read, ((out.memory, core), out, True, False)]
        case Store():
            there, here = operands
            return [((here.memory, core), here, False, False), (_DRAM, there, True, False)]
        case View():
            return []

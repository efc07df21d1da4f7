"""Groups that differ from an earlier one in names alone: the plan without their steps, and how they differ.

before:  group 0: load x.0, compute y.0, store y.0      group 1: load y.0', compute z.0, store z.0
after:   group 0: load x.0, compute y.0, store y.0      group 1: as group 0, with y for x and z for y

The graph of such a plan has the layers of group 1 whole.  Group 1 must lie on chip where group 0 does, and be
issued in the same order: then each of its instructions is one of group 0 that moves other tensors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from nnc.compiler.ir.annotations import GroupCopy
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.plan.plan import GroupPlan, Plan
from nnc.compiler.plan.step import IssuedStep, Step, View
from nnc.compiler.tuning import TUNING


@dataclass(frozen=True, slots=True)
class Copies:
    """The copies of groups of a plan.

    Attributes:
        plan: without the steps of the copies.
        groups: the copies; issued_at: of every instruction that is left, its place in the whole program.
    """

    plan: Plan
    groups: tuple[GroupCopy, ...] = ()
    issued_at: tuple[int, ...] = ()

    def noted(self, graph: Graph) -> Graph:
        """The placed graph of the plan, which has the copies from now on."""
        graph.annotate(replace(graph.notes, copies=self.groups, issued_at=self.issued_at))
        return graph


def without_copies(plan: Plan) -> Copies:
    """A plan without the groups that differ from an earlier one in names alone."""
    issued = _issued_by_group(plan)
    counts = Counter(planned.template for planned in plan.groups if planned.template)
    blocks: dict[Hashable, _Blocks] = {}
    leaders: dict[Hashable, list[_Leader]] = {}
    copies: dict[int, GroupCopy] = {}
    for planned, (places, instructions) in zip(plan.groups, issued, strict=True):
        template = planned.template
        if template is None or counts[template] < 2:
            continue
        if template not in blocks:
            blocks[template] = _Blocks(planned.steps)
        places_on_chip = blocks[template].addresses(planned.steps, plan.offsets)
        candidates = leaders.setdefault((template, places_on_chip), [])
        leader = next(
            (candidate for candidate in candidates if candidate.is_issued_as(planned.steps, instructions)),
            None,
        )
        if leader is None:
            if len(candidates) < TUNING.place.max_issue_orders:
                candidates.append(_Leader(planned, _numbers(planned.steps, instructions)))
            continue
        index, waits = planned.group.index, [step.waits for step in instructions]
        leading, copied = required(leader.planned.binding), required(planned.binding)
        tensors = dict(zip(leading.tensors, copied.tensors, strict=True))
        nodes = {a.node: b.node for a, b in zip(leading.locs, copied.locs, strict=True)}
        copies[index] = GroupCopy(index, leader.planned.group.index, tensors, nodes, places, waits)
    kept = [places for number, (places, _) in enumerate(issued) if number not in copies]
    issued_at = tuple(sorted(place for places in kept for place in places)) if copies else ()
    return Copies(_restricted(plan, copies.keys()) if copies else plan, tuple(copies.values()), issued_at)


def _issued_by_group(plan: Plan) -> list[tuple[list[int], list[IssuedStep]]]:
    """The instructions of every group, and their places in the order of issue."""
    groups: list[tuple[list[int], list[IssuedStep]]] = [([], []) for _ in plan.groups]
    instructions = (issued for issued in plan.order if not isinstance(issued.step, View))
    for place, issued in enumerate(instructions):
        places, issued_steps = groups[issued.group]
        places.append(place)
        issued_steps.append(issued)
    return groups


def _numbers(steps: Sequence[Step], instructions: Iterable[IssuedStep]) -> list[int]:
    """The places of instructions among the steps of their group."""
    number = {id(step): place for place, step in enumerate(steps)}
    return [number[id(issued.step)] for issued in instructions]


@dataclass(frozen=True, slots=True)
class _Leader:
    """A group that others may be copies of, and the places among its steps of what is issued, in turn."""

    planned: GroupPlan
    order: Sequence[int]

    def is_issued_as(self, steps: Sequence[Step], instructions: Sequence[IssuedStep]) -> bool:
        """Whether other steps are issued in the same order."""
        if len(instructions) != len(self.order):
            return False
        return all(
            steps[place] is issued.step for place, issued in zip(self.order, instructions, strict=True)
        )


class _Blocks:
    """Where the steps of a group, and of all that are like it, first touch their blocks."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._first: dict[str, tuple[int, int]] = {}
        for place, step in enumerate(steps):
            for slot, tile in enumerate(step.tiles):
                if tile is not None:
                    self._first.setdefault(tile.block.name, (place, slot))

    def addresses(self, steps: Sequence[Step], offsets: Mapping[str, int]) -> tuple[int, ...]:
        """Where the blocks of a group lie on chip."""
        return tuple(
            [offsets[required(steps[place].tiles[slot]).block.name] for place, slot in self._first.values()]
        )


def _restricted(plan: Plan, left_out: Iterable[int]) -> Plan:
    """The plan without the steps of some groups."""
    gone = frozenset(left_out)
    groups = [
        replace(planned, steps=()) if planned.group.index in gone else planned for planned in plan.groups
    ]
    is_kept = [issued.group not in gone for issued in plan.order]
    order = tuple([issued for issued, kept in zip(plan.order, is_kept, strict=True) if kept])
    return replace(plan, groups=tuple(groups), order=order)

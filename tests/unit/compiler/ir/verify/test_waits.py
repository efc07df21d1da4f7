"""Waits are part of a placed graph: every instruction has its entry, for instructions that come before it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from pass_harness import graph_of

from nnc.compiler.ir.annotations import Issue
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.verify.levels import verify_graph
from nnc.compiler.pipeline import stage_graph
from nnc.isa.chip.load import load_chip
from nnc.isa.errors import InternalError
from nnc.isa.instruction import Engine
from nnc.isa.program import Wait

Waits = dict[Issue, tuple[Wait, ...]]


def placed() -> Graph:
    """x is loaded, y computed and stored: three instructions, of which two wait for the one before."""
    return stage_graph(graph_of("(float[4] x) => (float[4] y) { y = Abs (x) }"), load_chip("npu"), "place")


def test_every_instruction_has_its_waits() -> None:
    notes = placed().notes
    assert [notes.waits[issue] for issue in notes.order] == [
        (),
        (Wait(0, Engine.READ, 0),),
        (Wait(0, Engine.COMPUTE, 0),),
    ]


def forget_the_first(waits: Waits) -> Waits:
    return dict(list(waits.items())[1:])


def wait_for_what_is_not_issued(waits: Waits) -> Waits:
    return {**waits, Issue("nowhere"): ()}


def wait_for_itself(waits: Waits) -> Waits:
    first, *_ = waits
    return {**waits, first: (Wait(0, Engine.READ, 0),)}


def wait_for_a_core_that_is_not_there(waits: Waits) -> Waits:
    *_, last = waits
    return {**waits, last: (Wait(7, Engine.READ, 0),)}


@pytest.mark.parametrize(
    "damage, message",
    [
        (forget_the_first, "it has no waits"),
        (wait_for_what_is_not_issued, "nowhere.*waits for what is not issued"),
        (wait_for_itself, "it waits for read 0 of core 0, which is not issued before it"),
        (wait_for_a_core_that_is_not_there, "it waits for read 0 of core 7"),
    ],
)
def test_wrong_waits_are_named(damage: Callable[[Waits], Waits], message: str) -> None:
    graph = placed()
    verify_graph(graph)
    broken = graph.with_notes(replace(graph.notes, waits=damage(dict(graph.notes.waits))))
    with pytest.raises(InternalError, match=message):
        verify_graph(broken)

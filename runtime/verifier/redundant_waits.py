"""Waits that a program could do without: what they say follows from its other waits and in-order engines."""

from __future__ import annotations

import numpy as np

from nnc.isa.program import Program
from nnc.isa.timing.streams import places_of
from nnc.runtime.verifier.finding import Report
from nnc.runtime.verifier.happens_before import order_of


def redundant_waits(program: Program) -> list[tuple[int, int]]:
    """Redundant waits as (instruction, place among its waits).

    The wait of an instruction is redundant if what the engine knew before, and the other waits of the
    instruction, already order it after the awaited instruction.

    Raises:
        ValueError: the program deadlocks or waits for what does not exist (`verify` says where).
    """
    report = Report(program, places_of(program))
    order = order_of(report)
    if order is None or report.findings:
        raise ValueError("the waits of the program are not sound")
    places, redundant = report.places, []
    numbers = {key: number for number, key in enumerate(places.keys)}
    for index, item in enumerate(program.issued):
        stream, position = places.places[index]
        own_clock = np.zeros(len(places.keys), dtype=np.int32)
        if position:
            own_clock = order.clock[places.members[stream][position - 1]]
        waited = [(numbers[wait.core, wait.engine], wait.index) for wait in item.waits]
        clocks = [order.clock[places.members[peer][awaited]] for peer, awaited in waited]
        for number, (peer, awaited) in enumerate(waited):
            others = [clock[peer] for place, clock in enumerate(clocks) if place != number]
            same = [last + 1 for place, (s, last) in enumerate(waited) if place != number and s == peer]
            if max([own_clock[peer], *others, *same]) > awaited:
                redundant.append((index, number))
    return redundant

"""Verifier, part 2: which instruction is ordered after which, from waits and in-order engines alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nnc.isa.timing.streams import Places, label
from nnc.runtime.verifier.finding import Report, Rule


@dataclass(frozen=True)
class Order:
    """Happens-before of a program that does not deadlock.

    `sequence` lists all instructions so that each follows those it is ordered after.  `clock[i, s]` is the
    number of instructions of stream s that have completed when instruction i issues, whatever the timing.
    When it is served, all earlier instructions of its own stream have completed too.
    """

    sequence: list[int]
    clock: npt.NDArray[np.int32]


def order_of(report: Report) -> Order | None:
    """Check the waits and derive the order; None if the program deadlocks (reported)."""
    program, places = report.program, report.places
    waits = _valid_waits(report)
    sequence: list[int] = []
    clock = np.zeros((len(program.issued), len(places.keys)), dtype=np.int32)
    issued = [0] * len(places.keys)
    progress = True
    while progress:
        progress = False
        for stream, members in enumerate(places.members):
            while issued[stream] < len(members):
                index = members[issued[stream]]
                if any(issued[peer] <= position for peer, position in waits[index]):
                    break
                _join(clock, places, index, waits[index])
                sequence.append(index)
                issued[stream] += 1
                progress = True
    if len(sequence) == len(program.issued):
        return Order(sequence, clock)
    for stream, members in enumerate(places.members):
        if issued[stream] < len(members):
            index = members[issued[stream]]
            stuck = [label(*places.keys[o], p) for o, p in waits[index] if issued[o] <= p]
            report.add(Rule.DEADLOCK, index, f"waits for {', '.join(stuck)}, which cannot complete before it")
    return None


def _valid_waits(report: Report) -> list[list[tuple[int, int]]]:
    """Per instruction its waits as (stream, position); those that name nothing are reported."""
    numbers = {key: number for number, key in enumerate(report.places.keys)}
    valid_waits = []
    for index, item in enumerate(report.program.issued):
        waits = []
        for wait in item.waits:
            stream = numbers.get((wait.core, wait.engine))
            count = 0 if stream is None else len(report.places.members[stream])
            if stream is None or not 0 <= wait.index < count:
                name = label(wait.core, wait.engine, wait.index)
                report.add(Rule.WAIT, index, f"@{name} names no instruction; that engine has {count}")
            else:
                waits.append((stream, wait.index))
        valid_waits.append(waits)
    return valid_waits


def _join(clock: npt.NDArray[np.int32], places: Places, index: int, waits: list[tuple[int, int]]) -> None:
    """An instruction issues after its predecessor issued and after all that it waits for completed."""
    stream, position = places.places[index]
    row = clock[index]
    if position:
        row[:] = clock[places.members[stream][position - 1]]
    for peer, waited in waits:
        np.maximum(row, clock[places.members[peer][waited]], out=row)
        row[peer] = max(row[peer], waited + 1)

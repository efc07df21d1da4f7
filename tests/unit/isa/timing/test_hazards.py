"""Waits: what follows alike states is alike, and may be skipped."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from nnc.isa.instruction import ENGINES
from nnc.isa.operand import DRAM, Operand
from nnc.isa.timing.hazards import ByteAccess, State, Synchroniser
from nnc.isa.types import DType

CORES = 2
STREAMS = [(core, engine) for core in range(CORES) for engine in ENGINES]
Waits = list[list[tuple[int, int]]]


class Touch(NamedTuple):
    """Bytes that an instruction reads or writes: every `stride`-th of some elements."""

    memory: tuple[str, int]
    address: int
    elements: int
    stride: int
    writes: bool
    at_issue: bool

    @property
    def access(self) -> ByteAccess:
        block = Operand(self.memory[0], self.address, DType.I8, (self.elements,), (self.stride,))
        return self.memory, block, self.writes, self.at_issue


touches = st.builds(
    Touch,
    st.sampled_from([("sram", 0), ("sram", 1), (DRAM, -1)]),
    st.integers(0, 12),
    st.integers(1, 6),
    st.integers(1, 3),
    st.booleans(),
    st.booleans(),
)
instructions = st.lists(
    st.tuples(st.integers(0, len(STREAMS) - 1), st.lists(touches, min_size=1, max_size=3)),
    min_size=1,
    max_size=25,
)


def issued(synchroniser: Synchroniser, run: list[tuple[int, list[Touch]]]) -> Waits:
    return [synchroniser.issue(stream, [touch.access for touch in mine]) for stream, mine in run]


@given(instructions, instructions, st.integers(2, 8))
def test_what_follows_an_equal_state_waits_alike(
    before: list[tuple[int, list[Touch]]], again: list[tuple[int, list[Touch]]], times: int
) -> None:
    plain, quick = Synchroniser(STREAMS), Synchroniser(STREAMS)
    assert issued(plain, before) == issued(quick, before)
    known: dict[State, tuple[Waits, list[int], State]] = {}
    for _ in range(times):
        expected, state, counts = issued(plain, again), quick.state(), quick.counts
        if state in known:
            since, more, after = known[state]
            quick.skip(more, after)
            found = [[(stream, at + counts[stream]) for stream, at in waits] for waits in since]
            assert found == expected
        else:
            assert issued(quick, again) == expected
            since = [[(stream, at - counts[stream]) for stream, at in waits] for waits in expected]
            more = [b - a for a, b in zip(counts, quick.counts, strict=True)]
            known[state] = since, more, quick.state()
    assert quick.counts == plain.counts
    assert quick.state() == plain.state()
    assert issued(quick, before) == issued(plain, before)


def test_states_come_again() -> None:
    """Two buffers in turn: the second round begins as the third does."""
    read, compute = (STREAMS.index((0, engine)) for engine in ENGINES[:2])
    here = [Touch(("sram", 0), address, 4, 1, writes=True, at_issue=False) for address in (0, 8)]
    round_ = [
        (stream, [touch._replace(writes=stream == read)]) for touch in here for stream in (read, compute)
    ]
    synchroniser, states = Synchroniser(STREAMS), list[State]()
    for _ in range(3):
        issued(synchroniser, round_)
        states.append(synchroniser.state())
    assert states[1] == states[2]

"""Waits: what touches the same bytes is in order; what follows alike states is alike, and may be skipped."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from nnc.isa.instruction import ENGINES, Engine
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
    def end(self) -> int:
        """The byte behind the last."""
        return self.address + self.elements * self.stride

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
    memo: dict[State, tuple[Waits, list[int], State]] = {}
    for _ in range(times):
        expected, state, counts = issued(plain, again), quick.state(), quick.counts
        if state in memo:
            since, more, after = memo[state]
            quick.skip(more, after)
            renumbered = [
                [(stream, position + counts[stream]) for stream, position in waits] for waits in since
            ]
            assert renumbered == expected
        else:
            assert issued(quick, again) == expected
            since = [
                [(stream, position - counts[stream]) for stream, position in waits] for waits in expected
            ]
            more = [b - a for a, b in zip(counts, quick.counts, strict=True)]
            memo[state] = since, more, quick.state()
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


def conflicts(first: list[Touch], second: list[Touch], *, own_engine: bool) -> bool:
    """Whether two instructions touch the same bytes, one of them to write.

    Args:
        own_engine: both are of one engine, which keeps their order but for what is read at issue.
    """
    pairs = [(a, b) for a in first for b in second if a.memory == b.memory and (a.writes or b.writes)]
    bytes_of = [
        ({*range(a.address, a.end, a.stride)}, {*range(b.address, b.end, b.stride)}) for a, b in pairs
    ]
    return any(
        not mine.isdisjoint(theirs)
        for (mine, theirs), (_, later) in zip(bytes_of, pairs, strict=True)
        if later.at_issue or not own_engine
    )


@given(instructions)
def test_what_touches_the_same_bytes_is_in_order(run: list[tuple[int, list[Touch]]]) -> None:
    synchroniser = Synchroniser(STREAMS)
    streams: list[list[int]] = [[] for _ in STREAMS]
    before: list[set[int]] = []  # by instruction, all that have completed when it starts
    for number, (stream, touched) in enumerate(run):
        waits = synchroniser.issue(stream, [touch.access for touch in touched])
        awaited = [streams[of][: position + 1] for of, position in waits]
        done = {n for each in awaited for n in each}
        is_in_order = STREAMS[stream][1] is Engine.COMPUTE
        done |= {*streams[stream]} if is_in_order else set().union(*(before[n] for n in streams[stream]))
        done |= set[int]().union(*(before[n] for n in done))
        for earlier, (of, earlier_touches) in enumerate(run[:number]):
            if conflicts(earlier_touches, touched, own_engine=of == stream):
                assert earlier in done
        for each in awaited:  # the last of what is awaited is the reason of the wait
            of, earlier_touches = run[each[-1]]
            assert conflicts(earlier_touches, touched, own_engine=of == stream)
            others = [n for more in awaited if more is not each for n in more]
            assert not any(each[-1] in before[n] for n in others)
        streams[stream].append(number)
        before.append(done)

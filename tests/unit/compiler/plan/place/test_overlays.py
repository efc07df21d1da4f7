"""Divided extents: bytes that are alive together never overlap; what follows what is used up shares bytes."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from nnc.compiler.plan.place.allocate import allocate, live_bound, overlaid
from nnc.compiler.plan.place.live_ranges import Extent

ALIGN = 16
ROW = 64


def divided(name: str, lives: list[tuple[int, int]], row: int = ROW, *, by_piece: bool = False) -> Extent:
    """An extent of rows that live from one step to another each."""
    pieces = tuple((at * row, (at + 1) * row, first, last) for at, (first, last) in enumerate(lives))
    first, last = min(first for first, _ in lives), max(last for _, last in lives)
    return Extent(name, row * len(lives), first, last, pieces, by_piece)


@st.composite
def extents(draw: st.DrawFn) -> list[Extent]:
    """Blocks over some twenty steps, about every other one in rows that live in turn or anyhow."""
    found = []
    for number in range(draw(st.integers(1, 9))):
        first = draw(st.integers(0, 12))
        if draw(st.booleans()):
            found.append(Extent(f"b{number}", draw(st.integers(1, 300)), first, draw(st.integers(first, 19))))
            continue
        rows, step, length = draw(st.integers(2, 6)), draw(st.integers(-1, 1)), draw(st.integers(0, 6))
        begun = [max(0, first + step * at) for at in range(rows)]
        ends = [begin + length + draw(st.integers(0, 2)) for begin in begun]
        lives, row = list(zip(begun, ends, strict=True)), ALIGN * draw(st.integers(1, 6))
        found.append(divided(f"b{number}", lives, row, by_piece=draw(st.booleans())))
    return found


def overlap(one: Extent, at: int, other: Extent, there: int) -> bool:
    """Whether bytes of two extents are alive in one place at one step."""
    return any(
        first <= end and begin <= last and at + low < there + above and there + below < at + high
        for low, high, first, last in one.spans
        for below, above, begin, end in other.spans
    )


@given(extents(), st.sampled_from([0, 200, 500]))
def test_bytes_that_are_alive_together_never_overlap(blocks: list[Extent], enough: int) -> None:
    found = allocate(blocks, ALIGN, enough)
    sized = [block.aligned(ALIGN) for block in blocks]
    assert not any(
        overlap(a, found.offsets[a.name], b, found.offsets[b.name]) for a, b in combinations(sized, 2)
    )
    assert all(offset >= 0 and offset % ALIGN == 0 for offset in found.offsets.values())
    assert found.peak == max(found.offsets[block.name] + block.nbytes for block in sized)
    assert found.peak >= found.bound == live_bound(sized)


@given(extents())
def test_extents_in_one_place_share_no_byte_at_one_step(blocks: list[Extent]) -> None:
    by_name = {block.name: block for block in blocks}
    for overlay in overlaid(blocks, 0):
        starts = overlay.starts.items()
        for (one, at), (other, there) in combinations(starts, 2):
            assert not overlap(by_name[one], at, by_name[other], there)
        assert overlay.low == min(overlay.starts.values())
        assert overlay.high == max(at + by_name[name].nbytes for name, at in starts)


def test_rows_that_are_made_follow_those_that_are_used_up() -> None:
    """Four rows of y, each made one step before a row of x is free: five rows hold both, and so on."""
    x = divided("x", [(0, 10 + at) for at in range(4)])
    y = divided("y", [(10 + at, 20 + at) for at in range(4)])
    z = divided("z", [(20 + at, 30) for at in range(4)])
    assert allocate([x, y], ALIGN).peak == 5 * ROW
    assert allocate([x, y, z], ALIGN).peak == 6 * ROW
    (overlay,) = overlaid([x, y, z], 0)
    assert overlay.starts == {"x": 0, "y": -ROW, "z": -2 * ROW}


def test_where_there_is_room_for_both_nothing_is_overlaid() -> None:
    x, y = divided("x", [(0, 1), (0, 2)]), divided("y", [(1, 3), (2, 3)])
    assert len(overlaid([x, y], 4 * ROW)) == 2
    assert len(overlaid([x, y], 4 * ROW - 1)) == 1


def test_others_lie_where_pieces_leave_room() -> None:
    """Of four rows, two stay; what comes then lies where the others were."""
    lives, other = [(0, 1), (0, 1), (0, 5), (0, 5)], Extent("b", 2 * ROW, 2, 5)
    assert allocate([divided("x", lives), other], ALIGN).peak == 6 * ROW
    found = allocate([divided("x", lives, by_piece=True), other], ALIGN)
    assert (found.peak, found.offsets["b"]) == (4 * ROW, found.offsets["x"])

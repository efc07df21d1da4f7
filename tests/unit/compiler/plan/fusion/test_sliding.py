"""Results that follow an operand as it is used up: bytes of both, beside a search of all places."""

from __future__ import annotations

import numpy as np
import pytest

from nnc.compiler.plan.fusion.buffer_rows import BufferRows, buffer_rows
from nnc.compiler.plan.fusion.sliding import follow, piece_bytes, slides
from nnc.compiler.plan.network.buffers import RowBuffer

ALIGN = 16


def buffer_of(rows: int, row_bytes: int) -> RowBuffer:
    return RowBuffer("x", 2, 3, rows, (1, 1, 1, 1), rows * row_bytes, row_bytes)


def parts_of(source: int, target: int, parts: int, halo: int) -> tuple[BufferRows, BufferRows]:
    """Rows of a window with a halo over a buffer, and of its result, in even parts."""
    ends = np.arange(1, parts + 1) * target // parts
    begins = np.concatenate([[0], ends[:-1]])
    low = np.maximum(begins * source // target - halo, 0)
    high = np.minimum(ends * source // target + halo, source)
    return buffer_rows(low, high), buffer_rows(begins, ends)


def least_together(
    used: BufferRows, source: RowBuffer, made: BufferRows, target: RowBuffer, places: range
) -> int:
    """The same, with the result tried in all places before and in the operand."""
    found = source.nbytes + target.nbytes
    pieces = piece_bytes(source, ALIGN) or source.nbytes, piece_bytes(target, ALIGN) or target.nbytes
    for place in places:
        fits = True
        for low, high in zip(used.low.tolist(), made.high.tolist(), strict=True):
            free = low * source.row_bytes // pieces[0] * pieces[0]
            done = min(-(-high * target.row_bytes // pieces[1]) * pieces[1], target.nbytes)
            fits &= not done or free >= source.nbytes or place + done <= free
        if fits:
            found = min(found, max(source.nbytes, place + target.nbytes) - min(0, place))
    return found


@pytest.mark.parametrize("rows", [(16, 16), (16, 8), (16, 4), (28, 14)])
@pytest.mark.parametrize("row_bytes", [(64, 64), (64, 160), (48, 24)])
@pytest.mark.parametrize("parts", [2, 4, 7])
@pytest.mark.parametrize("halo", [0, 1, 3])
def test_against_all_places(rows: tuple[int, int], row_bytes: tuple[int, int], parts: int, halo: int) -> None:
    source, target = buffer_of(rows[0], row_bytes[0]), buffer_of(rows[1], row_bytes[1])
    used, made = parts_of(rows[0], rows[1], min(parts, rows[1]), halo)
    buffers = {"x": source, "y": target}
    found = slides(buffers, {"x": 0, "y": 1}, ALIGN, {"x": used}, {"y": made})[1][0]
    places = range(-target.nbytes, 1, 8)
    assert found == least_together(used, source, made, target, places)
    assert max(source.nbytes, target.nbytes) <= found <= source.nbytes + target.nbytes


def test_every_operand_is_followed_by_one_result() -> None:
    """The first result takes the operand that costs least; what saves less than a quarter follows none."""
    together = {2: {0: 130, 1: 110}, 3: {0: 180, 1: 110}, 4: {0: 130}}
    extra = {2: 100, 3: 100, 4: 100}
    follow(extra, together, {0: 100, 1: 100}, {0, 1})
    assert extra == {2: 10, 3: 100, 4: 30}

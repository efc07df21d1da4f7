"""Bytes of residents that are free while a group of few parts works."""

from __future__ import annotations

import numpy as np

from nnc.compiler.plan.fusion.buffer_rows import BufferRows
from nnc.compiler.plan.fusion.sliding import idle_bytes
from nnc.compiler.plan.network.buffers import RowBuffer


def test_pictures_that_are_used_up_or_not_made_yet_are_idle() -> None:
    """Four pictures of 10 bytes in two parts of a group of three layers, as the module's text shows them."""
    rows = BufferRows(np.array([0, 2]), np.array([2, 4]), keeps=True)
    buffers = {name: RowBuffer(name, 0, 1, 4, (10, 1), 40, 10) for name in "xy"}
    idle = idle_bytes(buffers, 1, 3, used={"x": (0, rows)}, made={"y": (2, rows)})
    assert idle["x"].tolist() == [[0, 20], [20, 40], [20, 40]]
    assert idle["y"].tolist() == [[40, 20], [40, 20], [20, 0]]


def test_pieces_are_whole_blocks_of_the_memory() -> None:
    """With blocks of 8 bytes, two pictures of 10 bytes free a piece of 16, no more."""
    rows = BufferRows(np.array([0, 2]), np.array([2, 4]), keeps=True)
    buffers = {"x": RowBuffer("x", 0, 1, 4, (10, 1), 40, 10)}
    assert idle_bytes(buffers, 8, 1, used={"x": (0, rows)}, made={})["x"].tolist() == [[0, 16]]

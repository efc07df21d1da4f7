"""Softmax over an axis that no memory holds."""

from __future__ import annotations

import pytest
from pass_harness import after, graph_of, kinds, same_values

from nnc.compiler.passes.for_memory.split_softmax import SPLIT_SOFTMAX

LEAST = 2 * 7 * 4
"""Bytes of an axis of seven, read and written."""


@pytest.mark.parametrize("op", ["Softmax", "LogSoftmax"])
@pytest.mark.parametrize("memory", [LEAST - 4, LEAST])
def test_an_axis_that_does_not_fit_is_folded(op: str, memory: int) -> None:
    graph = graph_of(f"(float[3,7,2] x) => (y) {{ h = Mul (x, w)  y = {op} <axis=1> (h) }}", {"w": (7, 1)})
    result = after(SPLIT_SOFTMAX, graph, memory_bytes=memory)
    assert ("softmax" in kinds(result)) == (memory == LEAST)
    same_values(graph, result)

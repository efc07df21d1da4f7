"""Along which axes groups of a network are cut (`buffers.axes_worth_cutting`)."""

from __future__ import annotations

import pytest
from pass_harness import graph_of

from nnc.compiler.passes.free_views import FREE_VIEWS
from nnc.compiler.plan.network.buffers import CutAxes, axes_worth_cutting
from nnc.compiler.target.target import ANY_CHIP


@pytest.mark.parametrize(("steps", "is_batch"), [(4, True), (70, False)])
def test_a_batch_at_the_end_of_many_steps_is_none(steps: int, is_batch: bool) -> None:
    """Steps [1, 8], then two layers on [4, 2, 8]."""
    chain = "".join(f"h{n + 1} = MatMul (h{n}, w)\n" for n in range(steps))
    text = f"(float[1,8] h0) => (float[4,2,8] z) {{ {chain} y = Add (h{steps}, b)  z = Relu (y) }}"
    graph = graph_of(text, {"w": (8, 8), "b": (4, 2, 8)})
    FREE_VIEWS.apply(graph, ANY_CHIP)
    assert (CutAxes.PICTURES in axes_worth_cutting(graph)) == is_batch

"""Layers that share no buffer: one group may have them, but not those of two pictures that are apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from pass_harness import graph_of

from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.planner import make_plan
from nnc.compiler.plan.search import group_search as search
from nnc.isa.chip.load import load_chip

TWO = "(float[1,4,8,8] x, float[1,4,8,8] z) => (y, w) { y = Softmax <axis=1> (x)  w = Softmax <axis=1> (z) }"
BATCH = (
    "(float[2,4,8,8] x) => (y) { h = Softmax <axis=1> (x)  p = Softmax <axis=1> (h)  y = GlobalMaxPool (p) }"
)


@pytest.mark.parametrize(("text", "apart", "first", "is_tried"), [(TWO, "", 0, True), (BATCH, "p", 1, False)])
def test_groups_of_layers_side_by_side(
    monkeypatch: pytest.MonkeyPatch, text: str, apart: str, first: int, is_tried: bool
) -> None:
    """What crosses the place between them stays on chip inside of such a group, whatever else does."""
    spans, candidates = list[tuple[int, Sequence[int]]](), search.fused_candidates

    def noted(order: Any, span: Any, *rest: Any) -> Any:
        if order.effort.residents:  # positions are those of the usual effort's orders
            spans.append(span)
        return candidates(order, span, *rest)

    monkeypatch.setattr(search, "fused_candidates", noted)
    chip = load_chip("npu")
    graph = canonicalise(graph_of(text), chip=chip, apart=apart)
    make_plan(graph, chip)
    assert any(end == first + 1 and first in starts for end, starts in spans) is is_tried

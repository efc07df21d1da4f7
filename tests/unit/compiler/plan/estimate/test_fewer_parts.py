"""Groups of many parts in fewer: as few instructions as take no longer."""

from __future__ import annotations

import pytest
from harness import chip_of
from pass_harness import graph_of

from nnc.compiler.ir.graph import Graph
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.plan import Plan
from nnc.compiler.plan.planner import make_plan

TOKENS = "(float[197,768] x, float[197,768] z) => (y, h) { h = Add (x, z)  y = Softmax (h) }"


def plan_of(graph: Graph) -> Plan:
    return make_plan(graph, chip_of("npu"), options=PlanOptions(objective="balanced"))


@pytest.fixture
def _in_many_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plans as the search finds them."""
    monkeypatch.setattr("nnc.compiler.plan.search.with_fewer_parts", lambda path, *_: path)


def test_tokens_come_in_a_few_parts() -> None:
    """No token needs another one's: a dozen parts at the most, several, so that transfers hide."""
    (group,) = plan_of(canonicalise(graph_of(TOKENS, {}))).groups
    assert 3 <= group.group.parts <= 14


@pytest.mark.usefixtures("_in_many_parts")
def test_the_search_likes_many_parts() -> None:
    (group,) = plan_of(canonicalise(graph_of(TOKENS, {}))).groups
    assert group.group.parts > 50

"""Lessons of plans: what was predicted of a group is expected of its kind, which is expanded once."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import nnc
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.choice import Choice
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.planner import no_progress
from nnc.compiler.plan.prices import AskedPrice
from nnc.compiler.plan.search.estimates import GroupRuns
from nnc.compiler.plan.search.group_search import Candidates, find_candidates
from nnc.models.builder import NetBuilder


def searched(layers: int, kib: int) -> tuple[Candidates, list[Choice]]:
    """Convolutions that are all alike, searched; the cheapest path."""
    net = NetBuilder("alike", (1, 16, 32, 32), width=1, seed=0)
    tensor = net.input
    for _ in range(layers):
        tensor = net.conv(tensor, 16, 3, pad=1)
    chip = nnc.load_chip("npu", [f"memory.sram.bytes={kib}KiB"])
    graph = import_model(net.finish(tensor))
    graph = canonicalise(graph, chip=chip)
    candidates = find_candidates(graph, chip, PlanOptions(), no_progress)
    return candidates, candidates.sequences_for(AskedPrice.of("balanced", chip))[0]


def cycles_of(runs: GroupRuns, path: Sequence[Choice]) -> list[int]:
    return [cycles for _, cycles in runs.along(path)]


@pytest.mark.parametrize("factor", [0.5, 1.25])
def test_what_was_predicted_is_expected_from_then_on(factor: float) -> None:
    candidates, path = searched(4, 16)
    runs = candidates._runs
    assert runs is not None
    predicted = [round(cycles * factor) for cycles in cycles_of(runs, path)]
    assert candidates.learn([(path, predicted)])
    assert cycles_of(runs, path) == predicted
    assert not candidates.learn([(path, predicted)]), "the same again is no news"


def test_groups_of_one_kind_are_expanded_once() -> None:
    candidates, path = searched(40, 48)
    runs = GroupRuns(candidates.expansions)
    assert cycles_of(runs, path)
    assert 0 < len(runs._tasks) < len(path)

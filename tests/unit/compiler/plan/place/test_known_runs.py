"""Runs of steps that come again: their loads stand where they stood as if nothing had been known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import onnx
import pytest
from hypothesis import given, settings
from repeated_networks import repeated_networks

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.graph import Graph
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan import scheduled
from nnc.compiler.plan.place import known_runs
from nnc.compiler.plan.place.issue_order import Issue, order_of_issue
from nnc.compiler.plan.place.live_ranges import Touches
from nnc.compiler.plan.plan import GroupPlan
from nnc.compiler.plan.planner import make_plan
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import load_chip
from nnc.models.builder import NetBuilder

CHIPS = {"npu": ["memory.sram.bytes=16KiB"], "npu4": ["memory.sram.bytes=32KiB"], "vdsp12": ["cores=3"]}


def planned_twice(model: onnx.ModelProto, chip: Chip, patch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Plan a network; every order of issue is found with and without known runs.  Looked up, and found."""
    looked_up, placed = list[int](), list[int]()

    def checked(
        graph: Graph,
        chip: Chip,
        touches: Touches,
        offsets: dict[str, int],
        *,
        far: bool = True,
        groups: Sequence[GroupPlan] = (),
    ) -> Issue:
        found = order_of_issue(graph, chip, touches, offsets, far=far, groups=groups)
        afresh = order_of_issue(graph, chip, touches, offsets, far=far)
        assert found.offsets == afresh.offsets
        assert [*map(id, found.touches.order)] == [*map(id, afresh.touches.order)]
        return found

    class Watched(known_runs.KnownRuns):
        def place(self, begin: int, end: int, pattern: int) -> None:
            before = len(self._known)
            super().place(begin, end, pattern)
            looked_up.append(begin)
            placed.extend([begin] * (len(self._known) - before))

    patch.setattr(TUNING, "place", replace(TUNING.place, min_run_steps=1))
    patch.setattr("nnc.compiler.plan.place.issue_order.KnownRuns", Watched)
    patch.setattr(scheduled, "order_of_issue", checked)
    make_plan(canonicalise(import_model(model), chip=chip), chip)
    return len(looked_up), len(placed)


@pytest.mark.parametrize("name", CHIPS)
@settings(max_examples=4, deadline=None)
@given(model=repeated_networks())
def test_what_comes_again_stands_as_if_nothing_were_known(name: str, model: onnx.ModelProto) -> None:
    with pytest.MonkeyPatch.context() as patch:
        planned_twice(model, load_chip(name, CHIPS[name]), patch)


def test_equal_layers_are_placed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    net = NetBuilder("chain", (1, 16, 24, 24), width=1, seed=1)
    x = net.input
    for _ in range(12):
        x = net.conv(x, 16, 3, pad=1)
    chip = load_chip("npu", ["memory.sram.bytes=16KiB"])
    looked_up, placed = planned_twice(net.finish(x), chip, monkeypatch)
    assert placed < looked_up >= 6

"""Where groups have no place, again and again, layers are planned alone: a plan there is, and a right one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from harness import check_compiled, chip_of, random_inputs, reference
from onnx import parser

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.compiler.plan import scheduled
from nnc.compiler.plan.options import OBJECTIVES, PlanOptions
from nnc.compiler.tuning import TUNING

CHAIN = parser.parse_model(
    """<ir_version: 9, opset_import: ["": 20]> g (float[1,4,16,16] x) => (float[1,4,16,16] y) {
        a = Sin (x)  b = MaxPool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (a)
        c = Exp (b)  y = AveragePool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (c) }"""
)


def sizes_of_groups(options: PlanOptions) -> list[int]:
    """How many layers each group has, of a program that is right."""
    compilation = run_pipeline(import_model(CHAIN), chip_of(sram="5KiB"), options=options)
    feeds = random_inputs(CHAIN)
    check_compiled(compilation, feeds, reference(CHAIN, feeds))
    return [len(plan.group.layers) for plan in compilation.plan.groups]


@pytest.mark.parametrize("objective", sorted(OBJECTIVES))
def test_layers_are_planned_alone_if_no_group_has_a_place(
    monkeypatch: pytest.MonkeyPatch, objective: str
) -> None:
    real, options = scheduled.overflowing_groups, PlanOptions(objective=objective, effort="O1")
    assert max(sizes_of_groups(options)) > 1
    asked = list[int]()

    def overflowing(*arguments: Any) -> Sequence[int]:
        asked.append(1)
        return [0] if len(asked) <= 3 else real(*arguments)

    monkeypatch.setattr(scheduled, "overflowing_groups", overflowing)
    monkeypatch.setattr(TUNING, "search", replace(TUNING.search, max_rounds=3))
    sizes = sizes_of_groups(options)
    assert sizes == [1, 1, 1, 1] or objective == "cycles"  # which looks at groups of the others, too
    assert len(asked) > 3

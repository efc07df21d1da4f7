"""nnc.compiler.plan.search.group_ends: every group says why the next layer is not in it, and it is true."""

from __future__ import annotations

import re

import pytest

import nnc
from nnc import models
from nnc.compiler.plan.effort import EFFORTS
from nnc.compiler.plan.options import PlanOptions
from nnc.isa.chip.load import preset_names

NEEDED = re.compile(r": (\d+) needed, (\d+) available$")


def ends_of(
    model: str, chip: str = "npu", *overrides: str, options: PlanOptions | None = None
) -> list[tuple[tuple[str, ...], str]]:
    """The layers of every group, and why it ends."""
    built = models.build(model, image=64) if model != "lenet5" else models.build(model)
    plan = nnc.compile_model(
        built, chip, overrides=overrides, options=options or PlanOptions()
    ).compilation.plan
    return [(planned.group.layers, str(planned.group.ends)) for planned in plan.groups]


@pytest.mark.parametrize("chip", preset_names())
def test_every_group_names_the_next_layer(chip: str) -> None:
    found = ends_of("squeezenet", chip)
    assert found[-1][1] == "the network ends"
    known = {layer for layers, _ in found for layer in layers}
    for layers, ends in found[:-1]:
        following = re.match(r"next is (\S+);", ends)
        assert following is not None, ends
        assert following[1] in known - set(layers)


def test_a_demand_that_is_refused_is_above_its_bound() -> None:
    sizes = [NEEDED.search(ends) for _, ends in ends_of("squeezenet", "npu", "memory.sram.bytes=48KiB")]
    refused = [match for match in sizes if match]
    assert refused
    for match in refused:
        assert int(match[1]) > int(match[2])
        assert int(match[2]) <= 48 * 1024


def test_layers_that_are_not_fused_say_so() -> None:
    alone = ends_of("lenet5", options=PlanOptions(fused=False))
    assert len(alone) > 2
    assert all(ends.endswith("layers are not fused") for _, ends in alone[:-1])


def test_the_longest_group_of_an_effort_is_a_reason() -> None:
    most = EFFORTS["O1"].longest_group
    found = ends_of("resnet18", "npu", "memory.sram.bytes=256KiB", options=PlanOptions(effort="O1"))
    assert any(f"groups have at most {most} layers" in ends for _, ends in found[:-1])

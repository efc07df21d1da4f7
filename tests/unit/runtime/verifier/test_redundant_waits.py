"""Waits that follow from others are found; those that a compiler leaves are all needed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.isa.chip.load import load_chip
from nnc.isa.program import Program, Wait
from nnc.isa.timing.streams import places_of
from nnc.runtime.verifier.redundant_waits import redundant_waits
from nnc.runtime.verifier.verify import verify


@pytest.fixture(scope="module", params=["npu", "npu4", "vdsp12"])
def program(request: pytest.FixtureRequest) -> Program:
    return run_pipeline(import_model(models.build("lenet5")), load_chip(request.param)).program


def with_waits(program: Program, index: int, waits: tuple[Wait, ...]) -> Program:
    issued = list(program.issued)
    issued[index] = replace(issued[index], waits=waits)
    return replace(program, issued=tuple(issued))


def test_the_compiler_leaves_none(program: Program) -> None:
    assert sum(len(item.waits) for item in program.issued) > 0
    assert redundant_waits(program) == []


def test_a_wait_for_something_earlier_is_redundant(program: Program) -> None:
    """Waiting for instruction n of an engine implies waiting for all before it."""
    found = 0
    for index, item in enumerate(program.issued):
        for wait in item.waits:
            if wait.index > 0:
                extra = replace(wait, index=wait.index - 1)
                assert redundant_waits(with_waits(program, index, (*item.waits, extra))) == [
                    (index, len(item.waits))
                ]
                found += 1
        if found > 20:
            break
    assert found


def test_every_single_wait_is_needed(program: Program) -> None:
    """Without it the verifier finds a fault."""
    for index, item in enumerate(program.issued):
        for number in range(len(item.waits)):
            rest = item.waits[:number] + item.waits[number + 1 :]
            assert verify(with_waits(program, index, rest)), places_of(program).label(index)

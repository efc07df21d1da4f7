"""Synchronisation is felt: without a wait that it needs, a program gives wrong results with some timing.

The waits of compiled programs are taken out one by one.  What the verifier reports then must show in the
outputs, in the order of the timeline or with a random timing of some seed; what it does not report is implied
by other waits, and must never show.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import onnx
import pytest
from harness import Array, assert_close, chip_of, random_inputs, reference
from mutate import with_waits
from test_mutations import residual_block

from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.compiler.plan.options import PlanOptions
from nnc.isa.program import Program, Wait
from nnc.runtime.session import Session
from nnc.runtime.verifier.verify import Rule, verify

SEEDS = 48
"""So many timings are tried at most; twice the number of DMA engines of the largest program."""
HARMLESS_SEEDS = 3
ALL = 10**6


@dataclass(frozen=True)
class Case:
    """A network on a chip, and how many of its waits are taken out."""

    build: Callable[[], onnx.ModelProto]
    chip: str
    memories: dict[str, str]
    sample: int = ALL
    split: str = "auto"


CASES = {
    "m2-worked": Case(lambda: models.build("mlp-784-1152-10"), "vdsp12", {}, split="even"),
    "lenet5-npu": Case(lambda: models.build("lenet5"), "npu", {}),
    "lenet5-npu4": Case(lambda: models.build("lenet5"), "npu4", {}, 30),
    "lenet5-16K": Case(lambda: models.build("lenet5"), "npu", {"sram": "16KiB"}, 15),
    "block-8K": Case(residual_block, "npu", {"sram": "8KiB"}, 15),
    "block-banked": Case(residual_block, "npu-banked", {"bank1": "8KiB", "bank2": "4KiB"}, 15),
    "block-vdsp12": Case(residual_block, "vdsp12", {"sm": "8KiB", "am": "32KiB"}, 15),
    "squeezenet-npu4": Case(lambda: models.build("squeezenet", image=32), "npu4", {}, 10),
    "resnet18-npu4": Case(lambda: models.build("resnet18", image=32, width=0.25), "npu4", {}, 10),
}


@dataclass(frozen=True)
class Subject:
    """A sound program, an input, and what it gives for it."""

    program: Program
    feeds: dict[str, Array]
    outputs: list[bytes]

    def gives_the_same(self, program: Program, jitter: int | None) -> bool:
        """Whether a program gives the outputs, to the last bit, in the order of a timeline."""
        session = Session(program, verify=False, poison=True, jitter=jitter)
        return [value.tobytes() for value in session.run(None, self.feeds)] == self.outputs

    def felt_at(self, program: Program) -> int | None:
        """The first timing with which the outputs differ: -1 for the chip's, or a seed; None: with none."""
        return next(
            (
                -1 if seed is None else seed
                for seed in (None, *range(SEEDS))
                if not self.gives_the_same(program, seed)
            ),
            None,
        )


@cache
def subject(name: str) -> Subject:
    case = CASES[name]
    model = case.build()
    feeds = random_inputs(model)
    chip = chip_of(case.chip, **case.memories)
    program = run_pipeline(import_model(model), chip, options=PlanOptions(split=case.split)).program
    session = Session(program, poison=True)
    expected = reference(model, feeds)
    found = session.run(list(expected), feeds)
    for (output, value), other in zip(expected.items(), found, strict=True):
        assert_close(other, value, output)
    return Subject(program, feeds, [value.tobytes() for value in session.run(None, feeds)])


def sampled_waits(program: Program, count: int) -> list[tuple[int, Wait]]:
    """Waits with the index of their instruction: all, or so many of them at random."""
    waits = [(index, wait) for index, item in enumerate(program.issued) for wait in item.waits]
    return waits if count >= len(waits) else random.Random(count).sample(waits, count)


@pytest.mark.parametrize("name", CASES)
def test_a_wait_that_is_missing_shows(name: str) -> None:
    """Without a wait that the verifier misses, the outputs differ with the chip's timing or another."""
    case, sound = CASES[name], subject(name)
    felt: list[int] = []
    for index, wait in sampled_waits(sound.program, case.sample):
        rest = tuple(other for other in sound.program.issued[index].waits if other != wait)
        without = with_waits(sound.program, index, rest)
        findings = verify(without)
        if findings:
            seed = sound.felt_at(without)
            assert seed is not None, f"instruction {index} without {wait}: {findings[0]}"
            felt.append(seed)
        else:
            assert all(sound.gives_the_same(without, seed) for seed in (None, *range(HARMLESS_SEEDS)))
    assert felt
    if case.sample is ALL:
        assert felt.count(-1) >= len(felt) / 2, "at least half of them show without jitter"


@pytest.mark.parametrize("name", CASES)
def test_a_sound_program_gives_the_same_with_any_timing(name: str) -> None:
    sound = subject(name)
    assert all(sound.gives_the_same(sound.program, seed) for seed in (None, *range(SEEDS, SEEDS + 4)))


@pytest.mark.parametrize("name", ["m2-worked", "lenet5-npu4", "block-vdsp12"])
def test_without_any_waits_nothing_is_right(name: str) -> None:
    """All engines run freely: what is computed is computed on what nobody has loaded."""
    sound = subject(name)
    program = sound.program
    for index in range(len(program.issued)):
        program = with_waits(program, index, ())
    assert Rule.RACE in {finding.rule for finding in verify(program)}
    assert not sound.gives_the_same(program, None)

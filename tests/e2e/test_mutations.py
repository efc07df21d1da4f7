"""Compiled programs, broken on purpose in every place: what the verifier must find, it finds.

The debug section says which elements the operands are, so bytes that are there but stale are found too, and
sums up attributes and constants in a digest per group.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from random import Random

import mutations
import onnx
import pytest
from harness import TOLERANCE, Array, check_compiled, chip_of, random_inputs, reference
from mutate import (
    conflict,
    dropped,
    neighbours,
    of_engine,
    operand_fields,
    ordered_before,
    replaced,
    swapped,
    with_operand,
    with_waits,
)
from mutations import Outcome
from program_edits import random_edit

from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.isa.functions import Function as F
from nnc.isa.instruction import Engine
from nnc.isa.instructions import Conv, Load, Pool, Store
from nnc.isa.operand import DRAM, Operand
from nnc.isa.program import Program, Tensor, TensorRole, Wait
from nnc.isa.timing.streams import places_of
from nnc.models.builder import NetBuilder
from nnc.runtime.session import Session
from nnc.runtime.verifier.verify import Rule, verify


def residual_block() -> onnx.ModelProto:
    """relu(conv 5×5(a) + a) with a = relu(conv 3×3(x)), 8 channels of 20×20: two layers, two tilings."""
    net = NetBuilder("block", (1, 8, 20, 20), width=1, seed=3)
    x = net.relu(net.conv(net.input, 8, 3, pad=1))
    return net.finish(net.relu(net.add(x, net.conv(x, 8, 5, pad=2))))


CASES = {
    "lenet5-npu": (lambda: models.build("lenet5"), "npu", {}),
    "block-npu-8K": (residual_block, "npu", {"sram": "8KiB"}),
    "block-banked": (residual_block, "npu-banked", {"bank1": "8KiB", "bank2": "4KiB"}),
    "block-vdsp12": (residual_block, "vdsp12", {"sm": "8KiB", "am": "32KiB"}, "cores=2"),
}


@dataclass(frozen=True)
class Subject:
    """A sound program with an input and the outputs that onnxruntime gives for it."""

    program: Program
    feeds: dict[str, Array]
    expected: dict[str, Array]

    def outcome(self, program: Program) -> str:
        """What becomes of a mutated program: caught by the verifier, a wrong result, or no harm."""
        if verify(program):
            return "verifier"
        found = Session(program, poison=True, verify=False).run(list(self.expected), self.feeds)
        for value, expected in zip(found, self.expected.values(), strict=True):
            if not abs(value - expected).max() <= TOLERANCE * abs(expected).max():  # NaN is wrong too
                return "result"
        return "harmless"


@cache
def subject(case: str) -> Subject:
    build, chip, memories, *overrides = CASES[case]
    model = build()
    feeds = random_inputs(model)
    expected = reference(model, feeds)
    compilation = run_pipeline(import_model(model), chip_of(chip, *overrides, **memories))
    check_compiled(compilation, feeds, expected)
    return Subject(compilation.program, feeds, expected)


each_case = pytest.mark.parametrize("case", CASES)


def without(waits: tuple[Wait, ...], wait: Wait) -> tuple[Wait, ...]:
    return tuple(other for other in waits if other != wait)


@each_case
def test_every_wait_is_needed_or_implied(case: str) -> None:
    """Without a wait, or with it one instruction earlier, a fault is found unless the order remains."""
    program = subject(case).program
    places = places_of(program)
    numbers = {key: number for number, key in enumerate(places.keys)}
    caught = 0
    for index, item in enumerate(program.issued):
        for wait in item.waits:
            awaited = places.members[numbers[wait.core, wait.engine]][wait.index]
            weaker = (replace(wait, index=wait.index - 1),) if wait.index else ()
            for rest in ((), weaker):
                mutant = with_waits(program, index, (*without(item.waits, wait), *rest))
                findings = verify(mutant)
                caught += bool(findings)
                assert findings or ordered_before(mutant)(awaited, index), f"{places.label(index)} {wait}"
    assert caught > len(program.issued) // 2


@each_case
def test_no_instruction_can_be_dropped(case: str) -> None:
    """But a load of what happens to lie in that place already, where it was stored from."""
    found = subject(case)
    issued = found.program.issued
    outcomes = [found.outcome(dropped(found.program, i)) for i in range(len(issued))]
    for i, outcome in enumerate(outcomes):
        if outcome == "harmless":
            load = issued[i].instruction
            stores = [item.instruction for item in issued[:i] if isinstance(item.instruction, Store)]
            assert isinstance(load, Load) and any(store.src.overlaps(load.dst) for store in stores), load
    assert "verifier" in outcomes


@each_case
def test_a_dropped_store_of_an_output_is_found(case: str) -> None:
    program = subject(case).program
    outputs = list(program.by_role(TensorRole.OUTPUT))
    stores = [i for i in of_engine(program, Engine.WRITE) if any(writes_to(program, i, t) for t in outputs)]
    assert stores
    for index in stores:
        assert Rule.OUTPUT in {finding.rule for finding in verify(dropped(program, index))}


def writes_to(program: Program, index: int, tensor: Tensor) -> bool:
    return any(
        access.writes and block.overlaps(tensor.block)
        for block, access, _ in program.issued[index].instruction.accesses()
    )


@each_case
def test_no_address_can_be_shifted(case: str) -> None:
    """By one element, every operand of every instruction."""
    found = subject(case)
    outcomes: Counter[str] = Counter()
    for index, item in enumerate(found.program.issued):
        for name, block in operand_fields(item):
            moved = replace(block, address=block.address + block.dtype.itemsize)
            outcome = found.outcome(with_operand(found.program, index, name, moved))
            constant = block.memory == DRAM and block.hull[0] < len(found.program.constants)
            assert outcome == ("result" if constant and outcome == "result" else "verifier"), (
                f"instruction {index}: {name} of {item.instruction}"
            )
            outcomes[outcome] += 1
    assert outcomes["verifier"]


@each_case
def test_swapped_neighbours(case: str) -> None:
    """Two instructions that share bytes are never swapped unseen; others compute the same or are found."""
    found = subject(case)
    seen: Counter[tuple[bool, str]] = Counter()
    for first, second in neighbours(found.program):
        outcome = found.outcome(swapped(found.program, first, second))
        seen[conflict(found.program, first, second), outcome] += 1
    assert seen[True, "verifier"] and seen[False, "verifier"]
    assert not seen[True, "harmless"] and not seen[False, "result"]


@each_case
def test_a_load_of_what_is_not_yet_written_is_found(case: str) -> None:
    """Every load of the first layer's input before the first store of the output, made to read the output."""
    program = subject(case).program
    (source,), (target,) = (list(program.by_role(role)) for role in (TensorRole.INPUT, TensorRole.OUTPUT))
    stores = of_engine(program, Engine.WRITE)
    first = min(index for index in stores if writes_to(program, index, target))
    loads = 0
    for index in [read for read in of_engine(program, Engine.READ) if read < first]:
        for name, block in operand_fields(program.issued[index]):
            if block.memory == DRAM and block.overlaps(source.block):
                elsewhere = Operand.dense(DRAM, target.block.address, block.dtype, (1,) * len(block.shape))
                stretched = replace(elsewhere, shape=block.shape, strides=(0,) * len(block.shape))
                rules = {f.rule for f in verify(with_operand(program, index, name, stretched))}
                assert rules & {Rule.UNWRITTEN, Rule.RACE}
                loads += 1
    assert loads


@pytest.mark.parametrize(
    "name", ["pools npu 16 KiB", "digits int8 npu 32 KiB", "block vdsp12", "attention npu", "blocks npu"]
)
def test_random_edits_are_not_wrong_without_a_word(name: str) -> None:
    """A small version of bench/mutations.py: numbers, enumerations, places, strides, tensors, constants."""
    edited, random = mutations.subject(name), Random(name)
    outcomes: Counter[Outcome] = Counter()
    for _ in range(60):
        _, what, program = random_edit(edited.program, random)
        outcome = edited.outcome(program)
        assert outcome is not Outcome.SILENT, what
        outcomes[outcome] += 1
    assert outcomes[Outcome.FOUND] > 30


@cache
def pools() -> mutations.Subject:
    return mutations.subject("pools npu 16 KiB")


def test_no_stride_of_a_pool_can_be_zero() -> None:
    """Notes say how elements follow each other themselves: they do not take it from the operand."""
    program, count = pools().program, 0
    for index, item in enumerate(program.issued):
        if isinstance(item.instruction, Pool):
            src = item.instruction.src
            for axis, extent in enumerate(src.shape):
                strides = tuple(0 if a == axis else stride for a, stride in enumerate(src.strides))
                edited = with_operand(program, index, "src", replace(src, strides=strides))
                assert extent == 1 or Rule.CONTENTS in {finding.rule for finding in verify(edited)}
                count += extent > 1
    assert count >= 6


@pytest.mark.parametrize("act", [F.IDENTITY, F.RELU, F.LEAKY_RELU, F.TANH, F.ABS, F.NEG])
def test_no_activation_can_be_replaced(act: F) -> None:
    """A relu of the network, as another function of one element."""
    program = pools().program
    convs = [i for i, item in enumerate(program.issued) if isinstance(item.instruction, Conv)]
    item = program.issued[convs[0]]
    instruction = replace(item.instruction, act=act)  # type: ignore[call-arg]
    findings = verify(replaced(program, convs[0], replace(item, instruction=instruction)))
    assert {finding.rule for finding in findings} == (set() if act is F.RELU else {Rule.DIGEST})


def test_no_constant_can_be_taken_for_another_of_its_size() -> None:
    program = pools().program
    loads = {
        index: item.instruction.src
        for index, item in enumerate(program.issued)
        if isinstance(item.instruction, Load) and item.instruction.src.address < len(program.constants)
    }
    pairs = [
        (index, other)
        for index, src in loads.items()
        for other in loads.values()
        if src != other and (src.shape, src.strides) == (other.shape, other.strides)
    ]
    assert pairs
    for index, elsewhere in pairs:
        rules = {finding.rule for finding in verify(with_operand(program, index, "src", elsewhere))}
        assert rules == {Rule.DIGEST}, elsewhere

"""Digests of groups: attributes, constants and elements count; places, waits and the order do not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from verifier_programs import at, block, change, two_layers

from nnc.isa.digests import TABLE, digest_fact, digests
from nnc.isa.functions import Function
from nnc.isa.program import Content, GroupInfo, Note, Program
from nnc.runtime.verifier.verify import Rule, verify

GEMM, RELU = 2, 3


def noted() -> Program:
    """y = relu(x · w) as one group, with contents of the load of x alone, and its digests."""
    program = two_layers()
    notes = [Note(0, 0, "y")] * len(program.issued)
    notes[0] = Note(0, 0, "y", (Content("x", 0, (16, 1)),) * 2)
    issued = tuple(replace(item, note=note) for item, note in zip(program.issued, notes, strict=True))
    program = replace(program, issued=issued, groups=(GroupInfo("mixed", ("y",), 1),))
    return replace(program, facts=digests(program))


def with_constant(program: Program) -> Program:
    constants = program.constants.copy()
    constants[1023] = 1
    return replace(program, constants=constants)


def with_content(program: Program, content: Content) -> Program:
    item = program.issued[0]
    changed = replace(item, note=replace(item.note, contents=(content, content)))
    return replace(program, issued=(changed, *program.issued[1:]))


def with_strided_input(program: Program) -> Program:
    (tensor,) = [t for t in program.tensors if t.name == "x"]
    turned = replace(tensor, block=replace(tensor.block, shape=(16, 4), strides=(16, 4)))
    return replace(program, tensors=tuple(turned if t is tensor else t for t in program.tensors))


def test_a_sound_program_keeps_its_digests() -> None:
    program = noted()
    assert sorted(program.facts) == sorted([TABLE, digest_fact(0)])
    assert verify(program) == []


def test_digests_are_the_same_on_every_computer() -> None:
    """Programs are verified elsewhere, and by later versions of Python."""
    assert noted().facts == {TABLE: 294993838, digest_fact(0): 6226996313612464452}


@pytest.mark.parametrize(
    "edit",
    [
        lambda p: change(p, RELU, function=Function.ABS),
        lambda p: change(p, GEMM, act=Function.RELU),
        lambda p: change(p, GEMM, act=Function.CLIP, act_params=(0.0, 6.0)),
        lambda p: with_content(p, Content("x", 1, (16, 1))),
        lambda p: with_content(p, Content("z", 0, (16, 1))),
        lambda p: with_content(p, Content("x", 0, (1, 4))),
        with_constant,
    ],
)
def test_what_a_group_computes_counts(edit: Callable[[Program], Program]) -> None:
    program = noted()
    edited = edit(program)
    assert digests(edited)[digest_fact(0)] != program.facts[digest_fact(0)]
    found = [finding for finding in verify(edited) if finding.rule is Rule.DIGEST]
    assert [finding.place for finding in found] == ["group 0"]
    assert not any(finding.rule is Rule.DIGEST for finding in verify(replace(edited, facts={})))


def test_inputs_and_outputs_count() -> None:
    edited = with_strided_input(noted())
    assert [f.place for f in verify(edited) if f.rule is Rule.DIGEST] == ["inputs and outputs"]


def test_places_order_and_waits_do_not_count() -> None:
    """An operand with contents may lie anywhere: where it is read proves what it is."""
    program = noted()
    moved = change(program, 0, dst=block("sram", 8192))
    assert digests(moved) == program.facts
    assert digests(change(program, 1, waits=(at(0, "r", 0),))) == program.facts
    assert digests(replace(program, issued=program.issued[::-1])) == program.facts
    assert digests(change(program, RELU, dst=block("sram", 8192))) != program.facts  # nothing proves it


def test_equal_changes_in_several_places_do_not_cancel_out() -> None:
    """Parts load the same constants: their digests are no plain checksums, whose sums could stay."""
    program = noted()
    load = program.issued[1]
    many = replace(program, issued=(load,) * 8)
    sums = {digests(many)[digest_fact(0)]}
    for bit in range(64):
        constants = np.zeros_like(program.constants)
        constants[bit // 8] = 1 << bit % 8
        sums.add(digests(replace(many, constants=constants))[digest_fact(0)])
    assert len(sums) == 65

"""The one table of instructions is complete: encodings, costs, docs and examples for every class."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from nnc.isa.chip.load import load_chip
from nnc.isa.codec.layout import layout, signature
from nnc.isa.codec.scalars import EnumCodec
from nnc.isa.instruction import (
    BY_OPCODE,
    INSTRUCTIONS,
    Engine,
    Instruction,
    Role,
    operand_specs,
)
from nnc.isa.reference.pages import examples, isa_reference
from nnc.isa.timing.cost import cycles, dram_bytes, is_transfer

DOCS = Path(__file__).parents[3] / "docs"
CLASSES = sorted(INSTRUCTIONS.values(), key=lambda cls: cls.opcode)
each = pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.mnemonic)


def test_opcodes_and_mnemonics_are_unique() -> None:
    assert len(CLASSES) >= 18
    assert {cls.opcode: cls for cls in CLASSES} == BY_OPCODE
    assert len(BY_OPCODE) == len(INSTRUCTIONS)
    assert all(0 < cls.opcode < 2**16 for cls in CLASSES)
    assert len({signature(cls) for cls in CLASSES}) == len(CLASSES)


@each
def test_every_field_is_documented(cls: type[Instruction]) -> None:
    assert cls.__doc__ and not cls.__doc__.startswith(cls.__name__ + "(")  # dataclass's own docstring
    fields = layout(cls)
    assert all(field.doc for field in fields)
    assert {field.name for field in fields} == {field.name for field in dataclasses.fields(cls)}
    for field in fields:
        if isinstance(field.codec, EnumCodec):
            assert all(name.replace("_", "").isalnum() and name.islower() for name in field.codec.members)


@each
def test_every_instruction_has_a_cost(cls: type[Instruction]) -> None:
    chip, example = load_chip("npu"), examples()[cls]
    external = any(spec.role is Role.EXTERNAL for spec in operand_specs(cls).values())
    assert is_transfer(example) == external == (cls.cost is None)
    if external:
        assert cls.engine is not Engine.COMPUTE
        assert dram_bytes(example, chip) > 0
    else:
        assert cycles(example, chip) > chip.compute.issue
        assert dram_bytes(example, chip) == 0
        assert cls.cost.__doc__


@each
def test_examples_touch_what_they_declare(cls: type[Instruction]) -> None:
    assert type(examples()[cls]) is cls
    accesses = list(examples()[cls].accesses())
    assert any(access.writes for _, access, _ in accesses)
    for op, _, role in accesses:
        assert (op.memory == "dram") == (role is Role.EXTERNAL)


def test_reference_page_is_up_to_date() -> None:
    assert (DOCS / "isa.md").read_text(encoding="utf-8") == isa_reference(), "make docs"


def test_reference_names_everything() -> None:
    text = isa_reference()
    for cls in CLASSES:
        assert f"### {cls.mnemonic}\n" in text
        assert all(f"| `{field.name}`" in text for field in layout(cls))

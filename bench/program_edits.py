"""Edits of programs: every change of one number, and random changes of what a program says and holds."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from enum import Enum
from random import Random
from typing import Any

from nnc.isa.instruction import attribute_fields, operand_specs
from nnc.isa.operand import DRAM, Operand
from nnc.isa.program import Issued, Program


def _integers(number: int) -> list[int]:
    values = (0, -1, -2, 2**31, 2**62, number + 1, number - 1, 2 * number, -number)
    return sorted({*values} - {number})


def _floats(number: float) -> list[float]:
    return [value for value in (0.0, -1.0, 2 * number, 1e300, float("inf"), float("nan")) if value != number]


def edits(value: Any) -> Iterator[tuple[str, Any]]:
    """A value with one number or enumeration changed, or one item of a tuple missing or there twice.

    Yields:
        What has changed, and the value.
    """
    if isinstance(value, bool):
        yield f" {value} -> {not value}", not value
    elif isinstance(value, int | float):
        numbers = _integers(value) if isinstance(value, int) else _floats(value)
        yield from ((f" {value} -> {number}", number) for number in numbers)
    elif isinstance(value, Enum):
        members = [member for member in type(value) if member is not value]
        yield from ((f" {value.value} -> {member.value}", member) for member in members)
    elif isinstance(value, tuple):
        for place, item in enumerate(value):
            for what, changed in edits(item):
                yield f"[{place}]{what}", (*value[:place], changed, *value[place + 1 :])
        if value:
            yield " without its last", value[:-1]
            yield " with its last twice", (*value, value[-1])
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            for what, changed in edits(getattr(value, field.name)):
                yield f".{field.name}{what}", dataclasses.replace(value, **{field.name: changed})


def replaced(program: Program, index: int, item: Issued) -> Program:
    """The program with another instruction at `index`."""
    items = list(program.issued)
    items[index] = item
    return dataclasses.replace(program, issued=tuple(items))


def _with(program: Program, index: int, name: str, value: object) -> Program:
    """The program with another value of a field of the instruction at `index`."""
    item = program.issued[index]
    changed = dataclasses.replace(item.instruction, **{name: value})
    return replaced(program, index, dataclasses.replace(item, instruction=changed))


def _any_instruction(program: Program, random: Random) -> tuple[int, Issued]:
    index = random.randrange(len(program.issued))
    return index, program.issued[index]


def number_edit(program: Program, random: Random) -> tuple[str, Program]:
    """One number or enumeration of an instruction, its waits or its note."""
    index, item = _any_instruction(program, random)
    what, changed = random.choice(list(edits(item)))
    return f"{item.instruction.mnemonic}{what}", replaced(program, index, changed)


def attribute_edit(program: Program, random: Random) -> tuple[str, Program] | None:
    """One attribute: activation, parameters, stride, zero point …"""
    having = [i for i, issued in enumerate(program.issued) if attribute_fields(type(issued.instruction))]
    if not having:
        return None
    index = random.choice(having)
    item = program.issued[index]
    name = random.choice(list(attribute_fields(type(item.instruction))))
    choices = list(edits(getattr(item.instruction, name)))
    if not choices:
        return None  # an empty tuple
    what, value = random.choice(choices)
    return f"{item.instruction.mnemonic}.{name}{what}", _with(program, index, name, value)


def _operands(item: Issued) -> list[tuple[str, Operand]]:
    named = [(name, getattr(item.instruction, name)) for name in operand_specs(type(item.instruction))]
    return [(name, block) for name, block in named if isinstance(block, Operand)]


def place_edit(program: Program, random: Random) -> tuple[str, Program] | None:
    """An operand in the place of another one of its shape, with or without its strides."""
    index, item = _any_instruction(program, random)
    name, block = random.choice(_operands(item) or [("", None)])
    if block is None:
        return None
    others = {
        candidate
        for issued in program.issued
        for _, candidate in _operands(issued)
        if (candidate.shape, candidate.dtype) == (block.shape, block.dtype)
        and (candidate.memory == DRAM) == (block.memory == DRAM)
        and candidate != block
    }
    if not others:
        return None
    target = random.choice(sorted(others, key=str))
    return f"{item.instruction.mnemonic}.{name} {block} -> {target}", _with(program, index, name, target)


def stride_edit(program: Program, random: Random) -> tuple[str, Program] | None:
    """Strides of an operand: one of them 0 or another one's, or all in another order."""
    index, item = _any_instruction(program, random)
    name, block = random.choice(_operands(item) or [("", None)])
    if block is None or not block.strides:
        return None
    strides = list(block.strides)
    if random.random() < 0.3:
        random.shuffle(strides)
    else:
        strides[random.randrange(len(strides))] = random.choice((0, *strides))
    changed = dataclasses.replace(block, strides=tuple(strides))
    what = f"{item.instruction.mnemonic}.{name}.strides {block.strides} -> {strides}"
    return what, _with(program, index, name, changed)


def _state_edit(program: Program, random: Random) -> tuple[str, Program]:
    """A state less, or one of another axis, or of other tensors."""
    number = random.randrange(len(program.states))
    state = program.states[number]
    field = random.choice(["axis", "input", "output", "position", ""])
    states = [*program.states]
    if not field:
        del states[number]
    elif field == "axis":
        states[number] = dataclasses.replace(state, axis=random.choice([-2, -1, 0, 1, 2, 3]))
    else:
        changes: dict[str, Any] = {field: random.choice(program.tensors).name}
        states[number] = dataclasses.replace(state, **changes)
    return f"state {state} -> {states}", dataclasses.replace(program, states=tuple(states))


def table_edit(program: Program, random: Random) -> tuple[str, Program]:
    """One number or enumeration of the tensor table, or the bytes of DRAM."""
    if random.random() < 0.1:
        what, dram_bytes = random.choice(list(edits(program.dram_bytes)))
        return f"dram_bytes{what}", dataclasses.replace(program, dram_bytes=dram_bytes)
    if program.states and random.random() < 0.2:
        return _state_edit(program, random)
    number = random.randrange(len(program.tensors))
    what, tensor = random.choice(list(edits(program.tensors[number])))
    tensors = (*program.tensors[:number], tensor, *program.tensors[number + 1 :])
    return f"tensor {tensor.name}{what}", dataclasses.replace(program, tensors=tensors)


def constant_edit(program: Program, random: Random) -> tuple[str, Program] | None:
    """One byte of the constants."""
    if not len(program.constants):
        return None
    constants = program.constants.copy()
    place = random.randrange(len(constants))
    constants[place] ^= 1 << random.randrange(8)
    return f"constants[{place}]", dataclasses.replace(program, constants=constants)


Edit = Callable[[Program, Random], tuple[str, Program] | None]
EDITS: dict[str, Edit] = {
    "number": number_edit,
    "attribute": attribute_edit,
    "place": place_edit,
    "strides": stride_edit,
    "table": table_edit,
    "constant": constant_edit,
}


def random_edit(program: Program, random: Random) -> tuple[str, str, Program]:
    """A random edit: its kind, what it changes, and the program."""
    while True:
        kind = random.choice(list(EDITS))
        edited = EDITS[kind](program, random)
        if edited is not None:
            return (kind, *edited)

"""Hypothesis strategies for instructions and programs, derived from the types of the fields."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from enum import Enum
from typing import Any

import numpy as np
from hypothesis import strategies as st

from nnc.isa.chip.load import load_chip
from nnc.isa.instruction import ENGINES, INSTRUCTIONS, Instruction, field_types
from nnc.isa.operand import DRAM, MAX_RANK, Operand, dense_strides
from nnc.isa.program import Content, GroupInfo, Issued, Note, Program, State, Tensor, TensorRole, Wait
from nnc.isa.types import DType

CHIP = load_chip("vdsp12")
NAMES = st.one_of(
    st.sampled_from(["conv1", "/layer1/conv/Conv", "", 'say "x"', "a\nb", "größe ; # @r1", "none", "()"]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
)
INTS = st.one_of(st.integers(-4, 40), st.integers(-(2**63), 2**63 - 1))
FLOATS = st.one_of(st.sampled_from([0.0, -0.0, 1.0, 0.1, float("inf"), float("nan")]), st.floats())


@st.composite
def operands(draw: st.DrawFn, memories: tuple[str, ...] = (DRAM, "sm", "am")) -> Operand:
    """Any block of bytes that is possible, dense or strided."""
    shape = tuple(draw(st.lists(st.integers(1, 300), max_size=MAX_RANK)))
    dtype = draw(st.sampled_from(DType))
    if draw(st.booleans()):
        strides = tuple(draw(st.integers(-(2**20), 2**20)) for _ in shape)
    else:
        strides = dense_strides(shape, dtype.itemsize)
        if strides and strides[0] >= 2**47:
            shape, strides = (), ()
    low = sum((extent - 1) * stride for extent, stride in zip(shape, strides, strict=True) if stride < 0)
    high = sum((extent - 1) * stride for extent, stride in zip(shape, strides, strict=True) if stride > 0)
    if high - low > 2**47:
        shape, strides, low = (), (), 0
    return Operand(draw(st.sampled_from(memories)), draw(st.integers(0, 2**40)) - low, dtype, shape, strides)


BY_TYPE: dict[Any, st.SearchStrategy[Any]] = {
    int: INTS,
    float: FLOATS,
    bool: st.booleans(),
    Operand: operands(),
    Operand | None: st.none() | operands(),
    tuple[int, ...]: st.lists(INTS, max_size=4).map(tuple),
    tuple[float, ...]: st.lists(FLOATS, max_size=4).map(tuple),
    tuple[Operand, ...]: st.lists(operands(), max_size=3).map(tuple),
}


def _values(hint: Any) -> st.SearchStrategy[Any]:
    return st.sampled_from(hint) if isinstance(hint, type) and issubclass(hint, Enum) else BY_TYPE[hint]


def instructions_of(cls: type[Instruction]) -> st.SearchStrategy[Instruction]:
    """Instructions of one class with arbitrary fields; half of the optional ones keep their defaults."""
    fields = {}
    for field in dataclasses.fields(cls):
        values = _values(field_types(cls)[field.name])
        optional = field.default is not dataclasses.MISSING
        fields[field.name] = st.just(field.default) | values if optional else values
    return st.builds(cls, **fields)


INSTRUCTION = st.sampled_from(sorted(INSTRUCTIONS)).flatmap(lambda name: instructions_of(INSTRUCTIONS[name]))
WAITS = st.builds(Wait, st.integers(0, CHIP.cores - 1), st.sampled_from(ENGINES), st.integers(0, 2**31 - 1))


def _with_contents(item: Issued) -> st.SearchStrategy[Issued]:
    """The instruction with contents of its operands, or without any."""

    def content(block: Operand) -> st.SearchStrategy[Content | None]:
        strides = st.tuples(*(st.integers(0, 64) for _ in block.shape))
        found = st.none() | st.builds(Content, NAMES, st.integers(0, 2**30), strides)
        if len(block.shape) != 1 or not block.elements:
            return found
        pairs = st.tuples(st.integers(0, 64), st.integers(0, 64))
        shapes = st.tuples(st.just(1), st.integers(1, block.elements))
        return found | st.builds(Content, NAMES, st.integers(0, 2**30), pairs, shapes)

    blocks = [block for block, _, _ in item.instruction.accesses()]
    contents = st.just(()) | st.tuples(*map(content, blocks))
    return contents.map(lambda found: replace(item, note=replace(item.note, contents=found)))


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Small programs with every kind of content; their instructions make no sense."""
    groups = draw(
        st.lists(
            st.builds(
                GroupInfo, NAMES, st.lists(NAMES, max_size=3).map(tuple), st.integers(0, 2**31 - 1), NAMES
            ),
            max_size=3,
        )
    )
    note = st.builds(Note, st.integers(-1, len(groups) - 1), st.integers(0, 2**31 - 1), NAMES)
    issued = st.builds(
        Issued,
        st.integers(0, CHIP.cores - 1),
        INSTRUCTION,
        st.lists(WAITS, max_size=3).map(tuple),
        st.just(Note()) | note,
    ).flatmap(_with_contents)
    constants = np.frombuffer(draw(st.integers(0, 3).flatmap(_constants)), dtype=np.uint8)
    blocks = draw(st.dictionaries(NAMES, operands(memories=(DRAM,)), max_size=3))
    padding = st.lists(operands(memories=(DRAM,)), max_size=2).map(tuple)
    tensors = tuple(
        Tensor(name, draw(st.sampled_from(TensorRole)), block, draw(_reserved(block)), draw(padding))
        for name, block in blocks.items()
    )
    states = draw(_states(tensors))
    ports = [t.name for t in tensors if t.role in (TensorRole.INPUT, TensorRole.OUTPUT)]
    return Program(
        chip=CHIP,
        tensors=(*tensors, *states[1]),
        constants=constants,
        issued=tuple(draw(st.lists(issued, max_size=5))),
        dram_bytes=draw(st.integers(constants.size, 2**40)),
        groups=tuple(groups),
        facts=draw(st.dictionaries(NAMES, INTS, max_size=3)),
        states=states[0],
        host_tensors=tuple(draw(st.lists(st.sampled_from(ports), unique=True)) if ports else ()),
    )


@st.composite
def _states(draw: st.DrawFn, tensors: tuple[Tensor, ...]) -> tuple[tuple[State, ...], tuple[Tensor, ...]]:
    """States, all of which get as many rows, and their tensors."""
    taken = {tensor.name for tensor in tensors}
    names = draw(st.lists(NAMES.filter(lambda name: name not in taken), max_size=4, unique=True))
    rows, axis = draw(st.integers(1, 3)), draw(st.integers(-1, 1))
    before = Operand.dense(DRAM, 2**20, DType.F32, (4, 4))
    shape = [4, 4]
    if axis >= 0:
        shape[axis] = rows
    after = Operand(DRAM, 2**21, DType.F32, tuple(shape), before.strides)
    position = names.pop() if names and axis >= 0 else ""
    states, made = [], []
    for name in names if axis < 0 or position else ():
        states.append(State(name, name, axis, position))
        made += [Tensor(name, TensorRole.INPUT, before), Tensor(name, TensorRole.OUTPUT, after)]
    if states and position:
        role = draw(st.sampled_from([TensorRole.INPUT, TensorRole.OUTPUT]))
        made.append(Tensor(position, role, Operand.dense(DRAM, 2**22, DType.I64, (1,))))
    return tuple(states), tuple(made)


def _reserved(block: Operand) -> st.SearchStrategy[int]:
    low, high = block.hull
    return st.just(0) | st.integers(high - low, 2**40) if high - low <= 2**40 else st.just(0)


def _constants(blocks: int) -> st.SearchStrategy[bytes]:
    return st.binary(min_size=64 * blocks, max_size=64 * blocks)

"""The table of shape rules, and what many of them ask."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from nnc.isa.instruction import Instruction, Phase
from nnc.isa.instructions import MacInstruction, Reduce
from nnc.isa.operand import Operand
from nnc.isa.rule_table import RuleTable
from nnc.isa.types import DType

Shape = tuple[int, ...]
RULES = RuleTable[Instruction, Callable[[Any], Iterable[str]]]()
rule = RULES.rule
INDEX_TYPES = (DType.I8, DType.U8, DType.I16, DType.U16, DType.I32, DType.U32, DType.I64, DType.U64)


def equal(what: str, found: object, expected: object) -> Iterator[str]:
    """Nothing if what was found is what was expected."""
    if found != expected:
        yield f"{what} is {found}, expected {expected}"


def broadcasts(name: str, block: Operand | None, shape: Shape) -> Iterator[str]:
    """Nothing if a block is absent, or broadcasts to the shape."""
    if block is None:
        return
    tail = shape[len(shape) - len(block.shape) :]
    if len(block.shape) > len(shape) or any(a not in (1, b) for a, b in zip(block.shape, tail, strict=True)):
        yield f"{name} of shape {block.shape} does not broadcast to {shape}"


def per_axis(rank: int, least: int | None, **lists: tuple[int, ...]) -> Iterator[str]:
    """Attributes with one value per axis, each at least `least`."""
    for name, values in lists.items():
        if len(values) != rank or (least is not None and any(value < least for value in values)):
            bound = "" if least is None else f" ≥ {least}"
            yield f"{name} is {values}, expected {rank} values{bound}"


def distinct_axes(axes: tuple[int, ...], rank: int) -> Iterator[str]:
    """Nothing if the axes are different axes of that rank."""
    if any(not -rank <= axis < rank for axis in axes) or len({axis % rank for axis in axes}) != len(axes):
        yield f"axes {axes} are not distinct axes of rank {rank}"


def inside(name: str, shape: Shape, origin: Shape, extent: Shape) -> Iterator[str]:
    """Nothing if a tile lies inside the whole tensor."""
    if any(o < 0 or o + n > e for n, o, e in zip(shape, origin, extent, strict=True)):
        yield f"{name} tile {shape} at {origin} leaves the whole tensor {extent}"


def result_of(i: MacInstruction | Reduce) -> Operand | None:
    """Where the result goes: dst, or the partial sums."""
    return i.dst if i.dst is not None else i.accumulator


def phase_fits(i: MacInstruction | Reduce) -> Iterator[str]:
    """Which of dst and accumulator a phase has, and that they agree."""
    if (i.dst is None) != (i.phase in (Phase.START, Phase.ADD)):
        yield f"phase {i.phase.value} {'lacks' if i.dst is None else 'has'} a dst"
    if (i.accumulator is None) != (i.phase is Phase.WHOLE):
        yield f"phase {i.phase.value} {'lacks' if i.accumulator is None else 'has'} an accumulator"
    if i.accumulator is not None and i.dst is not None:
        yield from equal("accumulator shape", i.accumulator.shape, i.dst.shape)

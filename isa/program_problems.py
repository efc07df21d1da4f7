"""What contradicts the chip or a program's own tables, so that no file can hold the program."""

from __future__ import annotations

from functools import lru_cache
from math import prod

import numpy as np

from nnc.isa.operand import DRAM, Operand, operand_problem, reach
from nnc.isa.program import (
    CONSTANT_ALIGN,
    MAX_DRAM_BYTES,
    MAX_INDEX,
    Issued,
    Program,
    Tensor,
    TensorRole,
)
from nnc.isa.types import DType


def problem_of(program: Program) -> str:
    """What contradicts the chip or the program's own tables, so that no file can hold it; empty if nothing.

    This covers numbers of cores and groups, the tensor table and the constants, not what the instructions do:
    that is the verifier's business.
    """
    size = program.constants.size
    if program.constants.dtype != np.uint8 or program.constants.ndim != 1 or size % CONSTANT_ALIGN:
        return f"the constants are not a vector of uint8 with a multiple of {CONSTANT_ALIGN} elements"
    if not size <= program.dram_bytes <= MAX_DRAM_BYTES:
        return f"{program.dram_bytes} bytes of DRAM, expected {size} (the constants) … {MAX_DRAM_BYTES}"
    names = set()
    for tensor in program.tensors:
        if tensor.block.memory != DRAM:
            return f"tensor {tensor.name!r} lies in {tensor.block.memory}, not in DRAM"
        if problem := operand_problem(tensor.block, least=0):
            return f"tensor {tensor.name!r}: {problem}"
        if problem := next(filter(None, map(operand_problem, tensor.padding)), ""):
            return f"padding of tensor {tensor.name!r}: {problem}"
        if (tensor.name, tensor.role is TensorRole.OUTPUT) in names:
            return f"tensor {tensor.name!r} is in the table twice"
        if tensor.reserved and not _block_bytes(tensor) <= tensor.reserved <= MAX_DRAM_BYTES:
            return (
                f"tensor {tensor.name!r} reserves {tensor.reserved} B, its block has {_block_bytes(tensor)}"
            )
        if any(block.memory != DRAM for block in tensor.padding):
            return f"padding of tensor {tensor.name!r} does not lie in DRAM"
        names.add((tensor.name, tensor.role is TensorRole.OUTPUT))
    if problem := _states_problem(program):
        return problem
    ports = {
        tensor.name for tensor in program.tensors if tensor.role in (TensorRole.INPUT, TensorRole.OUTPUT)
    }
    if len({*program.host_tensors} & ports) < len(program.host_tensors):
        return f"the host's tensors {', '.join(program.host_tensors)} are not inputs and outputs, each once"
    if not all(0 <= group.parts <= MAX_INDEX for group in program.groups):
        return f"a group has less than 0 or more than {MAX_INDEX} parts"
    return next(filter(None, (_issue_problem(program, i) for i in range(len(program.issued)))), "")


def _states_problem(program: Program) -> str:
    """Why a pair of tensors is no state; empty if all are."""
    blocks = {(tensor.role, tensor.name): tensor.block for tensor in program.tensors}
    used: set[tuple[TensorRole, str]] = set()
    rows: set[int] = set()
    for state in program.states:
        what = f"state {state.input!r}"
        if missing := [
            f"{role.value} {name!r}" for role, name in state.tensors if (role, name) not in blocks
        ]:
            return f"{what}: there is no {missing[0]}"
        if not used.isdisjoint(state.tensors):
            return f"{what}: its input or output is another state's, too"
        used.update(state.tensors)
        before, after = (blocks[of] for of in state.tensors)
        if not _are_rows(before, after, state.axis):
            return f"{what}: output {after} is not rows of {before} along axis {state.axis}"
        positions = (blocks.get((role, state.position)) for role in (TensorRole.INPUT, TensorRole.OUTPUT))
        is_known = any(block and block.dtype in (DType.I32, DType.I64) for block in positions)
        if state.axis >= 0 and not is_known:
            return f"{what}: its position is {state.position!r}, expected an input or an output of i32 or i64"
        rows.update({after.shape[state.axis]} if state.axis >= 0 else ())
    return "a run adds different numbers of rows to states" if len(rows) > 1 else ""


def _are_rows(before: Operand, after: Operand, axis: int) -> bool:
    """Whether a block is rows of another one, all of them if there is no axis (-1)."""
    if not -1 <= axis < len(before.shape) or len(before.shape) != len(after.shape):
        return False
    extents = enumerate(zip(before.shape, after.shape, strict=True))
    steps = zip(after.shape, before.strides, after.strides, strict=True)
    return (
        before.dtype == after.dtype
        and all(new <= old if number == axis else new == old for number, (old, new) in extents)
        and all(a == b for n, a, b in steps if n > 1)
    )


def _block_bytes(tensor: Tensor) -> int:
    low, high = tensor.block.hull
    return high - low


def _issue_problem(program: Program, index: int) -> str:
    item, cores = program.issued[index], program.chip.cores
    place = f"instruction {index} ({item.instruction.mnemonic})"
    if not 0 <= item.core < cores:
        return f"{place} is for core {item.core}, the chip has {cores}"
    for wait in item.waits:
        if not (0 <= wait.core < cores and 0 <= wait.index <= MAX_INDEX):
            return (
                f"{place} waits for instruction {wait.index} of core {wait.core}, the chip has {cores} cores"
            )
    problem = note_problem(item, len(program.groups))
    return f"{place}: {problem}" if problem else ""


def note_problem(item: Issued, groups: int) -> str:
    """Why an instruction of a program of so many groups cannot have its note; empty if it can."""
    group, part = item.note.group, item.note.part
    if not (-1 <= group < groups and 0 <= part <= MAX_INDEX):
        return f"it is noted as part {part} of group {group}, there are {groups} groups"
    contents = item.note.contents
    if not contents:
        return ""
    blocks = [block for block, _, _ in item.instruction.accesses()]
    if len(contents) != len(blocks):
        return f"it has {len(blocks)} operands, and the contents of {len(contents)} are noted"
    for block, content in zip(blocks, contents, strict=True):
        if content is None:
            continue
        span = _elements(block.shape, block.strides, block.dtype.itemsize, content.shape, content.strides)
        if isinstance(span, str):
            return span
        low, high = content.offset + span[0], content.offset + span[1]
        if low < 0 or high >= MAX_DRAM_BYTES:
            return f"elements {low} … {high} of {content.buffer} are not all in 0 … {MAX_DRAM_BYTES}"
    return ""


@lru_cache(maxsize=65536)
def _elements(
    block: tuple[int, ...],
    steps: tuple[int, ...],
    itemsize: int,
    shape: tuple[int, ...] | None,
    strides: tuple[int, ...] | None,
) -> tuple[int, int] | str:
    """First and last element that contents touch, from their offset on, or why there are no such contents.

    Args:
        block, steps: shape and strides of the operand; shape, strides: of its contents.
    """
    extents = block if shape is None else shape
    distances = tuple(step // itemsize for step in steps) if strides is None else strides
    if len(distances) != len(extents):
        return f"{len(distances)} strides of contents for an operand of rank {len(extents)}"
    is_packed = len(block) == 1 and min(extents, default=1) > 0 and prod(extents) <= prod(block)
    if shape is not None and not is_packed:
        return f"contents of shape {shape} in an operand of shape {block}"
    return reach(extents, distances)

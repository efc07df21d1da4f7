"""Verifier, part 3: the bytes.  Nothing is read before it is written, nothing races, outputs are complete.

Each memory gets shadow arrays with one entry per granule, the largest unit that divides all addresses,
strides and element sizes used in it, so strided blocks are compared exactly.  A shadow holds, per engine and
kind of access, the position + 1 of the last instruction of that engine that touched the granule.
Instructions are taken in an order that respects happens-before; an access conflicts exactly if a shadow under
it holds a position that the instruction's clock has not reached.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from math import gcd
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.isa.instructions import Store
from nnc.isa.integers import ceil_div
from nnc.isa.operand import DRAM, Operand
from nnc.isa.program import Program, TensorRole
from nnc.isa.timing.accesses import touched
from nnc.runtime.shadow import by_element, end_of_tensors, reserved_granules
from nnc.runtime.verifier.finding import Report, Rule
from nnc.runtime.verifier.happens_before import Order

_WRITTEN, _OUTPUT, _INPUT, _READ = 1, 2, 4, 8
_NOBODY = -2
"""Instead of the group of the last writer; instructions of no group have -1."""
_SPILLED = (TensorRole.SPILL, TensorRole.SCRATCH)
"""Roles of tensors in DRAM that a group may write and read again."""


def check_data(report: Report, order: Order, usable: list[bool], granules: dict[str, int]) -> None:
    """Report unordered conflicts, reads of unwritten bytes, and writes that inputs or outputs forbid."""
    checker = _DataChecker(report, order, granules)
    for index in order.sequence:
        if usable[index]:
            checker.visit(index)
    checker.finish()


@dataclass(slots=True)
class _Shadow:
    """The last accesses of one engine and kind to one memory, and a summary that saves most comparisons."""

    last: npt.NDArray[np.int32]
    latest: int = 0
    low: int = 0
    high: int = 0

    def mark(self, view: Any, span: tuple[int, int], stamp: int) -> None:
        view[...] = stamp
        self.low, self.high = (min(self.low, span[0]), max(self.high, span[1])) if self.latest else span
        self.latest = stamp


@dataclass(slots=True)
class _Memory:
    """One memory of one core, or the DRAM after the constants."""

    base: int
    granule: int
    state: npt.NDArray[np.uint8]
    reads: dict[int, _Shadow] = field(default_factory=dict)
    writes: dict[int, _Shadow] = field(default_factory=dict)


class _DataChecker:
    def __init__(self, report: Report, order: Order, granules: dict[str, int]) -> None:
        self._report = report
        self._order = order
        self._program = report.program
        self._granules = granules
        self._memories: dict[tuple[str, int], _Memory] = {}
        dram = self._memory(DRAM, -1)
        self._reserved = reserved_granules(report.program, dram.granule)
        dram.state[self._reserved] |= _WRITTEN
        self._writers = np.full(len(dram.state), _NOBODY, dtype=np.int32)
        spilled = (tensor.block.hull for role in _SPILLED for tensor in report.program.by_role(role))
        self._spilled = tuple(spilled)
        for role, mark in ((TensorRole.OUTPUT, _OUTPUT), (TensorRole.INPUT, _INPUT | _WRITTEN)):
            for tensor in report.program.by_role(role):
                view, _ = _view(dram.state, dram, tensor.block)
                view |= mark

    def visit(self, index: int) -> None:
        """Compare all accesses of an instruction with those before, then enter them."""
        stream, position = self._report.places.places[index]
        marks = []
        for name, core, block, access, at_issue in touched(self._program, index):
            if name == DRAM and block.hull[0] < len(self._program.constants):
                if access.writes:
                    self._report.add(Rule.READ_ONLY, index, f"{block}: writes constants")
                continue
            memory = self._memory(name, core)
            own = -1 if at_issue else stream
            if access.reads:
                self._check_read(index, memory, block, own)
                if name == DRAM:
                    self._check_interior(index, memory, block)
                marks.append((memory, memory.reads, block))
            if access.writes:
                self._check_write(index, memory, block, own)
                marks.append((memory, memory.writes, block))
        for memory, shadows, block in marks:
            if stream not in shadows:
                shadows[stream] = _Shadow(np.zeros(len(memory.state), dtype=np.int32))
            view, span = _view(shadows[stream].last, memory, block)
            shadows[stream].mark(view, span, position + 1)
            if shadows is memory.writes:
                state, _ = _view(memory.state, memory, block)
                state |= _WRITTEN
                if block.memory == DRAM:
                    group, _ = _view(self._writers, memory, block)
                    group[...] = self._program.issued[index].note.group

    def finish(self) -> None:
        """Report the outputs that were not written to the last byte."""
        dram = self._memory(DRAM, -1)
        for tensor in self._program.by_role(TensorRole.OUTPUT):
            view, _ = _view(dram.state, dram, tensor.block)
            missing = int(((view & _WRITTEN) == 0).sum()) * dram.granule
            if missing:
                self._report.add_tensor(Rule.OUTPUT, tensor.name, f"{missing} bytes are never written")
        for tensor in self._program.by_role(TensorRole.BOUNDARY):
            view, _ = _view(dram.state, dram, tensor.block)
            writers, _ = _view(self._writers, dram, tensor.block)
            used = bool((view & (_READ | _OUTPUT)).any())  # an output may be a part of it
            if not used and bool((writers != _NOBODY).any()):
                self._report.add_tensor(Rule.INTERIOR, tensor.name, "is written to DRAM and never read there")

    def _memory(self, name: str, core: int) -> _Memory:
        key = (name, core)
        if key not in self._memories:
            program, granule = self._program, self._granules[name]
            base = len(program.constants) if name == DRAM else 0
            size = end_of_tensors(program) - base if name == DRAM else program.reach[name]
            self._memories[key] = _Memory(base, granule, np.zeros(ceil_div(size, granule), dtype=np.uint8))
        return self._memories[key]

    def _check_read(self, index: int, memory: _Memory, block: Operand, own: int) -> None:
        state, _ = _view(memory.state, memory, block)
        missing = int(((state & _WRITTEN) == 0).sum())
        if missing and isinstance(store := self._program.issued[index].instruction, Store):
            missing = self._unwritten_elements(memory, store) * (block.dtype.itemsize // memory.granule)
        if missing:
            text = f"{block}: reads {missing * memory.granule} bytes that nothing before it wrote"
            self._report.add(Rule.UNWRITTEN, index, text)
        self._conflicts(index, memory, memory.writes, block, own, "reads what {} may write at the same time")

    def _unwritten_elements(self, memory: _Memory, store: Store) -> int:
        """Elements of a store that nothing wrote on chip; what goes to reserved bytes does not count."""
        written = by_element(memory.state, store.src, memory.granule) & _WRITTEN
        dram = self._memory(DRAM, -1)
        if store.dst.shape != store.src.shape or store.dst.hull[0] < dram.base:
            return int((written == 0).any(axis=-1).sum())
        reserved = by_element(self._reserved, store.dst, dram.granule, dram.base)
        return int(((written == 0).any(axis=-1) & ~reserved.all(axis=-1)).sum())

    def _check_interior(self, index: int, memory: _Memory, block: Operand) -> None:
        """A group reads no byte of DRAM that it wrote itself, spills aside: groups keep what is their own."""
        low, high = block.hull
        group = self._program.issued[index].note.group
        writers, _ = _view(self._writers, memory, block)
        state, _ = _view(memory.state, memory, block)
        state |= _READ
        own = int((writers == group).sum()) if group >= 0 else 0
        if own and not any(first <= low and high <= last for first, last in self._spilled):
            text = f"{block}: reads {own * memory.granule} bytes that its own group {group} wrote to DRAM"
            self._report.add(Rule.INTERIOR, index, text)

    def _check_write(self, index: int, memory: _Memory, block: Operand, own: int) -> None:
        if block.memory == DRAM:
            state, _ = _view(memory.state, memory, block)
            if bool((state & _INPUT).any()):
                self._report.add(Rule.READ_ONLY, index, f"{block}: writes an input")
            again = int(((state & (_OUTPUT | _WRITTEN)) == _OUTPUT | _WRITTEN).sum())
            if again:
                text = f"{block}: writes {again * memory.granule} bytes of an output again"
                self._report.add(Rule.OUTPUT, index, text)
        self._conflicts(index, memory, memory.writes, block, own, "writes what {} may write at the same time")
        self._conflicts(index, memory, memory.reads, block, own, "writes what {} may read at the same time")

    def _conflicts(
        self, index: int, memory: _Memory, shadows: dict[int, _Shadow], block: Operand, own: int, text: str
    ) -> None:
        """Report the latest unordered access of each other engine to bytes of the block."""
        clock = self._order.clock[index]
        for stream, shadow in shadows.items():
            reached = clock[stream]
            if shadow.latest <= reached or stream == own:
                continue
            view, (low, high) = _view(shadow.last, memory, block)
            if high <= shadow.low or shadow.high <= low:
                continue
            last = int(view.max())
            if last > reached:
                access = self._report.places.label(self._report.places.members[stream][last - 1])
                self._report.add(Rule.RACE, index, f"{block}: {text.format(access)}")


def granules_of(program: Program, usable: list[bool]) -> dict[str, int]:
    """Per memory the largest unit that divides every address, stride and element size used in it, bytes."""
    image = len(program.constants)
    blocks = {
        block
        for i, item in enumerate(program.issued)
        if usable[i]
        for block, _, _ in item.instruction.accesses()
    }
    viewed = (TensorRole.INPUT, TensorRole.OUTPUT, TensorRole.BOUNDARY)
    blocks |= {
        tensor.block
        for tensor in program.tensors
        if tensor.role in viewed or (tensor.reserved and tensor.role is not TensorRole.CONSTANT)
    }
    granules = {DRAM: 0} | dict.fromkeys(program.chip.memory, 0)
    for block in blocks:
        base = image if block.memory == DRAM else 0
        steps = [s for s, e in zip(block.strides, block.shape, strict=True) if e > 1]
        if block.address >= base:
            granules[block.memory] = gcd(
                granules[block.memory], block.address - base, block.dtype.itemsize, *steps
            )
    reserved = (tensor.reserved for tensor in program.tensors if tensor.role is not TensorRole.CONSTANT)
    granules[DRAM] = gcd(granules[DRAM], *reserved)
    return {name: granule or 1 for name, granule in granules.items()}


@lru_cache(maxsize=65536)
def _layout(
    shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int, granule: int
) -> tuple[int, int, tuple[int, ...], tuple[int, ...]]:
    """A block as granules: offset of the lowest from the address, span, and merged axes, outermost first."""
    if 0 in shape:
        return 0, 0, (0,), (1,)
    axes = [(1, itemsize // granule)]
    offset = 0
    for stride, extent in sorted((abs(s), e) for s, e in zip(strides, shape, strict=True)):
        step = stride // granule
        if extent == 1 or step == 0:
            continue
        if step == axes[-1][0] * axes[-1][1]:
            axes[-1] = (axes[-1][0], axes[-1][1] * extent)
        else:
            axes.append((step, extent))
    for stride, extent in zip(strides, shape, strict=True):
        if stride < 0:
            offset += stride // granule * (extent - 1)
    span = 1 + sum((extent - 1) * step for step, extent in axes)
    axes = axes[1:] if axes[0][1] == 1 < len(axes) else axes
    axes.reverse()
    return offset, span, tuple(extent for _, extent in axes), tuple(step for step, _ in axes)


def _view(
    shadow: npt.NDArray[Any], memory: _Memory, block: Operand
) -> tuple[npt.NDArray[Any], tuple[int, int]]:
    """The entries of a shadow under a block, as a view, and the range of entries that holds them."""
    offset, span, extents, steps = _layout(block.shape, block.strides, block.dtype.itemsize, memory.granule)
    first = (block.address - memory.base) // memory.granule + offset
    if len(extents) == 1:
        return shadow[first : first + span : steps[0]], (first, first + span)
    size = shadow.itemsize
    view: npt.NDArray[Any] = np.ndarray(
        extents,
        shadow.dtype,
        buffer=shadow,
        offset=first * size,
        strides=tuple(step * size for step in steps),
    )
    return view, (first, first + span)

"""Verifier, part 4: what the bytes mean.  What is read as elements of a tensor was last written as these.

The debug section says of operands which elements of which buffer they are (`Content`).  Per memory, a shadow
holds for every granule which element was last written there; the elements of all buffers are numbered in one
row, from 1 on.  A read is compared with the shadow under it, a write enters its elements.  Where a program
says nothing, nothing is insisted on.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.isa.instruction import Access, Role
from nnc.isa.instructions import Broadcast, Load, Store
from nnc.isa.integers import ceil_div
from nnc.isa.operand import DRAM, Operand
from nnc.isa.program import Content, Tensor, TensorRole, element_shape, element_strides
from nnc.runtime.shadow import by_element, end_of_tensors, reserved_granules
from nnc.runtime.verifier.finding import Report, Rule
from nnc.runtime.verifier.happens_before import Order

_MOST_KEPT = 2**20
"""Elements of a block up to which its numbers are kept for the next block like it."""
Elements = npt.NDArray[Any]
MAX_FINDINGS = 50
"""Later reads are wrong because earlier ones are: after so many the check stops."""


def check_contents(report: Report, order: Order, usable: list[bool], granules: dict[str, int]) -> None:
    """Report reads of bytes that hold other elements than the instruction takes them for."""
    checker = _ContentsChecker(report, order, usable, granules)
    checker.run()


@dataclass(frozen=True, slots=True)
class _Use:
    """An operand in one memory (core -1: DRAM), with what it is made of."""

    memory: str
    core: int
    block: Operand
    access: Access
    content: Content | None


class _ContentsChecker:
    def __init__(self, report: Report, order: Order, usable: list[bool], granules: dict[str, int]) -> None:
        self._report, self._program = report, report.program
        self._sequence = [index for index in order.sequence if usable[index]]
        self._findings = 0
        self._granules = granules
        self._reserved = reserved_granules(report.program, self._granules[DRAM])
        self._shadows: dict[tuple[str, int], Elements] = {}
        self._number()
        for tensor in self._program.by_role(TensorRole.INPUT):
            if tensor.name in self._first:
                use = _Use(DRAM, -1, tensor.block, Access.WRITE, Content(tensor.name, 0))
                self._under(use)[...] = self._elements(use)

    def _number(self) -> None:
        """Number the elements of all buffers."""
        sizes: dict[str, int] = {}
        for index in self._sequence:
            for use in self._uses(index):
                if use.content is not None:
                    shape = element_shape(use.block, use.content)
                    steps = zip(shape, element_strides(use.block, use.content), strict=True)
                    end = use.content.offset + sum(max(0, (n - 1) * s) for n, s in steps) + 1
                    sizes[use.content.buffer] = max(sizes.get(use.content.buffer, 0), end)
        for tensor in self._program.by_role(TensorRole.INPUT):
            if tensor.name in sizes:
                low, high = tensor.block.hull
                elements = (high - low) // tensor.block.dtype.itemsize
                sizes[tensor.name] = max(sizes[tensor.name], elements)
        self._starts = np.cumsum([1, *sizes.values()]).tolist()
        self._buffers = list(sizes)
        self._first = dict(zip(sizes, self._starts, strict=False))
        self._dtype = np.int32 if self._starts[-1] < 2**31 else np.int64

    def run(self) -> None:
        """Visit the instructions in the order until there are findings enough."""
        for number, index in enumerate(self._sequence):
            self._visit(index, number)
            if self._findings >= MAX_FINDINGS:
                return
        for tensor in self._program.by_role(TensorRole.OUTPUT):
            self._check_output(tensor)

    def _check_output(self, tensor: Tensor) -> None:
        """At the end an output holds its own elements in their places, if any operand is said to be of it.

        Of an output with the name of an input, operands of that name are the input.
        """
        inputs = {entry.name for entry in self._program.by_role(TensorRole.INPUT)}
        if tensor.name not in self._first or tensor.name in inputs:
            return
        use = _Use(DRAM, -1, tensor.block, Access.READ, Content(tensor.name, 0))
        actual, expected = self._under(use), self._elements(use)
        wrong = int(((actual != expected) & (actual != 0)).any(axis=-1).sum())
        if wrong:
            text = f"{wrong} of {tensor.block.elements} elements hold others in the end"
            self._report.add_tensor(Rule.CONTENTS, tensor.name, text)

    def _visit(self, index: int, number: int) -> None:
        """Compare what an instruction reads, enter what it writes.

        Args:
            number: place of the instruction in the order.
        """
        uses = list(self._uses(index))
        image = len(self._program.constants)
        for use in uses:
            constant = use.core < 0 and use.block.hull[0] < image
            if use.content is None or constant or not use.access.reads:
                continue
            actual, expected = self._under(use), self._elements(use)
            if not (actual == expected).all():
                wrong = (actual != expected) & (actual != 0) & (expected != 0)  # 0: nobody said what it is
                if wrong.any():
                    wrong &= ~self._is_padding(use, uses)
                if wrong.any():
                    self._report_read(index, number, use, expected, wrong)
        if isinstance(self._program.issued[index].instruction, Load | Broadcast | Store):
            self._check_transfer(index, uses)
        for use in uses:
            if use.access.writes and not (use.core < 0 and use.block.hull[0] < image):
                self._under(use)[...] = 0 if use.content is None else self._elements(use)

    def _is_padding(self, use: _Use, uses: list[_Use]) -> Elements:
        """Which elements of what a transfer reads are reserved in DRAM: what these are does not matter."""
        external = [
            candidate for candidate in uses if candidate.core < 0 and candidate.block.shape == use.block.shape
        ]
        if not external or external[0].block.hull[0] < len(self._program.constants):
            return np.zeros(1, dtype=np.bool_)
        base = len(self._program.constants)
        mask = by_element(self._reserved, external[0].block, self._granules[DRAM], base)
        padding: Elements = np.all(mask, axis=-1, keepdims=True)
        return padding

    def _uses(self, index: int) -> Iterator[_Use]:
        item = self._program.issued[index]
        accesses = list(item.instruction.accesses())
        contents = item.note.contents or (None,) * len(accesses)
        for (block, access, role), content in zip(accesses, contents, strict=True):
            cores: Sequence[int] = (item.core,)
            if role is Role.EXTERNAL:
                cores = (-1,)
            elif isinstance(item.instruction, Broadcast):
                cores = [core for core in item.instruction.receivers if core < self._program.chip.cores]
            for core in cores:
                yield _Use(DRAM if core < 0 else block.memory, core, block, access, content)

    def _under(self, use: _Use) -> Elements:
        """The shadow under a block, as a view with an axis more: the granules of an element."""
        granule, base = self._granules[use.memory], 0
        if use.core < 0:
            base = len(self._program.constants)
        key = (use.memory, use.core)
        if key not in self._shadows:
            size = end_of_tensors(self._program) if use.core < 0 else self._program.reach[use.memory]
            self._shadows[key] = np.zeros(ceil_div(size - base, granule), dtype=self._dtype)
        return by_element(self._shadows[key], use.block, granule, base)

    def _elements(self, use: _Use) -> Elements:
        """The numbers of the elements of a block, with an axis of extent 1 at the end."""
        assert use.content is not None
        shape = element_shape(use.block, use.content)
        offsets = _relative if prod(shape) <= _MOST_KEPT else _relative.__wrapped__
        relative = offsets(shape, element_strides(use.block, use.content), self._dtype)
        numbers: Elements = relative + self._dtype(self._first[use.content.buffer] + use.content.offset)
        if use.content.shape is None:
            return numbers
        packed = np.zeros(
            (use.block.elements, 1), dtype=self._dtype
        )  # reserved elements are none of a buffer
        packed[: numbers.size, 0] = numbers.reshape(-1)
        return packed

    def _check_transfer(self, index: int, uses: list[_Use]) -> None:
        """What a transfer reads and what it writes are the same elements."""
        named_uses = [use for use in uses if use.content is not None]
        if len({use.access for use in named_uses}) < 2:
            return
        said = {(use.content.buffer, use.content.offset, *_extents(use)) for use in named_uses if use.content}
        if len(said) > 1:
            shown = " and ".join(f"element {offset} of {buffer}" for buffer, offset, *_ in sorted(said))
            self._add(index, f"takes {shown} for the same, or steps through them otherwise")

    def _report_read(self, index: int, number: int, use: _Use, expected: Elements, wrong: Elements) -> None:
        actual = self._under(use)
        position = tuple(int(n) for n in np.argwhere(wrong)[0])
        address = use.block.address + sum(a * s for a, s in zip(position, use.block.strides, strict=False))
        wanted, there = self._said(int(expected[position[:-1]][0])), self._said(int(actual[position]))
        count = f"{int(wrong.any(axis=-1).sum())} of {prod(use.block.shape)} elements differ"
        text = f"{use.block}: reads {wanted}, but {use.memory}+{address:#x} holds {there}"
        self._add(index, f"{text}{self._writer(use, address, number)}; {count}")

    def _said(self, number: int) -> str:
        index = bisect(self._starts, number) - 1
        return f"element {number - self._starts[index]} of {self._buffers[index]}"

    def _writer(self, use: _Use, address: int, number: int) -> str:
        place = Operand(use.block.memory, address, use.block.dtype, (), ())
        for index in reversed(self._sequence[:number]):
            for candidate in self._uses(index):
                same = (candidate.memory, candidate.core) == (use.memory, use.core)
                if same and candidate.access.writes and candidate.block.overlaps(place):
                    return f", written by {self._report.places.label(index)}"
        return ""

    def _add(self, index: int, text: str) -> None:
        self._findings += 1
        self._report.add(Rule.CONTENTS, index, text)


def _extents(use: _Use) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Extents of the elements, and strides in the buffer, 0 along axes of one element."""
    assert use.content is not None
    shape, strides = element_shape(use.block, use.content), element_strides(use.block, use.content)
    return shape, tuple(s if n > 1 else 0 for n, s in zip(shape, strides, strict=True))


@lru_cache(maxsize=64)
def _relative(shape: tuple[int, ...], strides: tuple[int, ...], dtype: type[Any]) -> Elements:
    """Offsets of the elements of a block from its first one, with an axis of extent 1 at the end."""
    offsets = np.zeros((1,) * (len(shape) + 1), dtype=dtype)
    for axis, (extent, stride) in enumerate(zip(shape, strides, strict=True)):
        if extent > 1:  # the stride of a single element may be any
            along = np.arange(extent, dtype=dtype) * dtype(stride)
            offsets = offsets + along.reshape(-1, *(1,) * (len(shape) - axis))
    offsets.setflags(write=False)
    return offsets

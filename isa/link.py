"""Linking: programs of one model for several sizes of its inputs become entries of one image of the DRAM.

    linked = link({"prefill": prefill, "step": step})
    linked["step"]              a program as before, in the DRAM of all

              constants                    states            inputs, outputs and what is between, by entry
    prefill   [ w0 | w1 | w2'           ]  [ keys | values ]  [ ids | mask | … | scores ]
    step      [ w0 | w1 |     w2 | mask ]  [ keys | values ]  [ ids | mask | … ]

Packed constants with the same bytes lie there once, whichever entry reads them; states of one name are one
tensor.  Only one entry runs at a time, so the rest of an entry lies over that of the others.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from math import lcm

import numpy as np
import numpy.typing as npt

from nnc.isa.argument_types import typed
from nnc.isa.digests import digests
from nnc.isa.errors import OptionError
from nnc.isa.instruction import Instruction, Role, operand_specs
from nnc.isa.integers import round_up
from nnc.isa.operand import DRAM, Operand
from nnc.isa.program import CONSTANT_ALIGN, Program, Tensor, TensorRole
from nnc.isa.record import changed

Address = tuple[TensorRole, str]


@typed
def link(programs: Mapping[str, Program]) -> dict[str, Program]:
    """The programs in one DRAM, by name: all have the same constants, and states of one name are one tensor.

    Raises:
        OptionError: there is none, they are for different chips, or states of one name differ.
    """
    if not programs:
        raise OptionError("there is no program to link", remedy="name at least one")
    _check_chips(programs)
    image = _Image(next(iter(programs.values())))
    constants = {name: image.add_constants(program) for name, program in programs.items()}
    states = image.add_states(programs)
    rest = image.end
    linked = {}
    for name, program in programs.items():
        moves = {**constants[name], **states}
        linked[name] = _Relocation(program, moves, rest - len(program.constants)).run()
    data, size = image.data(), max(program.dram_bytes for program in linked.values())
    whole = {name: replace(program, constants=data, dram_bytes=size) for name, program in linked.items()}
    return {name: replace(program, facts=program.facts | digests(program)) for name, program in whole.items()}


def _check_chips(programs: Mapping[str, Program]) -> None:
    first, *others = programs.items()
    for name, program in others:
        if program.chip != first[1].chip:
            raise OptionError(
                "programs for different chips cannot be linked",
                where=name,
                found=program.chip.name,
                expected=f"the chip of {first[0]}, with the same overrides",
                remedy="compile them for one chip",
            )


class _Image:
    """The DRAM that all entries share: constants from address 0 on, then states.

    Attributes:
        end: one past the last byte so far.
    """

    def __init__(self, program: Program) -> None:
        chip = program.chip
        self._align = lcm(CONSTANT_ALIGN, chip.dram.burst, chip.dram.align)
        self._pieces: dict[bytes, int] = {}
        self._data: list[npt.NDArray[np.uint8]] = []
        self.end = 0

    def add_constants(self, program: Program) -> dict[Address, int]:
        """Where the constants of a program lie from now on."""
        places = {}
        for tensor in program.by_role(TensorRole.CONSTANT):
            low, high = tensor.extent
            data = program.constants[low:high]
            key = blake2b(data.data, digest_size=16).digest() + len(data).to_bytes(8, "little")
            if key not in self._pieces:
                self._pieces[key] = self.end
                self.end = round_up(self.end + len(data), self._align)
                self._data.append(data)
            places[tensor.role, tensor.name] = self._pieces[key]
        return places

    def add_states(self, programs: Mapping[str, Program]) -> dict[Address, int]:
        """Where states lie, by the name of their input.

        Raises:
            OptionError: those of one name have other shapes, types or strides.
        """
        places: dict[Address, int] = {}
        forms: dict[str, tuple[object, ...]] = {}
        for entry, program in programs.items():
            kept = {state.input for state in program.states}
            for tensor in (tensor for tensor in program.by_role(TensorRole.INPUT) if tensor.name in kept):
                block = tensor.block
                form = block.dtype.value, list(block.shape), list(block.strides)
                if forms.setdefault(tensor.name, form) != form:
                    raise OptionError(
                        "a state has different forms in the programs",
                        where=f"{tensor.name} of {entry}",
                        found=" ".join(map(str, form)),
                        expected=" ".join(map(str, forms[tensor.name])),
                        remedy="compile the programs with room for as many rows",
                    )
                if (tensor.role, tensor.name) not in places:
                    low, high = tensor.extent
                    places[tensor.role, tensor.name] = self.end
                    self.end = round_up(self.end + high - low, self._align)
        return places

    def data(self) -> npt.NDArray[np.uint8]:
        """The image of all constants."""
        size = round_up(sum(round_up(len(data), self._align) for data in self._data), CONSTANT_ALIGN)
        image = np.zeros(size, np.uint8)
        begin = 0
        for data in self._data:
            image[begin : begin + len(data)] = data
            begin = round_up(begin + len(data), self._align)
        return image


class _Relocation:
    """A program with its tensors at other addresses in the DRAM."""

    def __init__(self, program: Program, places: Mapping[Address, int], distance: int) -> None:
        """Args:
        places: where tensors begin, by role and name; distance: how far all others are moved.
        """
        self._program = program
        self._ranges = sorted(
            (*tensor.extent, places[tensor.role, tensor.name] - tensor.extent[0])
            for tensor in program.tensors
            if (tensor.role, tensor.name) in places
        )
        self._starts = [low for low, _, _ in self._ranges]
        self._distance = distance
        self._moved = cache(self._move)
        self._changed = cache(self._change)

    def run(self) -> Program:
        """The program, whose constants are still its own."""
        program = self._program
        tensors = tuple(map(self._tensor, program.tensors))
        issued = tuple(changed(item, instruction=self._changed(item.instruction)) for item in program.issued)
        end = max((tensor.extent[1] for tensor in tensors), default=0)
        size = max(program.dram_bytes + self._distance, round_up(end, CONSTANT_ALIGN))
        return replace(program, tensors=tensors, issued=issued, dram_bytes=size)

    def _tensor(self, tensor: Tensor) -> Tensor:
        padding = tuple(map(self._moved, tensor.padding))
        return changed(tensor, block=self._moved(tensor.block), padding=padding)

    def _change(self, instruction: Instruction) -> Instruction:
        specs = operand_specs(type(instruction)).items()
        outside = [name for name, spec in specs if spec.role is Role.EXTERNAL]
        moved = {name: self._moved(getattr(instruction, name)) for name in outside}
        return replace(instruction, **moved) if moved else instruction

    def _move(self, block: Operand) -> Operand:
        if block.memory != DRAM:
            return block
        low = block.hull[0] if block.elements else block.address
        position = bisect_right(self._starts, low) - 1
        distance = self._distance
        if position >= 0 and low < self._ranges[position][1]:
            distance = self._ranges[position][2]
        return changed(block, address=block.address + distance)

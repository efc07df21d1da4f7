"""States of a session: what inputs keep from run to run, and how many rows they hold.

    states.begin()             before a run: is there room?  inputs that take the position get it
    machine.run()              stores the new rows where none of the old ones are
    states.finish()            after it: the new rows count

What a chip does by the base addresses of tensors, the host of the simulated one does by copies after the run:
no instruction reads what a run adds.  A run that fails thereby changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.isa.errors import InputError
from nnc.isa.operand import Operand
from nnc.isa.program import Program, State, TensorRole

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class SavedState:
    """The states of a session between two runs.

    Attributes:
        position: rows that states with an axis hold.
        tensors: arrays by the name of the input, of its shape; what lies behind the position is of no matter.
    """

    position: int
    tensors: Mapping[str, Array]


class SessionStates:
    """The states of a program in the memories of one session; at first they are zero, and hold no rows.

    Attributes:
        position: rows that states with an axis hold.
        room: the most that they can hold.
        rows: that a run adds; 0 if no state has an axis.
    """

    def __init__(self, program: Program, view: Callable[[Operand], Array]) -> None:
        """Args:
        view: gives the array that an operand in DRAM names.
        """
        blocks = {(tensor.role, tensor.name): tensor.block for tensor in program.tensors}
        self._states: list[tuple[State, Array, Array]] = []
        for state in program.states:
            before, after = (view(blocks[of]) for of in state.tensors)
            self._states.append((state, before, after))
        positions = {state.position for state in program.states if state.axis >= 0}
        self._asked, self._answered = (
            [view(blocks[role, name]) for name in positions if (role, name) in blocks]
            for role in (TensorRole.INPUT, TensorRole.OUTPUT)
        )
        self.rows = max((after.shape[state.axis] for state, _, after in self._with_rows()), default=0)
        self.room = min((before.shape[state.axis] for state, before, _ in self._with_rows()), default=0)
        self.position = 0
        self.reset()

    def _with_rows(self) -> list[tuple[State, Array, Array]]:
        return [entry for entry in self._states if entry[0].axis >= 0]

    def reset(self) -> None:
        """Let all states be zero and hold no rows."""
        self.position = 0
        for _, before, _ in self._states:
            before[...] = 0

    def begin(self, rows: int) -> None:
        """Before a run that adds rows.

        Args:
            rows: of those that the run computes, how many count: the first ones.

        Raises:
            InputError: there is no room for them, or the run does not compute as many.
        """
        if not 0 <= rows <= self.rows:
            raise InputError(
                "a run cannot add as many rows to the states",
                found=f"{rows}" if abs(rows) < 2**31 else "a number beyond all extents",
                expected=f"0 … {self.rows}",
                remedy="say of how many tokens the inputs are",
            )
        if self.position + rows > self.room:
            raise InputError(
                "the states are full",
                found=f"{self.position} rows and {rows} more",
                expected=f"at most {self.room}",
                remedy="begin anew with Session.reset(), or compile the model with a greater length",
            )
        for asked in self._asked:
            asked[...] = self.position

    def finish(self, rows: int) -> None:
        """After a run: its first rows follow those of before.

        Raises:
            InputError: the other inputs are of another position; the states stay as they were.
        """
        for answer in self._answered:
            if (answer != self.position).any():
                raise InputError(
                    "the inputs are of another position than the states",
                    found=", ".join(map(str, np.unique(answer)[:8])),
                    expected=f"{self.position}, the rows that the states hold",
                    remedy="let mask, lengths or positions be those of as many tokens as came before, and of"
                    " the new ones; or begin anew with Session.reset()",
                )
        for state, before, after in self._states:
            if state.axis < 0:
                before[...] = after
            else:
                new = np.moveaxis(after, state.axis, 0)[:rows]
                np.moveaxis(before, state.axis, 0)[self.position : self.position + rows] = new
        self.position += rows

    def save(self) -> SavedState:
        """Copies of all states."""
        return SavedState(self.position, {state.input: before.copy() for state, before, _ in self._states})

    def restore(self, saved: SavedState) -> None:
        """Let the states be those that were saved, of this program or of another one of the same model.

        Raises:
            InputError: names, shapes or element types are others, or the position is none.
        """
        own = {state.input: before for state, before, _ in self._states}
        differing = sorted(own.keys() ^ saved.tensors.keys())
        forms = {name: (array.shape, array.dtype) for name, array in own.items()}
        for name, (shape, dtype) in () if differing else forms.items():
            array = saved.tensors[name]
            if array.shape != shape or array.dtype != dtype:
                differing.append(f"{name} {array.dtype}{list(array.shape)}, not {dtype}{list(shape)}")
        if differing or not 0 <= saved.position <= self.room:
            raise InputError(
                "the saved states are not of this program",
                found=", ".join(differing[:8]) or f"position {saved.position}",
                expected=f"{len(own)} states of at most {self.room} rows",
                remedy="save them from a program of the same model, compiled for the same length",
            )
        for name, before in own.items():
            before[...] = saved.tensors[name]
        self.position = saved.position

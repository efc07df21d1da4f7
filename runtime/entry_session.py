"""Running linked programs: entries of one model for several sizes of its inputs, with common states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.isa.argument_types import typed
from nnc.isa.errors import InputError, OptionError
from nnc.isa.nearest import did_you_mean
from nnc.isa.program import Program
from nnc.runtime.session import Session, as_array
from nnc.runtime.states import SavedState

Feeds = Mapping[str, npt.ArrayLike]
BUCKET = "bucket"
"""The fact of a program that is one of several sizes, which inputs are filled up to."""


class EntrySession:
    """Linked programs on a simulated chip; the entry of a run is the one whose inputs have the given shapes.

    >>> session = EntrySession(nnc.load_entries("decoder.bin"))
    >>> session.run(None, {"input_ids": prompt, "attention_mask": mask})        # of [1, 128]: "prefill"
    >>> session.run(None, {"input_ids": token, "attention_mask": mask})         # of [1, 1]: "step"

    States are those of all entries.  An entry is verified and bound when it first runs.  Threads must not
    share one, unlike a `Session`.
    """

    @typed
    def __init__(self, programs: Mapping[str, Program], *, verify: bool = True, poison: bool = False) -> None:
        """Args:
        programs: linked, by the names of the entries.
        verify, poison: as of `Session`.

        Raises:
            OptionError: there is none, or their states differ.
        """
        forms = {_form_of_states(program) for program in programs.values()}
        if len(forms) != 1:
            raise OptionError(
                "the programs have different states" if forms else "there is no program",
                where=", ".join(programs),
                remedy="link programs of one model, compiled with the same states: nnc.link",
            )
        self.programs = dict(programs)
        self._bind = partial(Session, verify=verify, poison=poison)
        self._sessions: dict[str, Session] = {}
        self._latest: Session | None = None

    def session(self, entry: str) -> Session:
        """The session of an entry, which has the states of all from now on.

        Raises:
            OptionError: there is no such entry.
            VerificationError: its program breaks a rule.
        """
        if entry not in self.programs:
            raise OptionError(
                "there is no such entry",
                found=entry,
                expected=", ".join(self.programs),
                remedy=did_you_mean(entry, [*self.programs], "name one of the entries"),
            )
        if entry not in self._sessions:
            self._sessions[entry] = self._bind(self.programs[entry], name=entry or "program")
        session = self._sessions[entry]
        if self._latest not in (None, session):
            session.restore(self._latest.state())
        self._latest = session
        return session

    @property
    def position(self) -> int:
        """Rows, most often tokens, that the states hold."""
        return 0 if self._latest is None else self._latest.position

    def reset(self) -> None:
        """Let all states be zero and hold no rows."""
        for session in self._sessions.values():
            session.reset()

    def state(self) -> SavedState:
        """Copies of all states."""
        return (self._latest or self.session(next(iter(self.programs)))).state()

    def restore(self, saved: SavedState) -> None:
        """Let the states be those that were saved.

        Raises:
            InputError: they are not of these programs.
        """
        (self._latest or self.session(next(iter(self.programs)))).restore(saved)

    @typed
    def run(
        self,
        output_names: Sequence[str] | None,
        input_feed: Feeds,
        *,
        entry: str | None = None,
        pad: bool | None = None,
        rows: int | None = None,
    ) -> list[npt.NDArray[Any]]:
        """Run an entry; see `Session.run`.

        Args:
            output_names: which outputs to return; None: all.
            input_feed: an array per input.
            entry: its name; None: the one that has these shapes.
            pad: take an entry with larger inputs if there is no other, the smallest, and fill up with zeros
                behind what is given; None: if the entries were compiled as buckets.  Outputs are of its
                shapes; whether their first rows are what a run without padding gives, the network decides:
                those of decoders are.
            rows: of those that a run adds to states, how many count; None: all but padded ones.

        Raises:
            InputError: no entry fits; else as `Session.run`.
        """
        feeds = {key: as_array(key, value) for key, value in input_feed.items()}
        is_padded = are_buckets(self.programs) if pad is None else pad
        name = entry_for(self.programs, feeds, pad=is_padded) if entry is None else entry
        session = self.session(name)
        if is_padded:
            feeds, missing = padded_to(session.program, feeds)
            if rows is None and session.added_rows:
                rows = session.added_rows - missing
        return session.run(output_names, feeds, rows=rows)


def are_buckets(programs: Mapping[str, Program]) -> bool:
    """Whether programs were compiled as buckets: the smallest that has room is taken, and filled up."""
    return all(program.facts.get(BUCKET) for program in programs.values())


def entry_for(programs: Mapping[str, Program], feeds: Feeds, *, pad: bool) -> str:
    """The entry whose inputs have the shapes of some arrays.

    Args:
        programs: by the names of the entries.
        feeds: arrays by input.
        pad: also one whose inputs are larger; the smallest of them.

    Raises:
        InputError: there is none.
    """
    shapes = {name: as_array(name, value).shape for name, value in feeds.items()}
    sizes = {}
    for entry, program in programs.items():
        wanted = {tensor.name: tensor.block.shape for tensor in program.given_inputs}
        if wanted == shapes:
            return entry
        if pad and wanted.keys() == shapes.keys() and all(_fits(shapes[n], wanted[n]) for n in wanted):
            sizes[entry] = sum(map(prod, wanted.values()))
    if sizes:
        return min(sizes, key=lambda entry: sizes[entry])
    raise InputError(
        "no entry has inputs of these shapes",
        found=_text(shapes),
        expected="; ".join(
            f"{entry}: {_text({t.name: t.block.shape for t in program.given_inputs})}"
            for entry, program in programs.items()
        ),
        remedy="give arrays of one of them, or smaller ones and pad=True; or compile another --entry",
    )


def padded_to(
    program: Program, feeds: Mapping[str, npt.NDArray[Any]]
) -> tuple[dict[str, npt.NDArray[Any]], int]:
    """Arrays with zeros behind their elements up to the shapes of inputs, and how many places were filled."""
    result, missing = dict(feeds), 0
    for tensor in program.given_inputs:
        if tensor.name in feeds and np.ndim(feeds[tensor.name]) == len(tensor.block.shape):
            result[tensor.name], places = _padded(feeds[tensor.name], tensor.block.shape)
            missing = max(missing, places)
    return result, missing


def _padded(array: npt.NDArray[Any], shape: tuple[int, ...]) -> tuple[npt.NDArray[Any], int]:
    """An array with zeros behind its elements, and how many places an axis got at most."""
    widths = [max(0, wanted - extent) for extent, wanted in zip(array.shape, shape, strict=True)]
    return np.pad(array, [(0, width) for width in widths]), max(widths, default=0)


def _fits(shape: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    return len(shape) == len(wanted) and all(a <= b for a, b in zip(shape, wanted, strict=True))


def _text(shapes: Mapping[str, tuple[int, ...]]) -> str:
    return ", ".join(f"{name} [{','.join(map(str, shape))}]" for name, shape in shapes.items())


def _form_of_states(program: Program) -> tuple[object, ...]:
    kept = {state.input for state in program.states}
    blocks = {tensor.name: tensor.block for tensor in program.tensors if tensor.name in kept}
    return tuple(sorted((name, block.dtype.value, block.shape) for name, block in blocks.items()))

"""Token by token, by programs of a decoder whose keys and values are states: a session keeps them.

    generator = Generator(*load_entries("decoder.bin").values())
    for token in generator.tokens([1, 4093, 198], most=64): ...

The programs are of one decoder, compiled with states for one new token (the step) and, if there are others
(prefill), for several: each takes as much of a prompt as is a multiple of these, the largest first, and the
step the rest.  Names are those that exporters use:

    input_ids       [1, new tokens]; position_ids are the same, if there is such an input
    attention_mask  [1, length]
    logits          scores of the token behind each, of which the last are taken
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nnc.isa.errors import OptionError
from nnc.isa.program import Program, TensorRole
from nnc.runtime.session import Session

Array = NDArray[Any]


@dataclass(frozen=True)
class RunCost:
    """What the runs of a generator took of the chip.

    Attributes:
        tokens: that went in, of the prompt and of what was generated.
        cycles, dram_bytes: of all runs; step_cycles, step_dram_bytes: of one step.
        floor_bytes, floor_cycles: the least that a step can move and take, by the floors of its program.
        clock_mhz: of the chip.
    """

    tokens: int
    cycles: int
    dram_bytes: int
    step_cycles: int
    step_dram_bytes: int
    floor_bytes: int
    floor_cycles: int
    clock_mhz: float


class Generator:
    """Greedy words of one decoder; a new text begins with empty states."""

    def __init__(self, *programs: Program) -> None:
        """Bind the programs.

        Args:
            programs: one takes one token, others several.

        Raises:
            OptionError: they are no decoder's, or not of the same.
        """
        bound = [_Bound(program, f"program {number}") for number, program in enumerate(programs)]
        self._programs = sorted(bound, key=lambda program: -program.tokens)
        self._step = self._programs[-1]
        if self._step.tokens != 1:
            raise _misfit("no program takes one token", f"{self._step.tokens} at least", "one")
        if any(bound.states != self._step.states for bound in self._programs):
            raise _misfit("the programs have different states", "", "programs of one decoder, of one length")
        self._runs: list[_Bound] = []

    @property
    def length(self) -> int:
        """Tokens of prompt and answer that there is room for."""
        return self._step.length

    @property
    def cost(self) -> RunCost:
        """What all runs so far took."""
        report, facts = self._step.session.report, self._step.session.program.facts
        return RunCost(
            tokens=sum(bound.tokens for bound in self._runs),
            cycles=sum(bound.session.report.cycles for bound in self._runs),
            dram_bytes=sum(bound.session.report.dram_bytes for bound in self._runs),
            step_cycles=report.cycles,
            step_dram_bytes=report.dram_bytes,
            floor_bytes=facts["floor_bytes"],
            floor_cycles=max(facts["compute_floor_cycles"], facts["dram_floor_cycles"]),
            clock_mhz=self._step.session.program.chip.clock_mhz,
        )

    def tokens(self, prompt: Sequence[int], most: int) -> Iterator[int]:
        """Yield the tokens behind a prompt, each the one of the highest score, the first of equal ones.

        Args:
            prompt: at least one token.
            most: how many to yield; fewer if there is no more room.

        Raises:
            OptionError: the prompt is empty, or there is no room for it.
        """
        if not 1 <= len(prompt) <= self.length:
            raise OptionError(
                "the prompt does not fit the program",
                found=f"{len(prompt)} tokens",
                expected=f"1 … {self.length} tokens",
                remedy="give a shorter prompt, or compile the decoder for a greater length",
            )
        done, scores, before = 0, np.zeros(0), None
        for bound in self._programs:
            bound.begin(before)
            while len(prompt) - done >= bound.tokens:
                scores = self._run(bound, prompt[done : done + bound.tokens])
                done += bound.tokens
            before = bound
        for number in range(most):
            token = int(scores.argmax())
            yield token
            if done == self.length or number == most - 1:
                return
            scores = self._run(self._step, [token])
            done += 1

    def _run(self, bound: _Bound, tokens: Sequence[int]) -> Array:
        """Scores of the token behind these."""
        self._runs.append(bound)
        return bound.run(tokens)


class _Bound:
    """A program of a decoder, bound to a chip.

    Attributes:
        tokens: new ones of a run; length: of the mask.
        states: shape and element type of each, by the name of its input.
    """

    def __init__(self, program: Program, what: str) -> None:
        inputs = {tensor.name: tensor.block for tensor in program.given_inputs}
        outputs = {tensor.name: tensor.block for tensor in program.given_outputs}
        for name in ("input_ids", "attention_mask"):
            if name not in inputs or len(inputs[name].shape) != 2 or inputs[name].shape[0] != 1:
                raise _misfit(
                    f"{what} is not of a decoder", ", ".join(inputs)[:200], f"{name} of [1, tokens]"
                )
        self._types = {name: block.dtype.numpy for name, block in inputs.items()}
        self.tokens, self.length = inputs["input_ids"].shape[1], inputs["attention_mask"].shape[1]
        missing = {"logits"} - outputs.keys()
        unknown = {*inputs} - {"input_ids", "attention_mask", "position_ids"}
        if missing or unknown or not program.states:
            names = ", ".join(sorted(missing or unknown))[:200] or "no state"
            raise _misfit(
                f"{what} is not of a decoder with states",
                names,
                "the names that exporters give to a decoder's",
            )
        logits = outputs["logits"].shape
        if len(logits) != 3 or logits[:2] not in ((1, 1), (1, self.tokens)):
            raise _misfit(
                f"{what} has no scores of tokens", f"logits {list(logits)}", "[1, tokens, vocabulary]"
            )
        kept = {state.input for state in program.states}
        self.states = {
            tensor.name: (tensor.block.shape, tensor.block.dtype)
            for tensor in program.by_role(TensorRole.INPUT)
            if tensor.name in kept
        }
        self.session = Session(program, blas_only=True)

    def begin(self, before: _Bound | None) -> None:
        """Begin a text, or go on behind another program."""
        if before is None:
            self.session.reset()
        else:
            self.session.restore(before.session.state())

    def run(self, tokens: Sequence[int]) -> Array:
        """Scores of the token behind these, which the states hold from now on."""
        done = self.session.position
        behind = done + len(tokens)
        values = {
            "input_ids": np.array([tokens]),
            "attention_mask": (np.arange(self.length) < behind)[None],
            "position_ids": np.arange(done, behind)[None],
        }
        feeds = {name: values[name].astype(dtype) for name, dtype in self._types.items()}
        (scores,) = self.session.run(["logits"], feeds)
        last: Array = scores[0, -1]
        return last


def _misfit(message: str, found: str, expected: str) -> OptionError:
    remedy = "compile what `nnc models convert` writes, with --state auto, for one token and for several"
    return OptionError(message, found=found, expected=expected, remedy=remedy)

"""Token by token, by programs of a decoder: the states that a run gives are what the next one gets.

    generator = Generator(load_program("step.bin"), load_program("prefill.bin"))
    for token in generator.tokens([1, 4093, 198], most=64): ...

The programs are of one decoder, compiled for one new token (the step) and, if there is another (prefill), for
several: it takes as much of a prompt as is a multiple of these, and the step the rest.  Names are those that
exporters use:

    input_ids       [1, new tokens]; position_ids are the same, if there is such an input
    attention_mask  [1, length]
    past_key_values.X   the state X of the tokens before  ->  present.X   with the new ones
    logits              scores of the token behind each, of which the last are taken
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

PAST, PRESENT = "past_key_values.", "present."
Array = NDArray[Any]


@dataclass(frozen=True)
class RunCost:
    """What the runs of a generator took of the chip.

    Attributes:
        tokens: that went in, of the prompt and of what was generated.
        cycles, dram_bytes: of all runs; step_cycles, step_dram_bytes: of one step.
        floor_bytes, floor_cycles: the least that a step can move and take, by the floors of its program.
    """

    tokens: int
    cycles: int
    dram_bytes: int
    step_cycles: int
    step_dram_bytes: int
    floor_bytes: int
    floor_cycles: int


class Generator:
    """Greedy words of one decoder; a new text begins with empty states."""

    def __init__(self, step: Program, prefill: Program | None = None) -> None:
        """Bind the programs.

        Args:
            step: takes one token.
            prefill: takes several.

        Raises:
            OptionError: they are no decoder's, or not of the same.
        """
        self._step = _Bound(step, "the step")
        self._programs = [self._step] if prefill is None else [_Bound(prefill, "prefill"), self._step]
        if self._step.tokens != 1:
            raise _misfit("the step takes several tokens", str(self._step.tokens), "one")
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
        states = {name: np.zeros(shape, dtype) for name, (shape, dtype) in self._step.states.items()}
        done, scores = 0, np.zeros(0)
        for bound in self._programs:
            while len(prompt) - done >= bound.tokens:
                scores = self._run(bound, prompt[done : done + bound.tokens], done, states)
                done += bound.tokens
        for number in range(most):
            token = int(scores.argmax())
            yield token
            if done == self.length or number == most - 1:
                return
            scores = self._run(self._step, [token], done, states)
            done += 1

    def _run(self, bound: _Bound, tokens: Sequence[int], done: int, states: dict[str, Array]) -> Array:
        """Scores of the token behind these, of which `done` came before; the states become the new ones."""
        self._runs.append(bound)
        scores, new = bound.run(tokens, done, states)
        states.update(new)
        return scores


class _Bound:
    """A program of a decoder, bound to a chip.

    Attributes:
        tokens: new ones of a run; length: of the mask.
        states: shape and element type of each, by the name of its input.
    """

    def __init__(self, program: Program, what: str) -> None:
        inputs = {tensor.name: tensor.block for tensor in program.by_role(TensorRole.INPUT)}
        outputs = {tensor.name: tensor.block for tensor in program.by_role(TensorRole.OUTPUT)}
        for name in ("input_ids", "attention_mask"):
            if name not in inputs or len(inputs[name].shape) != 2 or inputs[name].shape[0] != 1:
                raise _misfit(
                    f"{what} is not of a decoder", ", ".join(inputs)[:200], f"{name} of [1, tokens]"
                )
        self._types = {name: block.dtype.numpy for name, block in inputs.items()}
        self.tokens, self.length = inputs["input_ids"].shape[1], inputs["attention_mask"].shape[1]
        self.states = {
            name: (block.shape, self._types[name]) for name, block in inputs.items() if name.startswith(PAST)
        }
        missing = {"logits", *map(_present, self.states)} - outputs.keys()
        unknown = {*inputs} - {"input_ids", "attention_mask", "position_ids", *self.states}
        if missing or unknown:
            names = ", ".join(sorted(missing or unknown))[:200]
            raise _misfit(
                f"{what} is not of a decoder", names, "the names that exporters give to a decoder's"
            )
        logits = outputs["logits"].shape
        if len(logits) != 3 or logits[:2] not in ((1, 1), (1, self.tokens)):
            raise _misfit(
                f"{what} has no scores of tokens", f"logits {list(logits)}", "[1, tokens, vocabulary]"
            )
        for name, (shape, dtype) in self.states.items():
            present = outputs[_present(name)]
            if present.shape != shape or present.dtype.numpy != dtype:
                shapes = f"{name} {list(shape)}, {_present(name)} {list(present.shape)}"
                raise _misfit(f"{what} has states that grow", shapes, "a past with room for all tokens")
        self.session = Session(program, blas_only=True)

    def run(
        self, tokens: Sequence[int], done: int, states: dict[str, Array]
    ) -> tuple[Array, dict[str, Array]]:
        """Scores of the token behind these, and the new states."""
        behind = done + len(tokens)
        values = {
            "input_ids": np.array([tokens]),
            "attention_mask": (np.arange(self.length) < behind)[None],
            "position_ids": np.arange(done, behind)[None],
        }
        feeds = {
            name: value.astype(self._types[name]) for name, value in values.items() if name in self._types
        }
        names = ["logits", *map(_present, states)]
        scores, *new = self.session.run(names, {**feeds, **states})
        return scores[0, -1], dict(zip(states, new, strict=True))


def _present(past: str) -> str:
    return PRESENT + past.removeprefix(PAST)


def _misfit(message: str, found: str, expected: str) -> OptionError:
    remedy = "compile what `nnc models convert` writes: for one token, and for several of a prompt"
    return OptionError(message, found=found, expected=expected, remedy=remedy)

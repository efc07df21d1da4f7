"""Greedy tokens of a decoder beside those of onnxruntime on its ONNX model.

The model gets the prompt, then the tokens that the program gave, one by one, and hands its states on as its
caller would.  Up to the first token that it would not give, both texts are the same; behind it, nothing can
be compared.  Where the two best scores differ by less than rounding does, either is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import helper

from nnc.check.reference import Reference, Way
from nnc.compiler.frontend.model.load import load_model
from nnc.compiler.frontend.states import state_pairs
from nnc.errors import CheckMismatchError
from nnc.isa.errors import InputError

Array = npt.NDArray[Any]
TIE = 1e-3
"""Of the largest score: two that are less apart are a tie."""


@dataclass(frozen=True)
class TokenCheck:
    """How far tokens are those of the reference.

    Attributes:
        reference: the implementation; equal: so many tokens from the first on are its own.
        count: of all tokens.
        gap: at the first other one, by how much its score is less than the best, of the largest magnitude.
    """

    reference: str
    equal: int
    count: int
    gap: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether all are equal, or the first other one is a tie."""
        return self.equal == self.count or self.gap <= TIE

    def to_json(self) -> dict[str, Any]:
        """The verdict as plain data."""
        return {"equal": self.equal, "ok": self.ok, "gap": self.gap}

    def __str__(self) -> str:
        if self.equal == self.count:
            return f"all {self.count} tokens equal {self.reference}'s"
        kind = "a tie" if self.ok else "no tie"
        return (
            f"{self.equal} of {self.count} tokens equal {self.reference}'s; the next has a score"
            f" {self.gap:.1e} below the best ({kind})"
        )

    def insist(self, where: str) -> None:
        """Do nothing if all is well.

        Raises:
            CheckMismatchError: a token is another, and no tie.
        """
        if not self.ok:
            raise CheckMismatchError(
                f"token {self.equal + 1} differs from {self.reference}",
                where=where,
                found=f"its score is {self.gap:.1e} of the largest below the best",
                expected=f"at most {TIE:.0e}",
                remedy="if the program is compiled from this model, this is a bug in nnc: please report it",
            )


class ReferenceDecoder:
    """The model of a decoder, for one token or for any number, in onnxruntime.

    Attributes:
        reference: what the implementation is called, once it has run.
    """

    def __init__(self, path: Path) -> None:
        """Load the model.

        Raises:
            OptionError, InputError: it is no decoder with inputs and outputs as exporters name them.
            ModelFileError, ModelInvalidError: it cannot be read.
        """
        proto = load_model(path).proto
        constants = {tensor.name for tensor in proto.graph.initializer}
        infos = {info.name: info.type.tensor_type for info in proto.graph.input if info.name not in constants}
        outputs = [info.name for info in proto.graph.output]
        self._states = state_pairs("auto", [*infos], outputs)
        own = {"input_ids", "attention_mask", "position_ids", *self._states.values()}
        if "logits" not in outputs or "input_ids" not in infos or infos.keys() - own:
            raise InputError(
                "the model is no decoder",
                where=str(path),
                found=", ".join(infos)[:200],
                expected="input_ids, attention_mask, position_ids, states and logits, as exporters name them",
                remedy="give the model that the program was compiled from",
            )
        self._shapes = {name: [dim.dim_value for dim in type_.shape.dim] for name, type_ in infos.items()}
        self._reference = Reference(path, proto, outputs)
        self._run = self._reference.open(Way.OPTIMISED)
        self._types = {name: infos[name].elem_type for name in self._states.values()}
        self._done, self.reference = 0, ""
        self._past: dict[str, Array] = {}

    def check(self, prompt: Sequence[int], tokens: Sequence[int]) -> TokenCheck:
        """Compare the tokens that a program gave behind a prompt."""
        self._done = 0
        self._past = {
            name: np.zeros(self._shapes[name], helper.tensor_dtype_to_np_dtype(code))
            for name, code in self._types.items()
        }
        for number, token in enumerate([*prompt, *tokens][:-1], 1):
            scores, made = self._scores(token).astype(np.float64), number - len(prompt)
            if made >= 0 and int(scores.argmax()) != tokens[made]:
                largest = max(np.abs(scores).max(), np.finfo(np.float64).tiny)
                gap = float((scores.max() - scores[tokens[made]]) / largest)
                return TokenCheck(self.reference, made, len(tokens), gap)
        return TokenCheck(self.reference, len(tokens), len(tokens))

    def _scores(self, token: int) -> Array:
        """Scores of the token behind one more."""
        self._done += 1
        length = self._shapes.get("attention_mask", [1, 0])[1] or self._done
        feeds = {
            "input_ids": np.array([[token]]),
            "attention_mask": (np.arange(length) < self._done).astype(np.int64)[None],
            "position_ids": np.array([[self._done - 1]]),
        }
        answer = self._run({n: value for n, value in feeds.items() if n in self._shapes} | self._past)
        self.reference = answer.reference
        self._past = {before: answer.outputs[after] for after, before in self._states.items()}
        last: Array = answer.outputs["logits"][0, -1]
        return last

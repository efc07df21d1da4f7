"""All tensors of a sample, as each side has them.

float       the float network, in onnxruntime
quantised   the quantised network as it is written, in onnxruntime
alone       each of its layers by itself, given the float network's tensors
chip        the quantised network compiled, in the simulator, with all tensors of integers as outputs
expected    each tensor in onnxruntime, given those that the chip computed before it
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, ValueInfoProto

from nnc.accuracies.alone import alone_input, cut_apart
from nnc.accuracies.common import Common
from nnc.accuracies.real import with_real_products
from nnc.check.definition import by_definition
from nnc.check.layers import from_known, known_input, with_outputs
from nnc.check.model_facts import ModelFacts
from nnc.check.outputs import oracles
from nnc.check.reference import Answer, Reference, Way
from nnc.check.variants import copy_of
from nnc.errors import AccuracyError
from nnc.isa.program import Program
from nnc.runtime.session import Session

Array = npt.NDArray[Any]
Arrays = Mapping[str, Array]
Run = Callable[[Arrays], Arrays]


def opened(model: ModelProto, names: Iterable[str], way: Way, where: str) -> Callable[[Arrays], Answer]:
    """A model in onnxruntime.

    Args:
        names: the tensors that it gives, which need not be its outputs.
        where: what messages call it.

    Raises:
        AccuracyError: onnxruntime cannot load it; or later, run it.
    """
    asked = list(dict.fromkeys(names))
    proto = copy_of(model)
    present = {info.name for info in proto.graph.output}
    proto.graph.output.extend(ValueInfoProto(name=name) for name in asked if name not in present)
    with_reason = _Reason(where)
    session = with_reason(lambda: Reference(Path(where), proto, asked, changed=True).open(way))
    return lambda feed: with_reason(lambda: session(feed))


@dataclass(frozen=True)
class _Reason:
    """Turns the many exceptions of onnxruntime into one."""

    where: str

    def __call__(self, work: Callable[[], Any]) -> Any:
        try:
            return work()
        except Exception as error:  # of several kinds
            raise AccuracyError(
                "onnxruntime cannot run the network",
                where=self.where,
                found=" ".join(str(error).split())[:300],
                remedy="give a network that onnxruntime runs: nnc run … --check tells more",
            ) from error


def without_inputs(model: ModelProto, names: Iterable[str]) -> list[str]:
    """The names that are no inputs of a model: those that it can give."""
    inputs = {info.name for info in model.graph.input}
    return [name for name in dict.fromkeys(names) if name not in inputs]


class QuantisedSide:
    """The quantised network in onnxruntime, whole and cut apart."""

    def __init__(self, model: ModelProto, tensors: list[Common], where: str) -> None:
        self._model, self._where, self._tensors = model, where, tensors
        facts = ModelFacts(model)
        self.way = next(way for way, _ in oracles(facts) if way is not Way.EVALUATOR)
        self.meant = by_definition(facts) if self.way is Way.DEFINED else model
        self._inputs = {info.name for info in model.graph.input}
        names = [tensor.kept for tensor in tensors]
        self._run = opened(self.meant, without_inputs(model, names), self.way, where)
        self._alone: Callable[[Arrays], Answer] | None = None
        self.reference = ""

    def feed(self, feed: Arrays) -> dict[str, Array]:
        """Inputs as this network takes them: rounded where they are integers."""
        rounded = {t.tensor: t.rounding for t in self._tensors if t.kept == t.tensor in self._inputs}
        return {
            name: value if (rounding := rounded.get(name)) is None else rounding.integers(value)
            for name, value in feed.items()
        }

    def run(self, feed: Arrays) -> dict[str, Array]:
        """All tensors, by their names in this network."""
        given = self.feed(feed)
        answer = self._run(given)
        self.reference = answer.reference
        return {**given, **answer.outputs}

    def run_alone(self, feed: Arrays, exact: Arrays) -> dict[str, Array]:
        """The same, but each layer given the float network's tensors.

        Args:
            exact: of the float network, by their names in it.
        """
        if self._alone is None:
            shapes = {tensor.tensor: exact[tensor.tensor].shape for tensor in self._tensors}
            cut = cut_apart(with_real_products(self._model), self._tensors, shapes)
            names = [info.name for info in cut.graph.output]
            self._alone = opened(cut, names, self.way, self._where)
        given = self.feed(feed)
        inputs = {alone_input(tensor): exact[tensor.tensor] for tensor in self._tensors}
        return {**given, **self._alone({**given, **inputs}).outputs}


class ChipSide:
    """The quantised network on the simulated chip, and in onnxruntime given what the chip computed."""

    def __init__(
        self, side: QuantisedSide, model: ModelProto, compiled: Callable[[ModelProto], Program]
    ) -> None:
        """Compile the network with all tensors of integers as outputs.

        Args:
            side: the network in onnxruntime.
            compiled: compiles a model for the chip.

        Raises:
            NncError: it cannot be compiled.
        """
        self._side = side
        self._facts = ModelFacts(model)
        self._outputs = [info.name for info in model.graph.output]
        program = compiled(with_outputs(self._facts, self._facts.rounded_tensors))
        self._session = Session(program, blas_only=True)
        self._plain = Session(compiled(model), blas_only=True)
        self._expected: Callable[[Arrays], Answer] | None = None

    @property
    def chip(self) -> str:
        """The chip's name, and what was overridden."""
        return self._plain.program.chip.name

    def run(self, feed: Arrays) -> dict[str, Array]:
        """All tensors of integers, and the outputs."""
        return _outputs(self._session, self._side.feed(feed))

    def is_same(self, feed: Arrays, outputs: Arrays) -> bool:
        """Whether the program that gives nothing but the outputs gives the same outputs."""
        plain = _outputs(self._plain, self._side.feed(feed))
        return all(np.array_equal(array, outputs[name], equal_nan=True) for name, array in plain.items())

    def expected(self, feed: Arrays, tensors: Arrays) -> dict[str, Array]:
        """All tensors that the chip gives as onnxruntime has them, given those before."""
        rounded = {name: tensors[name] for name in self._facts.rounded_tensors}
        if self._expected is None:
            cut = from_known(ModelFacts(self._side.meant), rounded)
            self._expected = opened(cut, tensors, self._side.way, "the quantised network")
        inputs = {known_input(name): array for name, array in rounded.items()}
        return dict(self._expected({**self._side.feed(feed), **inputs}).outputs)


def _outputs(session: Session, feed: Arrays) -> dict[str, Array]:
    names = [info.name for info in session.get_outputs()]
    return dict(zip(names, session.run(None, feed), strict=True))

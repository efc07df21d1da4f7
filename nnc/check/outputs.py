"""Comparing the outputs of a program with a reference implementation of ONNX.

Which reference, and what may differ, depends on the model:

- float32: onnxruntime; within a share of the largest magnitude of each output.
- half precision: the same, within one unit in its last place.
- products of integers (QLinearConv, MatMulInteger …): onnx's reference evaluator, which defines them, then
  onnxruntime, which must not saturate u8 × s8 (on processors without VNNI it does, unless told not to).  One
  of both must agree; elements that are settled to the last bit must be equal.
- QuantizeLinear and DequantizeLinear around float operators: onnxruntime without its optimisations, as
  written.  One element of 10,000 (and always one) may be one step off: where a float sum lies closer to half
  a step than its rounding error, the order of the sum decides.

Where an output is beyond that, the reference is asked how far rounding alone moves it (`nnc.check.variants`):
twice as much is allowed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy.typing as npt

from nnc.check.compare import OutputError, compare, compare_steps
from nnc.check.model_facts import ModelFacts
from nnc.check.reference import Answer, Reference, Way
from nnc.check.variants import rounding_variants
from nnc.errors import CheckMismatchError

Array = npt.NDArray[Any]
TOLERANCE = 1e-4
HALF_TOLERANCE = 2.0**-10
"""One unit in the last place of half precision."""
EVALUATOR_MACS = 200_000_000
"""Most multiplications for which onnx's evaluator, which is slow, is asked."""


@dataclass(frozen=True)
class CheckResult:
    """The verdict on a run: do all outputs agree with the reference?

    Attributes:
        reference: the implementation that was compared with, and how it ran.
        why: why this one, where it is not simply the usual; else empty.
        tolerance: of floating-point outputs, as a share of the largest magnitude.
        outputs: how far each output is off.
        half: whether the model has tensors of half precision.
    """

    reference: str
    tolerance: float
    outputs: tuple[OutputError, ...]
    why: str = ""
    half: bool = False

    @property
    def ok(self) -> bool:
        """Whether all outputs agree."""
        return all(o.agrees(self.tolerance) for o in self.outputs)

    @property
    def rounding_spread(self) -> float:
        """Largest spread of the outputs that are beyond the tolerance; 0 if there is none."""
        return max((o.spread for o in self.outputs if o.max_rel > self.tolerance), default=0.0)

    def to_json(self) -> dict[str, Any]:
        """Verdict, reference, largest errors and what rounding does to the reference, as plain data."""
        return {
            "ok": self.ok,
            "reference": self.reference,
            "why": self.why,
            "tolerance": self.tolerance,
            "max_abs_error": max((o.max_abs for o in self.outputs), default=0.0),
            "max_rel_error": max((o.max_rel for o in self.outputs), default=0.0),
            "rounding_spread": self.rounding_spread,
            "outputs": [
                {
                    "name": o.name,
                    "ok": o.agrees(self.tolerance),
                    "max_abs_error": o.max_abs,
                    "max_rel_error": o.max_rel,
                    "steps": None if o.steps is None else o.steps.to_json(),
                }
                for o in self.outputs
            ],
        }

    def insist(self, where: str) -> None:
        """Do nothing if all is well.

        Raises:
            CheckMismatchError: an output differs; all that differ are listed.
        """
        wrong = [o for o in self.outputs if not o.agrees(self.tolerance)]
        if wrong:
            raise CheckMismatchError(
                f"{len(wrong)} of {len(self.outputs)} outputs differ from {self.reference}",
                where=where,
                found="\n         ".join(map(str, wrong)),
                expected="\n            ".join(o.expectation(self.tolerance) for o in wrong),
                remedy="if the program is compiled from this model, this is a bug in nnc: please report it",
            )


def check_outputs(
    model: Path,
    feed: Mapping[str, Array],
    outputs: Mapping[str, Array],
    tolerance: float | None = None,
) -> CheckResult:
    """Run the model on the same inputs and compare.

    Args:
        tolerance: of floating-point outputs; None: what fits the model, `TOLERANCE` or `HALF_TOLERANCE`.

    Raises:
        ModelFileError, ExternalDataError, ModelInvalidError: the model cannot be read or run.
        CheckMismatchError: the model has other inputs or outputs than the program.
    """
    proto = _load(model, feed, outputs)
    facts = ModelFacts(proto)
    reference = Reference(model, proto, [info.name for info in proto.graph.output])
    if tolerance is None:
        tolerance = HALF_TOLERANCE if facts.half else TOLERANCE
    tried: list[tuple[Way, str, Answer, list[OutputError]]] = []
    for way, why in oracles(facts):
        answer = reference.run(feed, way)
        errors = [_compare(facts, name, outputs[name], value) for name, value in answer.outputs.items()]
        tried.append((way, why, answer, errors))
        if all(error.agrees(tolerance) for error in errors):
            break
    way, why, answer, errors = tried[-1]
    if not all(error.agrees(tolerance) for error in errors):
        errors = _with_spread(reference, facts, feed, way, answer, errors)
    return CheckResult(answer.reference, tolerance, tuple(errors), why, facts.half)


def oracles(facts: ModelFacts) -> Iterator[tuple[Way, str]]:
    """How the reference may run a model, and why so; to agree with one of them is enough."""
    if not facts.quantised:
        yield Way.OPTIMISED, ""
    elif not facts.integer_products:
        yield Way.LITERAL, "as written: its fused kernels round elsewhere"
    else:
        if not facts.foreign and facts.macs <= EVALUATOR_MACS:
            yield Way.EVALUATOR, "it defines the integer operators"
        if facts.mixed_signs:
            yield Way.PRECISE, "else u8 × s8 saturates on processors without VNNI"
        else:
            yield Way.LITERAL, "integer products that cannot saturate"


def _load(model: Path, feed: Mapping[str, Array], outputs: Mapping[str, Array]) -> Any:
    """The model as a proto without local functions.

    Raises:
        CheckMismatchError: it has other inputs or outputs than the program.
    """
    from onnx import inliner

    from nnc.compiler.frontend.model.load import load_model

    proto = load_model(model).proto
    constants = {tensor.name for tensor in proto.graph.initializer}
    inputs = [info.name for info in proto.graph.input if info.name not in constants]
    names = [info.name for info in proto.graph.output]
    for kind, of_model, of_program in (("inputs", inputs, feed), ("outputs", names, outputs)):
        if set(of_model) != set(of_program):
            raise CheckMismatchError(
                f"the model has other {kind} than the program",
                where=str(model),
                found=", ".join(of_model) or "none",
                expected=", ".join(of_program) or "none",
                remedy="give the model that the program was compiled from",
            )
    return inliner.inline_local_functions(proto) if proto.functions else proto


def _compare(facts: ModelFacts, name: str, found: Array, expected: Array) -> OutputError:
    """The error of an output, by the rule that fits it."""
    if not facts.quantised:
        return compare(name, found, expected)
    exact = name in facts.exact
    step = facts.step(name) or (1.0 if exact and expected.dtype.kind in "iu" else None)
    if step is None:
        return compare(name, found, expected)
    return compare_steps(name, found, expected, step, exact=exact)


def _with_spread(
    reference: Reference,
    facts: ModelFacts,
    feed: Mapping[str, Array],
    way: Way,
    answer: Answer,
    errors: list[OutputError],
) -> list[OutputError]:
    """The errors with what rounding alone does to the reference; what is exact is judged as before."""
    found = {error.name: error for error in errors}
    for changed, inputs, how in rounding_variants(reference, facts, feed, way):
        for name, moved in changed.run(inputs, how).outputs.items():
            error, spread = found[name], _compare(facts, name, moved, answer.outputs[name])
            if spread.problem or name in facts.exact:
                continue
            steps = error.steps
            if steps is not None and spread.steps is not None:
                steps = steps.widened(spread.steps)
            found[name] = replace(error, spread=max(error.spread, spread.max_rel), steps=steps)
    return list(found.values())

"""Comparing the outputs of a program with a reference implementation of ONNX.

Which reference, and what may differ, depends on the model:

- float32: onnxruntime; within a share of the largest magnitude of each output.
- half precision and bfloat16: the same, within one unit in its last place.
- products of integers (QLinearConv, MatMulInteger …): onnx's reference evaluator, which defines them, then
  onnxruntime, without products of u8 × s8, which saturate on processors without VNNI.  One of both must
  agree; elements that are settled to the last bit must be equal.
- QuantizeLinear and DequantizeLinear around float operators: onnxruntime without its optimisations, as
  written.  Where any element differs, each layer is judged by itself (`nnc.check.layers`).
- operators of onnxruntime's own domain (QLinearAveragePool …): the same, then by their definition
  (`nnc.check.definition`), since some of its kernels round ties otherwise.

Where a floating-point output is beyond its tolerance, the reference is asked how far rounding alone moves it
(`nnc.check.variants`): twice as much is allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.check.compare import OutputError, compare, compare_tensors
from nnc.check.definition import by_definition
from nnc.check.layers import LayerCheck, check_layers
from nnc.check.model_facts import ModelFacts
from nnc.check.old_models import in_known_opset
from nnc.check.reference import Answer, Reference, Way
from nnc.check.variants import rounding_variants
from nnc.errors import CheckMismatchError
from nnc.isa.chip.description import Chip
from nnc.isa.errors import NncError

Array = npt.NDArray[Any]
TOLERANCE = 1e-4
HALF_TOLERANCE = 2.0**-10
"""One unit in the last place of half precision."""
BFLOAT16_TOLERANCE = 2.0**-7
"""One unit in the last place of bfloat16, in which the reference computes; nnc computes in float32."""
MOST_SHOWN = 12
"""Tensors that differ of which a message says how."""
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
        layers: what decides in the place of the outputs, if a quantised network was judged layer by layer.
    """

    reference: str
    tolerance: float
    outputs: tuple[OutputError, ...]
    why: str = ""
    half: bool = False
    layers: LayerCheck | None = None

    @property
    def equal(self) -> bool:
        """Whether floats are within their tolerance, and integers equal."""
        return all(o.steps.equal if o.steps else o.agrees(self.tolerance) for o in self.outputs)

    @property
    def judged(self) -> tuple[OutputError, ...]:
        """The errors that decide: those of the outputs, or those of all layers."""
        if self.layers is None:
            return self.outputs
        return (*self.layers.layers, *self.layers.outputs, *self.layers.same)

    @property
    def ok(self) -> bool:
        """Whether all agree."""
        return all(o.agrees(self.tolerance) for o in self.judged)

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
            "outputs": [o.to_json() for o in self.outputs],
            "layers": None if self.layers is None else [o.to_json() for o in self.layers.layers],
        }

    def insist(self, where: str) -> None:
        """Do nothing if all is well.

        Raises:
            CheckMismatchError: an output differs; all that differ are listed.
        """
        wrong = [o for o in self.judged if not o.agrees(self.tolerance)]
        if wrong:
            what = "outputs" if self.layers is None else "tensors, layer by layer,"
            raise CheckMismatchError(
                f"{len(wrong)} of {len(self.judged)} {what} differ from {self.reference}",
                where=where,
                found="\n         ".join(map(str, wrong[:MOST_SHOWN])),
                expected="\n            ".join(o.expectation(self.tolerance) for o in wrong[:MOST_SHOWN]),
                remedy="if the program is compiled from this model, this is a bug in nnc: please report it",
            )


@np.errstate(all="ignore")
def check_outputs(
    model: Path,
    feed: Mapping[str, Array],
    outputs: Mapping[str, Array],
    tolerance: float | None = None,
    chip: Chip | None = None,
    *,
    by_layers: bool = False,
    softmax: str = "f32",
    inner: bool = False,
) -> CheckResult:
    """Run the model on the same inputs and compare.

    Args:
        tolerance: of floating-point outputs; None: what fits the model, `TOLERANCE` or one of the others.
        chip: that of the program.  Without it, no network can be judged layer by layer: then one element of
            10,000 (and always one) of a quantised output may be a step off.
        by_layers: judge each layer of a quantised network even where all outputs are equal.
        softmax: in what the program was asked to compute it between integers: what is rounded behind that
            may be a step off anywhere if it is not f32.
        inner: the outputs are tensors within the model, which gives them in the place of its own.

    Raises:
        ModelFileError, ExternalDataError, ModelInvalidError: the model cannot be read or run.
        CheckMismatchError: the model has other inputs or outputs than the program.
    """
    proto = _load(model, feed, outputs, inner=inner)
    newer = in_known_opset(proto, feed)
    proto = newer or proto
    facts = ModelFacts(proto)
    names = [info.name for info in proto.graph.output]
    reference = Reference(model, proto, names, inner or newer is not None)
    if tolerance is None:
        tolerance = HALF_TOLERANCE if facts.half else TOLERANCE
        tolerance = BFLOAT16_TOLERANCE if facts.bfloat16 else tolerance
    for way, why in oracles(facts):
        if way is Way.DEFINED:
            meant = by_definition(facts)
            reference = replace(reference, proto=meant, changed=reference.changed or meant is not proto)
        try:
            answer = reference.run(feed, way)
        except NncError:
            if way is Way.EVALUATOR:  # it lacks many versions of operators; another follows
                continue
            raise
        errors = tuple(
            compare_tensors(name, outputs[name], value, facts) for name, value in answer.outputs.items()
        )
        verdict = CheckResult(answer.reference, tolerance, errors, why, facts.half)
        if verdict.equal and not (by_layers and facts.quantised):
            return verdict
        if verdict.equal and not facts.foreign:  # its layers are judged by their definition alone
            break
    if facts.quantised:
        if chip is None:
            return verdict
        judge = partial(check_layers, reference, facts, feed, outputs, way, chip, softmax)
        return _by_layers(verdict, judge)
    return replace(verdict, outputs=_with_spread(reference, facts, feed, way, answer, errors))


def _by_layers(verdict: CheckResult, judge: Callable[[], LayerCheck]) -> CheckResult:
    try:
        return replace(verdict, layers=judge())
    except NncError as error:
        why = f"{verdict.why}; not layer by layer: {error.code} {error.message}"
        return replace(verdict, why=why)


def oracles(facts: ModelFacts) -> Iterator[tuple[Way, str]]:
    """How the reference may run a model, and why so; to agree with one of them is enough."""
    if not facts.quantised:
        yield Way.OPTIMISED, ""
        return
    if not facts.integer_products:
        yield Way.LITERAL, "as written: its fused kernels round elsewhere"
    elif not facts.foreign and facts.macs <= EVALUATOR_MACS:
        yield Way.EVALUATOR, "it defines the integer operators"
    if facts.mixed_signs:
        yield Way.DEFINED, "u8 × s8 as u8 × u8: else it saturates on processors without VNNI"
    elif facts.foreign:
        yield (
            Way.DEFINED,
            "a tie goes to the even integer before the zero point is added, as QuantizeLinear has it",
        )
    elif facts.integer_products:
        yield Way.LITERAL, "integer products that cannot saturate"


def _load(
    model: Path, feed: Mapping[str, Array], outputs: Mapping[str, Array], *, inner: bool = False
) -> Any:
    """The model as a proto without local functions.

    Raises:
        CheckMismatchError: it has other inputs or outputs than the program.
    """
    from onnx import ValueInfoProto, inliner

    from nnc.compiler.frontend.model.load import load_model

    proto = load_model(model).proto
    if inner:
        made = {name for node in proto.graph.node for name in node.output}
        del proto.graph.output[:]
        proto.graph.output.extend(ValueInfoProto(name=name) for name in outputs if name in made)
    constants = {tensor.name for tensor in proto.graph.initializer}
    inputs = [info.name for info in proto.graph.input if info.name not in constants]
    names = [info.name for info in proto.graph.output]
    for kind, of_model, of_program in (
        ("inputs", inputs, feed),
        ("outputs", names, names if inner else outputs),
    ):
        if set(of_model) != set(of_program):
            raise CheckMismatchError(
                f"the model has other {kind} than the program",
                where=str(model),
                found=", ".join(of_model) or "none",
                expected=", ".join(of_program) or "none",
                remedy="give the model that the program was compiled from",
            )
    return inliner.inline_local_functions(proto) if proto.functions else proto


def _with_spread(
    reference: Reference,
    facts: ModelFacts,
    feed: Mapping[str, Array],
    way: Way,
    answer: Answer,
    errors: tuple[OutputError, ...],
) -> tuple[OutputError, ...]:
    """The errors with what rounding alone does to the reference, if any is beyond its tolerance."""
    by_name = {error.name: error for error in errors}
    for changed, inputs, how in rounding_variants(reference, facts, feed, way):
        for name, moved in changed.run(inputs, how).outputs.items():
            spread = compare(name, moved, answer.outputs[name])
            if not spread.problem:
                by_name[name] = replace(by_name[name], spread=max(by_name[name].spread, spread.max_rel))
    return tuple(by_name.values())

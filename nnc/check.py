"""Comparing the outputs of a program with a reference implementation of ONNX.

The reference is onnxruntime (one thread) where it is installed and can load the model, else the reference
evaluator of onnx.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.compiler.frontend.errors import ModelInvalidError
from nnc.errors import CheckMismatchError
from nnc.runtime.errors import ExecutionError

Array = npt.NDArray[Any]
TOLERANCE = 1e-4
AMPLIFICATION = 2.0
"""An output may be off by so many times the reference's own rounding spread, if that is more."""
SMALLEST_MAGNITUDE = 1e-6
"""Outputs whose largest magnitude is below this are judged as if it were this."""


@dataclass(frozen=True, slots=True)
class OutputError:
    """How far one output is off.

    Attributes:
        name: the output.
        max_abs: largest absolute difference to the reference.
        max_rel: the same as a share of the largest magnitude of the reference's output.
        problem: why the output cannot be compared at all (another shape, missing); else empty.
        spread: how far rounding alone moves the reference's output, as `max_rel`; 0 if not asked for.
    """

    name: str
    max_abs: float
    max_rel: float
    problem: str = ""
    spread: float = 0.0

    def agrees(self, tolerance: float) -> bool:
        """Whether the error is within the tolerance, or within what rounding does to this network."""
        return not self.problem and self.max_rel <= max(tolerance, AMPLIFICATION * self.spread)

    def __str__(self) -> str:
        return f"{self.name}: " + (
            self.problem or f"max abs error {self.max_abs:.3g}, {self.max_rel:.3g} of the largest magnitude"
        )


@dataclass(frozen=True)
class CheckResult:
    """The verdict on a run: are all outputs within `tolerance` of the reference's largest magnitudes?"""

    reference: str
    tolerance: float
    outputs: tuple[OutputError, ...]

    @property
    def ok(self) -> bool:
        """Whether all outputs agree."""
        return all(o.agrees(self.tolerance) for o in self.outputs)

    @property
    def rounding_spread(self) -> float:
        """Largest spread of the outputs that are beyond the tolerance; 0 if there is none."""
        return max((o.spread for o in self.outputs if o.max_rel > self.tolerance), default=0.0)

    def to_json(self) -> dict[str, Any]:
        """Verdict, largest errors and what rounding does to the reference, as plain data."""
        return {
            "ok": self.ok,
            "max_abs_error": max((o.max_abs for o in self.outputs), default=0.0),
            "max_rel_error": max((o.max_rel for o in self.outputs), default=0.0),
            "rounding_spread": self.rounding_spread,
        }

    def insist(self, where: str) -> None:
        """Do nothing if all is well.

        Raises:
            CheckMismatchError: an output differs; all that differ are listed.
        """
        wrong = [str(o) for o in self.outputs if not o.agrees(self.tolerance)]
        if wrong:
            raise CheckMismatchError(
                f"{len(wrong)} of {len(self.outputs)} outputs differ from {self.reference}",
                where=where,
                found="\n         ".join(wrong),
                expected=f"at most {self.tolerance:g} of the largest magnitude of the output",
                remedy="if the program is compiled from this model, this is a bug in nnc: please report it",
            )


def check_outputs(
    model: Path,
    feed: Mapping[str, Array],
    outputs: Mapping[str, Array],
    tolerance: float = TOLERANCE,
) -> CheckResult:
    """Run the model on the same inputs and compare.

    Raises:
        ModelFileError, ExternalDataError, ModelInvalidError: the model cannot be read or run.
        CheckMismatchError: the model has other inputs or outputs than the program.
    """
    from nnc.compiler.frontend.model.load import load_model

    loaded = load_model(model)
    constants = {tensor.name for tensor in loaded.proto.graph.initializer}
    inputs = [info.name for info in loaded.proto.graph.input if info.name not in constants]
    names = [info.name for info in loaded.proto.graph.output]
    for kind, of_model, of_program in (("inputs", inputs, feed), ("outputs", names, outputs)):
        if set(of_model) != set(of_program):
            raise CheckMismatchError(
                f"the model has other {kind} than the program",
                where=str(model),
                found=", ".join(of_model) or "none",
                expected=", ".join(of_program) or "none",
                remedy="give the model that the program was compiled from",
            )
    reference, expected = _run_reference(model, loaded.proto, names, feed)
    errors = [
        compare(name, outputs[name], np.asarray(value)) for name, value in zip(names, expected, strict=True)
    ]
    if not all(error.agrees(tolerance) for error in errors):
        spread = _rounding_spread(model, loaded.proto, names, feed, expected)
        errors = [replace(error, spread=spread[error.name]) for error in errors]
    return CheckResult(reference, tolerance, tuple(errors))


def _rounding_spread(
    path: Path, proto: Any, names: Sequence[str], feed: Mapping[str, Array], expected: Sequence[Any]
) -> dict[str, float]:
    """How far every output of the reference moves, as a share of its largest magnitude, by rounding alone.

    A network may amplify rounding (a softmax of large scores picks another winner): then no two correct
    implementations agree.  The reference tells by itself: it runs without its optimisations, which sums in
    another order, and on inputs that are changed in their last bit.
    """
    rng = np.random.default_rng(0)
    variants = [(feed, False), *((_last_bits_changed(feed, rng), True) for _ in range(2))]
    spread = dict.fromkeys(names, 0.0)
    for inputs, optimised in variants:
        _, moved = _run_reference(path, proto, names, inputs, optimised)
        for name, value, other in zip(names, expected, moved, strict=True):
            error = compare(name, np.asarray(other), np.asarray(value))
            if not error.problem:
                spread[name] = max(spread[name], error.max_rel)
    return spread


def _last_bits_changed(feed: Mapping[str, Array], rng: np.random.Generator) -> dict[str, Array]:
    """Inputs whose floating-point values are moved to a neighbour, up or down."""
    towards = np.array([-np.inf, np.inf])
    return {
        name: np.nextafter(value, rng.choice(towards, value.shape).astype(value.dtype))
        if np.issubdtype(value.dtype, np.floating)
        else value
        for name, value in feed.items()
    }


def compare(name: str, found: Array, expected: Array) -> OutputError:
    """The error of one output; infinities and NaNs must stand at the same places."""
    if found.shape != expected.shape or found.dtype != expected.dtype:
        problem = f"{found.dtype} {list(found.shape)} instead of {expected.dtype} {list(expected.shape)}"
        return OutputError(name, float("inf"), float("inf"), problem)
    ours, theirs = found.astype(np.float64), expected.astype(np.float64)
    finite = np.isfinite(theirs)
    if (
        not np.array_equal(ours[~finite], theirs[~finite], equal_nan=True)
        or not np.isfinite(ours[finite]).all()
    ):
        return OutputError(name, float("inf"), float("inf"), "infinities or NaNs at different places")
    largest = float(np.abs(theirs[finite]).max(initial=0.0))
    error = float(np.abs(ours[finite] - theirs[finite]).max(initial=0.0))
    return OutputError(name, error, error / max(largest, SMALLEST_MAGNITUDE))


def _run_reference(
    path: Path, proto: Any, names: Sequence[str], feed: Mapping[str, Array], optimised: bool = True
) -> tuple[str, Sequence[Any]]:
    """Name of the reference implementation, and its outputs."""
    if find_spec("onnxruntime") is not None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4  # its errors are ours to report
        if not optimised:
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        try:
            session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
            return f"onnxruntime {onnxruntime.__version__}", session.run(list(names), dict(feed))
        except Exception as error:  # it raises several kinds; a model too new for it is no fault of the model
            reason = " ".join(str(error).split())[:300]
    else:
        reason = "onnxruntime is not installed"
    return _run_onnx(path, proto, names, feed, reason)


def _run_onnx(
    path: Path, proto: Any, names: Sequence[str], feed: Mapping[str, Array], reason: str
) -> tuple[str, Sequence[Any]]:
    import onnx
    from onnx.reference import ReferenceEvaluator

    try:
        evaluator = ReferenceEvaluator(proto)
    except Exception as error:  # any kind: the model is from outside
        raise ModelInvalidError(
            "no reference implementation can load the model", where=str(path), found=f"{reason}; {error}"
        ) from error
    try:
        outputs = list(evaluator.run(list(names), dict(feed)))
        return f"onnx {onnx.__version__}'s reference evaluator", outputs
    except Exception as error:
        raise ExecutionError(
            "no reference implementation can run the model",
            where=str(path),
            found=f"{reason}; {error}",
            remedy="install onnxruntime: pip install 'nnc[check]'",
        ) from error

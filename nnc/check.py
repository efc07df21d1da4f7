"""Comparing the outputs of a program with a reference implementation of ONNX.

The reference is onnxruntime (one thread) where it is installed and can load the model, else the reference
evaluator of onnx.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.isa.errors import CheckMismatchError, ExecutionError, ModelInvalidError

Array = npt.NDArray[Any]
TOLERANCE = 1e-4
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
    """

    name: str
    max_abs: float
    max_rel: float
    problem: str = ""

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
        return all(not o.problem and o.max_rel <= self.tolerance for o in self.outputs)

    def to_json(self) -> dict[str, Any]:
        """Verdict and largest errors as plain data."""
        return {
            "ok": self.ok,
            "max_abs_error": max((o.max_abs for o in self.outputs), default=0.0),
            "max_rel_error": max((o.max_rel for o in self.outputs), default=0.0),
        }

    def insist(self, where: str) -> None:
        """Do nothing if all is well.

        Raises:
            CheckMismatchError: an output differs; all that differ are listed.
        """
        wrong = [str(o) for o in self.outputs if o.problem or not o.max_rel <= self.tolerance]
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
    errors = tuple(
        compare(name, outputs[name], np.asarray(value)) for name, value in zip(names, expected, strict=True)
    )
    return CheckResult(reference, tolerance, errors)


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
    path: Path, proto: Any, names: Sequence[str], feed: Mapping[str, Array]
) -> tuple[str, Sequence[Any]]:
    """Name of the reference implementation, and its outputs."""
    if find_spec("onnxruntime") is not None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4  # its errors are ours to report
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

"""Running a model in a reference implementation: onnxruntime (one thread), else onnx's evaluator."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.compiler.frontend.errors import ModelInvalidError
from nnc.runtime.errors import ExecutionError

Array = npt.NDArray[Any]


class Way(Enum):
    """How a reference runs a model; DEFINED: unoptimised, its quantised operators written out."""

    OPTIMISED = "optimised"
    LITERAL = "unoptimised"
    DEFINED = "by definition"
    EVALUATOR = "evaluator"


@dataclass(frozen=True)
class Answer:
    """The outputs that a reference gave, and what it is called."""

    reference: str
    outputs: Mapping[str, Array]


@dataclass(frozen=True)
class Reference:
    """A model that can be run.

    Attributes:
        path: of the file, which messages name.
        proto: the model, weights in external files included.
        outputs: the names that are asked for, in order.
        changed: whether the proto is another than the file's.
    """

    path: Path
    proto: Any
    outputs: Sequence[str]
    changed: bool = False

    def run(self, feed: Mapping[str, Array], way: Way) -> Answer:
        """The outputs for some inputs; onnx's evaluator steps in where onnxruntime cannot run the model.

        Raises:
            ModelInvalidError: no reference implementation can load the model.
            ExecutionError: none can run it.
        """
        reason = "onnxruntime is not installed"
        if way is Way.EVALUATOR:
            reason = "onnxruntime was not asked"
        elif find_spec("onnxruntime") is not None:
            try:
                return self.open(way)(feed)
            except Exception as error:  # several kinds; a model too new for it is no fault of the model
                reason = " ".join(str(error).split())[:300]
        return self._run_evaluator(feed, reason)

    def open(self, way: Way) -> Callable[[Mapping[str, Array]], Answer]:
        """A session of onnxruntime that answers feeds; it raises exceptions of its own."""
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4  # its errors are ours to report
        if way in (Way.LITERAL, Way.DEFINED):
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        source = self.proto.SerializeToString() if self.changed else self.path
        session = onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
        said = "" if way is Way.OPTIMISED else f" {way.value}"
        name = f"onnxruntime {onnxruntime.__version__}{said}"
        return lambda feed: self._answer(name, session.run(list(self.outputs), dict(feed)))

    def _run_evaluator(self, feed: Mapping[str, Array], reason: str) -> Answer:
        import onnx
        from onnx.reference import ReferenceEvaluator

        try:
            evaluator = ReferenceEvaluator(self.proto)
        except Exception as error:  # any kind: the model is from outside
            raise ModelInvalidError(
                "no reference implementation can load the model",
                where=str(self.path),
                found=f"{reason}; {error}",
            ) from error
        try:
            arrays = list(evaluator.run(list(self.outputs), dict(feed)))
        except Exception as error:
            raise ExecutionError(
                "no reference implementation can run the model",
                where=str(self.path),
                found=f"{reason}; {error}",
                remedy="install onnxruntime: pip install 'nnc[check]'",
            ) from error
        return self._answer(f"onnx {onnx.__version__}'s reference evaluator", arrays)

    def _answer(self, name: str, arrays: Sequence[Any]) -> Answer:
        pairs = zip(self.outputs, arrays, strict=True)
        return Answer(name, {output: np.asarray(value) for output, value in pairs})

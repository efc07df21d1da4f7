"""Running a program with a host: segments of the chip are simulated, those of the host run in onnxruntime."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.isa.argument_types import typed
from nnc.isa.errors import OptionError
from nnc.isa.hosted import ChipSegment, HostedProgram, HostSegment
from nnc.runtime.errors import ExecutionError
from nnc.runtime.session import Session, check_names, checked_array

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Crossing:
    """A tensor that one segment makes and another one reads, in a run.

    Attributes:
        maker, readers: numbers of the segments.
        nbytes: of the tensor in this run; shapes may be known only then.
    """

    name: str
    maker: int
    readers: tuple[int, ...]
    nbytes: int


class HostedSession:
    """A program with a host, ready to run many times.

    >>> session = HostedSession(nnc.load_hosted("detector.bin"))
    >>> boxes, scores = session.run(None, {"image": image})

    What crossed in the last run (`crossings`, `tensors`), and the wall time of each segment (`seconds`), stay
    until the next one.  Threads must not share a session.
    """

    @typed
    def __init__(
        self,
        hosted: HostedProgram,
        *,
        verify: bool = True,
        poison: bool = False,
        jitter: int | None = None,
        blas_only: bool = False,
        name: str = "program",
    ) -> None:
        """Verify and bind the chip's programs, and load the host's models.

        Args:
            hosted: stays unchanged.
            verify, poison, jitter, blas_only, name: as of `Session`.

        Raises:
            OptionError: onnxruntime is not installed.
            ExecutionError: onnxruntime cannot load a model of the host.
            VerificationError: a program of the chip breaks a rule.
        """
        self.hosted = hosted
        self.sessions = {
            entry: Session(
                program,
                verify=verify,
                poison=poison,
                jitter=jitter,
                blas_only=blas_only,
                name=f"{name} {entry}",
            )
            for entry, program in hosted.programs.items()
        }
        self._hosts = {
            number: _load(segment, number)
            for number, segment in enumerate(hosted.segments)
            if isinstance(segment, HostSegment)
        }
        self._inputs = {tensor.name: tensor for tensor in hosted.given_inputs}
        self.crossings: list[Crossing] = []
        self.tensors: dict[str, Array] = {}
        self.seconds: list[float] = []

    @typed
    def run(
        self, output_names: Sequence[str] | None, input_feed: Mapping[str, npt.ArrayLike]
    ) -> list[npt.NDArray[Any]]:
        """Run all segments in their order.

        Args:
            output_names: which outputs to return, in this order; None: all.
            input_feed: an array per input, of exactly its shape and element type.

        Raises:
            InputError: a name, shape or element type is wrong.
            ExecutionError: an index is out of range, or onnxruntime cannot run a segment.
        """
        names = list(self.hosted.outputs) if output_names is None else list(output_names)
        check_names("output", names, dict.fromkeys(self.hosted.outputs), complete=False)
        check_names("input", list(input_feed), self._inputs, complete=True)
        values = {name: checked_array(input_feed[name], tensor) for name, tensor in self._inputs.items()}
        self.seconds = []
        for number, segment in enumerate(self.hosted.segments):
            start = time.perf_counter()
            values |= self._run_segment(number, segment, values)
            self.seconds.append(time.perf_counter() - start)
        self.crossings = [
            Crossing(name, maker, readers, values[name].nbytes)
            for name, maker, readers in self.hosted.crossings()
        ]
        self.tensors = {name: values[name] for name, _, _ in self.hosted.crossings()}
        return [np.array(values[name]) for name in names]

    def seconds_by_entry(self) -> dict[str, float]:
        """Wall time of the last run's segments of the chip, by the names of their programs."""
        pairs = zip(self.hosted.segments, self.seconds, strict=True)
        return {segment.entry: seconds for segment, seconds in pairs if isinstance(segment, ChipSegment)}

    def _run_segment(
        self, number: int, segment: ChipSegment | HostSegment, values: Mapping[str, Array]
    ) -> dict[str, Array]:
        """What a segment makes."""
        if isinstance(segment, ChipSegment):
            session = self.sessions[segment.entry]
            outputs = [info.name for info in session.get_outputs()]
            feeds = {info.name: values[info.name] for info in session.get_inputs()}
            return dict(zip(outputs, session.run(outputs, feeds), strict=True))
        try:
            arrays = self._hosts[number].run(
                list(segment.outputs), {name: values[name] for name in segment.inputs}
            )
        except Exception as error:  # of several kinds, by what the model does with these values
            raise ExecutionError(
                "the host cannot run its segment",
                where=f"segment {number}",
                found=" ".join(str(error).split())[:300],
                remedy="run the model in onnxruntime with these inputs: it fails there, too",
            ) from error
        return dict(zip(segment.outputs, map(np.asarray, arrays), strict=True))


def _load(segment: HostSegment, number: int) -> Any:
    """A session of onnxruntime, with one thread."""
    if find_spec("onnxruntime") is None:
        raise OptionError(
            "the program has segments for a host, which onnxruntime runs: it is not installed",
            where=f"segment {number}",
            remedy="install it: pip install 'nnc[check]'",
        )
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # its errors are ours to report
    # As the model is written: fused quantised kernels would round otherwise.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        return onnxruntime.InferenceSession(segment.model, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # of several kinds
        nodes = ", ".join(f"{node.name} ({node.operator})" for node in segment.nodes[:5])
        raise ExecutionError(
            "onnxruntime cannot load a segment of the host",
            where=f"segment {number}: {nodes}",
            found=" ".join(str(error).split())[:300],
            remedy="export the model without these nodes, or install a newer onnxruntime",
        ) from error

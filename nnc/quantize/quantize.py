"""From a float32 model and samples to a quantised one: QuantizeLinear and DequantizeLinear around operators.

onnxruntime's quantiser does it: its preparation (batch normalisation folded, shapes inferred), the ranges of
all activations on the samples, then scales and zero points, weights stored in 8 bits and biases in 32.
"""

from __future__ import annotations

import contextlib
import io
import logging
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, load_model_from_string, version_converter

from nnc.check.reference import Reference, Way
from nnc.errors import MissingPackageError, QuantizationError
from nnc.isa.errors import NncError
from nnc.quantize.calibration import Samples
from nnc.quantize.float_model import FloatModel
from nnc.quantize.integer_io import with_integer_io
from nnc.quantize.parameters import QuantizedTensor, quantized_tensors

Array = npt.NDArray[Any]
Progress = Callable[[str, int, int], None]
METHODS = {"minmax": "MinMax", "entropy": "Entropy", "percentile": "Percentile"}
"""Names of calibration methods: ours and onnxruntime's."""
ACTIVATIONS = {"s8": "QInt8", "u8": "QUInt8"}
_OLDEST_OPSET = 13
"""QuantizeLinear and DequantizeLinear have an axis since."""


@dataclass(frozen=True)
class Options:
    """How to quantise.

    Attributes:
        method: of `METHODS`: how the range of an activation follows from the samples.
        activations: of `ACTIVATIONS`: their element type; weights are always signed.
        per_channel: a scale per output channel of weights, or one per tensor.
        reduce_range: 7 bits for weights, for processors whose products of u8 × s8 saturate.
        integer_io: inputs and outputs are integers themselves.
    """

    method: str = "minmax"
    activations: str = "s8"
    per_channel: bool = True
    reduce_range: bool = False
    integer_io: bool = False


@dataclass(frozen=True)
class ErrorOnSamples:
    """Largest difference of an output between the float and the quantised model, over all samples.

    `relative` is a share of the largest magnitude that the float model's output has on the samples.
    """

    output: str
    absolute: float
    relative: float


@dataclass(frozen=True)
class Quantized:
    """A quantised model as the bytes of its file, its tensors, and how far it is from the float model.

    `integers` are the inputs and outputs that are integers.
    """

    data: bytes
    tensors: tuple[QuantizedTensor, ...]
    errors: tuple[ErrorOnSamples, ...]
    integers: tuple[str, ...]
    remarks: tuple[str, ...]


def insist_on_onnxruntime() -> None:
    """Do nothing if the quantiser is there.

    Raises:
        MissingPackageError: it is not.
    """
    if find_spec("onnxruntime") is None:
        raise MissingPackageError(
            "quantising needs the package onnxruntime, which is not installed",
            remedy="pip install 'nnc[quantize]'",
        )


def quantize(
    model: FloatModel, samples: Samples, options: Options, where: str, progress: Progress
) -> Quantized:
    """Quantise a model.

    Args:
        where: the model's name in messages.
        progress: is told what is done, how much of it, and of how much.

    Raises:
        MissingPackageError: onnxruntime is not installed.
        InputError: a sample cannot be read.
        QuantizationError: onnxruntime cannot quantise the model, or finds nothing in it to quantise.
    """
    insist_on_onnxruntime()
    remarks: list[str] = []
    with _silenced(remarks):
        try:
            data = _quantized_bytes(model.proto, samples, options, progress)
        except (NncError, MemoryError):
            raise
        except Exception as error:  # onnxruntime raises many kinds
            raise QuantizationError(
                "onnxruntime cannot quantise the model",
                where=where,
                found=f"{type(error).__name__}: {' '.join(str(error).split())}"[:400],
                remedy="see whether onnxruntime runs the float model at all: nnc run … --check",
            ) from error
    quantised = load_model_from_string(data)
    tensors = tuple(quantized_tensors(quantised))
    if not tensors:
        raise QuantizationError(
            "the model has nothing that onnxruntime quantises",
            where=where,
            found=", ".join(sorted({node.op_type for node in model.proto.graph.node})) or "no operator",
            expected="convolutions, matrix products or other operators of its list",
            remedy="compile the float model: nothing of it would be faster",
        )
    errors = tuple(_errors(model.proto, quantised, samples, Path(where), progress))
    integers: tuple[str, ...] = ()
    if options.integer_io:
        integers = tuple(with_integer_io(quantised))
        data = quantised.SerializeToString(deterministic=True)
    return Quantized(data, tensors, errors, integers, tuple(dict.fromkeys(remarks)))


def _quantized_bytes(model: ModelProto, samples: Samples, options: Options, progress: Progress) -> bytes:
    from onnxruntime import quantization

    with tempfile.TemporaryDirectory(prefix="nnc-quantize-") as name:
        given, prepared, result = (
            Path(name) / file for file in ("given.onnx", "prepared.onnx", "quantised.onnx")
        )
        progress("preparing the model", 0, 0)
        given.write_bytes(model.SerializeToString())
        quantization.quant_pre_process(str(given), str(prepared), skip_symbolic_shape=True)
        _with_recent_opset(prepared)
        reader: Any = _Reader(samples, progress)  # its base class is not there where onnxruntime is not
        quantization.quantize_static(
            str(prepared),
            str(result),
            reader,
            quant_format=quantization.QuantFormat.QDQ,
            activation_type=quantization.QuantType[ACTIVATIONS[options.activations]],
            weight_type=quantization.QuantType.QInt8,
            per_channel=options.per_channel,
            reduce_range=options.reduce_range,
            calibrate_method=quantization.CalibrationMethod[METHODS[options.method]],
            extra_options={"CalibStridedMinMax": 1},  # a sample at a time: all activations of one must fit
        )
        return result.read_bytes()


def _with_recent_opset(path: Path) -> None:
    proto = load_model_from_string(path.read_bytes())
    (opset,) = [entry.version for entry in proto.opset_import if entry.domain in ("", "ai.onnx")]
    if opset < _OLDEST_OPSET:
        converted = version_converter.convert_version(proto, _OLDEST_OPSET)
        converted.metadata_props.extend(proto.metadata_props)  # says that the model is prepared
        path.write_bytes(converted.SerializeToString())


class _Reader:
    """Samples as onnxruntime's calibration asks for them: one after the other within a range."""

    def __init__(self, samples: Samples, progress: Progress) -> None:
        self._samples = samples
        self._progress = progress
        self._next = self._end = 0

    def __len__(self) -> int:
        return self._samples.count

    def set_range(self, start_index: int, end_index: int) -> None:
        """Which samples are wanted now."""
        self._next, self._end = start_index, end_index

    def get_next(self) -> Mapping[str, Array] | None:
        """The next sample; None behind the last of the range."""
        if self._next >= self._end:
            return None
        self._progress("calibrating", self._next, self._samples.count)
        self._next += 1
        return self._samples.feed(self._next - 1)


def _errors(
    model: ModelProto, quantised: ModelProto, samples: Samples, where: Path, progress: Progress
) -> Iterator[ErrorOnSamples]:
    """How far the outputs of the quantised model, run as it is written, are from those of the float model."""
    names = [info.name for info in model.graph.output]
    runs = [
        Reference(where, proto, names, changed=True).open(way)
        for proto, way in ((model, Way.OPTIMISED), (quantised, Way.LITERAL))
    ]
    off, largest = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0.0)
    for index in range(samples.count):
        progress("comparing", index, samples.count)
        feed = samples.feed(index)
        exact, approximate = (run(feed).outputs for run in runs)
        for name in names:
            wanted = np.asarray(exact[name], np.float64)
            difference = np.abs(np.asarray(approximate[name], np.float64) - wanted)
            off[name] = max(off[name], float(difference.max(initial=0)))
            largest[name] = max(largest[name], float(np.abs(wanted).max(initial=0)))
    for name in names:
        yield ErrorOnSamples(name, off[name], off[name] / largest[name] if largest[name] else 0.0)


@contextlib.contextmanager
def _silenced(remarks: list[str]) -> Iterator[None]:
    """Collect what the quantiser logs as warnings; what it prints is for nobody."""
    root = logging.getLogger()

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            remarks.append(" ".join(record.getMessage().split()))

    collectors: list[logging.Handler] = [Collector(logging.WARNING)]
    handlers, root.handlers = root.handlers, collectors
    try:
        with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
            yield
    finally:
        root.handlers = handlers

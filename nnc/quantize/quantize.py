"""From a float32 model and samples to a quantised one: QuantizeLinear and DequantizeLinear around operators.

onnxruntime's quantiser does it: its preparation (batch normalisation folded, shapes inferred), the ranges of
all activations on the samples, then scales and zero points, weights stored in 8 bits and biases in 32.
"""

from __future__ import annotations

import contextlib
import io
import logging
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from onnx import ModelProto, load_model_from_string

from nnc.check.reference import Reference, Way
from nnc.errors import MissingPackageError, QuantizationError
from nnc.isa.errors import NncError
from nnc.quantize.calibration import Samples
from nnc.quantize.float_model import FloatModel
from nnc.quantize.integer_io import with_integer_io
from nnc.quantize.parameters import QuantizedTensor, quantized_tensors
from nnc.quantize.quantiser import Options, Progress, Quantiser


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

    `integers` are the inputs and outputs that are integers, `floats` the layers that stay in float.
    """

    data: bytes
    tensors: tuple[QuantizedTensor, ...]
    errors: tuple[ErrorOnSamples, ...]
    integers: tuple[str, ...]
    floats: tuple[str, ...]
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
    model: FloatModel,
    samples: Samples,
    options: Options,
    where: str,
    progress: Progress,
    *,
    choose: Callable[[Quantiser], Collection[str]] | None = None,
) -> Quantized:
    """Quantise a model.

    Args:
        where: the model's name in messages.
        progress: is told what is done, how much of it, and of how much.
        choose: gives the layers that stay in float; None: those of the options.

    Raises:
        MissingPackageError: onnxruntime is not installed.
        InputError: a sample cannot be read.
        OptionError: a layer that is to stay in float is unknown.
        QuantizationError: onnxruntime cannot quantise the model, or finds nothing in it to quantise.
    """
    insist_on_onnxruntime()
    remarks: list[str] = []
    with _silenced(remarks):
        try:
            quantiser = Quantiser(model.proto, samples, options, progress)
            floats = quantiser.floats if choose is None else choose(quantiser)
            data = quantiser.quantised(floats=floats)
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
    if not tensors and not floats:
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
    kept = tuple(name for name in quantiser.layers if name in floats)
    return Quantized(data, tensors, errors, integers, kept, tuple(dict.fromkeys(remarks)))


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

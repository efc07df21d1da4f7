"""`nnc.accuracy`: a quantised network beside its float network on samples, layer by layer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

import numpy.typing as npt
from onnx import ModelProto, inliner

from nnc.accuracies.comparison import Comparison, Networks
from nnc.accuracies.judged import Judged
from nnc.accuracies.labels import as_labels, read_labels
from nnc.accuracies.schema import AccuracyReport
from nnc.compilation import Arguments, compile_model
from nnc.compiler.frontend.model.load import ModelSource
from nnc.compiler.plan.planner import no_progress
from nnc.errors import AccuracyError, MissingPackageError
from nnc.io.pictures import PixelScaling
from nnc.isa.argument_types import typed
from nnc.isa.chip.description import Chip
from nnc.isa.program import Program
from nnc.quantize.calibration import read_samples, samples_of
from nnc.quantize.float_model import load_float_model
from nnc.quantize.static_model import load_static_model

Array = npt.NDArray[Any]
Data = str | PathLike[str] | Mapping[str, npt.ArrayLike]
Labels = str | PathLike[str] | Sequence[int] | npt.NDArray[Any]
Numbers = Sequence[float]


@typed
def accuracy(
    float_model: ModelSource,
    quantised_model: ModelSource,
    data: Data,
    *,
    chip: str | Chip | None = "npu",
    labels: Labels | None = None,
    metric: str | None = None,
    scored: str | None = None,
    chip_samples: int | None = None,
    mean: Numbers = (0.0,),
    scale: Numbers = (1.0,),
    **arguments: Unpack[Arguments],
) -> AccuracyReport:
    """How far a quantised network is from its float network on samples: every layer, the outputs, the chip.

    >>> report = nnc.accuracy("model.onnx", "model.int8.onnx", "pictures/", scale=[1 / 256])
    >>> worst = report.tensors[0]
    >>> worst.tensor, worst.own.snr_db, worst.cumulative.snr_db

    Args:
        float_model: path of an ONNX file, its bytes, or an onnx.ModelProto; float32.
        quantised_model: what a quantiser made of it; names of tensors are those of the float model.
        data: a folder of pictures, .npy or .npz files, a .npz file with an array per input whose first axis
            counts samples, or such arrays by the names of the inputs.
        chip: a preset, the path of a TOML file or a chip, for which the quantised network is compiled and
            simulated; None: only onnxruntime runs.
        labels: the class of each sample: integers, or a file of them (.npy, .npz, text).
        metric: ``"top1"``, ``"top5"`` (with labels), ``"agreement"`` or ``"error"``; None: top1 with labels,
            else agreement, or error where an output has no classes.
        scored: the output that the metric is of; None: the first.
        chip_samples: how many samples run on the chip; None: all.
        mean, scale: of pixels of 0 … 255: a value is (pixel - mean) * scale; one number or one per channel.
        arguments: of the compilation, as of `nnc.compile`; of them shapes and dims hold for both models.

    Raises:
        MissingPackageError: onnxruntime is not installed.
        AccuracyError: the networks have no tensor in common, or onnxruntime cannot run one of them.
        InputError: samples or labels cannot be read, or do not fit.
        NncError: a model cannot be read or compiled.
    """
    _insist_on_onnxruntime()
    shapes, dims = arguments.get("shapes") or {}, arguments.get("dims") or {}
    progress = arguments.get("progress", no_progress)
    progress("reading", 0, 0)
    before = load_float_model(float_model, shapes, dims)
    after = load_static_model(quantised_model, shapes, dims)
    _insist_on_inputs({t.name for t in before.inputs}, {t.name for t in after.inputs})
    scaling = PixelScaling(tuple(map(float, mean)), tuple(map(float, scale)))
    samples = (
        samples_of(data, before.inputs)
        if isinstance(data, Mapping)
        else read_samples(Path(data), before.inputs, scaling)
    )
    answers = _labels(labels)
    networks = Networks(before.proto, _inlined(after.proto), _label(float_model), _label(quantised_model))
    judged = Judged(metric, scored, answers)
    count = samples.count if chip_samples is None else min(chip_samples, samples.count)
    compiled = None if chip is None or not count else _compiling(chip, arguments.copy())
    return Comparison(networks, judged, samples, compiled, count, progress).run()


def _insist_on_inputs(before: set[str], after: set[str]) -> None:
    """Raise AccuracyError if the networks have other inputs."""
    if before != after:
        raise AccuracyError(
            "the networks have different inputs",
            found=", ".join(sorted(after)) or "none",
            expected=", ".join(sorted(before)) or "none",
            remedy="give the float network that the quantised one was made from",
        )


def _insist_on_onnxruntime() -> None:
    if find_spec("onnxruntime") is None:
        raise MissingPackageError(
            "comparing networks needs the package onnxruntime, which is not installed",
            remedy="pip install 'nnc[check]'",
        )


def _labels(labels: Labels | None) -> Array | None:
    if labels is None:
        return None
    if isinstance(labels, str | PathLike):
        return read_labels(Path(labels))
    return as_labels(labels, "labels")


def _label(source: ModelSource) -> str:
    if isinstance(source, str | PathLike):
        return str(source)
    return source.graph.name or "model" if isinstance(source, ModelProto) else "model"


def _inlined(model: ModelProto) -> ModelProto:
    return inliner.inline_local_functions(model) if model.functions else model


def _compiling(chip: str | Chip, arguments: Arguments) -> Callable[[ModelProto], Program]:
    """Compiles models for the chip, whose inputs are of static shapes already."""
    arguments.pop("shapes", None)
    arguments.pop("dims", None)

    def compiled(model: ModelProto) -> Program:
        return compile_model(model, chip, **arguments).program

    return compiled

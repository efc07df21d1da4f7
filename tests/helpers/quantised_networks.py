"""Networks quantised by onnxruntime, with conversions around every operator (QDQ), and their oracles."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

Array = np.ndarray[Any, Any]
Feeds = dict[str, Array]


class _Feeds(CalibrationDataReader):  # type: ignore[misc]
    def __init__(self, feeds: list[Feeds]) -> None:
        self._left: Iterator[Feeds] = iter(feeds)

    def get_next(self) -> Feeds | None:
        return next(self._left, None)


def feeds_of(model: onnx.ModelProto, seed: int) -> Feeds:
    """A random array per input of a model: normal floats."""
    rng = np.random.default_rng(seed)
    weights = {tensor.name for tensor in model.graph.initializer}
    return {
        info.name: rng.standard_normal([d.dim_value for d in info.type.tensor_type.shape.dim]).astype(
            np.float32
        )
        for info in model.graph.input
        if info.name not in weights
    }


def quantised(
    model: onnx.ModelProto,
    *,
    activations: str = "u8",
    per_channel: bool = True,
    prepare: bool = True,
    **options: Any,
) -> onnx.ModelProto:
    """A model quantised for three random samples.

    Args:
        activations: u8 or s8; weights are s8.
        per_channel: a scale per output channel of the weights, else one for all.
        prepare: fold batch norms and constants first, as people are told to.
    """
    kind = QuantType.QUInt8 if activations == "u8" else QuantType.QInt8
    with tempfile.TemporaryDirectory() as folder:
        source, ready, target = (str(Path(folder) / name) for name in ("a.onnx", "b.onnx", "c.onnx"))
        onnx.save(model, source)
        if prepare:
            quant_pre_process(source, ready, skip_symbolic_shape=True)
        quantize_static(
            ready if prepare else source,
            target,
            _Feeds([feeds_of(model, seed) for seed in range(3)]),
            quant_format=QuantFormat.QDQ,
            per_channel=per_channel,
            activation_type=kind,
            weight_type=QuantType.QInt8,
            **options,
        )
        return onnx.load(target)


def literal(model: onnx.ModelProto, feeds: Feeds) -> Feeds:
    """All tensors of a model as it says, operator by operator, in onnxruntime without optimisation."""
    whole = onnx.ModelProto()
    whole.CopyFrom(model)
    have = {info.name for info in whole.graph.output}
    for node in whole.graph.node:
        for name in node.output:
            if name and name not in have:
                whole.graph.output.append(helper.make_empty_tensor_value_info(name))
                have.add(name)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(whole.SerializeToString(), options)
    names = [info.name for info in session.get_outputs()]
    return dict(zip(names, session.run(names, feeds), strict=True))

"""Networks quantised on random data, by the code of `nnc quantize`."""

from __future__ import annotations

import onnx

from nnc.quantize.calibration import random_samples
from nnc.quantize.float_model import load_float_model
from nnc.quantize.quantiser import Options
from nnc.quantize.quantize import quantize


def quantised(
    model: onnx.ModelProto, *, activations: str = "s8", per_channel: bool = True, samples: int = 2
) -> onnx.ModelProto:
    """The model with QuantizeLinear and DequantizeLinear around its operators."""
    before = load_float_model(model, {})
    options = Options(activations=activations, per_channel=per_channel)
    after = quantize(before, random_samples(before.inputs, samples), options, "model", lambda *_: None)
    return onnx.load_model_from_string(after.data)

"""Layers that stay in float: those that are named, or those that the bound of the loss needs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime
import pytest
from onnx import ModelProto

import nnc
from nnc.accuracies.judged import Judged
from nnc.isa.errors import InputError, OptionError
from nnc.models.digits import MODEL, load_heldout, to_input
from nnc.quantize.calibration import Samples, samples_of
from nnc.quantize.float_model import FloatModel, load_float_model
from nnc.quantize.mixed import Bound, Mixed, Mixer
from nnc.quantize.quantiser import Options, Quantiser
from nnc.quantize.quantize import Quantized, quantize

Array = npt.NDArray[Any]
HARD = [67, 165, 333, 111, 307, 191, 137, 70, 0, 1, 2, 3]
"""Digits of which the network is less sure, so that rounding shows in its probabilities."""


def quiet(*_: object) -> None:
    """No progress."""


@pytest.fixture(scope="module")
def before() -> FloatModel:
    return load_float_model(MODEL, {})


@pytest.fixture(scope="module")
def images() -> Array:
    return np.concatenate([to_input(image) for image in load_heldout()[0][HARD]])


@pytest.fixture(scope="module")
def samples(before: FloatModel, images: Array) -> Samples:
    return samples_of({"image": images}, before.inputs)


def mixed(
    before: FloatModel,
    samples: Samples,
    most: float,
    *,
    metric: str = "error",
    labels: Array | None = None,
    floats: tuple[str, ...] = (),
) -> tuple[Quantized, Mixed]:
    """A network of mixed precision; its bytes are those of its weights, as compiling takes long."""

    def weights(model: ModelProto) -> int:
        return sum(onnx.numpy_helper.to_array(tensor).nbytes for tensor in model.graph.initializer)

    mixer = Mixer(before.proto, Bound(most, samples, Judged(metric, None, labels), weights), quiet)
    after = quantize(before, samples, Options(floats=floats), "digits", quiet, choose=mixer.choose)
    assert mixer.mixed is not None
    return after, mixer.mixed


def error(network: bytes, images: Array) -> float:
    """Root mean square of the error of the probabilities, as a share of theirs."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    runs = [onnxruntime.InferenceSession(it, options) for it in (MODEL.read_bytes(), network)]
    columns: Any = [[run.run(None, {"image": image[None]})[0] for image in images] for run in runs]
    exact, approximate = np.array(columns, np.float64)
    return float(np.sqrt(((approximate - exact) ** 2).sum() / (exact**2).sum()))


def test_nothing_stays_in_float_where_eight_bits_are_enough(before: FloatModel, samples: Samples) -> None:
    after, search = mixed(before, samples, 0.05)
    assert search.floats == after.floats == () and search.steps == ()
    assert search.losses["int8"] == search.losses["mixed"]


def test_the_loss_is_within_the_bound_with_fewer_bytes_than_floats(
    before: FloatModel, samples: Samples, images: Array
) -> None:
    """The loss is computed again; what is not needed is not kept in float."""
    plain = mixed(before, samples, 0.5)[1].losses["int8"]
    bound = plain / 2
    after, search = mixed(before, samples, bound)
    assert plain > bound >= search.losses["mixed"] > 0
    assert search.losses["mixed"] == pytest.approx(error(after.data, images), rel=1e-4)
    assert search.dram_bytes["int8"] < search.dram_bytes["mixed"] < search.dram_bytes["float"]
    assert search.floats == after.floats
    assert {step.layer.name for step in search.steps if step.needed} == set(search.floats)
    for name in search.floats:  # each is needed
        fewer = quantize(before, samples, Options(floats=tuple(set(search.floats) - {name})), "digits", quiet)
        assert error(fewer.data, images) > bound


def test_loss_of_right_answers(before: FloatModel, samples: Samples) -> None:
    labels = load_heldout()[1][HARD]
    search = mixed(before, samples, 0.0, metric="top1", labels=labels)[1]
    assert search.float_score == 11 / 12 and search.losses["mixed"] <= 0
    with pytest.raises(InputError, match="not as many as the samples"):
        mixed(before, samples, 0.0, metric="top1", labels=labels[:3])


def test_layers_named_by_nodes_and_results_stay_in_float(before: FloatModel, samples: Samples) -> None:
    """Their weights are floats, a Relu behind them is theirs."""
    after = quantize(before, samples, Options(floats=("relu_1", "node_linear")), "digits", quiet)
    assert after.floats == ("node_conv2d_1", "node_linear")
    graph = onnx.load_model_from_string(after.data).graph
    floats = {tensor.name for tensor in graph.initializer if tensor.data_type == onnx.TensorProto.FLOAT}
    assert "digits.dense.weight" in floats
    assert [node.op_type for node in graph.node].count("Relu") == 1
    with pytest.raises(OptionError, match="no such layer") as caught:
        quantize(before, samples, Options(floats=("node_conv2d_11",)), "digits", quiet)
    assert "node_conv2d_1" in caught.value.remedy


def test_a_layer_alone_is_quantised_alone(before: FloatModel, samples: Samples) -> None:
    quantiser = Quantiser(before.proto, samples, Options(), quiet)
    (name,) = quantiser.named(["linear"])
    alone = onnx.load_model_from_string(quantiser.quantised(only=[name]))
    quantised = {node.input[0] for node in alone.graph.node if node.op_type == "QuantizeLinear"}
    assert quantised == {"view", "linear"}


def test_products_of_sixteen_bits_gain_nothing() -> None:
    """Why there is no --int16: as many bytes as in float32, and as many float layers."""
    from onnxruntime.quantization import QuantType

    model = _with_activations_of(QuantType.QInt16)
    result = nnc.compile_model(model, options=nnc.PlanOptions(effort="O0"))
    quantised = result.report.quantised
    assert quantised is not None and quantised["int8_layers"] == 0
    assert quantised["float"]["node_linear"] == "products are of 8-bit integers"


def _with_activations_of(kind: Any) -> ModelProto:
    """The last layers of the digits network, quantised by onnxruntime."""
    import tempfile
    from pathlib import Path

    from onnxruntime import quantization

    images = [to_input(image) for image in load_heldout()[0][:2]]
    feeds = iter([{"image": image} for image in images])

    class Reader(quantization.CalibrationDataReader):
        def get_next(self) -> Any:
            return next(feeds, None)

    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "result.onnx"
        types = {"activation_type": kind, "weight_type": quantization.QuantType.QInt8}
        quantization.quantize_static(
            str(MODEL), str(result), Reader(), op_types_to_quantize=["Gemm"], **types
        )
        return onnx.load(result)


def test_constants_that_are_inputs_are_constants_for_the_quantiser(
    before: FloatModel, samples: Samples, capfd: pytest.CaptureFixture[str]
) -> None:
    """Files of IR version 3 have all constants as inputs."""
    old = ModelProto()
    old.CopyFrom(before.proto)
    for tensor in old.graph.initializer:
        old.graph.input.append(onnx.helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims))
    quantised = [Quantiser(it, samples, Options(), quiet).quantised() for it in (before.proto, old)]
    assert quantised[0] == quantised[1]
    assert "appears in graph inputs" not in capfd.readouterr().err

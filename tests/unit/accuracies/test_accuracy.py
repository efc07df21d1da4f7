"""nnc.accuracy: its figures are those of onnxruntime's own tensors, recomputed here with numpy."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime
import pytest
from onnx import ModelProto, ValueInfoProto, numpy_helper, shape_inference, utils

import nnc
from nnc.accuracies.schema import AccuracyReport, TensorAccuracy
from nnc.errors import AccuracyError
from nnc.isa.errors import InputError, OptionError
from nnc.models.digits import INT8_MODEL, MODEL, load_heldout, to_input

Array = npt.NDArray[Any]
COUNT = 6


def samples(count: int = COUNT) -> tuple[Array, Array]:
    images, labels = load_heldout()
    return np.concatenate([to_input(image) for image in images[:count]]), labels[:count]


@pytest.fixture(scope="module")
def report() -> AccuracyReport:
    """Of the digits network in int8, on six samples, all of which run on the chip."""
    data, labels = samples()
    return nnc.accuracy(MODEL, INT8_MODEL, {"image": data}, labels=labels)


def run(model: ModelProto, names: list[str], feed: dict[str, Array]) -> list[Array]:
    """Tensors of a model in onnxruntime, as it is written."""
    changed = ModelProto()
    changed.CopyFrom(model)
    outputs = {info.name for info in changed.graph.output}
    changed.graph.output.extend(ValueInfoProto(name=name) for name in names if name not in outputs)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(changed.SerializeToString(), options)
    arrays: list[Any] = session.run(names, feed)
    return arrays


def decibels(exact: Array, other: Array) -> float:
    wanted, error = exact.astype(np.float64), other.astype(np.float64) - exact.astype(np.float64)
    return float(10 * np.log10((wanted**2).sum() / (error**2).sum()))


def row(report: AccuracyReport, tensor: str) -> TensorAccuracy:
    return next(row for row in report.tensors if row.tensor == tensor)


def of_all_samples(model: ModelProto, names: list[str], feeds: list[dict[str, Array]]) -> list[Array]:
    columns = zip(*(run(model, names, feed) for feed in feeds), strict=True)
    return [np.stack(column) for column in columns]


def test_figures_are_those_of_onnxruntimes_tensors(report: AccuracyReport) -> None:
    """Every tensor, cumulative: the float network's beside what DequantizeLinear gives."""
    before, after = onnx.load(MODEL), onnx.load(INT8_MODEL)
    feeds = [{"image": image[None]} for image in samples()[0]]
    dequantized = {
        node.input[0]: node.output[0] for node in after.graph.node if node.op_type == "DequantizeLinear"
    }
    rows = [row for row in report.tensors if row.tensor != "image"]
    exact = of_all_samples(before, [row.tensor for row in rows], feeds)
    kept = [dequantized.get(row.quantised_tensor, row.quantised_tensor) for row in rows]
    found = of_all_samples(after, kept, feeds)
    assert len(rows) == 17
    for row, wanted, other in zip(rows, exact, found, strict=True):
        assert row.cumulative.snr_db == pytest.approx(decibels(wanted, other), abs=1e-3), row.tensor
        assert row.cumulative.max_abs_error == pytest.approx(np.abs(wanted - other).max(), rel=1e-3, abs=1e-6)
        cosine = (wanted * other).sum() / np.sqrt((wanted**2).sum() * (other**2).sum())
        assert row.cumulative.cosine == pytest.approx(cosine, abs=1e-6)
        assert row.largest == pytest.approx(np.abs(wanted).max(), rel=1e-5)


@pytest.mark.parametrize(
    ("tensor", "sources"),
    [
        ("relu_1", ["relu"]),
        ("relu_2", ["getitem_6", "relu"]),
        ("max_pool2d", ["relu_2"]),
        ("view", ["mean"]),
        ("linear", ["view"]),
    ],
)
def test_own_harm_is_that_of_the_layer_cut_out(
    report: AccuracyReport, tensor: str, sources: list[str], tmp_path: Path
) -> None:
    """Onnx's extractor cuts the layer out of the quantised network; it gets the float network's tensors."""
    inputs = [name if name == "mean" else f"{name}_DequantizeLinear_Output" for name in sources]
    model = shape_inference.infer_shapes(onnx.load(INT8_MODEL))
    layer = utils.Extractor(model).extract_model(inputs, [f"{tensor}_DequantizeLinear_Output"])
    exact, found = [], []
    for image in samples()[0]:
        *given, wanted = run(onnx.load(MODEL), [*sources, tensor], {"image": image[None]})
        feed = dict(zip(inputs, given, strict=True))
        exact.append(wanted)
        found += run(layer, [f"{tensor}_DequantizeLinear_Output"], feed)
    assert row(report, tensor).own.snr_db == pytest.approx(
        decibels(np.stack(exact), np.stack(found)), abs=1e-3
    )


def test_layers_that_round_nothing_do_no_harm(report: AccuracyReport) -> None:
    assert row(report, "mean").own.snr_db is None
    assert row(report, "mean").scales == 0
    assert row(report, "image").own.snr_db is None  # multiples of the scale
    assert row(report, "max_pool2d").repeats == "relu_2"
    decibels = [row.own.snr_db for row in report.tensors if row.own.snr_db is not None]
    assert decibels == sorted(decibels)
    assert all(row.own.snr_db is None for row in report.tensors[len(decibels) :])


def test_chip_and_onnxruntime_agree_layer_by_layer(report: AccuracyReport) -> None:
    agreements = [row.agreement for row in report.tensors if row.agreement is not None]
    assert len(agreements) == 17
    assert max(agreement.largest_steps or 0 for agreement in agreements) <= 1
    assert sum(agreement.differing for agreement in agreements) <= 17
    assert report.chip == "npu" and report.chip_samples == COUNT
    assert report.remarks == ()


def test_score_of_labels(report: AccuracyReport) -> None:
    (score,) = report.scores
    assert (score.metric, score.output) == ("top1", "probabilities")
    assert (score.float_score, score.quantised_score, score.chip_score, score.loss) == (1, 1, 1, 0)


def test_other_labels_and_metrics() -> None:
    """Half of the labels wrong, by one: the network is wrong for them, and never among five equal zeros."""
    data, labels = samples()
    wrong = np.where(np.arange(COUNT) % 2, labels, (labels + 1) % 10)
    given = {"image": data}
    report = nnc.accuracy(MODEL, INT8_MODEL, given, labels=wrong, chip=None)
    assert (report.scores[0].float_score, report.scores[0].chip_score, report.chip) == (0.5, None, None)
    assert all(row.chip is None and row.agreement is None for row in report.tensors)
    five = nnc.accuracy(MODEL, INT8_MODEL, given, labels=labels, metric="top5", chip=None)
    assert five.scores[0].float_score == 1
    error = nnc.accuracy(MODEL, INT8_MODEL, given, metric="error", chip=None).scores[0]
    snr = row(five, "probabilities").cumulative.snr_db
    assert snr is not None
    assert error.loss == pytest.approx(10 ** (-snr / 20), rel=1e-6)
    agreement = nnc.accuracy(MODEL, INT8_MODEL, given, chip=None).scores[0]
    assert (agreement.metric, agreement.quantised_score) == ("agreement", 1)


def quantised(**options: Any) -> bytes:
    """The digits network as onnxruntime's quantiser makes it."""
    from onnxruntime import quantization

    feeds = iter([{"image": image[None]} for image in samples()[0]])

    class Reader(quantization.CalibrationDataReader):
        def get_next(self) -> Any:
            return next(feeds, None)

    with tempfile.TemporaryDirectory() as folder:
        prepared, result = Path(folder) / "prepared.onnx", Path(folder) / "result.onnx"
        quantization.quant_pre_process(str(MODEL), str(prepared), skip_symbolic_shape=True)
        quantization.quantize_static(str(prepared), str(result), Reader(), per_channel=True, **options)
        return result.read_bytes()


def test_forms_of_quantised_networks_have_equal_figures() -> None:
    """QuantizeLinear around operators, and operators on integers (u8 and s8): the same tensors and harm."""
    from onnxruntime.quantization import QuantFormat, QuantType

    data = {"image": samples(2)[0]}
    signed = {"activation_type": QuantType.QInt8, "weight_type": QuantType.QInt8}
    unsigned = {**signed, "activation_type": QuantType.QUInt8}
    pairs = nnc.accuracy(MODEL, quantised(quant_format=QuantFormat.QDQ, **signed), data, chip=None)
    for types in (signed, unsigned):
        model = quantised(quant_format=QuantFormat.QOperator, **types)
        integers = nnc.accuracy(MODEL, model, data, chip=None)
        assert {row.tensor for row in integers.tensors} == {row.tensor for row in pairs.tensors}
        assert {row.dtype for row in integers.tensors} == {"f32", "i8" if types is signed else "u8"}
        for wanted in pairs.tensors:
            found = row(integers, wanted.tensor)
            if wanted.tensor == "probabilities":  # of another scale: that of QLinearSoftmax is fixed
                continue
            assert found.own.snr_db == pytest.approx(wanted.own.snr_db, abs=0.01), wanted.tensor
            assert found.cumulative.snr_db == pytest.approx(wanted.cumulative.snr_db, abs=0.01)
            assert (found.repeats, found.saturated) == (wanted.repeats, wanted.saturated)


def test_saturation_is_what_the_integers_cannot_hold() -> None:
    """A scale of a quarter: all that lies beyond a quarter of the range is saturated."""
    model = onnx.load(INT8_MODEL)
    scale = next(tensor for tensor in model.graph.initializer if tensor.name == "relu_1_scale")
    quarter = numpy_helper.to_array(scale) / 4
    scale.CopyFrom(numpy_helper.from_array(quarter, scale.name))
    report = nnc.accuracy(MODEL, model, {"image": samples()[0]}, chip=None)
    values = of_all_samples(onnx.load(MODEL), ["relu_1"], [{"image": image[None]} for image in samples()[0]])[
        0
    ]
    share = float((values > quarter * 255.5).mean())
    assert share > 0.001
    assert row(report, "relu_1").saturated == pytest.approx(share)
    assert report.tensors[0].tensor == "relu_1"


def test_inputs_and_outputs_of_integers() -> None:
    """What nnc quantize --integer-io makes is fed with the integers of the samples."""
    from nnc.quantize.integer_io import with_integer_io

    model = onnx.load(INT8_MODEL)
    assert with_integer_io(model) == ["image", "probabilities"]
    data = {"image": samples(2)[0]}
    plain, whole = (nnc.accuracy(MODEL, it, data, chip=None) for it in (onnx.load(INT8_MODEL), model))
    assert [row.own for row in whole.tensors] == [row.own for row in plain.tensors]
    assert [row.cumulative for row in whole.tensors] == [row.cumulative for row in plain.tensors]


def renamed(model: ModelProto) -> ModelProto:
    for node in model.graph.node:
        for names in (node.input, node.output):
            names[:] = [name if name == "image" else f"other/{name}" for name in names]
    for tensor in (*model.graph.initializer, *model.graph.output):
        tensor.name = f"other/{tensor.name}"
    return model


def test_what_cannot_be_compared() -> None:
    data, labels = {"image": samples(1)[0]}, samples(1)[1]
    with pytest.raises(AccuracyError, match="no tensor in common"):
        nnc.accuracy(MODEL, renamed(onnx.load(INT8_MODEL)), data)
    with pytest.raises(AccuracyError, match="different inputs"):
        nnc.accuracy(nnc.models.build("lenet5", width=0.5), INT8_MODEL, data)
    with pytest.raises(InputError, match="not samples of input image"):
        nnc.accuracy(MODEL, INT8_MODEL, {"image": np.zeros((1, 1, 8, 8), np.float32)})
    with pytest.raises(InputError, match="not those of the inputs"):
        nnc.accuracy(MODEL, INT8_MODEL, {"picture": samples(1)[0]})
    with pytest.raises(InputError, match="not as many as the samples"):
        nnc.accuracy(MODEL, INT8_MODEL, data, labels=[1, 2], chip=None)
    with pytest.raises(InputError, match="no class"):
        nnc.accuracy(MODEL, INT8_MODEL, data, labels=[10], chip=None)
    with pytest.raises(InputError, match="integers along one axis"):
        nnc.accuracy(MODEL, INT8_MODEL, data, labels=np.array([0.5]), chip=None)
    with pytest.raises(OptionError, match="needs labels"):
        nnc.accuracy(MODEL, INT8_MODEL, data, metric="top5", chip=None)
    with pytest.raises(OptionError, match="no such output"):
        nnc.accuracy(MODEL, INT8_MODEL, data, labels=labels, scored="logits", chip=None)

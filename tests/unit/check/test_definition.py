"""Where onnxruntime's kernels compute otherwise than its operators are defined, the definition is meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import helper, numpy_helper, parser

import nnc
from nnc.check.model_facts import ModelFacts
from nnc.check.outputs import CheckResult, check_outputs
from nnc.errors import CheckMismatchError

Array = np.ndarray[Any, Any]
RNG = np.random.default_rng(8)


def one_node(
    op: str, dtype: str, scales: Sequence[float], zeros: Sequence[int], **attributes: Any
) -> onnx.ModelProto:
    """A node of onnxruntime's domain; scales and zero points of its operands, then of its result."""
    count, type_ = len(scales) - 1, np.dtype(dtype)
    held = [numpy_helper.from_array(np.array(scale, np.float32), f"s{i}") for i, scale in enumerate(scales)]
    held += [numpy_helper.from_array(np.array(zero, type_), f"z{i}") for i, zero in enumerate(zeros)]
    operands = [name for i in range(count) for name in (f"x{i}", f"s{i}", f"z{i}")]
    result = [f"s{count}", f"z{count}"]
    names = result + operands if op == "QLinearConcat" else operands + result
    if op == "QLinearConcat":
        attributes["axis"] = 1
    node = helper.make_node(op, names, ["y"], domain="com.microsoft", **attributes)
    code = helper.np_dtype_to_tensor_dtype(type_)
    inputs = [helper.make_tensor_value_info(f"x{i}", code, (1, 4, 8, 8)) for i in range(count)]
    graph = helper.make_graph([node], "g", inputs, [helper.make_tensor_value_info("y", code, None)], held)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def feed_of(model: onnx.ModelProto) -> dict[str, Array]:
    feed = {}
    for info in model.graph.input:
        dtype = helper.tensor_dtype_to_np_dtype(info.type.tensor_type.elem_type)
        shape = [dim.dim_value for dim in info.type.tensor_type.shape.dim]
        feed[info.name] = RNG.integers(0, 256, shape).astype(np.uint8).view(dtype)
    return feed


def run(model: onnx.ModelProto, path: Path, *, by_layers: bool = False) -> tuple[CheckResult, Any]:
    """Compile for an NPU, run on random integers, check."""
    onnx.save(model, path)
    session, feed = nnc.Session(nnc.compile(model, "npu"), blas_only=True), feed_of(model)
    outputs = dict(zip([info.name for info in session.get_outputs()], session.run(None, feed), strict=True))
    chip = session.program.chip
    return check_outputs(path, feed, outputs, chip=chip, by_layers=by_layers), (feed, outputs, chip)


@pytest.mark.parametrize("dtype", ["uint8", "int8"])
@pytest.mark.parametrize("scales", [(0.25, 0.5), (0.02, 0.02)])
@pytest.mark.parametrize("last", [0, 1])
def test_ties_of_a_quantised_average_pool(
    dtype: str, scales: tuple[float, float], last: int, tmp_path: Path
) -> None:
    model = one_node("QLinearAveragePool", dtype, scales, (3, 5), kernel_shape=[2, 2], channels_last=last)
    verdict, (feed, outputs, chip) = run(model, tmp_path / "m.onnx")
    assert verdict.ok and "by definition" in verdict.reference and "tie" in verdict.why
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    (own,) = onnxruntime.InferenceSession(tmp_path / "m.onnx", options).run(None, feed)
    assert (own != outputs["y"]).sum() > 10, "onnxruntime rounds ties as its operator is defined"
    assert check_outputs(tmp_path / "m.onnx", feed, {"y": own}, chip=chip).equal
    outputs["y"].flat[:3] ^= 1
    with pytest.raises(CheckMismatchError, match="by definition"):
        check_outputs(tmp_path / "m.onnx", feed, outputs, chip=chip).insist("m")


@pytest.mark.parametrize(
    ("op", "count", "attributes"),
    [
        ("QLinearAdd", 2, {}),
        ("QLinearMul", 2, {}),
        ("QLinearConcat", 2, {}),
        ("QLinearSigmoid", 1, {}),
        ("QLinearLeakyRelu", 1, {"alpha": 0.5}),
        ("QLinearGlobalAveragePool", 1, {}),
        ("QLinearGlobalAveragePool", 1, {"channels_last": 1}),
        ("QLinearAveragePool", 1, {"kernel_shape": [2, 2], "auto_pad": "SAME_UPPER"}),
        ("QLinearAveragePool", 1, {"kernel_shape": [3, 3], "strides": [2, 2], "ceil_mode": 1}),
        (
            "QLinearAveragePool",
            1,
            {"kernel_shape": [2, 3], "strides": [2, 1], "pads": [1, 1, 0, 1], "count_include_pad": 1},
        ),
    ],
)
def test_operators_of_onnxruntime_with_odd_zero_points(
    op: str, count: int, attributes: dict[str, Any], tmp_path: Path
) -> None:
    for _ in range(3):
        scales = RNG.choice([0.01, 0.02, 0.04, 0.03, 0.125, 0.25, 0.5, 1.0], count + 1)
        zeros = 2 * RNG.integers(0, 10, count + 1) + 1
        model = one_node(
            op, str(RNG.choice(["uint8", "int8"])), scales.tolist(), zeros.tolist(), **attributes
        )
        verdict, _ = run(model, tmp_path / "m.onnx", by_layers=True)
        assert verdict.ok, (op, scales, zeros, verdict)


def product(op: str, *, held: bool) -> onnx.ModelProto:
    """u8 × s8 of 64 products per sum; weights are constant or computed at run time."""
    declared = "" if held else ", int8[64,6] w"
    scaled = "x, s, z, w, sw, zw" if op == "QLinearMatMul" else "x, s, z, w, sw, zw, bias"
    node = {
        "QLinearMatMul": f"y = QLinearMatMul ({scaled}, sy, zy)",
        "com.microsoft.QGemm": f"y = com.microsoft.QGemm ({scaled}, sy, zy)",
        "MatMulInteger": "y = MatMulInteger (x, w, z, zw)",
    }[op]
    result = "int32" if op == "MatMulInteger" else "uint8"
    text = f"""<ir_version: 8, opset_import: ["": 17, "com.microsoft": 1]>
    g (uint8[4,64] x{declared}) => ({result}[4,6] y)
    <float s = {{0.02}}, float sw = {{0.01}}, float sy = {{2.0}}, uint8 z = {{3}}, int8 zw = {{0}},
     uint8 zy = {{99}}> {{
        {node}
    }}"""
    model = parser.parse_model(text)
    if held:
        values = RNG.integers(-128, 128, (64, 6)).astype(np.int8)
        model.graph.initializer.append(numpy_helper.from_array(values, "w"))
    if "bias" in scaled:
        model.graph.initializer.append(numpy_helper.from_array(np.arange(6, dtype=np.int32), "bias"))
    return model


class WithoutVnni:
    """onnxruntime on a processor whose sums of two products u8 × s8 saturate in 16 bits."""

    real = onnxruntime.InferenceSession

    def __init__(self, source: Any, options: Any = None, **arguments: Any) -> None:
        proto = onnx.ModelProto.FromString(source) if isinstance(source, bytes) else onnx.load(source)
        facts = ModelFacts(proto)
        mixed = (onnx.TensorProto.UINT8, onnx.TensorProto.INT8)
        node = proto.graph.node[-1]
        self.saturates = facts.product_types(node) == mixed
        self.held = {name: numpy_helper.to_array(tensor) for name, tensor in facts.constants.items()}
        self.node = node
        self.session = self.real(source, options, **arguments)

    def run(self, names: Sequence[str], feed: Mapping[str, Array]) -> list[Array]:
        if not self.saturates:
            return list(self.session.run(list(names), dict(feed)))
        values = {**self.held, **feed}
        x, w = values["x"].astype(np.int32), values["w"].astype(np.int32)
        products = x[:, :, None] * w[None]
        pairs = np.clip(products[:, 0::2] + products[:, 1::2], -(2**15), 2**15 - 1)
        sums = pairs.sum(axis=1) - 3 * w.sum(axis=0)
        if self.node.op_type == "MatMulInteger":
            return [sums.astype(np.int32)]
        if self.node.op_type == "QGemm":
            sums = sums + values["bias"]
        return [np.clip(np.rint(sums * 0.0002 / 2) + 99, 0, 255).astype(np.uint8)]


@pytest.mark.parametrize("held", [True, False], ids=["constant weights", "computed weights"])
@pytest.mark.parametrize("op", ["QLinearMatMul", "com.microsoft.QGemm", "MatMulInteger"])
def test_products_that_saturate_without_vnni(
    op: str, held: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = product(op, held=held)
    monkeypatch.setattr("nnc.check.outputs.EVALUATOR_MACS", 0)  # as of a large network
    monkeypatch.setattr(onnxruntime, "InferenceSession", WithoutVnni)
    verdict, (feed, outputs, chip) = run(model, tmp_path / "m.onnx")
    assert verdict.ok and verdict.equal and "saturates" in verdict.why
    own = WithoutVnni(tmp_path / "m.onnx").run(["y"], feed)[0]
    assert (own != outputs["y"]).any(), "nothing saturates"
    assert not check_outputs(tmp_path / "m.onnx", feed, {"y": own}, chip=chip).ok


@pytest.mark.parametrize(
    "behind",
    ["MaxPool <kernel_shape = [2, 2]> (p)", "Concat <axis = 1> (p, q)"],
)
@pytest.mark.parametrize("dtype", ["int8", "uint8"])
def test_averages_between_integer_ends(behind: str, dtype: str, tmp_path: Path) -> None:
    """Inputs and outputs are integers, as of nnc quantize --integer-io: ties are told from errors."""
    text = f"""<ir_version: 9, opset_import: ["": 17]> g ({dtype}[1,8,16,16] x0) => (y)
    <float s = {{0.04}}, {dtype} z = {{5}}> {{
        d = DequantizeLinear (x0, s, z)
        p = AveragePool <kernel_shape = [2, 2], strides = [2, 2]> (d)
        q = AveragePool <kernel_shape = [2, 2], strides = [2, 2]> (d)
        a = {behind}
        y = QuantizeLinear (a, s, z)
    }}"""
    model = onnx.shape_inference.infer_shapes(parser.parse_model(text))
    verdict, (feed, outputs, chip) = run(model, tmp_path / "m.onnx")
    assert verdict.ok and verdict.layers is not None
    (layer,) = verdict.layers.layers
    assert layer.steps is not None and layer.steps.ties == layer.steps.differing > 0
    assert "of them ties" in str(layer)
    outputs["y"].flat[:40] ^= 1
    assert not check_outputs(tmp_path / "m.onnx", feed, outputs, chip=chip).ok

"""Products with weights in blocks are those by the rounded weights, and nothing else of a model changes."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import onnx
import pytest
from half_models import to_half
from harness import check_model, chip_of, random_inputs, reference
from onnx import helper, numpy_helper
from product_models import FORMS, product_model

import nnc
from nnc.check.outputs import check_outputs
from nnc.compiler.frontend.model.weights import to_array
from nnc.quantize.block_rounding import BlockOptions, in_blocks
from nnc.quantize.weights_only import QuantizedWeights, quantize_weights

OPTIONS = [BlockOptions(b, 32, s) for b, s in product((4, 8), (True, False))]


def quantised(
    model: onnx.ModelProto, folder: Path, options: BlockOptions
) -> tuple[onnx.ModelProto, QuantizedWeights]:
    path = folder / "model.onnx"
    onnx.save(model, path)
    result = quantize_weights(path, options, lambda *_: None)
    changed = onnx.load_model_from_string(result.data)
    onnx.checker.check_model(changed)
    return changed, result


def kinds(model: onnx.ModelProto) -> Counter[str]:
    return Counter(node.op_type for node in model.graph.node)


def rounded(model: onnx.ModelProto, options: BlockOptions) -> onnx.ModelProto:
    """The model as it was, with weights that blocks stand for."""
    turned = {node.input[1] for node in model.graph.node if len(node.attribute)} | {
        node.input[0] for node in model.graph.node if node.op_type == "Identity"
    }
    result = onnx.ModelProto()
    result.CopyFrom(model)
    for tensor in result.graph.initializer:
        if tensor.name == "w":
            array = to_array(tensor)
            matrix = array.T if "w" in turned else array
            real = in_blocks(matrix, options).real(len(matrix))
            tensor.CopyFrom(numpy_helper.from_array((real.T if "w" in turned else real).copy(), "w"))
    return result


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("form", FORMS)
def test_the_chip_and_onnxruntime_agree(form: str, options: BlockOptions, tmp_path: Path) -> None:
    """On each other, and on the float model with the weights that the blocks stand for."""
    model = FORMS[form]
    changed, result = quantised(model, tmp_path, options)
    assert not result.kept
    assert kinds(changed)["MatMulNBits"] == len(result.products)
    check_model(changed, chip_of("npu", sram="16KiB"))
    feeds = random_inputs(model)
    expected = reference(rounded(model, options), feeds)["y"]
    found = reference(changed, feeds)["y"]
    np.testing.assert_allclose(found, expected, atol=1e-4 * np.abs(expected).max())


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("form", ["part of a block", "gemm with bias", "gemm with a row"])
def test_half_precision(form: str, options: BlockOptions, tmp_path: Path) -> None:
    """Equal within the tolerance of `nnc run --check`."""
    model = to_half(FORMS[form], keep_io=True)
    changed, result = quantised(model, tmp_path, options)
    (item,) = result.products
    assert item.nbytes_before == 2 * item.depth * item.channels
    types = {tensor.name: tensor.data_type for tensor in changed.graph.initializer}
    assert types["w.scales"] == onnx.TensorProto.FLOAT16
    path, feeds = tmp_path / "half.onnx", random_inputs(changed)
    onnx.save(changed, path)
    (output,) = nnc.Session(nnc.compile(changed)).run(None, feeds)
    check_outputs(path, feeds, {"y": output}).insist(form)


def test_a_bias_is_an_operand_or_added(tmp_path: Path) -> None:
    for form, is_operand in (
        ("gemm with bias", True),
        ("gemm with a computed bias", True),
        ("gemm with a row", False),
    ):
        changed, _ = quantised(FORMS[form], tmp_path, BlockOptions())
        (node,) = (node for node in changed.graph.node if node.op_type == "MatMulNBits")
        assert (len(node.input) == 6 and node.input[5] == "b") == is_operand
        assert kinds(changed)["Add"] == (not is_operand)


def test_attributes_and_tensors_are_those_of_matmulnbits(tmp_path: Path) -> None:
    options = BlockOptions(4, 32, symmetric=False)
    changed, result = quantised(FORMS["part of a block"], tmp_path, options)
    (node,) = changed.graph.node
    fields = {field.name: helper.get_attribute_value(field) for field in node.attribute}
    assert (node.op_type, node.domain) == ("MatMulNBits", "com.microsoft")
    assert fields == {"K": 75, "N": 20, "bits": 4, "block_size": 32}
    tensors = {tensor.name: to_array(tensor) for tensor in changed.graph.initializer}
    shapes = {name: (str(tensor.dtype), tensor.shape) for name, tensor in tensors.items()}
    assert list(node.input) == ["x", *shapes]
    assert shapes == {
        "w.int4": ("uint8", (20, 3, 16)),
        "w.scales": ("float32", (20, 3)),
        "w.zeros": ("uint8", (20, 2)),
    }
    assert result.nbytes == sum(tensor.nbytes for tensor in tensors.values())


def test_the_error_is_that_of_the_weights(tmp_path: Path) -> None:
    options = BlockOptions()
    (tensor,) = FORMS["product"].graph.initializer
    matrix = to_array(tensor)
    difference = in_blocks(matrix, options).real(64) - matrix
    _, result = quantised(FORMS["product"], tmp_path, options)
    expected = np.sqrt(np.square(difference).mean() / np.square(matrix).mean())
    assert result.products[0].error == pytest.approx(float(expected))
    assert result.mean_error == result.largest_error == result.products[0].error


def test_a_shared_weight_is_quantised_once(tmp_path: Path) -> None:
    changed, result = quantised(FORMS["one weight twice"], tmp_path, BlockOptions())
    assert [tensor.name for tensor in changed.graph.initializer] == ["w.int4", "w.scales"]
    assert result.nbytes_before == 64 * 64 * 4
    assert result.nbytes == result.products[0].nbytes == 64 * 2 * (16 + 4)


def test_what_others_read_stays(tmp_path: Path) -> None:
    """A table of which rows are read, and by which the last product multiplies."""
    model = product_model(
        """(int64[3] i) => (float[3,40] y) {
            x = Gather (w, i)  t = Transpose <perm = [1, 0]> (w)  y = MatMul (x, t) }""",
        w=(40, 64),
    )
    changed, result = quantised(model, tmp_path, BlockOptions())
    assert result.floats == ("w",)
    assert result.nbytes == 40 * 64 * 4 + result.products[0].nbytes
    assert kinds(changed) == {"Gather": 1, "MatMulNBits": 1}
    assert "w" in {tensor.name for tensor in changed.graph.initializer}


def test_nothing_else_changes(tmp_path: Path) -> None:
    """Nodes, inputs, shapes that were inferred; names that are taken are not taken again."""
    model = product_model(
        """(float[N,64] x) => (float[N,64] y) <float[N,64] h> {
            h = MatMul (x, w)  s = Sigmoid (h)  p = Mul (s, v)  y = Add (p, x) }""",
        w=(64, 64),
        v=(64,),
    )
    model.graph.initializer[1].name = model.graph.node[2].input[1] = "w.int4"
    model.graph.node[0].name = "first"
    model.producer_name = "exporter"
    changed, _ = quantised(model, tmp_path, BlockOptions())
    assert [t.name for t in changed.graph.initializer] == ["w.int4", "w.int4.2", "w.scales"]
    assert list(changed.graph.node)[1:] == list(model.graph.node)[1:]
    assert changed.graph.node[0].name == "first" and list(changed.graph.node[0].output) == ["h"]
    for field in ("input", "output", "value_info"):
        assert getattr(changed.graph, field) == getattr(model.graph, field)
    assert changed.producer_name == "exporter"


def test_constants_of_nodes_and_of_old_formats(tmp_path: Path) -> None:
    """A Constant node goes with its weight; so does the input that format 3 has for an initialiser."""
    model = product_model("(float[2,64] x) => (float[2,8] y) { y = MatMul (x, w) }", w=(64, 8))
    (tensor,) = model.graph.initializer
    old = onnx.ModelProto()
    old.CopyFrom(model)
    old.ir_version, old.opset_import[0].version = 3, 9
    old.graph.input.append(helper.make_tensor_value_info("w", onnx.TensorProto.FLOAT, [64, 8]))
    model.graph.node.insert(0, helper.make_node("Constant", [], ["w"], value=tensor))
    del model.graph.initializer[:]
    for given in (model, old):
        changed, _ = quantised(given, tmp_path, BlockOptions())
        assert kinds(changed) == {"MatMulNBits": 1}
        assert [info.name for info in changed.graph.input] == ["x"]


def test_weights_in_external_files(tmp_path: Path) -> None:
    path = tmp_path / "external.onnx"
    onnx.save(FORMS["product"], path, save_as_external_data=True, location="w.data", size_threshold=0)
    result = quantize_weights(path, BlockOptions(), lambda *_: None)
    assert result.data == quantised(FORMS["product"], tmp_path, BlockOptions())[1].data

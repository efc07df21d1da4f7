"""What `nnc quantize --weights` makes of products: how accurate they are, and how many bytes they move."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from harness import check_model, chip_of
from onnx import numpy_helper
from product_models import product_model
from sklearn.neural_network import MLPClassifier

from nnc.models import digits
from nnc.models.digits import dataset
from nnc.quantize.block_rounding import BlockOptions
from nnc.quantize.weights_only import quantize_weights

STEP = "(float[1,1,256] x) => (float[1,1,256] y) { h = MatMul (x, a)  r = Relu (h)  y = MatMul (r, b) }"
WEIGHTS = 2 * 256 * 1024


def quantised(model: onnx.ModelProto, folder: Path, options: BlockOptions) -> onnx.ModelProto:
    path = folder / "float.onnx"
    onnx.save(model, path)
    return onnx.load_model_from_string(quantize_weights(path, options, lambda *_: None).data)


@pytest.mark.parametrize("chip", ["npu", "npu4"])
@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("bits", [4, 8])
def test_weights_move_as_few_bytes_as_they_have(
    bits: int, symmetric: bool, chip: str, tmp_path: Path
) -> None:
    """A step of one token: half a byte or one for a weight; two for a scale, one for a zero point."""
    target = chip_of(chip, sram="64KiB")
    model = product_model(STEP, a=(256, 1024), b=(1024, 256))
    before = check_model(model, target).session.ledger.total
    changed = quantised(model, tmp_path, BlockOptions(bits, 32, symmetric))
    after = check_model(changed, target).session.ledger.total
    expected = WEIGHTS * bits // 8 + WEIGHTS // 32 * (2 if symmetric else 3)
    assert before > 4 * WEIGHTS
    assert expected < after < 1.05 * expected


@pytest.fixture(scope="module")
def perceptron() -> onnx.ModelProto:
    """Two dense layers that learned the digits: all that they know is in products."""
    (images, labels), _ = dataset.split_digits()
    learned = MLPClassifier((96,), random_state=0, tol=1e-3, n_iter_no_change=5)
    learned.fit(images.reshape(-1, 256) / 256, labels)
    model = product_model(
        """(float[1,1,16,16] image) => (float[1,10] y) {
            f = Flatten (image)  h = Gemm (f, a, c)  r = Relu (h)  y = Gemm (r, b, d) }"""
    )
    arrays = zip("abcd", [*learned.coefs_, *learned.intercepts_], strict=True)
    model.graph.initializer.extend(numpy_helper.from_array(x.astype(np.float32), n) for n, x in arrays)
    return model


def accuracy(model: onnx.ModelProto) -> float:
    """Of the held-out digits, the share that is read right."""
    session = onnxruntime.InferenceSession(model.SerializeToString())
    images, labels = digits.load_heldout()
    guesses = [session.run(None, {"image": digits.to_input(image)})[0].argmax() for image in images]
    return float(np.mean(np.array(guesses) == labels))


@pytest.mark.parametrize(
    "options", [BlockOptions(8), BlockOptions(4), BlockOptions(4, 32, symmetric=False)], ids=str
)
@pytest.mark.parametrize("network", ["perceptron", "convolutions"])
def test_accuracy_is_within_a_point_of_float(
    network: str, options: BlockOptions, perceptron: onnx.ModelProto, tmp_path: Path
) -> None:
    model = perceptron if network == "perceptron" else onnx.load(digits.MODEL)
    before = accuracy(model)
    assert before > 0.95
    assert accuracy(quantised(model, tmp_path, options)) >= before - 0.01

"""The digits that the demo network was trained and is judged on, and its quantised form."""

from __future__ import annotations

import numpy as np
import onnx
import onnxruntime

from nnc.check.model_facts import ModelFacts
from nnc.models import digits
from nnc.models.digits import dataset


def test_held_out_digits_are_those_of_the_split() -> None:
    """What calibrates the quantised network is none of what judges it."""
    (training, _), (heldout, labels) = dataset.split_digits()
    images, expected = digits.load_heldout()
    np.testing.assert_array_equal(images, heldout)
    np.testing.assert_array_equal(expected, labels)
    assert len(training) == 1437 and len(heldout) == 360


def test_the_quantised_network_reads_digits() -> None:
    """As it is written, in onnxruntime: what the file is worth, whoever runs it."""
    model = onnx.load(digits.INT8_MODEL)
    onnx.checker.check_model(model, full_check=True)
    assert ModelFacts(model).quantised
    assert digits.INT8_MODEL.stat().st_size < digits.MODEL.stat().st_size / 2.5
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(digits.INT8_MODEL, options)
    images, labels = digits.load_heldout()
    guesses = [session.run(None, {"image": digits.to_input(image)})[0].argmax() for image in images]
    assert np.mean(np.array(guesses) == labels) >= 0.98

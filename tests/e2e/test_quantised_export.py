"""Quantised networks as ONNX models at every level: they compute the integers of the network."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from conversion_net import ConversionNet
from frontend_evaluator import evaluate
from harness import chip_of, random_inputs, reference
from quantised_networks import quantised

from nnc import models
from nnc.compiler.export.to_onnx import to_onnx
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.graph import Graph
from nnc.compiler.pipeline import stage_graph
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.planner import no_progress
from nnc.isa.instruction import Phase


def mixed() -> onnx.ModelProto:
    """Averages, functions of one and two operands, a transposed convolution and products of activations."""
    net = ConversionNet()
    x = net.convert(net.input(1, 8, 8, 8))
    y = net.convert(net.op("AveragePool", x, kernel_shape=[3, 3], pads=[1, 1, 1, 1]), 0.03, 90)
    y = net.convert(net.op("Mul", y, net.convert(net.op("HardSwish", x), 0.04, 30)), 0.05, 60)
    weight = net.real(net.weight(8, 6, 2, 2), np.linspace(0.01, 0.02, 6, dtype=np.float32), axis=1)
    y = net.convert(net.op("ConvTranspose", y, weight, kernel_shape=[2, 2], strides=[2, 2]), 0.2, 128)
    y = net.convert(net.op("MatMul", y, net.op("Transpose", y, perm=[0, 1, 3, 2])), 9.0, 100)
    return net.model(net.convert(net.op("ReduceMean", y, net.constant(np.array([2])), keepdims=0), 3.0, 120))


NETWORKS = {
    "mixed": mixed,
    "resnet18": lambda: quantised(models.build("resnet18", image=40, width=0.25), activations="s8"),
}


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("stage", ["canonical", "place"])
def test_an_exported_network_computes_the_same_integers(name: str, stage: str) -> None:
    model = NETWORKS[name]()
    imported, feeds = import_model(model), random_inputs(model)
    options = PlanOptions(objective="traffic")
    graph = stage_graph(imported, chip_of("npu", sram="8KiB"), stage, no_progress, options)
    exported = to_onnx(graph)
    onnx.checker.check_model(exported, full_check=True)
    found = reference(exported, feeds, optimise=False)
    expected = evaluate(_canonical(imported), feeds)
    for tensor, value in expected.items():
        np.testing.assert_allclose(found[tensor], value, rtol=0, atol=1e-5 * np.abs(value).max())
    if stage == "place" and name == "resnet18":
        phases = {getattr(layer, "phase", Phase.WHOLE) for layer in graph.layers()}
        assert Phase.ADD in phases, "the case must have partial sums"


def _canonical(imported: Graph) -> Graph:
    return stage_graph(imported, chip_of("npu"), "canonical")

"""Models of one quantised operator, and what three parties make of them: nnc, onnxruntime, onnx itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
import onnxruntime
from harness import LITTLE_EFFORT
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from nnc.check.definition import with_exact_products
from nnc.check.model_facts import ModelFacts
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.isa.chip.load import load_chip
from nnc.runtime.session import Session

Array = Any
CHIP = load_chip("npu")
MICROSOFT = "com.microsoft"


@dataclass(frozen=True)
class Case:
    """A node: its operands in order (None: absent), which of them are inputs of the network, attributes.

    Operands in `run_time` are given by position; all others are constants of the model.  The node has so many
    `outputs`, without those that are `absent`.
    """

    op: str
    operands: list[Array | None]
    run_time: tuple[int, ...] = (0,)
    attributes: Mapping[str, Any] = field(default_factory=dict)
    domain: str = ""
    opset: int = 21
    outputs: int = 1
    absent: tuple[int, ...] = ()

    @property
    def feeds(self) -> dict[str, Array]:
        """Values of the network's inputs."""
        return {f"x{slot}": np.asarray(self.operands[slot]) for slot in self.run_time}

    def model(self) -> onnx.ModelProto:
        """The network of the node."""
        names = [
            "" if value is None else f"{'x' if slot in self.run_time else 'c'}{slot}"
            for slot, value in enumerate(self.operands)
        ]
        outputs = ["" if slot in self.absent else f"y{slot}" for slot in range(self.outputs)]
        node = helper.make_node(self.op, names, outputs, name="node", domain=self.domain, **self.attributes)
        inputs = [
            helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
            for name, value in self.feeds.items()
        ]
        constants = [
            numpy_helper.from_array(np.asarray(value), name)
            for name, value in zip(names, self.operands, strict=True)
            if name.startswith("c")
        ]
        results = [onnx.ValueInfoProto(name=name) for name in filter(None, outputs)]
        graph = helper.make_graph([node], "one", inputs, results, constants)
        return model_of(graph, self.opset)


def model_of(graph: onnx.GraphProto, opset: int = 21) -> onnx.ModelProto:
    """A model of ONNX's operators of an opset and of onnxruntime's."""
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid(MICROSOFT, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def by_nnc(model: onnx.ModelProto, feeds: Mapping[str, Array]) -> list[Array]:
    """What the simulated chip computes: little effort is enough for a single operator."""
    compilation = run_pipeline(import_model(model), CHIP, options=LITTLE_EFFORT)
    session = Session(compilation.program, poison=True, blas_only=True)
    return session.run([output.name for output in model.graph.output], dict(feeds))


def by_onnxruntime(model: onnx.ModelProto, feeds: Mapping[str, Array]) -> list[Array]:
    """What onnxruntime computes node by node, on any processor: products of u8 × s8 as u8 × u8."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    exact = with_exact_products(ModelFacts(model))
    return onnxruntime.InferenceSession(exact.SerializeToString(), options).run(None, dict(feeds))


def by_onnx(model: onnx.ModelProto, feeds: Mapping[str, Array]) -> list[Array]:
    """What onnx's reference evaluator computes."""
    with np.errstate(all="ignore"):
        return [np.asarray(value) for value in ReferenceEvaluator(model).run(None, dict(feeds))]


def steps_apart(found: Array, expected: Array) -> tuple[int, int]:
    """How many integers differ, and by how many steps at most."""
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    apart = np.abs(found.astype(np.int64) - expected.astype(np.int64))
    return int(np.count_nonzero(apart)), int(apart.max(initial=0))

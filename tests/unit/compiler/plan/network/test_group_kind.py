"""Kinds of groups, with concats as joins."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from fusion_networks import network_of
from onnx import numpy_helper, parser

import nnc
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.annotations import GroupKind
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.network.group_kind import kind_of

SQUEEZE = "a = Conv <kernel_shape=[1,1]> (x, w8)"
BRANCHES = (
    f"{SQUEEZE}  b = Conv <kernel_shape=[1,1]> (a, w8)  c = Conv <kernel_shape=[3,3], pads=[1,1,1,1]> (a, w3)"
)
KINDS = {
    "skip by concat, at the end": (f"{SQUEEZE}  b = Relu (a)  c = Conv <kernel_shape=[1,1]> (b, w8)"
                                   "  y = Concat <axis=1> (b, c)", "residual"),
    "skip of the input by concat": (f"{SQUEEZE}  y = Concat <axis=1> (x, a)", "residual"),
    "fire module": (f"{BRANCHES}  y = Concat <axis=1> (b, c)", "residual"),
    "fire module, read by a layer": (f"{BRANCHES}  d = Concat <axis=1> (b, c)"
                                     "  y = Conv <kernel_shape=[1,1]> (d, w16)", "residual"),
    "concat in a concat": (f"{BRANCHES}  d = Concat <axis=1> (b, c)  y = Concat <axis=1> (d, c)", "mixed"),
    "an operand of a concat is read after the concat is complete": (
        f"{SQUEEZE}  b = Conv <kernel_shape=[1,1]> (a, w8)  d = Concat <axis=1> (a, b)"
        "  e = Relu (a)  y = Concat <axis=1> (d, e)", "mixed"),
    "outputs apart": (f"{BRANCHES}  y = Identity (b)  z = Identity (c)", "inverse-y"),
    "chain": (f"{SQUEEZE}  y = Conv <kernel_shape=[1,1]> (a, w8)", "serial"),
}  # fmt: skip
WEIGHTS = {"w8": (8, 8, 1, 1), "w3": (8, 8, 3, 3), "w16": (8, 16, 1, 1)}


def model_of(body: str) -> onnx.ModelProto:
    outputs = ", ".join(name for name in ("y", "z") if f" {name} = " in body)
    lines = body.replace("  ", "\n")
    model = parser.parse_model(
        f'<ir_version: 9, opset_import: ["": 17]> g (float[1,8,8,8] x) => ({outputs}) {{{lines}}}'
    )
    for name, shape in WEIGHTS.items():
        if f" {name})" in body:
            model.graph.initializer.append(numpy_helper.from_array(np.ones(shape, np.float32), name))
    return onnx.shape_inference.infer_shapes(model)


@pytest.mark.parametrize("case", KINDS)
def test_kind(case: str) -> None:
    body, kind = KINDS[case]
    (group,) = nnc.compile_model(model_of(body), chip="npu", effort="O1").report.groups
    assert group.kind == kind


@pytest.mark.parametrize("case", KINDS)
def test_kind_of_all_layers_and_of_each(case: str, tmp_path: Path) -> None:
    body, kind = KINDS[case]
    onnx.save(model_of(body), tmp_path / "g.onnx")
    network = network_of(canonicalise(import_model(tmp_path / "g.onnx")))
    last = len(network.layers) - 1
    assert kind_of(network, 0, last) == GroupKind(kind)
    assert {kind_of(network, at, at) for at in range(last + 1)} == {GroupKind.SINGLE}

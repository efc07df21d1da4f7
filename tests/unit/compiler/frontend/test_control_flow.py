"""If: what is imported computes what onnxruntime does; what cannot be is refused in words."""

from __future__ import annotations

import onnx
import pytest
from bad_models import error_of, parse
from import_harness import assert_equal, names
from onnx import helper

from nnc.compiler.frontend.errors import ModelInvalidError, UnsupportedError

SQUEEZE = """g (float[A,B,3] x) => (y) {
    s = Shape(x)  i = Constant<value_int=1>()  extent = Gather(s, i)  c = Equal(extent, i)
    z = If(c) <then_branch = t () => (a) { axes = Constant<value_ints=[1]>()  a = Squeeze(x, axes) },
               else_branch = e () => (b) { b = Identity(x) }>
    y = Relu(z) }"""
"""As PyTorch exports x.squeeze(1)."""


@pytest.mark.parametrize(("extent", "layers"), [(1, ["If_z.then.Squeeze_a", "Relu_y"]), (2, ["Relu_y"])])
def test_branch_that_a_shape_chooses(extent: int, layers: list[str]) -> None:
    """The other one, which contradicts itself, is not looked at."""
    assert names(assert_equal(parse(SQUEEZE), x=(2, extent, 3))) == layers


def test_both_branches_of_a_condition_of_run_time() -> None:
    text = """g (float[2,3] x, bool c) => (y, z) {
        h = Exp(x)
        y, z = If(c) <then_branch = t () => (a, k) { k = Constant<value_float=2.0>()  a = Mul(h, k) },
                      else_branch = e () => (b, k) { k = Constant<value_float=3.0>()  b = Add(x, k) }> }"""
    assert {"If_y.then.Mul_a", "If_y.else.Add_b"} <= {*names(assert_equal(parse(text)))}


def test_nested_branches_capture_what_is_around_them() -> None:
    """Both define names that others have, too, and functions of onnx."""
    text = """g (float[2,3] x) => (y) {
        c = Constant<value = bool {1}>()  no = Constant<value = bool {0}>()
        y = If(c) <then_branch = t () => (a) {
            h = Softplus(x)
            u = If(no) <then_branch = t2 () => (v) { v = Neg(h) },
                        else_branch = e2 () => (v) { w = HardSwish(h)  v = Add(w, x) }>
            a = Mul(u, h) },
          else_branch = e () => (a) { a = Neg(x) }> }"""
    graph = assert_equal(parse(text, opset=18))
    assert "If_y.then.If_u.else.Add_v" in names(graph)


def test_functions_of_the_model_with_branches() -> None:
    text = """g (float[2] x) => (y) { y = own.f(x) }
        <domain: "own", opset_import: ["": 20]> f (x) => (y) {
            c = Constant<value = bool {1}>()
            y = If(c) <then_branch = t () => (a) { k = Constant<value_float=2.0>()  a = Mul(x, k) },
                       else_branch = e () => (b) { b = Neg(x) }> }"""
    assert_equal(parse(text))


def test_constants_of_branches_are_those_of_the_model() -> None:
    """Under names that it has once."""
    weight = helper.make_tensor("w", onnx.TensorProto.FLOAT, [2], [1, 2])
    other = helper.make_tensor("w", onnx.TensorProto.FLOAT, [2], [3, 4])
    branches = []
    for tensor in (weight, other):
        info = helper.make_tensor_value_info("r", onnx.TensorProto.FLOAT, None)
        node = helper.make_node("Mul", ["x", "w"], ["r"])
        branches.append(helper.make_graph([node], "branch", [], [info], [tensor]))
    model = parse("g (float[2] x, bool c) => (y) { y = Identity(x) }")
    node = helper.make_node("If", ["c"], ["y"], then_branch=branches[0], else_branch=branches[1])
    model.graph.node[0].CopyFrom(node)
    graph = assert_equal(model)
    assert [value.tolist() for value in graph.constants.values()] == [[1, 2], [3, 4]]


def test_captured_tensors_are_alive() -> None:
    """What a branch alone reads is imported; what only the other one reads is no layer."""
    text = """g (float[2] x) => (y) {
        a = Exp(x)  b = Neg(x)  c = Constant<value = bool {0}>()
        y = If(c) <then_branch = t () => (u) { u = Relu(a) },
                   else_branch = e () => (v) { v = Identity(b) }> }"""
    assert names(assert_equal(parse(text))) == ["Neg_b"]


# --- errors ------------------------------------------------------------------------------------------------

_UNEQUAL = """g (float[2] x, bool c) => (y) { y = If(c)
    <then_branch = t () => (a) { a = Relu(x) }, else_branch = e () => (b) { b = Concat<axis=0>(x, x) }> }"""


def test_branches_of_run_time_with_other_shapes() -> None:
    found = error_of(UnsupportedError, parse(_UNEQUAL)).found
    assert found == (
        "If_y (If): its condition is known only at run time, and its branches give f32[2] and f32[4]"
    )


def test_operators_in_branches_that_are_not_supported() -> None:
    text = """g (float[2,2] x, bool c) => (y) { h = If(c)
        <then_branch = t () => (a) { d = own.nothing(x)  a = Relu(d) },
         else_branch = e () => (b) { b = own.nothing(x) }>
        y = Relu(h) }"""
    found = error_of(UnsupportedError, parse(text)).found
    reason = "(own.nothing): operators of the domain own are not supported"
    assert found == f"If_h (If): If_h.then.nothing_d {reason}; If_h.else.nothing_b {reason}"


@pytest.mark.parametrize(
    "branch",
    [
        "t () => (a) { a = Relu(nothing) }",
        "t () => (a, b) { a = Relu(x) b = Neg(x) }",
        "t (float[2] u) => (a) { a = Relu(u) }",
        "t () => (a) { a = Reshape(x, s) s = Constant<value_ints=[3]>() }",
        "t () => (a) { a = Constant<value_ints=3.5>() }",
        "t () => (a) { a, b = Constant<value_int=3>() }",
    ],
    ids=["unknown-name", "two-outputs", "an-input", "wrong-shape", "wrong-value", "two-values"],
)
def test_broken_branch(branch: str) -> None:
    other = "e () => (b) { b = Neg(x) }"
    text = f"g (float[2] x, bool c) => (y) {{ y = If(c) <then_branch = {branch}, else_branch = {other}> }}"
    error_of(ModelInvalidError, parse(text))

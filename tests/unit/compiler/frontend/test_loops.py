"""Loop and Scan: unrolled, they compute what onnxruntime does; what cannot be is refused in words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from bad_models import error_of, parse
from import_harness import assert_equal, names

from nnc.compiler.frontend.errors import ModelInvalidError, ModelTooLargeError, UnsupportedError
from nnc.compiler.frontend.model import sizes


def loop(signature: str, body: str, *, trips: str = "n", condition: str = "", count: int = 3) -> str:
    """A network of one loop over x, with so many trips and states."""
    return f"""g (float[2,3] x) => ({signature}) {{
        n = Constant<value_int={count}>()  yes = Constant<value = bool {{1}}>()
        {signature} = Loop({trips}, {condition}, x) <body = b {body}> }}"""


@pytest.mark.parametrize("opset", [8, 11, 20])
def test_states_and_stacked_results(opset: int) -> None:
    """The number of the iteration is a constant; what no iteration changes is computed once."""
    body = """(int64 i, bool before, float[2,3] h) => (after, next, part) {
        after = Identity(before)  w = Constant<value = float[3,3] {1,2,3,4,5,6,7,8,9}>()
        turned = Transpose(w)  product = MatMul(h, turned)  k = Cast<to=1>(i)  sum = Add(product, k)
        next = Tanh(sum)  part = Mul(next, h) }"""
    graph = assert_equal(parse(loop("y, z", body, condition="yes"), opset))
    assert [f"Loop_y.{number}.MatMul_product" for number in range(3)] == [
        name for name in names(graph) if "MatMul" in name
    ]
    assert [value.shape for value in graph.constants.values()].count((3, 3)) == 1


@pytest.mark.parametrize("count", [0, 1, 4])
def test_shapes_that_change_from_iteration_to_iteration(count: int) -> None:
    body = """(int64 i, bool before, float[A,B] h) => (after, next) {
        after = Identity(before)  next = Concat<axis=1>(h, x) }"""
    graph = assert_equal(parse(loop("y", body, count=count)))
    assert graph.types["y"].shape == (2, 3 * (1 + count))


@pytest.mark.parametrize("trips", ["", "n"])
def test_condition_that_ends_a_loop(trips: str) -> None:
    """Of arithmetic on the number of the iteration."""
    body = """(int64 i, bool before, float[2,3] h) => (after, next) {
        last = Constant<value_int=3>()  after = Less(i, last)  next = Neg(h) }"""
    graph = assert_equal(parse(loop("y", body, trips=trips, condition="yes", count=9)))
    assert [layer.kind for layer in graph.layers()].count("elementwise") == 4


def test_no_iterations_give_empty_stacks() -> None:
    body = """(int64 i, bool before, float[2,3] h) => (after, next, part) {
        after = Identity(before)  next = Neg(h)  two = Constant<value_ints=[3,2]>()
        part = Reshape(next, two) }"""
    graph = assert_equal(parse(loop("y, z", body, count=0)))
    assert [port.type.shape for port in graph.output_ports] == [(2, 3), (0, 3, 2)]


def test_states_of_different_types() -> None:
    text = """g (float[2] x, int64 m) => (y, k) {
        n = Constant<value_int=2>()
        y, k = Loop(n, , x, m) <body = b (int64 i, bool before, float[2] h, int64 j) => (after, next, sum) {
            after = Identity(before)  next = Neg(h)  sum = Add(i, j) }> }"""
    assert_equal(parse(text))


def test_loops_in_loops_and_branches() -> None:
    """The inner ones capture what the outer ones define, under names that both have."""
    body = """(int64 i, bool before, float[2,3] h) => (after, next) {
        after = Identity(before)  zero = Constant<value_int=0>()  first = Equal(i, zero)
        chosen = If(first) <then_branch = t () => (u) { u = Exp(h) },
                            else_branch = e () => (u) { u = Add(h, x) }>
        two = Constant<value_int=2>()
        next = Loop(two, , chosen) <body = c (int64 j, bool on, float[2,3] h) => (off, u) {
            off = Identity(on)  v = Mul(h, chosen)  k = Cast<to=1>(i)  u = Sub(v, k) }> }"""
    graph = assert_equal(parse(loop("y", body)))
    assert "Loop_y.1.Loop_next.0.Mul_v" in names(graph)


SCAN = """(float[2] h, float[2] e) => (next, part) { next = Add(h, e)  part = Mul(h, next) }"""


@pytest.mark.parametrize(
    ("attributes", "shape"),
    [
        ("", "4,2"),
        ("scan_input_axes=[-1],scan_output_axes=[-1],", "2,4"),
        ("scan_input_directions=[1],", "4,2"),
        ("scan_input_axes=[1],scan_output_axes=[1],scan_output_directions=[1],", "2,4"),
    ],
)
@pytest.mark.parametrize("opset", [9, 20])
def test_axes_and_directions_of_scan(attributes: str, shape: str, opset: int) -> None:
    text = f"""g (float[2] s, float[{shape}] x) => (y, z) {{
        y, z = Scan<{attributes}num_scan_inputs=1,body = b {SCAN}>(s, x) }}"""
    assert "Scan_y.3.Add_next" in names(assert_equal(parse(text, opset)))


@pytest.mark.parametrize("attributes", ["", "directions=[1],"])
def test_scan_with_a_batch(attributes: str) -> None:
    """Before opset 9."""
    text = f"""g (float[3,2] s, float[3,4,2] x) => (float[3,2] y, float[3,4,2] z) {{
        y, z = Scan<{attributes}num_scan_inputs=1,body = b {SCAN}>(, s, x) }}"""
    assert "Scan_y.2.3.Add_next" in names(assert_equal(parse(text, 8)))


# --- errors ------------------------------------------------------------------------------------------------

_ON = "after = Identity(before)"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (loop("y", "(i, b, h) => (a, u) { s = ReduceSum<keepdims=0>(h) a = Greater(s, s) u = Neg(h) }"),
         "its condition after 1 iterations must be known at compile time"),
        (loop("y", "(i, b, h) => (a, u) { z = Constant<value_int=0>() a = Less(i, z) u = Neg(h) }"),
         "implementations differ"),
        (loop("y", f"(i, before, h) => (after, u) {{ {_ON} u = own.nothing(h) }}"),
         "Loop_y.0.nothing_u (own.nothing)"),
        ("g (float[0,2] x, float[2] s) => (y) { y = Scan<num_scan_inputs=1,body = b"
         " (h, e) => (n) { n = Add(h, e) }>(s, x) }", "no elements"),
    ],
    ids=["condition", "no-condition", "operator", "empty"],
)  # fmt: skip
def test_loops_that_are_not_supported(text: str, reason: str) -> None:
    error = error_of(UnsupportedError, parse(text))
    assert reason in error.found + error.message
    assert "\n" not in error.found  # of further iterations nothing is said


def test_trip_count_of_run_time() -> None:
    text = """g (float[2] x, int64 n) => (y) {
        y = Loop(n, , x) <body = b (i, before, h) => (after, u) { after = Identity(before) u = Neg(h) }> }"""
    found = error_of(UnsupportedError, parse(text)).found
    assert found == "Loop_y (Loop): the trip count must be known at compile time, but n is not"


@pytest.mark.parametrize(
    ("body", "trips"),
    [
        ("(i, before, h) => (after, next) { after = Identity(before)  next = Neg(h) }", ""),
        ("(i, before, h) => (after, next) { after = Identity(before)  next = Identity(h) }", "n"),
    ],
)
def test_loops_that_never_end(body: str, trips: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizes, "INLINED_NODES", replace(sizes.INLINED_NODES, most=501))
    error = error_of(ModelTooLargeError, parse(loop("y", body, trips=trips, condition="yes", count=10**12)))
    assert error.found == "502 nodes"
    assert error.where == "node Loop_y (Loop)"


@pytest.mark.parametrize(
    "body",
    [
        "(i, before) => (after, next) { after = Identity(before) next = Neg(x) }",
        "(i, before, h) => (after) { after = Identity(before) }",
        "(i, before, h) => (after, next) { after = Identity(before) next = Add(h, unknown) }",
        "(i, before, h) => (after, next) { after = Identity(before) }",
    ],
    ids=["inputs", "outputs", "unknown-name", "undefined-output"],
)
def test_broken_bodies(body: str) -> None:
    error_of(ModelInvalidError, parse(loop("y", body)))


def test_trip_count_of_two_values() -> None:
    body = "(i, before, h) => (after, next) { after = Identity(before) next = Neg(h) }"
    text = loop("y", body).replace("value_int=3", "value_ints=[3,3]")
    assert "single value" in error_of(ModelInvalidError, parse(text)).message


def test_function_that_lacks_an_operand() -> None:
    """A gate without its decay, which the loop in onnx's function reads."""
    text = """g (float[1,3,8] q) => (y, s) {
        y, s = LinearAttention<q_num_heads=2,kv_num_heads=2,update_rule="gated">(q, q, q) }"""
    error_of(ModelInvalidError, parse(text, opset=27))


def test_stacks_of_different_shapes() -> None:
    body = """(int64 i, bool before, float[A,B] h) => (after, next, part) {
        after = Identity(before)  next = Concat<axis=1>(h, x)  part = Neg(next) }"""
    error_of(ModelInvalidError, parse(loop("y, z", body)))


@pytest.mark.parametrize(
    "attributes",
    ["num_scan_inputs=3", "num_scan_inputs=0", "num_scan_inputs=1,scan_input_axes=[2]",
     "num_scan_inputs=1,scan_input_axes=[0,0]", "num_scan_inputs=1,scan_output_axes=[5]",
     "num_scan_inputs=2"],
)  # fmt: skip
def test_broken_scans(attributes: str) -> None:
    text = f"""g (float[2] s, float[4,2] x) => (y, z) {{ y, z = Scan<{attributes},body = b {SCAN}>(s, x) }}"""
    error_of(ModelInvalidError, parse(text))

"""Sequences and optionals: lists of tensors that are known when compiling; as inputs they are refused."""

from __future__ import annotations

import pytest
from bad_models import error_of, parse
from import_harness import assert_equal, names

from nnc.compiler.frontend.errors import ModelInvalidError, ModelTooLargeError, UnsupportedError
from nnc.compiler.frontend.importer import survey_model
from nnc.compiler.frontend.segments.sides import on_host

THREE = "s = SequenceConstruct(x, a, b)"
"""A sequence of x and what is computed of it."""


def network(nodes: str, *, constants: str = "") -> str:
    return f"""g (float[4,3] x) => (y) {{
        zero = Constant<value_int=0>()  one = Constant<value_int=1>()  last = Constant<value_int=-1>()
        a = Neg(x)  b = Exp(x)  {constants} {nodes} }}"""


@pytest.mark.parametrize(
    "nodes",
    [
        f"{THREE}  y = SequenceAt(s, last)",
        f"{THREE}  t = SequenceInsert(s, a, zero)  y = SequenceAt(t, zero)",
        f"{THREE}  t = SequenceInsert(s, a, last)  y = ConcatFromSequence<axis=1>(t)",
        f"{THREE}  t = SequenceInsert(s, a)  y = ConcatFromSequence<axis=-1,new_axis=1>(t)",
        f"{THREE}  t = SequenceErase(s, one)  y = ConcatFromSequence<axis=0>(t)",
        f"{THREE}  t = SequenceErase(s)  y = ConcatFromSequence<axis=0,new_axis=1>(t)",
        f"{THREE}  t = SequenceErase(s, last)  y = SequenceLength(t)",
        f"{THREE}  t = Identity(s)  y = SequenceAt(t, one)",
        "e = SequenceEmpty()  s = SequenceInsert(e, a)  y = SequenceAt(s, zero)",
        "e = SequenceEmpty<dtype=7>()  y = SequenceLength(e)",
    ],
)
def test_lists_of_tensors(nodes: str) -> None:
    assert_equal(parse(network(nodes)))


@pytest.mark.parametrize(
    ("split", "attributes"),
    [
        ("", "axis=0"),
        ("", "axis=-1,keepdims=0"),
        (", n", "axis=0"),
        (", sizes", "axis=0"),
        (", sizes", "axis=0,keepdims=0"),
    ],
)
def test_slices_of_a_tensor(split: str, attributes: str) -> None:
    """A size for all parts, of which the last is smaller, or sizes that sum up to the axis."""
    constants = "n = Constant<value_int=3>()  sizes = Constant<value_ints=[1,3]>()"
    nodes = f"""s = SplitToSequence<{attributes}>(x{split})  length = SequenceLength(s)
        y = SequenceAt(s, one)"""
    assert_equal(parse(network(nodes, constants=constants).replace("(y)", "(y, length)")))


def test_sequence_that_a_loop_fills() -> None:
    """And another loop empties."""
    text = """g (float[2,3] x) => (y, z) {
        n = Constant<value_int=3>()  e = SequenceEmpty()  zero = Constant<value_int=0>()
        s, h = Loop(n, , e, x) <body = b (int64 i, bool on, seq(float) t, float[2,3] u)
            => (bool off, seq(float) t1, float[2,3] u1) {
            off = Identity(on)  u1 = Tanh(u)  t1 = SequenceInsert(t, u1) }>
        y = ConcatFromSequence<axis=0>(s)
        r, z = Loop(n, , s, x) <body = c (int64 i, bool on, seq(float) t, float[2,3] u)
            => (bool off, seq(float) t1, float[2,3] u1) {
            off = Identity(on)  v = SequenceAt(t, zero)  t1 = SequenceErase(t, zero)  u1 = Add(u, v) }> }"""
    assert "Loop_r.2.Add_u1" in names(assert_equal(parse(text)))


def test_branch_that_gives_a_sequence() -> None:
    text = network(
        """c = Constant<value = bool {0}>()
        s = If(c) <then_branch = t () => (seq(float) p) { p = SequenceConstruct(x) },
                   else_branch = e () => (seq(float) q) { q = SequenceConstruct(a, b) }>
        y = ConcatFromSequence<axis=0>(s)"""
    )
    assert_equal(parse(text))


def test_map_over_sequences_and_tensors() -> None:
    body = "m (float[4,3] u, float[4,3] v, float[4,3] w) => (float[4,3] p, int64[2] q)"
    text = network(
        f"""{THREE}  t = SequenceConstruct(a, b, x)
        o, l = SequenceMap(s, t, x) <body = {body} {{ k = Mul(u, v)  p = Add(k, w)  q = Shape(p) }}>
        y = ConcatFromSequence<axis=0>(o)  z = ConcatFromSequence<axis=0>(l)"""
    ).replace("(y)", "(y, z)")
    assert "SequenceMap_o.2.Mul_k" in names(assert_equal(parse(text, opset=17)))


@pytest.mark.parametrize("opset", [15, 18])
@pytest.mark.parametrize("operand", ["x", "s"])
def test_optionals_that_hold_something(opset: int, operand: str) -> None:
    then = "SequenceAt(v, one)" if operand == "s" else "Relu(v)"
    text = network(
        f"""{THREE}  o = Optional({operand})  has = OptionalHasElement(o)
        y = If(has) <then_branch = t () => (float[4,3] p) {{ v = OptionalGetElement(o)  p = {then} }},
                     else_branch = e () => (float[4,3] q) {{ q = Identity(b) }}>"""
    )
    assert_equal(parse(text, opset))


@pytest.mark.parametrize("opset", [15, 18])
def test_optionals_that_hold_nothing(opset: int) -> None:
    text = network(
        """o = Optional<type = float[4,3]>()  has = OptionalHasElement(o)
        y = If(has) <then_branch = t () => (float[4,3] p) { p = OptionalGetElement(o) },
                     else_branch = e () => (float[4,3] q) { q = Identity(b) }>"""
    )
    assert_equal(parse(text, opset))


# --- errors ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "nodes",
    [
        f"two = Constant<value_int=3>()  {THREE}  y = SequenceAt(s, two)",
        f"two = Constant<value_int=-4>()  {THREE}  y = SequenceAt(s, two)",
        "sizes = Constant<value_ints=[1,2]>()  s = SplitToSequence(x, sizes)  y = SequenceAt(s, zero)",
        "s = SplitToSequence(x, zero)  y = SequenceAt(s, zero)",
        f"{THREE}  y = Relu(s)",
        "y = SequenceAt(x, zero)",
        f"{THREE}  y = ConcatFromSequence<axis=5>(s)",
        "o = Optional<type = float[4,3]>()  y = OptionalGetElement(o)",
        "o = Optional()  y = OptionalHasElement(o)",
        """s = SequenceConstruct(x)  t = SequenceConstruct(x, a)  o = SequenceMap(s, t) <body = m
           (float[4,3] u, float[4,3] v) => (float[4,3] p) { p = Add(u, v) }>  y = SequenceAt(o, zero)""",
    ],
)
def test_broken_sequences(nodes: str) -> None:
    error_of(ModelInvalidError, parse(network(nodes)))


@pytest.mark.parametrize(
    "nodes",
    [
        "s = SequenceConstruct(x)  y = SequenceAt(s, n)",
        "s = SequenceConstruct(x)  t = SequenceErase(s, n)  y = SequenceLength(t)",
        "s = SplitToSequence(x, n)  y = SequenceLength(s)",
        "s = SequenceEmpty()  y = ConcatFromSequence<axis=0>(s)",
        """s = If(c) <then_branch = t () => (seq(float) p) { p = SequenceConstruct(x) },
                      else_branch = e () => (seq(float) q) { q = SequenceConstruct(x, x) }>
           y = SequenceLength(s)""",
    ],
)
def test_sequences_of_run_time(nodes: str) -> None:
    error_of(UnsupportedError, parse(f"g (float[4] x, int64 n, bool c) => (y) {{ {nodes} }}"))


def test_sequence_that_a_host_reads() -> None:
    """It does not cross, though that were one tensor less: segments of the chip give tensors alone."""
    text = """g (float[4,4] x, int64 n) => (y) {
        a = MatMul(x, x)  b = MatMul(a, x)  c = MatMul(b, x)
        s = SequenceConstruct(a, b, c)  t = SequenceAt(s, n)  y = MatMul(t, x) }"""
    survey = survey_model(parse(text))
    operators = [survey.nodes[number].op_type for number in on_host(survey)]
    assert operators[:2] == ["SequenceConstruct", "SequenceAt"]


def test_too_many_parts() -> None:
    text = """g () => (y) { n = Constant<value_ints=[1000000]>()  x = ConstantOfShape(n)
        s = SplitToSequence(x)  y = SequenceLength(s) }"""
    assert "too many nodes" in error_of(ModelTooLargeError, parse(text)).message


def test_ports_that_are_no_tensors() -> None:
    text = """g (seq(float[2]) x, optional(float[2]) o, string[2] t, int64 n) => (y, seq(float[2]) z, h) {
        y = SequenceAt(x, n)  z = Identity(x)  h = OptionalHasElement(o)  u = Identity(t) }"""
    error = error_of(UnsupportedError, parse(text))
    assert [line.strip() for line in error.found.splitlines()] == [
        "input o (optional): OptionalHasElement_h (OptionalHasElement)",
        "input t (string): Identity_u (Identity)",
        "input x (sequence): SequenceAt_y (SequenceAt), Identity_z (Identity)",
        "output z (sequence): Identity_z (Identity)",
    ]
    assert error.message.startswith("4 of the inputs")


def test_strings_that_a_model_holds() -> None:
    text = """g (float[2] x) => (y) { c = Constant<value_strings=["a"]>()
        h = Equal(c, c)  k = Cast<to=1>(h)  y = Mul(x, k) }"""
    error_of(UnsupportedError, parse(text))

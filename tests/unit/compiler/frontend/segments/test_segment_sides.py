"""Chip and host: no sides cross less, and segments take turns."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper
from pass_harness import model_of

from nnc.compiler.frontend.importer import survey_model
from nnc.compiler.frontend.segments.sides import on_host
from nnc.compiler.frontend.segments.split import segments_of
from nnc.compiler.frontend.segments.survey import Survey, reads
from nnc.isa.errors import OptionError

COUNT = 9


@st.composite
def layered(draw: st.DrawFn) -> onnx.ModelProto:
    """A random network of sums, products by matrices, and nodes that nnc does not know: after Bernoulli the
    types are known nevertheless, after the others they are not."""
    nodes, known = [], ["x"]
    for number in range(draw(st.integers(2, COUNT))):
        kind = draw(st.sampled_from(["Add", "Add", "Relu", "MatMul", "Bernoulli", "Unknown"]))
        operands = [draw(st.sampled_from(known)) for _ in range(1 + (kind == "Add"))]
        domain = "example" if kind == "Unknown" else ""
        operands += ["w"] if kind == "MatMul" else []
        nodes.append(helper.make_node(kind, operands, [f"t{number}"], name=f"n{number}", domain=domain))
        known.append(f"t{number}")
    read = {name for node in nodes for name in node.input}
    ends = [name for name in known[1:] if name not in read]
    ports = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [4, 4]) for name in ("x", *known[1:])]
    weight = onnx.numpy_helper.from_array(np.eye(4, dtype=np.float32), "w")
    outputs = [port for port in ports if port.name in ends]
    graph = helper.make_graph(nodes, "layered", ports[:1], outputs, [weight], value_info=ports[1:])
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("example", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9)


def crossings(survey: Survey, host: set[int]) -> int:
    """Tensors whose maker is on one side and some reader on the other."""
    readers = {
        name: {n for n, node in enumerate(survey.nodes) if name in reads(node)} for name in survey.producers
    }
    return sum(
        any((reader in host) != (maker in host) for reader in readers[name])
        for name, maker in survey.producers.items()
    )


@settings(max_examples=80, deadline=None)
@given(layered())
def test_no_sides_cross_less(model: onnx.ModelProto) -> None:
    survey = survey_model(model)
    host = set(on_host(survey))
    forced = survey.refused.keys() | survey.behind
    assert host >= forced and bool(host) == bool(forced)
    if not host:
        return
    free = [n for n in range(len(survey.nodes)) if n not in forced]
    products = {n for n in free if survey.nodes[n].op_type == "MatMul"} or {*free}
    assert not products & host
    movable = [n for n in free if n not in products]
    best = min(
        (crossings(survey, host_nodes), len(host_nodes))
        for chosen in product([False, True], repeat=len(movable))
        for host_nodes in [{*forced, *(n for n, own in zip(movable, chosen, strict=True) if own)}]
    )
    assert (crossings(survey, host), len(host)) == best


@settings(max_examples=80, deadline=None)
@given(layered())
def test_segments_hold_every_node_once_and_run_in_order(model: onnx.ModelProto) -> None:
    survey = survey_model(model)
    host = on_host(survey)
    segments = segments_of(survey, host)
    names = [node.name for segment in segments for node in segment.model.graph.node]
    assert sorted(names) == sorted(node.name for node in survey.nodes)
    known = {"x"}
    for segment in segments:
        assert known.issuperset(info.name for info in segment.model.graph.input)
        known.update(info.name for info in segment.model.graph.output)
    listed = {node.name: node.reason for segment in segments for node in segment.host_nodes}
    assert listed == {survey.nodes[number].name: reason for number, reason in host.items()}
    sides = [bool(segment.host_nodes) for segment in segments]
    assert all(a != b for a, b in pairwise(sides))  # they take turns


def test_nodes_of_a_host_have_reasons() -> None:
    text = """(float[1,8] x) => (float[n] z) {
        a = MatMul (x, w)  b = Relu (a)  i = NonZero (b)  r = Squeeze (b, zero)  p = Transpose (i)
        q = Gather <axis=1> (p, last)  z = Gather (r, q)
    }"""
    survey = survey_model(model_of(text, {"w": (8, 8)}, zero=[0], last=np.int64(1)))
    reasons = {survey.nodes[number].name: reason for number, reason in on_host(survey).items()}
    assert reasons["i"] == "how many elements its result has is known only at run time"
    assert reasons["p"] == "shapes behind i (NonZero) are known only at run time"
    assert reasons["r"] == "fewer tensors cross between chip and host so"
    assert "a" not in reasons


def test_a_name_that_no_node_has() -> None:
    survey = survey_model(model_of("(float[1,8] x) => (float[1,8] y) { y = Relu (x) }"))
    with pytest.raises(OptionError, match="did you mean y"):
        on_host(survey, ["yy"])

"""Text, JSON and DOT of graphs with awkward names and values; the same graph gives the same text."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from pass_harness import graph_of

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.dump.formats import FORMATS, to_dot, to_json, to_text
from nnc.compiler.ir.dump.text_format import checksum, shown_attributes
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.pipeline import STAGES, stage_graph
from nnc.isa.chip.load import load_chip
from nnc.isa.functions import Function
from nnc.isa.types import DType

AWKWARD = 'a "b"\\N <&> \n ; é'


def awkward() -> Graph:
    """A graph whose names need every kind of escape."""
    graph = Graph(AWKWARD)
    type_ = TensorType(DType.F32, (2, 3))
    graph.add_input(AWKWARD, type_)
    loc = ir.Loc(AWKWARD, "Clip")
    clip = ir.Elementwise(name=AWKWARD, loc=loc, function=Function.CLIP, params=(float("-inf"), float("nan")))
    graph.add(clip, [AWKWARD], ["y"], [type_])
    graph.add_output("y")
    return graph


def network() -> Graph:
    return graph_of(
        """(float[1,2,8,6] x) => (y) {
            a = Conv <pads=[1,1,1,1]> (x, w)
            b = Concat <axis=1> (a, x)
            y = Transpose <perm=[0,2,3,1]> (b)
        }""",
        {"w": (3, 2, 3, 3)},
    )


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("form", FORMATS)
def test_the_same_graph_gives_the_same_text(stage: str, form: str) -> None:
    chip = load_chip("npu", ["memory.sram.bytes=1KiB"])
    first, second = (FORMATS[form](stage_graph(network(), chip, stage)) for _ in range(2))
    assert first == second
    assert first.rstrip("\n")


def test_names_in_text_are_quoted_where_they_must_be() -> None:
    text = to_text(awkward())
    quoted = json.dumps(AWKWARD)
    assert f"input    %{quoted}: f32[2,3]" in text
    assert f"%y: f32[2,3] = elementwise.clip(%{quoted}) params=-inf,nan  // node {quoted} (Clip)" in text


def test_json_is_complete_and_strict() -> None:
    def refuse(text: str) -> None:
        raise AssertionError(f"{text} is no JSON")

    data = json.loads(to_json(awkward()), parse_constant=refuse)
    assert data["inputs"] == [AWKWARD] and data["outputs"] == ["y"]
    (layer,) = data["layers"]
    assert layer["kind"] == "elementwise" and layer["inputs"] == [AWKWARD]
    attributes = layer["attributes"]
    assert (attributes["function"], attributes["params"], attributes["swap"]) == (
        "clip",
        ["-inf", "nan"],
        False,
    )
    assert layer["origin"] == {"node": AWKWARD, "op": "Clip"}


def test_json_holds_every_annotation() -> None:
    graph = stage_graph(network(), load_chip("npu", ["memory.sram.bytes=1KiB"]), "place")
    data = json.loads(to_json(graph))
    notes = graph.notes
    assert [layer["name"] for layer in data["layers"]] == [layer.name for layer in graph.layers()]
    assert {n for n, t in data["tensors"].items() if t["dtype"] == "f32"} == set(graph.types)
    assert data["places"].keys() == notes.places.keys()
    assert data["storage"].keys() == graph.storage.keys()
    assert data["dram"]["buffers"] == notes.buffers
    assert [piece["address"] for piece in data["dram"]["packed"]] == list(notes.pieces.values())
    assert [(i["node"], i["slot"]) for i in data["order"]] == [(i.node, i.slot) for i in notes.order]
    assert {layer["name"] for layer in data["layers"] if layer["part_of"]} == set(notes.part_of)


DOT_STRING = r'"(?:[^"\\\n]|\\.)*"'
DOT_LINES = [
    rf"digraph {DOT_STRING} \{{",
    r"  (node|edge) \[[^\]]*\]",
    rf" +{DOT_STRING} \[(shape=ellipse )?label={DOT_STRING}\]",
    rf"  {DOT_STRING} -> {DOT_STRING}( \[label={DOT_STRING}\])?",
    r"  subgraph cluster_\d+ \{",
    rf"    label={DOT_STRING}",
    r" *\}",
]


@pytest.mark.parametrize("stage", STAGES)
def test_dot_is_well_formed(stage: str) -> None:
    graph = stage_graph(network(), load_chip("npu", ["memory.sram.bytes=1KiB"]), stage)
    text = to_dot(graph)
    for line in text.splitlines():
        assert any(re.fullmatch(pattern, line) for pattern in DOT_LINES), line
    assert text.count("{") == text.count("}")
    assert text.count("subgraph") == len(graph.notes.groups)
    nodes = set(re.findall(rf"^ +({DOT_STRING}) \[(?:shape|label)", text, re.M))
    assert len(nodes) == len(graph) + len(graph.inputs) + len(graph.outputs)
    for ends in re.findall(rf"^ +({DOT_STRING}) -> ({DOT_STRING})", text, re.M):
        assert set(ends) <= nodes


def test_dot_escapes_names() -> None:
    text = to_dot(awkward())
    for line in text.splitlines():
        assert any(re.fullmatch(pattern, line) for pattern in DOT_LINES), line
    assert r"a \"b\"\\N <&amp;> \\x0a ; é" in text


def test_attributes_that_say_nothing_are_left_out() -> None:
    geometry = {"kernel": (3, 1), "stride": (1, 2), "dilation": (1, 1)}
    layer = ir.Conv(name="c", loc=ir.Loc("c", "Conv"), **geometry, pad_begin=(1, 0), pad_end=(0, 0), groups=2)
    assert shown_attributes(layer) == [
        ("kernel", "3x1"),
        ("stride", "1,2"),
        ("pad", "1,0/0,0"),
        ("groups", "2"),
    ]


@pytest.mark.parametrize(
    "value", [np.float32(3), np.zeros((0, 2)), np.ones((2, 3))[:, ::2], np.array([True])]
)
def test_checksum_is_that_of_the_elements_in_order(value: np.ndarray) -> None:
    assert checksum(np.asarray(value)) == checksum(np.ascontiguousarray(value).copy())
    if np.size(value) > 1:
        assert checksum(value) != checksum(value + np.arange(value.size).reshape(value.shape))

"""Which outputs are the next run's inputs, by the names that exporters write."""

from __future__ import annotations

import pytest
from onnx import helper

from nnc.compiler.frontend.states import AUTO, defining_names, state_pairs
from nnc.isa.errors import OptionError


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("past_key_values.0.key", "present.0.key"),
        ("past_key_values_3_value", "present_key_values_3_value"),
        ("past_0", "present_0"),
        ("past_key_self_1", "present_key_self_1"),
        ("cache_in", "cache_out"),
        ("state_in.0", "state_out.0"),
        ("cache_k", "new_cache_k"),
        ("hidden", "updated_hidden"),
    ],
)
def test_names_of_exporters(before: str, after: str) -> None:
    assert state_pairs(AUTO, ["x", before], [after, "y"]) == {after: before}


@pytest.mark.parametrize(
    "names", [("in", "out"), ("input", "output"), ("past", "past"), ("repast", "represent")]
)
def test_names_that_say_nothing(names: tuple[str, str]) -> None:
    with pytest.raises(OptionError, match="no state is found"):
        state_pairs(AUTO, [names[0]], [names[1]])


def test_nothing_asked_gives_no_pairs() -> None:
    assert state_pairs(None, ["past"], ["present"]) == state_pairs({}, ["past"], ["present"]) == {}


def test_an_output_behind_nodes_that_change_nothing() -> None:
    nodes = [
        helper.make_node("Relu", ["x"], ["a"]),
        helper.make_node("Identity", ["a"], ["b"]),
        helper.make_node("Identity", ["b"], ["y"]),
    ]
    assert defining_names(helper.make_graph(nodes, "g", [], []), ["y"]) == {"a": ("y", ())}

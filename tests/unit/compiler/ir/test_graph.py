"""The graph: its tables are read-only, its methods refuse what contradicts itself, copies are apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from typing import Any

import numpy as np
import pytest

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.annotations import Annotations, Level, PartOf
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.storage import Storage
from nnc.isa.errors import InternalError
from nnc.isa.types import DType

TYPE = TensorType(DType.F32, (2, 3))
LOC = ir.Loc("node", "Identity")


def copies() -> Graph:
    """x → a → y, and a constant that nobody reads."""
    graph = Graph("g")
    graph.add_input("x", TYPE)
    graph.add_constant("c", np.zeros(4, np.float32))
    graph.add(ir.Copy(name="first", loc=LOC), ["x"], ["a"], [TYPE])
    graph.add(ir.Copy(name="second", loc=LOC), ["a"], ["y"], [TYPE])
    graph.add_output("y")
    return graph


def test_what_was_added_is_there() -> None:
    graph = copies()
    assert graph.inputs == ("x",) and graph.outputs == ("y",)
    assert graph.types == {"x": TYPE, "a": TYPE, "y": TYPE, "c": TensorType(DType.F32, (4,))}
    assert graph.is_constant("c") and not graph.is_constant("a") and not graph.is_constant(None)
    assert [layer.name for layer in graph.layers()] == ["first", "second"]


def test_names_are_made_unique() -> None:
    graph = copies()
    assert graph.add_constant("a", np.zeros(1, np.float32)) == "a.1"
    assert graph.fresh("first") == "first.1" and graph.fresh("new") == "new"


@pytest.mark.parametrize("table", ["types", "constants", "buffers", "storage"])
def test_tables_are_read_only(table: str) -> None:
    view: Any = getattr(copies(), table)
    with pytest.raises(TypeError):
        view["x"] = None
    with pytest.raises(AttributeError):
        view.update(x=None)


@pytest.mark.parametrize("name", ["inputs", "outputs", "types", "constants", "buffers", "storage", "notes"])
def test_tables_cannot_be_exchanged(name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(copies(), name, {})


def test_tables_show_later_changes() -> None:
    graph = copies()
    types = graph.types
    graph.add(ir.Copy(name="third", loc=LOC), ["y"], ["z"], [TYPE])
    assert "z" in types


@pytest.mark.parametrize(
    ("message", "change"),
    [
        ("tensor x is defined twice", lambda g: g.add_input("x", TYPE)),
        ("tensor a is defined twice", lambda g: g.declare("a", TYPE)),
        ("output ghost of the network is not defined", lambda g: g.add_output("ghost")),
        ("tensor y is made an output twice", lambda g: g.add_output("y")),
        ("layer first is defined twice", lambda g: g.add(ir.Copy(name="first", loc=LOC), [], [], [])),
        ("layer first reads unknown tensor ghost", lambda g: g.set_inputs("first", ["ghost"])),
        ("shape .2. does not suit tensor a", lambda g: g.set_storage("a", Storage.dense("a", (2,), (0,)))),
        ("does not suit tensor ghost", lambda g: g.set_storage("ghost", Storage.dense("a", (2,), (0,)))),
        ("layer first cannot be removed: a is in use", lambda g: g.remove("first")),
    ],
)
def test_contradictions_are_refused(message: str, change: Callable[[Graph], object]) -> None:
    with pytest.raises(InternalError, match=message):
        change(copies())


def test_a_buffer_may_be_larger_than_its_tensor() -> None:
    graph = copies()
    graph.lay_out("a", (1, 2), 8)
    assert graph.buffers["a"].elements == 8
    assert graph.storage["a"] == Storage("a", 0, (2, 3), (1, 2))
    graph.clear_storage()
    assert not graph.buffers and not graph.storage


def test_copies_are_apart() -> None:
    graph = copies()
    graph.lay_out("a", (3, 1), 6)
    other = graph.copy()
    other.set_inputs("second", ["x"])
    other.remove("first")
    other.clear_storage()
    other.remove_constant("c")
    other.annotate(Annotations(level=Level.CANONICAL))
    assert "a" not in other.types and "first" not in other
    assert {"a", "c"} <= graph.types.keys() and "a" in graph.storage and "c" in graph.constants
    assert graph.consumers("a") == [(graph.layer("second"), 0)] and graph.notes.level is Level.IMPORT


CHANGES: list[Callable[[Graph], object]] = [
    lambda g: g.add_input("new", TYPE),
    lambda g: g.add_output("a"),
    lambda g: g.declare("new", TYPE),
    lambda g: g.add_constant("new", np.zeros(1, np.float32)),
    lambda g: g.add(ir.Copy(name="third", loc=LOC), ["y"], ["z"], [TYPE]),
    lambda g: g.set_inputs("second", ["x"]),
    lambda g: g.replace(ir.Copy(name="first", loc=LOC)),
    lambda g: g.rewire("a", "x"),
    lambda g: g.rename_output("first", "b"),
    lambda g: g.take_over_output("first", "y"),
    lambda g: g.remove("second"),
    lambda g: g.remove_constant("c"),
    lambda g: g.lay_out("a", (3, 1), 6),
    lambda g: g.set_storage("a", Storage.dense("a", (2, 3), (0, 1))),
    lambda g: g.copy_storage(Graph("other")),
    lambda g: g.clear_storage(),
]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("which", [0, 1])
def test_graphs_that_share_their_layers_cannot_be_changed(
    change: Callable[[Graph], object], which: int
) -> None:
    graph = copies()
    both = (graph, graph.with_notes(Annotations(level=Level.GROUP)))
    assert graph.annotates(both[1])
    with pytest.raises(InternalError, match="is shared under other annotations"):
        change(both[which])
    assert [g.notes.level for g in both] == [Level.IMPORT, Level.GROUP]
    free = both[which].copy()
    assert not free.annotates(graph)
    free.add_input("new", TYPE)
    assert "new" not in graph.types


def test_annotations_never_change() -> None:
    parts = {"a": PartOf(0, 0)}
    notes = Annotations(part_of=parts)
    parts["b"] = PartOf(0, 1)
    assert notes.part_of == {"a": PartOf(0, 0)}
    with pytest.raises(TypeError):
        notes.part_of["b"] = PartOf(0, 1)  # type: ignore[index]
    with pytest.raises(FrozenInstanceError):
        notes.level = "placed"  # type: ignore[misc]
    assert replace(notes, level=Level.PLACE).part_of == notes.part_of

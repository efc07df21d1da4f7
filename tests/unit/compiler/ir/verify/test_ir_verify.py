"""The verifier of graphs: what the pipeline makes passes; broken dataflow and storage; the runner."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from graph_damage import Break, edited, noted
from pass_harness import graph_of
from stage_graphs import STEPS, at, cases, caught, chip, move

from nnc.compiler import pipeline
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.annotations import Level
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.storage import Storage
from nnc.compiler.ir.verify.levels import verify_graph
from nnc.compiler.passes.base import Pass
from nnc.compiler.pipeline import canonicalise, run_pipeline, stage_graph
from nnc.compiler.target.target import ANY_CHIP, Target
from nnc.isa.errors import InternalError
from nnc.isa.instruction import Phase
from nnc.isa.types import DType


@pytest.mark.parametrize("stage", STEPS)
@pytest.mark.parametrize("network", ["network", "chunked", "table"])
def test_graphs_of_the_pipeline_pass(network: str, stage: str) -> None:
    verify_graph(at(stage, network), chip())
    verify_graph(at(stage, network))


def test_the_chips_are_small_enough_for_these_tests() -> None:
    graph = at("place", "chunked")
    phases = [getattr(layer, "phase", None) for layer in graph.layers()]
    assert phases.count(Phase.ADD) >= 2 and phases.count(Phase.START) >= 1
    groups = at("place").notes.groups
    assert [group.layers for group in groups] == [("a",), ("b", "c"), ("y",)]
    assert all(group.parts > 1 for group in groups)


# --- imported ----------------------------------------------------------------------------------------------


def two_results(graph: Graph) -> None:
    type_ = graph.types["a"]
    graph.add(ir.Copy(name="twin", loc=ir.Loc("twin", "Copy")), ["a"], ["t", "u"], [type_, type_])


def set_type(tensor: str, type_: TensorType) -> Break:
    return edited("types", lambda types: types.update({tensor: type_}))


@cases(
    ("a: the tensor is defined twice", lambda g: setattr(g, "_inputs", (*g.inputs, "a"))),
    (
        "x: the tensor is defined twice",
        edited("constants", lambda table: table.update(x=np.zeros(1, np.float32))),
    ),
    (
        "layer a .conv.: operand 1 reads w, which nothing defines",
        edited("constants", lambda table: table.pop("w")),
    ),
    ("ghost: the network's output is not defined", lambda g: setattr(g, "_outputs", (*g.outputs, "ghost"))),
    ("an output is named twice: y, y", lambda g: setattr(g, "_outputs", (*g.outputs, "y"))),
    ("b: the tensor has no type", edited("types", lambda table: table.pop("b"))),
    ("ghost: nothing defines the tensor", set_type("ghost", TensorType(DType.F32, (1,)))),
    ("the graph has a cycle", lambda g: g.set_inputs("b", ["y"])),
    ("layer b .elementwise.: its edges come from", lambda g: g._links.net.remove_edge("a", "b")),
    ("a: the list of its readers is wrong", lambda g: g._links.readers["a"].clear()),
    ("a: its layer is said to be b", lambda g: g._links.producer.update(a="b")),
    ("w: the constant is f32.3,2,3,3., not i32", set_type("w", TensorType(DType.I32, (3, 2, 3, 3)))),
    ("the result b is f32.1,3,12,6., not f32.1,3,6,7", set_type("b", TensorType(DType.F32, (1, 3, 6, 7)))),
    ("the result y is f32.1,4,6,12., not f16", set_type("y", TensorType(DType.F16, (1, 4, 6, 12)))),
    ("layer twin .copy.: it defines 2 tensors", two_results),
    ("layer y .conv.: weight f32.4,6,1,1. for", lambda g: g.set_inputs("y", ["b", "v"])),
)
def test_dataflow(message: str, damage: Break) -> None:
    graph = at("import")
    damage(graph)
    caught(graph, message)


# --- canonical ---------------------------------------------------------------------------------------------


@cases(
    ("b: the tensor has no storage", edited("storage", lambda table: table.pop("b"))),
    ("b: the storage is of shape", move("b", shape=(3, 6, 6), strides=(1, 1, 1))),
    ("a: its buffer ghost does not exist", move("a", buffer="ghost")),
    ("a: elements 1 to 216 of buffer a of 216", move("a", offset=1)),
    ("a: elements -198 to 17", move("a", strides=(216, 1, -18, 3))),
    (
        "a: its buffer a holds i32",
        edited("buffers", lambda table: table.update(a=replace(table["a"], dtype=DType.I32))),
    ),
    ("layer d .concat.: d does not show the bytes of its operand c", move("c", offset=0)),
    ("layer e .transpose.: e does not show", move("e", offset=1, strides=(0, 1, 6, 35))),
    ("y: it overlaps x in buffer y", move("x", buffer="y")),
)
def test_storage(message: str, damage: Break) -> None:
    graph = at("canonical")
    damage(graph)
    caught(graph, message)


def test_views_of_reshaped_tensors_are_followed_through_strides() -> None:
    graph = graph_of("(float[2,4,6] x) => (y) { h = Abs (x)  r = Reshape (h, s)  y = Abs (r) }", s=[8, 6])
    graph = canonicalise(graph)
    verify_graph(graph)
    graph.set_storage("r", replace(graph.storage["r"], strides=(1, 8)))
    caught(graph, "layer r .reshape.: r does not show the bytes of its operand h")
    graph.set_storage("r", Storage.dense("y", (8, 6), (0, 1)))
    caught(graph, "layer r .reshape.: r lies in buffer y, its operand h in h")


def test_elements_of_tiles_are_apart() -> None:
    for changes, message in (
        ({"strides": (0, 0, 0, 0)}, "a/p0: elements of the tile overlap"),
        ({"offset": -1}, "a/p0: the tile begins before its block"),
    ):
        graph = at("partition")
        move("a/p0", **changes)(graph)
        caught(graph, message)


# --- the runner --------------------------------------------------------------------------------------------


def spoil(graph: Graph, _target: Target = ANY_CHIP) -> None:
    set_type("y", TensorType(DType.F16, (1,)))(graph)


def test_runner_verifies_after_every_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "CANONICAL_PASSES", ((Pass("spoil", spoil), "to test"),))
    monkeypatch.setattr(pipeline, "canonical_names", lambda: ("spoil",))
    with pytest.raises(InternalError, match=r"after spoil: layer y .conv.: the result y is"):
        run_pipeline(at("import"), chip(), verify_each=True)
    with pytest.raises(InternalError, match="after spoil"):
        canonicalise(at("import"))
    assert canonicalise(at("import"), verify=False).types["y"].dtype is DType.F16


def test_runner_verifies_every_level(monkeypatch: pytest.MonkeyPatch) -> None:
    def forget_cores(graph: Graph, plan: object) -> Graph:
        return graph.with_notes(replace(graph.notes))

    steps = [
        (replace(step, run=forget_cores) if step.reaches is Level.MAP else step, why)
        for step, why in pipeline.MATERIALISERS
    ]
    monkeypatch.setattr(pipeline, "MATERIALISERS", tuple(steps))
    with pytest.raises(InternalError, match=r"after map: layer .*: it has no core"):
        run_pipeline(at("import"), chip(), verify_each=True)
    with pytest.raises(InternalError, match=r"after place: layer .*: it has no core"):
        run_pipeline(at("import"), chip())


def test_runner_verifies_the_imported_graph() -> None:
    graph = at("import")
    spoil(graph)
    with pytest.raises(InternalError, match="after import: layer y"):
        canonicalise(graph)


def test_levels_that_only_annotate_need_no_second_look() -> None:
    graph = at("map")
    placed = graph.with_notes(replace(at("place").notes))
    set_type("y", TensorType(DType.F16, (1,)))(placed)
    verify_graph(placed, chip(), verified=graph)
    caught(placed, "the result y is", chip())
    noted(places={})(placed)
    with pytest.raises(InternalError, match="the tile has no place"):
        verify_graph(placed, chip(), verified=graph)


@pytest.mark.parametrize("stage", STEPS)
def test_stage_graph_gives_every_stage(stage: str) -> None:
    assert at(stage).notes.level == stage


def test_stages_stay_distinct() -> None:
    seen: dict[str, Graph] = {}
    run_pipeline(at("import"), chip(), observe=seen.__setitem__)
    assert [seen[name].notes.level for name in STEPS[2:]] == list(STEPS[2:])
    assert all(where.core is None for where in seen["partition"].notes.part_of.values())
    assert not seen["map"].notes.places


def test_unknown_stage() -> None:
    with pytest.raises(ValueError, match="no stage 'lower': choose one of import, canonical"):
        stage_graph(at("import"), chip(), "lower")

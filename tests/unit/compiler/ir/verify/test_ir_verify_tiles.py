"""Tiles are held against the network: planners that mix up rows are found by every compilation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from graph_damage import edited, renoted
from pass_harness import graph_of

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.annotations import TileBox
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.verify.levels import verify_graph
from nnc.compiler.materialise.partition import partition
from nnc.compiler.pipeline import Compilation, run_pipeline
from nnc.compiler.plan.step import Tile
from nnc.compiler.plan.steps.layer_steps import LayerSteps
from nnc.compiler.plan.steps.step_writer import StepWriter
from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import load_chip
from nnc.isa.errors import InternalError
from nnc.isa.instruction import Phase
from nnc.isa.types import DType

Vector = tuple[int, ...]
FUSED = """(float[1,16,16,16] x) => (float[1,16,16,16] y) {
    a = Conv <pads=[1,1,1,1]> (x, v)
    r = Relu (a)
    b = Conv <pads=[1,1,1,1]> (r, w)
    c = Add (b, r)
    s = Relu (c)
    y = Conv (s, u)
}"""
SHUFFLED = """(float[1,8,16,16] x) => (float[1,8,16,16] y) {
    a = Conv <group=2, pads=[1,1,1,1]> (x, w)  r = Reshape (a, s)  t = Transpose <perm=[0,2,1,3,4]> (r)
    b = Reshape (t, u)  y = Conv <group=2, pads=[1,1,1,1]> (b, w)
}"""
CHUNKED = "(float[1,400] x) => (y) { y = MatMul (x, m) }"


def fused() -> Graph:
    return graph_of(FUSED, {"v": (16, 16, 3, 3), "w": (16, 16, 3, 3), "u": (16, 16, 1, 1)})


@cache
def chip(memory: str = "20KiB") -> Chip:
    """So small that the network is one group in several parts."""
    return load_chip("npu", [f"memory.sram.bytes={memory}"])


@cache
def compiled(network: str) -> Compilation:
    if network == "chunked":
        return run_pipeline(graph_of(CHUNKED, {"m": (400, 2)}), chip("576"), verify_each=True)
    return run_pipeline(fused(), chip(), verify_each=True)


def caught(graph: Graph, message: str, network: str = "fused") -> None:
    """The default check of every compilation finds what is wrong."""
    with pytest.raises(InternalError, match=message):
        verify_graph(graph, network=compiled(network).canonical, values_only=True)


def computing(graph: Graph, kind: type[ir.Layer], number: int = -1) -> Any:
    return [layer for layer in graph.layers() if isinstance(layer, kind)][number]


def test_the_network_is_a_group_in_parts() -> None:
    groups = compiled("fused").placed.notes.groups
    assert any(len(group.layers) > 1 and group.parts > 2 for group in groups)
    verify_graph(compiled("fused").placed, chip(), network=compiled("fused").canonical, values_only=True)


def test_parameters_that_are_nan_are_alike_in_copies() -> None:
    """Groups that are renamed copies have the parameters of the first one; a NaN equals no other NaN."""
    blocks = [
        f"c{i} = Conv <pads=[1,1,1,1]> (y{i}, w)  s{i} = Add (c{i}, z{i})  y{i + 1} = Relu (s{i})"
        for i in range(4)
    ]
    text = f"(float[1,8,16,16] y0) => (float[1,8,16,16] y4) {{ {' '.join(blocks)} }}"
    graph = graph_of(text, {"w": (8, 8, 3, 3)}, **{f"z{i}": np.float32(np.nan) for i in range(4)})
    placed = run_pipeline(graph, chip("6KiB"), verify_each=True).placed
    assert len(placed.notes.groups) > 1


# --- views of rows -----------------------------------------------------------------------------------------


def shuffled() -> Graph:
    return graph_of(SHUFFLED, {"w": (8, 4, 3, 3)}, s=[1, 2, 4, 16, 16], u=[1, 8, 16, 16])


VIEWS_OF_ROWS: list[tuple[dict[str, Any], str]] = [
    ({"offset": 1}, "it reads what is no element of its operand"),
    ({"steps": (1, 2, 3, 4)}, "are not those of"),
    ({"steps": (1, 0, 1, 1, 1)}, "are not those of"),
    ({"steps": (1, 2, 3, 4, 5)}, "it reads what is no element of its operand"),
]


@pytest.mark.parametrize(("changes", "message"), VIEWS_OF_ROWS)
def test_views_of_rows(changes: dict[str, Any], message: str) -> None:
    """A channel shuffle inside a group: what a part copies is a view of some rows of the picture."""
    compilation = run_pipeline(shuffled(), chip("10KiB"), verify_each=True)
    placed = compilation.placed.copy()
    assert any(len(group.layers) > 2 and group.parts > 2 for group in placed.notes.groups)
    view = computing(placed, ir.AsStrided)
    placed.replace(replace(view, **changes))
    with pytest.raises(InternalError, match=message):
        verify_graph(placed, network=compilation.canonical, values_only=True)


@pytest.mark.parametrize("rows", [-1, 1])
def test_views_of_other_rows(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    real = StepWriter.shown

    def shifted(self: StepWriter, tensor: str, low: Vector, shape: Vector, source: Tile) -> Tile:
        row = max(0, low[3] + rows)
        return real(self, tensor, (*low[:3], row, *low[4:]), shape, source)

    monkeypatch.setattr(StepWriter, "shown", shifted)
    with pytest.raises(InternalError, match="after place"):
        run_pipeline(shuffled(), chip("12KiB"))


# --- planners that mix up rows -----------------------------------------------------------------------------


def test_operands_shifted_by_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    real = LayerSteps._operand

    def shifted(self: LayerSteps, tensor: str, low: Vector, shape: Vector) -> Tile:
        rows = max(0, low[2] - 1)
        return real(self, tensor, (*low[:2], rows, *low[3:]), shape)

    monkeypatch.setattr(LayerSteps, "_operand", shifted)
    with pytest.raises(InternalError, match="after place"):
        run_pipeline(fused(), chip())


def test_operands_remembered_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    real = LayerSteps._operand

    def remembered(self: LayerSteps, tensor: str, low: Vector, shape: Vector) -> Tile:
        known: dict[tuple[str, Vector], Tile] = self.__dict__.setdefault("known", {})
        return known.setdefault((tensor, shape), real(self, tensor, low, shape))

    monkeypatch.setattr(LayerSteps, "_operand", remembered)
    with pytest.raises(InternalError, match=r"after place: layer .*: it needs"):
        run_pipeline(fused(), chip())


def test_rows_loaded_from_the_wrong_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """The slice says what is loaded; the plan believes something else."""

    def wrong(graph: Graph, plan: Any) -> Graph:
        result = partition(graph, plan)
        load = next(n for n in result.layers() if isinstance(n, ir.Slice) and n.start[2:3] > (0,))
        result.replace(replace(load, start=(*load.start[:2], load.start[2] - 1, *load.start[3:])))
        return result

    from nnc.compiler import pipeline

    steps = [
        (replace(step, run=wrong) if step.name == "partition" else step, why)
        for step, why in pipeline.MATERIALISERS
    ]
    monkeypatch.setattr(pipeline, "MATERIALISERS", tuple(steps))
    with pytest.raises(InternalError, match=r"after place: layer .*: it loads .* as x\["):
        run_pipeline(fused(), chip())


# --- graphs broken on purpose ------------------------------------------------------------------------------


def moved(graph: Graph, tile: str, axis: int = 2, by: int = 1) -> None:
    """Say that a tile is another box."""
    box = graph.notes.boxes[tile]
    low = tuple(a + by * (at == axis) for at, a in enumerate(box.low))
    renoted("boxes", lambda table: table.update({tile: TileBox(box.tensor, low)}))(graph)


def lie_about_a_result(graph: Graph) -> None:
    moved(graph, graph.output_of(computing(graph, ir.Conv).name), by=-1)


def lie_about_a_view(graph: Graph) -> None:
    views = [n for n in graph.layers() if isinstance(n, ir.Slice) and "/in" not in n.name]
    on_chip = [n for n in views if graph.inputs_of(n.name)[0] in graph.notes.boxes]
    moved(graph, graph.output_of(on_chip[-1].name), by=-1)


def leave_the_tensor(graph: Graph) -> None:
    moved(graph, graph.output_of(computing(graph, ir.Conv).name), by=100)


def swap_operands(graph: Graph) -> None:
    nodes = [n for n in graph.layers() if isinstance(n, ir.Conv) and len(graph.inputs_of(n.name)) > 3]
    x, weight, bias, residual = graph.inputs_of(nodes[-1].name)[:4]
    graph.set_inputs(nodes[-1].name, [residual, weight, bias, x])


def pad_a_row_more(graph: Graph) -> None:
    node = computing(graph, ir.Conv, 0)
    graph.replace(replace(node, pad_begin=(node.pad_begin[0] + 1, *node.pad_begin[1:])))


def stride_otherwise(graph: Graph) -> None:
    graph.replace(replace(computing(graph, ir.Conv), dilation=(7, 7)))


def compute_otherwise(graph: Graph) -> None:
    node = computing(graph, ir.Conv)
    pool = ir.Softmax(name=node.name, loc=node.loc, axis=1)
    graph.replace(pool)


def store_elsewhere(graph: Graph) -> None:
    join = computing(graph, ir.Join)
    shapes = [graph.types[str(tile)].shape for tile in graph.inputs_of(join.name)]
    a, b = [at for at, shape in enumerate(shapes) if shape == shapes[1]][:2]
    origins = list(join.origins)
    origins[a], origins[b] = origins[b], origins[a]
    graph.replace(replace(join, origins=tuple(origins)))


def forget_a_box(graph: Graph) -> None:
    renoted("boxes", lambda table: table.pop(graph.output_of(computing(graph, ir.Conv).name)))(graph)


def other_elements(graph: Graph) -> None:
    tile = graph.output_of(computing(graph, ir.Conv).name)
    edited("types", lambda types: types.update({tile: TensorType(DType.F16, types[tile].shape)}))(graph)


def other_constant(graph: Graph) -> None:
    edited("constants", lambda table: table.update(u=table["u"] + 1))(graph)


def other_storage(graph: Graph) -> None:
    edited("storage", lambda table: table.update(y=replace(table["y"], offset=1)))(graph)


BREAKS: list[tuple[Callable[[Graph], None], str]] = [
    (lie_about_a_result, r"it needs .*, and reads|it stores|is stored at"),
    (lie_about_a_view, r"it takes .* from|it puts .* into"),
    (leave_the_tensor, r"lies outside|is stored at"),
    (swap_operands, r"it needs \w+\[.*, and reads|is no tile|not a tile"),
    (pad_a_row_more, r"pad_begin is \(., .\), not"),
    (stride_otherwise, "it does not do what layer"),
    (compute_otherwise, "is computed otherwise in the network"),
    (store_elsewhere, "is stored at"),
    (forget_a_box, "nothing says which box the tile is"),
    (other_elements, "it is a tile of f16, not f32"),
    (other_constant, "it is not the constant of the network"),
    (other_storage, "its storage is not the one in the network|elements 1 to"),
]


@pytest.mark.parametrize(("spoil", "message"), BREAKS, ids=[spoil.__name__ for spoil, _ in BREAKS])
def test_breaks_are_found(spoil: Callable[[Graph], None], message: str) -> None:
    graph = compiled("fused").placed.copy()
    spoil(graph)
    caught(graph, message)


def test_chunks_follow_each_other() -> None:
    placed = compiled("chunked").placed
    adds = [n for n in placed.layers() if isinstance(n, ir.MatMul) and n.phase is Phase.ADD]
    assert len(adds) >= 2
    graph = placed.copy()
    first, second = graph.inputs_of(adds[0].name), graph.inputs_of(adds[1].name)
    graph.set_inputs(adds[0].name, [*second[:2], *first[2:]])
    caught(graph, "chunks .* of the sum after the first|is complete", "chunked")


def test_partial_sums_are_no_results() -> None:
    graph = compiled("chunked").placed.copy()
    last = next(n for n in graph.layers() if isinstance(n, ir.MatMul) and n.phase is Phase.FINISH)
    graph.replace(replace(last, phase=Phase.ADD))
    caught(graph, "partial sums", "chunked")

"""The verifier of graphs: what the pipeline makes passes, and every rule, broken on purpose, is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from graph_damage import Break, edited, noted, renoted
from pass_harness import graph_of

from nnc.compiler import pipeline
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.annotations import Issue, Level, PartOf, Place
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.storage import Storage
from nnc.compiler.ir.verify.levels import verify_graph
from nnc.compiler.passes.base import Pass
from nnc.compiler.pipeline import canonicalise, run_pipeline, stage_graph
from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import load_chip
from nnc.isa.errors import InternalError
from nnc.isa.instruction import Phase
from nnc.isa.types import DType

NETWORK = """(float[1,2,12,6] x) => (float[1,4,6,12] y) {
    a = Conv <pads=[1,1,1,1]> (x, w)
    b = Abs (a)
    c = Exp (a)
    d = Concat <axis=1> (b, c)
    e = Transpose <perm=[0,1,3,2]> (d)
    y = Conv (e, v)
}"""
STEPS = ("import", "canonical", "group", "partition", "map", "place")


@cache
def chip() -> Chip:
    """So small that convolutions are groups of their own, cut, and `chunked` is summed in K-chunks."""
    return load_chip("npu", ["memory.sram.bytes=576"])


def two_cores() -> Chip:
    return load_chip("npu", ["memory.sram.bytes=576", "cores=2"])


@cache
def _stage(network: str, stage: str) -> Graph:
    if network == "chunked":
        graph = graph_of("(float[1,400] x) => (y) { y = MatMul (x, m) }", {"m": (400, 2)})
    elif network == "table":
        graph = graph_of("(int64[3] i) => (y) { y = Gather (t, i) }", {"t": (5, 8)})
    else:
        graph = graph_of(NETWORK, {"w": (3, 2, 3, 3), "v": (4, 6, 1, 1)})
    return stage_graph(graph, chip(), stage)


def at(stage: str, network: str = "network") -> Graph:
    """A graph of that stage, to be broken."""
    return _stage(network, stage).copy()


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


def caught(graph: Graph, message: str, chip: Chip | None = None) -> None:
    with pytest.raises(InternalError, match=message):
        verify_graph(graph, chip)


def cases(*entries: tuple[str, Break]) -> Any:
    """Breaks of one rule or several: (what the error says, how)."""
    return pytest.mark.parametrize(("message", "damage"), entries, ids=[entry[0] for entry in entries])


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
    ("layer b .elementwise.: its edges come from", lambda g: g._net.remove_edge("a", "b")),
    ("a: the list of its readers is wrong", lambda g: g._consumers["a"].clear()),
    ("a: its layer is said to be b", lambda g: g._producer.update(a="b")),
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


def move(tensor: str, **changes: Any) -> Break:
    """Change fields of a tensor's storage."""
    return edited("storage", lambda table: table.update({tensor: replace(table[tensor], **changes)}))


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


def load_of(graph: Graph, reader: str, slot: int = 0) -> str:
    """The tile that a node reads, and the name of the slice that loads it."""
    tensor = graph.inputs_of(reader)[slot]
    node = graph.producer(str(tensor))
    assert isinstance(node, ir.Slice) and node.name == tensor
    return node.name


def test_elements_of_tiles_are_apart() -> None:
    for changes, message in (
        ({"strides": (0, 0, 0, 0)}, "a/p0: elements of the tile overlap"),
        ({"offset": -1}, "a/p0: the tile begins before its block"),
    ):
        graph = at("partition")
        move("a/p0", **changes)(graph)
        caught(graph, message)


# --- grouped -----------------------------------------------------------------------------------------------


def regroup(number: int, **changes: Any) -> Break:
    """Change fields of one group."""

    def damage(graph: Graph) -> None:
        groups = list(graph.notes.groups)
        groups[number] = replace(groups[number], **changes)
        noted(groups=tuple(groups))(graph)

    return damage


def singles(graph: Graph) -> Graph:
    """The graph with every layer in a group of its own, whatever was planned."""
    group = graph.notes.groups[0]
    working = [layer.name for layer in graph.layers() if not layer.is_view]
    groups = (
        replace(group, index=index, layers=(name,), views=("d", "e") if name == "c" else ())
        for index, name in enumerate(working)
    )
    noted(groups=tuple(groups))(graph)
    return graph


def swap_groups(graph: Graph) -> None:
    first, second, *rest = graph.notes.groups
    noted(groups=(replace(second, index=0), replace(first, index=1), *rest))(graph)


@cases(
    ("layer a .conv.: it is in no group", regroup(0, layers=())),
    ("layer a .conv.: it is in the groups 0 and 1", regroup(1, layers=("b", "a"))),
    ("group 0 names a layer twice", regroup(0, layers=("a", "a"))),
    ("group 1 has the number 7", regroup(1, index=7)),
    ("group 1 .*0 parts", regroup(1, parts=0)),
    ("group 0 names ghost, which is no layer", regroup(0, layers=("a", "ghost"))),
    ("takes views for layers", regroup(0, layers=("a", "e"))),
    ("layer b .elementwise.: group 0 needs group 1, which comes later: it is not convex", swap_groups),
)
def test_groups(message: str, damage: Break) -> None:
    graph = singles(at("group"))
    damage(graph)
    caught(graph, message)


def test_layers_stand_in_order_in_their_group() -> None:
    graph = singles(singles(at("group")))
    first, second, *rest = graph.notes.groups
    moved = (replace(group, index=group.index - 1) for group in rest)
    noted(groups=(replace(first, layers=("a", "b"), views=second.views), *moved))(graph)
    verify_graph(graph)
    regroup(0, layers=("b", "a"))(graph)
    caught(graph, "layer b .elementwise.: it stands before a in its group")


def test_group_that_is_left_and_entered_again_is_not_convex() -> None:
    graph = singles(singles(at("group")))
    a, b, c, y = graph.notes.groups
    noted(groups=(replace(a, layers=("a", "y")), replace(b, index=1), replace(c, index=2)))(graph)
    assert y.layers == ("y",)
    caught(graph, "layer y .conv.: group 0 needs group 2, which comes later")


# --- partitioned -------------------------------------------------------------------------------------------


def assign(node: str, **changes: Any) -> Break:
    return renoted("part_of", lambda table: table.update({node: replace(table[node], **changes)}))


def read_dram(graph: Graph) -> None:
    type_ = graph.types["a"]
    graph.add(ir.Copy(name="extra", loc=ir.Loc("a", "Conv")), ["a"], ["extra"], [type_])
    graph.set_storage("extra", Storage.dense("extra", type_.shape, (0, 1, 2, 3)))
    renoted("part_of", lambda table: table.update(extra=PartOf(0, 0)))(graph)


@cases(
    ("layer a/p0 .conv.: it belongs to no part", renoted("part_of", lambda table: table.pop("a/p0"))),
    ("layer a/join .join.: it belongs to no part", renoted("part_of", lambda table: table.pop("a/join"))),
    ("layer a/p0 .conv.: group 9 does not exist", assign("a/p0", group=9)),
    ("layer a/p0 .conv.: group 0 has no part 99", assign("a/p0", part=99)),
    ("ghost: a part names it", renoted("part_of", lambda table: table.update(ghost=PartOf(0, 0)))),
    ("layer extra .copy.: operand a is a tensor in DRAM", read_dram),
)
def test_parts(message: str, damage: Break) -> None:
    graph = at("partition")
    damage(graph)
    caught(graph, message)


def rejoin(change: Callable[[list[Any], list[Any]], object]) -> Break:
    """Change the operands and origins of the first join, without the order of issue."""

    def damage(graph: Graph) -> None:
        join = graph.layer("a/join")
        assert isinstance(join, ir.Join)
        operands, origins = list(graph.inputs_of(join.name)), list(join.origins)
        change(operands, origins)
        graph.replace(replace(join, origins=tuple(origins)))
        graph.set_inputs(join.name, operands)

    return damage


def shifted(origin: tuple[int, ...], axis: int, by: int) -> tuple[int, ...]:
    return tuple(a + by * (n == axis) for n, a in enumerate(origin))


def drop_the_last_rows(operands: list[Any], origins: list[Any]) -> None:
    last = max(origin[2] for origin in origins)
    kept = [(operand, at) for operand, at in zip(operands, origins, strict=True) if at[2] < last]
    operands[:], origins[:] = [operand for operand, _ in kept], [at for _, at in kept]


def cut_axis() -> int:
    """The axis along which layer a is cut."""
    join = at("partition").layer("a/join")
    assert isinstance(join, ir.Join) and len(join.origins) > 2
    return int(np.argmax(join.origins[1]))


@cases(
    (
        "of the result is written 2 times",
        rejoin(lambda t, o: o.__setitem__(1, shifted(o[1], cut_axis(), -1))),
    ),
    ("of the result is written 0 times", rejoin(lambda t, o: (t.pop(1), o.pop(1)))),
    ("of the result is written 2 times", rejoin(lambda t, o: (t.insert(1, t[1]), o.insert(1, o[1])))),
    ("operand 1 lies outside", rejoin(lambda t, o: o.__setitem__(1, shifted(o[1], cut_axis(), -99)))),
    ("of the result is written 0 times", rejoin(drop_the_last_rows)),
    ("origins has . entries for rank", rejoin(lambda t, o: o.pop())),
)
def test_joins(message: str, damage: Break) -> None:
    graph = at("partition")
    damage(graph)
    caught(graph, message)


def reorder(change: Callable[[list[Issue]], object]) -> Break:
    def damage(graph: Graph) -> None:
        order = list(graph.notes.order)
        change(order)
        noted(order=tuple(order))(graph)

    return damage


def issue_first(node: str, slot: int | None = None) -> Break:
    return reorder(lambda order: (order.remove(Issue(node, slot)), order.insert(0, Issue(node, slot))))


def issue_last(node: str, slot: int | None = None) -> Break:
    return reorder(lambda order: (order.remove(Issue(node, slot)), order.append(Issue(node, slot))))


@cases(
    ("a/p0: it is never issued", reorder(lambda order: order.remove(Issue("a/p0")))),
    ("a/join: operand 1 of it is never issued", reorder(lambda order: order.remove(Issue("a/join", 1)))),
    ("a/p0: it is issued twice", reorder(lambda order: order.append(Issue("a/p0")))),
    ("ghost: it is no node to issue", reorder(lambda order: order.append(Issue("ghost")))),
    ("layer a/p0 .conv.: it is issued before .*, which it reads", issue_first("a/p0")),
    ("layer a/join .join.: it is issued before a/p0", issue_first("a/join", 0)),
    ("it is issued before a, which it reads, is complete", issue_last("a/join", 0)),
    ("it is issued before e, which it reads, is complete", issue_last("c/join", 0)),
)
def test_order(message: str, damage: Break) -> None:
    graph = at("partition")
    damage(graph)
    caught(graph, message)


# --- contents of blocks ------------------------------------------------------------------------------------


def lie_on(tensor: str, other: str) -> Break:
    """Let a tile take the very elements of another one (of its shape)."""
    return edited("storage", lambda table: table.update({tensor: table[other]}))


def sums(graph: Graph) -> tuple[str, str]:
    """A partial sum and its continuation."""
    node = next(layer for layer in graph.layers() if getattr(layer, "phase", None) is Phase.ADD)
    return str(graph.inputs_of(node.name)[-1]), graph.output_of(node.name)


def test_a_result_may_take_the_place_of_an_operand_that_nobody_else_reads() -> None:
    graph = at("partition")
    source = load_of(graph, "c/p0")
    lie_on("c/p0", source)(graph)
    verify_graph(graph)


def test_a_tile_that_is_read_again_must_not_be_overwritten() -> None:
    graph = at("partition")
    source = load_of(graph, "b/p0")
    assert source == load_of(graph, "c/p0")
    lie_on("b/p0", source)(graph)
    caught(graph, f"layer c/p0 .elementwise.: {source}, which it reads, has been overwritten")


def test_weights_must_not_be_loaded_over_the_input() -> None:
    graph = at("partition")
    features, weights = load_of(graph, "a/p0"), load_of(graph, "a/p0", 1)
    move(weights, buffer=graph.storage[features].buffer)(graph)
    caught(graph, "which it reads, has been overwritten")


def test_a_window_cannot_work_in_place() -> None:
    graph = at("partition")
    features = load_of(graph, "a/p0")
    move("a/p0", buffer=graph.storage[features].buffer)(graph)
    caught(graph, f"layer a/p0 .conv.: it overwrites {features} while reading it")


def test_partial_sums_are_updated_in_their_own_place_only() -> None:
    graph = at("partition", "chunked")
    earlier, later = sums(graph)
    assert graph.storage[earlier] == graph.storage[later]
    move(later, offset=1)(graph)
    caught(graph, f"it overwrites {earlier} while reading it")


# --- mapped ------------------------------------------------------------------------------------------------


@cases(
    ("layer a/p0 .conv.: it has no core", assign("a/p0", core=None)),
    ("layer a/p0 .conv.: core 7: chip npu has 2", assign("a/p0", core=7)),
    ("layer a/p0 .conv.: core 1 does not work on group 0", assign("a/p0", core=1)),
    (
        "layer a/p0 .conv.: it works on core 1 and reads .* of core 0",
        lambda g: (regroup(0, cores=(0, 1))(g), assign("a/p0", core=1)(g)),
    ),
)
def test_cores(message: str, damage: Break) -> None:
    graph = at("map")
    damage(graph)
    caught(graph, message, two_cores())


# --- placed ------------------------------------------------------------------------------------------------


def displace(tensor: str, **changes: Any) -> Break:
    return renoted("places", lambda table: table.update({tensor: replace(table[tensor], **changes)}))


def put_on(tensor: str, other: str) -> Break:
    """Give a tile the address of another one."""
    return lambda graph: displace(tensor, address=graph.notes.places[other].address)(graph)


@cases(
    ("a/p0: the tile has no place", renoted("places", lambda table: table.pop("a/p0"))),
    (
        "ghost: a place for what is no tile",
        renoted("places", lambda table: table.update(ghost=Place("sram", 0, 4, 0, 0))),
    ),
    ("a/p0: the place has 5 bytes", displace("a/p0", nbytes=5)),
    ("a/p0: chip npu has no memory dream", displace("a/p0", memory="dream")),
    ("a/p0: bytes 576 to .* of sram, which has 576", displace("a/p0", address=576)),
    ("a/p0: bytes -64 to", displace("a/p0", address=-64)),
    ("a/p0: its block begins at 8, which is no multiple of 64", displace("a/p0", address=8)),
    ("a/p0: alive from step 0 on, but issued in", displace("a/p0", first=0)),
    ("a/p0: alive until step 0, but read in", displace("a/p0", last=0)),
    ("it overlaps .*, which is alive, at sram", lambda g: put_on("a/p0", load_of(g, "a/p0"))(g)),
    (
        "it overlaps .*, which is alive, at sram",
        lambda g: put_on(load_of(g, "a/p0", 1), load_of(g, "a/p0"))(g),
    ),
)
def test_places(message: str, damage: Break) -> None:
    graph = at("place")
    damage(graph)
    caught(graph, message, chip())


def test_tiles_of_a_block_lie_where_the_block_is() -> None:
    graph = at("place", "chunked")
    _, later = sums(graph)
    displace(later, address=graph.notes.places[later].address + 4)(graph)
    caught(graph, f"{later}: its block .* begins at", chip())


def first_piece(graph: Graph) -> Any:
    return next(piece for piece in graph.notes.pieces if piece.constant == "w")


def beyond(graph: Graph) -> None:
    piece = first_piece(graph)
    renoted("pieces", lambda table: table.update({replace(piece, low=(9, 0, 0, 0)): 0}))(graph)


@cases(
    (
        "the part of w that it reads is not packed",
        lambda g: renoted("pieces", lambda table: table.pop(first_piece(g)))(g),
    ),
    ("packed at dram.0x0, over", renoted("pieces", lambda table: table.update(dict.fromkeys(table, 0)))),
    ("it ends at .*, beyond 8 bytes of constants", noted(constant_bytes=8)),
    ("w: a packed piece .* at .9, 0, 0, 0.", beyond),
    ("a: the buffer has no address", renoted("buffers", lambda table: table.pop("a"))),
    ("a: the buffer lies at dram.0 to", renoted("buffers", lambda table: table.update(a=0))),
    (
        "a: the buffer lies at .*, outside",
        lambda g: renoted("buffers", lambda table: table.update(a=g.notes.dram_bytes))(g),
    ),
    (
        "the buffer overlaps (a|x), which is alive",
        renoted("buffers", lambda table: table.update(x=table["a"])),
    ),
    ("the buffer overlaps", renoted("buffers", lambda table: table.update(a=table["d"]))),
    ("B of DRAM: the chip has", noted(dram_bytes=2**40)),
)
def test_dram(message: str, damage: Break) -> None:
    graph = at("place")
    damage(graph)
    caught(graph, message, chip())


def test_tables_of_row_gathers_are_packed_whole() -> None:
    graph = at("place", "table")
    noted(pieces={})(graph)
    caught(graph, "the part of t that it reads is not packed", chip())


# --- the runner --------------------------------------------------------------------------------------------


def spoil(graph: Graph) -> None:
    set_type("y", TensorType(DType.F16, (1,)))(graph)


def test_runner_verifies_after_every_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "CANONICAL_PASSES", ((Pass("spoil", spoil), "to test"),))
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
    placed = graph.with_notes(replace(_stage("network", "place").notes))
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

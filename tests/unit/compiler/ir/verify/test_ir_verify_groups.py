"""The verifier of graphs: every rule of groups, parts, joins, order and cores, broken on purpose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from graph_damage import Break, noted, renoted
from stage_graphs import at, cases, caught, two_cores

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.annotations import Issue, PartOf
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.storage import Storage
from nnc.compiler.ir.verify.levels import verify_graph

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

"""The rule that no interior tensor of a group touches DRAM, broken on purpose."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pass_harness import graph_of

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.verify.interior import check_interior
from nnc.compiler.ir.verify.subject import Subject
from nnc.compiler.pipeline import stage_graph
from nnc.isa.chip.load import load_chip
from nnc.isa.errors import InternalError

NETWORK = "(float[1,2,12,6] x) => (float[1,4,12,6] y) { a = Conv <pads=[1,1,1,1]> (x, w)  y = Conv (a, v) }"


def partitioned() -> Graph:
    """Two layers on a memory so small that each is a group: `a` goes by way of DRAM."""
    graph = graph_of(NETWORK, {"w": (3, 2, 3, 3), "v": (4, 3, 1, 1)})
    graph = stage_graph(graph, load_chip("npu", ["memory.sram.bytes=448"]), "partition").copy()
    assert [group.layers for group in graph.notes.groups] == [("a",), ("y",)]
    return graph


def assign_all(graph: Graph, group: int) -> None:
    part_of = {name: replace(where, group=group) for name, where in graph.notes.part_of.items()}
    graph.annotate(replace(graph.notes, part_of=part_of))


def test_boundary_between_two_groups_passes() -> None:
    check_interior(Subject(partitioned(), None))


def test_group_must_not_read_back_what_it_writes() -> None:
    graph = partitioned()
    assign_all(graph, 0)
    with pytest.raises(InternalError, match="group 0 reads a from DRAM, which group 0 writes"):
        check_interior(Subject(graph, None))


def test_group_must_not_write_what_nobody_reads() -> None:
    graph = partitioned()
    for layer, slot in graph.consumers("a"):
        assert slot == 0 and graph.types["x"].shape[2:] == graph.types["a"].shape[2:]
        graph.set_inputs(layer.name, ["x"])
    with pytest.raises(InternalError, match="a: group 0 writes it to DRAM, and no later group reads it"):
        check_interior(Subject(graph, None))


def test_outputs_of_the_network_need_no_reader() -> None:
    graph = partitioned()
    for layer, _ in graph.consumers("a"):
        graph.set_inputs(layer.name, ["x"])
    graph.add_output("a")
    check_interior(Subject(graph, None))

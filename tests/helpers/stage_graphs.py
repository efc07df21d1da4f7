"""Small graphs of every stage for tests that break them, and what the verifier of graphs must say."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from graph_damage import Break, edited
from pass_harness import graph_of

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.verify.levels import verify_graph
from nnc.compiler.pipeline import stage_graph
from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import load_chip
from nnc.isa.errors import InternalError

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


def caught(graph: Graph, message: str, chip: Chip | None = None) -> None:
    with pytest.raises(InternalError, match=message):
        verify_graph(graph, chip)


def cases(*entries: tuple[str, Break]) -> Any:
    """Breaks of one rule or several: (what the error says, how)."""
    return pytest.mark.parametrize(("message", "damage"), entries, ids=[entry[0] for entry in entries])


def move(tensor: str, **changes: Any) -> Break:
    """Change fields of a tensor's storage."""
    return edited("storage", lambda table: table.update({tensor: replace(table[tensor], **changes)}))


def load_of(graph: Graph, reader: str, slot: int = 0) -> str:
    """The tile that a node reads, and the name of the slice that loads it."""
    tensor = graph.inputs_of(reader)[slot]
    node = graph.producer(str(tensor))
    assert isinstance(node, ir.Slice) and node.name == tensor
    return node.name

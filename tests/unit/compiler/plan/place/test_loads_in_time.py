"""Loads in time: activations come as soon as they are stored, and constants in the time before."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from pass_harness import graph_of

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Loc
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.place.issue_order import Issue
from nnc.compiler.plan.place.live_ranges import Touches
from nnc.compiler.plan.place.loads_in_time import loads_in_time, waited_for
from nnc.compiler.plan.place.predict import Times
from nnc.compiler.plan.planner import make_plan
from nnc.compiler.plan.step import Load, Step, Store, Tile, tiles_of
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.load import load_chip

LOC = Loc("layer", "MatMul")
CHIP = load_chip("npu4")
STORE, LOAD = (Store, "a", "store"), (Load, "a", "load")
"""A store of activations, and the load that needs it."""
PLENTY = 100_000
"""Cycles in which the DRAM moves more than there is."""


def network(width: int = 256) -> tuple[Graph, str]:
    """A graph with a constant of so many rows and columns (a large one), and its name."""
    text = f"(float[4,{width}] x) => (float[4,{width}] y) {{ a = Relu (x)  y = MatMul (a, w) }}"
    graph = canonicalise(graph_of(text, {"w": (width, width)}), verify=False)
    (weights,) = graph.constants
    return graph, weights


def step_of(graph: Graph, kind: type[Load | Store], tensor: str, name: str) -> Step:
    tile = Tile.dense(name, tensor, (0, 0), graph.types[tensor], (0, 1), "sram")
    return kind(part=0, core=0, loc=LOC, tile=tile)


def issue_of(graph: Graph, kinds: list[tuple[type[Load | Store], str, str]], demanded: list[int]) -> Issue:
    steps = [step_of(graph, *kind) for kind in kinds]
    return Issue(Touches(steps, None, np.array(demanded)), {})


def names_in_time(weights_before: int, patience: int = 0, width: int = 256) -> list[str]:
    """So many loads of weights, a store of activations, and the load of these, which is needed first.

    Args:
        patience: cycles by which the activations come later.
        width: of the weights.
    """
    graph, weights = network(width)
    kinds = [(Load, weights, f"w{number}") for number in range(weights_before)]
    demanded = [2 + number for number in range(weights_before)]
    issue = issue_of(graph, [*kinds, STORE, LOAD], [*demanded, 0, 1])
    moved = loads_in_time(graph, CHIP, issue, {1: patience})
    assert moved is not None
    return [tiles_of(step)[0].name for step in moved.touches.order]


def test_activations_come_before_constants_that_are_still_to_come() -> None:
    assert names_in_time(3) == ["w0", "store", "load", "w1", "w2"]


def test_activations_come_later_where_cores_waited_for_them() -> None:
    assert names_in_time(3, PLENTY) == ["w0", "w1", "w2", "store", "load"]


def test_small_constants_are_loaded_within_the_latency_of_activations() -> None:
    assert names_in_time(3, width=4) == ["w0", "w1", "w2", "store", "load"]


def test_no_load_comes_behind_what_needs_it() -> None:
    """The weights are needed first: activations that wait for a store stay behind them."""
    graph, weights = network()
    kinds = [(Load, weights, "w"), STORE, LOAD]
    moved = loads_in_time(graph, CHIP, issue_of(graph, kinds, [0, 1, 2]), {})
    assert moved is not None
    assert [tiles_of(step)[0].name for step in moved.touches.order] == ["w", "store", "load"]


def test_cores_wait_for_activations_alone() -> None:
    graph, weights = network()
    issue = issue_of(graph, [STORE, LOAD, (Load, weights, "w")], [3, 4, 5])
    assert waited_for(graph, CHIP, issue, Times([0, 500, 2000], [100, 600, 3000])) == {4: 500}


def test_products_behind_norms_on_several_cores_take_less_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """One core computes a norm, all of them the products, whose weights are loaded meanwhile."""
    layers = """n = LayerNormalization (x, g)  a = MatMul (n, w0)  r = Relu (a)  b = MatMul (r, v0)
        m = LayerNormalization (b, g)  c = MatMul (m, w1)  s = Relu (c)  y = MatMul (s, v1)"""
    shapes = {"g": (256,), "w0": (256, 512), "v0": (512, 256), "w1": (256, 512), "v1": (512, 256)}
    imported = graph_of(f"(float[1,128,256] x) => (float[1,128,256] y) {{ {layers} }}", shapes)
    chip = load_chip("npu4")
    graph, options = canonicalise(imported, chip=chip, verify=False), PlanOptions(fused=False)
    plan = make_plan(graph, chip, options=options)
    monkeypatch.setattr(TUNING, "place", replace(TUNING.place, rounds_in_time=0))
    before = make_plan(graph, chip, options=options)
    assert plan.cycles < before.cycles
    assert sum(p.dram_bytes for p in plan.predictions) == sum(p.dram_bytes for p in before.predictions)

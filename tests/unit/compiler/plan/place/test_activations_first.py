"""Activations in time: constants that would begin after the store of activations come behind these."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from pass_harness import graph_of

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Loc
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.place.activations_first import activations_in_time
from nnc.compiler.plan.place.issue_order import Issue
from nnc.compiler.plan.place.live_ranges import Touches
from nnc.compiler.plan.place.predict import Times
from nnc.compiler.plan.planner import make_plan
from nnc.compiler.plan.step import Load, Step, Store, Tile, tiles_of
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.load import load_chip

LOC = Loc("layer", "MatMul")
DEMANDED = [2, 0, 3, 1]
"""Of w0, the store of a, w1, the load of a: the constants are needed last."""


def step_of(graph: Graph, kind: type[Load | Store], tensor: str, name: str) -> Step:
    tile = Tile.dense(name, tensor, (0, 0), graph.types[tensor], (0, 1), "sram")
    return kind(part=0, core=0, loc=LOC, tile=tile)


def names_in_time(begin_of_last_constant: int, demanded: list[int] = DEMANDED) -> list[str] | None:
    """The steps w0, store a, w1, load a in their new order; a is stored from cycle 20 to 30."""
    text = "(float[4,4] x) => (float[4,4] y) { a = Relu (x)  y = MatMul (a, w) }"
    graph = canonicalise(graph_of(text, {"w": (4, 4)}), verify=False)
    (weights,) = graph.constants
    kinds = [(Load, weights, "w0"), (Store, "a", "store"), (Load, weights, "w1"), (Load, "a", "load")]
    steps = [step_of(graph, *kind) for kind in kinds]
    issue = Issue(Touches(steps, None, np.array(demanded)), {})
    begin = [10, 20, begin_of_last_constant, 90]
    moved = activations_in_time(graph, issue, Times(begin, [20, 30, 80, 100]))
    return None if moved is None else [tiles_of(step)[0].name for step in moved.touches.order]


def test_constants_that_begin_behind_the_store_come_later() -> None:
    assert names_in_time(30) == ["w0", "store", "load", "w1"]


def test_constants_that_are_on_their_way_stay() -> None:
    assert names_in_time(29) is None


def test_constants_that_are_needed_first_stay() -> None:
    assert names_in_time(30, [0, 1, 2, 3]) is None


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

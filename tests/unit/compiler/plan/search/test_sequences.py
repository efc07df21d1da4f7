"""The cheapest sequence of groups beside networkx's shortest path over the same states; worth of tiles."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import pytest
from fusion_networks import random_graph

import nnc
from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.effort import EFFORTS
from nnc.compiler.plan.network.residents import NOTHING
from nnc.compiler.plan.options import BALANCED, GroupPrice, PlanOptions
from nnc.compiler.plan.planner import no_progress
from nnc.compiler.plan.search.group_search import Candidates, find_candidates
from nnc.compiler.plan.search.sequences import Sequences
from nnc.compiler.plan.search.worth_tiles import WorthTiles
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip


def small_chip(name: str, kib: int) -> Chip:
    return nnc.load_chip(name, [f"memory.{memory}.bytes={kib}KiB" for memory in nnc.load_chip(name).memory])


def searched(graph: Graph, chip: Chip) -> Candidates:
    return find_candidates(graph, chip, PlanOptions(), no_progress)


def shortest(sequences: Sequences, price: GroupPrice) -> float:
    """The least cost from no layers to all of them, by the costs that are expected of groups now."""
    states, numbers = nx.DiGraph(), sequences._numbers
    for edge in (edge for edges in sequences._edges for edge in edges):
        cost = price.cost(edge.dram_bytes, edge.cycles)
        known = states.get_edge_data(edge.source, edge.target, {"cost": cost})["cost"]
        states.add_edge(edge.source, edge.target, cost=min(cost, known))
    ends = numbers[0, NOTHING], numbers[sequences._prefixes.by_size[-1], NOTHING]
    return float(nx.shortest_path_length(states, *ends, weight="cost"))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("chip", ["npu", "npu4", "vdsp12"])
def test_the_last_look_is_the_shortest_path(seed: int, chip: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are looks enough for it to settle."""
    monkeypatch.setitem(EFFORTS, "O2", replace(EFFORTS["O2"], looks=16))
    target = small_chip(chip, 16)
    candidates = searched(random_graph(seed, 7, 16), target)
    price = GroupPrice(BALANCED, target.dram.bytes_per_cycle)
    *_, last = candidates.sequences.looks([(BALANCED, True)])
    assert price.of_all(last) == pytest.approx(shortest(candidates.sequences, price))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("chip", ["npu", "npu4"])
def test_layers_that_are_not_worth_tiles_would_be_in_no_cheaper_sequence(
    seed: int, chip: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By rough costs, by which `WorthTiles.of` judges."""
    graph, target = random_graph(seed, 6, 16), small_chip(chip, 8)
    price = GroupPrice(BALANCED, target.dram.bytes_per_cycle)
    chosen = shortest(searched(graph, target).sequences, price)
    monkeypatch.setattr(WorthTiles, "of", lambda *_: True)
    assert chosen <= shortest(searched(graph, target).sequences, price) * TUNING.tiles.above_least

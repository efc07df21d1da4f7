"""Estimated traffic of fused groups against the transfers of the groups when they are expanded to steps."""

from __future__ import annotations

import pytest
from fusion_networks import needed_rows, network_of, random_graph

import nnc
from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.planner import make_plan
from nnc.compiler.plan.prices import AskedPrice
from nnc.compiler.plan.search.group_search import find_candidates

OPTIONS = [PlanOptions("traffic"), PlanOptions("balanced"), PlanOptions("traffic", overlap="recompute")]


@pytest.mark.parametrize("seed", range(0, 12, 2))
@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: f"{o.objective}-{o.overlap}")
def test_traffic_is_exact(options: PlanOptions, seed: int) -> None:
    """In bursts of a byte nothing is rounded: what is estimated of a fused group moves, to the byte."""
    seen = 0
    for kib in (4, 8, 64):
        chip = nnc.load_chip("npu", [f"memory.sram.bytes={kib}KiB", "dram.burst=1"])
        plan = make_plan(random_graph(seed, 6, 16), chip, options=options)
        for planned, found in zip(plan.groups, plan.predictions, strict=True):
            if not planned.group.reason.startswith("tiled alone"):
                assert planned.estimate.dram_bytes == found.dram_bytes
                seen += 1
    assert seen


def test_groups_that_fit_once_read_inputs_and_weights_and_write_outputs_once() -> None:
    for seed in range(10):
        graph = random_graph(seed, 6, 16)
        chip = nnc.load_chip("npu", ["memory.sram.bytes=1MiB", "dram.burst=1"])
        network = network_of(graph)
        candidates = find_candidates(graph, chip, PlanOptions("traffic"), lambda *_: None)
        leanest = candidates.sequences_for(AskedPrice.of("traffic", chip))[0]
        nbytes = sum(choice.dram_bytes for choice in leanest)
        weights = sum(network.weight_bytes(p) for p in range(len(network.layers)))
        ends = sum(graph.types[tensor].nbytes for tensor in (*graph.inputs, *graph.outputs))
        rows = network.buffers[graph.inputs[0]]
        unread = (rows.rows - len(needed_rows(network)[graph.inputs[0]])) * rows.row_bytes
        assert ends + weights - unread <= nbytes <= ends + weights


@pytest.mark.parametrize(("seed", "cores"), [(seed, 2 + seed % 3) for seed in range(8)])
def test_traffic_of_shared_groups_is_exact(seed: int, cores: int) -> None:
    """Weights go to all cores once, common rows and columns to each that needs them."""
    chip = nnc.load_chip("npu4", [f"cores={cores}", "memory.sram.bytes=64KiB", "dram.burst=1"])
    plan = make_plan(random_graph(seed, 6, 24), chip, options=PlanOptions("cycles"))
    for planned, found in zip(plan.groups, plan.predictions, strict=True):
        if not planned.group.reason.startswith("tiled alone"):
            assert planned.estimate.dram_bytes == pytest.approx(found.dram_bytes, rel=0.005)


def test_traffic_of_strips_of_columns_is_exact() -> None:
    graph = canonicalise(import_model(models.build("vgg_first5", width=0.25, image=48)))
    chip = nnc.load_chip("npu", ["memory.sram.bytes=24KiB"])
    plan = make_plan(graph, chip, options=PlanOptions("traffic"))
    strips = [
        (planned.estimate.dram_bytes, found.dram_bytes)
        for planned, found in zip(plan.groups, plan.predictions, strict=True)
        if planned.group.axis == "columns x rows"
    ]
    assert strips
    for estimated, moved in strips:
        assert estimated == pytest.approx(moved, rel=0.02)

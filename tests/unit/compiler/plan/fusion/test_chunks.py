"""Hidden channels in chunks: which layers are a run, what they hold, and what their work takes."""

from __future__ import annotations

import numpy as np
from fusion_networks import network_of
from pass_harness import graph_of

from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.fusion.buffer_rows import buffer_rows
from nnc.compiler.plan.fusion.chunks import ChunkBytes, chunk_cycles
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.network.hidden_runs import HiddenRun, by_position, hidden_runs
from nnc.compiler.plan.network.layer_cycles import LayerCycles
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.staging import GroupMemories, Staging
from nnc.isa.chip.load import load_chip

NPU = load_chip("npu")
SHAPES = {"wa": (512, 16, 1, 1), "wb": (512, 1, 3, 3), "wc": (16, 512, 1, 1)}
EXPAND = """(float[1,16,8,8] x) => (float[1,16,8,8] y)
{ a = Conv(x, wa) b = Conv<group=512, pads=[1,1,1,1]>(a, wb) y = Conv(b, wc) }"""


def runs_of(text: str) -> tuple[PlanNetwork, list[HiddenRun]]:
    network = network_of(canonicalise(graph_of(text, SHAPES)))
    memories = GroupMemories.of(NPU, network)
    assert not isinstance(memories, Infeasible)
    return network, hidden_runs(network, NPU, Staging(NPU, memories), capacity=65536, finer=1)


def test_layers_that_widen_work_by_channel_and_sum_up_are_a_run() -> None:
    _, (run,) = runs_of(EXPAND)
    assert (run.first, run.last, run.channels, run.axis) == (0, 2, 512, 1)
    assert run.ranges[0] == (0, run.width) and run.ranges[-1][1] == 512
    assert run.rows is None, "windows need rows beside their own"


def test_hidden_channels_that_others_read_are_no_run() -> None:
    assert runs_of(EXPAND.replace("8] y)", "8] y, float[1,512,8,8] b)"))[1] == []


def test_a_chunk_of_the_hidden_channels_is_on_chip() -> None:
    _, (run,) = runs_of(EXPAND)
    rows, chunks = buffer_rows(np.array([0, 4]), np.array([4, 8])), ChunkBytes(by_position([run]), parts=2)
    assert chunks.share(0, rows) == run.width / 512
    assert chunks.share(2, rows) == 1.0
    assert chunks.weights(1) == 2 * run.chunk_bytes


def test_chunks_take_the_work_of_all_channels() -> None:
    network, (run,) = runs_of(EXPAND)
    for position in range(3):
        whole = LayerCycles(network, NPU, position).of(network.graph.types[network.defines[position]].shape)
        issues = len(run.ranges) * NPU.compute.issue
        assert whole <= chunk_cycles(network, NPU, run, position, 8) <= 1.5 * whole + issues

"""What groups must read and write at the least, while they grow upstream."""

from __future__ import annotations

import pytest
from fusion_networks import network_of, random_graph

from nnc.compiler.plan.fusion.least_transfers import LeastTransfers
from nnc.compiler.plan.network.read_rows import ReadRows
from nnc.compiler.plan.network.residents import NOTHING, Resident, Residents


@pytest.mark.parametrize("seed", range(10))
def test_residents_are_not_read_and_nothing_is_read_twice(seed: int) -> None:
    network = network_of(random_graph(seed, 8))
    end = len(network.layers) - 1
    least = LeastTransfers(network, ReadRows.of(network), end, [NOTHING])
    for start in range(end, -1, -1):
        least.extend(start)
        crossing = [name for name in network.crossings[start] if network.last_use[name] >= start]
        read = {network.buffer_of(t) for at in range(start, end + 1) for _, t in network.operands[at]}
        most = sum(network.buffers[name].nbytes for name in crossing if name in read)
        assert 0 <= least.bytes_read(NOTHING) <= most
        assert least.bytes_read(Residents(map(Resident, crossing))) == 0
    written = dict(least.leaves()[frozenset()])
    assert written[NOTHING] == sum(network.moved_bytes(name) for name in network.network_outputs)

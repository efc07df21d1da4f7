"""Rows that somebody needs, against windows counted one by one."""

from __future__ import annotations

import numpy as np
import pytest
from fusion_networks import needed_rows, network_of, random_graph
from pass_harness import graph_of

from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.network.read_rows import ReadRows


@pytest.mark.parametrize("seed", range(20))
def test_rows_are_those_of_all_windows(seed: int) -> None:
    network = network_of(random_graph(seed, 8, 20))
    found, wanted = ReadRows.of(network), needed_rows(network)
    read: dict[str, set[int]] = {}
    for position in range(len(network.layers)):
        for buffer, mask in found.read[position].items():
            rows = range(network.buffers[buffer].rows) if mask is None else np.flatnonzero(mask).tolist()
            read.setdefault(buffer, set()).update(rows)
    assert found.computed == [len(wanted[tensor]) for tensor in network.defines]
    assert read == {tensor: wanted[tensor] for tensor in read}


def test_a_stride_over_rows_reads_every_other_one() -> None:
    text = "(float[1,4,9,9] x) => (float[1,4,5,5] y) { y = Conv<kernel_shape=[1,1], strides=[2,2]>(x, w) }"
    network = network_of(canonicalise(graph_of(text, {"w": (4, 4, 1, 1)})))
    (mask,) = ReadRows.of(network).read[0].values()
    assert mask is not None
    assert np.flatnonzero(mask).tolist() == [0, 2, 4, 6, 8]

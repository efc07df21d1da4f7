"""What the search counts for the constants of a layer where the DMA moves whole units only."""

from __future__ import annotations

import pytest
from harness import chip_of
from pass_harness import graph_of

from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.network.orders import orders_of
from nnc.compiler.plan.network.plan_network import PlanNetwork


@pytest.mark.parametrize(
    ("unit", "expected"),
    [(1, 4 * 135 + 4 * 5), (64, 576 + 64), (256, 768 + 256), (6, 4 * 135 + 24)],
)
def test_every_constant_is_packed_into_whole_units(unit: int, expected: int) -> None:
    """Of a unit of 6 bytes and elements of 4, pieces are multiples of 12: 4 · 135 is 45 of them."""
    text = "(float[1,3,6,5] x) => (float[1,5,6,5] y) { y = Conv <pads = [1, 1, 1, 1]> (x, w, b) }"
    chip = chip_of("npu", f"dram.align={unit}", sram="64KiB")
    graph = canonicalise(graph_of(text, {"w": (5, 3, 3, 3), "b": (5,)}), chip=chip)
    assert PlanNetwork(graph, orders_of(graph)[0]).weight_bytes(0) == expected

"""Heads that stand behind a whole trunk: the planner takes those first that read what was made last."""

from __future__ import annotations

import pytest
from detector_heads import detector_heads
from harness import check_model, chip_of


@pytest.mark.parametrize("seed", range(4))
def test_heads_in_another_order_are_right(seed: int) -> None:
    check_model(detector_heads(seed), chip_of("npu", sram="16KiB"))

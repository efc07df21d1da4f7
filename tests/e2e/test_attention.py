"""Blocks of transformers, as exporters write them: what is folded, split and fused computes the same."""

from __future__ import annotations

import pytest
from harness import check_model, chip_of
from random_attention import random_attention


@pytest.mark.parametrize(
    ("seed", "chip", "sram"),
    [
        (0, "npu", 512),
        (1, "npu", 16),
        (2, "npu4", 64),
        (3, "npu", 24),
        (4, "npu", 12),
        (5, "npu", 64),
        (7, "npu", 32),
        (11, "npu4", 64),
    ],
)
def test_random_blocks_are_right(seed: int, chip: str, sram: int) -> None:
    check_model(random_attention(seed), chip_of(chip, sram=f"{sram}KiB"))

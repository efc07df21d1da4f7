"""Linear attention, attention across channels and Gram matrices: sums over tokens or pixels, in pieces."""

from __future__ import annotations

import pytest
from harness import check_model, chip_of
from random_contractions import random_contraction


@pytest.mark.parametrize(
    ("seed", "chip", "sram"),
    [
        (4, "npu", 8),
        (5, "npu", 8),
        (9, "npu", 16),
        (11, "npu4", 16),
        (12, "npu4", 8),
        (13, "npu", 8),
        (16, "npu", 12),
        (18, "npu", 4),
        (22, "npu", 6),
        (27, "npu", 24),
        (34, "npu4", 16),
        (36, "npu", 8),
    ],
)
def test_random_sums_over_rows_are_right(seed: int, chip: str, sram: int) -> None:
    check_model(random_contraction(seed), chip_of(chip, sram=f"{sram}KiB"))

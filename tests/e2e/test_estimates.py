"""What the search counts on beside what is predicted: small networks of builders, random ones, on all chips.

Predicted is simulated (`check_model` holds bytes exactly and cycles within 1 %), so plans are enough here.
"""

from __future__ import annotations

import onnx
import pytest
from estimate import random_network
from small_builders import CHIPS, SIZES

from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.planner import make_plan
from nnc.isa.chip.load import load_chip

CYCLES = 0.15
"""How far estimated cycles may be off; bytes are those of the steps, and exact."""
ALL_CHIPS = {**CHIPS, "pixel-dsp": ["memory.sram.bytes=48KiB"], "nna": []}
RANDOM = 12
"""Networks, each on one of the chips."""
CASES = [
    *((name, chip) for n, name in enumerate(SIZES) for m, chip in enumerate(CHIPS) if (n + m) % 4 == 0),
    ("squeezenet", "pixel-dsp"),
]
"""Each builder on one of four chips, and concats of few channels where lanes lie along pixels."""


def ratios(model: onnx.ModelProto, chip: str) -> tuple[float, float]:
    """Estimates of a whole plan as multiples of its prediction: DRAM bytes, cycles."""
    target = load_chip(chip, ALL_CHIPS[chip])
    plan = make_plan(canonicalise(import_model(model), chip=target), target)
    nbytes = sum(group.estimate.dram_bytes for group in plan.groups)
    cycles = sum(group.estimate.cycles for group in plan.groups)
    return nbytes / sum(found.dram_bytes for found in plan.predictions), cycles / plan.cycles


@pytest.mark.parametrize(("name", "chip"), CASES)
def test_builders(name: str, chip: str) -> None:
    nbytes, cycles = ratios(models.build(name, **SIZES[name]), chip)
    assert nbytes == 1
    assert 1 - CYCLES <= cycles <= 1 + CYCLES


@pytest.mark.parametrize(("number", "chip"), list(enumerate(ALL_CHIPS)))
def test_random_networks(number: int, chip: str) -> None:
    for seed in range(number, RANDOM, len(ALL_CHIPS)):
        nbytes, cycles = ratios(random_network(seed), chip)
        assert nbytes == 1, seed
        assert 1 - CYCLES <= cycles <= 1 + CYCLES, (seed, cycles)

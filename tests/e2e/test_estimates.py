"""What the search counts on beside what is predicted: small networks of builders, random ones, four chips.

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

BYTES, CYCLES = 0.02, 0.10
FAR_OFF = {("mlp-784-1152-10", "npu"): (0.6, 1.0)}
"""Cycles that are farther off, as a range of multiples.  mlp: two blocks of weights fit by their bytes, not
into the gaps that the allocator leaves, so that each is loaded when the one before is done."""
RANDOM, RANDOM_CYCLES = 12, (0.75, 1.45)
RANDOM_FAR_OFF = {"npu": 6, "npu-banked": 2, "npu4": 4, "vdsp12": 2}
"""Of random networks, most of which take a few thousand cycles, the ends of groups weigh more: a group is run
through by itself, so what the next one loads ahead counts twice.  So many of each chip's plans may be off by
more than a tenth, and none farther than the range."""


def ratios(model: onnx.ModelProto, chip: str) -> tuple[float, float]:
    """Estimates of a whole plan as multiples of its prediction: DRAM bytes, cycles."""
    target = load_chip(chip, CHIPS[chip])
    plan = make_plan(canonicalise(import_model(model), chip=target), target)
    nbytes = sum(group.estimate.dram_bytes for group in plan.groups)
    cycles = sum(group.estimate.cycles for group in plan.groups)
    return nbytes / sum(found.dram_bytes for found in plan.predictions), cycles / plan.cycles


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", SIZES)
def test_builders(name: str, chip: str) -> None:
    nbytes, cycles = ratios(models.build(name, **SIZES[name]), chip)
    least, most = FAR_OFF.get((name, chip), (1 - CYCLES, 1 + CYCLES))
    assert 1 - BYTES <= nbytes <= 1 + BYTES
    assert least <= cycles <= most


@pytest.mark.parametrize("chip", CHIPS)
def test_random_networks(chip: str) -> None:
    far_off = 0
    for seed in range(RANDOM):
        nbytes, cycles = ratios(random_network(seed), chip)
        assert 1 - BYTES <= nbytes <= 1 + BYTES, seed
        assert RANDOM_CYCLES[0] <= cycles <= RANDOM_CYCLES[1], seed
        far_off += abs(cycles - 1) > CYCLES
    assert far_off <= RANDOM_FAR_OFF[chip]

"""The light models of the onnx wheel: networks as they were exported in 2017, at full size.

All nine are compiled by ``bench/light_models.py``; those that take longest are left to it.
"""

from __future__ import annotations

import pytest
from harness import check_model, chip_of

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import canonicalise
from nnc.models import light

SLOW = {"bvlc_alexnet", "densenet121", "inception_v1", "inception_v2", "resnet50", "vgg19", "zfnet512"}
SRAM = {"shufflenet": "1MiB"}
MOST_OF_FLOOR = {"shufflenet": 1.05}
"""DRAM bytes over those of the floor: its shuffles are copied on chip, row by row."""
NAMES = [name for name in light.names() if name not in SLOW]


def test_there_are_nine() -> None:
    assert len(light.names()) == 9 and set(light.names()) > SLOW


@pytest.mark.parametrize("name", NAMES)
def test_canonical_as_shipped(name: str) -> None:
    """All weights are one constant: this shows coverage of operators and forms.

    Below, the same structure is compiled; bench/light_models.py compiles the files as they are.
    """
    assert canonicalise(import_model(light.path(name))).outputs


@pytest.mark.parametrize("name", NAMES)
def test_equals_onnxruntime_with_random_weights(name: str) -> None:
    """At the probabilities, and at what the softmax reads."""
    run = check_model(light.build(name), chip_of("npu", sram=SRAM.get(name, "512KiB")))
    if name in MOST_OF_FLOOR:
        assert (
            sum(run.session.ledger.whole.values()) <= MOST_OF_FLOOR[name] * run.compilation.floors.dram_bytes
        )

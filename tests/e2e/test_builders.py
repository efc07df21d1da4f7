"""Every network of the registry, small, on every chip, at intermediate outputs too; and on tiny memories.

Weights are random, never constant: a constant hides permuted channels.
"""

from __future__ import annotations

from typing import Any

import pytest
from harness import check_model, chip_of, with_intermediates

from nnc import models
from nnc.isa.chip.load import preset_names

TINY: dict[str, tuple[str, dict[str, str]]] = {
    "npu-16K": ("npu", {"sram": "16KiB"}),
    "banked-24K": ("npu-banked", {"bank1": "24KiB", "bank2": "24KiB"}),
    "vdsp12-4K": ("vdsp12", {"sm": "4KiB", "am": "32KiB"}),
}
SHARES = 2  # together the chips that a network is tried on see every tensor
FEW_TENSORS = ("conv-8x8x8", "conv-224x224x64", "fc-3x3x8192", "mlp-784-1152-10")
"""Networks of so few nodes that some chips see no inner tensor."""
LARGE = ("resnet50", "mobilenet_v2", "googlenet", "unet", "unet_resize")
"""On one chip only, where layers are not fused, but with all tensors."""
UNFUSED = "far-results"
ON_CHIPS = [
    (name, preset_names()[(first + share) % len(preset_names())], share)
    for first, name in enumerate(models.names())
    for share in range(SHARES)
    if name not in LARGE
]
"""Networks, chips, and which share of the tensors are outputs there."""
SLOW_ON_TINY = ("vgg16", "alexnet", "resnet50", "unet", "unet_resize", "googlenet")
FAST_ON_TINY = [name for name in models.names() if name not in SLOW_ON_TINY]
ON_TINY = [
    (name, memory)
    for at, name in enumerate(FAST_ON_TINY)
    for index, memory in enumerate(TINY)
    if (at + index) % len(TINY)
]
"""Each of these networks on two of the tiny memories."""


def odd_size(name: str) -> tuple[int, int]:
    """Height and width that divide badly; U-Net demands multiples of 16."""
    return (32, 48) if name.startswith("unet") else (33, 47)


@pytest.mark.parametrize(("name", "chip", "share"), [*ON_CHIPS, *((name, UNFUSED, 0) for name in LARGE)])
def test_inner_tensors_on_every_chip(name: str, chip: str, share: int) -> None:
    """Every other node's results are outputs too, those of the others on another chip."""
    step = 1 if chip == UNFUSED else SHARES
    model = with_intermediates(models.build(name, image=32, width=0.25), first=share, step=step)
    checked = check_model(model, chip_of(chip))
    assert len(checked.compilation.imported.outputs) == len(model.graph.output)
    assert len(model.graph.output) > 1 or name in FEW_TENSORS


@pytest.mark.parametrize("name", models.names())
def test_odd_sizes_and_batches(name: str) -> None:
    """Two images of an odd size at once, on one of two chips; large networks on one core."""
    chip = "npu" if name in LARGE else ("npu", "vdsp12")[models.names().index(name) % 2]
    check_model(models.build(name, image=odd_size(name), width=0.25, batch=2), chip_of(chip))


@pytest.mark.parametrize(("name", "memory"), ON_TINY)
def test_tiny_memories(name: str, memory: str) -> None:
    """Layers that are larger than the memory, many times in most networks."""
    chip, sizes = TINY[memory]
    check_model(models.build(name, image=32, width=0.25), chip_of(chip, **sizes))


@pytest.mark.parametrize(
    ("name", "options", "sram", "expected"),
    [
        ("lenet5", {"batch": 4}, "24KiB", {"batch"}),
        ("vgg_first5", {"image": 32, "width": 0.25}, "64KiB", {"rows", "channels"}),
        ("vgg_first5", {"image": (16, 600), "width": 0.125}, "12KiB", {"rows", "columns"}),
        ("mlp-784-1152-10", {"width": 0.1}, "4KiB", {"k", "axis1"}),
        ("unet", {"image": 32, "width": 0.25}, "14KiB", {"rows", "columns", "channels", "k"}),
    ],
)
def test_cuts_in_every_direction(name: str, options: dict[str, Any], sram: str, expected: set[str]) -> None:
    """Memories too small for a batch, rows, columns, output channels, and the summed axis of one output."""
    checked = check_model(models.build(name, **options), chip_of("npu", sram=sram))
    assert expected <= checked.cuts()

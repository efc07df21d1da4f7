"""The builders at sizes that compile in about a second, and the presets with memories to match."""

from __future__ import annotations

from typing import Any

SIZES: dict[str, dict[str, Any]] = {
    "mlp-784-1152-10": {},
    "lenet5": {},
    "alexnet": {"image": 64, "width": 0.125},
    "vgg_first5": {"image": 48, "width": 0.5},
    "squeezenet": {"image": 48, "width": 0.5},
    "resnet18": {"image": 32, "width": 0.25},
    "mobilenet_v1": {"image": 32, "width": 0.5},
    "mobilenet_v2": {"image": 32, "width": 0.25},
    "unet": {"image": 32, "width": 0.25},
}
CHIPS = {
    "npu": ["memory.sram.bytes=64KiB"],
    "npu-banked": ["memory.bank1.bytes=48KiB", "memory.bank2.bytes=48KiB"],
    "npu4": ["memory.sram.bytes=64KiB"],
    "vdsp12": ["cores=3"],
}

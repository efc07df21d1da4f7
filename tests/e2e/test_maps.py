"""Storage by the map of the chip: what lies along the lanes is innermost, channels or pixels."""

from __future__ import annotations

import pytest
from harness import check_model, chip_of

from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import canonicalise

NETWORKS = ("lenet5", "squeezenet", "resnet18", "mobilenet_v2", "unet")


@pytest.mark.parametrize(("chip", "order"), [("npu", (0, 2, 3, 1)), ("pixels", (0, 1, 2, 3))])
def test_convolutions_nest_as_the_map_likes_it(chip: str, order: tuple[int, ...]) -> None:
    graph = canonicalise(import_model(models.build("squeezenet", image=32, width=0.25)), chip=chip_of(chip))
    pictures = [s for t, s in graph.storage.items() if len(s.shape) == 4 and min(s.shape[1:]) > 1]
    assert len(pictures) > 10
    assert {storage.order for storage in pictures} == {order}


@pytest.mark.parametrize("name", NETWORKS)
def test_networks_on_lanes_along_pixels(name: str) -> None:
    """Equal to onnxruntime; groups too."""
    checked = check_model(models.build(name, image=32, width=0.25), chip_of("pixels"))
    assert len(checked.compilation.plan.groups) < len(checked.compilation.canonical)

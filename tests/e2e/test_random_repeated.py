"""Networks that repeat a random block, on random memories: groups that are alike are renamed copies."""

from __future__ import annotations

import onnx
from harness import random_networks_settings
from hypothesis import given
from repeated_networks import repeated_networks
from test_random_networks import check_network, chips, options

from nnc.compiler.backend.emit import emit
from nnc.compiler.plan.options import PlanOptions


@random_networks_settings(12)
@given(model=repeated_networks(), chip=chips(), options=options())
def test_repeated_network(
    model: onnx.ModelProto, chip: tuple[str, dict[str, str]], options: PlanOptions
) -> None:
    compilation = check_network(model, chip, options)
    placed = compilation.placed  # with the nodes of groups that are copies
    assert emit(placed, compilation.program.chip, {}).issued == compilation.program.issued

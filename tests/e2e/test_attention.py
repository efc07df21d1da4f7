"""Blocks of transformers, as exporters write them: what is folded, split and fused computes the same."""

from __future__ import annotations

import numpy as np
import pytest
from harness import check_compiled, check_model, chip_of, compile_with_levers, random_inputs, reference
from random_attention import random_attention
from random_net import RandomNet, Value

from nnc.compiler.plan.options import PlanOptions


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


@pytest.mark.parametrize(
    ("seed", "chip", "memories"),
    [
        (254, "npu", {"sram": "4KiB"}),
        (270, "npu", {"sram": "4KiB"}),
        (254, "vdsp12", {"sm": "4KiB", "am": "4KiB"}),
        (280, "npu-banked", {"bank1": "4KiB", "bank2": "4KiB"}),
    ],
)
def test_random_blocks_of_more_keys_than_fit(seed: int, chip: str, memories: dict[str, str]) -> None:
    """Keys of a head come in pieces; where a layer wants more memory, it gets that."""
    model = random_attention(seed, most_tokens=120)
    feeds = random_inputs(model)
    compilation, _ = compile_with_levers(model, chip, PlanOptions(effort="O1"), **memories)
    kinds = [layer.kind for layer in compilation.canonical.layers()]
    assert kinds.count("softmax") < kinds.count("reduce")
    check_compiled(compilation, feeds, reference(model, feeds))


@pytest.mark.parametrize("sram", [8, 64])
def test_keys_may_be_every_other_token_of_two_pictures(sram: int) -> None:
    """They are as many as one picture has, but lie in both."""
    net, shape = RandomNet(np.random.default_rng(0)), (1, 30, 8)
    x = Value("x", (1, 2, 3, 5, 8))
    tokens = []
    for _ in range(3):
        picture = net.append("MatMul", [x.name, net.weight(8, 8, fan_in=8)], x.shape)
        tokens.append(net.append("Reshape", [picture.name, net.constant(shape, np.int64)], shape).name)
    bounds = [net.constant([n], np.int64) for n in (0, 30, 1, 2)]
    few = [net.append("Slice", [mine, *bounds], (1, 15, 8)).name for mine in tokens[1:]]
    turned = net.append("Transpose", [few[0]], (1, 8, 15), perm=[0, 2, 1])
    scores = net.append("MatMul", [tokens[0], turned.name], (1, 30, 15))
    weights = net.append("Softmax", [scores.name], scores.shape, axis=2)
    net.values.append(net.append("MatMul", [weights.name, few[1]], shape))
    check_model(net.model(x), chip_of("npu", sram=f"{sram}KiB"))

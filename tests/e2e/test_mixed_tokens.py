"""Layers that mix tokens, alone and with gates: whichever way products lie, they compute the same."""

from __future__ import annotations

import numpy as np
import onnx
from block_models import with_blocks
from harness import (
    check_compiled,
    compile_with_levers,
    finite_reference,
    random_inputs,
    random_networks_settings,
)
from hypothesis import given
from hypothesis import strategies as st
from random_mixers import gated, mixed
from random_net import Draw, RandomNet, Value, ints

from nnc.compiler.plan.options import OBJECTIVES, PlanOptions

CHIPS = {"npu": ("sram",), "npu4": ("sram",), "vdsp12": ("sm", "am"), "nna": ("oram", "fram", "wram")}


@st.composite
def mixers(draw: Draw) -> onnx.ModelProto:
    """One to four such layers on a list of tokens, or several."""
    outer = [draw(ints(1, 3)) for _ in range(draw(ints(1, 2)))]
    x = Value("x", (*outer, draw(ints(1, 40)), draw(ints(1, 24))))
    net = RandomNet(np.random.default_rng(draw(ints(0, 999))), values=[x])
    for _ in range(draw(ints(1, 4))):
        y = draw(st.sampled_from([mixed, gated]))(net, draw, net.values[-1])
        if y is not None:
            net.values.append(y)
    if len(net.values) == 1:
        net.values.append(net.append("Relu", ["x"], x.shape))
    model = net.model(x)
    return with_blocks(model, draw(ints(0, 99))) if draw(ints(0, 2)) == 0 else model


@random_networks_settings(8)
@given(
    model=mixers(),
    chip=st.sampled_from(sorted(CHIPS)),
    size=st.sampled_from(["4KiB", "16KiB", "64KiB"]),
    objective=st.sampled_from(sorted(OBJECTIVES)),
)
def test_random_mixers(model: onnx.ModelProto, chip: str, size: str, objective: str) -> None:
    feeds = random_inputs(model)
    expected = finite_reference(model, feeds)
    memories = dict.fromkeys(CHIPS[chip], size)
    compilation, _ = compile_with_levers(model, chip, PlanOptions(objective=objective), **memories)
    check_compiled(compilation, feeds, expected)

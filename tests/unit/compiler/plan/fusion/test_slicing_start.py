"""Which layers run in slices of channels: those that need just the channels that the first of them makes."""

from __future__ import annotations

import numpy as np
import pytest
from fusion_networks import network_of
from pass_harness import graph_of

import nnc
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.fusion.channel_slices import slicing_start

PICTURE = "(float[1,16,8,8] x) => (float[1,128,8,8] p, y) { p = Conv (x, w) q = Pow (p, two)"
TOKENS = "(float[1,128,16] x) => (float[1,128,128] p, y) { p = MatMul (x, w) q = Pow (p, two)"


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        (f"{PICTURE}  y = ReduceMean <keepdims=1> (q, rows) }}", [0, 0, 0]),
        (f"{PICTURE}  y = ReduceMean <keepdims=1> (q, channels) }}", [0, 0, 3]),
        (f"{TOKENS}  y = Neg (q) }}", [0, 2, 3]),
        (f"{TOKENS}  y = ReduceMean <keepdims=1> (q, rows) }}", [0, 2, 3]),
    ],
    ids=["pixels", "channels", "features", "sums of features"],
)
def test_layers_run_in_slices_of_the_channels_of_a_product(text: str, starts: list[int]) -> None:
    """Behind a product of tokens, tensors have their channels where a picture has its rows."""
    weight = (128, 16, 1, 1) if "Conv" in text else (16, 128)
    axes = {"rows": np.array([2]), "channels": np.array([1])}
    values = {"two": np.float32(2), **{name: axis for name, axis in axes.items() if f"{name})" in text}}
    chip = nnc.load_chip("npu")
    network = network_of(canonicalise(graph_of(text, {"w": weight}, **values)))
    assert [slicing_start(network, chip, end) for end in range(len(network.layers))] == starts

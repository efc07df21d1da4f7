"""Products that round, change the scale and add in one epilogue: not a bit is another than layer by layer."""

from __future__ import annotations

import numpy as np
import pytest
from conversion_net import ConversionNet
from frontend_evaluator import evaluate
from pass_harness import feeds_of

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.ir.verify.levels import verify_graph
from nnc.compiler.passes import fuse_qdq
from nnc.compiler.passes.fuse_qdq import FUSE_QDQ
from nnc.compiler.target.target import ANY_CHIP


def both(net: ConversionNet, monkeypatch: pytest.MonkeyPatch, *outputs: str) -> tuple[Graph, Graph]:
    """The network with roundings in layers of their own, and in epilogues; both compute the same bits."""
    imported = net.graph(*outputs)
    fused, alone = imported.copy(), imported.copy()
    FUSE_QDQ.apply(fused, ANY_CHIP)
    monkeypatch.setattr(fuse_qdq, "fuse_epilogues", lambda graph: None)
    FUSE_QDQ.apply(alone, ANY_CHIP)
    verify_graph(fused)
    feeds = {name: 3 * value for name, value in feeds_of(imported).items()}
    expected = evaluate(alone, feeds)
    for name, value in evaluate(fused, feeds).items():
        np.testing.assert_array_equal(value, expected[name])
    return alone, fused


def rescalings(graph: Graph) -> list[str]:
    return [layer.name for layer in graph.layers() if getattr(layer, "src_scales", ())]


@pytest.mark.parametrize("act", [None, "Relu", "LeakyRelu", "Sigmoid"])
@pytest.mark.parametrize(("scale", "zero"), [(0.02, 99), (0.11, 0), (0.004, 255)])
def test_operands_of_a_concat_change_their_scales(
    act: str | None, scale: float, zero: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    net = ConversionNet()
    x = net.convert(net.input(1, 3, 6, 6))
    branches = []
    for kernel in (1, 3):
        y = net.conv(x, 4, 3, kernel, kernel, pads=[kernel // 2] * 4)
        branches.append(net.convert(y if act is None else net.op(act, y), scale * kernel, zero))
    y = net.convert(net.op("Concat", *branches, axis=1), 0.05, 40)
    alone, fused = both(net, monkeypatch, y)
    assert len(rescalings(alone)) == 2
    is_steps = act in (None, "Relu")  # other functions come before the rounding
    assert len(rescalings(fused)) == (0 if is_steps else 2)


@pytest.mark.parametrize("read", ["once", "twice", "as an output"])
def test_what_others_read_keeps_its_scale(read: str, monkeypatch: pytest.MonkeyPatch) -> None:
    net = ConversionNet()
    y = net.convert(net.conv(net.convert(net.input(1, 3, 5, 5)), 3, 3, 3, 3), 0.03, 77)
    first = net.op("Concat", net.convert(y, 0.05, 40), net.convert(y, 0.05, 40), axis=1)
    outputs = [net.convert(y, 0.05, 40)] if read == "once" else [first] if read == "twice" else [first, y]
    _, fused = both(net, monkeypatch, *outputs)
    assert bool(rescalings(fused)) == (read == "as an output")


def test_of_two_convolutions_the_later_one_adds(monkeypatch: pytest.MonkeyPatch) -> None:
    net = ConversionNet()
    x = net.convert(net.input(1, 3, 5, 5))
    a = net.convert(net.conv(x, 3, 3, 3, 3, pads=[1, 1, 1, 1]), 0.03, 120)
    b = net.convert(net.conv(net.convert(net.conv(x, 3, 3, 1, 1), 0.04, 100), 3, 3, 1, 1), 0.05, 90)
    alone, fused = both(net, monkeypatch, net.convert(net.op("Add", a, b), 0.06, 110))
    adding = [layer for layer in fused.layers() if isinstance(layer, ir.Conv) and layer.sum_scale]
    (layer,) = adding
    assert (layer.sum_zero, layer.residual_zero, layer.dst_zero) == (90, 120, 110)
    assert fused.producer(required(fused.operand(layer.name, 3))) is not None
    assert rescalings(alone) and not rescalings(fused)

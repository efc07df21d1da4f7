"""Softmax and normalisations that take in the conversions around them, and those that stay real."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from conversion_net import ConversionNet
from frontend_evaluator import evaluate
from pass_harness import feeds_of

from nnc.compiler.errors import ElementTypeError, ExportError
from nnc.compiler.export.to_onnx import to_onnx
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.passes.fuse_conversions import FUSE_CONVERSIONS
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.options import SOFTMAX_TYPES
from nnc.compiler.precision import precision
from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import load_chip
from nnc.isa.functions import Arithmetic
from nnc.isa.instructions.along_axis import MOST_SUMMED

F32 = np.float32
SHARE = 1 / 255


def scores(net: ConversionNet, *shape: int) -> str:
    return net.convert(net.input(*(shape or (1, 2, 5, 5))), 0.6, 120)


def softmax(net: ConversionNet) -> str:
    return net.op("Softmax", scores(net), axis=-1)


def normalised(kind: str, channels: int) -> Callable[[ConversionNet], str]:
    def build(net: ConversionNet) -> str:
        scale, bias = (net.constant(net.rng.uniform(0.01, 0.1, channels).astype(F32)) for _ in range(2))
        return net.op(kind, scores(net), scale, bias)

    return build


def fused(graph: Graph) -> list[ir.Softmax | ir.Normalise]:
    """The layers on codes."""
    layers = [layer for layer in graph.layers() if isinstance(layer, ir.Softmax | ir.Normalise)]
    return [layer for layer in layers if layer.src_scale]


@pytest.mark.parametrize("word", SOFTMAX_TYPES)
@pytest.mark.parametrize(
    "build", [softmax, normalised("LayerNormalization", 5), normalised("InstanceNormalization", 2)]
)
def test_conversions_around_are_fused(build: Callable[[ConversionNet], str], word: str) -> None:
    """A step of 1/255 off at the most; in f32 what it was."""
    net = ConversionNet()
    imported = net.graph(net.convert(build(net), SHARE, 0))
    apart = canonicalise(imported, until="split-softmax")
    graph = canonicalise(imported, softmax=word)
    (layer,) = fused(graph)
    assert layer.arithmetic is Arithmetic(word)
    said = precision(graph)
    assert said is not None and not said.of_reals and len(said.conversions) == 2
    feeds = feeds_of(imported)
    expected = evaluate(apart, feeds)
    for name, value in evaluate(graph, feeds).items():
        np.testing.assert_allclose(value, expected[name], rtol=0, atol=0 if word == "f32" else 1.01 * SHARE)


def _logarithm(net: ConversionNet) -> str:
    return net.op("LogSoftmax", scores(net), axis=-1)


def _of_reals(net: ConversionNet) -> str:
    return net.op("Softmax", net.op("Exp", net.input(3, 5)), axis=-1)


def _masked(net: ConversionNet) -> str:
    return net.op("Softmax", net.op("Add", scores(net), net.input(1, 2, 5, 5)), axis=-1)


@pytest.mark.parametrize("build", [_logarithm, _of_reals, _masked])
def test_what_has_no_codes_stays_real(build: Callable[[ConversionNet], str]) -> None:
    net = ConversionNet()
    assert not fused(canonicalise(net.graph(net.convert(build(net), SHARE, 0)), softmax="f16"))


def test_a_result_that_is_read_as_it_is_stays_real() -> None:
    net = ConversionNet()
    shares = softmax(net)
    assert not fused(canonicalise(net.graph(net.convert(shares, SHARE, 0), shares)))


@pytest.mark.parametrize("extent", [MOST_SUMMED, MOST_SUMMED + 1])
def test_sums_too_long_for_integers_are_real(extent: int) -> None:
    net = ConversionNet()
    shares = net.op("Softmax", scores(net, 2, extent), axis=-1)
    (layer,) = fused(canonicalise(net.graph(net.convert(shares, 0.001, 0)), softmax="i8"))
    assert layer.arithmetic is (Arithmetic.I8 if extent == MOST_SUMMED else Arithmetic.F32)


def test_a_softmax_that_no_memory_holds_is_split_instead() -> None:
    chip = load_chip("npu", ["memory.sram.bytes=4KiB"])
    net = ConversionNet()
    shares = net.op("Softmax", scores(net, 1, 2000), axis=-1)
    graph = canonicalise(net.graph(net.convert(shares, SHARE, 0)), chip=chip)
    assert not fused(graph) and "reduce" in [layer.kind for layer in graph.layers()]


def test_integers_have_no_form_in_onnx() -> None:
    net = ConversionNet()
    imported = net.graph(net.convert(softmax(net), SHARE, 0))
    for word in ("f32", "f16"):
        assert to_onnx(canonicalise(imported, softmax=word, until=FUSE_CONVERSIONS.name))
    with pytest.raises(ExportError, match="--softmax f32"):
        to_onnx(canonicalise(imported, softmax="i8", until=FUSE_CONVERSIONS.name))


@pytest.mark.parametrize("word", ["f16", "i8"])
def test_chips_without_the_rate_refuse(word: str) -> None:
    net = ConversionNet()
    graph = net.graph(net.convert(softmax(net), SHARE, 0))
    data = load_chip("npu").model_dump(mode="json")
    del data["compute"]["elementwise"][word]
    chip = Chip.model_validate(data)
    with pytest.raises(ElementTypeError, match=f"computes no softmax in {word}") as caught:
        canonicalise(graph, chip=chip, softmax=word)
    assert "--softmax f32" in caught.value.remedy

"""Random networks with their pictures stitched side by side (M4)."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from frontend_evaluator import evaluate_all
from harness import (
    HUGE,
    check_compiled,
    compile_with_levers,
    effort_for,
    finite_reference,
    kept_if_wrong,
    random_inputs,
    random_networks_settings,
    with_intermediates,
)
from hypothesis import assume, given, reject
from hypothesis import strategies as st
from random_conversions import with_conversions
from random_net import LAYERS, Draw, RandomNet, Value, ints
from random_networks import activation
from random_windows import conv, pool

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.options import PlanOptions
from nnc.isa.errors import OptionError

Arrays = dict[str, np.ndarray[Any, Any]]
WINDOWS = (conv, conv, pool, activation)


@st.composite
def batches(draw: Draw) -> onnx.ModelProto:
    """Some pictures; windows of any geometry first, then sometimes layers of any kind, with forks."""
    shape = (draw(ints(1, 5)), draw(ints(1, 6)), draw(ints(1, 11)), draw(ints(1, 11)))
    net = RandomNet(np.random.default_rng(draw(ints(0, 999))), values=[Value("x", shape)])
    layers = [*(WINDOWS for _ in range(draw(ints(1, 4)))), *(LAYERS for _ in range(draw(ints(0, 2))))]
    for kinds in layers:
        source = net.values[-draw(st.sampled_from([1, 1, 1, min(2, len(net.values))]))]
        result = draw(st.sampled_from(kinds))(net, draw, source)
        if result is not None:
            net.values.append(result)
    if len(net.values) == 1:
        reject()
    return net.model(net.values[0])


@random_networks_settings(20)
@given(
    model=batches(),
    pictures=ints(1, 6),
    memory=st.sampled_from(["2KiB", "8KiB", "16KiB", "64KiB"]),
    every_tensor=st.booleans(),
)
def test_random_batches(model: onnx.ModelProto, pictures: int, memory: str, every_tensor: bool) -> None:
    """All pictures in one stitch, or in several; in memories where layers are cut, too."""
    if every_tensor:
        model = with_intermediates(model)
    feeds = random_inputs(model)
    expected = finite_reference(model, feeds)
    check_stitched(model, pictures, memory, feeds, expected)


@random_networks_settings(20)
@given(data=st.data(), pictures=ints(1, 6), memory=st.sampled_from(["8KiB", "64KiB"]))
def test_random_quantised_batches(data: st.DataObject, pictures: int, memory: str) -> None:
    """Integers, with zero points in the gaps: what the layers are defined to give, bit for bit."""
    model = data.draw(batches())
    feeds = random_inputs(model)
    model = with_conversions(data.draw, model, feeds)
    ties: list[float] = []
    graph = canonicalise(import_model(model))
    values = evaluate_all(graph, feeds, ties=ties)
    assume(min(ties, default=1.0) > 1e-4)  # else the last bit of a float decides
    # Windows of pads alone: infinite here, the lowest float in the reference.
    assume(all((np.abs(values[tensor].astype(float)) < HUGE).all() for tensor in graph.outputs))
    expected = {tensor: values[tensor] for tensor in graph.outputs}
    check_stitched(model, pictures, memory, feeds, expected)


def check_stitched(
    model: onnx.ModelProto, pictures: int, memory: str, feeds: Arrays, expected: Arrays
) -> None:
    """Compile with pictures side by side and run; another network is drawn if none of its layers can."""
    with kept_if_wrong(model, f"--stitch {pictures}, {memory}"):
        try:
            options = PlanOptions(stitch=str(pictures), effort=effort_for(model))
            compilation, _ = compile_with_levers(model, "pixel-dsp", options, sram=memory)
        except OptionError as error:
            assert "can be stitched" in error.message
            reject()
        check_compiled(compilation, feeds, expected)

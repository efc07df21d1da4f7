"""Random networks with random conversions: layer by layer as onnxruntime, bit for bit as their definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from frontend_evaluator import evaluate_all
from harness import check_compiled, compile_with_levers, random_inputs, random_networks_settings
from hypothesis import assume, given, reject
from hypothesis import strategies as st
from quantised_networks import literal
from random_conversions import with_conversions
from random_networks import networks
from test_random_networks import CHIPS, SIZES, options

from nnc.check.layers import approximate_tensors
from nnc.compiler.errors import ElementTypeError
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.layers import Reshape
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.options import PlanOptions

Feeds = dict[str, np.ndarray[Any, Any]]
HUGE = 1e30


@st.composite
def quantised_networks(draw: Any) -> tuple[onnx.ModelProto, Feeds]:
    """A network with conversions, and its inputs."""
    model = draw(networks())
    feeds = random_inputs(model)
    return with_conversions(draw, model, feeds), feeds


def chips() -> st.SearchStrategy[tuple[str, dict[str, str]]]:
    """Any chip; those of one core with random sizes of their memories."""
    size = st.sampled_from(SIZES)
    small = st.sampled_from(sorted(CHIPS)).flatmap(
        lambda name: st.tuples(st.just(name), st.fixed_dictionaries(dict.fromkeys(CHIPS[name], size)))
    )
    return small | st.tuples(st.just("npu4"), st.just({}))


@random_networks_settings(10)
@given(network=quantised_networks(), chip=chips(), options=options())
def test_random_quantised_network(
    network: tuple[onnx.ModelProto, Feeds], chip: tuple[str, dict[str, str]], options: PlanOptions
) -> None:
    """From the same integers each layer makes those of onnxruntime, one step off in few elements at most."""
    model, feeds = network
    said = literal(model, feeds)
    assume(all(np.abs(said[o.name]).max(initial=0) < HUGE for o in model.graph.output))
    graph = canonicalise(import_model(model), softmax=options.softmax)
    approximate = approximate_tensors(graph)
    own = evaluate_all(graph, feeds, said)
    for layer in graph.layers():
        name = graph.output_of(layer.name)
        if name not in said or said[name].dtype.itemsize != 1 or said[name].dtype == bool:
            continue
        if isinstance(layer, Reshape):
            continue  # it may order elements in another way, together with the weights behind it
        steps = np.abs(own[name].astype(int) - said[name].astype(int))
        assert steps.max() <= 1, f"{name}: {steps.max()} steps"
        few = steps.size if name in approximate else 1 + steps.size // 100
        assert np.sum(steps > 0) <= few, f"{name}: {np.sum(steps > 0)} of {steps.size}"
    ties: list[float] = []
    values = evaluate_all(graph, feeds, ties=ties)
    assume(min(ties, default=1.0) > 1e-4)  # else the last bit of a float decides
    name, memories = chip
    try:
        compilation, _ = compile_with_levers(model, name, options, **memories)
    except ElementTypeError:
        assert name == "nna"
        reject()  # products of other integers than bytes
    check_compiled(compilation, feeds, {tensor: values[tensor] for tensor in graph.outputs})

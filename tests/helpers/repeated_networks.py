"""Networks that repeat one random block: groups that are alike are planned, expanded and placed once.

x -> block -> + -> block -> + -> ... -> y,      + adds what is left of a block's last result to its input
"""

from __future__ import annotations

import numpy as np
import onnx
from hypothesis import strategies as st
from onnx import compose, helper, numpy_helper
from random_net import Draw, ints
from random_networks import networks


@st.composite
def repeated_networks(draw: Draw) -> onnx.ModelProto:
    """Three to nine copies of a random block of one input, alike in all but names and weights."""
    block = draw(networks().filter(lambda model: len(model.graph.input) == 1))
    _close(block)
    rng = np.random.default_rng(draw(ints(0, 999)))
    same_weights = draw(st.sampled_from([False, False, True]))
    chain = _copy(block, 0, None if same_weights else rng)
    for number in range(1, draw(ints(3, 9))):
        copy = _copy(block, number, None if same_weights else rng)
        chain = compose.merge_models(chain, copy, io_map=[(chain.graph.output[0].name, f"{number}_x")])
    return chain


def _close(block: onnx.ModelProto) -> None:
    """Let a block have one output, as large as its input."""
    graph, last = block.graph, block.graph.output[-1]
    shapes = [[d.dim_value for d in v.type.tensor_type.shape.dim] for v in (graph.input[0], last)]
    left = last.name
    if shapes[0] != shapes[1]:
        left = "left"
        graph.node.append(helper.make_node("ReduceMean", [last.name], ["mean"], name="mean", keepdims=0))
        graph.node.append(helper.make_node("Tanh", ["mean"], [left], name=left))
    graph.node.append(helper.make_node("Add", ["x", left], ["y"], name="sum"))
    result = graph.input[0].type.tensor_type
    del graph.output[:]
    graph.output.append(helper.make_tensor_value_info("y", result.elem_type, shapes[0]))


def _copy(block: onnx.ModelProto, number: int, rng: np.random.Generator | None) -> onnx.ModelProto:
    """A block by another name, and with other weights where a generator is given."""
    copy = compose.add_prefix(block, f"{number}_")
    for weight in copy.graph.initializer:
        values = numpy_helper.to_array(weight)
        if rng is not None and values.dtype == np.float32 and values.ndim > 1:
            weight.CopyFrom(numpy_helper.from_array(rng.permutation(values), weight.name))
    return copy

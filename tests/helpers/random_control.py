"""Random networks with branches and loops around random layers."""

from __future__ import annotations

import numpy as np
import onnx
from hypothesis import strategies as st
from onnx import TensorProto, helper
from random_net import Draw, RandomNet, Value, ints
from random_networks import LAYERS


@st.composite
def control_networks(draw: Draw) -> onnx.ModelProto:
    """One to three branches, loops or scans, one on the result of the other."""
    shape = (draw(ints(1, 2)), draw(ints(1, 8)), *(draw(ints(1, 9)) for _ in range(draw(ints(0, 2)))))
    input_ = Value("x", shape)
    net = RandomNet(np.random.default_rng(draw(ints(0, 999))), values=[input_])
    for _ in range(draw(ints(1, 3))):
        function = draw(st.sampled_from([known_branch, branch_of_run_time, loop, scan]))
        net.values.append(function(net, draw, net.values[-1]))
    return net.model(input_)


def known_branch(net: RandomNet, draw: Draw, x: Value) -> Value:
    """An If whose condition is computed of a shape, as exporters write it; its results have any shapes."""
    shape = net.append("Shape", [x.name], [x.rank])
    extent = net.append("Gather", [shape.name, net.constant(0, np.int64)], [])
    is_equal = draw(st.booleans())
    bound = net.constant(x.shape[0] if is_equal else 99, np.int64)
    condition = net.append("Equal", [extent.name, bound], [])
    branches = [_layers(net.inside(word, x), draw) for word in "ab"]
    graphs = [_graph(inner, [], [result.name]) for inner, result in branches]
    result = branches[0 if is_equal else 1][1]
    return _if(net, condition, graphs, result.shape)


def branch_of_run_time(net: RandomNet, draw: Draw, x: Value) -> Value:
    """An If on a number of the input."""
    condition = net.append("Less", [net.scalar(), net.constant(0.0)], [])
    graphs = []
    for word in "ab":
        inner, result = _same_shape(net.inside(word, x), draw)
        graphs.append(_graph(inner, [], [result.name]))
    return _if(net, condition, graphs, x.shape)


def loop(net: RandomNet, draw: Draw, x: Value) -> Value:
    """A loop with a state and what it stacks, which are joined; it may end by its condition."""
    inner = net.inside("l", x)
    state = Value(f"{inner.stem}h", x.shape)
    number, before = f"{inner.stem}i", f"{inner.stem}on"
    inner.values.append(state)
    inner, result = _same_shape(inner, draw)
    weight = inner.append("Cast", [number], [], to=TensorProto.FLOAT)
    part = inner.append("Add", [result.name, weight.name], x.shape)
    last = draw(ints(0, 4))
    after = inner.append("Less", [number, net.constant(last, np.int64)], [])
    trips = draw(ints(0, 3))
    infos = [_info(number, TensorProto.INT64, ()), _info(before, TensorProto.BOOL, ())]
    infos.append(_info(state.name, TensorProto.FLOAT, x.shape))
    body = _graph(inner, infos, [after.name, result.name, part.name])
    operands = [net.constant(trips, np.int64), net.constant(True, np.bool_), x.name]
    count = min(trips, last + 1)
    end = net.append("Loop", operands, x.shape, body=body)
    if not count:  # then what is stacked is empty
        net.nodes[-1].output.append(f"{end.name}.parts")
        return end
    parts = f"{end.name}.parts"
    net.nodes[-1].output.append(parts)
    total = net.append("ReduceMean", [parts, net.constant([0], np.int64)], x.shape, keepdims=0)
    return net.append("Add", [end.name, total.name], x.shape)


def scan(net: RandomNet, draw: Draw, x: Value) -> Value:
    """A scan over an axis, with a state, in any direction."""
    axis = draw(ints(0, x.rank - 1))
    shape = (*x.shape[:axis], *x.shape[axis + 1 :])
    start = net.append("ReduceMean", [x.name, net.constant([axis], np.int64)], shape, keepdims=0)
    inner = net.inside("s")
    state, element = Value(f"{inner.stem}h", shape), Value(f"{inner.stem}e", shape)
    total = inner.append("Add", [state.name, element.name], shape)
    following = inner.append(draw(st.sampled_from(["Tanh", "Sigmoid", "Neg"])), [total.name], shape)
    part = inner.append("Mul", [following.name, element.name], shape)
    infos = [_info(value.name, TensorProto.FLOAT, shape) for value in (state, element)]
    body = _graph(inner, infos, [following.name, part.name])
    ways = {name: [draw(ints(0, 1))] for name in ("scan_input_directions", "scan_output_directions")}
    axes = {"scan_input_axes": [axis], "scan_output_axes": [axis]}
    end = net.append("Scan", [start.name, x.name], shape, body=body, num_scan_inputs=1, **axes, **ways)
    net.nodes[-1].output.append(f"{end.name}.parts")
    return Value(f"{end.name}.parts", x.shape)


def _layers(net: RandomNet, draw: Draw) -> tuple[RandomNet, Value]:
    """One to three random layers; the network and the last result."""
    for _ in range(draw(ints(1, 3))):
        result = draw(st.sampled_from(LAYERS))(net, draw, net.values[-1])
        if result is not None and result.rank:
            net.values.append(result)
    if not net.nodes or net.values[-1].name != net.nodes[-1].output[0]:
        net.values.append(net.append("Neg", [net.values[-1].name], net.values[-1].shape))
    return net, net.values[-1]


def _same_shape(net: RandomNet, draw: Draw) -> tuple[RandomNet, Value]:
    """Random layers on the last tensor, with a result of its shape."""
    x = net.values[-1]
    net, result = _layers(net, draw)
    if result.shape != x.shape:
        result = net.append(draw(st.sampled_from(["Tanh", "Sigmoid"])), [x.name], x.shape)
    return net, result


def _if(net: RandomNet, condition: Value, graphs: list[onnx.GraphProto], shape: tuple[int, ...]) -> Value:
    return net.append("If", [condition.name], shape, then_branch=graphs[0], else_branch=graphs[1])


def _graph(net: RandomNet, inputs: list[onnx.ValueInfoProto], outputs: list[str]) -> onnx.GraphProto:
    return helper.make_graph(
        net.nodes, net.stem, inputs, [onnx.ValueInfoProto(name=name) for name in outputs]
    )


def _info(name: str, code: int, shape: tuple[int, ...]) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, code, shape)

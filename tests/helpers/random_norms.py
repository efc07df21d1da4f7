"""Random layers that normalise: over the last axes, over pictures, over groups of their channels."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from random_net import Draw, RandomNet, Value, ints, layer


@layer
def normalise(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Layer normalisation or softmax over the last axes, local response normalisation on pictures."""
    kind = draw(st.sampled_from(["LayerNormalization", "Softmax", "LRN"]))
    if kind == "LRN":
        return net.op(kind, [x.name], x.shape, size=draw(st.sampled_from([1, 3, 5]))) if x.rank == 4 else None
    axis = draw(ints(0, x.rank - 1))
    if kind == "Softmax":
        return net.op(kind, [x.name], x.shape, axis=axis)
    inputs = [x.name, net.weight(*x.shape[axis:])]
    if draw(st.booleans()):
        inputs.append(net.weight(*x.shape[axis:]))
    return net.op(kind, inputs, x.shape, axis=axis, epsilon=0.01)


@layer
def written_norm(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """A normalisation as exporters to old opsets write it, over any axes; factors before or behind it."""
    if x.rank == 0:
        return None
    axes = sorted(draw(st.lists(ints(0, x.rank - 1), min_size=1, unique=True)))
    folded = tuple(1 if axis in axes else extent for axis, extent in enumerate(x.shape))
    listed, top = net.constant(axes, np.int64), x
    if draw(st.booleans()):
        top = net.append("Sub", [x.name, net.append("ReduceMean", [x.name, listed], folded).name], x.shape)
    square = draw(st.sampled_from([("Mul", top.name), ("Pow", net.constant(2.0))]))
    squares = net.append(square[0], [top.name, square[1]], x.shape)
    mean = net.append("ReduceMean", [squares.name, listed], folded)
    root = net.append("Sqrt", [net.append("Add", [mean.name, net.constant(0.01)], folded).name], folded)
    each = [draw(st.sampled_from([1, extent])) for extent in x.shape]
    factor, early = net.weight(*each[draw(ints(0, x.rank - 1)) :]), draw(st.booleans())
    if early:
        top = net.append("Mul", [factor, top.name], x.shape)
    if draw(st.booleans()):
        result = net.append("Div", [top.name, root.name], x.shape)
    else:
        result = net.append("Mul", [top.name, net.append("Reciprocal", [root.name], folded).name], x.shape)
    return result if early else net.op("Mul", [result.name, factor], x.shape)


@layer
def normalise_pictures(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Each channel by itself, or groups of channels as exporters write them; factors may be computed."""
    if x.rank < 3 or min(x.shape[2:]) < 2:
        return None
    groups = draw(st.sampled_from([n for n in range(1, x.shape[1] + 1) if x.shape[1] % n == 0]))
    name, shape = x.name, x.shape
    if draw(st.booleans()):
        groups = x.shape[1]
    else:
        shape = (x.shape[0], groups, -1)
        name = net.append("Reshape", [name, net.constant(shape, np.int64)], x.shape).name
    factors = [
        net.weight(groups) if draw(st.booleans()) else net.constant(np.full(groups, n)) for n in (1, 0)
    ]
    if groups == x.shape[1] and shape == x.shape and draw(st.booleans()):
        others = net.constant([0, *range(2, x.rank)], np.int64)
        factors[0] = net.append("ReduceMax", [x.name, others], (groups,), keepdims=0).name
    result = net.append("InstanceNormalization", [name, *factors], x.shape, epsilon=0.01)
    if shape != x.shape:
        result = net.append("Reshape", [result.name, net.constant(x.shape, np.int64)], x.shape)
    if draw(st.booleans()):
        return result
    return net.op("Mul", [result.name, net.weight(x.shape[1], *[1] * (x.rank - 2))], x.shape)

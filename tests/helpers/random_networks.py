"""Random small networks for hypothesis: a walk that adds layers to whatever tensors there are so far."""

from __future__ import annotations

import math

import numpy as np
import onnx
import random_expansions
import random_gates
import random_mixers
import random_norms
import random_padding
import random_recurrences
import random_windows
from hypothesis import strategies as st
from onnx import TensorProto, helper
from random_net import LAYERS, MOST_ELEMENTS, Draw, RandomNet, Value, ints, layer

for module in (
    random_expansions,
    random_gates,
    random_mixers,
    random_norms,
    random_padding,
    random_recurrences,
    random_windows,
):
    assert any(function.__module__ == module.__name__ for function in LAYERS)  # they register themselves


@st.composite
def networks(draw: Draw) -> onnx.ModelProto:
    """A network of one to eight layers on an input of rank 2 to 4."""
    rank = draw(st.sampled_from([4, 4, 4, 3, 2]))
    batch = draw(st.sampled_from([1, 1, 2, 3, 4, 5]))
    most = 17 if batch <= 3 else 12
    shape = [batch, draw(ints(1, 12)), *(draw(ints(1, most)) for _ in range(rank - 2))]
    input_ = Value("x", tuple(shape))
    net = RandomNet(np.random.default_rng(draw(ints(0, 999))), values=[input_])
    for _ in range(draw(ints(1, 8))):
        function = draw(st.sampled_from(LAYERS))
        tensors = [value for value in net.values if value.rank]  # a scalar is an output, or added
        source = tensors[max(0, len(tensors) - draw(st.sampled_from([1, 1, 1, 2, 3])))]
        result = function(net, draw, source)
        if result is not None:
            net.values.append(result)
    if len(net.values) == 1:
        result = net.op("Relu", ["x"], input_.shape)
        assert result is not None
        net.values.append(result)
    return net.model(input_)


# --- element-wise and joins --------------------------------------------------------------------------------


@layer
def activation(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    kind, attributes = draw(
        st.sampled_from(
            [
                ("Relu", {}),
                ("LeakyRelu", {"alpha": 0.1}),
                ("LeakyRelu", {"alpha": -0.3}),
                ("Celu", {"alpha": -4.0}),
                ("Sigmoid", {}),
                ("Tanh", {}),
                ("HardSwish", {}),
                ("HardSigmoid", {"alpha": 0.3, "beta": 0.4}),
                ("Gelu", {}),
                ("Elu", {"alpha": 0.7}),
                ("Erf", {}),
                ("Neg", {}),
                ("Softplus", {}),
            ]
        )
    )
    return net.op(kind, [x.name], x.shape, **attributes)


@layer
def bounded(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Clip with its bounds as constants, or PRelu with one slope per channel."""
    if draw(st.booleans()) and x.rank > 1:
        slope = net.weight(x.shape[1], *[1] * (x.rank - 2))
        return net.op("PRelu", [x.name, slope], x.shape)
    low, high = draw(st.sampled_from([(-0.5, 0.75), (-math.inf, 0.75), (-0.5, math.inf), (-1e38, 1e38)]))
    return net.op("Clip", [x.name, net.constant(low), net.constant(high)], x.shape)


@layer
def two_operands(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """With another tensor of the same shape (itself too), or a constant that broadcasts."""
    kind = draw(st.sampled_from(["Add", "Add", "Mul", "Sub", "Max"]))
    if draw(st.booleans()):
        other = draw(st.sampled_from([v for v in net.values if v.shape == x.shape]))
        return net.op(kind, [x.name, other.name], x.shape)
    shape = [n if draw(st.booleans()) else 1 for n in x.shape][draw(ints(0, x.rank - 1)) :]
    pair = [x.name, net.weight(*shape)]
    return net.op(kind, pair if draw(st.booleans()) else pair[::-1], x.shape)


@layer
def scalar_operand(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """With a scalar input, or the mean of all elements and one; or Clip with inputs as bounds."""
    if draw(st.booleans()):
        return net.op("Clip", [x.name, net.scalar(), net.scalar()], x.shape)
    scalar = net.scalar()
    if draw(st.booleans()):
        mean = net.append("ReduceMean", [x.name], (), keepdims=0)
        scalar = net.append("Add", [mean.name, scalar], ()).name
    return net.op(draw(st.sampled_from(["Add", "Mul", "Max"])), [x.name, scalar], x.shape)


@layer
def nothing_beside(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Joined with an empty piece of itself, or an empty input."""
    axis = draw(ints(0, x.rank - 1))
    end = net.constant([x.shape[axis]], np.int64)
    shape = (*x.shape[:axis], 0, *x.shape[axis + 1 :])
    if draw(st.booleans()):
        empty = net.further_input(*shape)
    else:
        empty = net.append("Slice", [x.name, end, end, net.constant([axis], np.int64)], shape)
    empty = net.append("Neg", [empty.name], shape)
    return net.op("Concat", draw(st.permutations([x.name, empty.name])), x.shape, axis=axis)


TRIGONOMETRIC = {
    **dict.fromkeys(["Sin", "Cos", "Atan", "Sinh", "Cosh", "Asinh"], (-2, 2)),
    **dict.fromkeys(["Tan", "Asin", "Acos", "Atanh"], (-0.9, 0.9)),
    "Acosh": (1.5, 3),
}
"""Operator → where its derivative is small."""


@layer
def trigonometric(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    kind = draw(st.sampled_from(sorted(TRIGONOMETRIC)))
    clipped = net.append("Clip", [x.name, *map(net.constant, TRIGONOMETRIC[kind])], x.shape)
    return net.op(kind, [clipped.name], x.shape)


@layer
def special_values(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """IsNaN or IsInf of a sum that has such elements in known places, as floats."""
    special = net.constant(net.rng.choice([0, np.nan, np.inf, -np.inf], x.shape))
    total = net.append("Add", [x.name, special], x.shape)
    kind = draw(st.sampled_from(["IsNaN", "IsInf"]))
    flags = ("detect_negative", "detect_positive") if kind == "IsInf" else ()
    found = net.append(kind, [total.name], x.shape, **{flag: int(draw(st.booleans())) for flag in flags})
    return net.op("Cast", [found.name], x.shape, to=TensorProto.FLOAT)


@layer
def batch_norm(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    if x.rank < 2:
        return None
    channels = x.shape[1]
    variance = net.constant(net.rng.uniform(0.5, 2, channels))
    parameters = [net.weight(channels), net.weight(channels), net.weight(channels), variance]
    return net.op("BatchNormalization", [x.name, *parameters], x.shape)


@layer
def concat(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    axis = draw(ints(0, x.rank - 1))
    rest = (*x.shape[:axis], *x.shape[axis + 1 :])
    fits = [v for v in net.values if v.rank == x.rank and (*v.shape[:axis], *v.shape[axis + 1 :]) == rest]
    parts = [x, *(draw(st.sampled_from(fits)) for _ in range(draw(ints(1, 2))))]
    extent = sum(part.shape[axis] for part in parts)
    shape = (*x.shape[:axis], extent, *x.shape[axis + 1 :])
    return net.op("Concat", [part.name for part in parts], shape, axis=axis)


# --- arrangement -------------------------------------------------------------------------------------------


@layer
def cut(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Slice with any steps, backwards too."""
    axis = draw(ints(0, x.rank - 1))
    n = x.shape[axis]
    start, step = draw(ints(0, n - 1)), draw(st.sampled_from([1, 1, 2, 3, -1, -2]))
    end = draw(ints(start + 1, n)) if step > 0 else draw(ints(-1, start - 1))
    count = -(-(end - start) // step)
    bound = end if end >= 0 else -n - 1
    inputs = [x.name, *(net.constant([v], np.int64) for v in (start, bound, axis, step))]
    return net.op("Slice", inputs, (*x.shape[:axis], count, *x.shape[axis + 1 :]))


@layer
def elements(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """GatherElements with known indices: some count from the end, beside the axis they may be fewer."""
    axis = draw(ints(0, x.rank - 1))
    n = x.shape[axis]
    shape = tuple(draw(ints(1, n + 3)) if a == axis else draw(ints(1, m)) for a, m in enumerate(x.shape))
    index = net.constant(net.rng.integers(-n, n, shape), draw(st.sampled_from([np.int32, np.int64])))
    return net.op("GatherElements", [x.name, index], shape, axis=axis)


@layer
def tuples(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """GatherND: known tuples name positions along some axes behind those of the batch."""
    batch = draw(ints(0, x.rank - 1))
    named = x.shape[batch : batch + draw(ints(1, x.rank - batch))]
    lead = (*x.shape[:batch], *(draw(ints(1, 4)) for _ in range(draw(ints(0, 2)))))
    index = net.constant(np.stack([net.rng.integers(-n, n, lead) for n in named], -1), np.int64)
    return net.op("GatherND", [x.name, index], (*lead, *x.shape[batch + len(named) :]), batch_dims=batch)


@layer
def assigned(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """ScatterND: a box of a tensor replaced by what is made of it, or that added to it."""
    depth = draw(ints(1, x.rank))
    bounds = [sorted(draw(st.sets(ints(0, n), min_size=2, max_size=2))) for n in x.shape[:depth]]
    starts, ends = (net.constant([pair[side] for pair in bounds], np.int64) for side in (0, 1))
    shape = (*(end - start for start, end in bounds), *x.shape[depth:])
    part = net.append("Slice", [x.name, starts, ends], shape)
    updates = net.append("Neg", [part.name], shape)
    tuples = np.meshgrid(*(np.arange(*pair) for pair in bounds), indexing="ij")
    index = net.constant(np.stack(tuples, -1), np.int64)
    how = draw(st.sampled_from(["none", "none", "add", "max"]))
    return net.op("ScatterND", [x.name, index, updates.name], x.shape, reduction=how)


@layer
def scattered(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """ScatterElements or ScatterND of a part of a tensor, at known places, equal ones if it reduces."""
    axis, how = draw(ints(0, x.rank - 1)), draw(st.sampled_from(["none", "add", "max", "min"]))
    n = x.shape[axis]
    count = draw(ints(1, n))
    if axis == 0 and draw(st.booleans()):
        places = net.rng.permutation(n)[:count, None]
        operator, shape, fields = "ScatterND", (count, *x.shape[1:]), {}
    else:
        shape = tuple(count if a == axis else draw(ints(1, m)) for a, m in enumerate(x.shape))
        order = net.rng.random((*shape[:axis], n, *shape[axis + 1 :])).argsort(axis)
        places = order.take(np.arange(count), axis)
        operator, fields = "ScatterElements", {"axis": axis}
    places = places if how == "none" else net.rng.integers(-n, n, places.shape)
    bounds = [net.constant(values, np.int64) for values in ([0] * x.rank, shape)]
    part = net.append("Slice", [x.name, *bounds], shape)
    updates = net.append("Neg", [part.name], shape)
    index = net.constant(places, np.int64)
    return net.op(operator, [x.name, index, updates.name], x.shape, reduction=how, **fields)


@layer
def unpooled(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """MaxPool, whose positions tell MaxUnpool where its elements came from."""
    if x.rank < 3 or min(x.shape[2:]) < 2:
        return None
    elements = math.prod(x.shape)
    rank = x.rank - 2
    kernel = [draw(ints(1, 2)) for _ in range(rank)]
    shape = (*x.shape[:2], *(n // k for n, k in zip(x.shape[2:], kernel, strict=True)))
    order = net.constant(net.rng.permutation(elements).reshape(x.shape))
    total = net.append("Add", [x.name, order], x.shape)  # they differ by more than rounding does
    fields = {"kernel_shape": kernel, "strides": kernel}
    pooled = net.append("MaxPool", [total.name], shape, **fields)
    places = f"{pooled.name}.places"
    net.nodes[-1].output.append(places)
    small = net.append("Mul", [pooled.name, net.constant(1 / elements)], shape)
    whole = net.constant(x.shape, np.int64)  # without it, rows and columns that no window reads are missing
    return net.op("MaxUnpool", [small.name, places, whole], x.shape, **fields)


@layer
def rows(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Gather by known numbers, mostly of rows: those the DMA engine brings one by one."""
    axis = draw(st.sampled_from([0, 0, draw(ints(0, x.rank - 1))]))
    listed = tuple(draw(st.lists(ints(1, 5), min_size=1, max_size=2 if x.rank < 4 else 1)))
    n = x.shape[axis]
    index = net.constant(net.rng.integers(-n, n, listed), draw(st.sampled_from([np.int32, np.int64])))
    shape = (*x.shape[:axis], *listed, *x.shape[axis + 1 :])
    return net.op("Gather", [x.name, index], shape, axis=axis)


@layer
def windows(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Windows of a list of all elements, or of rows, that may overlap: as exporters write `as_strided`."""
    flat = draw(st.booleans())
    extents = (math.prod(x.shape),) if flat else x.shape
    width, step = draw(ints(1, min(12, extents[0]))), draw(ints(1, 12))
    count = min(draw(ints(1, 5)), (extents[0] - width) // step + 1)
    index = net.constant(step * np.arange(count)[:, None] + np.arange(width), np.int64)
    shape = (count, width, *extents[1:])
    if math.prod(shape) > MOST_ELEMENTS or len(shape) > 4:
        return None
    source = net.append("Reshape", [x.name, net.constant([-1], np.int64)], extents) if flat else x
    return net.op("Gather", [source.name, index], shape, axis=0)


@layer
def words(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Rows of a constant table that computed numbers name (the places of the largest elements)."""
    axis = draw(ints(0, x.rank - 1))
    order = net.constant(net.rng.random(x.shape).argsort(axis))
    shape = tuple(n for a, n in enumerate(x.shape) if a != axis)
    table = (x.shape[axis] + draw(ints(0, 3)), draw(ints(1, 9)))
    if math.prod(shape) * table[1] > MOST_ELEMENTS or len(shape) > 3:
        return None
    small = net.append("Clip", [x.name, net.constant(-0.25), net.constant(0.25)], x.shape)
    total = net.append("Add", [small.name, order], x.shape)
    index = net.append("ArgMax", [total.name], shape, axis=axis, keepdims=0)
    return net.op("Gather", [net.weight(*table), index.name], (*shape, table[1]), axis=0)


@layer
def tile(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Any axes repeated, also more of them than could be at once."""
    repeats = [draw(ints(1, 2)) for _ in x.shape]
    shape = [n * r for n, r in zip(x.shape, repeats, strict=True)]
    return net.op("Tile", [x.name, net.constant(repeats, np.int64)], shape)


@layer
def transpose(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    order = draw(st.permutations(range(x.rank)))
    return net.op("Transpose", [x.name], [x.shape[a] for a in order], perm=list(order))


@layer
def reshape(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Flatten, or one axis merged into or split off another."""
    if draw(st.booleans()):
        axis = draw(ints(0, x.rank))
        shape = (math.prod(x.shape[:axis]), math.prod(x.shape[axis:]))
        return net.op("Flatten", [x.name], shape, axis=axis)
    axis = draw(ints(0, x.rank - 1))
    n = x.shape[axis]
    if x.rank < 4 and draw(st.booleans()):
        factor = draw(st.sampled_from([f for f in range(1, n + 1) if n % f == 0]))
        shape = (*x.shape[:axis], factor, n // factor, *x.shape[axis + 1 :])
    elif axis:
        shape = (*x.shape[: axis - 1], x.shape[axis - 1] * n, *x.shape[axis + 1 :])
    else:
        return None
    return net.op("Reshape", [x.name, net.constant(shape, np.int64)], shape)


@layer
def resize(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    if x.rank != 4:
        return None
    size = [draw(ints(1, 2 * n + 1)) for n in x.shape[2:]]
    modes = ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel", "half_pixel_symmetric"]
    attributes = {"mode": draw(st.sampled_from(["nearest", "linear", "cubic"]))}
    attributes["coordinate_transformation_mode"] = draw(st.sampled_from(modes))
    if attributes["mode"] == "nearest":
        roundings = ["floor", "ceil", "round_prefer_floor", "round_prefer_ceil"]
        attributes["nearest_mode"] = draw(st.sampled_from(roundings))
    shape = (*x.shape[:2], *size)
    return net.op("Resize", [x.name, "", "", net.constant(shape, np.int64)], shape, **attributes)


@layer
def pad(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Of any mode, two elements at most; or one is cropped on a side (then the rest is reflected)."""
    mode = draw(st.sampled_from(["constant", "constant", "edge", "reflect", "wrap"]))
    spans = [(min(0, max(-1, 2 - n)), max(0, min(2, n - 2)) if mode == "reflect" else 2) for n in x.shape]
    begin, end = ([draw(ints(*span)) for span in spans] for _ in range(2))
    shape = [n + a + b for n, a, b in zip(x.shape, begin, end, strict=True)]
    inputs = [x.name, net.constant([*begin, *end], np.int64)]
    if mode == "constant":
        inputs.append(net.constant(draw(st.sampled_from([0.0, 0.25]))))
    return net.op("Pad", inputs, shape, mode=mode)


# --- sums over axes ----------------------------------------------------------------------------------------


@layer
def dense(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Gemm on rank 2, MatMul on more."""
    features, depth = draw(ints(1, 24)), x.shape[-1]
    if x.rank == 2 and draw(st.booleans()):
        transposed = int(draw(st.booleans()))
        shape = (features, depth) if transposed else (depth, features)
        inputs = [x.name, net.weight(*shape, fan_in=depth), net.weight(features)]
        return net.op("Gemm", inputs, (x.shape[0], features), transB=transposed)
    return net.op("MatMul", [x.name, net.weight(depth, features, fan_in=depth)], (*x.shape[:-1], features))


@layer
def self_product(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """x · xᵀ over the last two axes, scaled: the scores of attention."""
    if x.rank < 2:
        return None
    shape = (*x.shape[:-1], x.shape[-2])
    if math.prod(shape) > MOST_ELEMENTS:
        return None
    order = [*range(x.rank - 2), x.rank - 1, x.rank - 2]
    turned = net.op("Transpose", [x.name], [x.shape[a] for a in order], perm=order)
    assert turned is not None
    scores = net.op("MatMul", [x.name, turned.name], shape)
    assert scores is not None
    return net.op("Mul", [scores.name, net.constant(1 / x.shape[-1])], shape)


@layer
def running_sum(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """CumSum, scaled so that chains of them stay small."""
    axis = draw(ints(0, x.rank - 1))
    flags = {name: int(draw(st.booleans())) for name in ("exclusive", "reverse")}
    sums = net.op("CumSum", [x.name, net.constant(axis, np.int64)], x.shape, **flags)
    assert sums is not None
    return net.op("Mul", [sums.name, net.constant(1 / x.shape[axis])], x.shape)


@layer
def sampled(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """GridSample at points that are known, or that the network computes."""
    if x.rank != 4:
        return None
    points = (draw(ints(1, 4)), draw(ints(1, 4)))
    grid = net.constant(net.rng.uniform(-1.2, 1.2, (x.shape[0], *points, 2)))
    if draw(st.booleans()):
        mean = net.append("ReduceMean", [x.name, net.constant([1, 2, 3], np.int64)], (x.shape[0], 1, 1, 1))
        grid = net.append("Add", [grid, net.append("Tanh", [mean.name], mean.shape).name], ()).name
    fields = {"padding_mode": draw(st.sampled_from(["zeros", "border", "reflection"]))}
    return net.op("GridSample", [x.name, grid], (*x.shape[:2], *points), mode="linear", **fields)


@layer
def greatest(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """TopK, whose elements differ by more than rounding does, or their positions."""
    axis = draw(ints(0, x.rank - 1))
    count = draw(ints(1, x.shape[axis]))
    small = net.append("Clip", [x.name, net.constant(-0.25), net.constant(0.25)], x.shape)
    total = net.append("Add", [small.name, net.constant(net.rng.random(x.shape).argsort(axis))], x.shape)
    shape = tuple(count if a == axis else n for a, n in enumerate(x.shape))
    operands, largest = [total.name, net.constant([count], np.int64)], int(draw(st.booleans()))
    values = net.append("TopK", operands, shape, axis=axis, largest=largest)
    places = f"{values.name}.places"
    net.nodes[-1].output.append(places)
    chosen = draw(st.sampled_from([values.name, places]))
    real = net.append("Cast", [chosen], shape, to=TensorProto.FLOAT)
    return net.op("Mul", [real.name, net.constant(1 / x.shape[axis])], shape)


@layer
def spectrum(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """DFT of real numbers along an axis, scaled so that chains of it stay small."""
    axis = draw(ints(0, x.rank - 1))
    length = draw(ints(1, 2 * x.shape[axis]))
    real = net.append("Unsqueeze", [x.name, net.constant([x.rank], np.int64)], (*x.shape, 1))
    one_sided = draw(st.booleans())
    made = length // 2 + 1 if one_sided else length
    shape = (*x.shape[:axis], made, *x.shape[axis + 1 :])
    operands = [real.name, *(net.constant(number, np.int64) for number in (length, axis))]
    parts = net.append("DFT", operands, (*shape, 2), onesided=int(one_sided))
    total = net.append("ReduceSum", [parts.name, net.constant([x.rank], np.int64)], shape, keepdims=0)
    return net.op("Mul", [total.name, net.constant(1 / x.shape[axis])], shape)


@layer
def reduce(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    kind = draw(st.sampled_from(["ReduceMean", "ReduceMax", "ReduceL2"]))
    axes = draw(st.lists(ints(0, x.rank - 1), min_size=1, unique=True))
    keep = draw(st.booleans()) or len(axes) > x.rank - 2
    shape = [1 if a in axes else n for a, n in enumerate(x.shape) if keep or a not in axes]
    return net.op(kind, [x.name, net.constant(axes, np.int64)], shape, keepdims=int(keep))


@layer
def whole_numbers(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Sums or products of integers that no narrower type could add up, as floats."""
    if x.rank < 2:
        return None
    small = net.append("Clip", [x.name, net.constant(-0.25), net.constant(0.25)], x.shape)
    total = net.append("Add", [small.name, net.constant(net.rng.integers(0, 9, x.shape))], x.shape)
    total = net.append("Round", [total.name], x.shape)
    dtype = draw(st.sampled_from([np.int64, np.int64, np.int32, np.uint32, np.uint64]))
    whole = net.append("Cast", [total.name], x.shape, to=helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))
    large = 2**30 if np.dtype(dtype).itemsize == 8 else 2**20
    if np.dtype(dtype).kind == "u" or draw(st.booleans()):
        weight = net.constant(net.rng.integers(0, large, (x.shape[-1], 5)), dtype)
        whole = net.append("MatMul", [whole.name, weight], (*x.shape[:-1], 5))
    else:
        shape, axes = (*x.shape[:-1], 1), net.constant([x.rank - 1], np.int64)
        whole = net.append("Mul", [whole.name, net.constant(large, dtype)], x.shape)
        whole = net.append(draw(st.sampled_from(["ReduceSum", "ReduceL1"])), [whole.name, axes], shape)
    result = net.append("Cast", [whole.name], whole.shape, to=TensorProto.FLOAT)
    return net.op("Mul", [result.name, net.constant(1 / (9 * large * x.shape[-1]))], whole.shape)


@layer
def positions(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """ArgMax or ArgMin as floats, or the elements there; the elements differ by more than rounding does."""
    axis = draw(ints(0, x.rank - 1))
    order = net.constant(net.rng.random(x.shape).argsort(axis))
    small = net.append("Clip", [x.name, net.constant(-0.25), net.constant(0.25)], x.shape)
    total = net.append("Add", [small.name, order], x.shape)
    kind, last = draw(st.sampled_from(["ArgMax", "ArgMin"])), int(draw(st.booleans()))
    shape = [1 if a == axis else n for a, n in enumerate(x.shape)]
    if draw(st.booleans()):
        index = net.append(kind, [total.name], shape, axis=axis, select_last_index=last)
        if axis == x.rank - 1 and draw(st.booleans()):
            return net.op("GatherND", [x.name, index.name], shape[:-1], batch_dims=axis)
        return net.op("GatherElements", [x.name, index.name], shape, axis=axis)
    keep = draw(st.booleans()) or x.rank < 3
    shape = shape if keep else [n for a, n in enumerate(x.shape) if a != axis]
    index = net.append(kind, [total.name], shape, axis=axis, keepdims=int(keep), select_last_index=last)
    cast = net.append("Cast", [index.name], shape, to=TensorProto.FLOAT)
    return net.op("Mul", [cast.name, net.constant(1 / x.shape[axis])], shape)

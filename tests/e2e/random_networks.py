"""Random small networks for hypothesis: a walk that adds layers to whatever tensors there are so far.

Every layer function takes the network, hypothesis' `draw` and one existing tensor; it returns a new tensor or
None where it does not apply.  Weights are scaled so that activations keep a magnitude near one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from hypothesis import strategies as st
from onnx import TensorProto, helper

OPSET = 20
MOST_ELEMENTS = 12000
Draw = Callable[[st.SearchStrategy[Any]], Any]
Layer = Callable[["RandomNet", Draw, "Value"], "Value | None"]
LAYERS: list[Layer] = []


@dataclass(frozen=True)
class Value:
    """A tensor of the network under construction."""

    name: str
    shape: tuple[int, ...]

    @property
    def rank(self) -> int:
        return len(self.shape)


@dataclass
class RandomNet:
    """Nodes, constants and tensors so far."""

    rng: np.random.Generator
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: list[onnx.TensorProto] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)

    def weight(self, *shape: int, fan_in: int = 1) -> str:
        """A random f32 constant."""
        return self.constant(self.rng.standard_normal(shape) / math.sqrt(fan_in))

    def constant(self, value: Any, dtype: Any = np.float32) -> str:
        name = f"w{len(self.constants)}"
        array = np.asarray(value, dtype=dtype)
        self.constants.append(
            helper.make_tensor(
                name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape, array.ravel().tolist()
            )
        )
        return name

    def op(self, kind: str, inputs: Sequence[str], shape: Sequence[int], **attributes: Any) -> Value | None:
        """Append a node unless its result would be empty or large."""
        if min(shape, default=1) < 1 or math.prod(shape) > MOST_ELEMENTS:
            return None
        name = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=f"n{name}", **attributes))
        return Value(name, tuple(int(n) for n in shape))

    def model(self, input_: Value) -> onnx.ModelProto:
        """The model; its outputs are the tensors that nobody reads, and the last one."""
        read = {name for node in self.nodes for name in node.input}
        outputs = [v for v in self.values if v.name not in read and v is not input_]
        graph = helper.make_graph(
            self.nodes,
            "random",
            [helper.make_tensor_value_info(input_.name, TensorProto.FLOAT, input_.shape)],
            [helper.make_tensor_value_info(v.name, TensorProto.FLOAT, v.shape) for v in outputs],
            self.constants,
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)


def layer(function: Layer) -> Layer:
    LAYERS.append(function)
    return function


def ints(low: int, high: int) -> st.SearchStrategy[int]:
    return st.integers(low, high)


@st.composite
def networks(draw: Draw) -> onnx.ModelProto:
    """A network of one to eight layers on an input of rank 2 to 4."""
    rank = draw(st.sampled_from([4, 4, 4, 3, 2]))
    shape = [draw(ints(1, 3)), draw(ints(1, 12)), *(draw(ints(1, 17)) for _ in range(rank - 2))]
    input_ = Value("x", tuple(shape))
    net = RandomNet(np.random.default_rng(draw(ints(0, 999))), values=[input_])
    for _ in range(draw(ints(1, 8))):
        function = draw(st.sampled_from(LAYERS))
        source = net.values[max(0, len(net.values) - draw(st.sampled_from([1, 1, 1, 2, 3])))]
        result = function(net, draw, source)
        if result is not None:
            net.values.append(result)
    if len(net.values) == 1:
        result = net.op("Relu", ["x"], input_.shape)
        assert result is not None
        net.values.append(result)
    return net.model(input_)


# --- windows -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Window:
    """Drawn geometry of a window over the spatial axes; out has a zero where it does not fit."""

    kernel: list[int]
    stride: list[int]
    dilation: list[int]
    pads: list[int]
    ceil: int
    out: list[int]

    @staticmethod
    def draw(draw: Draw, x: Value, *, ceil: bool = False, dilate: bool = True) -> Window:
        spatial = x.shape[2:]
        kernel = [draw(ints(1, 4)) for _ in spatial]
        stride = [draw(ints(1, 3)) for _ in spatial]
        dilation = [draw(ints(1, 3)) if dilate else 1 for _ in spatial]
        pads = [draw(ints(0, k - 1)) for k in (*kernel, *kernel)]
        rooms = [
            n + pads[i] + pads[i + len(spatial)] - (kernel[i] - 1) * dilation[i] - 1
            for i, n in enumerate(spatial)
        ]
        up = [-(-room // s) + 1 for room, s in zip(rooms, stride, strict=True)]
        # A last window that would start in the padding is dropped; onnx's shape inference does not know that.
        dropped = any((o - 1) * s >= n + p for o, s, n, p in zip(up, stride, spatial, pads, strict=False))
        if ceil and not dropped and min(rooms) >= 0 and draw(st.booleans()):
            return Window(kernel, stride, dilation, pads, 1, up)
        out = [room // s + 1 if room >= 0 else 0 for room, s in zip(rooms, stride, strict=True)]
        return Window(kernel, stride, dilation, pads, 0, out)

    def attributes(self) -> dict[str, Any]:
        return {"kernel_shape": self.kernel, "strides": self.stride, "pads": self.pads}


@layer
def conv(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Any groups (depthwise too), dilation, stride and uneven pads; 1-D and 2-D."""
    if x.rank < 3:
        return None
    window = Window.draw(draw, x)
    channels = x.shape[1]
    groups = draw(st.sampled_from([g for g in range(1, channels + 1) if channels % g == 0]))
    out = groups * draw(ints(1, max(1, 16 // groups)))
    fan_in = channels // groups * math.prod(window.kernel)
    inputs = [x.name, net.weight(out, channels // groups, *window.kernel, fan_in=fan_in)]
    if draw(st.booleans()):
        inputs.append(net.weight(out))
    shape = (x.shape[0], out, *window.out)
    return net.op("Conv", inputs, shape, **window.attributes(), dilations=window.dilation, group=groups)


@layer
def conv_transpose(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    if x.rank < 3:
        return None
    window = Window.draw(draw, x)
    channels, rank = x.shape[1], x.rank - 2
    groups = draw(st.sampled_from([g for g in range(1, channels + 1) if channels % g == 0]))
    per_group = draw(ints(1, max(1, 12 // groups)))
    extra = [draw(ints(0, s - 1)) for s in window.stride]
    out = [
        (n - 1) * s + (k - 1) * d + 1 + e - window.pads[i] - window.pads[i + rank]
        for i, (n, k, s, d, e) in enumerate(
            zip(x.shape[2:], window.kernel, window.stride, window.dilation, extra, strict=True)
        )
    ]
    fan_in = channels // groups * math.prod(window.kernel)
    inputs = [x.name, net.weight(channels, per_group, *window.kernel, fan_in=fan_in)]
    if draw(st.booleans()):
        inputs.append(net.weight(per_group * groups))
    return net.op(
        "ConvTranspose",
        inputs,
        (x.shape[0], per_group * groups, *out),
        **window.attributes(),
        dilations=window.dilation,
        group=groups,
        output_padding=extra,
    )


@layer
def pool(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    if x.rank < 3:
        return None
    average = draw(st.booleans())
    window = Window.draw(draw, x, ceil=True)
    more = {"count_include_pad": int(draw(st.booleans()))} if average else {}
    return net.op(
        "AveragePool" if average else "MaxPool",
        [x.name],
        (*x.shape[:2], *window.out),
        **window.attributes(),
        dilations=window.dilation,
        ceil_mode=window.ceil,
        **more,
    )


@layer
def global_pool(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    if x.rank < 3:
        return None
    kind = draw(st.sampled_from(["GlobalAveragePool", "GlobalMaxPool"]))
    return net.op(kind, [x.name], (*x.shape[:2], *[1] * (x.rank - 2)))


# --- element-wise and joins --------------------------------------------------------------------------------


@layer
def activation(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    kind, attributes = draw(
        st.sampled_from(
            [
                ("Relu", {}),
                ("LeakyRelu", {"alpha": 0.1}),
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
    return net.op("Clip", [x.name, net.constant(-0.5), net.constant(0.75)], x.shape)


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
    linear = draw(st.booleans())
    modes = ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"]
    attributes = {"mode": "linear" if linear else "nearest"}
    attributes["coordinate_transformation_mode"] = draw(st.sampled_from(modes))
    if not linear:
        roundings = ["floor", "ceil", "round_prefer_floor", "round_prefer_ceil"]
        attributes["nearest_mode"] = draw(st.sampled_from(roundings))
    shape = (*x.shape[:2], *size)
    return net.op("Resize", [x.name, "", "", net.constant(shape, np.int64)], shape, **attributes)


@layer
def pad(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    mode = draw(st.sampled_from(["constant", "constant", "edge", "reflect"]))
    most = [n - 1 if mode == "reflect" else 3 for n in x.shape]
    begin, end = ([draw(ints(0, min(2, m))) for m in most] for _ in range(2))
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
def reduce(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    kind = draw(st.sampled_from(["ReduceMean", "ReduceMax", "ReduceL2"]))
    axes = draw(st.lists(ints(0, x.rank - 1), min_size=1, unique=True))
    keep = draw(st.booleans()) or len(axes) > x.rank - 2
    shape = [1 if a in axes else n for a, n in enumerate(x.shape) if keep or a not in axes]
    return net.op(kind, [x.name, net.constant(axes, np.int64)], shape, keepdims=int(keep))

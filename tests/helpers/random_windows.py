"""Random layers with a window: convolutions, transposed ones, pools."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from random_net import Draw, RandomNet, Value, ints, layer


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
    def draw(
        draw: Draw, x: Value, *, ceil: bool = False, dilate: bool = True, beyond: bool = False
    ) -> Window:
        """`beyond`: there may be so much padding that whole windows lie in it."""
        spatial = x.shape[2:]
        kernel = [draw(ints(1, 4)) for _ in spatial]
        stride = [draw(ints(1, 3)) for _ in spatial]
        dilation = [draw(ints(1, 3)) if dilate else 1 for _ in spatial]
        more = 3 if beyond and draw(ints(0, 3)) == 0 else 0
        pads = [draw(ints(0, k - 1 + more)) for k in (*kernel, *kernel)]
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
    window = Window.draw(draw, x, beyond=True)
    channels = x.shape[1]
    groups = draw(st.sampled_from([g for g in range(1, channels + 1) if channels % g == 0]))
    out = groups * draw(ints(1, max(1, 24 // groups)))
    fan_in = channels // groups * math.prod(window.kernel)
    inputs = [x.name, net.weight(out, channels // groups, *window.kernel, fan_in=fan_in)]
    if draw(st.booleans()):
        inputs.append(net.weight(out))
        if draw(ints(0, 3)) == 0:  # a computed bias
            inputs[2] = net.append("Mul", [inputs[2], net.scalar()], (out,)).name
    shape = (x.shape[0], out, *window.out)
    return net.op("Conv", inputs, shape, **window.attributes(), dilations=window.dilation, group=groups)


@layer
def skipping_readers(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Wide pixels: two convolutions of single elements skip some, and another reads a few channels."""
    if x.rank < 3:
        return None
    wide, ones = draw(st.sampled_from([16, 20, 32])), [1] * (x.rank - 2)
    source = net.op("Conv", [x.name, net.weight(wide, x.shape[1], *ones)], (x.shape[0], wide, *x.shape[2:]))
    if source is None:
        return None
    first = draw(st.sampled_from([0, 4, 8]))
    ends = [net.constant([n], np.int64) for n in (first, first + 8, 1)]
    half = net.append("Slice", [source.name, *ends], (x.shape[0], 8, *x.shape[2:]))
    net.append("Conv", [half.name, net.weight(4, 8, *ones)], (x.shape[0], 4, *x.shape[2:]))
    for _ in range(2):
        stride = [draw(ints(1, 3)) for _ in ones]
        shape = (x.shape[0], 5, *(-(-n // s) for n, s in zip(x.shape[2:], stride, strict=True)))
        result = net.append("Conv", [source.name, net.weight(5, wide, *ones)], shape, strides=stride)
    return result


@layer
def pixels_of_scales(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Pixels of a picture and of a smaller one in one list, as detectors give them."""
    if x.rank != 4:
        return None
    batch, channels, *extents = x.shape
    half = [-(-n // 2) for n in extents]
    small = net.op("MaxPool", [x.name], (batch, channels, *half), kernel_shape=[1, 1], strides=[2, 2])
    out, lists = draw(ints(1, 6)), []
    for picture in (x, small):
        assert picture is not None
        weight, (rows, columns) = net.weight(out, channels, 1, 1), picture.shape[2:]
        features = net.op("Conv", [picture.name, weight], (batch, out, rows, columns))
        if features is None:
            return None
        shape = (batch, out, rows * columns)
        lists.append(net.append("Reshape", [features.name, net.constant(shape, np.int64)], shape))
    shape = (batch, out, sum(pixels.shape[2] for pixels in lists))
    return net.op("Concat", [pixels.name for pixels in lists], shape, axis=2)


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
def constant_picture(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """A constant seen through a computed weight: the layer has no activations."""
    if x.rank not in (3, 4) or math.prod(x.shape) > 2000:
        return None
    kernel = x.shape[2:]
    rank = len(kernel)
    extents = [k + draw(ints(0, 9)) for k in kernel]
    pads = [draw(ints(0, k)) for k in (*kernel, *kernel)]
    stride = [draw(ints(1, 3)) for _ in kernel]
    batch = draw(ints(1, 2))
    picture = net.weight(batch, x.shape[1], *extents, fan_in=math.prod(x.shape[1:]))
    sizes = zip(extents, kernel, stride, pads, pads[rank:], strict=False)
    out = [(n + before + after - k) // s + 1 for n, k, s, before, after in sizes]
    shape = (batch, x.shape[0], *out)
    return net.op("Conv", [picture, x.name], shape, strides=stride, pads=pads)


@layer
def branch_of_constants(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """A node whose operands are all constant, of those that are not folded."""
    kinds = ["Softmax", "LogSoftmax", *(["LRN", "MaxPool"] if x.rank == 4 else [])]
    kind = draw(st.sampled_from(kinds))
    attributes: dict[str, Any] = {}
    if kind == "LRN":
        attributes = {"size": draw(st.sampled_from([1, 3, 5])), "alpha": 0.2}
    elif kind == "MaxPool":
        kernel = [draw(ints(1, 4)) for _ in x.shape[2:]]
        attributes = {"kernel_shape": kernel, "auto_pad": draw(st.sampled_from(["SAME_LOWER", "SAME_UPPER"]))}
    value = net.op(kind, [net.weight(*x.shape)], x.shape, **attributes)
    return None if value is None else net.op("Add", [value.name, x.name], x.shape)


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
def averaged_sums(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Averages of what a convolution of single elements makes, as between dense blocks."""
    if x.rank < 3:
        return None
    channels = draw(ints(1, 12))
    weights = [net.weight(channels, x.shape[1], *[1] * (x.rank - 2))]
    if draw(st.booleans()):
        weights.append(net.weight(channels))
    sums = net.op("Conv", [x.name, *weights], (x.shape[0], channels, *x.shape[2:]))
    if sums is None:
        return None
    if draw(st.booleans()):
        return net.op("GlobalAveragePool", [sums.name], (x.shape[0], channels, *[1] * (x.rank - 2)))
    window = Window.draw(draw, sums, ceil=True)
    return net.op(
        "AveragePool",
        [sums.name],
        (x.shape[0], channels, *window.out),
        **window.attributes(),
        dilations=window.dilation,
        ceil_mode=window.ceil,
        count_include_pad=int(draw(st.booleans())),
    )


@layer
def global_pool(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    if x.rank < 3:
        return None
    kind = draw(st.sampled_from(["GlobalAveragePool", "GlobalMaxPool"]))
    return net.op(kind, [x.name], (*x.shape[:2], *[1] * (x.rank - 2)))

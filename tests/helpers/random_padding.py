"""Random networks whose windows lie on padding for the most part: wide kernels, small pictures."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
from hypothesis import strategies as st
from random_net import MOST_ELEMENTS, Draw, RandomNet, Value, ints, layer

POOLS = ["MaxPool", "AveragePool"]


@dataclass(frozen=True)
class WideWindow:
    """A window whose padding hides much of it, along the spatial axes; pads as in ONNX."""

    kernel: list[int]
    stride: list[int]
    dilation: list[int]
    pads: list[int]
    out: list[int]

    @staticmethod
    def draw(draw: Draw, extents: tuple[int, ...], *, pool: bool = False) -> WideWindow:
        """Pads as on either side of a window's middle, or any; those of a pool are less than its kernel."""
        rank = len(extents)
        kernel = [draw(st.sampled_from([1, 2, 3, 5, 7, 9])) for _ in extents]
        stride = [draw(st.sampled_from([1, 1, 2, 3])) for _ in extents]
        dilation = [draw(st.sampled_from([1, 1, 2, max(1, n - 2), n, n + 5])) for n in extents]
        reach = [(k - 1) * d for k, d in zip(kernel, dilation, strict=True)]
        same = [r // 2 for r in reach] + [r - r // 2 for r in reach]
        pads = same if draw(st.booleans()) else [draw(ints(0, r + 2)) for r in (*reach, *reach)]
        if pool:
            pads = [min(pad, k - 1) for pad, k in zip(pads, kernel * 2, strict=True)]
        rooms = (n + pads[i] + pads[i + rank] - reach[i] - 1 for i, n in enumerate(extents))
        out = [room // s + 1 if room >= 0 else 0 for room, s in zip(rooms, stride, strict=True)]
        return WideWindow(kernel, stride, dilation, pads, out)

    def attributes(self) -> dict[str, Any]:
        return {"kernel_shape": self.kernel, "strides": self.stride, "dilations": self.dilation}


def _grouped_weight(net: RandomNet, draw: Draw, x: Value, kernel: list[int], *, transposed: bool) -> Any:
    """A weight, its groups and its output channels: dense, two groups, or depthwise."""
    channels = x.shape[1]
    groups = draw(st.sampled_from(sorted({1, channels, 2 - channels % 2})))
    per_group = draw(st.sampled_from([1, 3, 20])) if groups < 4 else 1
    inner, outer = channels // groups, groups * per_group
    shape = (channels, per_group) if transposed else (outer, inner)
    return net.weight(*shape, *kernel, fan_in=inner * math.prod(kernel)), groups, outer


@layer
def mostly_padding(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """A convolution, with its pads or with a Pad before it."""
    if x.rank < 3:
        return None
    window = WideWindow.draw(draw, x.shape[2:])
    weight, groups, channels = _grouped_weight(net, draw, x, window.kernel, transposed=False)
    shape, pads, source, pad = (x.shape[0], channels, *window.out), window.pads, x.name, None
    if draw(st.booleans()):
        rank = len(window.kernel)
        padded = [n + pads[i] + pads[i + rank] for i, n in enumerate(x.shape[2:])]
        begin_end = net.constant([0, 0, *pads[:rank], 0, 0, *pads[rank:]], np.int64)
        pad = net.op("Pad", [x.name, begin_end], (*x.shape[:2], *padded))
        if pad is None:
            return None
        source, pads = pad.name, [0] * len(pads)
    return net.op("Conv", [source, weight], shape, **window.attributes(), pads=pads, group=groups) or pad


@layer
def mostly_cropped(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """A transposed convolution most of whose products land outside."""
    if x.rank < 3:
        return None
    window, rank = WideWindow.draw(draw, x.shape[2:]), x.rank - 2
    weight, groups, channels = _grouped_weight(net, draw, x, window.kernel, transposed=True)
    geometry = zip(x.shape[2:], window.kernel, window.stride, window.dilation, strict=True)
    full = [(n - 1) * s + (k - 1) * d + 1 for n, k, s, d in geometry]
    out = [n - window.pads[i] - window.pads[i + rank] for i, n in enumerate(full)]
    shape, attributes = (x.shape[0], channels, *out), {**window.attributes(), "pads": window.pads}
    return net.op("ConvTranspose", [x.name, weight], shape, **attributes, group=groups)


@layer
def pooled_padding(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """A pool of wide windows."""
    if x.rank < 3:
        return None
    window, kind = WideWindow.draw(draw, x.shape[2:], pool=True), draw(st.sampled_from(POOLS))
    shape = (*x.shape[:2], *window.out)
    return net.op(kind, [x.name], shape, **window.attributes(), pads=window.pads)


PADDED_LAYERS = [mostly_padding, mostly_padding, mostly_cropped, pooled_padding]


@st.composite
def padded_networks(draw: Draw) -> onnx.ModelProto:
    """One to three layers of `PADDED_LAYERS` on a small picture, a line or a volume."""
    rank = draw(st.sampled_from([1, 2, 2, 2, 3]))
    extents = [draw(ints(1, 9 if rank == 3 else 17)) for _ in range(rank)]
    if rank < 3 and draw(st.booleans()):
        extents = [*[draw(ints(1, 3)) for _ in range(rank - 1)], draw(ints(32, 300))]
    shape = (draw(ints(1, 2)), draw(st.sampled_from([1, 2, 3, 8, 16, 32])), *extents)
    if math.prod(shape) > MOST_ELEMENTS:
        shape = (1, 3, *extents)
    input_ = Value("x", shape)
    net = RandomNet(np.random.default_rng(draw(ints(0, 999))), values=[input_])
    for _ in range(draw(ints(1, 3))):
        result = draw(st.sampled_from(PADDED_LAYERS))(net, draw, net.values[-1])
        if result is not None:
            net.values.append(result)
    if len(net.values) == 1:
        net.values.append(net.append("Relu", ["x"], shape))
    return net.model(input_)

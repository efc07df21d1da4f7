"""Random networks of wide pictures: windows of any sort, residuals, concats, pools and resizes."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

CHANNELS = (1, 3, 4, 8)


@dataclass(frozen=True)
class Picture:
    """A tensor of one picture: its name, channels, rows and columns."""

    name: str
    channels: int
    rows: int
    columns: int

    @property
    def shape(self) -> tuple[int, int, int]:
        return self.channels, self.rows, self.columns


@dataclass
class _Builder:
    draw: random.Random
    rng: np.random.Generator
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    weights: list[onnx.TensorProto] = field(default_factory=list)

    def op(self, kind: str, inputs: list[str], shape: tuple[int, int, int], **attributes: object) -> Picture:
        name = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], name=f"n{name}", **attributes))
        return Picture(name, *shape)

    def constant(self, array: np.ndarray) -> str:
        self.weights.append(numpy_helper.from_array(array.astype(np.float32), f"w{len(self.weights)}"))
        return self.weights[-1].name

    def same(self, x: Picture, channels: int, kernel: int = 3) -> Picture:
        """A convolution of as many rows and columns."""
        return self._conv(x, channels, (kernel, kernel), [(kernel - 1) // 2] * 4, 1, 1)

    def window(self, x: Picture, *, depthwise: bool = False) -> Picture | None:
        """A convolution of a random kernel, stride, dilation and padding; None if too little is left."""
        draw = self.draw
        kernel = draw.choice([1, 2, 3, 5]), draw.choice([1, 3, 3, 5])
        stride, dilation = draw.choice([1, 1, 1, 2]), draw.choice([1, 1, 2])
        pads = [draw.randrange(extent) for extent in kernel * 2]
        rows, columns = (
            (n + a + b - (k - 1) * dilation - 1) // stride + 1
            for n, a, b, k in zip(x.shape[1:], pads[:2], pads[2:], kernel, strict=True)
        )
        if rows < 3 or columns < 4:
            return None
        channels = x.channels if depthwise else draw.choice(CHANNELS)
        found = self._conv(x, channels, kernel, pads, stride, dilation, x.channels if depthwise else 1)
        return Picture(found.name, channels, rows, columns)

    def transposed(self, x: Picture) -> Picture:
        """A transposed convolution of stride 2; its kernel may leave positions out, or overlap."""
        draw, channels = self.draw, self.draw.choice(CHANNELS)
        kernel = draw.choice([1, 2, 4, 5]), draw.choice([2, 3, 9])
        pads = [draw.randrange(extent) // 2 for extent in kernel * 2]
        rows, columns = (
            2 * n - 2 + k - a - b for n, a, b, k in zip(x.shape[1:], pads[:2], pads[2:], kernel, strict=True)
        )
        array = self.rng.standard_normal((x.channels, channels, *kernel)) / np.sqrt(x.channels * 4)
        inputs, shape = [x.name, self.constant(array)], (channels, rows, columns)
        return self.op("ConvTranspose", inputs, shape, pads=pads, strides=[2, 2])

    def _conv(
        self,
        x: Picture,
        channels: int,
        kernel: tuple[int, int],
        pads: list[int],
        stride: int,
        dilation: int,
        groups: int = 1,
    ) -> Picture:
        depth = x.channels // groups
        array = self.rng.standard_normal((channels, depth, *kernel)) / np.sqrt(depth * kernel[0] * kernel[1])
        return self.op(
            "Conv",
            [x.name, self.constant(array)],
            (channels, x.rows, x.columns),
            pads=pads,
            strides=[stride] * 2,
            dilations=[dilation] * 2,
            group=groups,
        )

    def layer(self, x: Picture) -> Picture | None:
        """Any layer, or a residual block."""
        kind = self.draw.choice(
            ["conv", "conv", "depthwise", "pool", "residual", "concat", "resize", "transposed"]
        )
        if kind in ("conv", "depthwise"):
            return self.window(x, depthwise=kind == "depthwise")
        if kind == "pool" and x.rows > 6:
            shape = x.channels, x.rows // 2, x.columns // 2
            return self.op("MaxPool", [x.name], shape, kernel_shape=[2, 2], strides=[2, 2])
        if kind == "residual":
            branch = self.same(self.same(x, self.draw.choice(CHANNELS)), x.channels)
            return self.op("Add", [branch.name, x.name], x.shape)
        if kind == "concat":
            branches = self.same(x, 4), self.same(x, 3, 1)
            return self.op("Concat", [b.name for b in branches], (7, *x.shape[1:]), axis=1)
        if kind == "transposed" and x.rows * x.columns < 300:
            return self.transposed(x)
        if kind == "resize" and x.rows * x.columns < 300:
            scales = self.constant(np.array([1, 1, 2, 2]))
            shape = x.channels, 2 * x.rows, 2 * x.columns
            return self.op(
                "Resize", [x.name, "", scales], shape, mode="nearest", nearest_mode="floor",
                coordinate_transformation_mode="asymmetric",
            )  # fmt: skip
        return None


def wide_network(seed: int) -> onnx.ModelProto:
    """A network of about five layers; every tensor that nobody reads is an output, at times others, too."""
    draw = random.Random(seed)
    net = _Builder(draw, np.random.default_rng(seed))
    pictures = [Picture("x", draw.choice(CHANNELS), draw.choice([8, 13, 20]), draw.choice([17, 24, 40]))]
    while len(net.nodes) < 5:
        found = net.layer(pictures[-1] if draw.random() < 0.75 else draw.choice(pictures))
        if found is not None:
            pictures.append(found)
    read = {name for node in net.nodes for name in node.input}
    outputs = [p for p in pictures[1:] if p.name not in read or draw.random() < 0.2]
    return _model(net, pictures[0], outputs)


def _model(net: _Builder, first: Picture, outputs: list[Picture]) -> onnx.ModelProto:
    graph = helper.make_graph(net.nodes, "wide", [_info(first)], [_info(p) for p in outputs], net.weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    return model


def _info(picture: Picture) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(picture.name, TensorProto.FLOAT, (1, *picture.shape))

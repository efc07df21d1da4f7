"""`NetBuilder`: writes an ONNX graph layer by layer and draws its weights.

It knows the shape of every tensor while it builds, so that a network can be made at any image size and
channel width, and it scales the random weights so that activations keep a magnitude near one to the end.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper

from nnc.models.random_weights import AFTER_RELU, RandomWeights

OPSET = 20
IR_VERSION = 9  # the version that came with opset 20: every onnxruntime since 1.17 reads it


@dataclass(frozen=True)
class Tensor:
    """A value of the graph under construction: its name and its static shape (N, C, H, W) or (N, C)."""

    name: str
    shape: tuple[int, ...]

    @property
    def channels(self) -> int:
        return self.shape[1]

    @property
    def spatial(self) -> tuple[int, ...]:
        return self.shape[2:]


class NetBuilder:
    """Builds one network. Layer methods take a `Tensor`, append nodes and return the result's `Tensor`."""

    def __init__(self, name: str, input_shape: Sequence[int], *, width: float, seed: int) -> None:
        self.name = name
        self.width = width
        self.input = Tensor("input", tuple(input_shape))
        self._draw = RandomWeights(seed)
        self._model = onnx.ModelProto(ir_version=IR_VERSION, producer_name="nnc.models")
        self._graph = self._model.graph  # filled in place: helper.make_model would copy all weights twice
        self._scopes: list[str] = []
        self._counts: Counter[str] = Counter()

    # --- names and sizes ---

    def scaled(self, channels: int) -> int:
        """`channels` of the paper times the width multiplier: even, at least 2, unchanged at width 1."""
        return channels if self.width == 1 else max(2, 2 * round(channels * self.width / 2))

    @contextmanager
    def scope(self, name: str) -> Iterator[None]:
        """Names of nodes made inside start with `name/`."""
        self._scopes.append(name)
        yield
        self._scopes.pop()

    def _unique(self, kind: str) -> str:
        """`conv1`, `conv2`, … counted for each kind within the scope."""
        stem = "/".join([*self._scopes, kind.lower()])
        self._counts[stem] += 1
        return f"{stem}{self._counts[stem]}"

    # --- nodes and constants ---

    def op(
        self,
        op_type: str,
        inputs: Sequence[str],
        shape: Sequence[int],
        *,
        name: str | None = None,
        **attributes: Any,
    ) -> Tensor:
        """Append one node; its only output carries the node's name.

        `attributes` as `onnx.helper.make_node` takes them. Raises ValueError for an empty result.
        """
        name = name or self._unique(op_type)
        if min(shape) < 1:
            raise ValueError(f"{self.name}: image too small: {name} would have the shape {tuple(shape)}")
        self._graph.node.append(helper.make_node(op_type, list(inputs), [name], name=name, **attributes))
        return Tensor(name, tuple(shape))

    def constant(self, name: str, value: NDArray[Any]) -> str:
        """Add an initializer and return its name."""
        data_type = helper.np_dtype_to_tensor_dtype(value.dtype)
        little_endian = value.astype(value.dtype.newbyteorder("<"), copy=False)
        self._graph.initializer.add(
            name=name, data_type=data_type, dims=value.shape, raw_data=little_endian.tobytes()
        )
        return name

    # --- layers with weights ---

    def conv(
        self,
        x: Tensor,
        channels: int,
        kernel: int,
        *,
        stride: int = 1,
        pad: int | Sequence[int] = 0,
        groups: int = 1,
        bias: bool = True,
        gain: float = AFTER_RELU,
    ) -> Tensor:
        """2-D convolution to `channels` (taken as is).

        `pad`: one figure for all sides or (top, left, bottom, right).
        """
        name = self._unique("conv")
        pads = [pad] * 4 if isinstance(pad, int) else list(pad)
        out = [
            (n + lo + hi - kernel) // stride + 1
            for n, lo, hi in zip(x.spatial, pads[:2], pads[2:], strict=True)
        ]
        weight_shape = (channels, x.channels // groups, kernel, kernel)
        inputs = [x.name, self.constant(f"{name}.weight", self._draw.filters(weight_shape, gain))]
        if bias:
            inputs.append(self.constant(f"{name}.bias", self._draw.normal([channels], 0.05)))
        return self.op(
            "Conv",
            inputs,
            (x.shape[0], channels, *out),
            name=name,
            kernel_shape=[kernel, kernel],
            strides=[stride, stride],
            pads=pads,
            group=groups,
        )

    def conv_transpose(self, x: Tensor, channels: int, factor: int, *, gain: float = AFTER_RELU) -> Tensor:
        """Up-sampling by `factor` with a kernel as large as the stride, so that no two taps overlap."""
        name = self._unique("convtranspose")
        weight = self._draw.filters((x.channels, channels, factor, factor), gain, axes=(0,))
        inputs = [x.name, self.constant(f"{name}.weight", weight)]
        inputs.append(self.constant(f"{name}.bias", self._draw.normal([channels], 0.05)))
        shape = (x.shape[0], channels, *(n * factor for n in x.spatial))
        sizes = [factor, factor]
        return self.op("ConvTranspose", inputs, shape, name=name, kernel_shape=sizes, strides=sizes)

    def dense(self, x: Tensor, features: int, *, gain: float = AFTER_RELU, transposed: bool = True) -> Tensor:
        """Fully connected layer on (N, K). The weight lies as N×K (`transposed`, torch's way) or as K×N."""
        name = self._unique("gemm")
        shape, axis = ((features, x.shape[1]), 1) if transposed else ((x.shape[1], features), 0)
        inputs = [x.name, self.constant(f"{name}.weight", self._draw.filters(shape, gain, axes=(axis,)))]
        inputs.append(self.constant(f"{name}.bias", self._draw.normal([features], 0.05)))
        return self.op("Gemm", inputs, (x.shape[0], features), name=name, transB=int(transposed))

    def batch_norm(self, x: Tensor, *, scale: float = 1.0) -> Tensor:
        """Batch normalisation with random statistics around those of a well-behaved layer.

        `scale` multiplies gamma; the last one of a residual branch takes less than 1, which keeps sums small.
        """
        name = self._unique("batchnorm")
        size = x.channels
        parameters = {
            "gamma": self._draw.uniform(size, 0.8 * scale, 1.2 * scale),
            "beta": self._draw.normal([size], 0.1 * scale),
            "mean": self._draw.normal([size], 0.1),
            "var": self._draw.uniform(size, 0.8, 1.25),
        }
        constants = [self.constant(f"{name}.{key}", value) for key, value in parameters.items()]
        return self.op("BatchNormalization", [x.name, *constants], x.shape, name=name, epsilon=1e-5)

    # --- layers without weights ---

    def unary(self, op_type: str, x: Tensor, **attributes: Any) -> Tensor:
        """Any operator with one input and an output of the same shape (Relu, Tanh, Softmax, LRN, …)."""
        return self.op(op_type, [x.name], x.shape, **attributes)

    def relu(self, x: Tensor) -> Tensor:
        return self.unary("Relu", x)

    def relu6(self, x: Tensor) -> Tensor:
        """min(max(x, 0), 6), as exporters write it: Clip with its bounds as inputs."""
        if not self._counts["relu6.bounds"]:
            self._counts["relu6.bounds"] = 1
            self.constant("zero", np.array(0, np.float32))
            self.constant("six", np.array(6, np.float32))
        return self.op("Clip", [x.name, "zero", "six"], x.shape)

    def softmax(self, x: Tensor) -> Tensor:
        return self.unary("Softmax", x, axis=1)

    def lrn(self, x: Tensor) -> Tensor:
        """Local response normalisation over five channels with GoogLeNet's figures in Caffe."""
        return self.unary("LRN", x, size=5, alpha=1e-4, beta=0.75, bias=1.0)

    def pool(
        self, x: Tensor, kernel: int, stride: int, *, pad: int = 0, kind: str = "MaxPool", ceil: bool = False
    ) -> Tensor:
        """`MaxPool` or `AveragePool`; left out when the image is so small that the window exceeds the map."""
        if min(x.spatial) + 2 * pad < kernel:
            return x
        reach = [n + 2 * pad - kernel for n in x.spatial]
        out = [(math.ceil(n / stride) if ceil else n // stride) + 1 for n in reach]
        if ceil:  # ONNX drops a last window that would start in the padding below or right of the map
            out = [o - 1 if (o - 1) * stride >= n + pad else o for o, n in zip(out, x.spatial, strict=True)]
        return self.op(
            kind,
            [x.name],
            (*x.shape[:2], *out),
            kernel_shape=[kernel] * 2,
            strides=[stride] * 2,
            pads=[pad] * 4,
            ceil_mode=int(ceil),
        )

    def global_average_pool(self, x: Tensor) -> Tensor:
        return self.op("GlobalAveragePool", [x.name], (*x.shape[:2], 1, 1))

    def mean_over_space(self, x: Tensor) -> Tensor:
        """ReduceMean over height and width to (N, C)."""
        name = self._unique("mean")
        axes = self.constant(f"{name}.axes", np.array([2, 3], np.int64))
        return self.op("ReduceMean", [x.name, axes], x.shape[:2], name=name, keepdims=0)

    def flatten(self, x: Tensor) -> Tensor:
        return self.op("Flatten", [x.name], (x.shape[0], math.prod(x.shape[1:])), axis=1)

    def add(self, a: Tensor, b: Tensor) -> Tensor:
        return self.op("Add", [a.name, b.name], a.shape)

    def concat(self, parts: Sequence[Tensor]) -> Tensor:
        """Concatenation along the channels."""
        first = parts[0].shape
        shape = (first[0], sum(p.channels for p in parts), *first[2:])
        return self.op("Concat", [p.name for p in parts], shape, axis=1)

    def resize_nearest(self, x: Tensor, factor: int) -> Tensor:
        """Nearest-neighbour up-sampling by `factor`, in the form that torch's `Upsample` exports to."""
        name = self._unique("resize")
        scales = self.constant(f"{name}.scales", np.array([1, 1, factor, factor], np.float32))
        shape = (*x.shape[:2], *(n * factor for n in x.spatial))
        return self.op(
            "Resize",
            [x.name, "", scales],
            shape,
            name=name,
            mode="nearest",
            coordinate_transformation_mode="asymmetric",
            nearest_mode="floor",
        )

    # --- the model ---

    def finish(self, result: Tensor) -> onnx.ModelProto:
        """The model, its last tensor renamed to `output`."""
        graph = self._graph
        if graph.node[-1].output[0] != result.name:
            raise ValueError(f"{self.name}: {result.name} is not the last node")
        graph.node[-1].output[0] = "output"
        graph.name = self.name
        graph.input.append(helper.make_tensor_value_info("input", TensorProto.FLOAT, self.input.shape))
        graph.output.append(helper.make_tensor_value_info("output", TensorProto.FLOAT, result.shape))
        self._model.opset_import.append(helper.make_opsetid("", OPSET))
        return self._model

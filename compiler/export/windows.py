"""Pools in ONNX."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.compiler.export import quantised
from nnc.compiler.export.nodes import NodeWriter, Operands, emits, integer_range
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.windows import window_reach
from nnc.isa.functions import PoolFunction
from nnc.isa.integers import ceil_div
from nnc.isa.types import DType


@dataclass(frozen=True)
class _Geometry:
    """A pool over spatial extents x with results y."""

    layer: ir.Pool
    x: tuple[int, ...]
    y: tuple[int, ...]

    @property
    def reached(self) -> tuple[int, ...]:
        """The padding at the end, up to the end of the last window."""
        layer = self.layer
        ends = zip(self.y, layer.stride, window_reach(layer.kernel, layer.dilation), strict=True)
        last = [(y - 1) * s + reach for y, s, reach in ends]
        pads = zip(last, self.x, layer.pad_begin, layer.pad_end, strict=True)
        return tuple(max(end, a - x - begin) for a, x, begin, end in pads)

    @property
    def is_native(self) -> bool:
        """Whether an operator can pad up to the end of the last window: by less than the kernel."""
        pads = zip(self.layer.kernel, self.layer.pad_begin, self.reached, strict=True)
        return all(0 <= b < k and 0 <= e < k for k, b, e in pads)

    @property
    def is_ceil(self) -> bool:
        """Whether ceil_mode gives the extents of the result in every tool."""
        layer = self.layer
        reaches = window_reach(layer.kernel, layer.dilation)
        pads = zip(self.x, layer.pad_begin, layer.pad_end, reaches, strict=True)
        room = [x + begin + end - reach for x, begin, end, reach in pads]
        extents = tuple(ceil_div(r, s) + 1 for r, s in zip(room, layer.stride, strict=True))
        return layer.ceil and extents == self.y

    def counts(self) -> npt.NDArray[np.float64]:
        """How many elements every window of an average counts, shaped [Y…]."""
        layer = self.layer
        counts = np.ones((1,) * len(self.x))
        for axis, (extent, positions) in enumerate(zip(self.x, self.y, strict=True)):
            low = -layer.pad_begin[axis] if layer.count_pad else 0
            high = extent + (layer.pad_end[axis] if layer.count_pad else 0)
            first = np.arange(positions) * layer.stride[axis] - layer.pad_begin[axis]
            taps = first[:, None] + np.arange(layer.kernel[axis]) * layer.dilation[axis]
            inside = ((taps >= low) & (taps < high)).sum(axis=1)
            counts = counts * np.maximum(inside, 1).reshape((-1,) + (1,) * (len(self.x) - axis - 1))
        return counts


@emits(ir.Pool)
def pool(w: NodeWriter, layer: ir.Pool, operands: Operands) -> str:
    """MaxPool or AveragePool; averages that ONNX counts otherwise are corrected by a factor.

    Windows beyond the padding are given more of it rather than ceil_mode: tools do not agree on the extents
    that this gives.  A Pad before the pool is the last resort, since onnxruntime merges the two even where it
    then refuses the padding.
    """
    (x,) = map(str, operands)
    if layer.src_scale:
        x = quantised.real(w, x, w.type(x).dtype, layer.src_scale, layer.src_zero, "/real")
        y = _pool(w, layer, x, DType.F32)
        return quantised.rounded(w, y, w.out.dtype, layer.dst_scale, layer.dst_zero)
    return _pool(w, layer, x, w.out.dtype)


def _pool(w: NodeWriter, layer: ir.Pool, x: str, dtype: DType) -> str:
    extents = w.type(w.graph.operand(layer.name, 0)).shape[2:]
    geometry = _Geometry(layer, extents, w.out.shape[2:])
    is_max = layer.function is PoolFunction.MAX
    window: dict[str, Any] = {
        "kernel_shape": layer.kernel,
        "strides": layer.stride,
        "dilations": layer.dilation,
        "pads": (*layer.pad_begin, *geometry.reached),
    }
    counted = geometry.reached if layer.count_pad else layer.pad_end  # by the operator
    if not geometry.is_native and geometry.is_ceil:
        window |= {"pads": (*layer.pad_begin, *layer.pad_end), "ceil_mode": 1}
        counted = layer.pad_end
    elif not geometry.is_native:
        x = _padded(w, x, window["pads"], dtype, lowest=is_max)
        window["pads"], counted = (0,) * len(window["pads"]), ()
    if is_max:
        return w.op("MaxPool", [x], **window)
    if counted == layer.pad_end:
        return w.op("AveragePool", [x], count_include_pad=int(layer.count_pad), **window)
    average = w.op("AveragePool", [x], count_include_pad=1, **window)
    factor = prod(layer.kernel) / geometry.counts()
    return w.op("Mul", [average, w.constant(factor, dtype)], "/count")


def _padded(w: NodeWriter, x: str, pads: tuple[int, ...], dtype: DType, *, lowest: bool) -> str:
    """x with zeros around its spatial axes, or with what is lower than every element."""
    rank = len(pads) // 2
    value = w.constant((-np.inf if dtype.is_float else integer_range(dtype)[0]) if lowest else 0, dtype)
    return w.op("Pad", [x, w.constant([0, 0, *pads[:rank], 0, 0, *pads[rank:]]), value], "/pad")

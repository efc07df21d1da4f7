"""trim-kernels: leave out the ends of a kernel that lie on padding for every result.

before:  y = conv3x3(x, W, pad 1), x one row high
after:   y = conv1x3(x, W[:, :, 1:2], pad 0 along the rows)

Most wide or dilated windows on small pictures are like that.  Taps are cut from either end as long as the
padding there gives room for it; those between, which only a stride may pass over, stay.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Conv, ConvTranspose, Layer, Pool
from nnc.compiler.ir.regions.window_taps import Window, tap_slices, windows_of
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.matching import has_one_reader, replace_operand, result_type, source_type
from nnc.compiler.target.target import Target
from nnc.isa.functions import PoolFunction

_Windowed = Conv | ConvTranspose | Pool


def _run(graph: Graph, _target: Target) -> None:
    for layer in graph.layers():
        kept = _kept_taps(graph, layer) if isinstance(layer, _Windowed) and _may_be_cut(graph, layer) else []
        if not isinstance(layer, _Windowed) or tuple(map(len, kept)) in ((), layer.kernel):
            continue
        graph.replace(_cut(layer, kept))
        if not isinstance(layer, Pool):
            weight = required(graph.operand(layer.name, 1))
            taps = (slice(None), slice(None), *(slice(taps.start, taps.stop) for taps in kept))
            value = np.ascontiguousarray(graph.constants[weight][taps])
            replace_operand(graph, layer.name, 1, graph.add_constant(f"{weight}.trimmed", value))


def _may_be_cut(graph: Graph, layer: _Windowed) -> bool:
    """Whether another kernel gives the same: no average counts taps, no other layer reads the weights."""
    if isinstance(layer, Pool):
        return layer.function is PoolFunction.MAX or not layer.count_pad
    weight = required(graph.inputs_of(layer.name)[1])
    return weight in graph.constants and has_one_reader(graph, weight)


def _kept_taps(graph: Graph, layer: _Windowed) -> list[range]:
    """By spatial axis, the taps from the first to the last that meet the source."""
    source = source_type(graph, layer).shape[2:]
    out = result_type(graph, layer).shape[2:]
    dense, strided = (source, out) if isinstance(layer, ConvTranspose) else (out, source)
    axes = zip(windows_of(layer), layer.pad_end, dense, strided, strict=True)
    return [_kept_along(*axis) for axis in axes]


def _kept_along(window: Window, pad_end: int, dense: int, strided: int) -> range:
    size, _, dilation, pad_begin = window
    meets = [tap_slices(tap, window, dense, strided)[0] != slice(0, 0) for tap in range(size)]
    if not any(meets):
        return range(size)
    first = min(meets.index(True), max(0, pad_begin) // dilation)
    behind = min(meets[::-1].index(True), max(0, pad_end) // dilation)
    return range(first, size - behind)


def _cut(layer: _Windowed, kept: list[range]) -> Layer:
    """The layer with a kernel of the taps that are kept, and less padding."""
    sides = zip(kept, layer.kernel, layer.dilation, layer.pad_begin, layer.pad_end, strict=True)
    pads = [(begin - taps.start * d, end - (size - taps.stop) * d) for taps, size, d, begin, end in sides]
    begin, end = zip(*pads, strict=True)
    return replace(layer, kernel=tuple(len(taps) for taps in kept), pad_begin=begin, pad_end=end)


TRIM_KERNELS = Pass("trim-kernels", _run)

"""merge-pads: let the window layer after an explicit pad do the padding.

before:  y = pad(x, 0, 0,0,1,1);  z = conv(y, pad 0)
after:   z = conv(x, pad 1)
"""

from __future__ import annotations

from dataclasses import replace

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Conv, Layer, Pad, Pool
from nnc.compiler.ir.windows import window_reach
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.matching import layers_of, readers_of, replace_operand, source_of
from nnc.compiler.target.target import Target
from nnc.isa.functions import PadMode, PoolFunction


def _run(graph: Graph, _target: Target) -> None:
    for pad in layers_of(graph, Pad):
        windows: list[Conv | Pool] = readers_of(graph, graph.output_of(pad.name), Conv, Pool)
        if not _is_of_pixels(pad) or not all(_absorbs(window, pad) for window in windows):
            continue
        for window in windows:
            begin, end = _padding(window, pad)
            graph.replace(replace(window, pad_begin=begin, pad_end=end))
            replace_operand(graph, window.name, 0, source_of(graph, pad))
        if windows:
            graph.remove(pad.name)


def _is_of_pixels(pad: Pad) -> bool:
    """Whether a constant stands around pixels alone; nothing is cut off."""
    around = (*pad.begin[:2], *pad.end[:2])
    return pad.mode is PadMode.CONSTANT and not any(around) and min(*pad.begin, *pad.end) >= 0


def _absorbs(layer: Layer, pad: Pad) -> bool:
    """Whether the layer's own padding means the same as the explicit one, and no window is padding alone."""
    match layer:
        case Conv():
            return pad.value == 0 and _meets_the_source(layer, pad)
        case Pool(function=PoolFunction.MAX):
            # In ceil mode a last window must begin before the pool's own padding at the end
            is_same = pad.value == float("-inf") and not (layer.ceil and any(pad.end))
            return is_same and _meets_the_source(layer, pad)
        case _:
            return False


def _meets_the_source(layer: Conv | Pool, pad: Pad) -> bool:
    """Whether no window would lie in padding alone."""
    reach = window_reach(layer.kernel, layer.dilation)
    return all(max(a, b) < n for a, b, n in zip(*_padding(layer, pad), reach, strict=True))


def _padding(layer: Conv | Pool, pad: Pad) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What stands before and behind pixels, of a layer and a pad together."""
    begin = tuple(a + b for a, b in zip(layer.pad_begin, pad.begin[2:], strict=True))
    return begin, tuple(a + b for a, b in zip(layer.pad_end, pad.end[2:], strict=True))


MERGE_PADS = Pass("merge-pads", _run)

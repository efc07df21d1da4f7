"""merge-pads: let the window layer after an explicit pad do the padding.

before:  y = pad(x, 0, 0,0,1,1);  z = conv(y, pad 0)
after:   z = conv(x, pad 1)
"""

from __future__ import annotations

from dataclasses import replace

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Conv, Pad, Pool
from nnc.compiler.passes.base import Pass
from nnc.compiler.target.target import Target
from nnc.isa.functions import PadMode, PoolFunction


def _absorbs(layer: object, slot: int, pad: Pad) -> bool:
    """Whether the layer's own padding means the same as the explicit one."""
    if slot != 0 or pad.mode is not PadMode.CONSTANT or not isinstance(layer, Conv | Pool):
        return False
    if not _meets_the_source(layer, pad):
        return False
    if isinstance(layer, Conv):
        return pad.value == 0
    if not isinstance(layer, Pool) or (layer.ceil and any(pad.end)):
        return False  # in ceil mode a last window must begin before the pool's own padding at the end
    return layer.function is PoolFunction.MAX and pad.value == float("-inf")


def _meets_the_source(layer: Conv | Pool, pad: Pad) -> bool:
    """Whether no window would lie in padding alone."""
    reach = [(kernel - 1) * step + 1 for kernel, step in zip(layer.kernel, layer.dilation, strict=True)]
    begin = (a + b for a, b in zip(layer.pad_begin, pad.begin[2:], strict=True))
    end = (a + b for a, b in zip(layer.pad_end, pad.end[2:], strict=True))
    return all(max(a, b) < n for a, b, n in zip(begin, end, reach, strict=True))


def _run(graph: Graph, _target: Target) -> None:
    for pad in graph.layers():
        if not isinstance(pad, Pad) or any((*pad.begin[:2], *pad.end[:2])) or min(*pad.begin, *pad.end) < 0:
            continue
        tensor = graph.output_of(pad.name)
        users = graph.consumers(tensor)
        if tensor in graph.outputs or not all(_absorbs(user, slot, pad) for user, slot in users):
            continue
        (source,) = graph.inputs_of(pad.name)
        for user, _ in users:
            assert isinstance(user, Conv | Pool)
            begin = tuple(a + b for a, b in zip(user.pad_begin, pad.begin[2:], strict=True))
            end = tuple(a + b for a, b in zip(user.pad_end, pad.end[2:], strict=True))
            graph.replace(replace(user, pad_begin=begin, pad_end=end))
            graph.set_inputs(user.name, [source, *graph.inputs_of(user.name)[1:]])
        graph.remove(pad.name)


MERGE_PADS = Pass("merge-pads", _run)

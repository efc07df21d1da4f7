"""subsample: let a convolution of single elements that skips some read a strided view.

before:  y = conv1x1(x, stride 2)
after:   s = x[:, :, ::2, ::2];  y = conv1x1(s)

Between what it reads lie rows and pixels that it never needs: a view without them is loaded without them.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.layers import Conv, Slice
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.matching import result_type, source_type
from nnc.compiler.target.target import Target


def _run(graph: Graph, target: Target) -> None:
    if target.map == "pixels":  # lanes run along pixels, which lie side by side
        return
    views: dict[tuple[str, tuple[int, ...]], str] = {}
    for conv in graph.layers():
        if isinstance(conv, Conv) and _skips(graph, conv, target.burst):
            source, *others = graph.inputs_of(conv.name)
            key = required(source), conv.stride
            if key not in views:
                views[key] = _subsampled(graph, conv, key[0])
            graph.replace(replace(conv, stride=(1,) * len(conv.stride)))
            graph.set_inputs(conv.name, [views[key], *others])


def _skips(graph: Graph, conv: Conv, burst: int) -> bool:
    """Whether a convolution takes one element of each channel for a result, and passes over others.

    The channels of a pixel must fill a burst: else bursts bring much of what lies between.
    """
    source = source_type(graph, conv)
    is_single = prod(conv.kernel) == 1 and not any((*conv.pad_begin, *conv.pad_end))
    is_wide = 0 < burst <= source.shape[1] * source.dtype.itemsize
    return is_single and prod(conv.stride) > 1 and is_wide


def _subsampled(graph: Graph, conv: Conv, source: str) -> str:
    """A view of every so many elements of a tensor, as far as a convolution needs them."""
    whole, spatial = graph.types[source], result_type(graph, conv).shape[2:]
    shape, name = (*whole.shape[:2], *spatial), graph.fresh(f"{source}.subsampled")
    view = Slice(name=name, loc=conv.loc, start=(0,) * len(shape), step=(1, 1, *conv.stride), shape=shape)
    graph.add(view, [source], [name], [TensorType(whole.dtype, shape)], before=conv.name)
    return name


SUBSAMPLE = Pass("subsample", _run)

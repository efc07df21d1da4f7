"""pool-early: an average over windows comes before the convolution of single elements that it averages.

before:  z = pool.average(conv1x1(x, W) + bias)
after:   z = conv1x1(pool.average(x), W) + bias

Both are linear, one sums over channels, the other over pixels: the order changes no value but by rounding.
The convolution then has only the pixels to compute that are left: a quarter of them behind a dense block.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.layers import Conv, Layer, Pool, Reduce
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.fold_affine import has_free_sums
from nnc.compiler.passes.matching import layers_of, result_type, sole_reader, source_type
from nnc.compiler.target.target import Target
from nnc.isa.functions import PoolFunction, ReduceFunction

_BIAS = 2


def _run(graph: Graph, _target: Target) -> None:
    for conv in layers_of(graph, Conv, upwards=True):  # behind another one, it gets its average first
        average = sole_reader(graph, graph.output_of(conv.name), Pool, Reduce)
        if average is None or not _is_of_single_elements(conv) or not has_free_sums(graph, conv):
            continue
        if _averages(graph, conv, average) and _leaves_less(graph, conv, average):
            _swap(graph, conv, average)


def _is_of_single_elements(conv: Conv) -> bool:
    """Whether a result is a sum over the channels of one pixel, and there is one for every pixel."""
    return prod(conv.kernel) == prod(conv.stride) == 1 and not any((*conv.pad_begin, *conv.pad_end))


def _averages(graph: Graph, conv: Conv, layer: Layer) -> bool:
    """Whether a layer averages pixels channel by channel, and makes of a bias that bias."""
    match layer:
        case Reduce(function=ReduceFunction.MEAN, axes=axes):
            return min(axes) >= 2
        case Pool(function=PoolFunction.AVERAGE):
            # With padding, windows may count zeros beside the bias, or, if they are dilated, no pixel at all
            is_padded = any((*layer.pad_begin, *layer.pad_end))
            return not is_padded or graph.operand(conv.name, _BIAS) is None
        case _:
            return False


def _leaves_less(graph: Graph, conv: Conv, layer: Layer) -> bool:
    """Whether what lies between the two is smaller if the average comes first."""
    return prod(_averaged(graph, conv, layer).shape) < prod(result_type(graph, conv).shape)


def _averaged(graph: Graph, conv: Conv, layer: Layer) -> TensorType:
    """What the layer makes of the operand of the convolution."""
    source = source_type(graph, conv)
    pixels = result_type(graph, layer).shape[2:]
    return TensorType(source.dtype, (*source.shape[:2], *pixels))


def _swap(graph: Graph, conv: Conv, layer: Layer) -> None:
    source, *others = graph.inputs_of(conv.name)
    name, type_ = graph.fresh(f"{layer.name}.early"), _averaged(graph, conv, layer)
    graph.add(replace(layer, name=name), [source], [name], [type_], before=conv.name)
    graph.set_inputs(conv.name, [name, *others])
    graph.take_over_output(conv.name, graph.output_of(layer.name))


POOL_EARLY = Pass("pool-early", _run)

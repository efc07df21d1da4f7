"""merge-axes: axes of tokens that are one axis above or below a layer are one in it, too.

before:  q = matmul(x [1,16,16,128], W);  q -> [1,256,4,32] -> [4,256,32]
         [4,256,256] -> [4,16,16,16,16];  add([4,16,16,16,16], [4,16,16,16,1])
after:   q = matmul(x [1,256,128], W);  q -> [4,256,32]
         [4,256,256] -> [4,256,16,16];  add([4,256,16,16], [4,256,16,1])

Attention on pictures has rows and columns of tokens, but scores have one axis for both: only with one do rows
of the one mean rows of the other, so that a group can work through both in parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import pairwise
from math import prod

from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.layers import Copy, Elementwise, Layer, MatMul, Normalise, Reshape, Softmax
from nnc.compiler.ir.storage import identity_order
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.matching import MOVES, constant_value, layers_of, result_type, shown_by, uses_through
from nnc.compiler.passes.merge_views import Axis, factors_of
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING

_WEIGHT = 1
_FEWEST_AXES = 4
"""Tensors with fewer have but one axis for tokens."""


def _run(graph: Graph, _target: Target) -> None:
    """Around products of two results, and from there from layer to layer, above and below."""
    asking = {layer.name for layer in layers_of(graph, MatMul) if _is_attention(graph, layer)}
    for _ in range(TUNING.passes.max_token_sweeps if asking else 0):
        layers, count = graph.layers(), len(asking)
        for layer in (*reversed(layers), *layers):
            _merge_where_asked(graph, layer, asking)
        if len(asking) == count:
            return


def _merge_where_asked(graph: Graph, layer: Layer, asking: set[str]) -> None:
    """Merge axes of a layer that are one for its neighbours; it asks for that, too, then."""
    if layer is not graph.layer(layer.name) or not _is_of_tokens(graph, layer):
        return
    ends = [*_ends(graph, layer, asking)]
    if len(ends) < len(result_type(graph, layer).shape):
        asking.add(_merge(graph, layer, ends))


def _is_attention(graph: Graph, layer: Layer) -> bool:
    """Whether a layer multiplies two results, whose tokens have one axis."""
    return isinstance(layer, MatMul) and not graph.is_constant(graph.operand(layer.name, _WEIGHT))


def _is_of_tokens(graph: Graph, layer: Layer) -> bool:
    """Whether a layer does the same to whatever lies along its last axis."""
    shape = graph.types[graph.outputs_of(layer.name)[0]].shape
    if len(shape) < _FEWEST_AXES or 0 in shape:
        return False
    match layer:
        case Elementwise():
            return True
        case Normalise() | Softmax():
            return layer.whole_axes == (len(shape) - 1,)
        case MatMul():
            weight = constant_value(graph, graph.operand(layer.name, _WEIGHT))
            return weight is not None and weight.ndim == 2
        case _:
            return False


def _ends(graph: Graph, layer: Layer, asking: Set[str]) -> Iterator[int]:
    """Behind how many axes of the result each of the merged ones ends.

    Args:
        asking: layers in which axes are merged; others are given theirs.
    """
    shape = result_type(graph, layer).shape
    together = {*_one_below(graph, layer, asking), *_one_above(graph, layer, asking)}
    patterns = [_pattern(graph, layer, axis) for axis in range(len(shape) - 1)]
    for axis, (pattern, below) in enumerate(pairwise(patterns)):
        if pattern != below or axis not in together:
            yield axis + 1
    yield from (len(shape) - 1, len(shape))


def _pattern(graph: Graph, layer: Layer, axis: int) -> tuple[bool, ...]:
    """Which operands have an axis of the result."""
    shape = result_type(graph, layer).shape
    return tuple(_padded(graph, t, len(shape))[axis] == shape[axis] for _, t in _operands(graph, layer))


def _operands(graph: Graph, layer: Layer) -> list[tuple[int, str]]:
    """The operands that are broadcast to the result, but for the last axis of a product, with their slots."""
    is_product = isinstance(layer, MatMul)
    operands = enumerate(graph.inputs_of(layer.name))
    return [(slot, t) for slot, t in operands if t is not None and not (is_product and slot == _WEIGHT)]


def _padded(graph: Graph, tensor: str, rank: int) -> tuple[int, ...]:
    shape = graph.types[tensor].shape
    return (1,) * (rank - len(shape)) + shape


def _one_above(graph: Graph, layer: Layer, asking: Set[str]) -> Iterator[int]:
    """Axes that with the next one are one axis of what operands are views of."""
    for _, tensor in _operands(graph, layer):
        above = graph.producer(shown_by(graph, tensor, *MOVES).tensor)
        is_whole = graph.types[tensor].shape[:-1] == result_type(graph, layer).shape[:-1]
        if is_whole and above is not None and above.name in asking:
            axes = _factors(graph, tensor)
            yield from (axis for axis, (a, b) in enumerate(pairwise(axes)) if _follow(a, b))


def _factors(graph: Graph, tensor: str) -> list[Axis]:
    """What the axes of a tensor are made of, by those of what it is a view of; nothing if that is unknown."""
    source, views = shown_by(graph, tensor, *MOVES)
    shape = graph.types[source].shape
    return [] if 0 in shape else factors_of(shape, views) or []


def _follow(first: Axis, second: Axis) -> bool:
    """Whether two axes of a view are one in what it shows."""
    if len(first) != 1 or len(second) != 1:
        return False
    (outer,), (inner,) = first, second
    return outer.axis == inner.axis and outer.step == inner.step * inner.extent


def _one_below(graph: Graph, layer: Layer, asking: Set[str]) -> Iterator[int]:
    """Axes that with the next one are one axis of some view of the result."""
    shape = result_type(graph, layer).shape
    uses = uses_through(graph, graph.output_of(layer.name), *MOVES)
    for views in [use.views for use in uses if use.name in asking]:
        for factor, below in (pair for axis in factors_of(shape, views) or () for pair in pairwise(axis)):
            is_whole = factor.extent == shape[factor.axis] and below.extent == shape[below.axis]
            if below.axis == factor.axis + 1 and is_whole:
                yield factor.axis


def _merge(graph: Graph, layer: Layer, ends: Sequence[int]) -> str:
    """Give a layer views of its operands with fewer axes; a view of its result has all of them.

    Returns:
        The name of the layer.
    """
    type_ = result_type(graph, layer)
    merged = TensorType(type_.dtype, _merged(type_.shape, ends))
    operands = list(graph.inputs_of(layer.name))
    for slot, tensor in _operands(graph, layer):
        operands[slot] = _view(graph, layer, tensor, ends)
    name, fewer = graph.fresh(f"{layer.name}.merged"), len(type_.shape) - len(ends)
    new = replace(layer, name=name)
    if isinstance(new, Normalise):
        new = replace(new, axes=(new.axes[0] - fewer,))
    elif isinstance(new, Softmax):
        new = replace(new, axis=new.axis - fewer)
    graph.add(new, operands, [name], [merged], before=layer.name)
    graph.replace(_reshape(layer, layer.name, merged.shape, type_.shape))
    graph.set_inputs(layer.name, [name])
    return name


def _view(graph: Graph, layer: Layer, tensor: str, ends: Sequence[int]) -> str:
    """An operand with merged axes; what has no more than the last of them stays."""
    type_ = graph.types[tensor]
    if len(type_.shape) < 2:
        return tensor
    shape = _merged(_padded(graph, tensor, ends[-1]), ends)
    if graph.is_constant(tensor):
        return graph.add_constant(graph.fresh(f"{tensor}.merged"), graph.constants[tensor].reshape(shape))
    name = graph.fresh(f"{tensor}.merged")
    view = _reshape(layer, name, type_.shape, shape)
    graph.add(view, [tensor], [name], [TensorType(type_.dtype, shape)], before=layer.name)
    is_whole = isinstance(layer, MatMul) or shape == _merged(result_type(graph, layer).shape, ends)
    if is_whole or all(len(axis) < 2 for axis in _factors(graph, name)):
        return name
    # What a view cannot show is copied along the old axes; a buffer with rows along the new ones is one more
    copy = graph.fresh(f"{name}.rows")
    graph.add(
        Copy(name=copy, loc=layer.loc), [name], [copy], [TensorType(type_.dtype, shape)], before=layer.name
    )
    return copy


def _reshape(layer: Layer, name: str, shape: Sequence[int], wanted: tuple[int, ...]) -> Reshape:
    return Reshape(name=name, loc=layer.loc, shape=wanted, order=identity_order(len(shape)))


def _merged(shape: Sequence[int], ends: Sequence[int]) -> tuple[int, ...]:
    return tuple(prod(shape[start:end]) for start, end in pairwise([0, *ends]))


MERGE_AXES = Pass("merge-axes", _run)

"""merge-norms: a normalisation that is written out becomes one layer.

before:  d = x - mean(x);  v = mean(d²);  y = d / sqrt(v + epsilon)
after:   y = normalise.mean_variance(x)

before:  v = mean(x²);  y = x / sqrt(v + epsilon)
after:   y = normalise.root_mean_square(x)

Exporters to old opsets write every layer norm like this, and so do models with norms of their own.  A factor
may come between, s·d / sqrt(v + epsilon), the difference may be there twice, the root be inverted first.
"""

from __future__ import annotations

from dataclasses import dataclass

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise, Layer, Normalise, Reduce
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.drop_dead import drop_unread
from nnc.compiler.passes.layers_before import LayersBefore
from nnc.compiler.passes.matching import (
    either_way,
    operands_of,
    result_type,
    sole_reader,
    source_of,
    source_type,
)
from nnc.compiler.target.target import Target
from nnc.isa.functions import Function, NormaliseFunction, ReduceFunction
from nnc.isa.types import DType


@dataclass(frozen=True)
class _Deviation:
    """The root of epsilon and the mean square of a tensor over some axes."""

    tensor: str
    axes: tuple[int, ...]
    epsilon: float


@dataclass(frozen=True)
class _Quotient:
    """What is divided by a deviation, and the factor that it was multiplied by before."""

    tensor: str
    factor: str | None
    deviation: _Deviation


def _run(graph: Graph, target: Target) -> None:
    if target.map == "pixels":  # split-norms takes nothing apart there that is too large for a memory
        return
    for layer in graph.layers():
        if layer.name in graph and isinstance(layer, Elementwise) and _is_real(graph, layer):
            quotient = _quotient(graph, layer)
            if quotient is not None:
                _merge(graph, layer, quotient)


def _is_real(graph: Graph, layer: Elementwise) -> bool:
    """Whether a layer divides, or multiplies, in f32: halves would be rounded in other places."""
    is_f32 = result_type(graph, layer).dtype is DType.F32
    return is_f32 and layer.function in (Function.DIV, Function.MUL) and not layer.params


def _quotient(graph: Graph, layer: Elementwise) -> _Quotient | None:
    """A layer as a quotient of a tensor, or of a multiple of it, and its deviation."""
    for dividend, divisor in either_way(graph, layer):
        inside = _under_root(graph, divisor, inverted=layer.function is Function.MUL)
        deviation = None if inside is None else _deviation(graph, inside)
        if deviation is None:
            continue
        for tensor, factor in [(dividend, None), *_products(graph, dividend)]:
            if _is_same(graph, tensor, deviation.tensor):
                return _Quotient(tensor, factor, deviation)
    return None


def _products(graph: Graph, tensor: str) -> list[tuple[str, str]]:
    """The factors of a tensor, either first."""
    match graph.producer(tensor):
        case Elementwise(function=Function.MUL, params=()) as product:
            return either_way(graph, product)
        case _:
            return []


def _under_root(graph: Graph, tensor: str, *, inverted: bool) -> str | None:
    """What a tensor is the square root of, or one over that root."""
    if not inverted:
        return _operand(graph, tensor, Function.SQRT)
    root = _operand(graph, tensor, Function.RECIPROCAL)
    root = root or _operand(graph, tensor, Function.DIV, 1.0, swap=True)
    if root is not None:
        return _operand(graph, root, Function.SQRT)
    return _operand(graph, tensor, Function.POW, -0.5)


def _operand(graph: Graph, tensor: str, function: Function, *params: float, swap: bool = False) -> str | None:
    """The one operand of the layer that computes a tensor, if it is a function with these parameters."""
    layer = graph.producer(tensor)
    wanted = function, params, swap
    if not isinstance(layer, Elementwise) or (layer.function, layer.params, layer.swap) != wanted:
        return None
    operands = graph.inputs_of(layer.name)
    return operands[0] if len(operands) == 1 else None


def _deviation(graph: Graph, inside: str) -> _Deviation | None:
    """A tensor as mean(d²) + epsilon."""
    mean, epsilon = inside, 0.0
    match graph.producer(inside):
        case Elementwise(function=Function.ADD, params=(number,)) as add:
            mean, epsilon = source_of(graph, add), number
    squares = _folded(graph, graph.producer(mean))
    tensor = None if squares is None else _root(graph, squares[0])
    return None if squares is None or tensor is None else _Deviation(tensor, squares[1], epsilon)


def _root(graph: Graph, square: str) -> str | None:
    """What a tensor is the square of."""
    factors = (left for left, right in _products(graph, square) if left == right)
    return next(factors, None) or _operand(graph, square, Function.POW, 2.0)


def _folded(graph: Graph, layer: Layer | None) -> tuple[str, tuple[int, ...]] | None:
    """Operand and axes of a mean that keeps its axes, with extent 1."""
    match layer:
        case Reduce(function=ReduceFunction.MEAN, src_scale=0.0, axes=axes):
            tensors = operands_of(graph, layer)
            has_all_axes = len(source_type(graph, layer).shape) == len(result_type(graph, layer).shape)
            return (tensors[0], axes) if has_all_axes and len(tensors) == 1 else None
        case _:
            return None


def _is_same(graph: Graph, tensor: str, other: str) -> bool:
    """Whether two tensors are one, or the same difference from the mean."""
    if tensor == other:
        return True
    centred, other_centred = _centred(graph, tensor), _centred(graph, other)
    return centred is not None and centred == other_centred


def _centred(graph: Graph, tensor: str) -> tuple[str, tuple[int, ...]] | None:
    """A tensor as x - mean(x): x and the axes of the mean."""
    layer = graph.producer(tensor)
    if not isinstance(layer, Elementwise) or layer.function is not Function.SUB or layer.params:
        return None
    source, mean = graph.inputs_of(layer.name)
    folded = None if mean is None else _folded(graph, graph.producer(mean))
    return folded if folded is not None and folded[0] == source else None


def _merge(graph: Graph, layer: Elementwise, quotient: _Quotient) -> None:
    """Let a normalisation, and the factor, take the place of a quotient."""
    before, axes = LayersBefore(graph, layer), quotient.deviation.axes
    centred = _centred(graph, quotient.tensor)
    source, function = quotient.tensor, NormaliseFunction.ROOT_MEAN_SQUARE
    if centred is not None and centred[1] == axes:
        source, function = centred[0], NormaliseFunction.MEAN_VARIANCE
    norm = Normalise(name="", loc=layer.loc, function=function, axes=axes, epsilon=quotient.deviation.epsilon)
    operands = graph.inputs_of(layer.name)
    normalised = result = before.add(norm, [source], graph.types[source].shape)
    if quotient.factor is not None:
        result = before.function(Function.MUL, result, quotient.factor)
    before.take_over(result)
    drop_unread(graph, operands)
    _take_in_factors(graph, normalised)


def _take_in_factors(graph: Graph, name: str) -> None:
    """Let a normalisation multiply by constants and add them, if that alone is done to its result."""
    for slot, function in ((1, Function.MUL), (2, Function.ADD)):
        tensor = graph.output_of(name)
        user = sole_reader(graph, tensor, Elementwise)
        constant = None if user is None else _constant(graph, user, tensor, function)
        if user is None or constant is None:
            return
        inputs = [*graph.inputs_of(name), None]
        graph.set_inputs(name, [*inputs[:slot], constant])
        graph.take_over_output(name, graph.output_of(user.name))


def _constant(graph: Graph, layer: Elementwise, tensor: str, function: Function) -> str | None:
    """The constant that a layer multiplies a tensor by, or adds to it."""
    is_same = graph.types[tensor].shape == result_type(graph, layer).shape
    if layer.function is not function or layer.params or not is_same:
        return None
    pairs = either_way(graph, layer)
    return next(
        (constant for operand, constant in pairs if operand == tensor and graph.is_constant(constant)), None
    )


MERGE_NORMS = Pass("merge-norms", _run)

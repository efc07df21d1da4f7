"""merge-functions: functions of one tensor that are together one function of it become that function.

before:  s = sigmoid(x);  y = mul(x, s)
after:   y = swish(x)

Exporters write swish, hard swish, hard sigmoid, mish and both forms of GELU as products of simpler functions.
"""

from __future__ import annotations

from collections.abc import Collection
from math import isclose, pi, prod, sqrt
from typing import NamedTuple

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.drop_dead import drop_unread
from nnc.compiler.passes.matching import functions_of, made_by, operands_of, result_type
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING
from nnc.isa.functions import Function

_NEAR = 1e-3
"""Relative difference of constants that are meant to be equal: half precision rounds to 1/2048."""

Params = tuple[float, ...]
Polynomial = dict[int, float]
"""Coefficients by exponent."""


class _Form(NamedTuple):
    """A function of x in other words: a number times functions, the outermost first, of a polynomial of x.

    Attributes:
        inside: the polynomial; None: any multiple of x, by which the whole has a parameter.
        whole, params: the function.
    """

    number: float
    functions: tuple[tuple[Function, Params], ...]
    inside: Polynomial | None
    whole: Function
    params: Params = ()


_X: Polynomial = {1: 1.0}
_ERF, _TANH = {1: sqrt(0.5)}, {1: sqrt(2 / pi), 3: 0.044715 * sqrt(2 / pi)}
_RAMP = ((Function.CLIP, (0.0, 6.0)),), {1: 1.0, 0: 3.0}
_PLUS_ONE, _HARD = (Function.ADD, (1.0,)), (1 / 6, 0.5)
_TIMES_X = (
    _Form(1.0, ((Function.SIGMOID, ()),), None, Function.SWISH),
    _Form(1.0, ((Function.HARD_SIGMOID, _HARD),), _X, Function.HARD_SWISH),
    _Form(1.0, ((Function.TANH, ()), (Function.SOFTPLUS, ())), _X, Function.MISH),
    _Form(1 / 6, *_RAMP, Function.HARD_SWISH),
    _Form(0.5, (_PLUS_ONE, (Function.ERF, ())), _ERF, Function.GELU),
    _Form(0.5, (_PLUS_ONE, (Function.TANH, ())), _TANH, Function.GELU_TANH),
)
"""Functions that are x times such a form."""
_ALONE = (_Form(1 / 6, *_RAMP, Function.HARD_SIGMOID, _HARD),)


class _Match(NamedTuple):
    """A function, its parameters, and the tensor that it is a function of."""

    function: Function
    params: Params
    x: str


def _run(graph: Graph, _target: Target) -> None:
    for root in functions_of(graph, Function.MUL, Function.DIV):
        match = _function(graph, root)
        if match is not None and _is_alone(graph, root, match.x):
            unread, (function, params, x) = graph.inputs_of(root.name), match
            graph.replace(Elementwise(name=root.name, loc=root.loc, function=function, params=params))
            graph.set_inputs(root.name, [x])
            drop_unread(graph, unread)


def _function(graph: Graph, root: Elementwise) -> _Match | None:
    """The one function that a product is, if so."""
    number, factors = _factors(graph, root)
    for form, x, gate in _candidates(graph, factors):
        params = _params(graph, gate, x, form) if isclose(number, form.number, rel_tol=_NEAR) else None
        if params is not None:
            return _Match(form.whole, params, x)
    return None


def _candidates(graph: Graph, factors: list[str]) -> list[tuple[_Form, str, str]]:
    """Forms that factors may be, with the x of each and the tensor that has to be the form."""
    match factors:
        case [a, b]:
            return [(form, x, gate) for x, gate in ((a, b), (b, a)) for form in _TIMES_X]
        case [a]:
            x = _operand(graph, _operand(graph, a))
            return [] if x is None else [(form, x, a) for form in _ALONE]
        case _:
            return []


def _factors(graph: Graph, root: Elementwise) -> tuple[float, list[str]]:
    """A product as a number and tensors that are multiplied; these are no products for it alone."""
    number, factors, left, count = 1.0, list[str](), [graph.output_of(root.name)], 0
    while left:
        tensor = left.pop(0)
        layer = _real(graph, tensor)
        is_inner = count < TUNING.passes.max_function_layers and len(graph.consumers(tensor)) == 1
        factor = _number_of(graph, layer) if layer is root or is_inner else None
        if layer is None or factor is None:
            factors.append(tensor)
            continue
        number, count = number * factor, count + 1
        left[:0] = operands_of(graph, layer)
    return number, factors


def _number_of(graph: Graph, layer: Elementwise | None) -> float | None:
    """By what a layer multiplies the product of its operands; None if it computes something else."""
    match layer:
        case Elementwise(function=Function.MUL, params=params) if len(graph.inputs_of(layer.name)) <= 2:
            return prod(params)
        case Elementwise(function=Function.DIV, params=(divisor,), swap=False) if divisor:
            return 1 / divisor
        case _:
            return None


def _params(graph: Graph, tensor: str | None, x: str, form: _Form) -> Params | None:
    """Parameters of a form's function, if a tensor is the form of x, but for its number."""
    for function, params in form.functions:
        layer = _real(graph, tensor)
        if layer is None or layer.function is not function or not _are_near(layer.params, params):
            return None
        tensor = _operand(graph, tensor)
    inside = None if tensor is None else _polynomial(graph, tensor, x)
    return None if inside is None else _params_of(inside, form)


def _params_of(inside: Polynomial, form: _Form) -> Params | None:
    """Parameters of a form's function with this polynomial inside."""
    expected = form.inside or _X
    if inside.keys() != expected.keys():
        return None
    if form.inside is None:
        return (inside[1],)
    return form.params if _are_near([inside[n] for n in expected], expected.values()) else None


def _polynomial(graph: Graph, tensor: str, x: str, depth: int = 0) -> Polynomial | None:
    """A tensor as a polynomial of x; None if it is none, or one of too many layers."""
    if tensor == x:
        return _X
    layer = _real(graph, tensor) if depth < TUNING.passes.max_polynomial_depth else None
    if layer is None or (layer.swap and layer.function not in (Function.ADD, Function.MUL)):
        return None
    terms = [_polynomial(graph, operand, x, depth + 1) for operand in operands_of(graph, layer)]
    terms += [{0: number} for number in layer.params]
    return None if None in terms or len(terms) != 2 else _combined(layer.function, *filter(None, terms))


def _combined(function: Function, left: Polynomial, right: Polynomial) -> Polynomial | None:
    """Sum, difference, product, quotient or power of two polynomials; None if it is no polynomial."""
    match function:
        case Function.ADD | Function.SUB:
            sign = 1.0 if function is Function.ADD else -1.0
            return {n: left.get(n, 0.0) + sign * right.get(n, 0.0) for n in left | right}
        case Function.MUL:
            return _product(left, right)
        case Function.DIV if right.keys() == {0} and right[0]:
            return {n: factor / right[0] for n, factor in left.items()}
        case Function.POW if right == {0: 2.0}:
            return _product(left, left)
        case Function.POW if right == {0: 3.0}:
            return _product(left, _product(left, left))
        case _:
            return None


def _product(left: Polynomial, right: Polynomial) -> Polynomial:
    result: Polynomial = {}
    for n, a in left.items():
        for m, b in right.items():
            result[n + m] = result.get(n + m, 0.0) + a * b
    return result


def _are_near(values: Collection[float], expected: Collection[float]) -> bool:
    pairs = zip(values, expected, strict=False)
    return len(values) == len(expected) and all(isclose(a, b, rel_tol=_NEAR) for a, b in pairs)


def _real(graph: Graph, tensor: str | None) -> Elementwise | None:
    """The function of real numbers that computes a tensor, if one does."""
    layer = made_by(graph, tensor, Elementwise)
    is_real = layer is not None and result_type(graph, layer).dtype.is_float and not layer.src_scales
    return layer if is_real else None


def _operand(graph: Graph, tensor: str | None) -> str | None:
    """The first operand of the function of real numbers that computes a tensor."""
    layer = _real(graph, tensor)
    return None if layer is None else operands_of(graph, layer)[0]


def _is_alone(graph: Graph, root: Elementwise, x: str) -> bool:
    """Whether nobody else needs what the layers between x and the product compute, all of one type."""
    left, between, names = list(operands_of(graph, root)), list[str](), {root.name}
    while left:
        if (tensor := left.pop()) != x:
            layer = required(graph.producer(tensor))
            between.append(tensor)
            names.add(layer.name)
            left += operands_of(graph, layer)
    readers = {user.name for tensor in between for user, _ in graph.consumers(tensor)}
    types = {graph.types[tensor] for tensor in (x, *between, graph.output_of(root.name))}
    return len(types) == 1 and readers <= names and {*between}.isdisjoint(graph.outputs)


MERGE_FUNCTIONS = Pass("merge-functions", _run)

"""merge-functions: functions of one tensor that are together one function of it become that function.

before:  s = sigmoid(x);  y = mul(x, s)
after:   y = swish(x)

Exporters write swish, hard swish, hard sigmoid, mish and both forms of GELU as products of simpler functions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import isclose, pi, sqrt

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise
from nnc.compiler.passes.base import Pass
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING
from nnc.isa.functions import Function

_NEAR = 1e-3
"""Relative difference of constants that are meant to be equal: half precision rounds to 1/2048."""

Polynomial = dict[int, float]
"""Coefficients by exponent."""

_ERF_OF_GELU: Polynomial = {1: sqrt(0.5)}
_TANH_OF_GELU: Polynomial = {1: sqrt(2 / pi), 3: 0.044715 * sqrt(2 / pi)}
_Found = tuple[Function, tuple[float, ...], str]
"""Function, its parameters, and the tensor that it is a function of."""


@dataclass
class _Product:
    """A product of tensors and a number, and the layers that were looked at for it."""

    graph: Graph
    root: Elementwise
    scale: float = 1.0
    factors: list[str] = field(default_factory=list)
    inner: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._multiply(self.graph.output_of(self.root.name))

    def _multiply(self, tensor: str) -> None:
        """Take in a tensor: a product itself, or a factor."""
        graph, layer = self.graph, self._function(tensor)
        operands: Sequence[str] = () if layer is None else _operands(graph, layer)
        is_inner = layer is self.root or (
            len(self.inner) < TUNING.passes.max_function_layers and len(graph.consumers(tensor)) == 1
        )
        if layer is None or not is_inner or (layer.swap and layer.function is Function.DIV):
            self.factors.append(tensor)
        elif layer.function is Function.MUL and len(operands) <= 2:
            self._take(layer)
            self.scale *= layer.params[0] if layer.params else 1.0
            for operand in operands:
                self._multiply(operand)
        elif layer.function is Function.DIV and layer.params and layer.params[0]:
            self._take(layer)
            self.scale /= layer.params[0]
            self._multiply(next(iter(operands)))
        else:
            self.factors.append(tensor)

    def function(self) -> _Found | None:
        """The one function that the product is, if so."""
        match self.factors:
            case [a, b]:
                product = set(self.inner)
                found = self._gated(a, b)
                if found is None:
                    self.inner = product
                    found = self._gated(b, a)
                return found
            case [a]:
                return self._hard_sigmoid(a)
            case _:
                return None

    def _gated(self, x: str, gate: str) -> _Found | None:
        """x times a function of x."""
        layer = self._function(gate)
        if layer is None:
            return None
        self._take(layer)
        below = _operands(self.graph, layer)[0]
        if self._is_near(0.5):
            return self._gelu(x, layer, below)
        if layer.function is Function.CLIP and self._is_near(1 / 6) and self._is_ramp(layer, x):
            return Function.HARD_SWISH, (), x
        if not self._is_near(1.0):
            return None
        match layer.function:
            case Function.SIGMOID if (found := self._polynomial(below, x)) and found.keys() == {1}:
                return Function.SWISH, (found[1],), x
            case Function.HARD_SIGMOID if below == x and _are_near(layer.params, (1 / 6, 0.5)):
                return Function.HARD_SWISH, (), x
            case Function.TANH if (inner := self._function(below)) is not None:
                self._take(inner)
                is_mish = inner.function is Function.SOFTPLUS and _operands(self.graph, inner)[0] == x
                return (Function.MISH, (), x) if is_mish else None
            case _:
                return None

    def _gelu(self, x: str, gate: Elementwise, below: str) -> _Found | None:
        """x · (1 + erf or tanh of x) / 2."""
        inner = self._function(below)
        if inner is None or gate.function is not Function.ADD or gate.params != (1.0,):
            return None
        self._take(inner)
        found = self._polynomial(_operands(self.graph, inner)[0], x)
        if inner.function is Function.ERF and _same(found, _ERF_OF_GELU):
            return Function.GELU, (), x
        if inner.function is Function.TANH and _same(found, _TANH_OF_GELU):
            return Function.GELU_TANH, (), x
        return None

    def _hard_sigmoid(self, clipped: str) -> _Found | None:
        """A clipped ramp alone."""
        layer = self._function(clipped)
        if layer is None or layer.function is not Function.CLIP or not self._is_near(1 / 6):
            return None
        self._take(layer)
        ramp = self._function(_operands(self.graph, layer)[0])
        x = None if ramp is None else _operands(self.graph, ramp)[0]
        if x is None or not self._is_ramp(layer, x):
            return None
        return Function.HARD_SIGMOID, (1 / 6, 0.5), x

    def _is_ramp(self, clip: Elementwise, x: str) -> bool:
        """Whether a clip makes x + 3 one from 0 to 6."""
        ramp = self._polynomial(_operands(self.graph, clip)[0], x)
        return clip.params == (0.0, 6.0) and _same(ramp, {1: 1.0, 0: 3.0})

    def _is_near(self, scale: float) -> bool:
        return isclose(self.scale, scale, rel_tol=_NEAR)

    def _polynomial(self, tensor: str, x: str, depth: int = 0) -> Polynomial | None:
        """A tensor as a polynomial of x; None if it is none, or one of too many layers."""
        if tensor == x:
            return {1: 1.0}
        layer = self._function(tensor)
        if (
            layer is None
            or depth == TUNING.passes.max_polynomial_depth
            or (layer.swap and layer.function not in (Function.ADD, Function.MUL))
        ):
            return None
        self._take(layer)
        terms = [self._polynomial(operand, x, depth + 1) for operand in _operands(self.graph, layer)]
        known = [term for term in terms if term is not None]
        if len(known) < len(terms) or len(terms) + len(layer.params) != 2:
            return None
        return _combined(layer.function, [*known, *({0: number} for number in layer.params)])

    def _function(self, tensor: str) -> Elementwise | None:
        """The function of real numbers that computes a tensor, if one does."""
        layer = self.graph.producer(tensor)
        is_real = self.graph.types[tensor].dtype.is_float
        return layer if isinstance(layer, Elementwise) and is_real and not layer.src_scales else None

    def _take(self, layer: Elementwise) -> None:
        self.inner.add(layer.name)

    def is_alone(self, x: str) -> bool:
        """Whether nobody else needs what the layers between x and the product compute, all of one type."""
        graph = self.graph
        tensors = {name: graph.output_of(name) for name in self.inner}
        users = {tensor: {user.name for user, _ in graph.consumers(tensor)} for tensor in tensors.values()}
        between = [tensor for name, tensor in tensors.items() if name != self.root.name]
        return (
            all(graph.types[tensor] == graph.types[x] for tensor in tensors.values())
            and all(users[tensor] <= self.inner for tensor in between)
            and not any(tensor in graph.outputs for tensor in between)
        )


def _operands(graph: Graph, layer: Elementwise) -> tuple[str, ...]:
    return tuple(tensor for tensor in graph.inputs_of(layer.name) if tensor is not None)


def _combined(function: Function, operands: list[Polynomial]) -> Polynomial | None:
    """Sum, difference, product, quotient or power of two polynomials; None if it is no polynomial."""
    left, right = operands
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
    found: Polynomial = {}
    for n, a in left.items():
        for m, b in right.items():
            found[n + m] = found.get(n + m, 0.0) + a * b
    return found


def _same(found: Polynomial | None, expected: Polynomial) -> bool:
    return (
        found is not None
        and found.keys() == expected.keys()
        and all(isclose(found[n], expected[n], rel_tol=_NEAR) for n in expected)
    )


def _are_near(found: tuple[float, ...], expected: tuple[float, ...]) -> bool:
    return len(found) == len(expected) and all(
        isclose(a, b, rel_tol=_NEAR) for a, b in zip(found, expected, strict=True)
    )


def _products(graph: Graph) -> Iterator[_Product]:
    for layer in graph.layers():
        if layer.name not in graph or not isinstance(layer, Elementwise) or layer.src_scales:
            continue
        if layer.function in (Function.MUL, Function.DIV):
            yield _Product(graph, layer)


def _run(graph: Graph, _target: Target) -> None:
    for product in _products(graph):
        found = product.function()
        if found is None or not product.is_alone(found[2]):
            continue
        function, params, x = found
        root = product.root
        between = [layer.name for layer in graph.layers() if layer.name in product.inner - {root.name}]
        graph.replace(Elementwise(name=root.name, loc=root.loc, function=function, params=params))
        graph.set_inputs(root.name, [x])
        for name in reversed(between):
            graph.remove(name)


MERGE_FUNCTIONS = Pass("merge-functions", _run)

"""split-products: queries, keys and values that one product makes come from a product each.

before:  t = matmul(x, W);  q, k, v = slices of reshaped t;  s = matmul(q, k);  …
after:   q, k, v = reshaped matmul(x, W[:, …]), one each;    s = matmul(q, k);  …

In one buffer, the queries, keys and values of a head lie far from each other, and a group that works head by
head would bring what lies between them, too.  Columns that nobody reads are not computed.  Hidden features
and their gates, which lie in one tensor as well, are worked through in chunks if each has a product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.layers import Elementwise, Layer, MatMul, Reshape, Slice, Transpose
from nnc.compiler.ir.layers.along_axis import WholeAxes
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.drop_dead import is_dead
from nnc.compiler.passes.fold_factors import sliced
from nnc.compiler.passes.matching import (
    MOVES,
    Use,
    is_product_of_results,
    keeps_order,
    layers_of,
    operands_of,
    readers_below,
    result_type,
    shown_by,
    source_of,
    uses_through,
)
from nnc.compiler.passes.merge_views import MOST_AXES, Axis, Factor, factors_of, rearranged
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING


class _Part(NamedTuple):
    """A slice of reshaped columns: which columns, ascending, and what the axes of the slice are made of."""

    view: Slice
    columns: npt.NDArray[np.int64]
    axes: list[Axis]


def _run(graph: Graph, _target: Target) -> None:
    for product in layers_of(graph, MatMul):
        parts = _parts(graph, product) if _is_free(graph, product) else []
        if _is_attention(graph, parts) or _is_gated(graph, parts):
            _split(graph, product, parts)


def _is_free(graph: Graph, product: MatMul) -> bool:
    """Whether a product has constant weights, a constant bias or none, and no residual."""
    _, weight, bias, residual = (graph.operand(product.name, slot) for slot in range(4))
    is_constant = graph.is_constant(weight) and (bias is None or graph.is_constant(bias))
    return is_constant and residual is None and 0 not in result_type(graph, product).shape


def _parts(graph: Graph, product: MatMul) -> list[_Part]:
    """The slices by which alone a result is read; nothing if it is read otherwise, or twice in part."""
    result, parts = graph.output_of(product.name), list[_Part]()
    for use in uses_through(graph, result, *MOVES):
        part = _part(graph, use, graph.types[result].shape)
        if part is None:
            return []
        parts.append(part)
    columns = [column for part in parts for column in part.columns]
    is_split = 1 < len(parts) <= TUNING.passes.max_products and len(columns) == len({*columns})
    return parts if is_split and not _ends_unread(graph, result) else []


def _ends_unread(graph: Graph, tensor: str) -> bool:
    """Whether nobody reads some view of a tensor."""
    below = readers_below(graph, tensor, lambda layer, _: isinstance(layer, MOVES))
    return any(is_dead(graph, layer) for layer, _ in below)


def _part(graph: Graph, use: Use, shape: tuple[int, ...]) -> _Part | None:
    """What a slice shows of a product, if it takes some of its columns, and all of its rows."""
    view = None if use.name is None else graph.layer(use.name)
    axes, last = factors_of(shape, use.views), len(shape) - 1
    if not isinstance(view, Slice) or axes is None or min(view.step) < 1:
        return None
    shown, starts = sliced(axes, view)
    if shown is None or not starts.keys() <= {last} or sum(map(len, shown)) > MOST_AXES:
        return None
    columns, dense = _columns(shown, starts.get(last, 0), last)
    return _Part(view, columns, [tuple(dense.get(f, f) for f in axis) for axis in shown])


def _columns(axes: list[Axis], first: int, last: int) -> tuple[npt.NDArray[np.int64], dict[Factor, Factor]]:
    """The columns that axes show, ascending, and each of their factors as one of these alone."""
    inside_out = sorted((f for axis in axes for f in axis if f.axis == last), key=lambda f: f.step)
    columns, dense = np.array([first]), {}
    for factor in inside_out:
        dense[factor] = factor._replace(step=len(columns))
        columns = np.add.outer(factor.step * np.arange(factor.extent), columns).ravel()
    return columns, dense


def _is_attention(graph: Graph, parts: Sequence[_Part]) -> bool:
    """Whether two of the slices are operands of products of results."""
    return sum(_is_multiplied(graph, graph.output_of(part.view.name)) for part in parts) > 1


def _is_multiplied(graph: Graph, tensor: str) -> bool:
    """Whether a product of two results reads a tensor, in views, or what functions and norms make of it."""

    def goes_on(layer: Layer, slot: int) -> bool:
        shape = graph.types[required(graph.inputs_of(layer.name)[slot])].shape
        is_function = isinstance(layer, Elementwise | WholeAxes) and result_type(graph, layer).shape == shape
        return isinstance(layer, MOVES) or is_function

    below = readers_below(graph, tensor, goes_on)
    return any(slot < 2 and is_product_of_results(graph, layer) for layer, slot in below)


def _is_gated(graph: Graph, parts: Sequence[_Part]) -> bool:
    """Whether what functions make of one of two slices meets the other: hidden features, their gates."""
    met = [_met(graph, graph.output_of(part.view.name)) for part in parts]
    return len(met) == 2 and bool(met[0] & met[1])


def _met(graph: Graph, tensor: str) -> set[str]:
    """The functions of several tensors that read a tensor, or what layers of it alone make of it.

    These are functions, norms, and products of tokens with constants, in views.
    """

    def is_alone(layer: Layer, _slot: int = 0) -> bool:
        return len({t for t in operands_of(graph, layer) if not graph.is_constant(t)}) == 1

    kinds = Elementwise | WholeAxes | MatMul | Reshape | Transpose
    below = readers_below(graph, tensor, lambda layer, _: isinstance(layer, kinds) and is_alone(layer))
    return {layer.name for layer, _ in below if isinstance(layer, Elementwise) and not is_alone(layer)}


def _split(graph: Graph, layer: MatMul, parts: Sequence[_Part]) -> None:
    """A product for each slice, which becomes a view of its result."""
    above = _views_between(graph, parts)
    type_ = result_type(graph, layer)
    for part in parts:
        name = graph.fresh(f"{layer.name}.{part.view.name}")
        inputs = [
            _taken(graph, layer, slot, part.columns) for slot in range(len(graph.inputs_of(layer.name)))
        ]
        shape = (*type_.shape[:-1], len(part.columns))
        graph.add(
            replace(layer, name=name), inputs, [name], [TensorType(type_.dtype, shape)], before=layer.name
        )
        rearranged(graph, part.view, name, part.axes)
        _drop_if_whole(graph, part.view.name, name)
    for view in above:
        graph.remove(view.name)
    graph.remove(layer.name)


def _drop_if_whole(graph: Graph, view: str, tensor: str) -> None:
    """Let a layer make what a view shows of its result, if that is the very same."""
    shown, layer = graph.output_of(view), graph.layer(view)
    is_same = graph.inputs_of(view) == (tensor,) and graph.types[shown].shape == graph.types[tensor].shape
    if is_same and isinstance(layer, Reshape) and keeps_order(layer):
        graph.take_over_output(required(graph.producer(tensor)).name, shown)


def _views_between(graph: Graph, parts: Sequence[_Part]) -> list[Layer]:
    """The views between a product and its slices, the lowest first."""
    views: dict[str, Layer] = {}
    for part in parts:
        for view in reversed(shown_by(graph, source_of(graph, part.view), *MOVES).views):
            views.pop(view.name, None)
            views[view.name] = view
    return [*views.values()]


def _taken(graph: Graph, layer: MatMul, slot: int, columns: npt.NDArray[np.int64]) -> str | None:
    """An operand for some columns of the result: constants have these along their last axis, if at all."""
    tensor = graph.operand(layer.name, slot)
    if tensor is None or slot == 0:
        return tensor
    value: npt.NDArray[Any] = graph.constants[tensor]
    if value.shape[-1] == 1 and slot != 1:
        return tensor
    return graph.add_constant(f"{tensor}.part", np.ascontiguousarray(value[..., columns]))


SPLIT_PRODUCTS = Pass("split-products", _run)

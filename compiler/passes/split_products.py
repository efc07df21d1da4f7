"""split-products: queries, keys and values that one product makes come from a product each.

before:  t = matmul(x, W);  q, k, v = slices of reshaped t;  s = matmul(q, k);  …
after:   q, k, v = reshaped matmul(x, W[:, …]), one each;    s = matmul(q, k);  …

In one buffer, the queries, keys and values of a head lie far from each other, and a group that works head by
head would bring what lies between them, too.  Columns that nobody reads are not computed.  Hidden features
and their gates, which lie in one tensor as well, are worked through in chunks if each has a product.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.layers import Elementwise, MatMul, Reshape, Slice, Transpose
from nnc.compiler.ir.layers.along_axis import WholeAxes
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.layers_before import keeps_order
from nnc.compiler.passes.merge_views import MOST_AXES, Axis, rearranged, through, whole_axes
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING


class _Part(NamedTuple):
    """A slice of reshaped columns: which columns, ascending, and what the axes of the slice are made of."""

    view: Slice
    columns: npt.NDArray[np.int64]
    axes: list[Axis]


def _run(graph: Graph, _target: Target) -> None:
    for layer in graph.layers():
        if not isinstance(layer, MatMul) or not graph.is_constant(graph.operand(layer.name, 1)):
            continue
        parts = _parts(graph, layer)
        if parts is not None and (_is_attention(graph, parts) or _is_gated(graph, parts)):
            _split(graph, layer, parts)


def _parts(graph: Graph, layer: MatMul) -> list[_Part] | None:
    """The slices by which alone a result is read; None if it is read otherwise, or twice in part."""
    result = graph.output_of(layer.name)
    shape = graph.types[result].shape
    if graph.operand(layer.name, 3) is not None or 0 in shape:
        return None
    left, found = [(result, whole_axes(shape))], list[_Part]()
    while left:
        tensor, axes = left.pop()
        readers = graph.consumers(tensor)
        if tensor in graph.outputs or not readers:
            return None
        for reader, _ in readers:
            part = _columns(reader, axes, len(shape) - 1) if isinstance(reader, Slice) else None
            below = through(axes, reader) if isinstance(reader, Reshape | Transpose) else None
            if part is not None:
                found.append(part)
            elif below is not None:
                left.append((graph.output_of(reader.name), below))
            else:
                return None
    columns = [column for part in found for column in part.columns]
    is_split = 1 < len(found) <= TUNING.passes.max_products and len(columns) == len({*columns})
    return found if is_split else None


def _columns(view: Slice, axes: list[Axis], last: int) -> _Part | None:
    """What a slice shows, if it takes some of the columns of a tensor, and all of its rows."""
    first, found = 0, list[Axis]()
    for factors, start, step, extent in zip(axes, view.start, view.step, view.shape, strict=True):
        whole = int(np.prod([factor.extent for factor in factors], dtype=np.int64))
        if (start, step, extent) != (0, 1, whole):
            if len(factors) != 1 or factors[0].axis != last or step < 1:
                return None
            first += start * factors[0].step
            factors = (factors[0]._replace(step=factors[0].step * step, extent=extent),) if extent > 1 else ()
        found.append(factors)
    if sum(map(len, found)) > MOST_AXES:
        return None
    mine = sorted((f for axis in found for f in axis if f.axis == last), key=lambda f: f.step)
    columns, dense = np.array([first]), {}
    for factor in mine:
        dense[factor] = factor._replace(step=len(columns))
        columns = np.add.outer(factor.step * np.arange(factor.extent), columns).ravel()
    return _Part(view, columns, [tuple(dense.get(f, f) for f in axis) for axis in found])


def _is_attention(graph: Graph, parts: Sequence[_Part]) -> bool:
    """Whether two of the slices are operands of products of results."""
    return sum(_is_multiplied(graph, graph.output_of(part.view.name)) for part in parts) > 1


def _is_gated(graph: Graph, parts: Sequence[_Part]) -> bool:
    """Whether what functions make of one of two slices meets the other: hidden features, their gates."""
    met = [_met(graph, graph.output_of(part.view.name)) for part in parts]
    return len(met) == 2 and bool(met[0] & met[1])


def _met(graph: Graph, tensor: str) -> set[str]:
    """The functions of several tensors that read a tensor, or what layers of it alone make of it.

    These are functions, norms, and products of tokens with constants, in views.
    """
    left, met = {tensor}, set[str]()
    while left:
        for reader in {layer.name: layer for layer, _ in graph.consumers(left.pop())}.values():
            operands = {name for name in graph.inputs_of(reader.name) if name and not graph.is_constant(name)}
            if isinstance(reader, Elementwise) and len(operands) > 1:
                met.add(reader.name)
            elif isinstance(reader, Elementwise | WholeAxes | MatMul | Reshape | Transpose):
                left.update(graph.outputs_of(reader.name) if len(operands) == 1 else ())
    return met


def _is_multiplied(graph: Graph, tensor: str) -> bool:
    """Whether a product of two results reads a tensor, in views, or what functions and norms make of it."""
    left, seen = [tensor], {tensor}
    while left:
        shape = graph.types[tensor := left.pop()].shape
        for reader, slot in graph.consumers(tensor):
            if isinstance(reader, MatMul):
                if slot < 2 and not graph.is_constant(graph.operand(reader.name, 1)):
                    return True
                continue
            for made in graph.outputs_of(reader.name):
                is_view = isinstance(reader, Reshape | Transpose)
                is_function = isinstance(reader, Elementwise | WholeAxes) and graph.types[made].shape == shape
                if made not in seen and (is_view or is_function):
                    left.append(made)
                    seen.add(made)
    return False


def _split(graph: Graph, layer: MatMul, parts: Sequence[_Part]) -> None:
    """A product for each slice, which becomes a view of its result."""
    above = [*_views_between(graph, layer, parts)]
    type_ = graph.types[graph.output_of(layer.name)]
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
        graph.remove(view)
    graph.remove(layer.name)


def _drop_if_whole(graph: Graph, view: str, tensor: str) -> None:
    """Let a layer make what a view shows of its result, if that is the very same."""
    shown, layer = graph.output_of(view), graph.layer(view)
    same = graph.inputs_of(view) == (tensor,) and graph.types[shown].shape == graph.types[tensor].shape
    if same and isinstance(layer, Reshape) and keeps_order(layer):
        graph.take_over_output(required(graph.producer(tensor)).name, shown)


def _views_between(graph: Graph, layer: MatMul, parts: Sequence[_Part]) -> Iterator[str]:
    """The views between a product and its slices, the lowest first."""
    found: dict[str, None] = {}
    for part in parts:
        view = required(graph.producer(required(graph.inputs_of(part.view.name)[0])))
        while view.name != layer.name:
            found.pop(view.name, None)
            found[view.name] = None
            view = required(graph.producer(required(graph.inputs_of(view.name)[0])))
    yield from found


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

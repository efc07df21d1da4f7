"""merge-views: a chain of reshapes and transposes becomes one reshape, one transpose, one reshape, or fewer.

before:  [1,64,32,32] -> [1024,2,16,2] -> (0,2,1,3) -> [1,64,256,4] -> (0,3,2,1) -> [4,256,64]
after:   [1,64,32,32] -> [64,16,2,16,2] -> (2,4,1,3,0) -> [4,256,64]

What comes in between may merge axes that are split again behind; strides say no merged axis, so each such
step would be a copy.  One reshape at the end is one copy at most.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.layers import Layer, Reshape, Transpose
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import identity_order
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.matching import (
    MOVES,
    keeps_order,
    layers_of,
    result_type,
    shown_by,
    sole_reader,
    source_of,
)
from nnc.compiler.target.target import Target

MOST_AXES = 8
"""Operands have no more axes."""


class Factor(NamedTuple):
    """A factor of an axis of the first tensor of a chain: every `step`-th element of it, so many."""

    axis: int
    step: int
    extent: int


Axis = tuple[Factor, ...]
"""What an axis of a view is made of, the outermost first."""


def _run(graph: Graph, _target: Target) -> None:
    for last in layers_of(graph, *MOVES):
        if sole_reader(graph, graph.output_of(last.name), *MOVES) is None:
            above = shown_by(graph, source_of(graph, last), *MOVES, for_one=True)
            _merge(graph, above.tensor, [*above.views, last])
            _drop_if_same(graph, last.name)


def _merge(graph: Graph, source: str, chain: list[Layer]) -> None:
    """Let the last view show a tensor by fewer views."""
    shape = graph.types[source].shape
    axes = None if 0 in shape else factors_of(shape, chain)
    if axes is None or sum(map(len, axes)) > MOST_AXES:
        return
    if rearranged(graph, chain[-1], source, axes, fewer_than=len(chain)):
        for layer in reversed(chain[:-1]):
            graph.remove(layer.name)


def _drop_if_same(graph: Graph, name: str) -> None:
    """Let readers of a reshape that changes nothing read what it reads, but for outputs of the network."""
    layer, tensor = graph.layer(name), graph.output_of(name)
    source = required(graph.inputs_of(name)[0])
    is_same = graph.types[source].shape == graph.types[tensor].shape and tensor not in graph.outputs
    if is_same and isinstance(layer, Reshape) and keeps_order(layer):
        graph.rewire(tensor, source)
        graph.remove(name)


def rearranged(graph: Graph, last: Layer, source: str, axes: Sequence[Axis], fewer_than: int = 4) -> bool:
    """Let a view show a tensor with its axes made of these factors of its own, if that takes few views."""
    type_, shape = graph.types[source], result_type(graph, last).shape
    factors = [factor for axis in axes for factor in axis]
    apart = sorted(factors, key=lambda factor: (factor.axis, -factor.step))
    new = list(_views(last, type_.shape, apart, factors, shape))
    if len(new) >= fewer_than:
        return False
    for layer in new[:-1]:
        split = tuple(f.extent for f in (apart if isinstance(layer, Reshape) else factors))
        name = graph.fresh(f"{last.name}.{layer.kind}")
        graph.add(replace(layer, name=name), [source], [name], [TensorType(type_.dtype, split)])
        source = name
    graph.replace(new[-1])
    graph.set_inputs(last.name, [source])
    return True


def factors_of(shape: Sequence[int], chain: Sequence[Layer]) -> list[Axis] | None:
    """What the axes of the last view are made of; None if an axis is split where no factor ends."""
    axes: list[Axis] | None = whole_axes(shape)
    for layer in chain:
        axes = None if axes is None else through(axes, layer)
    return axes


def whole_axes(shape: Sequence[int]) -> list[Axis]:
    """What the axes of a tensor are made of: of themselves, those of one element of nothing."""
    return [(Factor(axis, 1, n),) if n > 1 else () for axis, n in enumerate(shape)]


def places(axis: Axis, first: int = 0) -> npt.NDArray[np.int64]:
    """The elements of an axis of the first tensor that an axis of a view shows, in order, from `first` on."""
    elements = np.array([first])
    for factor in axis:
        elements = np.add.outer(elements, factor.step * np.arange(factor.extent)).ravel()
    return elements


def through(axes: list[Axis], layer: Layer) -> list[Axis] | None:
    """What the axes of a reshape or a transpose are made of, by those of what it shows."""
    match layer:
        case Transpose(perm=perm):
            return [axes[axis] for axis in perm]
        case Reshape(order=order, shape=shape):
            return _regrouped([f for axis in order for f in axes[axis]], shape)
        case _:
            return axes


def _regrouped(factors: list[Factor], shape: Sequence[int]) -> list[Axis] | None:
    """Factors in a row as axes of these extents."""
    axes: list[Axis] = []
    waiting = factors[::-1]
    for extent in shape:
        group: list[Factor] = []
        while extent > 1:
            factor = waiting.pop()
            if factor.extent > extent:
                inner, left = divmod(factor.extent, extent)
                if left:
                    return None
                waiting.append(factor._replace(extent=inner))
                factor = Factor(factor.axis, factor.step * inner, extent)
            extent, left = divmod(extent, factor.extent)
            if left:
                return None
            if group and group[-1].axis == factor.axis and group[-1].step == factor.step * factor.extent:
                factor = factor._replace(extent=group.pop().extent * factor.extent)
            group.append(factor)
        axes.append(tuple(group))
    return axes


def _views(
    last: Layer, shape: Sequence[int], apart: list[Factor], factors: list[Factor], wanted: tuple[int, ...]
) -> Iterator[Layer]:
    """Reshape to the factors, transpose, reshape to the wanted shape, without those that change nothing."""
    name, loc = last.name, last.loc
    split, turned = tuple(f.extent for f in apart), tuple(f.extent for f in factors)
    perm = tuple(apart.index(factor) for factor in factors)
    if perm == identity_order(len(perm)):
        yield Reshape(name=name, loc=loc, shape=wanted, order=identity_order(len(shape)))
        return
    if split != tuple(shape):
        yield Reshape(name=name, loc=loc, shape=split, order=identity_order(len(shape)))
    yield Transpose(name=name, loc=loc, perm=perm)
    if turned != wanted:
        yield Reshape(name=name, loc=loc, shape=wanted, order=identity_order(len(turned)))


MERGE_VIEWS = Pass("merge-views", _run)

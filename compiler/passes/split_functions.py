"""split-functions: functions of elements that read the concats of a dense block read its operands in pieces.

before:  y1 = relu(concat(a, b));  y2 = relu(concat(a, b, c));  …  y9 = relu(concat(a, …, j))
after:   y9 = concat(relu(concat(a, b, c)), relu(concat(d, e, f)), …)

All layers of a dense block read all tensors before them, mostly through a batch norm each.  In one buffer
they would be on chip together or not at all; in a few pieces, the planner keeps what fits, and loads the
others.  Where somebody reads a concat in another way, it has to lie in one buffer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.layers import Concat, Elementwise, Layer
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.drop_dead import is_dead
from nnc.compiler.passes.matching import layers_of, result_type
from nnc.compiler.passes.nest_concats import nest_concats
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING


@dataclass(frozen=True, slots=True)
class _Reader:
    """A function of operands [first, end) of the block: the layer, and the slot of the concat."""

    layer: Elementwise
    slot: int
    first: int
    end: int


@dataclass
class _Block:
    """A concat that is no operand of another along its axis, with the concats in it.

    Attributes:
        leaves: all operands that are no such concats, in order; count: of the concats.
        readers: what reads any of the concats; None if somebody reads one otherwise.
    """

    graph: Graph
    concat: Concat
    leaves: list[str] = field(default_factory=list)
    count: int = 0
    readers: list[_Reader] | None = field(default_factory=list)
    _joined: dict[tuple[int, int], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._walk(self.concat)

    def _walk(self, whole: Concat) -> None:
        """Depth first: a concat's readers are known when all of its operands are."""
        left: list[tuple[Concat, int, Iterator[str | None]]] = [self._entered(whole)]
        while left:
            concat, first, operands = left[-1]
            if (tensor := next(operands, None)) is None:
                self.count += 1
                self._find_readers(self.graph.output_of(concat.name), first)
                left.pop()
                continue
            inner = self.graph.producer(tensor)
            if isinstance(inner, Concat) and _joins(inner, self.concat.axis):
                left.append(self._entered(inner))
            else:
                self.leaves.append(tensor)

    def _entered(self, concat: Concat) -> tuple[Concat, int, Iterator[str | None]]:
        """A concat, its first leaf, and its operands to come."""
        return concat, len(self.leaves), iter(self.graph.inputs_of(concat.name))

    def _find_readers(self, tensor: str, first: int) -> None:
        graph, users = self.graph, self.graph.consumers(tensor)
        others = [(layer, slot) for layer, slot in users if not _joins(layer, self.concat.axis)]
        functions = [(layer, slot) for layer, slot in others if isinstance(layer, Elementwise)]
        are_of_elements = all(_is_of_elements(graph, layer, slot) for layer, slot in others)
        if tensor in graph.outputs or not are_of_elements or len(_concats(users)) > 1:
            self.readers = None
        elif self.readers is not None:
            end = len(self.leaves)
            self.readers += [_Reader(layer, slot, first, end) for layer, slot in functions]

    def split(self) -> None:
        """Split all readers where pieces end."""
        bounds = self._bounds()
        for reader in self.readers or ():
            cuts = [reader.first, *(cut for cut in bounds if reader.first < cut < reader.end), reader.end]
            if len(cuts) > 2:
                self._split(reader, cuts)

    def _bounds(self) -> list[int]:
        """Where pieces end, as numbers of leaves."""
        sizes = [self.graph.types[tensor].nbytes for tensor in self.leaves]
        bounds, nbytes = list[int](), 0
        for number, size in enumerate(sizes):
            nbytes += size
            if nbytes * TUNING.passes.max_dense_pieces >= sum(sizes):
                bounds.append(number + 1)
                nbytes = 0
        return bounds

    def _split(self, reader: _Reader, cuts: Sequence[int]) -> None:
        graph, layer, start, results = self.graph, reader.layer, 0, list[str]()
        for first, end in pairwise(cuts):
            source = self._concat(first, end)
            type_ = graph.types[source]
            extent = type_.shape[self.concat.axis]
            inputs = [
                source if slot == reader.slot else self._slice(required(tensor), start, extent)
                for slot, tensor in enumerate(graph.inputs_of(layer.name))
            ]
            name, dtype = (
                graph.fresh(f"{layer.name}.{len(results)}"),
                result_type(graph, layer).dtype,
            )
            graph.add(replace(layer, name=name), inputs, [name], [TensorType(dtype, type_.shape)])
            results.append(name)
            start += extent
        result = graph.output_of(layer.name)
        whole = graph.fresh(f"{layer.name}.whole")
        graph.add(replace(self.concat, name=whole, loc=layer.loc), results, [whole], [graph.types[result]])
        graph.take_over_output(whole, result)

    def _concat(self, first: int, end: int) -> str:
        """The concat of some leaves."""
        graph, axis = self.graph, self.concat.axis
        if end - first == 1:
            return self.leaves[first]
        if (first, end) not in self._joined:
            leaves = self.leaves[first:end]
            type_ = graph.types[leaves[0]]
            extent = sum(graph.types[tensor].shape[axis] for tensor in leaves)
            shape = (*type_.shape[:axis], extent, *type_.shape[axis + 1 :])
            name = graph.fresh(f"{self.concat.name}.{first}")
            graph.add(replace(self.concat, name=name), leaves, [name], [TensorType(type_.dtype, shape)])
            self._joined[first, end] = name
        return self._joined[first, end]

    def _slice(self, constant: str, start: int, extent: int) -> str:
        """What a constant has for some elements along the axis."""
        graph = self.graph
        value = graph.constants[constant]
        axis = self.concat.axis - len(graph.types[self.leaves[0]].shape)
        if value.ndim < -axis or value.shape[axis] == 1:
            return constant
        piece = np.ascontiguousarray(
            np.moveaxis(np.moveaxis(value, axis, 0)[start : start + extent], 0, axis)
        )
        return graph.add_constant(graph.fresh(f"{constant}.{start}"), piece)


def _run(graph: Graph, _target: Target) -> None:
    outermost = [concat for concat in layers_of(graph, Concat) if not _is_inside(graph, concat)]
    blocks = [_Block(graph, concat) for concat in outermost]
    for block in blocks:
        if block.count >= TUNING.passes.min_dense_concats:
            block.split()
    for concat in layers_of(graph, Concat, upwards=True):
        if is_dead(graph, concat):
            graph.remove(concat.name)
    nest_concats(graph)


def _joins(layer: Layer, axis: int) -> bool:
    return isinstance(layer, Concat) and layer.axis == axis


def _concats(users: Sequence[tuple[Layer, int]]) -> list[Layer]:
    return [layer for layer, _ in users if isinstance(layer, Concat)]


def _is_of_elements(graph: Graph, layer: Layer, slot: int) -> bool:
    """Whether a layer is a function of the elements of one operand and of constants."""
    others = [tensor for position, tensor in enumerate(graph.inputs_of(layer.name)) if position != slot]
    operand, result = required(graph.inputs_of(layer.name)[slot]), graph.output_of(layer.name)
    same = graph.types[operand].shape == graph.types[result].shape
    return isinstance(layer, Elementwise) and same and all(map(graph.is_constant, others))


def _is_inside(graph: Graph, concat: Concat) -> bool:
    """Whether another concat along the same axis reads this one."""
    readers = graph.consumers(graph.output_of(concat.name))
    return any(_joins(layer, concat.axis) for layer, _ in readers)


SPLIT_FUNCTIONS = Pass("split-functions", _run)

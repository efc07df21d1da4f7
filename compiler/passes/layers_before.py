"""Layers that take the place of one: they are added right before it, and the last takes over its result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

import numpy as np

from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.layers import Elementwise, Expand, Layer, Reduce, Reshape, Slice, Transpose
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import identity_order
from nnc.compiler.passes.matching import keeps_order, source_of
from nnc.isa.functions import Function, ReduceFunction
from nnc.isa.types import DType

Shape = tuple[int, ...]


class LayersBefore:
    """Writes layers before a layer; every method returns what its layer computes."""

    def __init__(self, graph: Graph, layer: Layer) -> None:
        self._graph, self._layer = graph, layer

    def shape(self, tensor: str) -> Shape:
        return self._graph.types[tensor].shape

    def add(
        self, layer: Layer, inputs: Sequence[str | None], shape: Shape, dtype: DType | None = None
    ) -> str:
        """A layer under a name of its own; without a type, its result has that of the first operand."""
        name = self._graph.fresh(f"{self._layer.name}.{layer.kind}")
        type_ = TensorType(dtype or self._graph.types[required(inputs[0])].dtype, shape)
        self._graph.add(replace(layer, name=name), inputs, [name], [type_], before=self._layer.name)
        return name

    def function(self, function: Function, *inputs: str, params: tuple[float, ...] = ()) -> str:
        """A function of the elements of broadcast operands."""
        shape = np.broadcast_shapes(*map(self.shape, inputs))
        layer = Elementwise(name="", loc=self._layer.loc, function=function, params=params)
        return self.add(layer, inputs, shape)

    def fold(self, function: ReduceFunction, tensor: str, axes: tuple[int, ...]) -> str:
        """Some axes folded into extent 1."""
        whole = self.shape(tensor)
        shape = tuple(1 if axis in axes else extent for axis, extent in enumerate(whole))
        count = prod(whole[axis] for axis in axes)
        layer = Reduce(name="", loc=self._layer.loc, function=function, axes=axes, count=count)
        return self.add(layer, [tensor], shape)

    def reshaped(self, tensor: str, shape: Shape) -> str:
        """The tensor in another shape; if it is itself reshaped from that, what it is made of."""
        graph, above = self._graph, self._graph.producer(tensor)
        if isinstance(above, Reshape) and keeps_order(above):
            tensor = source_of(graph, above)
        if self.shape(tensor) == shape:
            return tensor
        order = identity_order(len(self.shape(tensor)))
        return self.add(Reshape(name="", loc=self._layer.loc, shape=shape, order=order), [tensor], shape)

    def transposed(self, tensor: str, perm: Shape) -> str:
        """The tensor with its axes in another order."""
        if perm == identity_order(len(perm)):
            return tensor
        view = Transpose(name="", loc=self._layer.loc, perm=perm)
        return self.add(view, [tensor], tuple(self.shape(tensor)[axis] for axis in perm))

    def sliced(self, tensor: str, axis: int, begin: int, shape: Shape) -> str:
        """Elements of a shape, from a place along an axis on."""
        start = tuple(begin if number == axis else 0 for number in range(len(shape)))
        view = Slice(name="", loc=self._layer.loc, start=start, step=(1,) * len(shape), shape=shape)
        return self.add(view, [tensor], shape)

    def expanded(self, tensor: str, shape: Shape) -> str:
        """The tensor with axes of extent 1 repeated."""
        return self.add(Expand(name="", loc=self._layer.loc, shape=shape), [tensor], shape)

    def take_over(self, tensor: str) -> None:
        """Let a tensor, of the shape of the result or another, be the layer's result; the layer goes."""
        result = self._graph.output_of(self._layer.name)
        shape = self.shape(result)
        order = identity_order(len(self.shape(tensor)))
        view = Reshape(name="", loc=self._layer.loc, shape=shape, order=order)
        kept = self.add(view, [tensor], shape) if self.shape(tensor) != shape else tensor
        self._graph.take_over_output(required(self._graph.producer(kept)).name, result)

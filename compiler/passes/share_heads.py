"""share-heads: heads of keys and values that several heads of queries read are read where they are.

before:  k: [1,8,64,32] = reshape(expand([1,2,1,64,32]));  y: [1,8,64,64] = matmul(q, transpose(k))
after:   y = reshape(matmul(reshape(q), transpose([1,2,1,64,32]))),  of [1,2,4,64,64]

Networks that group their queries write it so.  A repeated axis that is merged with another has no strides: a
copy would be laid out, as large as if each head had keys of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise, Expand, Layer, MatMul, Reshape, Softmax, Transpose
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.drop_dead import drop_unread
from nnc.compiler.passes.layers_before import LayersBefore, Shape
from nnc.compiler.passes.matching import (
    keeps_order,
    layers_of,
    made_by,
    result_type,
    sole_reader,
    source_of,
    source_type,
)
from nnc.compiler.passes.turn_products import is_function, is_product, layers_above, swaps
from nnc.compiler.target.target import Target


@dataclass(frozen=True)
class _Heads:
    """Matrices, each of which stands for several of a batch.

    Attributes:
        shared: a tensor that has each of them once.
        axis: of the batch; it is split in two, of these extents, along one of which all are alike.
    """

    shared: str
    axis: int
    extents: Shape

    def split(self, shape: Shape) -> Shape:
        """A shape with the axis in two."""
        return (*shape[: self.axis], *self.extents, *shape[self.axis + 1 :])


def _run(graph: Graph, _target: Target) -> None:
    for product in layers_of(graph, MatMul):
        chain, heads = _repeated(graph, product) if is_product(graph, product) else ([], None)
        if heads is not None and source_type(graph, product).shape[heads.axis] == prod(heads.extents):
            _share(graph, product, heads, chain)


def _repeated(graph: Graph, product: MatMul) -> tuple[list[Layer], _Heads | None]:
    """The heads that the weights of a product repeat, and the layers between, the last first."""
    chain = list[Layer]()
    for layer in layers_above(graph, required(graph.operand(product.name, 1))):
        heads = _heads(graph, layer)
        if heads is not None or not (is_function(graph, layer) or swaps(layer)):
            return chain, heads
        chain.append(layer)
    return chain, None


def _heads(graph: Graph, layer: Layer) -> _Heads | None:
    """The heads that a reshape repeats: it merges an axis of a batch with one that is expanded, no others."""
    repeat = made_by(graph, source_of(graph, layer), Expand) if isinstance(layer, Reshape) else None
    if repeat is None or not isinstance(layer, Reshape) or not keeps_order(layer):
        return None
    few, many = source_type(graph, repeat).shape, repeat.shape
    differ = [axis for axis in range(len(many)) if few[axis] != many[axis]]
    if len(differ) != 1 or len(layer.shape) != len(many) - 1:
        return None
    all_heads = (
        _Heads(source_of(graph, repeat), axis, many[axis : axis + 2])
        for axis in (differ[0] - 1, differ[0])
        if 0 <= axis < len(many) - 3
    )
    return next((heads for heads in all_heads if heads.split(layer.shape) == many), None)


def _share(graph: Graph, product: Layer, heads: _Heads, chain: list[Layer]) -> None:
    """Let a product read heads that are there once; what stands between, from the last on, is done to them.

    What functions make of the product keeps both axes: the next product, with the values, has them, too.
    """
    before = LayersBefore(graph, product)
    x, weight, *numbers = graph.inputs_of(product.name)
    tensor = heads.shared
    for layer in reversed(chain):
        if isinstance(layer, Transpose):
            rank = len(before.shape(tensor))
            tensor = before.transposed(tensor, (*range(rank - 2), rank - 1, rank - 2))
        else:
            made = result_type(graph, layer)
            inputs = [tensor, *graph.inputs_of(layer.name)[1:]]
            tensor = before.add(layer, inputs, before.shape(tensor), made.dtype)
    queries = before.reshaped(required(x), heads.split(before.shape(required(x))))
    operands, last = [queries, tensor, *numbers], product
    while True:
        before = LayersBefore(graph, last)
        result = result_type(graph, last)
        split = replace(last, axis=last.axis + 1) if isinstance(last, Softmax) else last
        tensor = before.add(split, operands, heads.split(result.shape), result.dtype)
        scores = graph.output_of(last.name)
        user = sole_reader(graph, scores, Softmax, Elementwise)
        if user is None or (operands := _operands(graph, user, scores, heads, tensor)) == []:
            break
        last = user
    unread = [weight, *graph.inputs_of(last.name)]
    before.take_over(tensor)
    drop_unread(graph, unread)


def _operands(graph: Graph, layer: Layer, made: str, heads: _Heads, tensor: str) -> list[str | None]:
    """What a function or softmax reads for which an operand has an axis in two; nothing of others."""
    if isinstance(layer, Softmax):
        return [tensor] if layer.axis > heads.axis else []
    if heads.split(result_type(graph, layer).shape) != graph.types[tensor].shape:
        return []
    reads = graph.inputs_of(layer.name)
    return [tensor if operand == made else _in_two(graph, layer, operand, heads) for operand in reads]


def _in_two(graph: Graph, layer: Layer, operand: str | None, heads: _Heads) -> str | None:
    """An operand that is broadcast to the result of a layer, with the axis of heads in two if it has that."""
    if operand is None:
        return None
    before = LayersBefore(graph, layer)
    shape = before.shape(operand)
    axis = heads.axis + len(shape) - len(result_type(graph, layer).shape)
    if axis < 0:
        return operand
    extents = heads.extents if shape[axis] > 1 else (1, 1)
    return before.reshaped(operand, (*shape[:axis], *extents, *shape[axis + 1 :]))


SHARE_HEADS = Pass("share-heads", _run)

"""turn-products: what attention makes of its scores has a row per query, as the scores have.

before:  s = softmax(matmul(q, k));  y = matmul(v, transpose(s))
after:   s = softmax(matmul(q, k));  y = transpose(matmul(s, transpose(v)))

Networks of pictures [channels, pixels] write attention so (non-local blocks, decoders of diffusion models).
Parts of a group are rows of queries; here, these were columns, and all scores visited DRAM.  Channels lie
innermost in a picture: of the transposes, one is what lies in memory, and none is a copy.  Scores with a
column per query, softmax along rows, are turned first.

before:  y = transpose(add(matmul(transpose(v), W), b))       v has a row per token, W [tokens, tokens]
after:   y = add(matmul(transpose(W), v), column of b)

So layers mix tokens (MLP-Mixer, gMLP, ResMLP).  What they make has a row per token then, as have the layers
before and behind, and is no column of what lies row by channel.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise, Layer, MatMul, Reshape, Softmax, Transpose
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.drop_dead import drop_unread
from nnc.compiler.passes.layers_before import LayersBefore, Shape
from nnc.compiler.passes.matching import (
    constant_value,
    has_one_reader,
    is_product_of_results,
    keeps_order,
    layers_of,
    made_by,
    operands_of,
    readers_below,
    result_type,
    sole_reader,
    source_of,
    source_type,
)
from nnc.compiler.passes.row_axis import elements_per_row
from nnc.compiler.target.target import Target
from nnc.isa.types import DType


def _run(graph: Graph, _target: Target) -> None:
    for softmax in layers_of(graph, Softmax):
        if chain := _scores(graph, softmax):
            _turn_softmax(graph, softmax, chain)
    for product in layers_of(graph, MatMul):
        if chain := _views_of_weights(graph, product):
            _turn_product(graph, product, chain)
    for product in layers_of(graph, MatMul):
        if chain := _down_to_swap(graph, product):
            _turn_mixed(graph, product, chain)


def turn_products_of(graph: Graph, tensor: str) -> None:
    """Give products of a small matrix and a list of rows the rows of that list, not columns.

    y = matmul(s, transpose(v)), s made of `tensor`, v of pixels:  y = transpose(matmul(v, transpose(s)))
    """
    kinds = (Elementwise, Softmax, Reshape, Transpose)
    for layer, slot in readers_below(graph, tensor, lambda layer, _: isinstance(layer, kinds)):
        weight = required(graph.operand(layer.name, 1)) if slot == 0 and is_product(graph, layer) else None
        if weight is not None and elements_per_row(graph, weight, len(graph.types[weight].shape) - 1):
            before = LayersBefore(graph, layer)
            before.take_over(_transposed(before, _turned_product(graph, before, layer)))
            drop_unread(graph, [weight])


def is_product(graph: Graph, layer: Layer) -> bool:
    """Whether a layer multiplies matrices of two activations, and does nothing else to their sums.

    One scale for all of them may be; a vector of scales, a bias or a residual would have to be turned, too.
    """
    if not is_product_of_results(graph, layer):
        return False
    x, weight, *others = graph.inputs_of(layer.name)
    left, right = graph.types[required(x)], graph.types[required(weight)]
    # matrices without a batch belong behind; an array may take a type on one side only
    are_alike = len(left.shape) == len(right.shape) > 1 and left.dtype is right.dtype
    return are_alike and _are_numbers(graph, others)


def is_function(graph: Graph, layer: Layer) -> bool:
    """Whether a layer computes its result element by element of one tensor of that shape, and of numbers."""
    if not isinstance(layer, Elementwise):
        return False
    source, *others = graph.inputs_of(layer.name)
    shape = result_type(graph, layer).shape
    return graph.types[required(source)].shape == shape and _are_numbers(graph, others)


def _are_numbers(graph: Graph, operands: Sequence[str | None]) -> bool:
    """Whether operands are constants of one element, if any."""
    return all(graph.is_constant(name) and graph.types[name].elements == 1 for name in operands if name)


def keeps_matrices(graph: Graph, layer: Layer) -> bool:
    """Whether a layer only deals out the matrices of a batch to other axes."""
    if not isinstance(layer, Reshape) or not keeps_order(layer):
        return False
    source = source_type(graph, layer).shape
    return len(source) > 1 and len(layer.shape) > 1 and source[-2:] == layer.shape[-2:]


def swaps(layer: Layer) -> bool:
    """Whether a layer swaps the two innermost axes, and no others."""
    return isinstance(layer, Transpose) and layer.perm == _swapped(tuple(range(len(layer.perm))))


def layers_above(graph: Graph, tensor: str) -> Iterator[Layer]:
    """The layers that a tensor comes from, over first operands; nobody else reads their results."""
    while has_one_reader(graph, tensor) and (layer := graph.producer(tensor)) is not None:
        yield layer
        tensor = source_of(graph, layer)


def _scores(graph: Graph, softmax: Softmax) -> list[Layer]:
    """The functions from a softmax of columns up to the product of its scores, and that; else nothing."""
    chain = list[Layer]()
    is_of_columns = softmax.axis == len(result_type(graph, softmax).shape) - 2
    for layer in layers_above(graph, source_of(graph, softmax)) if is_of_columns else ():
        chain.append(layer)
        if is_product(graph, layer) or not is_function(graph, layer):
            break
    return chain if chain and is_product(graph, chain[-1]) else []


def _views_of_weights(graph: Graph, product: MatMul) -> list[Layer]:
    """What stands between the weights of a product and a swap of their axes, and that; else nothing."""
    chain = list[Layer]()
    for layer in layers_above(graph, required(graph.operand(product.name, 1))):
        chain.append(layer)
        if swaps(layer) or not _is_of_matrices(graph, layer):
            break
    is_swapped = is_product(graph, product) and bool(chain) and swaps(chain[-1])
    return chain if is_swapped and _is_shared_out(graph, source_of(graph, chain[-1])) else []


def _is_of_matrices(graph: Graph, layer: Layer) -> bool:
    """Whether a layer is a function of the elements of matrices, or deals them out."""
    return is_function(graph, layer) or keeps_matrices(graph, layer)


def _is_shared_out(graph: Graph, tensor: str) -> bool:
    """Whether rows of a tensor are what a softmax shares out."""
    layer = graph.producer(tensor)
    while layer is not None and _is_of_matrices(graph, layer):
        tensor = source_of(graph, layer)
        layer = graph.producer(tensor)
    return isinstance(layer, Softmax) and layer.axis == len(graph.types[tensor].shape) - 1


def _turn_softmax(graph: Graph, softmax: Softmax, chain: list[Layer]) -> None:
    """Let a softmax have its rows where it had columns, and so all from the product of its scores on."""
    before = LayersBefore(graph, softmax)
    tensor = _turned_product(graph, before, chain[-1])
    for layer in [*reversed(chain[:-1]), replace(softmax, axis=softmax.axis + 1)]:
        tensor = _on_turned(graph, before, layer, tensor)
    _put_in_place(graph, before, softmax, chain, tensor)


def _turn_product(graph: Graph, product: Layer, chain: list[Layer]) -> None:
    """Let a product have its rows where it had columns."""
    before = LayersBefore(graph, product)
    tensor = source_of(graph, chain[-1])
    for layer in reversed(chain[:-1]):
        tensor = _on_turned(graph, before, layer, tensor)
    _put_in_place(graph, before, product, chain, _turned_product(graph, before, product, tensor))


def _mixes_rows(graph: Graph, product: MatMul) -> bool:
    """Whether the columns of a swapped list of rows are multiplied with constant weights: reals, no bias."""
    x, weight, *others = graph.inputs_of(product.name)
    rows, matrix = made_by(graph, x, Transpose), constant_value(graph, weight)
    if rows is None or matrix is None or matrix.ndim != 2 or any(others) or not swaps(rows):
        return False
    source, tokens = source_of(graph, rows), source_type(graph, rows)
    if tokens.dtype not in (DType.F32, DType.F16) or tokens.dtype is not graph.types[required(weight)].dtype:
        return False
    is_list = elements_per_row(graph, source, len(tokens.shape) - 2) is not None
    return is_list and not graph.is_constant(source)


def _down_to_swap(graph: Graph, product: MatMul) -> list[Layer]:
    """The functions with constants that read a product, each alone, down to a swap of axes; else nothing."""
    chain, tensor = list[Layer](), graph.output_of(product.name)
    reader = sole_reader(graph, tensor, Layer) if _mixes_rows(graph, product) else None
    while reader is not None:
        chain.append(reader)
        if swaps(reader) or not _is_of_constants(graph, reader, tensor):
            break
        tensor = graph.output_of(reader.name)
        reader = sole_reader(graph, tensor, Layer)
    return chain if chain and swaps(chain[-1]) else []


def _is_of_constants(graph: Graph, layer: Layer, tensor: str) -> bool:
    """Whether a layer is a function of the elements of a tensor and constants, of the same type."""
    computed = [operand for operand in operands_of(graph, layer) if not graph.is_constant(operand)]
    is_same = isinstance(layer, Elementwise) and result_type(graph, layer) == graph.types[tensor]
    return is_same and computed == [tensor]


def _turn_mixed(graph: Graph, product: MatMul, chain: list[Layer]) -> None:
    """Let a product with constant weights have its rows where it had columns, and the functions behind it."""
    before = LayersBefore(graph, chain[-1])
    x, weight, *others = graph.inputs_of(product.name)
    columns, matrix = required(x), required(weight)
    turned = graph.add_constant(f"{matrix}.turned", np.ascontiguousarray(graph.constants[matrix].T))
    tokens = required(graph.inputs_of(required(graph.producer(columns)).name)[0])
    shape = _swapped(result_type(graph, product).shape)
    tensor = before.add(product, [turned, tokens, *others], shape, graph.types[tokens].dtype)
    made = graph.output_of(product.name)
    for layer in chain[:-1]:
        operands = graph.inputs_of(layer.name)
        inputs = [tensor if name == made else name and _turned_constant(graph, name) for name in operands]
        made = graph.output_of(layer.name)
        tensor = before.add(layer, inputs, shape, graph.types[made].dtype)  # Where reads booleans first
    before.take_over(tensor)
    for layer in [*reversed(chain[:-1]), product]:
        graph.remove(layer.name)
    drop_unread(graph, [columns])


def _turned_constant(graph: Graph, name: str) -> str:
    """A constant operand of a function for results that are turned."""
    value = np.atleast_2d(graph.constants[name])
    if value.shape[-2:] == (1, 1):
        return name
    return graph.add_constant(f"{name}.turned", np.ascontiguousarray(value.swapaxes(-1, -2)))


def _on_turned(graph: Graph, before: LayersBefore, layer: Layer, tensor: str) -> str:
    """What a layer makes of a tensor that is turned."""
    result = result_type(graph, layer)
    shape = _swapped(result.shape)
    same = replace(layer, shape=shape) if isinstance(layer, Reshape) else layer
    return before.add(same, [tensor, *graph.inputs_of(layer.name)[1:]], shape, result.dtype)


def _turned_product(graph: Graph, before: LayersBefore, product: Layer, weight: str | None = None) -> str:
    """The product with its operands swapped and turned; of its weight if that is given turned already."""
    assert isinstance(product, MatMul)
    x, w, *numbers = graph.inputs_of(product.name)
    rows, columns = weight or _transposed(before, required(w)), required(x)
    result = result_type(graph, product)
    turned = replace(product, src_zero=product.weight_zero, weight_zero=product.src_zero)
    inputs = [rows, _transposed(before, columns), *numbers]
    return before.add(turned, inputs, _swapped(result.shape), result.dtype)


def _put_in_place(graph: Graph, before: LayersBefore, layer: Layer, chain: list[Layer], turned: str) -> None:
    """Let a tensor, turned, be the result of a layer; what led to it goes."""
    before.take_over(_transposed(before, turned))
    for above in chain:
        graph.remove(above.name)


def _transposed(before: LayersBefore, tensor: str) -> str:
    return before.transposed(tensor, _swapped(tuple(range(len(before.shape(tensor))))))


def _swapped(axes: Shape) -> Shape:
    """Axes with the two innermost ones swapped."""
    return (*axes[:-2], axes[-1], axes[-2])


TURN_PRODUCTS = Pass("turn-products", _run)

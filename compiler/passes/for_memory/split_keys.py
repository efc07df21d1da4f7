"""split-keys: attention to more keys than a memory holds takes them in pieces, one after the other.

before:  y = matmul(softmax(matmul(q, k)), v)                        k: [1,8,40,4096], v: [1,8,4096,40]
after:   for every piece k', v' of the keys, m, l and o from the one before (the first has none of them):
             s = matmul(q, k');  n = max(m, reduce.max(s));  p = exp(s - n);  f = exp(m - n)
             l' = l * f + reduce.sum(p);  o' = o * f + matmul(p, v');  m' = n
         y = o / l

A row of scores needs all keys on chip, and a row of y all values; where a head has more of them than fit,
scores would visit DRAM, which take far more bytes than anything else.  A piece of keys and values stays on
chip while all queries pass by: what visits DRAM are queries, running maxima, sums and outputs (Milakov and
Gimelshein 2018, Rabe and Staats 2021).  Masks, scales and other functions of scores come in pieces, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise, Layer, MatMul, Reshape, Softmax
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass, sole_consumer
from nnc.compiler.passes.drop_dead import drop_unread
from nnc.compiler.passes.layers_before import LayersBefore
from nnc.compiler.passes.turn_products import is_function, is_product, keeps_matrices
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING
from nnc.isa.functions import Function, ReduceFunction
from nnc.isa.integers import ceil_div, round_up
from nnc.isa.types import DType

_LOWEST = float(np.finfo(np.float32).min)
"""What maxima are not below: the powers of masked scores, -inf, are 0 beside it, and not undefined."""

_Scores = tuple[MatMul, tuple[tuple[Layer, int], ...]]
"""A product of queries and keys, and the layers behind it, each with the slot of its operand."""
_Taken = dict[tuple[str, int, int, int], str]
"""Pieces of constants by constant, axis, first element and count."""


@dataclass(frozen=True, slots=True)
class _Attention:
    """A product of queries and keys, what is made of it up to a softmax, and the product with values.

    Attributes:
        scores: the product; made: the layers behind it up to the softmax, each with the slot of its operand.
        softmax: behind them; views: behind the softmax; last: the product with values.
    """

    scores: MatMul
    made: tuple[tuple[Layer, int], ...]
    softmax: Softmax
    views: tuple[Reshape, ...]
    last: MatMul


def _run(graph: Graph, target: Target) -> None:
    if target.map == "pixels" or target.memory_bytes == 0:  # rows are whole channels there
        return
    taken: _Taken = {}
    for layer in graph.layers():
        if isinstance(layer, Softmax) and (found := _attention(graph, layer)) is not None:
            keys = _keys_of_piece(graph, target, found)
            if keys is not None:
                _split(graph, found, keys, taken)


def _attention(graph: Graph, softmax: Softmax) -> _Attention | None:
    """The attention around a softmax of rows of reals, if nobody else reads what is between."""
    tensor, views = graph.output_of(softmax.name), list[Reshape]()
    type_ = graph.types[tensor]
    if (
        softmax.log
        or softmax.axis != len(type_.shape) - 1
        or type_.dtype is not DType.F32
        or 0 in type_.shape
    ):
        return None  # halves would be rounded between
    while (reader := sole_consumer(graph, tensor)) is not None:
        layer, slot = reader
        if isinstance(layer, MatMul):
            operands = graph.inputs_of(layer.name)
            is_last = slot == 0 and is_product(graph, layer) and not any(operands[2:])
            scores = _scores(graph, required(graph.inputs_of(softmax.name)[0]))
            if not is_last or scores is None or layer.act is not Function.IDENTITY:
                return None
            return _Attention(*scores, softmax, tuple(views), layer)
        if not isinstance(layer, Reshape) or not keeps_matrices(graph, layer):
            return None
        views.append(layer)
        tensor = graph.output_of(layer.name)
    return None


def _scores(graph: Graph, tensor: str, depth: int = 0) -> _Scores | None:
    """The product that a tensor is made of by functions and views that nobody else reads, and these."""
    layer = graph.producer(tensor)
    if layer is None or sole_consumer(graph, tensor) is None or graph.types[tensor].dtype is not DType.F32:
        return None
    if isinstance(layer, MatMul) and is_product(graph, layer):
        return layer, ()
    is_view = isinstance(layer, Reshape) and keeps_matrices(graph, layer)
    if depth < TUNING.split_keys.max_score_layers and (is_view or isinstance(layer, Elementwise)):
        for slot, operand in enumerate(graph.inputs_of(layer.name)):
            if operand and (is_view or graph.types[operand].shape == graph.types[tensor].shape):
                above = _scores(graph, operand, depth + 1)
                if above is not None:
                    return above[0], (*above[1], (layer, slot))
    return None


def _keys_of_piece(graph: Graph, target: Target, found: _Attention) -> int | None:
    """How many keys are in a piece; None if all are one, because they fit or because pieces would not pay.

    A core alone works head by head; several cores that share heads have all of theirs at once.  Where only
    bytes count, one core takes one head after the other rather than that keys come in more pieces.
    """
    tensors = [required(graph.operand(layer.name, 1)) for layer in (found.scores, found.last)]
    types, memory = [graph.types[tensor] for tensor in tensors], target.memory_bytes
    tuning, multiple = TUNING.split_keys, TUNING.split_keys.key_multiple
    if any(_is_as_large(graph, layer, slot) for layer, slot in found.made):
        return None
    *batch, queries, _ = graph.types[graph.output_of(found.scores.name)].shape
    cores = 1 if target.objective == "traffic" else target.sharing_cores
    mine = min(tuning.max_heads, ceil_div(max(batch, default=1), cores)) if cores > 1 else 1
    nbytes = sum(prod(type_.shape[-2:]) * type_.dtype.itemsize for type_ in types) * mine
    if not batch or nbytes * 8 <= memory * tuning.max_whole_eighths:
        return None
    width, (*_, extent, outputs) = types[0].shape[-2], types[1].shape
    most = memory * extent // (nbytes * TUNING.passes.piece_share) // multiple * multiple
    keys = round_up(ceil_div(extent, ceil_div(extent, max(most, multiple))), multiple)
    pieces = ceil_div(extent, keys)
    gain = extent * tuning.score_visits / (pieces * (width + 2 * outputs))
    is_worth_it = gain >= tuning.min_gain and queries * tuning.score_visits >= width + outputs
    return keys if 1 < pieces <= tuning.max_pieces and is_worth_it else None


def _is_as_large(graph: Graph, layer: Layer, slot: int) -> bool:
    """Whether a layer reads another result of as many elements as scores: it visits DRAM as they do."""
    mine = graph.types[graph.output_of(layer.name)].elements
    others = [tensor for at, tensor in enumerate(graph.inputs_of(layer.name)) if at != slot and tensor]
    return any(graph.types[one].elements >= mine and not graph.is_constant(one) for one in others)


class _Piece:
    """What is made of scores for a piece of the keys: those from `first` to `end`.

    What of constants belongs to a piece is `taken` once for all layers that share a mask.
    """

    def __init__(self, graph: Graph, before: LayersBefore, first: int, end: int, taken: _Taken) -> None:
        self._graph, self._before, self._taken = graph, before, taken
        self._first, self._count = first, end - first

    def of(self, tensor: str, axis: int) -> str:
        """What of a tensor belongs to these keys, which run along an axis (counted from the last)."""
        shape = self._graph.types[tensor].shape
        place = len(shape) + axis
        mine = (*shape[:place], self._count, *shape[place + 1 :])
        if not self._graph.is_constant(tensor):
            return self._before.sliced(tensor, place, self._first, mine)
        key = tensor, place, self._first, self._count
        if key not in self._taken:
            value = self._graph.constants[tensor]
            taken = np.ascontiguousarray(value.take(range(self._first, self._first + self._count), axis))
            self._taken[key] = self._graph.add_constant(f"{tensor}.{self._first}", taken)
        return self._taken[key]

    def made(self, layer: Layer, inputs: Sequence[str | None]) -> str:
        """The result of a layer for these keys, of operands for them."""
        type_ = self._graph.types[self._graph.output_of(layer.name)]
        shape = (*type_.shape[:-1], self._count)
        same = replace(layer, shape=shape) if isinstance(layer, Reshape) else layer
        return self._before.add(same, inputs, shape, type_.dtype)

    def scores(self, found: _Attention) -> str:
        """The scores of these keys, as the softmax would read them."""
        graph = self._graph
        queries, keys, *others = graph.inputs_of(found.scores.name)
        tensor = self.made(found.scores, [queries, self.of(required(keys), -1), *others])
        for layer, mine in found.made:
            extent = graph.types[graph.output_of(layer.name)].shape[-1]
            inputs = [
                tensor if slot == mine else operand and self._of_all(operand, extent)
                for slot, operand in enumerate(graph.inputs_of(layer.name))
            ]
            tensor = self.made(layer, inputs)
        return tensor

    def _of_all(self, tensor: str, extent: int) -> str:
        """What of an operand that is broadcast to scores belongs to these keys."""
        shape = self._graph.types[tensor].shape
        return self.of(tensor, -1) if shape and shape[-1] == extent > 1 else tensor


def _split(graph: Graph, found: _Attention, keys: int, taken: _Taken) -> None:
    before, axis = LayersBefore(graph, found.last), found.softmax.axis
    shares, values = (required(tensor) for tensor in graph.inputs_of(found.last.name)[:2])
    extent, shape = graph.types[values].shape[-2], graph.types[graph.output_of(found.last.name)].shape
    most, total, result = _lowest(graph, found), "", ""
    for first in range(0, extent, keys):
        piece = _Piece(graph, before, first, min(first + keys, extent), taken)
        scores = piece.scores(found)
        largest, old = before.fold(ReduceFunction.MAX, scores, (axis,)), most
        most = before.function(Function.MAX, largest, old) if old else largest
        powers = before.function(Function.EXP, before.function(Function.SUB, scores, most))
        new = before.fold(ReduceFunction.SUM, powers, (axis,))
        product = before.add(found.last, [_viewed(before, found, powers), piece.of(values, -2)], shape)
        if result:
            fade = before.function(Function.EXP, before.function(Function.SUB, old, most))
            new = before.function(Function.ADD, before.function(Function.MUL, total, fade), new)
            faded = before.function(Function.MUL, result, _viewed(before, found, fade))
            product = before.function(Function.ADD, product, faded)
        total, result = new, product
    share = _viewed(before, found, before.function(Function.RECIPROCAL, total))
    before.take_over(before.function(Function.MUL, result, share))
    drop_unread(graph, [shares, values])


def _lowest(graph: Graph, found: _Attention) -> str:
    """The constant that maxima start with where functions may mask scores; else nothing."""
    functions = [layer for layer, _ in found.made if isinstance(layer, Elementwise)]
    if all(is_function(graph, layer) for layer in functions):
        return ""
    lowest = np.full((1,) * (found.softmax.axis + 1), _LOWEST, np.float32)
    return graph.add_constant(f"{found.softmax.name}.lowest", lowest)


def _viewed(before: LayersBefore, found: _Attention, tensor: str) -> str:
    """What rows of a piece, or a number for each of them, become by the views behind the softmax."""
    for view in found.views:
        tensor = before.reshaped(tensor, (*view.shape[:-1], before.shape(tensor)[-1]))
    return tensor


SPLIT_KEYS = Pass("split-keys", _run)

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
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.drop_dead import drop_unread
from nnc.compiler.passes.layers_before import LayersBefore
from nnc.compiler.passes.matching import (
    layers_of,
    made_for_one,
    result_type,
    sole_reader,
    source_of,
    views_below,
)
from nnc.compiler.passes.turn_products import is_function, is_product, keeps_matrices
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING
from nnc.isa.functions import Function, ReduceFunction
from nnc.isa.integers import ceil_div, round_up
from nnc.isa.types import DType

_LOWEST = float(np.finfo(np.float32).min)
"""What maxima are not below: the powers of masked scores, -inf, are 0 beside it, and not undefined."""

_Made = tuple[tuple[Layer, int], ...]
"""Layers one behind the other, each with the slot of its operand."""
_Taken = dict[tuple[str, int, int, int], str]
"""Pieces of constants by constant, axis, first element and count."""


@dataclass(frozen=True, slots=True)
class _Attention:
    """A product of queries and keys, what is made of it up to a softmax, and the product with values.

    Attributes:
        scores: the product; made: the layers behind it up to the softmax.
        softmax: behind them; views: behind the softmax; last: the product with values.
    """

    scores: MatMul
    made: _Made
    softmax: Softmax
    views: list[Reshape]
    last: MatMul


def _run(graph: Graph, target: Target) -> None:
    if target.map == "pixels" or target.memory_bytes == 0:  # rows are whole channels there
        return
    taken: _Taken = {}
    for softmax in layers_of(graph, Softmax):
        attention = _attention(graph, softmax)
        keys = None if attention is None else _keys_of_piece(graph, target, attention)
        if attention is not None and keys is not None:
            _split(graph, attention, keys, taken)


def _attention(graph: Graph, softmax: Softmax) -> _Attention | None:
    """The attention around a softmax of rows of reals, if nobody else reads what is between."""
    tensor, views = views_below(graph, graph.output_of(softmax.name), Reshape)
    last = sole_reader(graph, tensor, MatMul, slot=0)
    if last is None or not _is_of_rows(graph, softmax):
        return None
    is_plain = is_product(graph, last) and not any(graph.inputs_of(last.name)[2:])
    scores = _scores(graph, source_of(graph, softmax)) if last.act is Function.IDENTITY else None
    if scores is None or not is_plain or not all(keeps_matrices(graph, view) for view in views):
        return None
    return _Attention(*scores, softmax, views, last)


def _is_of_rows(graph: Graph, softmax: Softmax) -> bool:
    """Whether a softmax is one of rows of f32: halves would be rounded between."""
    type_ = result_type(graph, softmax)
    is_last = softmax.axis == len(type_.shape) - 1 and 0 not in type_.shape
    return is_last and not softmax.log and type_.dtype is DType.F32


def _scores(graph: Graph, tensor: str, depth: int = 0) -> tuple[MatMul, _Made] | None:
    """The product that a tensor is made of by functions and views that nobody else reads, and these."""
    layer = made_for_one(graph, tensor, MatMul, Reshape, Elementwise)
    if layer is None or graph.types[tensor].dtype is not DType.F32:
        return None
    if isinstance(layer, MatMul):
        return (layer, ()) if is_product(graph, layer) else None
    for slot in _slots_of_scores(graph, layer) if depth < TUNING.split_keys.max_score_layers else ():
        above = _scores(graph, required(graph.inputs_of(layer.name)[slot]), depth + 1)
        if above is not None:
            return above[0], (*above[1], (layer, slot))
    return None


def _slots_of_scores(graph: Graph, layer: Layer) -> list[int]:
    """Operands of which a layer makes scores element by element, or views."""
    if isinstance(layer, Reshape):
        return [0] if keeps_matrices(graph, layer) else []
    shape, inputs = result_type(graph, layer).shape, enumerate(graph.inputs_of(layer.name))
    return [slot for slot, tensor in inputs if tensor and graph.types[tensor].shape == shape]


def _keys_of_piece(graph: Graph, target: Target, attention: _Attention) -> int | None:
    """How many keys are in a piece; None if all are one, because they fit or because pieces would not pay."""
    tuning, multiple, memory = TUNING.split_keys, TUNING.split_keys.key_multiple, target.memory_bytes
    types = [graph.types[required(graph.operand(x.name, 1))] for x in (attention.scores, attention.last)]
    *batch, queries, _ = result_type(graph, attention.scores).shape
    matrices = sum(prod(type_.shape[-2:]) * type_.dtype.itemsize for type_ in types)
    nbytes = matrices * _heads_at_once(target, max(batch, default=0))
    are_dear = any(_is_as_large(graph, layer, slot) for layer, slot in attention.made)
    if are_dear or nbytes * 8 <= memory * tuning.max_whole_eighths:
        return None
    width, (*_, extent, outputs) = types[0].shape[-2], types[1].shape
    most = memory * extent // (nbytes * TUNING.passes.piece_share) // multiple * multiple
    keys = round_up(ceil_div(extent, ceil_div(extent, max(most, multiple))), multiple)
    pieces = ceil_div(extent, keys)
    gain = extent * tuning.score_visits / (pieces * (width + 2 * outputs))
    is_worth_it = gain >= tuning.min_gain and queries * tuning.score_visits >= width + outputs
    return keys if 1 < pieces <= tuning.max_pieces and is_worth_it else None


def _heads_at_once(target: Target, heads: int) -> int:
    """How many of so many heads are on chip at the same time; none of none.

    A core alone works head by head; several cores that share heads have all of theirs at once.  Where only
    bytes count, one core takes one head after the other rather than that keys come in more pieces.
    """
    cores = 1 if target.objective == "traffic" else target.sharing_cores
    return min(heads, 1 if cores == 1 else min(TUNING.split_keys.max_heads, ceil_div(heads, cores)))


def _is_as_large(graph: Graph, layer: Layer, slot: int) -> bool:
    """Whether a layer reads another result of as many elements as scores: it visits DRAM as they do."""
    elements, inputs = result_type(graph, layer).elements, enumerate(graph.inputs_of(layer.name))
    others = (tensor for place, tensor in inputs if place != slot and tensor)
    return any(graph.types[t].elements >= elements and not graph.is_constant(t) for t in others)


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
        extents = (*shape[:place], self._count, *shape[place + 1 :])
        if not self._graph.is_constant(tensor):
            return self._before.sliced(tensor, place, self._first, extents)
        key = tensor, place, self._first, self._count
        if key not in self._taken:
            value = self._graph.constants[tensor]
            taken = np.ascontiguousarray(value.take(range(self._first, self._first + self._count), axis))
            self._taken[key] = self._graph.add_constant(f"{tensor}.{self._first}", taken)
        return self._taken[key]

    def made(self, layer: Layer, inputs: Sequence[str | None]) -> str:
        """The result of a layer for these keys, of operands for them."""
        type_ = result_type(self._graph, layer)
        shape = (*type_.shape[:-1], self._count)
        same = replace(layer, shape=shape) if isinstance(layer, Reshape) else layer
        return self._before.add(same, inputs, shape, type_.dtype)

    def scores(self, attention: _Attention) -> str:
        """The scores of these keys, as the softmax would read them."""
        graph = self._graph
        queries, keys, *others = graph.inputs_of(attention.scores.name)
        tensor = self.made(attention.scores, [queries, self.of(required(keys), -1), *others])
        for layer, made_slot in attention.made:
            extent = result_type(graph, layer).shape[-1]
            inputs = [
                tensor if slot == made_slot else operand and self._of_all(operand, extent)
                for slot, operand in enumerate(graph.inputs_of(layer.name))
            ]
            tensor = self.made(layer, inputs)
        return tensor

    def _of_all(self, tensor: str, extent: int) -> str:
        """What of an operand that is broadcast to scores belongs to these keys."""
        shape = self._graph.types[tensor].shape
        return self.of(tensor, -1) if shape and shape[-1] == extent > 1 else tensor


def _split(graph: Graph, attention: _Attention, keys: int, taken: _Taken) -> None:
    before, axis = LayersBefore(graph, attention.last), attention.softmax.axis
    shares, values = (required(tensor) for tensor in graph.inputs_of(attention.last.name)[:2])
    extent, shape = graph.types[values].shape[-2], result_type(graph, attention.last).shape
    most, total, result = _lowest(graph, attention), "", ""
    for first in range(0, extent, keys):
        piece = _Piece(graph, before, first, min(first + keys, extent), taken)
        scores = piece.scores(attention)
        largest, old = before.fold(ReduceFunction.MAX, scores, (axis,)), most
        most = before.function(Function.MAX, largest, old) if old else largest
        powers = before.function(Function.EXP, before.function(Function.SUB, scores, most))
        new = before.fold(ReduceFunction.SUM, powers, (axis,))
        operands = [_viewed(before, attention, powers), piece.of(values, -2)]
        product = before.add(attention.last, operands, shape)
        if result:
            fade = before.function(Function.EXP, before.function(Function.SUB, old, most))
            new = before.function(Function.ADD, before.function(Function.MUL, total, fade), new)
            faded = before.function(Function.MUL, result, _viewed(before, attention, fade))
            product = before.function(Function.ADD, product, faded)
        total, result = new, product
    share = _viewed(before, attention, before.function(Function.RECIPROCAL, total))
    before.take_over(before.function(Function.MUL, result, share))
    drop_unread(graph, [shares, values])


def _lowest(graph: Graph, attention: _Attention) -> str:
    """The constant that maxima start with where functions may mask scores; else nothing."""
    functions = [layer for layer, _ in attention.made if isinstance(layer, Elementwise)]
    if all(is_function(graph, layer) for layer in functions):
        return ""
    lowest = np.full((1,) * (attention.softmax.axis + 1), _LOWEST, np.float32)
    return graph.add_constant(f"{attention.softmax.name}.lowest", lowest)


def _viewed(before: LayersBefore, attention: _Attention, tensor: str) -> str:
    """What rows of a piece, or a number for each of them, become by the views behind the softmax."""
    for view in attention.views:
        tensor = before.reshaped(tensor, (*view.shape[:-1], before.shape(tensor)[-1]))
    return tensor


SPLIT_KEYS = Pass("split-keys", _run)

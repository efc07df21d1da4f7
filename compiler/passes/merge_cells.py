"""merge-cells: functions of gates that make the next state of a recurrent network become one layer.

before:  c' = sigmoid(f) * c + sigmoid(i) * tanh(g);  h' = sigmoid(o) * tanh(c')
after:   c' = lstm_state(c, f, i, g);                 h' = gated_tanh(o, c')

before:  n = tanh(x + sigmoid(r) * a);  h' = n + sigmoid(z) * (h - n)
after:   h' = gru_state(h, z, r, a, x)

A step has a few hundred elements, so every layer costs more than what it computes.  Functions that can be in
the epilogues of products of their own stay there.
"""

from __future__ import annotations

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise, MacLayer
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.drop_dead import drop_unread
from nnc.compiler.passes.matching import (
    either_way,
    functions_of,
    made_by,
    made_for_one,
    operands_of,
    result_type,
    source_of,
)
from nnc.compiler.target.target import Target
from nnc.isa.functions import Function


def _run(graph: Graph, _target: Target) -> None:
    for layer in functions_of(graph, Function.MUL, Function.ADD):
        if layer.params or len(graph.inputs_of(layer.name)) != 2:
            continue
        if layer.function is Function.MUL:
            _merge(graph, layer, Function.GATED_TANH, _gated_tanh(graph, layer))
        else:
            _merge(graph, layer, Function.LSTM_STATE, _lstm_state(graph, layer))
            _merge(graph, layer, Function.GRU_STATE, _gru_state(graph, layer))


def _merge(graph: Graph, layer: Elementwise, function: Function, sources: list[str] | None) -> None:
    """Let a layer compute a function of other tensors, if there are such, all of its type."""
    type_ = result_type(graph, layer)
    if sources is None or not type_.dtype.is_float or {graph.types[source] for source in sources} != {type_}:
        return
    unread = graph.inputs_of(layer.name)
    graph.replace(Elementwise(name=layer.name, loc=layer.loc, function=function))
    graph.set_inputs(layer.name, sources)
    drop_unread(graph, unread)


def _gated_tanh(graph: Graph, layer: Elementwise) -> list[str] | None:
    """(i, g) of sigmoid(i) · tanh(g), unless both are functions of products that could take them in."""
    for left, right in either_way(graph, layer):
        gate, new = _of(graph, left, Function.SIGMOID), _of(graph, right, Function.TANH)
        if gate is not None and new is not None:
            takes_in = all(made_for_one(graph, tensor, MacLayer) for tensor in (gate, new))
            return None if takes_in else [gate, new]
    return None


def _lstm_state(graph: Graph, layer: Elementwise) -> list[str] | None:
    """(c, f, i, g) of sigmoid(f) · c + gated_tanh(i, g)."""
    for kept, taken in either_way(graph, layer):
        new = _function(graph, taken, Function.GATED_TANH)
        product = _function(graph, kept, Function.MUL)
        gated = None if product is None else _gated(graph, product)
        if new is not None and gated is not None:
            return [*gated, *operands_of(graph, new)]
    return None


def _gru_state(graph: Graph, layer: Elementwise) -> list[str] | None:
    """(h, z, r, a, x) of n + sigmoid(z) · (h − n) with n = tanh(x + sigmoid(r) · a)."""
    for new, change in either_way(graph, layer):
        product, tanh = _function(graph, change, Function.MUL), made_by(graph, new, Elementwise)
        gated = None if product is None else _gated(graph, product)
        if gated is None or tanh is None or tanh.function is not Function.TANH:
            continue
        difference = _function(graph, gated[0], Function.SUB)
        inside = _new(graph, source_of(graph, tanh))
        if difference is None or difference.params or inside is None or len(graph.consumers(new)) != 2:
            continue
        state, subtracted = operands_of(graph, difference)
        if subtracted == new and new not in graph.outputs:
            return [state, gated[1], *inside]
    return None


def _new(graph: Graph, tensor: str) -> list[str] | None:
    """(r, a, x) of a tensor x + sigmoid(r) · a."""
    total = _function(graph, tensor, Function.ADD)
    for inputs, product in [] if total is None else either_way(graph, total):
        factor = _function(graph, product, Function.MUL)
        gated = None if factor is None else _gated(graph, factor)
        if gated is not None:
            return [gated[1], gated[0], inputs]
    return None


def _gated(graph: Graph, product: Elementwise) -> list[str] | None:
    """(x, gate) of a product x · sigmoid(gate)."""
    for x, factor in either_way(graph, product):
        gate = _of(graph, factor, Function.SIGMOID)
        if gate is not None:
            return [x, gate]
    return None


def _of(graph: Graph, tensor: str, function: Function) -> str | None:
    """What a tensor is a function of, for one reader."""
    layer = _function(graph, tensor, function)
    return None if layer is None else source_of(graph, layer)


def _function(graph: Graph, tensor: str, function: Function) -> Elementwise | None:
    """The layer that makes a tensor for one reader, if it computes this function of numbers as they are."""
    layer = made_for_one(graph, tensor, Elementwise)
    fits = layer is not None and layer.function is function and not (layer.src_scales or layer.params)
    return layer if fits else None


MERGE_CELLS = Pass("merge-cells", _run)

"""split-sums: a sum of very many tensors becomes sums of few, one behind the other.

before:  y = add(x0, x1, …, x19)
after:   p = add(x0, …, x7);  q = add(p, x8, …, x14);  y = add(q, x15, …, x19)

All operands of a layer are on chip at the same time, at least some rows of each; in between, memory is freed.
The order of the additions stays, so no bit changes.  What several sums begin with is computed once: where
every layer reads the sum of all before it, layers have few operands in all.  Maxima, minima and means are
split likewise.  Sums of halves are not: what is between would be rounded to halves, too.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.layers import Elementwise
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.matching import functions_of, source_type
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING
from nnc.isa.functions import Function
from nnc.isa.types import DType

_FUNCTIONS = {function: function for function in (Function.ADD, Function.MAX, Function.MIN)}
_FUNCTIONS[Function.MEAN] = Function.ADD

_Begun = dict[tuple[Function, tuple[str, ...]], str]
"""What was computed of the first operands of a sum."""


def _run(graph: Graph, _target: Target) -> None:
    begun: _Begun = {}
    for layer in functions_of(graph, *_FUNCTIONS):
        if _is_long(graph, layer):
            _split(graph, layer, begun)


def _is_long(graph: Graph, layer: Elementwise) -> bool:
    """Whether a layer has many operands, and rounds nothing that a sum of some of them would not round."""
    if layer.params or len(graph.inputs_of(layer.name)) <= TUNING.passes.max_sum_operands:
        return False
    if layer.function in (Function.MAX, Function.MIN):
        return True
    dtype = source_type(graph, layer).dtype
    return dtype is DType.F32 or (layer.function is Function.ADD and not dtype.is_float)


def _split(graph: Graph, layer: Elementwise, begun: _Begun) -> None:
    function, tensors = _FUNCTIONS[layer.function], [*map(required, graph.inputs_of(layer.name))]
    while len(tensors) > TUNING.passes.max_sum_operands:
        key = function, tuple(tensors[: TUNING.passes.max_sum_operands])
        if key not in begun:
            begun[key] = _partial(graph, layer, *key)
        tensors[: TUNING.passes.max_sum_operands] = [begun[key]]
    if layer.function is not Function.MEAN:
        graph.set_inputs(layer.name, tensors)
        return
    count = float(len(graph.inputs_of(layer.name)))
    whole = _partial(graph, layer, function, tuple(tensors)) if len(tensors) > 1 else tensors[0]
    graph.replace(replace(layer, function=Function.DIV, params=(count,)))
    graph.set_inputs(layer.name, [whole])


def _partial(graph: Graph, layer: Elementwise, function: Function, tensors: tuple[str, ...]) -> str:
    """A function of some operands of a layer, computed before it."""
    name, types = graph.fresh(f"{layer.name}.part"), [graph.types[tensor] for tensor in tensors]
    type_ = TensorType(types[0].dtype, np.broadcast_shapes(*(operand_type.shape for operand_type in types)))
    graph.add(replace(layer, name=name, function=function), tensors, [name], [type_], before=layer.name)
    return name


SPLIT_SUMS = Pass("split-sums", _run)

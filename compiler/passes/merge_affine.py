"""merge-affine: two affine layers in a row become one.

before:  y = scale_shift(x, s, t);  z = mul(y, c)        with constants s, t, c
after:   z = scale_shift(x, s·c, t·c)

Old exporters write a batch norm and then its scale and bias as layers of their own.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nnc.compiler.ir.graph import Graph
from nnc.compiler.passes.affine import Affine, affine_of
from nnc.compiler.passes.base import Pass, sole_consumer
from nnc.compiler.target.target import Target
from nnc.isa.functions import Function


def _merge(graph: Graph, first: Affine) -> bool:
    """Merge a layer with the affine layer that alone reads its result, if there is one."""
    user = sole_consumer(graph, graph.output_of(first.layer.name))
    second = None if user is None else affine_of(graph, user[0])
    if second is None:
        return False
    merged = second.after(first)
    if merged is None:
        return False  # each alone keeps what the product of both would lose
    scale, shift = merged
    constants = [value for value in (scale, shift) if value is not None]
    before = sum(v.size for a in (first, second) for v in (a.scale, a.shift) if v is not None)
    if sum(value.size for value in constants) > before:
        return False  # a row times a column is a whole table
    name = first.layer.name
    names = [graph.add_constant(f"{name}.merged", np.ascontiguousarray(value)) for value in constants]
    function = Function.SCALE_SHIFT if len(names) == 2 else Function.ADD if scale is None else Function.MUL
    source = graph.inputs_of(name)[first.slot]
    graph.replace(replace(first.layer, function=function))
    graph.set_inputs(name, [source, *names])
    graph.take_over_output(name, graph.output_of(second.layer.name))
    return True


def _run(graph: Graph, _target: Target) -> None:
    for layer in graph.layers():
        if layer.name not in graph:
            continue  # merged into an earlier one
        while (first := affine_of(graph, graph.layer(layer.name))) is not None and _merge(graph, first):
            pass


MERGE_AFFINE = Pass("merge-affine", _run)

"""merge-affine: two affine layers in a row become one.

before:  y = scale_shift(x, s, t);  z = mul(y, c)        with constants s, t, c
after:   z = scale_shift(x, s·c, t·c)

Old exporters write a batch norm and then its scale and bias as layers of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise
from nnc.compiler.passes.affine import Affine, Array, affine_of
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.matching import layers_of, sole_reader
from nnc.compiler.target.target import Target
from nnc.isa.functions import Function


def _run(graph: Graph, _target: Target) -> None:
    for layer in layers_of(graph, Elementwise):
        while (pair := _pair(graph, layer.name)) is not None and _merge(graph, *pair):
            pass


def _pair(graph: Graph, name: str) -> tuple[Affine, Affine] | None:
    """An affine layer, and the one that alone reads its result."""
    user = sole_reader(graph, graph.output_of(name), Elementwise)
    first, second = affine_of(graph, graph.layer(name)), None if user is None else affine_of(graph, user)
    return None if first is None or second is None else (first, second)


def _merge(graph: Graph, first: Affine, second: Affine) -> bool:
    """Merge two layers, unless each alone keeps what both would lose, or needs fewer constants."""
    merged = second.after(first)
    if merged is None:
        return False
    scale, _ = merged
    if _elements(merged) > _elements((first.scale, first.shift, second.scale, second.shift)):
        return False  # a row times a column is a whole table
    name = first.layer.name
    constants = [np.ascontiguousarray(value) for value in merged if value is not None]
    names = [graph.add_constant(f"{name}.merged", value) for value in constants]
    function = Function.SCALE_SHIFT if len(names) == 2 else Function.ADD if scale is None else Function.MUL
    x = graph.inputs_of(name)[first.slot]
    graph.replace(replace(first.layer, function=function))
    graph.set_inputs(name, [x, *names])
    graph.take_over_output(name, graph.output_of(second.layer.name))
    return True


def _elements(values: Iterable[Array | None]) -> int:
    return sum(value.size for value in values if value is not None)


MERGE_AFFINE = Pass("merge-affine", _run)

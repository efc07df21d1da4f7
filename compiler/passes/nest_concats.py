"""nest-concats: operands that two concats have in common, one after the other, are put together once.

before:  y = concat(a, b);  z = concat(a, b, c)         a and b lie in y, and are copied to z
after:   y = concat(a, b);  z = concat(y, c)            all lie in z

In a dense block every layer reads the concat of all before it: all of these are boxes of the last one.
"""

from __future__ import annotations

from collections import defaultdict

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Concat
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.target.target import Target

_Concats = dict[tuple[int, str, str], list[tuple[tuple[str, ...], str]]]
"""By axis and first two operands: all operands of a concat, as they were, and its result."""


def nest_concats(graph: Graph) -> None:
    """Replace operands of concats by other concats, the longest first."""
    concats: _Concats = defaultdict(list)
    for layer in graph.layers():
        if not isinstance(layer, Concat):
            continue
        operands, result = tuple(map(required, graph.inputs_of(layer.name))), graph.output_of(layer.name)
        nested = _nested(operands, layer.axis, concats)
        if len(nested) > 1:
            graph.set_inputs(layer.name, nested)
        elif len(operands) > 1 and result not in graph.outputs:
            graph.rewire(result, nested[0])
            graph.remove(layer.name)
            continue
        if len(operands) > 1:
            concats[layer.axis, operands[0], operands[1]].append((operands, result))


def _nested(operands: tuple[str, ...], axis: int, concats: _Concats) -> list[str]:
    """The operands, with those that other concats have put together as one."""
    nested, first = list[str](), 0
    while first < len(operands):
        begun = (
            concats.get((axis, operands[first], operands[first + 1]), []) if first + 1 < len(operands) else []
        )
        fitting = [
            (joined, whole) for joined, whole in begun if operands[first : first + len(joined)] == joined
        ]
        taken, tensor = max(
            fitting, key=lambda candidate: len(candidate[0]), default=((operands[first],), operands[first])
        )
        nested.append(tensor)
        first += len(taken)
    return nested


def _run(graph: Graph, _target: Target) -> None:
    nest_concats(graph)


NEST_CONCATS = Pass("nest-concats", _run)

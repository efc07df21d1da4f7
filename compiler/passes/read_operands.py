"""read-operands: a layer that reads elements of one operand of a concat only reads that operand.

before:  y = concat(a, b);  z = slice(y)                the slice lies in b
after:   z = slice(b)

So a recurrence of two directions of which a network reads one computes one: what made the other is dead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.inference.infer import infer
from nnc.compiler.ir.layers import Concat, Conv, GatherElements, Layer, Pool, Slice
from nnc.compiler.ir.regions.operand_boxes import Boxes, needed
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.matching import layers_of, operands_of
from nnc.compiler.target.target import Target


def read_operands(graph: Graph) -> None:
    """Let layers read operands of concats wherever those hold all that they need."""
    for concat in layers_of(graph, Concat, upwards=True):  # one inside another is an operand by itself then
        for layer, slot in list(graph.consumers(graph.output_of(concat.name))):
            if slot == 0 and isinstance(layer, Slice | GatherElements | Pool | Conv):
                _read_operand(graph, concat, layer)


def _read_operand(graph: Graph, concat: Concat, layer: Layer) -> None:
    """Let a layer read the operand of a concat that its box lies in, if there is one that it can read."""
    tensors = graph.inputs_of(layer.name)
    shapes = [None if tensor is None else graph.types[tensor].shape for tensor in tensors]
    result = graph.types[graph.output_of(layer.name)]
    box = needed(layer, 0, Boxes.whole(result.shape), shapes, result.shape).boxes
    low, high = int(box.low[0, concat.axis]), int(box.high[0, concat.axis])
    for operand, first, end in _places(graph, concat):
        if not (first <= low and high <= end) or graph.is_constant(operand):
            continue
        moved = _moved(layer, concat.axis, first)
        types = [None if tensor is None else graph.types[tensor] for tensor in (operand, *tensors[1:])]
        # As many windows lie where they lay. None of their taps is in the padding that comes nearer.
        if moved is not None and infer(moved, types, dtype=result.dtype).shape == result.shape:
            graph.replace(moved)
            graph.set_inputs(layer.name, [operand, *tensors[1:]])
            return


def _places(graph: Graph, concat: Concat) -> Iterator[tuple[str, int, int]]:
    """The operands of a concat, each with where it begins and ends along its axis."""
    end = 0
    for operand in operands_of(graph, concat):
        first, end = end, end + graph.types[operand].shape[concat.axis]
        yield operand, first, end


def _moved(layer: Layer, axis: int, first: int) -> Layer | None:
    """The layer, where what it reads begins `first` elements earlier; None: only slices can be told so."""
    if isinstance(layer, Slice):
        start = [place - (first if own == axis else 0) for own, place in enumerate(layer.start)]
        return replace(layer, start=tuple(start))
    return None if first else layer


def _run(graph: Graph, _target: Target) -> None:
    read_operands(graph)


READ_OPERANDS = Pass("read-operands", _run)

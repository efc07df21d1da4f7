"""Affine layers: element-wise layers that compute x · scale + shift with constants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise, Layer
from nnc.compiler.ir.required import required
from nnc.isa.functions import Function

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Affine:
    """What an affine layer does to the operand in `slot`; scale and shift broadcast to its shape.

    Either is None where the layer has none.
    """

    layer: Elementwise
    slot: int
    scale: Array | None
    shift: Array | None

    def after(self, first: Affine) -> tuple[Array | None, Array | None]:
        """Scale and shift of this layer applied to the result of another."""
        scale = _product(first.scale, self.scale)
        shift = _product(first.shift, self.scale) if first.shift is not None else None
        if self.shift is not None:
            shift = self.shift if shift is None else np.add(shift, self.shift)
        return scale, shift


def _product(a: Array | None, b: Array | None) -> Array | None:
    if a is None or b is None:
        return b if a is None else a
    return np.asarray(np.multiply(a, b))


def affine_of(graph: Graph, layer: Layer) -> Affine | None:
    """The layer as an affine one, or None: its constants are floats that leave the shape as it is."""
    if not isinstance(layer, Elementwise) or layer.params:
        return None
    operands = [required(tensor) for tensor in graph.inputs_of(layer.name)]
    varying = [slot for slot, tensor in enumerate(operands) if not graph.is_constant(tensor)]
    if len(operands) < 2 or len(varying) != 1:
        return None
    slot = varying[0]
    type_ = graph.types[operands[slot]]
    if graph.types[graph.output_of(layer.name)] != type_ or not type_.dtype.is_float:
        return None
    values = [graph.constants[t] for t in operands if graph.is_constant(t)]
    match layer.function, slot:
        case Function.SCALE_SHIFT, 0:
            return Affine(layer, slot, values[0], values[1])
        case Function.MUL, _ if len(values) == 1:
            return Affine(layer, slot, values[0], None)
        case Function.ADD, _ if len(values) == 1:
            return Affine(layer, slot, None, values[0])
        case Function.SUB, 0:
            return Affine(layer, slot, None, np.negative(values[0]))
        case _:
            return None

"""Which layers of a quantised network work on 8-bit integers, and which on real numbers, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.isa.functions import Function
from nnc.isa.instructions.shape_checks import QUANTISED_TYPES

_UNSAID = "it is not between conversions"


@dataclass(frozen=True, slots=True)
class Precision:
    """Layers that compute, in a network some of whose layers work on 8-bit integers.

    Attributes:
        of_integers: layers with such operands or results.
        of_reals: other layers with results of real numbers, and why each is one.
        conversions: explicit conversions between the two.
    """

    of_integers: tuple[str, ...]
    of_reals: Mapping[str, str]
    conversions: tuple[str, ...]


def precision(canonical: Graph) -> Precision | None:
    """What works on what; None for a network without products or conversions of 8-bit integers.

    Tables of integers, of which rows are read, and weights in blocks are those of networks of real numbers.
    """
    integers, reals, conversions, has_products = [], {}, [], False
    for layer in canonical.layers():
        if layer.is_view:
            continue
        result = canonical.types[canonical.output_of(layer.name)].dtype
        tensors = (*canonical.inputs_of(layer.name), canonical.output_of(layer.name))
        dtypes = {canonical.types[tensor].dtype for tensor in tensors if tensor is not None}
        if isinstance(layer, ir.Elementwise) and layer.function in (Function.QUANTIZE, Function.DEQUANTIZE):
            conversions.append(layer.name)
        elif not (dtypes.isdisjoint(QUANTISED_TYPES) or isinstance(layer, ir.BlockMatMul)):
            integers.append(layer.name)
            has_products |= isinstance(layer, ir.MacLayer)
        elif result.is_float:
            reals[layer.name] = canonical.notes.not_quantised.get(layer.name, _UNSAID)
    if not has_products and not conversions:
        return None
    return Precision(tuple(integers), reals, tuple(conversions))

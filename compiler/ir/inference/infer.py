"""Shape inference: the type of a layer's result from the layer and the types of its operands alone.

It is written from the definitions of the layers and shares nothing with the code that builds graphs (the
importer, the passes, the planner), so that the verifier can hold their results against it.
"""

from __future__ import annotations

from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.inference import compute, views
from nnc.compiler.ir.inference.table import RULES, Given, Operands, Shape, misfit
from nnc.compiler.ir.layers import Layer
from nnc.isa.types import DType

__all__ = ["RULES", "Operands", "compute", "infer", "views"]


def infer(
    layer: Layer, operands: Operands, *, dtype: DType | None = None, tile: Shape | None = None
) -> TensorType:
    """The type of the result of a layer.

    Args:
        layer: any kind, whole or a tile of one.
        operands: types by operand slot, None for absent ones.
        dtype: element type of the result of a conversion, which the layer does not say.
        tile: extents of the result where the layer is a tile of a Resize or Pad, which does not say them.

    Raises:
        InternalError: the operands do not fit the layer or each other.
    """
    repeats = bool(layer.slots) and layer.slots[-1].endswith("…")
    if len(operands) > len(layer.slots) and not repeats:
        raise misfit(layer, f"{len(operands)} operands for the slots {', '.join(layer.slots)}")
    if (layer.slots and not operands) or None in operands[:1] or (repeats and None in operands):
        raise misfit(layer, "an operand is missing")
    return RULES[type(layer)](layer, operands, Given(dtype, tile))

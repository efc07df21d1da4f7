"""The algebra under partitioning: to compute this box of the output, which box of an operand is needed?

Every kind of layer answers that one question, for many boxes at once (arrays of shape [P, rank]), and says
how much padding remains on each side.  Tiling of any network is then a backward walk over these answers.
The rules are in ``compute`` (layers that compute) and ``views`` (layers that rename bytes).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.regions import compute, views
from nnc.compiler.ir.regions.boxes import RULES, Boxes, Ints, Need, Rule, Shape
from nnc.compiler.ir.required import required

__all__ = ["RULES", "Boxes", "Ints", "Need", "Rule", "Shape", "compute", "needed", "views"]


def needed_of_all(
    layer: ir.Layer, out: Boxes, shapes: Sequence[Shape | None], out_shape: Shape
) -> dict[int, Need]:
    """What the output boxes need of every operand that is there, by slot: see `needed`.

    Operands of a function of elements, of which there may be hundreds, are alike if their shapes are.
    """
    slots = [slot for slot, shape in enumerate(shapes) if shape is not None]
    if not isinstance(layer, ir.Elementwise):
        return {slot: needed(layer, slot, out, shapes, out_shape) for slot in slots}
    first: dict[Shape | None, int] = {}
    like = {slot: first.setdefault(shapes[slot], slot) for slot in slots}
    needs = {slot: needed(layer, slot, out, shapes, out_shape) for slot in first.values()}
    return {slot: needs[like[slot]] for slot in slots}


def needed(layer: ir.Layer, slot: int, out: Boxes, shapes: Sequence[Shape | None], out_shape: Shape) -> Need:
    """Which boxes of operand `slot` the output boxes need; `shapes` are the shapes of all operands.

    Of an empty output box nothing is needed: the box is empty (all zero) and so is the padding.

    Raises:
        KeyError: the kind exists only in partitioned graphs.
    """
    shape = required(shapes[slot])
    if isinstance(layer, ir.Concat):  # the only rule that needs to know the other operands
        origin = np.zeros(len(shape), dtype=np.int64)
        origin[layer.axis] = sum(
            operand_shape[layer.axis] for operand_shape in shapes[:slot] if operand_shape is not None
        )
        out = Boxes(np.maximum(out.low - origin, 0), np.minimum(out.high - origin, shape))
    rule = RULES[type(layer)]
    if (out.low < out.high).all():
        return rule(layer, slot, out, shape, out_shape)
    empty = out.empty[:, None]  # the rules never see an empty box
    out = Boxes(np.where(empty, 0, out.low), np.where(empty, 1, out.high))
    need = rule(layer, slot, out, shape, out_shape)
    boxes = Boxes(np.where(empty, 0, need.boxes.low), np.where(empty, 0, need.boxes.high))
    return Need(boxes, np.where(empty, 0, need.before), np.where(empty, 0, need.after))

"""What must be known of a kind of layer that computes: one record per kind, every fact said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any

from nnc.compiler.ir.layers import Layer
from nnc.isa.instruction import Instruction
from nnc.isa.operand import Operand

Shape = tuple[int, ...]
Shapes = tuple[Shape | None, ...]
Axes = tuple[int, ...]
Operands = tuple[Operand | None, ...]


class AxisOrder(Enum):
    """In which order of axes a kind reads its first operand and writes its result."""

    CHANNELS_LAST = "N, spatial…, C; on chips with lanes along pixels N, C, spatial…"
    ROW_MAJOR = "as they are numbered"
    FOLLOWS = "as the first operand has them; a network input is not asked to fit the layers behind"
    PASSES = "as the first operand has them; a network input gets the order that the layers behind like"


UNSAID: Any = object()
"""The default of every fact, which `register` refuses."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LayerRecord:
    """The facts about a kind that plan, passes, backend and floors share.

    Attributes:
        instruction: what a tile of the layer becomes; family, roles of operands and cost rule are its own.
        axis_order: order of the axes of features.
        constant_order: (slot, rank) → order of axes in which a packed constant suits the layer.
        lane_axis: rank of the result → its axis along the lanes of the MAC array, None if there is none.
        uncut_axes: (layer, operand shapes) → output axes that a tile must hold whole.
        chunk_axes: (layer, operand shapes) → operand slot → its axis that is summed over and may be cut.
        work_operands: (layer, result, operands) → both with the axes that the instruction's cost rule knows.
        macs: (layer, result shape, operand shapes) → multiply-accumulates of the whole layer.
    """

    instruction: type[Instruction] = UNSAID
    axis_order: AxisOrder = UNSAID
    constant_order: Callable[[int, int], Axes] = UNSAID
    lane_axis: Callable[[int], int | None] = UNSAID
    uncut_axes: Callable[[Any, Shapes], Axes] = UNSAID
    chunk_axes: Callable[[Any, Shapes], dict[int, int]] = UNSAID
    work_operands: Callable[[Any, Operand, Operands], tuple[Operand, Operands]] = UNSAID
    macs: Callable[[Any, Shape, Shapes], int] = UNSAID


RECORDS: dict[type[Layer], LayerRecord] = {}
"""By kind: all that compute; views, and the joins of partitioned graphs, need none."""


def register(kind: type[Layer], record: LayerRecord) -> None:
    """Enter the record of a kind.

    Raises:
        TypeError: a fact is not said, or the kind has a record.
    """
    unsaid = [fact.name for fact in fields(record) if getattr(record, fact.name) is UNSAID]
    if unsaid:
        raise TypeError(f"layer kind {kind.kind}: the record does not say {', '.join(unsaid)}")
    if kind in RECORDS:
        raise TypeError(f"layer kind {kind.kind} has two records")
    RECORDS[kind] = record


def record_of(kind: type[Layer]) -> LayerRecord:
    """The record of a kind that computes.

    Raises:
        TypeError: it has none.
    """
    if kind not in RECORDS:
        raise TypeError(f"layer kind {kind.kind} has no record in {__package__}.layer_kinds")
    return RECORDS[kind]

"""What all kinds of layers have, and where a layer comes from."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import fields
from enum import Enum
from operator import attrgetter
from typing import Any, ClassVar

from nnc.isa.record import record
from nnc.isa.types import DType


@record(frozen=True, slots=True)
class Loc:
    """Where a layer comes from: the ONNX node and its operator."""

    node: str
    op: str

    def __str__(self) -> str:
        return f"{self.node} ({self.op})"


@record(frozen=True, kw_only=True)
class Layer:
    """Base of all kinds.  `name` is unique in its graph."""

    name: str
    loc: Loc

    kind: ClassVar[str]
    slots: ClassVar[tuple[str, ...]]
    """Names of the operands in order; a last name ending in '…' repeats."""
    is_view: ClassVar[bool] = False
    """Whether the kind only renames bytes (free wherever strides allow)."""

    @staticmethod
    def partial_type(dtype: DType) -> DType:
        """Element type of its partial sums from that of operand 0, if it is cut along what it sums over."""
        return dtype.product_sum

    @property
    def signature(self) -> Hashable:
        """What it does: equal for layers that differ in name and origin alone."""
        kind = type(self)
        if kind not in _ATTRIBUTES:
            names = [field.name for field in fields(kind) if field.name not in ("name", "loc")]
            _ATTRIBUTES[kind] = attrgetter(*names) if names else type
        return kind, _ATTRIBUTES[kind](self)

    def attributes(self) -> dict[str, Any]:
        """The fields of the kind itself, without name and origin, enums as their texts."""
        own = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("name", "loc")}
        return {key: value.value if isinstance(value, Enum) else value for key, value in own.items()}


_ATTRIBUTES: dict[type[Layer], Callable[[Layer], Hashable]] = {}
"""What gets the attributes of a layer of each kind, without name and origin; filled as layers are asked."""

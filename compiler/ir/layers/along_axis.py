"""Layers that need the whole of one axis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nnc.compiler.ir.layers.layer import Layer
from nnc.isa.types import DType


@dataclass(frozen=True, kw_only=True)
class AlongAxis(Layer):
    """Base of kinds that need the whole of one axis of x.

    Each becomes the instruction whose mnemonic is its kind, with attributes of the same names.
    """

    slots = ("x",)
    axis: int

    folds: ClassVar[bool] = False
    """Whether the axis has extent 1 in the result."""
    result: ClassVar[DType | None] = None
    """Element type of the result; None: that of x."""


@dataclass(frozen=True, kw_only=True)
class Softmax(AlongAxis):
    """Softmax (or its logarithm) over one axis."""

    kind = "softmax"
    log: bool = False


@dataclass(frozen=True, kw_only=True)
class CumSum(AlongAxis):
    """Running sums along an axis: without the element itself if exclusive, from the end if reverse."""

    kind = "cumsum"
    exclusive: bool = False
    reverse: bool = False


@dataclass(frozen=True, kw_only=True)
class ArgMax(AlongAxis):
    """Position of the greatest element along an axis, or of the least; among equals the first or the last."""

    kind = "argmax"
    folds = True
    result = DType.I64
    least: bool = False
    last: bool = False


ALONG_AXIS = tuple(AlongAxis.__subclasses__())
"""Kinds that rules for the base serve."""

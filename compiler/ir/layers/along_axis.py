"""Layers that need whole axes of their operand for every element."""

from __future__ import annotations

from typing import ClassVar

from nnc.compiler.ir.layers.layer import Layer
from nnc.isa.functions import Arithmetic, NormaliseFunction
from nnc.isa.record import record
from nnc.isa.types import DType


@record(frozen=True, kw_only=True)
class WholeAxes(Layer):
    """Base of kinds that need whole axes of x; what other operands they have is broadcast to the result."""

    result: ClassVar[DType | None] = None
    """Element type of the result; None: that of x."""

    @property
    def folded_extent(self) -> int | None:
        """Extent of the axes in the result; None: that in x."""
        return None

    @property
    def whole_axes(self) -> tuple[int, ...]:
        """Axes of x that every element of the result needs whole; no tile may cut them."""
        raise NotImplementedError(self.kind)


@record(frozen=True, kw_only=True)
class AlongAxis(WholeAxes):
    """Base of kinds that work along one axis of x.

    Each becomes the instruction whose mnemonic is its kind, with attributes of the same names.
    """

    slots = ("x",)
    axis: int

    @property
    def whole_axes(self) -> tuple[int, ...]:
        return (self.axis,)


@record(frozen=True, kw_only=True)
class Softmax(AlongAxis):
    """Softmax (or its logarithm) over one axis.

    With a src_scale, of quantised integers (`isa.Softmax`); the type of the result is given.
    """

    kind = "softmax"
    log: bool = False
    src_scale: float = 0.0
    src_zero: int = 0
    dst_scale: float = 0.0
    dst_zero: int = 0
    arithmetic: Arithmetic = Arithmetic.F32


@record(frozen=True, kw_only=True)
class CumSum(AlongAxis):
    """Running sums along an axis: without the element itself if exclusive, from the end if reverse."""

    kind = "cumsum"
    exclusive: bool = False
    reverse: bool = False


@record(frozen=True, kw_only=True)
class ArgMax(AlongAxis):
    """Positions of the greatest or least elements along an axis; among equals the first, or the last."""

    kind = "argmax"
    result = DType.I64
    least: bool = False
    last: bool = False
    count: int = 1

    @property
    def folded_extent(self) -> int | None:
        return self.count


@record(frozen=True, kw_only=True)
class Normalise(WholeAxes):
    """Layer, instance or RMS normalisation: statistics over `axes`, then scale and bias (broadcast).

    With a src_scale, of quantised integers (`isa.Normalise`); the type of the result is given.
    """

    kind = "normalise"
    slots = ("x", "scale", "bias")
    function: NormaliseFunction
    axes: tuple[int, ...]
    epsilon: float
    src_scale: float = 0.0
    src_zero: int = 0
    dst_scale: float = 0.0
    dst_zero: int = 0
    arithmetic: Arithmetic = Arithmetic.F32

    @property
    def whole_axes(self) -> tuple[int, ...]:
        return self.axes


@record(frozen=True, kw_only=True)
class LocalResponseNorm(WholeAxes):
    """ONNX LRN over axis 1: an instruction sums over channels that it also writes."""

    kind = "local_response_norm"
    slots = ("x",)
    size: int
    alpha: float
    beta: float
    k: float

    @property
    def whole_axes(self) -> tuple[int, ...]:
        return (1,)


ALONG_AXIS = tuple(AlongAxis.__subclasses__())
WHOLE_AXES = (*(kind for kind in WholeAxes.__subclasses__() if kind is not AlongAxis), *ALONG_AXIS)
"""Kinds that rules for the two bases serve."""

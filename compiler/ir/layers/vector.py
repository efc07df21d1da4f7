"""Layers of the vector unit: pools, functions of elements and folds."""

from __future__ import annotations

from nnc.compiler.ir.layers.layer import Layer
from nnc.isa.functions import Function, PoolFunction, ReduceFunction
from nnc.isa.instruction import Phase
from nnc.isa.record import record
from nnc.isa.types import DType


@record(frozen=True, kw_only=True)
class Pool(Layer):
    """Maximum or average over a window: x [N, C, X…].  Windows may reach beyond pad_end (ceil mode).

    With a src_scale, the average of quantised integers (`isa.Pool`); the type of the result is given.
    """

    kind = "pool"
    slots = ("x",)
    function: PoolFunction
    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    pad_begin: tuple[int, ...]
    pad_end: tuple[int, ...]
    count_pad: bool = False
    ceil: bool = False
    src_scale: float = 0.0
    src_zero: int = 0
    dst_scale: float = 0.0
    dst_zero: int = 0


@record(frozen=True, kw_only=True)
class Elementwise(Layer):
    """A function of broadcast operands (see ``nnc.isa.functions.Function`` for params and swap).

    With src_scales, a function of quantised integers (`isa.Elementwise`); the type of the result is given.
    """

    kind = "elementwise"
    slots = ("x…",)
    function: Function
    params: tuple[float, ...] = ()
    swap: bool = False
    src_scales: tuple[float, ...] = ()
    src_zeros: tuple[int, ...] = ()
    dst_scale: float = 0.0
    dst_zero: int = 0


@record(frozen=True, kw_only=True)
class Reduce(Layer):
    """Fold axes into extent 1 (axes are kept; dropping them is a Reshape).

    With a src_scale, the sum or mean of quantised integers (`isa.Reduce`); the type of the result is given.
    """

    kind = "reduce"
    slots = ("x", "accumulator")
    function: ReduceFunction
    axes: tuple[int, ...]
    count: int
    """What a mean divides by: the product of the whole extents of the folded axes."""
    phase: Phase = Phase.WHOLE
    src_scale: float = 0.0
    src_zero: int = 0
    dst_scale: float = 0.0
    dst_zero: int = 0

    @staticmethod
    def partial_type(dtype: DType) -> DType:
        """A folded chunk: a mean of 32-bit integers needs their whole sum."""
        return dtype.partial_fold

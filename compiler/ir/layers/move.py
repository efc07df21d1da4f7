"""Layers whose elements go to other places, or between them."""

from __future__ import annotations

from nnc.compiler.ir.layers.layer import Layer
from nnc.isa.functions import Coordinates, Function, Nearest, PadMode, ResizeMode
from nnc.isa.record import record
from nnc.isa.types import DType


@record(frozen=True, kw_only=True)
class Resize(Layer):
    """Interpolation along all axes whose scale is not 1.

    In a partitioned graph `origin`/`src_origin` give the tile's place in the whole tensors of shape
    `extent`/`src_extent`; in whole graphs the origins are zero.
    """

    kind = "resize"
    slots = ("x",)
    mode: ResizeMode
    coordinates: Coordinates
    nearest: Nearest
    scales: tuple[float, ...]
    origin: tuple[int, ...]
    extent: tuple[int, ...]
    src_origin: tuple[int, ...]
    src_extent: tuple[int, ...]


@record(frozen=True, kw_only=True)
class Pad(Layer):
    """Explicit padding (negative: cropping); origins as in Resize."""

    kind = "pad"
    slots = ("x",)
    mode: PadMode
    value: float
    begin: tuple[int, ...]
    end: tuple[int, ...]
    origin: tuple[int, ...]
    src_origin: tuple[int, ...]
    src_extent: tuple[int, ...]


@record(frozen=True, kw_only=True)
class Gather(Layer):
    """data with one axis replaced by the axes of the integer tensor `index` (ONNX Gather)."""

    kind = "gather"
    slots = ("data", "index")
    axis: int
    extent: int
    """Whole extent of data along the axis."""
    src_origin: int = 0


@record(frozen=True, kw_only=True)
class GatherElements(Layer):
    """One element of data per entry of `index`, which names its position along the axis (same rank)."""

    kind = "gather_elements"
    slots = ("data", "index")
    axis: int


@record(frozen=True, kw_only=True)
class Scatter(Layer):
    """data, in which the elements that `index` names along the axis are `function` of them and of updates.

    Beside the axis, updates have the extents of data, and the indices too, or 1: then they are alike there.
    """

    kind = "scatter"
    slots = ("data", "index", "updates")
    axis: int
    function: Function = Function.IDENTITY


@record(frozen=True, kw_only=True)
class Fill(Layer):
    """The same value everywhere; it reads nothing.  The read engine does it."""

    kind = "fill"
    slots = ()
    value: float
    dtype: DType
    shape: tuple[int, ...]


@record(frozen=True, kw_only=True)
class Copy(Layer):
    """The same elements in another storage: inserted where a view is not free."""

    kind = "copy"
    slots = ("x",)

"""Layer kinds: few and general, one frozen dataclass each.  Many ONNX operators import to one kind.

Tensors keep the axis order of the ONNX model (N, C, spatial… for images); how a tensor is laid out in
memory is a separate decision (``nnc.compiler.ir.storage``).  Operands are the ordered inputs of the node
in the graph; an absent optional operand is ``None`` there.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, ClassVar

from nnc.isa.functions import (
    Coordinates,
    Function,
    Nearest,
    NormaliseFunction,
    PadMode,
    PoolFunction,
    ReduceFunction,
    ResizeMode,
)
from nnc.isa.instruction import Phase
from nnc.isa.types import DType


@dataclass(frozen=True, slots=True)
class Loc:
    """Where a layer comes from: the ONNX node and its operator."""

    node: str
    op: str

    def __str__(self) -> str:
        return f"{self.node} ({self.op})"


@dataclass(frozen=True, kw_only=True)
class Layer:
    """Base of all kinds.  `name` is unique in its graph."""

    name: str
    loc: Loc

    kind: ClassVar[str]
    slots: ClassVar[tuple[str, ...]]
    """Names of the operands in order; a last name ending in '…' repeats."""
    is_view: ClassVar[bool] = False
    """Whether the kind only renames bytes (free wherever strides allow)."""

    def attributes(self) -> dict[str, Any]:
        """The fields of the kind itself, without name and origin, enums as their texts."""
        own = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("name", "loc")}
        return {key: value.value if isinstance(value, Enum) else value for key, value in own.items()}


@dataclass(frozen=True, kw_only=True)
class MacLayer(Layer):
    """What conv, transposed conv and matmul share: the fused epilogue y = act(s + bias + residual).

    `phase` is whole except in a partitioned graph, where K-chunks chain their partial sums through the
    operand `accumulator`.
    """

    act: Function = Function.IDENTITY
    act_params: tuple[float, ...] = ()
    phase: Phase = Phase.WHOLE


@dataclass(frozen=True, kw_only=True)
class SpatialMacLayer(MacLayer):
    """Window geometry of convolutions; pads may be negative in tiles of transposed convolutions."""

    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    pad_begin: tuple[int, ...]
    pad_end: tuple[int, ...]
    groups: int = 1

    slots = ("x", "weight", "bias", "residual", "accumulator")


@dataclass(frozen=True, kw_only=True)
class Conv(SpatialMacLayer):
    """Convolution: x [N, IC, X…], weight [OC, IC/groups, K…], bias [OC], residual as the output."""

    kind = "conv"


@dataclass(frozen=True, kw_only=True)
class ConvTranspose(SpatialMacLayer):
    """Transposed convolution: x [N, IC, X…], weight [IC, OC/groups, K…], bias [OC].

    Element x adds to output x·stride + k·dilation − pad_begin; the output's extent is
    (X − 1)·stride + (K − 1)·dilation + 1 − pad_begin − pad_end (ONNX's output_padding is in pad_end).
    """

    kind = "conv_transpose"


@dataclass(frozen=True, kw_only=True)
class MatMul(MacLayer):
    """Batched matrix product: x […, M, K] times weight […, K, N]; bias [N] or broadcast to the output."""

    kind = "matmul"
    slots = ("x", "weight", "bias", "residual", "accumulator")


@dataclass(frozen=True, kw_only=True)
class Pool(Layer):
    """Maximum or average over a window: x [N, C, X…].  Windows may reach beyond pad_end (ceil mode)."""

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


@dataclass(frozen=True, kw_only=True)
class Elementwise(Layer):
    """A function of broadcast operands (see ``nnc.isa.functions.Function`` for params and swap)."""

    kind = "elementwise"
    slots = ("x…",)
    function: Function
    params: tuple[float, ...] = ()
    swap: bool = False


@dataclass(frozen=True, kw_only=True)
class Reduce(Layer):
    """Fold axes into extent 1 (axes are kept; dropping them is a Reshape)."""

    kind = "reduce"
    slots = ("x", "accumulator")
    function: ReduceFunction
    axes: tuple[int, ...]
    count: int
    """What a mean divides by: the product of the whole extents of the folded axes."""
    phase: Phase = Phase.WHOLE


@dataclass(frozen=True, kw_only=True)
class AlongAxis(Layer):
    """Base of kinds that need the whole of one axis of x.

    Each becomes the instruction of that base with attributes of the same names.
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
class Normalise(Layer):
    """Layer, instance or RMS normalisation: statistics over `axes`, then scale and bias (broadcast)."""

    kind = "normalise"
    slots = ("x", "scale", "bias")
    function: NormaliseFunction
    axes: tuple[int, ...]
    epsilon: float


@dataclass(frozen=True, kw_only=True)
class LocalResponseNorm(Layer):
    """ONNX LRN over axis 1."""

    kind = "local_response_norm"
    slots = ("x",)
    size: int
    alpha: float
    beta: float
    k: float


@dataclass(frozen=True, kw_only=True)
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


@dataclass(frozen=True, kw_only=True)
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


@dataclass(frozen=True, kw_only=True)
class Gather(Layer):
    """data with one axis replaced by the axes of the integer tensor `index` (ONNX Gather)."""

    kind = "gather"
    slots = ("data", "index")
    axis: int
    extent: int
    """Whole extent of data along the axis."""
    src_origin: int = 0


@dataclass(frozen=True, kw_only=True)
class Copy(Layer):
    """The same elements in another storage: inserted where a view is not free."""

    kind = "copy"
    slots = ("x",)


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


@dataclass(frozen=True, kw_only=True)
class GatherElements(Layer):
    """One element of data per entry of `index`, which names its position along the axis (same rank)."""

    kind = "gather_elements"
    slots = ("data", "index")
    axis: int


ALONG_AXIS = tuple(AlongAxis.__subclasses__())
"""Kinds that rules for the base serve."""


# --- views: layers that only rename bytes ------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Reshape(Layer):
    """Same elements in row-major order of `order`'s axes, new shape (flatten, squeeze, unsqueeze too).

    `order` permutes the axes of x before they are flattened; identity for every ONNX operator.  A pass may
    set another order together with permuted weights of the consumer (M5: weights in the features' order).
    """

    kind = "reshape"
    slots = ("x",)
    is_view = True
    shape: tuple[int, ...]
    order: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Transpose(Layer):
    """Output axis i is input axis perm[i]."""

    kind = "transpose"
    slots = ("x",)
    is_view = True
    perm: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Slice(Layer):
    """Element i of the output is element start + i·step of x, per axis (steps may be negative)."""

    kind = "slice"
    slots = ("x",)
    is_view = True
    start: tuple[int, ...]
    step: tuple[int, ...]
    shape: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Expand(Layer):
    """Repeat axes of extent 1 up to `shape` (ranks equal)."""

    kind = "expand"
    slots = ("x",)
    is_view = True
    shape: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Concat(Layer):
    """Join along one axis; free where the operands can be written to their places in the result."""

    kind = "concat"
    slots = ("x…",)
    is_view = True
    axis: int


# --- kinds that exist only in partitioned graphs ----------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Join(Layer):
    """M1's concat layer in N dimensions: operand p lies at origins[p] of the result.  It costs nothing."""

    kind = "join"
    slots = ("x…",)
    origins: tuple[tuple[int, ...], ...]

"""The instruction set: one frozen dataclass per instruction, its typed fields being its definition.

One instruction works on a tile, so that a network is thousands of instructions and numpy does the inside.
Activations are N, spatial…, C; layout is strides.  Sizes are elements unless bytes are named.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

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
from nnc.isa.instruction import Access, Engine, Instruction, Phase, Role, attribute, instruction, operand
from nnc.isa.operand import Operand

# --- read engine: DMA from DRAM into the memories of the core ---------------------------------------------


@instruction(
    1, "load", Engine.READ, "dma", example="load sram+0x0 f32[1,34,56,64] <- dram+0x9c400 f32[1,34,56,64]"
)
class Load(Instruction):
    """DMA a block from DRAM into a memory of this core; the two blocks have the same shape."""

    dst: Operand = operand(Access.WRITE, Role.FEATURE, "block in a memory of this core")
    src: Operand = operand(Access.READ, Role.EXTERNAL, "block in DRAM")


@instruction(
    2,
    "broadcast",
    Engine.READ,
    "dma",
    example="broadcast am+0x0 f32[3,3,64,32] <- dram+0x400 f32[3,3,64,32], cores=15",
)
class Broadcast(Instruction):
    """DMA a block from DRAM into the same address of several cores at once (M2); DRAM pays once."""

    dst: Operand = operand(Access.WRITE, Role.FEATURE, "block at the same address in each core of `cores`")
    src: Operand = operand(Access.READ, Role.EXTERNAL, "block in DRAM")
    cores: int = attribute("bit mask of the receiving cores")

    @property
    def receivers(self) -> list[int]:
        """Numbers of the receiving cores."""
        return [core for core in range(self.cores.bit_length()) if self.cores >> core & 1]


@instruction(
    3,
    "load_rows",
    Engine.READ,
    "dma",
    example="load_rows sram+0x100 f32[16,64] <- dram+0x0 f32[1000,64], index=sram+0x0 i32[16]",
)
class LoadRows(Instruction):
    """DMA rows of a DRAM table that an on-chip index list names: dst[i, …] = src[index[i], …].

    `index` has shape (n,), `dst` (n, …), `src` (rows, …); negative indices count from the end.
    """

    dst: Operand = operand(Access.WRITE, Role.FEATURE, "gathered rows")
    src: Operand = operand(Access.READ, Role.EXTERNAL, "table in DRAM")
    index: Operand = operand(Access.READ, Role.FEATURE, "row numbers, an integer vector on chip")


@instruction(4, "fill", Engine.READ, "dma", example="fill sram+0x0 f32[1,1,58,64], value=0.0")
class Fill(Instruction):
    """Fill a block in a memory of this core with one value; no DRAM traffic."""

    dst: Operand = operand(Access.WRITE, Role.FEATURE, "block to fill")
    value: float = attribute("the value, converted to the element type of dst")


# --- write engine: DMA from the memories of the core into DRAM --------------------------------------------


@instruction(
    16,
    "store",
    Engine.WRITE,
    "dma",
    example="store dram+0x9c400 f32[1,32,56,64] <- sram+0x8000 f32[1,32,56,64]",
)
class Store(Instruction):
    """DMA a block from a memory of this core into DRAM; the two blocks have the same shape."""

    dst: Operand = operand(Access.WRITE, Role.EXTERNAL, "block in DRAM")
    src: Operand = operand(Access.READ, Role.RESULT, "block in a memory of this core")


# --- compute engine: the MAC array -------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class MacInstruction(Instruction):
    """Fields that all MAC-array instructions share: operands, accumulation and the epilogue.

    With s = Σ (src − src_zero)·(weight − weight_zero) of this instruction, `phase` says what happens:
    start: accumulator = s; add: accumulator += s; finish: s += accumulator, then the epilogue;
    whole: the epilogue at once.  The epilogue is
    y = act(s·scale + bias + (residual − residual_zero)·residual_scale)
    and, for an integer dst, y = saturate(round_half_even(y / dst_scale) + dst_zero).
    An integer bias (i32) is added to s before the scale.  dst may be the very block of the residual (an
    addition in place); no other operand may overlap it.
    """

    src: Operand = operand(Access.READ, Role.FEATURE, "left operand, the feature data")
    weight: Operand = operand(Access.READ, Role.WEIGHT, "right operand, lanes run along its last axis")
    dst: Operand | None = operand(
        Access.WRITE, Role.RESULT, "result; absent in phases start and add", default=None
    )
    bias: Operand | None = operand(
        Access.READ, Role.WEIGHT, "vector over the last axis of dst, or broadcast to dst", default=None
    )
    residual: Operand | None = operand(
        Access.READ, Role.RESULT, "added before act, shaped as dst", default=None
    )
    scale: Operand | None = operand(
        Access.READ, Role.WEIGHT, "f32 factors of s, one or one per output channel", default=None
    )
    accumulator: Operand | None = operand(
        Access.READ_WRITE, Role.ACCUMULATOR, "partial sums (f32 or i32), shaped as dst", default=None
    )
    phase: Phase = attribute("place in a chain of partial sums", default=Phase.WHOLE)
    act: Function = attribute("activation of the epilogue, a unary function", default=Function.IDENTITY)
    act_params: tuple[float, ...] = attribute("parameters of act", default=())
    src_zero: int = attribute("zero point of src", default=0)
    weight_zero: int = attribute("zero point of weight", default=0)
    dst_scale: float = attribute("real value of one step of an integer dst", default=1.0)
    dst_zero: int = attribute("zero point of dst", default=0)
    residual_scale: float = attribute("real value of one step of residual", default=1.0)
    residual_zero: int = attribute("zero point of residual", default=0)


@instruction(
    32,
    "conv",
    Engine.COMPUTE,
    "conv",
    example="conv sram+0x8000 f32[1,32,54,64] <- sram+0x0 f32[1,34,56,64], weight=sram+0x40000 "
    "f32[3,3,64,64], bias=sram+0x64000 f32[64], stride=1,1 dilation=1,1 pad_begin=0,0 act=relu",
)
class Conv(MacInstruction):
    """Convolution of a tile: src N,X…,IC; weight K…,IC/groups,OC; dst N,Y…,OC (any spatial rank).

    Position y reads src at y·stride + k·dilation − pad_begin; positions outside src are src_zero.  The
    padding after the last element follows from the extents of dst.
    """

    stride: tuple[int, ...] = attribute("step per spatial axis")
    dilation: tuple[int, ...] = attribute("distance of kernel taps per spatial axis")
    pad_begin: tuple[int, ...] = attribute("padding before the first element per spatial axis")
    groups: int = attribute("number of channel groups", default=1)


@instruction(
    33,
    "conv_transpose",
    Engine.COMPUTE,
    "conv",
    example="conv_transpose sram+0x8000 f32[1,16,16,8] <- sram+0x0 f32[1,8,8,16], weight=sram+0x4000 "
    "f32[2,2,16,8], stride=2,2 dilation=1,1 pad_begin=0,0",
)
class ConvTranspose(MacInstruction):
    """Transposed convolution of a tile: src N,X…,IC; weight K…,IC,OC/groups; dst N,Y…,OC.

    Element x adds to dst position x·stride + k·dilation − pad_begin where that lies inside dst; pad_begin
    may be negative for a tile that starts after its first contribution.
    """

    stride: tuple[int, ...] = attribute("step per spatial axis")
    dilation: tuple[int, ...] = attribute("distance of kernel taps per spatial axis")
    pad_begin: tuple[int, ...] = attribute("positions cut off before dst per spatial axis")
    groups: int = attribute("number of channel groups", default=1)


@instruction(
    34,
    "gemm",
    Engine.COMPUTE,
    "gemm",
    example="gemm <- sram+0x0 f32[8,256], weight=sram+0x4000 f32[256,64], accumulator=sram+0x2000 "
    "f32[8,64], phase=start",
)
class Gemm(MacInstruction):
    """Matrix product of a tile: src …,M,K times weight …,K,N gives dst …,M,N; batch axes broadcast."""


# --- compute engine: the vector unit -----------------------------------------------------------------------


@instruction(
    48,
    "pool",
    Engine.COMPUTE,
    "pool",
    example="pool sram+0x8000 f32[1,16,16,32] <- sram+0x0 f32[1,32,32,32], function=max kernel=2,2 "
    "stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0",
)
class Pool(Instruction):
    """Maximum or average over a moving window: src N,X…,C; dst N,Y…,C.

    Window positions outside src count for nothing, except that `count_pad` makes an average count the
    positions inside the padding (pad_begin, pad_end), as ONNX's count_include_pad.
    """

    dst: Operand = operand(Access.WRITE, Role.RESULT, "result")
    src: Operand = operand(Access.READ, Role.FEATURE, "source")
    function: PoolFunction = attribute("what is computed over the window")
    kernel: tuple[int, ...] = attribute("window extent per spatial axis")
    stride: tuple[int, ...] = attribute("step per spatial axis")
    dilation: tuple[int, ...] = attribute("distance of window taps per spatial axis")
    pad_begin: tuple[int, ...] = attribute("padding before the first element per spatial axis")
    pad_end: tuple[int, ...] = attribute("padding after the last element per spatial axis")
    count_pad: bool = attribute("an average divides by padded positions too", default=False)


@instruction(
    49,
    "elementwise",
    Engine.COMPUTE,
    "elementwise",
    example="elementwise sram+0x8000 f32[1,8,8,32] <- sram+0x0 f32[1,8,8,32], sram+0x2000 f32[32], "
    "function=mul",
)
class Elementwise(Instruction):
    """A function of one to many sources, each broadcast to the shape of dst.

    A binary function with a single source takes the other operand from params[0]: the right one, or the
    left one if `swap`.
    """

    dst: Operand = operand(Access.WRITE, Role.RESULT, "result")
    srcs: tuple[Operand, ...] = operand(Access.READ, Role.FEATURE, "sources")
    function: Function = attribute("what is computed")
    params: tuple[float, ...] = attribute("scalar parameters of the function", default=())
    swap: bool = attribute("params[0] is the left operand", default=False)


@instruction(
    50,
    "reduce",
    Engine.COMPUTE,
    "reduce",
    example="reduce sram+0x8000 f32[1,1,1,32] <- sram+0x0 f32[1,7,7,32], function=mean axes=1,2 count=49",
)
class Reduce(Instruction):
    """Fold `axes` of src into extent 1; dst has the rank of src.

    `phase` allows chunks of the folded axes (sum, mean, max, min, prod, sum_square, l1, l2): partial
    results lie in `accumulator`, shaped as dst.
    """

    src: Operand = operand(Access.READ, Role.FEATURE, "source")
    dst: Operand | None = operand(Access.WRITE, Role.RESULT, "result; absent in start and add", default=None)
    accumulator: Operand | None = operand(
        Access.READ_WRITE, Role.ACCUMULATOR, "partial results, shaped as dst", default=None
    )
    function: ReduceFunction = attribute("what is computed")
    axes: tuple[int, ...] = attribute("folded axes")
    count: int = attribute("what a mean divides by: the elements folded over all chunks")
    phase: Phase = attribute("place in a chain of chunks", default=Phase.WHOLE)


@dataclass(frozen=True, kw_only=True)
class AlongAxis(Instruction):
    """Fields of instructions that need the whole of one axis of src."""

    dst: Operand = operand(Access.WRITE, Role.RESULT, "result")
    src: Operand = operand(Access.READ, Role.FEATURE, "source")
    axis: int = attribute("the axis at work")

    folds: ClassVar[bool] = False
    """Whether the axis has extent 1 in dst."""


@instruction(
    51,
    "softmax",
    Engine.COMPUTE,
    "softmax",
    example="softmax sram+0x1000 f32[1,10] <- sram+0x0 f32[1,10], axis=1",
)
class Softmax(AlongAxis):
    """exp(x − max) / Σ exp(x − max) over one axis, or its logarithm."""

    log: bool = attribute("give the logarithm", default=False)


@instruction(
    52,
    "normalise",
    Engine.COMPUTE,
    "normalise",
    example="normalise sram+0x1000 f32[16,64] <- sram+0x0 f32[16,64], scale=sram+0x2000 f32[64], "
    "bias=sram+0x2100 f32[64], function=mean_variance axes=1 epsilon=1e-05",
)
class Normalise(Instruction):
    """(x − mean) / sqrt(variance + epsilon) · scale + bias with statistics over `axes` (layer norm …)."""

    dst: Operand = operand(Access.WRITE, Role.RESULT, "result")
    src: Operand = operand(Access.READ, Role.FEATURE, "source, shaped as dst")
    scale: Operand | None = operand(Access.READ, Role.WEIGHT, "factors, broadcast to dst", default=None)
    bias: Operand | None = operand(Access.READ, Role.WEIGHT, "offsets, broadcast to dst", default=None)
    function: NormaliseFunction = attribute("which statistics are removed")
    axes: tuple[int, ...] = attribute("axes of the statistics")
    epsilon: float = attribute("added to the variance")


@instruction(
    53,
    "local_response_norm",
    Engine.COMPUTE,
    "normalise",
    example="local_response_norm sram+0x4000 f32[1,8,8,16] <- sram+0x0 f32[1,8,8,16], size=5 "
    "alpha=0.0001 beta=0.75 k=1.0",
)
class LocalResponseNorm(Instruction):
    """x / (k + alpha/size · Σ x²)^beta, the sum over `size` neighbours along the last axis (ONNX LRN)."""

    dst: Operand = operand(Access.WRITE, Role.RESULT, "result")
    src: Operand = operand(Access.READ, Role.FEATURE, "source, shaped as dst; channels last")
    size: int = attribute("neighbours in the sum, the element itself included")
    alpha: float = attribute("factor of the sum")
    beta: float = attribute("exponent")
    k: float = attribute("constant term")


@instruction(
    54,
    "resize",
    Engine.COMPUTE,
    "resize",
    example="resize sram+0x4000 f32[1,8,16,8] <- sram+0x0 f32[1,5,8,8], mode=linear "
    "coordinates=half_pixel nearest=floor scales=1.0,2.0,2.0,1.0 origin=0,0,0,0 extent=1,16,16,8 "
    "src_origin=0,0,0,0 src_extent=1,8,8,8",
)
class Resize(Instruction):
    """Interpolate a tile of a larger picture: all axes of dst, positions counted in the whole tensors.

    `origin` and `src_origin` are the positions of the two tiles, `extent` and `src_extent` the whole sizes.
    """

    dst: Operand = operand(Access.WRITE, Role.RESULT, "tile of the result")
    src: Operand = operand(Access.READ, Role.FEATURE, "tile of the source")
    mode: ResizeMode = attribute("interpolation")
    coordinates: Coordinates = attribute("mapping of coordinates")
    nearest: Nearest = attribute("rounding in nearest mode")
    scales: tuple[float, ...] = attribute("output size over input size, per axis")
    origin: tuple[int, ...] = attribute("position of dst in the whole result")
    extent: tuple[int, ...] = attribute("shape of the whole result")
    src_origin: tuple[int, ...] = attribute("position of src in the whole source")
    src_extent: tuple[int, ...] = attribute("shape of the whole source")


@instruction(
    55,
    "pad",
    Engine.COMPUTE,
    "copy",
    example="pad sram+0x4000 f32[1,10,10,8] <- sram+0x0 f32[1,8,8,8], mode=constant value=0.0 "
    "begin=0,1,1,0 origin=0,0,0,0 src_origin=0,0,0,0 src_extent=1,8,8,8",
)
class Pad(Instruction):
    """Copy a tile and pad it; positions are counted in the whole tensors as in `resize`.

    Element p of the result is element p − begin of the source where that exists, else `value` (constant
    mode) or the source element that the mode names.
    """

    dst: Operand = operand(Access.WRITE, Role.RESULT, "tile of the result")
    src: Operand = operand(Access.READ, Role.FEATURE, "tile of the source")
    mode: PadMode = attribute("what stands outside the source")
    value: float = attribute("the constant of constant mode")
    begin: tuple[int, ...] = attribute("elements added before the source, per axis; may be negative")
    origin: tuple[int, ...] = attribute("position of dst in the whole result")
    src_origin: tuple[int, ...] = attribute("position of src in the whole source")
    src_extent: tuple[int, ...] = attribute("shape of the whole source")


@instruction(
    56, "copy", Engine.COMPUTE, "copy", example="copy sram+0x4000 f32[64,32] <- sram+0x0 f32[64,32]{4,256}"
)
class Copy(Instruction):
    """Copy a block between the memories of this core (move, transpose, layout change by strides).

    The blocks may overlap; dst then gets what src held before.
    """

    dst: Operand = operand(Access.WRITE, Role.RESULT, "result")
    src: Operand = operand(Access.READ, Role.FEATURE, "source, same shape and type as dst")


@instruction(
    57,
    "gather",
    Engine.COMPUTE,
    "gather",
    example="gather sram+0x4000 f32[4,64] <- sram+0x0 f32[16,64], index=sram+0x2000 i64[4], axis=0 extent=16",
)
class Gather(Instruction):
    """dst[…, i…, …] = src[…, index[i…], …] along one axis; negative indices count from the end.

    Indices count in the whole source of `extent` elements, of which src is the part from `src_origin` on.
    """

    dst: Operand = operand(Access.WRITE, Role.RESULT, "result")
    src: Operand = operand(Access.READ, Role.FEATURE, "source")
    index: Operand = operand(Access.READ, Role.FEATURE, "integer indices of any shape")
    axis: int = attribute("the axis of src that the indices replace")
    extent: int = attribute("extent of the whole source along the axis")
    src_origin: int = attribute("position of src along the axis", default=0)


@instruction(
    58,
    "cumsum",
    Engine.COMPUTE,
    "reduce",
    example="cumsum sram+0x1000 f32[16,64] <- sram+0x0 f32[16,64], axis=1 exclusive=true",
)
class CumSum(AlongAxis):
    """Running sums along an axis: dst[i] = src[0] + … + src[i]."""

    exclusive: bool = attribute("the sum ends before the element itself", default=False)
    reverse: bool = attribute("the sum begins at the other end", default=False)


@instruction(
    59,
    "argmax",
    Engine.COMPUTE,
    "reduce",
    example="argmax sram+0x1000 i64[16,1] <- sram+0x0 f32[16,64], axis=1",
)
class ArgMax(AlongAxis):
    """Position of the greatest element along an axis, which has extent 1 in dst; dst holds integers."""

    folds = True
    least: bool = attribute("the position of the least element instead", default=False)
    last: bool = attribute("the last of equal elements, not the first", default=False)


@instruction(
    60,
    "gather_elements",
    Engine.COMPUTE,
    "gather",
    example="gather_elements sram+0x4000 f32[4,9] <- sram+0x0 f32[16,9], index=sram+0x2000 i64[4,9], axis=0",
)
class GatherElements(Instruction):
    """dst[…, i, …] = src[…, index[…, i, …], …] along one axis; negative indices count from the end.

    The whole axis is in src; its other extents are those of dst or greater.
    """

    dst: Operand = operand(Access.WRITE, Role.RESULT, "result")
    src: Operand = operand(Access.READ, Role.FEATURE, "source, of the same rank as dst")
    index: Operand = operand(Access.READ, Role.FEATURE, "integer indices, shaped as dst")
    axis: int = attribute("the axis of src that the indices count along")


ALONG_AXIS = tuple(AlongAxis.__subclasses__())
"""Instructions that rules for the base serve."""

"""The vector unit: pools, functions of elements, folds and normalisations of a tile."""

from __future__ import annotations

from nnc.isa.functions import Function, NormaliseFunction, PoolFunction, ReduceFunction
from nnc.isa.instruction import Access, Engine, Instruction, Phase, Role, attribute, instruction, operand
from nnc.isa.operand import Operand


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

"""Importers of convolutions."""

from __future__ import annotations

from typing import Any

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.operators.window import (
    AUTO_PADS,
    explicit_pads,
    output_extents,
    spatial,
    split_padding,
    window_of,
    within,
)
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.windows import window_reach


def _kernel(context: OpContext, x: tuple[int, ...], weight: tuple[int, ...]) -> tuple[int, ...]:
    """Spatial extents of the weight, after checks of ranks and of the attribute kernel_shape."""
    if len(x) < 3 or len(weight) != len(x):
        raise context.invalid("ranks of input and weight do not fit", found=f"{list(x)} and {list(weight)}")
    stated = context.ints("kernel_shape")
    if stated and stated != weight[2:]:
        raise context.invalid(
            "kernel_shape contradicts the weight", found=str(list(stated)), expected=str(list(weight[2:]))
        )
    return weight[2:]


def check_bias(context: OpContext, slot: int, channels: int) -> None:
    """Raise ModelInvalidError unless a bias, if it is there, has one number per channel."""
    if context.has(slot) and context.shape(slot) != (channels,):
        raise context.invalid(
            "the bias does not fit", found=str(list(context.shape(slot))), expected=f"[{channels}]"
        )


def convolution_geometry(
    context: OpContext, x: tuple[int, ...], weight: tuple[int, ...]
) -> tuple[tuple[int, ...], dict[str, Any]]:
    """The shape of a convolution's result, and the fields of its layer, from the shapes of its operands."""
    kernel = _kernel(context, x, weight)
    groups = context.attribute("group", 1)
    if groups < 1 or x[1] != weight[1] * groups or weight[0] % groups:
        raise context.invalid(
            "channels, groups and weight do not fit",
            found=f"input {list(x)}, weight {list(weight)}, group {groups}",
        )
    window = window_of(context, kernel, x[2:])
    extents = output_extents(context, window, x[2:])
    window = within(window, x[2:])
    fields = {
        "kernel": kernel,
        "stride": window.stride,
        "dilation": window.dilation,
        "pad_begin": window.pad_begin,
        "pad_end": window.pad_end,
        "groups": groups,
    }
    return (x[0], weight[0], *extents), fields


@importer("Conv", constraints=AUTO_PADS)
def convolution(context: OpContext) -> None:
    """Convolution over any number of spatial axes: groups, strides, dilations, any padding and auto_pad."""
    shape, fields = convolution_geometry(context, context.shape(0), context.shape(1))
    check_bias(context, 2, shape[1])
    operands = [context.tensor(0), context.tensor(1), context.optional(2)]
    context.result(ir.Conv, operands, TensorType(context.type().dtype, shape), **fields)


@importer("ConvTranspose")
def transposed_convolution(context: OpContext) -> None:
    """Transposed convolution: groups, strides, dilations, any padding, output_padding and output_shape."""
    x, weight = context.type(0), context.shape(1)
    kernel = _kernel(context, x.shape, weight)
    groups = context.attribute("group", 1)
    if groups < 1 or x.shape[1] != weight[0] or weight[0] % groups:
        raise context.invalid(
            "channels, groups and weight do not fit",
            found=f"input {list(x.shape)}, weight {list(weight)}, group {groups}",
        )
    channels = weight[1] * groups
    check_bias(context, 2, channels)
    rank = len(kernel)
    stride, dilation = spatial(context, "strides", rank), spatial(context, "dilations", rank)
    extra = spatial(context, "output_padding", rank, minimum=0, default=0)
    full = [
        (extent - 1) * s + reach
        for extent, s, reach in zip(x.shape[2:], stride, window_reach(kernel, dilation), strict=True)
    ]
    begin, end = _transposed_pads(
        context, full, extra, tuple(e * s for e, s in zip(x.shape[2:], stride, strict=True))
    )
    extents = tuple(f - b - e for f, b, e in zip(full, begin, end, strict=True))
    if min(extents) < 1:
        raise context.invalid("the padding leaves nothing of the result", found=str(list(extents)))
    context.result(
        ir.ConvTranspose,
        [context.tensor(0), context.tensor(1), context.optional(2)],
        TensorType(x.dtype, (x.shape[0], channels, *extents)),
        kernel=kernel,
        stride=tuple(map(min, stride, full)),  # of a single element, any is right
        dilation=tuple(map(min, dilation, full)),
        pad_begin=begin,
        pad_end=end,
        groups=groups,
    )


def _transposed_pads(
    context: OpContext, full: list[int], extra: tuple[int, ...], same: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What is cut off the full result at begin and end; output_padding reduces the end.

    `full` are the extents without padding, `same` those that auto_pad SAME asks for.
    """
    rank = len(full)
    mode = context.attribute("auto_pad", "NOTSET")
    wanted = context.ints("output_shape")[-rank:]
    if not wanted and mode in ("NOTSET", "VALID"):
        begin, end = explicit_pads(context, rank) if mode == "NOTSET" else ((0,) * rank, (0,) * rank)
    else:
        totals = [f + e - w for f, e, w in zip(full, extra, wanted or same, strict=True)]
        if not wanted:
            totals = [max(total, 0) for total in totals]
        begin, end = split_padding(totals, upper=mode == "SAME_UPPER")
    return begin, tuple(e - p for e, p in zip(end, extra, strict=True))

"""Importers of pools."""

from __future__ import annotations

from typing import Any

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.operators.unpool import define_positions
from nnc.compiler.frontend.operators.window import AUTO_PADS, Window, output_extents, window_of, within
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import PoolFunction, ReduceFunction


def pool_geometry(
    context: OpContext, x: tuple[int, ...], *, count_pad: bool
) -> tuple[tuple[int, ...], dict[str, Any]]:
    """The shape of a pool's result, and the fields of its layer, from the shape of its operand."""
    kernel = context.ints("kernel_shape")
    if len(x) < 3 or len(kernel) != len(x) - 2:
        raise context.invalid("kernel_shape does not fit the input", found=f"{list(kernel)} on {list(x)}")
    window = window_of(context, kernel, x[2:])
    automatic = context.attribute("auto_pad", "NOTSET") not in ("NOTSET", "VALID")
    ceil = bool(context.attribute("ceil_mode", 0)) and not automatic
    extents = output_extents(context, window, x[2:], ceil=ceil)
    window = within(window, x[2:])
    _check_padding(context, window, x[2:], extents, count_pad=count_pad)
    fields = {
        "kernel": window.kernel,
        "stride": window.stride,
        "dilation": window.dilation,
        "pad_begin": window.pad_begin,
        "pad_end": window.pad_end,
        "count_pad": count_pad,
        "ceil": ceil,
    }
    return (*x[:2], *extents), fields


def _check_padding(
    context: OpContext,
    window: Window,
    extents: tuple[int, ...],
    results: tuple[int, ...],
    *,
    count_pad: bool,
) -> None:
    """Refuse windows of which no element counts, as onnxruntime does: they have no maximum and no average."""
    parts = zip(extents, results, window.reach, window.stride, window.pad_begin, window.pad_end, strict=True)
    for extent, result, reach, stride, begin, end in parts:
        first, behind = (-begin, extent + end) if count_pad else (0, extent)
        if reach - begin <= first or (result - 1) * stride - begin >= behind:
            raise context.invalid(
                "windows lie in the padding alone",
                found=f"pads {[*window.pad_begin, *window.pad_end]}",
                expected=f"less than the window {list(window.reach)}",
            )


def _pool(context: OpContext, function: PoolFunction, *, count_pad: bool) -> None:
    x = context.type()
    shape, fields = pool_geometry(context, x.shape, count_pad=count_pad)
    context.result(ir.Pool, [context.tensor(0)], TensorType(x.dtype, shape), function=function, **fields)


@importer("MaxPool", constraints=AUTO_PADS)
def max_pool(context: OpContext) -> None:
    """Maximum over a window, and its position: strides, dilations, any padding, auto_pad, ceil_mode."""
    _pool(context, PoolFunction.MAX, count_pad=False)
    if context.uses(1):
        x = context.shape()
        shape, fields = pool_geometry(context, x, count_pad=False)
        define_positions(context, fields, shape[2:])


@importer("AveragePool", constraints=AUTO_PADS)
def average_pool(context: OpContext) -> None:
    """Average over a window: strides, dilations, any padding, auto_pad, ceil_mode, count_include_pad."""
    _pool(context, PoolFunction.AVERAGE, count_pad=bool(context.attribute("count_include_pad", 0)))


def _global(context: OpContext, function: ReduceFunction) -> None:
    x = context.type()
    if len(x.shape) < 3:
        raise context.invalid("a global pool needs spatial axes", found=str(x))
    axes = tuple(range(2, len(x.shape)))
    shape = (*x.shape[:2], *(1 for _ in axes))
    count = x.elements // max(x.shape[0] * x.shape[1], 1)
    context.result(
        ir.Reduce, [context.tensor(0)], TensorType(x.dtype, shape), function=function, axes=axes, count=count
    )


@importer("GlobalAveragePool")
def global_average_pool(context: OpContext) -> None:
    """Average over all spatial axes."""
    _global(context, ReduceFunction.MEAN)


@importer("GlobalMaxPool")
def global_max_pool(context: OpContext) -> None:
    """Maximum over all spatial axes."""
    _global(context, ReduceFunction.MAX)

"""Importers of what sums powers of magnitudes and takes a root: (Σ|x|^p)^(1/p)."""

from __future__ import annotations

from math import prod

import numpy as np

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.operators.pool import pool_geometry
from nnc.compiler.frontend.operators.window import AUTO_PADS
from nnc.compiler.frontend.table import importer


def _power(context: OpContext) -> int:
    """The attribute p."""
    p = context.attribute("p", 2)
    if p < 1:
        raise context.invalid("p is not positive", found=str(p))
    return p


def _powers(context: OpContext, p: int) -> str:
    """|x|^p of input 0."""
    make, x = Expansion(context), context.tensor(0)
    if p == 2:
        return make("Mul", x, x)
    magnitude = make("Abs", x)
    return magnitude if p == 1 else make("Pow", magnitude, make.constant(p, like=0))


def _root(context: OpContext, total: str, p: int) -> str:
    """The root of sums that are not negative."""
    make = Expansion(context)
    if p <= 2:
        return total if p == 1 else make("Sqrt", total)
    return make("Pow", total, make.constant(1 / p, like=0))


def _norm(context: OpContext, axes: list[int], p: int) -> str:
    """The norm of input 0 over axes, which it keeps with extent 1."""
    make = Expansion(context)
    over = make.constant(np.array(axes, np.int64))
    if p <= 2:
        return make(f"ReduceL{p}", context.tensor(0), over)
    return _root(context, make("ReduceSum", _powers(context, p), over), p)


@importer("LpPool", constraints=AUTO_PADS)
def lp_pool(context: OpContext) -> None:
    """The p-norm over a window: the root of an average of powers, times that of the window's elements."""
    make, p, shape = Expansion(context), _power(context), context.shape()
    results, window = pool_geometry(context, shape, count_pad=True)
    begin, end, taps = window["pad_begin"], list(window["pad_end"]), window["kernel"]
    for axis, result in enumerate(results[2:]):  # a last window that reaches out of the padding: zeros too
        reach = (taps[axis] - 1) * window["dilation"][axis] + 1
        needed = (result - 1) * window["stride"][axis] + reach
        end[axis] = max(end[axis], needed - begin[axis] - shape[2 + axis])
    average = make(
        "AveragePool",
        _powers(context, p),
        kernel_shape=taps,
        strides=window["stride"],
        dilations=window["dilation"],
        pads=[*begin, *end],
        count_include_pad=1,
    )
    count = make.constant(prod(taps) ** (1 / p), like=0)
    make.define(0, make("Mul", _root(context, average, p), count))


@importer("GlobalLpPool")
def global_lp_pool(context: OpContext) -> None:
    """The p-norm over all spatial axes."""
    rank = len(context.shape())
    if rank < 3:
        raise context.invalid("a global pool needs spatial axes", found=str(context.type()))
    Expansion(context).define(0, _norm(context, list(range(2, rank)), _power(context)))


@importer("LpNormalization")
def lp_normalization(context: OpContext) -> None:
    """Elements over the 1-norm or 2-norm along an axis; where that is 0, so are they."""
    make, p = Expansion(context), _power(context)
    if p > 2:
        raise context.invalid("p is neither 1 nor 2", found=str(p))
    axis = context.axis(context.attribute("axis", -1), len(context.shape()))
    norm = _norm(context, [axis], p)
    is_zero = make("Equal", norm, make.constant(0, like=0))
    divisor = make("Where", is_zero, make.constant(1, like=0), norm)
    make.define(0, make("Div", context.tensor(0), divisor))

"""Random layers of operators that are imported as several others: norms, triangles, running products."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from random_net import Draw, RandomNet, Value, ints, layer


@layer
def unit_length(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """LpNormalization, of elements that are not all zero."""
    shifted = net.append("Add", [x.name, net.constant(0.25)], x.shape)
    return net.op(
        "LpNormalization", [shifted.name], x.shape, axis=draw(ints(0, x.rank - 1)), p=draw(ints(1, 2))
    )


@layer
def norm_of_windows(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """LpPool, or GlobalLpPool; of sums far from zero, where roots are steep."""
    if x.rank < 3:
        return None
    p, shifted = draw(ints(1, 3)), net.append("Add", [x.name, net.constant(2.0)], x.shape)
    if draw(st.booleans()):
        return net.op("GlobalLpPool", [shifted.name], (*x.shape[:2], *(1 for _ in x.shape[2:])), p=p)
    kernel = [draw(ints(1, min(3, n))) for n in x.shape[2:]]
    shape = (*x.shape[:2], *(n - k + 1 for n, k in zip(x.shape[2:], kernel, strict=True)))
    return net.op("LpPool", [shifted.name], shape, kernel_shape=kernel, p=p)


@layer
def triangle(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Trilu, or Shrink: zeros in place of elements."""
    if x.rank < 2 or draw(st.booleans()):
        return net.op("Shrink", [x.name], x.shape, lambd=0.3, bias=0.3)  # of any other bias, it has steps
    diagonal = net.constant(draw(ints(-3, 3)), np.int64)
    return net.op("Trilu", [x.name, diagonal], x.shape, upper=int(draw(st.booleans())))


@layer
def largest_places(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """Hardmax of elements that differ by more than rounding does, times the elements."""
    axis = draw(ints(0, x.rank - 1))
    small = net.append("Clip", [x.name, net.constant(-0.25), net.constant(0.25)], x.shape)
    order = net.constant(net.rng.random(x.shape).argsort(axis))
    total = net.append("Add", [small.name, order], x.shape)
    places = net.append("Hardmax", [total.name], x.shape, axis=axis)
    return net.op("Mul", [places.name, x.name], x.shape)

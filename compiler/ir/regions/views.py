"""Regions of the views: layers that only rename bytes."""

from __future__ import annotations

from math import prod

import numpy as np

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.regions.boxes import Boxes, Ints, Need, Shape, broadcast, exact, rule


@rule(ir.Transpose)
def _transpose(layer: ir.Transpose, slot: int, out: Boxes, shape: Shape, out_shape: Shape) -> Need:
    inverse = np.argsort(layer.perm)
    return exact(out.low[:, inverse], out.high[:, inverse])


@rule(ir.Slice)
def _slice(layer: ir.Slice, slot: int, out: Boxes, shape: Shape, out_shape: Shape) -> Need:
    start, step = np.array(layer.start, dtype=np.int64), np.array(layer.step, dtype=np.int64)
    first, last = start + out.low * step, start + (out.high - 1) * step
    return exact(np.minimum(first, last), np.maximum(first, last) + 1)


@rule(ir.Expand)
def _expand(layer: ir.Expand, slot: int, out: Boxes, shape: Shape, out_shape: Shape) -> Need:
    return broadcast(out, shape)


@rule(ir.Unfold)
def _unfold(layer: ir.Unfold, slot: int, out: Boxes, shape: Shape, out_shape: Shape) -> Need:
    axis = layer.axis
    low, high = np.delete(out.low, axis, axis=1), np.delete(out.high, axis, axis=1)
    low[:, axis] = out.low[:, axis] * layer.step + out.low[:, axis + 1]
    high[:, axis] = (out.high[:, axis] - 1) * layer.step + out.high[:, axis + 1]
    return exact(low, high)


@rule(ir.Concat)
def _concat(layer: ir.Concat, slot: int, out: Boxes, shape: Shape, out_shape: Shape) -> Need:
    """The output boxes come relative to the operand's place and cut to it."""
    return exact(out.low, out.high)


@rule(ir.Reshape)
def _reshape(layer: ir.Reshape, slot: int, out: Boxes, shape: Shape, out_shape: Shape) -> Need:
    """Smallest boxes that hold the needed run of elements, axis group by axis group.

    That is the tight hull where a group splits one axis or merges axes into one; where several axes
    become several others, elements between the first and the last needed one count as needed.
    """
    permuted = tuple(shape[axis] for axis in layer.order)
    low = np.zeros((len(out), len(shape)), dtype=np.int64)
    high = np.ones_like(low)
    for old_axes, new_axes in axis_groups(permuted, out_shape):
        group_low, group_high = _regroup(
            Boxes(out.low[:, new_axes], out.high[:, new_axes]),
            tuple(out_shape[a] for a in new_axes),
            tuple(permuted[a] for a in old_axes),
        )
        for position, axis in enumerate(old_axes):
            low[:, layer.order[axis]] = group_low[:, position]
            high[:, layer.order[axis]] = group_high[:, position]
    return exact(low, high)


def axis_groups(old: Shape, new: Shape) -> list[tuple[list[int], list[int]]]:
    """Shortest runs of axes of both shapes with equal products (extents of 1 join the run before)."""
    groups: list[tuple[list[int], list[int]]] = []
    i = j = 0
    while i < len(old) or j < len(new):
        olds: list[int] = []
        news: list[int] = []
        a = b = 1
        while True:
            if i < len(old) and (a < b or not olds or (a == b and old[i] == 1)):
                a *= old[i]
                olds.append(i)
                i += 1
            elif j < len(new) and (b < a or not news or (a == b and new[j] == 1)):
                b *= new[j]
                news.append(j)
                j += 1
            else:
                break
        groups.append((olds, news))
    return groups


def _regroup(out: Boxes, new: Shape, old: Shape) -> tuple[Ints, Ints]:
    """Boxes of a group of axes after reshaping it: the hull of the run from first to last element."""
    strides = np.array([prod(new[k + 1 :]) for k in range(len(new))], dtype=np.int64)
    first = (out.low * strides).sum(axis=1)
    last = ((out.high - 1) * strides).sum(axis=1)
    low = np.zeros((len(out), len(old)), dtype=np.int64)
    high = np.tile(np.array(old, dtype=np.int64), (len(out), 1))
    same = np.ones(len(out), dtype=bool)  # all outer coordinates of first and last are equal so far
    for k in range(len(old)):
        inner = prod(old[k + 1 :])
        a, b = first // inner % max(1, old[k]), last // inner % max(1, old[k])
        low[:, k] = np.where(same, a, low[:, k])
        high[:, k] = np.where(same, b + 1, high[:, k])
        same &= a == b
    return low, high

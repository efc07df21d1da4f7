"""Bytes that ranges of rows of tensors move to or from DRAM, in whole bursts: closed forms.

in:   a tensor, first and last row of every part; what of the other axes a strip or a slice of channels takes
out:  bytes per part

    rows of 24 B, bursts of 64 B:  rows 2..4 are the bytes 48..119, which touch bursts 0 and 1: 128 B

Whole rows are one run of bytes for each step of the axes outside of them (the pictures of a batch), counted
exactly.  A box that leaves columns or channels out is a run per row or pixel; its rows count by their mean
over the tensor.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from nnc.compiler.ir.regions.boxes import Ints
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.isa.operand import DRAM, Operand, burst_bytes

Limits = tuple[tuple[int, int, int], ...]
"""(axis, first element, element behind the last) of the axes that are not taken whole."""


@dataclass(frozen=True, slots=True)
class _Rows:
    """How rows of a box lie in DRAM.

    Attributes:
        pitch: bytes from row to row.
        begins: where row 0 begins, for each step of the axes outside; none if a row is several runs there.
        mean: bytes of whole bursts of a row.
    """

    pitch: int
    begins: Ints
    mean: float


class RowBursts:
    """Whole bursts of rows of the tensors of a network."""

    def __init__(self, network: PlanNetwork, burst: int) -> None:
        self._network, self._burst = network, burst
        self._rows: dict[tuple[str, Limits], _Rows] = {}

    def of(self, tensor: str, low: Ints, high: Ints, limits: Limits = ()) -> Ints:
        """Bytes per part of the rows low ≤ row < high of a tensor's buffer, as far as it has them."""
        view, burst = self._network.view(tensor), self._burst
        first, end = np.maximum(low, view.first), np.minimum(high, view.first + view.rows)
        key = (tensor, limits)
        if key not in self._rows:
            self._rows[key] = self._lie(tensor, limits)
        rows = self._rows[key]
        if len(rows.begins):
            starts, ends = (np.add.outer(rows.begins, row * rows.pitch) for row in (first, end))
            nbytes = (-(-ends // burst) - starts // burst).sum(axis=0) * burst
        else:
            nbytes = np.rint((end - first) * rows.mean).astype(np.int64)
        return np.asarray(np.where(end > first, nbytes, 0))

    def _lie(self, tensor: str, limits: Limits) -> _Rows:
        network, view = self._network, self._network.view(tensor)
        type_, storage = network.graph.types[tensor], network.graph.storage[tensor]
        low, shape = [0] * len(type_.shape), list(type_.shape)
        for axis, first, end in limits:
            low[axis], shape[axis] = first, end - first
        box = storage.box(tuple(low), tuple(shape))
        size = type_.dtype.itemsize
        strides = tuple(size * stride for stride in box.strides)
        whole = Operand(DRAM, box.offset * size, type_.dtype, tuple(shape), strides)
        mean = burst_bytes(whole, self._burst) / max(1, view.rows)
        none = np.zeros(0, dtype=np.int64)
        if view.axis is None:
            return _Rows(0, none, mean)
        outside = [axis for axis, stride in enumerate(strides) if stride > strides[view.axis]]
        inside = prod(shape) // prod(shape[axis] for axis in (*outside, view.axis))
        if size * inside != strides[view.axis]:
            return _Rows(strides[view.axis], none, mean)
        begins = np.array([box.offset * size - view.first * strides[view.axis]])
        for axis in outside:
            begins = np.add.outer(begins, np.arange(shape[axis]) * strides[axis]).ravel()
        return _Rows(strides[view.axis], begins, mean)

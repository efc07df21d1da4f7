"""Intervals of an order whose layers belong together: the others are groups of their own, side by side.

in:   the buffers that every layer touches, in order; the last layer of intervals
out:  where intervals begin of which no layers are apart from the others

    a0 -> b0,  a1 -> b1,  b0 + b1 -> y       order a0 b0 a1 b1 y

Up to b1, a group may begin with a1: beside layers of another picture, it would do no better.  Up to y, it
may begin anywhere.  Only batches are so: elsewhere, groups of layers side by side keep on chip what no set of
residents that is looked at has all of.
"""

from __future__ import annotations

from collections.abc import Sequence, Set


class ConnectedIntervals:
    """Finds the intervals of one order in which layers belong together."""

    def __init__(self, touched: Sequence[Set[str]]) -> None:
        """Args:
        touched: buffers that each layer reads or writes.
        """
        self._touched, self._first = touched, dict[str, int]()
        for position, buffers in enumerate(touched):
            for buffer in buffers:
                self._first.setdefault(buffer, position)

    def starts(self, end: int, longest: int) -> list[int]:
        """Where intervals of so many layers at the most begin that end with a layer."""
        found, parts = list[int](), list[set[str]]()  # the first part has the last layer
        for start in range(end, max(-1, end - longest), -1):
            mine = set(self._touched[start])
            apart = [part for part in parts if part.isdisjoint(mine)]
            for part in parts:
                if not part.isdisjoint(mine):
                    mine |= part
            parts = [mine, *apart] if not parts or parts[0] <= mine else [*apart, mine]
            if len(parts) == 1:
                found.append(start)
            if all(self._first[buffer] >= start for buffer in parts[0]):
                break  # no layer before belongs to the last one
        return found[::-1]

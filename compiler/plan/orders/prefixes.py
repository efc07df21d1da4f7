"""The prefixes that orders of a network's layers share.

Two orders meet wherever they have computed the same layers; there, a plan may go on in either.
"""

from __future__ import annotations

from collections.abc import Sequence

from nnc.compiler.plan.views.row_views import CutAxes


def shared_positions(order: Sequence[str], other: Sequence[str]) -> list[int]:
    """The positions, from 0 to the end, at which two orders have computed the same layers."""
    found, apart = [0], set[str]()
    for end, (mine, theirs) in enumerate(zip(order, other, strict=True), 1):
        apart ^= {mine}
        apart ^= {theirs}
        if not apart:
            found.append(end)
    return found


class Prefixes:
    """The sets of layers that some orders have computed at some position.

    Attributes:
        of: per order, the number of the prefix at every position from 0 to the end; equal sets have equal
            numbers.
        count: how many there are; by_size: their numbers, the smallest set first.
    """

    def __init__(
        self, orders: Sequence[Sequence[str]], axes: Sequence[CutAxes] = (), *, as_sets: bool = False
    ) -> None:
        """Args:
        orders: names of layers.
        axes: per order, along which groups are cut there; none: all alike.
        as_sets: whether intervals of the same layers are one, whatever the order inside.
        """
        self._orders, self._axes = orders, axes or [CutAxes.OUTERMOST] * len(orders)
        self._as_sets = as_sets
        self.of: list[list[int]] = []
        sizes: list[int] = []
        for order in orders:
            numbers: list[int | None] = [None] * (len(order) + 1)
            for other, known in zip(orders, self.of, strict=False):
                for end in shared_positions(order, other):
                    numbers[end] = known[end]
            for end, number in enumerate(numbers):
                if number is None:
                    numbers[end] = len(sizes)
                    sizes.append(end)
            self.of.append([number for number in numbers if number is not None])
        self.count = len(sizes)
        self.by_size = sorted(range(self.count), key=sizes.__getitem__)
        self._places: list[list[tuple[int, int]]] = [[] for _ in sizes]
        for number, prefixes in enumerate(self.of):
            for position, prefix in enumerate(prefixes):
                self._places[prefix].append((number, position))

    def places(self, prefix: int) -> list[tuple[int, int]]:
        """(order, position) of a prefix in every order that has it."""
        return self._places[prefix]

    def new_starts(self, order: int, end: int) -> range | list[int]:
        """The starts of intervals that end here and are in no earlier order.

        The same layers cut along other axes are another interval.
        """
        if not self._as_sets:
            return range(self._latest_new(order, end) + 1)
        mine = self.of[order]
        earlier = [n for other, n in enumerate(self.of[:order]) if self._axes[other] == self._axes[order]]
        if all(numbers[end + 1] != mine[end + 1] for numbers in earlier):
            return range(end + 1)
        return [start for start in range(end + 1) if all(n[start] != mine[start] for n in earlier)]

    def _latest_new(self, order: int, end: int) -> int:
        """The latest start of an interval that ends here and is in no earlier order; −1 if there is none."""
        mine, latest = self._orders[order], end
        for other in range(order):
            if self._axes[other] != self._axes[order]:
                continue
            if self.of[other][end + 1] == self.of[order][end + 1]:
                theirs = self._orders[other]
                latest = min(latest, next((p for p in range(end, -1, -1) if mine[p] != theirs[p]), -1))
        return latest

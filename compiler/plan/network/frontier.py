"""The frontier of the group search: the least cost at which every state is known to be reachable.

A *state* is a set of computed layers (a prefix of an order of the layers) and what is on chip then.

Two orders meet wherever they have computed the same layers (`Prefixes`); there, a plan may go on in either.

In batches, layers of a group belong together (`ConnectedIntervals`); the others are groups of their own:

    a0 -> b0,  a1 -> b1,  b0 + b1 -> y       order a0 b0 a1 b1 y

Up to b1, a group may begin with a1: beside layers of another picture, it would do no better.  Up to y, it may
begin anywhere.  Elsewhere, groups of layers side by side keep on chip what no set of residents that is looked
at has all of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from itertools import accumulate
from math import inf
from operator import or_
from typing import Protocol, Self
from weakref import proxy

from nnc.compiler.plan.network.buffers import CutAxes
from nnc.compiler.plan.network.residents import NOTHING, Residents
from nnc.compiler.plan.options import Costed, GroupPrice


class Group(Costed, Protocol):
    """What the frontier needs to know of a group: where it leads from and to, and what it costs.

    Attributes:
        order: number of the order of the layers that positions refer to.
        start, end: positions of the first and the last layer.
        residents_in, residents_out: what is on chip when the group starts and when it ends.
    """

    @property
    def order(self) -> int: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def residents_in(self) -> Residents: ...
    @property
    def residents_out(self) -> Residents: ...


class Frontier:
    """States → least cost of the groups that lead there.

    Attributes:
        prefixes: the sets of layers that states may have computed.
        price: what groups cost.
    """

    def __init__(self, prefixes: Prefixes, price: GroupPrice) -> None:
        self.prefixes, self.price = prefixes, price
        self._beside: Sequence[Frontier] = ()
        self._costs: list[dict[Residents, float]] = [{} for _ in range(prefixes.count)]
        self._costs[prefixes.of[0][0]][NOTHING] = 0.0

    @classmethod
    def side_by_side(cls, prefixes: Prefixes, prices: Sequence[GroupPrice]) -> list[Self]:
        """A frontier for each price; what is offered to one of them, all take note of."""
        frontiers = [cls(prefixes, price) for price in prices]
        for frontier in frontiers:
            # Strong references would be a circle; who asks for them holds all of them.
            frontier._beside = [proxy(neighbour) for neighbour in frontiers if neighbour is not frontier]
        return frontiers

    def states(self, order: int, position: int) -> Mapping[Residents, float]:
        """What may be on chip when the layer at a position of an order starts, with the least costs."""
        return self._costs[self.prefixes.of[order][position]]

    def best(self, order: int, position: int, residents: Residents) -> float:
        """The least cost of a state; infinite if no groups are known that lead there."""
        return self.states(order, position).get(residents, inf)

    def offer(self, group: Group) -> bool:
        """Take note of a group; returns whether the state after it is reached at less cost by it."""
        for neighbour in self._beside:
            neighbour._note(group)
        return self._note(group)

    def _note(self, group: Group) -> bool:
        before = self.best(group.order, group.start, group.residents_in)
        cost = before + self.price.cost(group.dram_bytes, group.cycles)
        if cost >= self.best(group.order, group.end + 1, group.residents_out):
            return False
        self._costs[self.prefixes.of[group.order][group.end + 1]][group.residents_out] = cost
        return True

    def forget(self, prefix: int) -> None:
        """Forget all costs of a prefix, as groups that lead to it are taken out of the search."""
        for frontier in (self, *self._beside):
            frontier._costs[prefix].clear()


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
        bits = {name: 1 << number for number, name in enumerate(orders[0])}
        numbers = dict[int, int]()  # by the layers of a prefix, as bits
        self.of: list[list[int]] = []
        for order in orders:
            prefixes = accumulate((bits[name] for name in order), or_, initial=0)
            self.of.append([numbers.setdefault(layers, len(numbers)) for layers in prefixes])
        self.count = len(numbers)
        self.by_size = [numbers[layers] for layers in sorted(numbers, key=int.bit_count)]
        self._places: list[list[tuple[int, int]]] = [[] for _ in numbers]
        for number, numbers_of_order in enumerate(self.of):
            for position, prefix in enumerate(numbers_of_order):
                self._places[prefix].append((number, position))

    def places(self, prefix: int) -> list[tuple[int, int]]:
        """(order, position) of a prefix in every order that has it."""
        return self._places[prefix]

    def new_starts(self, order: int, end: int) -> range | list[int]:
        """The starts of intervals that end here and are in no earlier order.

        The same layers cut along other axes are another interval.
        """
        own, earlier = self.of[order], [n for n in range(order) if self._axes[n] == self._axes[order]]
        ending = [n for n in earlier if self.of[n][end + 1] == own[end + 1]]
        if self._as_sets and ending:
            earlier_starts = {
                start for n in earlier for start in range(end + 1) if self.of[n][start] == own[start]
            }
            return [start for start in range(end + 1) if start not in earlier_starts]
        layers = self._orders
        differ = (
            next((p for p in range(end, -1, -1) if layers[n][p] != layers[order][p]), -1) for n in ending
        )
        return range(min([end, *differ]) + 1)


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
        starts, parts = list[int](), list[set[str]]()  # the first part has the last layer
        for start in range(end, max(-1, end - longest), -1):
            joined = set(self._touched[start])
            apart = [part for part in parts if part.isdisjoint(joined)]
            for part in parts:
                if not part.isdisjoint(joined):
                    joined |= part
            parts = [joined, *apart] if not parts or parts[0] <= joined else [*apart, joined]
            if len(parts) == 1:
                starts.append(start)
            if all(self._first[buffer] >= start for buffer in parts[0]):
                break  # no layer before belongs to the last one
        return starts[::-1]

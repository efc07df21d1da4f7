"""The frontier of the group search: the least cost at which every state is known to be reachable.

A *state* is a set of computed layers (a prefix of an order of the layers) and what is on chip then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Protocol, Self
from weakref import proxy

from nnc.compiler.plan.network.residents import NOTHING, Residents
from nnc.compiler.plan.options import GroupPrice
from nnc.compiler.plan.orders.prefixes import Prefixes


class Group(Protocol):
    """What the frontier needs to know of a group: where it leads from and to, and what it costs.

    Attributes:
        order: number of the order of the layers that positions refer to.
        start, end: positions of the first and the last layer.
        residents_in, residents_out: what is on chip when the group starts and when it ends.
        dram_bytes: traffic.
        cycles: as they are estimated.
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
    @property
    def dram_bytes(self) -> int: ...
    @property
    def cycles(self) -> int: ...


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
            frontier._beside = [proxy(other) for other in frontiers if other is not frontier]
        return frontiers

    def states(self, order: int, position: int) -> Mapping[Residents, float]:
        """What may be on chip when the layer at a position of an order starts, with the least costs."""
        return self._costs[self.prefixes.of[order][position]]

    def best(self, order: int, position: int, residents: Residents) -> float:
        """The least cost of a state; infinite if no groups are known that lead there."""
        return self.states(order, position).get(residents, inf)

    def offer(self, group: Group) -> bool:
        """Take note of a group; returns whether the state after it is reached at less cost by it."""
        for other in self._beside:
            other._note(group)
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

"""What groups cost at least: which intervals and residents are still worth a look.

A group must read what was computed before it and is not on chip, its weights, and write what is needed after
it; its layers take the cycles that they take in one part.  While that is not less than the best that was
found for the same end, no number of parts will help.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from math import inf

from nnc.compiler.plan.fusion.capacity import Room
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.residents import Residents, of_buffers, rows_on_chip

Pair = tuple[Residents, Residents]
_COST_OF_A_GROUP = 1e-3
"""Breaks ties: fewer groups."""


@dataclass(frozen=True, slots=True)
class Objective:
    """cost = cycles of transfers · byte_weight + estimated cycles · cycle_weight."""

    byte_weight: float
    cycle_weight: float

    def cost(self, dram_bytes: int, cycles: int, bytes_per_cycle: int) -> float:
        """What the search minimises for a group."""
        dram = dram_bytes / bytes_per_cycle
        return dram * self.byte_weight + cycles * self.cycle_weight + _COST_OF_A_GROUP

    def least_cost(self, dram_bytes: int, bytes_per_cycle: int) -> float:
        """What more bytes of a group add at least: they may hide behind its work."""
        return dram_bytes / bytes_per_cycle * self.byte_weight


Costs = dict[Residents, float]


class OpenPairs:
    """Pairs of residents before and after the groups that end at one layer, while they may lower the cost."""

    def __init__(
        self,
        network: PlanNetwork,
        room: Room,
        end: int,
        residents: tuple[Sequence[Residents] | None, Sequence[Residents]],
        costs: Sequence[Costs],
        cost: Callable[[int, int], float],
        least_cost: Callable[[int], float],
        cycles_of: Callable[[int], int],
    ) -> None:
        """Args:
        residents: those that groups may find (None: any) and leave.
        costs: per position, least cost of the network up to there by what is on chip; that of the end grows.
        cost: of bytes and cycles; least_cost: of more bytes.
        cycles_of: cycles of a whole layer.
        """
        self.network, self.room, self.end = network, room, end
        self.insides, self.outsides = residents
        self.best = costs[end + 1]
        self.costs, self.cost, self.least_cost, self.cycles_of = costs, cost, least_cost, cycles_of
        self._pairs: dict[int, list[_Open]] = {}
        self._weights = self._cycles = 0
        self._read: set[str] = set()

    def extend(self, start: int, *, enter: bool) -> None:
        """Take in a layer, and enter all pairs of the groups [start … end]; starts come one by one."""
        network = self.network
        self._weights += network.weight_bytes(start)
        self._cycles += self.cycles_of(start)
        self._read.update(network.buffer_of(tensor) for _, tensor in network.operands[start])
        if not enter:
            return
        reads = {b: n for b in self._read if (n := bytes_outside(network, b, start))}
        made = bytes_made(network, start, self.end)
        after = network.crossings[self.end + 1]
        passing = frozenset(b for b in network.crossings[start] if b in after)
        self._pairs[start] = [
            _Open((inside, outside), before + self._least(reads, made, inside, outside), reload)
            for inside, before in self.costs[start].items()
            if self.insides is None or inside in self.insides
            for reload in (self._least_reload(inside),)
            for outside in self.outsides
            if of_buffers(outside, passing) == of_buffers(inside, passing)
            and not (rows_on_chip(inside) and rows_on_chip(outside))  # too many, and of little use
        ]

    def _least(
        self, reads: dict[str, int], made: dict[str, int], inside: Residents, outside: Residents
    ) -> float:
        read = bytes_read(self.network, reads, inside)
        return self.cost(read + self._weights + bytes_written(self.network, made, outside), self._cycles)

    def _least_reload(self, inside: Residents) -> float:
        """Least cost of the weights that find no room beside the residents, for every part but the first."""
        room = self.room.beside(self.network.nbytes_of(inside))
        return self.least_cost(max(0, self._weights - room))

    def at(self, start: int, parts: int) -> list[Pair]:
        """The pairs of a start that may lower the cost in so many parts or more; the others are dropped."""
        best = self.best
        kept = [
            mine
            for mine in self._pairs.get(start, ())
            if mine.least + (parts - 1) * mine.per_part < best.get(mine.pair[1], inf)
        ]
        self._pairs[start] = kept
        return [mine.pair for mine in kept]

    def without(self, served: set[tuple[int, Pair]]) -> OpenPairs:
        """The same, apart from this one, without some starts and pairs."""
        other = copy(self)
        other._pairs = {
            start: [mine for mine in found if (start, mine.pair) not in served]
            for start, found in self._pairs.items()
        }
        return other

    def farthest(self, parts: int) -> int | None:
        """The farthest start that has open pairs."""
        return min((start for start in self._pairs if self.at(start, parts)), default=None)

    def narrow(self, reload: dict[int, dict[Pair, float]]) -> None:
        """Keep only these pairs, by start; each costs so much more for every further part."""
        self._pairs = {
            start: [
                replace(mine, per_part=known[mine.pair])
                for mine in self._pairs.get(start, ())
                if mine.pair in known
            ]
            for start, known in reload.items()
        }


@dataclass(frozen=True, slots=True)
class _Open:
    """A pair of residents: least cost of the network up to the end, and for every part but the first."""

    pair: Pair
    least: float
    per_part: float


def bytes_outside(network: PlanNetwork, buffer: str, start: int) -> int:
    """Bytes of a buffer that were computed before a position (a concat may be half inside a group)."""
    definitions = network.definitions.get(buffer)
    if not definitions:
        return network.buffers[buffer].nbytes
    types = network.graph.types
    return sum(types[tensor].nbytes for position, tensor in definitions if position < start)


def bytes_made(network: PlanNetwork, start: int, end: int) -> dict[str, int]:
    """Buffers that are needed after a group, with the bytes that the group computes of them."""
    types, found = network.graph.types, {}
    for buffer in network.crossings[end + 1]:
        mine = [t for p, t in network.definitions.get(buffer, ()) if start <= p <= end]
        if mine:
            found[buffer] = sum(types[t].nbytes for t in mine)
    return found


def bytes_read(network: PlanNetwork, reads: dict[str, int], inside: Residents) -> int:
    """Bytes of activations that a group reads from DRAM: all but what is on chip."""
    return sum(
        max(0, n - network.stays(buffer, inside)) for buffer, n in reads.items() if buffer not in inside
    )


def bytes_written(network: PlanNetwork, made: dict[str, int], outside: Residents) -> int:
    """Bytes that a group writes to DRAM: all that is needed later, but what stays on chip."""
    outputs = network.network_outputs
    return sum(
        n if buffer in outputs else max(0, n - network.stays(buffer, outside)) for buffer, n in made.items()
    )

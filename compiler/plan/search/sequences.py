"""The cheapest sequence of groups: dynamic programming over states, with close estimates of the groups on it.

A state is a prefix of an order of the layers and what is on chip then; a group leads from a state to a state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf

from nnc.compiler.plan.alone.layer_alone import has_buffers
from nnc.compiler.plan.choice import Choice
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.network.frontier import Prefixes
from nnc.compiler.plan.network.residents import NOTHING, Residents
from nnc.compiler.plan.options import GroupPrice, Objective
from nnc.compiler.plan.search.estimates import Estimates, Kinds, is_close, kinds_of
from nnc.compiler.tuning import TUNING
from nnc.isa.errors import InternalError

State = tuple[int, Residents]
"""A prefix of the layers, and what is on chip then."""


@dataclass(slots=True)
class _Edge:
    """A group as the dynamic programme sees it.

    Attributes:
        before: the prefix where it starts; source, target: numbers of the states between which it leads.
        rough: DRAM bytes and cycles as they were estimated first; dram_bytes, cycles: as they are expected.
    """

    choice: Choice
    before: int
    source: int
    target: int
    is_close: bool
    kinds: Kinds
    rough: tuple[int, int]
    dram_bytes: int
    cycles: int


class Sequences:
    """The groups worth considering, by the prefix that they end with, and their cheapest sequence."""

    def __init__(
        self,
        prefixes: Prefixes,
        estimates: Estimates,
        bytes_per_cycle: int,
        last_resort: Callable[[int], list[Choice]],
        worth_tiles: Callable[[FusedChoice], list[int]],
        looks: int,
    ) -> None:
        """Args:
        prefixes: the sets of layers that states may have computed.
        estimates: of the groups.
        bytes_per_cycle: of the DRAM.
        last_resort: more groups that end with a prefix, if no other would leave the chip empty.
        worth_tiles: the layers of a group that is slower than it seemed that may cost less in tiles.
        looks: how often the cheapest sequence is looked for while close estimates change it.
        """
        self._prefixes, self._estimates = prefixes, estimates
        self._bytes_per_cycle, self._last_resort = bytes_per_cycle, last_resort
        self._worth_tiles = worth_tiles
        self._most_looks, self._looks = looks, 0
        self._in_tiles: set[int] = set()  # prefixes whose last layers were offered in tiles
        self._edges: list[list[_Edge]] = [[] for _ in range(prefixes.count)]
        self._numbers: dict[State, int] = {}

    def after(self, choice: Choice) -> int:
        """The prefix that a group ends with."""
        return self._prefixes.of[choice.order][choice.end + 1]

    def add(self, choices: list[Choice]) -> None:
        """Enter groups."""
        for choice in choices:
            prefix, close, kinds = self.after(choice), is_close(choice), kinds_of(choice)
            state, rough = self._state_before(choice), (choice.dram_bytes, choice.cycles)
            source, target = self._number(state), self._number((prefix, choice.residents_out))
            expected = rough if close else self._estimates.expected(rough, kinds)
            edge = _Edge(choice, state[0], source, target, close, kinds, rough, *expected)
            self._edges[prefix].append(edge)

    def _number(self, state: State) -> int:
        return self._numbers.setdefault(state, len(self._numbers))

    def clear(self, prefix: int) -> None:
        """Forget the groups that end with a prefix."""
        self._edges[prefix].clear()

    def looks(self, directions: Sequence[tuple[Objective, bool]]) -> list[list[Choice]]:
        """Sequences of groups that seemed to cost least, all with close estimates.

        These may be above what was expected: along all directions in turn, the search is repeated until close
        estimates no longer change what is found, or often enough.

        Args:
            directions: what groups cost, and whether layers may have two buffers of rows.
        """
        paths = list[list[Choice]]()
        for _ in range(self._most_looks):
            is_settled = True
            for objective, buffered in directions:
                path = self._trace(self._reached(objective, buffered=buffered))
                rough = [edge for edge in path if not edge.is_close]
                self._look_closely(path, rough)
                paths.append([edge.choice for edge in path])
                is_settled &= not rough
            if is_settled:
                break
        return paths

    def _state_before(self, choice: Choice) -> State:
        return self._prefixes.of[choice.order][choice.start], choice.residents_in

    def _look_closely(self, path: list[_Edge], rough: list[_Edge]) -> None:
        """Give groups their close estimates, and expect of those that were rough what these teach."""
        before = [edge.choice.cycles for edge in rough]
        for edge, choice in zip(path, self._estimates.along([edge.choice for edge in path]), strict=True):
            edge.choice, edge.dram_bytes, edge.cycles = choice, choice.dram_bytes, choice.cycles
            edge.is_close = is_close(choice)
        if not rough:
            return
        much = sum(edge.cycles for edge in path) // TUNING.search.tiles_slowdown_share
        for edge, cycles in zip(rough, before, strict=True):
            if edge.cycles > cycles + much:
                self._offer_tiles(edge.choice)
        ends = {self.after(edge.choice): edge for edge in rough}
        self._looks += 1
        expected = self._estimates.expected
        everywhere = self._looks <= TUNING.search.looks_for_all
        for prefix in range(len(self._edges)) if everywhere else ends:
            for edge in self._edges[prefix]:
                if not edge.is_close and (everywhere or edge.before == ends[prefix].before):
                    edge.dram_bytes, edge.cycles = expected(edge.rough, edge.kinds)

    def _offer_tiles(self, choice: Choice) -> None:
        """Enter layers in tiles: their group, which seemed to serve them well, turns out to be slow."""
        assert isinstance(choice, FusedChoice)
        prefixes = self._prefixes.of[choice.order]
        for position in self._worth_tiles(choice):
            prefix = prefixes[position + 1]
            if prefix not in self._in_tiles:
                self._in_tiles.add(prefix)
                self.add(self._last_resort(prefix))

    def costs_around(self, objective: Objective) -> tuple[dict[int, float], dict[int, float]]:
        """By prefix: what the groups up to it, and those behind it, cost if nothing is on chip in between."""
        price, before = GroupPrice(objective, self._bytes_per_cycle), self._reached(objective).costs
        behind = {self._number((self._prefixes.by_size[-1], NOTHING)): 0.0}
        for prefix in reversed(self._prefixes.by_size[1:]):
            for edge in self._edges[prefix]:
                if edge.target in behind:
                    cost = behind[edge.target] + price.cost(edge.dram_bytes, edge.cycles)
                    behind[edge.source] = min(cost, behind.get(edge.source, inf))
        empty = {prefix: self._number((prefix, NOTHING)) for prefix in self._prefixes.by_size}
        first, rest = ({p: costs[n] for p, n in empty.items() if n in costs} for costs in (before, behind))
        return first, rest

    def _reached(self, objective: Objective, *, buffered: bool = True) -> _Reached:
        """Least costs of all states, as far as costs are known."""
        price = GroupPrice(objective, self._bytes_per_cycle)
        reached = _Reached({self._number((0, NOTHING)): 0.0})
        for prefix in self._prefixes.by_size[1:]:
            empty, edges = self._number((prefix, NOTHING)), self._edges[prefix]
            if not buffered:
                edges = [edge for edge in edges if not has_buffers(edge.choice)]
            reached.enter(edges, price)
            if empty not in reached.costs:  # no other group would leave the chip empty
                before = len(self._edges[prefix])
                self.add(self._last_resort(prefix))
                reached.enter(self._edges[prefix][before:], price)
        return reached

    def _trace(self, reached: _Reached) -> list[_Edge]:
        path: list[_Edge] = []
        prefix = self._prefixes.by_size[-1]
        state = self._number((prefix, NOTHING))
        while prefix > 0:
            edge = reached.by.get(state)
            if edge is None:
                raise InternalError(f"no choice ends with layer {prefix - 1}")
            path.append(edge)
            prefix, state = edge.before, edge.source
        return path[::-1]


@dataclass(frozen=True, slots=True)
class _Reached:
    """Least costs of states by number, and the groups that lead there at these."""

    costs: dict[int, float]
    by: dict[int, _Edge] = field(default_factory=dict)

    def enter(self, edges: list[_Edge], price: GroupPrice) -> None:
        """Take in groups whose states before them are known."""
        costs, by = self.costs, self.by
        prices = price.costs([edge.dram_bytes for edge in edges], [edge.cycles for edge in edges])
        for edge, own in zip(edges, prices, strict=True):
            before = costs.get(edge.source)
            if before is not None and before + own < costs.get(edge.target, inf):
                costs[edge.target] = before + own
                by[edge.target] = edge

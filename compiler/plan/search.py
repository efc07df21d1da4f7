"""The choice of groups: dynamic programming over what is computed, and what is on chip, between two groups.

A state is a prefix of one of several orders of the layers, and the set of buffers that are on chip then,
whole or in part.  A step is a group: an interval of an order, how it is cut, and the states before and after
it.  All is bounded by counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.choice import Choice
from nnc.compiler.plan.fusion.candidates import OrderSearch
from nnc.compiler.plan.fusion.capacity import Room
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.fusion.lower_bounds import Costs
from nnc.compiler.plan.fusion.structure_cache import Repeats
from nnc.compiler.plan.network.layer_cycles import layer_cycles
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.residents import NOTHING, Residents
from nnc.compiler.plan.network.topological_orders import Prefixes, orders_of
from nnc.compiler.plan.options import FASTEST, LEAST_TRAFFIC, OBJECTIVES, Objective, PlanOptions
from nnc.compiler.plan.tiling.core_mapping import TiledLayers
from nnc.isa.chip.description import Chip
from nnc.isa.errors import InternalError

_PERCENT_SLOWER = 2
"""How much slower than the fastest a balanced plan may be."""
_EXPONENTS, _BISECTIONS = (-2.0, 1.0), 5
"""Weight of a cycle beside that of its bytes: 10^low to 10^high, and how often the range is halved.

The low end: to save the transfer of some bytes, a hundred times as many cycles are too many."""

_Entry = tuple[float, Choice | None, Residents]
"""Least cost up to a prefix, the group before it, and what is on chip where that group starts."""


class GroupSearch:
    """Groups of a graph on a chip that may be part of the cheapest sequence, and that sequence.

    Attributes:
        networks: the graph with its layers in each of the orders; choices name theirs by number.
    """

    def __init__(
        self, graph: Graph, chip: Chip, options: PlanOptions, progress: Callable[[str, int, int], None]
    ) -> None:
        orders = orders_of(graph)
        self.networks = [PlanNetwork(graph, order) for order in orders]
        self.chip, self.objective = chip, OBJECTIVES[options.objective]
        self._banned: set[FusedChoice] = set()
        self._prefixes = Prefixes([[layer.name for layer in order] for order in orders])
        self._ways: list[list[Choice]] = [[] for _ in range(self._prefixes.count)]
        self._costs: list[Costs] = [{} for _ in range(self._prefixes.count)]
        self._costs[0][NOTHING] = 0.0
        self._in_tiles = TiledLayers(chip, options)
        self._searches = self._order_searches(options)
        for end in range(len(orders[0])):
            progress("planning", end, len(orders[0]))
            for order in range(len(orders)):
                self._collect(order, end)

    def _order_searches(self, options: PlanOptions) -> list[OrderSearch]:
        """The search in every order; none if no layers can be fused on this chip."""
        repeats, found = Repeats(), []
        for number, network in enumerate(self.networks):
            room = Room.of(self.chip, network) if options.fused else None
            if room is None:
                return []
            costs = [self._costs[prefix] for prefix in self._prefixes.of[number]]
            prices = (costs, self._cost, self._least_cost)
            found.append(
                OrderSearch(number, network, self.chip, room, options.overlap, repeats, *prices, self._enter)
            )
        return found

    def _cost(self, dram_bytes: int, cycles: int) -> float:
        """Cost of a group; its transfers take their time even behind work."""
        rate = self.chip.dram.bytes_per_cycle
        return self.objective.cost(dram_bytes, max(cycles, dram_bytes // rate), rate)

    def _least_cost(self, dram_bytes: int) -> float:
        """What more bytes of a group cost at least."""
        return self.objective.least_cost(dram_bytes, self.chip.dram.bytes_per_cycle)

    def _collect(self, order: int, end: int) -> None:
        """Groups of an order that end here and are in no order before."""
        latest = self._prefixes.latest_new(order, end)
        if latest < 0:
            return
        if self._searches:
            self._searches[order].collect(end, latest)
        if latest == end:
            self._collect_tiled(order, end)

    def _collect_tiled(self, order: int, end: int) -> None:
        """The single layer, if it is not well served by a fused group of its own."""
        network = self.networks[order]
        graph, name = network.graph, network.layers[end].name
        tensors = [*graph.inputs_of(name), *graph.outputs_of(name)]
        once = sum(graph.types[t].nbytes for t in tensors if t is not None)
        cycles = layer_cycles(network, self.chip, end, network.view(network.defines[end]).rows)
        prefixes = self._prefixes.of[order]
        found = self._costs[prefixes[end + 1]].get(NOTHING)
        before = self._costs[prefixes[end]].get(NOTHING)
        least = self._cost(once, cycles // self.chip.cores)
        is_open = found is None or (before is not None and before + 1.05 * least < found)
        if is_open or self.chip.cores > 1:  # a fused group saves traffic, several cores save time
            for choice in self._in_tiles.choices(order, network, end):
                self._enter(choice)

    def _before(self, choice: Choice) -> int:
        """The prefix that a group continues."""
        return self._prefixes.of[choice.order][choice.start]

    def _after(self, choice: Choice) -> int:
        """The prefix that a group ends with."""
        return self._prefixes.of[choice.order][choice.end + 1]

    def _enter(self, choice: Choice) -> None:
        """Keep a group, and what the network costs up to its end."""
        if isinstance(choice, FusedChoice) and choice in self._banned:
            return
        self._ways[self._after(choice)].append(choice)
        before = self._costs[self._before(choice)].get(choice.inside)
        if before is not None:
            cost = before + self._cost(choice.dram_bytes, choice.cycles)
            after = self._costs[self._after(choice)]
            after[choice.outside] = min(cost, after.get(choice.outside, cost))

    def ban(self, choices: Sequence[Choice]) -> None:
        """Take groups out of the search, and look again for groups that end where they did."""
        for choice in choices:
            if isinstance(choice, FusedChoice):
                self._banned.add(choice)
            elif choice.split is not None:
                layer = self.networks[choice.order].layers[choice.position]
                self._in_tiles.ban(layer, choice.candidates[0].tiling)
        for end, prefix in sorted({(choice.end, self._after(choice)) for choice in choices}):
            self._ways[prefix].clear()
            self._costs[prefix].clear()
            for order, prefixes in enumerate(self._prefixes.of):
                if prefixes[end + 1] == prefix:
                    self._collect(order, end)

    def least_traffic(self) -> list[Choice]:
        """The sequence of groups that covers the network with the least traffic."""
        return self._cheapest(LEAST_TRAFFIC)

    def fastest(self) -> list[Choice]:
        """The sequence with the fewest estimated cycles."""
        return self._cheapest(FASTEST)

    def balanced(self) -> list[Choice]:
        """The least traffic within 2 % of the fewest cycles, both as estimated.

        Such a sequence is the cheapest for some weight of cycles beside bytes, which bisection finds.
        """
        found = self.fastest()
        limit = _cycles(found) * (100 + _PERCENT_SLOWER) // 100
        low, high = _EXPONENTS
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2
            sequence = self._cheapest(Objective(1.0, 10.0**middle))
            if _cycles(sequence) <= limit:
                found, high = sequence, middle
            else:
                low = middle
        return found

    def _cheapest(self, objective: Objective) -> list[Choice]:
        """The sequence of groups with the least cost."""
        rate = self.chip.dram.bytes_per_cycle
        costs: list[dict[Residents, _Entry]] = [{} for _ in self._costs]
        costs[0][NOTHING] = (0.0, None, NOTHING)
        for prefix in self._prefixes.by_size[1:]:
            mine = costs[prefix]
            for choice in self._ways_to(prefix, costs):
                before = costs[self._before(choice)].get(choice.inside)
                if before is None:
                    continue
                nbytes, cycles = choice.dram_bytes, choice.cycles
                cost = before[0] + objective.cost(nbytes, max(cycles, nbytes // rate), rate)
                known = mine.get(choice.outside)
                if known is None or cost < known[0]:
                    mine[choice.outside] = (cost, choice, choice.inside)
        return self._trace(costs)

    def _ways_to(self, prefix: int, costs: list[dict[Residents, _Entry]]) -> list[Choice]:
        """All groups that end here; the single layer in tiles too, if no other would leave the chip empty."""
        ways = self._ways[prefix]
        if not any(way.outside == NOTHING and way.inside in costs[self._before(way)] for way in ways):
            for order, end in self._prefixes.places(prefix):
                ways += self._in_tiles.choices(order, self.networks[order], end - 1)
        return ways

    def _trace(self, costs: list[dict[Residents, _Entry]]) -> list[Choice]:
        path: list[Choice] = []
        prefix, state = self._prefixes.by_size[-1], NOTHING
        while prefix > 0:
            _, choice, state = costs[prefix][state]
            if choice is None:
                raise InternalError(f"no choice ends with layer {prefix - 1}")
            path.append(choice)
            prefix = self._before(choice)
        return path[::-1]


def _cycles(choices: Sequence[Choice]) -> int:
    """Estimated cycles of a sequence of groups."""
    return sum(choice.cycles for choice in choices)

"""The search for groups: candidates from a graph, a chip and options; the cheapest sequence from candidates.

Dynamic programming over states: a prefix of one of several orders of the layers, and what is on chip then.
A group leads from one state to another: an interval of an order, how it is cut, what is on chip before and
after it.  All is bounded by counts.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from weakref import proxy

from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.choice import Choice
from nnc.compiler.plan.effort import PairBudget
from nnc.compiler.plan.estimate.fewer_parts import with_fewer_parts
from nnc.compiler.plan.estimate.group_ends import why_it_ends
from nnc.compiler.plan.estimate.refine import Estimates
from nnc.compiler.plan.estimate.worth_tiles import WorthTiles
from nnc.compiler.plan.fusion.candidates import fused_candidates, shared_candidates
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.network.connected import ConnectedIntervals
from nnc.compiler.plan.network.frontier import Frontier
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.options import (
    BALANCED,
    FASTEST,
    LEAST_TRAFFIC,
    PERCENT_SLOWER,
    GroupPrice,
    Objective,
    PlanOptions,
)
from nnc.compiler.plan.prices.energy_price import considered_by, energy_price
from nnc.compiler.plan.search_tables import SearchTables
from nnc.compiler.plan.sequences import Sequences
from nnc.compiler.plan.tiles.tiled_choices import TiledLayers
from nnc.compiler.plan.two_buffers.choices import BufferedChoice, BufferedLayers
from nnc.compiler.plan.views.row_views import CutAxes
from nnc.isa.chip.description import Chip

_log = logging.getLogger(__name__)
_ENDLESS = 2**62
"""No limit of cycles."""


def find_candidates(
    graph: Graph,
    chip: Chip,
    options: PlanOptions,
    progress: Callable[[str, int, int], None],
    tables: SearchTables | None = None,
) -> Candidates:
    """All groups of a graph on a chip that may be part of the cheapest sequence.

    Args:
        graph: canonical, with storage for every tensor.
        chip: the target.
        options: what the user asks for.
        progress: called as progress(what, done, total) after every layer.
        tables: what other searches over the graph have found.
    """
    candidates = Candidates(tables or SearchTables(graph, chip, options.effort), chip, options)
    count = len(candidates.networks[0].layers)
    for end in range(count):
        progress("planning", end, count)
        for order in range(len(candidates.networks)):
            candidates.add(order, end)
    return candidates


class Candidates:
    """Groups that may be part of the cheapest sequence, and that sequence by objective.

    Attributes:
        networks: the graph with its layers in each of the orders; choices name theirs by number.
        sequences: the groups that were found.
        refusals: by layer, why it is not computed as the user asks.

    Raises:
        OptionError: no convolution can have two fixed buffers, and the user asks for them.
    """

    def __init__(self, tables: SearchTables, chip: Chip, options: PlanOptions) -> None:
        self._effort, self.networks, self._prefixes = tables.effort, tables.networks, tables.prefixes
        self._chip, self._options = chip, options
        self._banned: set[FusedChoice] = set()
        self._price = GroupPrice(considered_by(options.objective, chip), chip.dram.bytes_per_cycle)
        prices = [GroupPrice(mine, chip.dram.bytes_per_cycle) for mine in self._beside(options.objective)]
        beside = [Frontier(self._prefixes, price) for price in prices]
        self._frontier = Frontier(self._prefixes, self._price, beside)
        self._in_tiles = TiledLayers(chip, options, tables.layers)
        self._buffered = BufferedLayers(chip, options)
        forced = tuple(self._buffered.forced(network) for network in self.networks)
        self._forced, self.refusals = forced, self._buffered.refusals(self.networks[0])
        runs, rate = tables.runs(chip, options, forced), chip.dram.bytes_per_cycle
        self._estimates = Estimates(runs)
        self._fused_orders = runs.orders
        self._worth_tiles = WorthTiles(self.networks, runs.orders, self._in_tiles, self._frontier)
        apart = self.networks[0].graph.notes.apart
        self._connected = [_connected(network) for network in self.networks] if apart else []
        self._budgets = [PairBudget(self._effort) for _ in self.networks]
        self.sequences = Sequences(
            self._prefixes,
            self._estimates,
            rate,
            partial(Candidates._last_resort, proxy(self)),  # a strong reference would be a circle
            self._worth_tiles.after_all,
            self._effort.looks,
        )

    def _beside(self, objective: str) -> list[Objective]:
        """By what else than what prunes groups a layer in tiles may be worth it: what chooses among them.

        Cores that share layers save time more than bytes: what counts it most has a say, too.
        """
        chosen = [BALANCED] if objective == "balanced" else []
        return [*chosen, Objective(1.0, max(self._effort.weights))] if self._chip.cores > 1 else chosen

    def add(self, order: int, end: int) -> None:
        """Find the groups of an order that end at a position and are in no order before."""
        starts = self._prefixes.new_starts(order, end)
        if self._connected:
            together = self._connected[order].starts(end, self._effort.longest_group)
            starts = [start for start in together if start in starts]
        if not starts:
            return
        shares, is_new, span = self._chip.cores > 1, end in starts, (end, starts)
        groups: list[Choice] = []
        orders = self._fused_orders
        if orders and shares:
            groups += shared_candidates(orders[order], span, self._frontier, self._banned)
        if is_new and shares:  # before groups of core 0 alone, most of which cost more
            groups += self._offered_alone(order, end)
        if orders:
            budget = self._budgets[order]
            groups += fused_candidates(
                orders[order], span, self._options.overlap, self._frontier, self._banned, budget
            )
        if is_new and not shares:
            groups += self._offered_alone(order, end)
        self.sequences.add(groups)

    def _offered_alone(self, order: int, end: int) -> list[Choice]:
        """A layer alone, offered to the frontier; along other axes than the outermost, none is."""
        if self.networks[order].axes is not CutAxes.OUTERMOST:
            return []
        alone = self._alone(order, end, in_tiles=self._worth_tiles.of(order, end))
        for choice in alone:
            # Two buffers beside other ways must not prune groups: then nothing is lost by their offer.
            if not isinstance(choice, BufferedChoice) or end in self._forced[order]:
                self._frontier.offer(choice)
        return alone

    def _alone(self, order: int, end: int, *, in_tiles: bool) -> list[Choice]:
        """A layer alone: with two buffers if that can be, and in tiles unless the user forbids it."""
        network = self.networks[order]
        buffered = self._buffered.choices(order, network, end)
        if in_tiles and not (end in self._forced[order] and buffered):
            return [*buffered, *self._in_tiles.choices(order, network, end)]
        return [*buffered]

    def _last_resort(self, prefix: int) -> list[Choice]:
        """The layers that end with a prefix, in tiles."""
        places = self._prefixes.places(prefix)
        found = [
            self._alone(order, end - 1, in_tiles=True)
            for order, end in places
            if self.networks[order].axes is CutAxes.OUTERMOST
        ]
        return [choice for choices in found for choice in choices]

    def ban(self, choices: Sequence[Choice]) -> None:
        """Take groups out of the search, and look again for groups that end where they did."""
        for choice in choices:
            if isinstance(choice, FusedChoice):
                self._banned.add(choice)
                continue
            layer = self.networks[choice.order].layers[choice.position]
            if isinstance(choice, BufferedChoice):
                self._buffered.ban(layer.name, choice.best.conv)
                self.refusals.update(self._buffered.refusals(self.networks[0]))
            elif choice.split is not None:
                self._in_tiles.ban(layer, choice.candidates[0].tiling)
        for end, prefix in sorted({(choice.end, self.sequences.after(choice)) for choice in choices}):
            self.sequences.clear(prefix)
            self._frontier.forget(prefix)
            for order, prefixes in enumerate(self._prefixes.of):
                if prefixes[end + 1] == prefix:
                    self.add(order, end)

    def in_fewer_parts(self, path: list[Choice]) -> list[Choice]:
        """A sequence of groups, those of many parts in as few as take no longer."""
        return with_fewer_parts(path, self._fused_orders, self._estimates, self._banned)

    def why_it_ends(self, choice: Choice) -> str:
        """Why the next layer is not in a group."""
        return why_it_ends(self.networks[choice.order], self._fused_orders, choice)

    def described(self, choice: Choice) -> str:
        """A group for people: its layers, its cut and its cost."""
        layers = self.networks[choice.order].layers
        names = " … ".join(dict.fromkeys((layers[choice.start].name, layers[choice.end].name)))
        return f"{names}, {_how(choice)}: {choice.dram_bytes} B, {choice.cycles} cycles"

    def least_traffic(self) -> list[Choice]:
        """The sequence of groups that covers the network with the least traffic."""
        return self.cheapest(LEAST_TRAFFIC)

    def fastest(self) -> list[Choice]:
        """The sequence with the fewest estimated cycles.

        What is estimated closely is above what was expected, of sequences that count nothing but cycles most:
        one that counts bytes, too, may be the fastest.
        """
        return min(self.cheapest(FASTEST), *self._weighed(), key=_cycles)

    def balanced(self) -> list[Choice]:
        """The cheapest sequence by `BALANCED`, as estimated, within a limit of cycles.

        It is put together from the best stretches of sequences that are the cheapest for several weights of a
        cycle beside that of its bytes.
        """
        tried = self._weighed()
        limit = min(map(_cycles, tried)) * (100 + PERCENT_SLOWER) // 100
        return self._put_together(tried, BALANCED, limit)

    def least_energy(self) -> list[Choice]:
        """The sequence that takes the least energy, put together likewise."""
        objective = energy_price(self._chip, "energy").of_energy
        return self._put_together([self.cheapest(objective), *self._weighed()], objective, _ENDLESS)

    def least_product(self) -> list[Choice]:
        """The sequence with the least product of energy and time.

        From the best of several, it is looked for by the weights that the product has near the best so far.
        """
        price = energy_price(self._chip, "edp")

        def product(choices: list[Choice]) -> float:
            return price.product(sum(choice.dram_bytes for choice in choices), _cycles(choices))

        tried = [self.cheapest(price.of_any_product), *self._weighed()]
        best = min(tried, key=product)
        for _ in range(self._effort.looks):
            near = price.of_product(sum(choice.dram_bytes for choice in best), _cycles(best))
            tried.append(self.cheapest(near))
            found = self._put_together(tried, near, _ENDLESS)
            if product(found) >= product(best):
                break
            best = found
        return best

    def _put_together(self, tried: list[list[Choice]], objective: Objective, limit: int) -> list[Choice]:
        """The best stretches of some sequences, by an objective, within a limit of cycles."""
        price = GroupPrice(objective, self._price.bytes_per_cycle)
        tried.sort(key=price.of_all)
        found = next(mine for mine in tried if _cycles(mine) <= limit)
        for other in tried:
            found = self.sequences.mixed(found, other, price, limit)
        return found

    def _weighed(self) -> list[list[Choice]]:
        """The cheapest sequences for several weights of a cycle beside that of its bytes."""
        return [self.cheapest(Objective(1.0, weight)) for weight in self._effort.weights]

    def cheapest(self, objective: Objective) -> list[Choice]:
        """The sequence of groups with the least cost; see `Sequences.cheapest`."""
        return self.sequences.cheapest(objective)


def _how(choice: Choice) -> str:
    """How a group is cut, in words."""
    match choice:
        case FusedChoice():
            return str(choice.cut)
        case BufferedChoice():
            return str(choice.best.conv.figures)
        case _:
            return choice.candidates[0].tiling.reason


def _cycles(choices: Sequence[Choice]) -> int:
    """Estimated cycles of a sequence of groups, all of them close."""
    return sum(choice.cycles for choice in choices)


def _connected(network: PlanNetwork) -> ConnectedIntervals:
    """The intervals of a network whose layers belong together."""
    pairs = zip(network.defines, network.operands, strict=True)
    tensors = ([made, *(tensor for _, tensor in operands)] for made, operands in pairs)
    return ConnectedIntervals([{*map(network.buffer_of, mine)} for mine in tensors])

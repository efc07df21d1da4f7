"""The search for groups: candidates from a graph, a chip and options; the cheapest sequence from candidates.

Dynamic programming over states: a prefix of one of several orders of the layers, and what is on chip then.
A group leads from one state to another: an interval of an order, how it is cut, what is on chip before and
after it.  All is bounded by counts.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from weakref import proxy

from nnc.compiler.ir.annotations import GroupEnd
from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.alone.in_tiles import TiledLayers
from nnc.compiler.plan.alone.in_two_buffers import BufferedLayers
from nnc.compiler.plan.alone.layer_alone import has_buffers
from nnc.compiler.plan.choice import Choice
from nnc.compiler.plan.effort import PairBudget
from nnc.compiler.plan.fusion.candidates import fused_candidates, shared_candidates
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.network.buffers import CutAxes
from nnc.compiler.plan.network.frontier import ConnectedIntervals, Frontier
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.options import BALANCED, LEAST_TRAFFIC, OBJECTIVES, GroupPrice, Objective, PlanOptions
from nnc.compiler.plan.prices import AskedPrice, asked_together
from nnc.compiler.plan.search.estimates import Estimates, GroupRuns
from nnc.compiler.plan.search.group_ends import why_it_ends
from nnc.compiler.plan.search.sequences import Sequences
from nnc.compiler.plan.search.tables import SearchTables
from nnc.compiler.plan.search.worth_tiles import WorthTiles
from nnc.compiler.plan.steps.expansions import Expansions
from nnc.isa.chip.description import Chip

_log = logging.getLogger(__name__)


def considered_prices(tables: SearchTables, chip: Chip, options: PlanOptions) -> tuple[Objective, ...]:
    """What decides which groups are worth considering: of a small network, the same for all objectives."""
    considered = AskedPrice.of("balanced" if tables.is_small else options.objective, chip).considered
    return tuple(dict.fromkeys((considered, LEAST_TRAFFIC))) if tables.has_few_layers else (considered,)


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
        sequences: the groups that were found; expansions: their steps.
        refusals: by layer, why it is not computed as the user asks.

    Raises:
        OptionError: no convolution can have two fixed buffers, and the user asks for them.
    """

    def __init__(self, tables: SearchTables, chip: Chip, options: PlanOptions) -> None:
        self._effort, self.networks, self._prefixes = tables.effort, tables.networks, tables.prefixes
        self._has_few_layers, self._is_small = tables.has_few_layers, tables.is_small
        self._chip, self._options = chip, options
        self._banned: set[FusedChoice] = set()
        considered = considered_prices(tables, chip, options)
        beside = [price for price in self._beside(considered) if price not in considered]
        rate = chip.dram.bytes_per_cycle
        prices = [GroupPrice(price, rate) for price in (*considered, *beside)]
        frontiers = Frontier.side_by_side(self._prefixes, prices)
        self._frontiers = frontiers[: len(considered)]
        self._in_tiles = TiledLayers(chip, options, tables.layers, considered)
        self._buffered = BufferedLayers(chip, options)
        forced = tuple(self._buffered.forced(network) for network in self.networks)
        self._forced, self.refusals = forced, self._buffered.refusals(self.networks[0])
        first = self.networks[0]
        self._has_buffers = any(
            not self._buffered.why_not(first, position) for position in range(len(first.layers))
        )
        self._fused_orders = orders = tables.fused_orders(chip, options, forced)
        self.expansions = Expansions(self.networks, orders, chip, self.refusals)
        self._runs = GroupRuns(self.expansions) if orders else None
        self._estimates = Estimates(self._runs)
        self._worth_tiles = WorthTiles(self.networks, orders, self._in_tiles, frontiers)
        apart = self.networks[0].graph.notes.apart
        self._connected = [_connected(network) for network in self.networks] if apart else []
        self._budgets = [[PairBudget(self._effort) for _ in self.networks] for _ in considered]
        self._looks = dict[tuple[Objective, ...], list[list[Choice]]]()
        self.sequences = Sequences(
            self._prefixes,
            self._estimates,
            rate,
            partial(Candidates._last_resort, proxy(self)),  # a strong reference would be a circle
            self._worth_tiles.after_all,
            self._effort.looks,
        )

    def _beside(self, considered: Sequence[Objective]) -> list[Objective]:
        """By what else than what prunes groups a layer in tiles may be worth it: what chooses among them.

        Cores that share layers save time more than bytes: what counts it most has a say, too.
        """
        chosen = [BALANCED] if OBJECTIVES["balanced"] in considered else []
        return [*chosen, Objective(1.0, max(self._effort.weights))] if self._chip.cores > 1 else chosen

    def add(self, order: int, end: int) -> None:
        """Find the groups of an order that end at a position and are in no order before."""
        starts = self._prefixes.new_starts(order, end)
        if self._connected:
            together = self._connected[order].starts(end, self._effort.longest_group)
            starts = [start for start in together if start in starts]
        if not starts:
            return
        groups: list[Choice] = []
        if self._fused_orders and self._chip.cores > 1:
            groups += self._fused(order, (end, starts), shared=True)
        alone = end in starts
        if alone and self._chip.cores > 1:  # before groups of core 0 alone, most of which cost more
            groups += self._offered_alone(order, end)
        if self._fused_orders:
            groups += self._fused(order, (end, starts), shared=False)
        if alone and self._chip.cores == 1:
            groups += self._offered_alone(order, end)
        self.sequences.add(groups)

    def _fused(self, order: int, span: tuple[int, Sequence[int]], *, shared: bool) -> list[FusedChoice]:
        """Fused groups that end at a position and are worth considering by one price or another."""
        layers, banned, groups = self._fused_orders[order], self._banned, list[FusedChoice]()
        for frontier, budgets in zip(self._frontiers, self._budgets, strict=True):
            if shared:
                groups += shared_candidates(layers, span, frontier, banned)
            else:
                overlap, budget = self._options.overlap, budgets[order]
                groups += fused_candidates(layers, span, overlap, frontier, banned, budget)
        return groups if len(self._frontiers) == 1 else [*dict.fromkeys(groups)]

    def _offered_alone(self, order: int, end: int) -> list[Choice]:
        """A layer alone, offered to the frontiers; along other axes than the outermost, none is."""
        if self.networks[order].axes is not CutAxes.OUTERMOST:
            return []
        alone = self._alone(order, end, in_tiles=self._worth_tiles.of(order, end))
        for choice in alone:
            # Two buffers beside other ways must not prune groups: then nothing is lost by their offer.
            if not has_buffers(choice) or end in self._forced[order]:
                self._frontiers[0].offer(choice)
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
        by_place = [
            self._alone(order, end - 1, in_tiles=True)
            for order, end in places
            if self.networks[order].axes is CutAxes.OUTERMOST
        ]
        return [choice for choices in by_place for choice in choices]

    def ban(self, choices: Sequence[Choice]) -> None:
        """Take groups out of the search, and look again for groups that end where they did."""
        for choice in choices:
            if isinstance(choice, FusedChoice):
                self._banned.add(choice)
                continue
            layer = self.networks[choice.order].layers[choice.start]
            if has_buffers(choice):
                self._buffered.ban(layer.name, choice.best.cut)
                self.refusals.update(self._buffered.refusals(self.networks[0]))
            elif choice.is_optional:
                self._in_tiles.ban(layer.name, choice.best.cut)
        self._looks.clear()
        for end, prefix in sorted({(choice.end, self.sequences.after(choice)) for choice in choices}):
            self.sequences.clear(prefix)
            self._frontiers[0].forget(prefix)
            for order, prefixes in enumerate(self._prefixes.of):
                if prefixes[end + 1] == prefix:
                    self.add(order, end)

    def why_it_ends(self, choice: Choice) -> GroupEnd:
        """Why the next layer is not in a group."""
        return why_it_ends(self.networks[choice.order], self._fused_orders, choice)

    def described(self, choice: Choice) -> str:
        """A group for people: its layers, its cut and its cost."""
        layers = self.networks[choice.order].layers
        names = " … ".join(dict.fromkeys((layers[choice.start].name, layers[choice.end].name)))
        return f"{names}, {_how(choice)}: {choice.dram_bytes} B, {choice.cycles} cycles"

    def sequences_for(self, asked: AskedPrice) -> list[list[Choice]]:
        """Sequences of groups that cover the network, all with close estimates, the cheapest first.

        They are all that were looked at closely along some weights of bytes and cycles; of an objective that
        is no sum over groups, along those near the best ones, too.  Of a small network, the weights of all
        objectives: what one finds, the others know.

        Args:
            asked: by which they are ordered.
        """
        every = asked_together(self._chip) if self._is_small else [asked]
        weights = tuple(Objective(1.0, weight) for weight in self._effort.weights)
        directions = [direction for price in every for direction in price.directions(weights)]
        if self._has_few_layers:
            directions.append(LEAST_TRAFFIC)
        paths = [*self.looked_along(*dict.fromkeys(directions))]
        for price in every:
            if price.name == "edp":
                paths += self._nearer(paths, price)
        distinct = list[list[Choice]]()
        for path in sorted(paths, key=partial(_worth, asked)):
            if path not in distinct:
                distinct.append(path)
        return distinct

    @property
    def _with_and_without_buffers(self) -> tuple[bool, ...]:
        """Whether layers may have two buffers of rows: in small networks, both ways are searched."""
        both = self._is_small and self._options.conv_buffers == "auto" and self._has_buffers
        return (False, True) if both else (True,)

    def looked_along(self, *directions: Objective) -> list[list[Choice]]:
        """What is looked at closely for the cheapest sequences by some weights; found once."""
        if directions not in self._looks:
            buffered = self._with_and_without_buffers
            self._looks[directions] = self.sequences.looks([*product(directions, buffered)])
        return self._looks[directions]

    def learn(self, plans: Sequence[tuple[list[Choice], Sequence[int]]]) -> bool:
        """Expect of groups what they take in plans that were made of them; whether that is news.

        Args:
            plans: sequences of groups, and the cycles of each group.
        """
        if self._runs is None:
            return False
        is_news = [self._runs.learn(path, cycles) for path, cycles in plans]
        if any(is_news):
            self._looks.clear()
        return any(is_news)

    def _nearer(self, paths: Sequence[list[Choice]], asked: AskedPrice) -> list[list[Choice]]:
        """What is looked at along the weights near the best path so far, while that gets better."""
        tried = [*paths]
        for _ in range(self._effort.looks):
            best = min(tried, key=partial(_worth, asked))
            tried += self.looked_along(asked.near(*totals(best)))
            if best is min(tried, key=partial(_worth, asked)):
                break
        return tried[len(paths) :]


def _how(choice: Choice) -> str:
    """How a group is cut, in words."""
    return str(choice.cut) if isinstance(choice, FusedChoice) else choice.best.cut.heading


def totals(choices: Sequence[Choice]) -> tuple[int, int]:
    """DRAM bytes and cycles of a sequence of groups, as estimated."""
    return sum(choice.dram_bytes for choice in choices), sum(choice.cycles for choice in choices)


def _worth(asked: AskedPrice, choices: Sequence[Choice]) -> float:
    return asked.worth(*totals(choices))


def _connected(network: PlanNetwork) -> ConnectedIntervals:
    """The intervals of a network whose layers belong together."""
    pairs = zip(network.defines, network.operands, strict=True)
    tensors = ([made, *(tensor for _, tensor in operands)] for made, operands in pairs)
    return ConnectedIntervals([{*map(network.buffer_of, touched)} for touched in tensors])

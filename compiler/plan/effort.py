"""How long the planner searches: levels that users ask for, as counts of what is tried, never as seconds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from nnc.compiler.tuning import TUNING


@dataclass(frozen=True, slots=True)
class Effort:
    """What a search tries at the most.

    Attributes:
        longest_group: most layers of a group; 1: layer by layer.
        parts: into how many ranges of rows groups are cut.
        strips: whether groups are cut into strips of columns, and along other axes than the outermost ones.
        pairs: of groups that end at a layer, ever longer ones are looked at until so many pairs of residents
            before and after them are found; average_pairs: as many for each of all layers (`PairBudget`).
        residents: whether tensors that stay on chip between groups are looked for.
        ordered_layers: of networks of no more layers, several orders are tried.
        weights: of a cycle beside that of its bytes, for each of which the cheapest sequence is looked for.
        looks: how often the cheapest sequence is looked for while close estimates change it.
        few_layers: of networks of no more layers, groups that move few bytes are looked for, whatever the
            objective; if their tensors are small, too, all objectives are searched together, with and without
            two buffers of rows, and all sequences that were looked at closely are planned.
        placements: most steps of a plan for which several placements are predicted.
        predicted_steps: of plans that are made and compared, all together, beside the first.
        lessons: how often a small network is searched again with what plans of it have taught.
        tilings: most shapes of tiles of a layer; few_priced: whether only one of them is priced exactly.
        splits: of a layer among the cores that are tiled.
        less_memory: whether plans for less memory are tried.
        below: the level whose plan is made, too, of small networks, and with `less_memory` of all: what less
            effort finds is not lost.
    """

    longest_group: int = 40
    parts: tuple[int, ...] = TUNING.cuts.parts
    strips: bool = True
    pairs: int = 4000
    average_pairs: int = TUNING.search.min_pairs
    residents: bool = True
    ordered_layers: int = 24
    weights: tuple[float, ...] = (0.5, 2.0, 1.0, 0.25)
    looks: int = 8
    few_layers: int = 24
    placements: int = 500
    predicted_steps: int = 6000
    lessons: int = 2
    tilings: int = 24000
    few_priced: bool = False
    splits: int = 3
    less_memory: bool = False
    below: str = ""

    def of(self, layers: int) -> Effort:
        """The effort for a network of so many layers."""
        pairs = max(TUNING.search.min_pairs, TUNING.search.total_pairs // max(1, layers))
        if layers <= TUNING.search.full_layers:
            return replace(self, average_pairs=pairs)

        def share(count: int, least: int) -> int:
            return min(count, max(least, count * TUNING.search.full_layers // layers))

        return replace(
            self,
            average_pairs=pairs,
            longest_group=share(self.longest_group, TUNING.search.min_longest_group),
            weights=self.weights[: share(len(self.weights), TUNING.search.min_weights)],
            looks=share(self.looks, TUNING.search.min_looks),
        )


@dataclass
class PairBudget:
    """The pairs of residents that one search may look at: what a layer leaves, those behind it may have.

    Most networks have few tensors alive at most layers and many at some, and lose nothing by it; a grid has
    many at all of them.
    """

    effort: Effort
    _left: int = field(init=False)
    _granted: dict[int, int] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._left = self.effort.average_pairs * TUNING.search.pairs_in_advance

    def of(self, end: int) -> int:
        """Most pairs of groups that end at a layer: as many when they are looked for again."""
        return self._granted.get(end, min(self.effort.pairs, max(TUNING.search.min_pairs, self._left)))

    def spend(self, end: int, pairs: int) -> None:
        """So many pairs of groups that end at a layer were looked at."""
        if end not in self._granted:
            self._granted[end] = self.of(end)
            self._left += self.effort.average_pairs - pairs


EFFORTS = {
    "O0": Effort(
        longest_group=1,
        pairs=TUNING.search.min_pairs,
        strips=False,
        residents=False,
        ordered_layers=0,
        weights=(0.5,),
        looks=1,
        few_layers=0,
        placements=0,
        predicted_steps=0,
        tilings=2400,
        few_priced=True,
        splits=2,
    ),
    "O1": Effort(
        longest_group=16,
        parts=TUNING.cuts.few_parts,
        strips=False,
        residents=False,
        ordered_layers=0,
        weights=(0.5, 2.0),
        looks=2,
        lessons=0,
        placements=0,
        predicted_steps=1000,
    ),
    "O2": Effort(below="O1"),
    "O3": Effort(
        longest_group=60,
        parts=tuple(sorted((*TUNING.cuts.parts, *TUNING.cuts.more_parts))),
        ordered_layers=120,
        weights=(0.5, 2.0, 1.0, 0.25, 4.0, 1.4, 0.7, 0.35),
        looks=16,
        few_layers=48,
        placements=5000,
        predicted_steps=60_000,
        less_memory=True,
        below="O2",
    ),
}
"""The levels by name: layer by layer; quickly fused; the default; all that may gain.  Made at import."""

"""Why DRAM bytes of a layer changed: what differs between the two plans around it.

For a layer and a cause of the ledger, the first of these that holds is told:

    the layer is new, gone, or has another result      the network changed
    a tensor crosses groups now, or no longer          groups changed; of spill, as its sign demands
    other tensors stay on chip before or after it      residents changed; of weights, behind the cut
    its group is cut in other parts, or axes           the cut changed
    its group works on other cores
    its group has other layers, or another reason      tiles of other sizes, other weights resident
    first touches that other layers gained or lost     another layer touches the tensor first
    the chip moves other bursts                        align
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from nnc.diff.plan_side import PlanSide
from nnc.diff.schema import ByteCause
from nnc.report.schema import GroupReport, LayerReport
from nnc.runtime.measure.ledger import FLOOR_CAUSES

Pair = tuple[str | None, str | None]
"""Names of a layer before and after; None: there is no such layer."""
_OF_BURSTS = ("dram.burst", "dram.align")


@dataclass(frozen=True)
class ByteCauses:
    """Tells causes of changes between two reports.

    Attributes:
        renamed: names of layers before, with those after.
        net: by cause of the ledger, how the bytes of the whole changed.
        changed_keys: of the chip.
    """

    before: PlanSide
    after: PlanSide
    renamed: Mapping[str, str]
    net: Mapping[str, int]
    changed_keys: frozenset[str]

    def of_layers(self, pairs: Sequence[Pair]) -> tuple[ByteCause, ...]:
        """Changes of layers by cause and by what is told of it, the largest first."""
        deltas = defaultdict[tuple[str, str], dict[str, int]](dict)
        for pair in pairs:
            name = pair[1] or pair[0] or ""
            for cause, delta in self.deltas(pair).items():
                deltas[cause, self._why(pair, cause, delta)][name] = delta
        causes = [
            ByteCause(
                cause=cause,
                delta=sum(by_layer.values()),
                why=why,
                layers=tuple(sorted(by_layer, key=lambda name: -abs(by_layer[name]))),
            )
            for (cause, why), by_layer in deltas.items()
        ]
        return tuple(sorted(causes, key=lambda cause: -abs(cause.delta)))

    def deltas(self, pair: Pair) -> dict[str, int]:
        """By cause, how the bytes of a layer changed, if they did."""
        change = Counter(self.after.bytes_by_cause(pair[1]))
        change.subtract(self.before.bytes_by_cause(pair[0]))
        return {cause: delta for cause, delta in change.items() if delta}

    def told(self, pairs: Sequence[Pair]) -> tuple[int, int]:
        """Bytes of layers that changed, up or down, and those of them for which something is told."""
        changed = told = 0
        for pair in pairs:
            for cause, delta in self.deltas(pair).items():
                changed += abs(delta)
                told += abs(delta) * bool(self._why(pair, cause, delta))
        return changed, told

    def _why(self, pair: Pair, cause: str, delta: int) -> str:
        """What differs around a layer that bears on a cause; empty if nothing does."""
        earlier, later = pair
        if earlier is None or later is None:
            return "the layer is new" if earlier is None else "the layer is gone"
        if network := _network_change(self.before.entries[earlier][0], self.after.entries[later][0]):
            return network
        groups = self.before.group_of(earlier), self.after.group_of(later)
        cut = _cut_change(*groups)
        if cause not in FLOOR_CAUSES:
            around = "; ".join(self._border_changes(earlier, later, cause, delta)) or _resident_change(
                *groups
            )
            if told := cut or around if cause == "reload" else around or cut:
                return told
        if cause in FLOOR_CAUSES and abs(self.net[cause]) < abs(delta):
            return "another layer touches the tensor first"
        if cause == "align" and self.changed_keys.intersection(_OF_BURSTS):
            return "the DRAM of the chip moves other bursts"
        return cut

    def _border_changes(self, earlier: str, later: str, cause: str, delta: int) -> Iterator[str]:
        """Tensors at a layer that are inside of a group on one side, and between groups on the other.

        What stays inside of a group saves bytes, what goes from group to group costs them; of bursts, either.
        """
        after = {edge: self.after.is_inside[edge] for edge in self.after.edges_of.get(later, ())}
        said = dict[str, bool]()
        for edge in self.before.edges_of.get(earlier, ()):
            renamed = self.renamed.get(edge[0], ""), self.renamed.get(edge[1], "")
            is_inside = after.get(renamed)
            if is_inside is not None and is_inside is not self.before.is_inside[edge]:
                said[renamed[0]] = is_inside
        for maker, is_inside in sorted(said.items()):
            if cause != "align" and is_inside is not (delta < 0):
                continue
            where = "stays inside of a group" if is_inside else "goes from group to group"
            yield f"the result of {maker} {where} now"


def parts(count: int) -> str:
    """``1 part``, ``2 parts``."""
    return f"{count} part{'' if count == 1 else 's'}"


def _network_change(before: LayerReport, after: LayerReport) -> str:
    """How the network differs in a layer, as far as both reports know it."""
    if before.kind is None or after.kind is None:
        return ""
    if before.kind != after.kind:
        return f"the layer is {after.kind}, it was {before.kind}"
    if (before.shape, before.dtype) != (after.shape, after.dtype):
        old, new = (f"{layer.dtype}{list(layer.shape or ())}" for layer in (before, after))
        return f"its result is {new}, it was {old}"
    return ""


def _cut_change(before: GroupReport | None, after: GroupReport | None) -> str:
    """How the groups of a layer differ in cut, cores, layers or reason."""
    if before is None or after is None:
        return ""
    if before.parts != after.parts:
        return f"its group is computed in {parts(after.parts)}, it was in {before.parts}"
    if before.axis != after.axis and before.axis is not None and after.axis is not None:
        return f"its group is cut along {after.axis}, it was along {before.axis}"
    if len(before.cores) != len(after.cores):
        return f"its group has {len(after.cores)} cores, it had {len(before.cores)}"
    if set(before.layers) != set(after.layers):
        return "its group has other layers beside it"
    if before.reason != after.reason:
        return f"its group is done another way: {after.reason}"
    return ""


def _resident_change(before: GroupReport | None, after: GroupReport | None) -> str:
    """Which tensors are on chip before or after a group on one side only."""
    if before is None or after is None:
        return ""
    said = list[str]()
    for when, old, new in (
        ("before", before.finds, after.finds),
        ("after", before.leaves, after.leaves),
    ):
        old, new = old or (), new or ()
        said += [f"{name} is on chip {when} the group now" for name in new if name not in old]
        said += [f"{name} is no longer on chip {when} the group" for name in old if name not in new]
    return "; ".join(said)

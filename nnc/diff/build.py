"""Making the difference of two reports."""

from __future__ import annotations

from collections.abc import Iterator

from nnc.diff.byte_causes import ByteCauses, Pair
from nnc.diff.group_changes import group_changes
from nnc.diff.layer_pairs import pair_layers
from nnc.diff.plan_side import PlanSide
from nnc.diff.schema import Change, Diff, LayerChange, Setting, Side
from nnc.report.identity import flat_keys
from nnc.report.schema import Report
from nnc.runtime.measure.ledger import CAUSES


def make_diff(before: Report, after: Report) -> Diff:
    """What changed from one report to the other, and why.

    Totals are the simulator's; those of groups and layers sum to them exactly.
    """
    old, new = PlanSide(before), PlanSide(after)
    renamed = pair_layers(before, after)
    settings = tuple(_settings(before, after))
    totals = _totals(before, after)
    net = {cause: int(totals[cause].delta) for cause in CAUSES}
    causes = ByteCauses(old, new, renamed, net, frozenset(setting.key for setting in settings))
    pairs = [
        *((name, renamed.get(name)) for name in old.entries),
        *((None, name) for name in new.entries.keys() - set(renamed.values())),
    ]
    changed, told = causes.told(pairs)
    return Diff(
        before=_side(before),
        after=_side(after),
        settings=settings,
        totals=totals,
        groups=tuple(group_changes(old, new, pairs, causes)),
        layers=tuple(_layers(old, new, causes, pairs)),
        changed_bytes=changed,
        told_bytes=told,
    )


def _side(report: Report) -> Side:
    return Side(title=report.title, model=report.model, nnc=report.nnc)


def _settings(before: Report, after: Report) -> Iterator[Setting]:
    """Keys that differ: of the model, the options, the chip, and the version."""
    sides = [_flat(before), _flat(after)]
    for key in dict.fromkeys([*sides[0], *sides[1]]):
        old, new = (side.get(key) for side in sides)
        if old != new:
            yield Setting(key=key, before=old, after=new)


def _flat(report: Report) -> dict[str, str | None]:
    chip = flat_keys({k: v for k, v in report.chip.description.items() if k != "description"})
    options = {} if report.options is None else report.options.model_dump()
    model = {} if report.model is None else {"model": report.model.sha256}
    flat = {"nnc": report.nnc, **model, **options, **chip}
    return {key: None if value is None else str(value) for key, value in flat.items()}


def _totals(before: Report, after: Report) -> dict[str, Change]:
    sides = [_figures(before), _figures(after)]
    return {
        name: Change(before=sides[0][name], after=sides[1][name]) for name in sides[0] if name in sides[1]
    }


def _figures(report: Report) -> dict[str, int | float]:
    """Figures of the whole by name; those that are not known are left out."""
    network, floor = report.network, report.network.floor
    figures: dict[str, int | float | None] = {
        "cycles": network.cycles,
        "dram_bytes": network.figures.dram.total_bytes,
        **network.figures.dram.by_cause,
        "microjoules": network.figures.microjoules,
        "instructions": report.instructions["total"],
        "groups": len(report.groups),
        "layers": len(report.layers),
        "macs": network.figures.macs,
        "floor_bytes": floor.dram_bytes,
        "floor_cycles": floor.cycles,
    }
    return {name: value for name, value in figures.items() if value is not None}


def _layers(before: PlanSide, after: PlanSide, causes: ByteCauses, pairs: list[Pair]) -> list[LayerChange]:
    """Layers whose figures changed, by bytes and then cycles, the largest change first."""
    changes = list[LayerChange]()
    for pair in pairs:
        dram = [
            sum(side.bytes_by_cause(name).values()) for side, name in zip((before, after), pair, strict=True)
        ]
        cycles = [side.core_cycles(name) for side, name in zip((before, after), pair, strict=True)]
        by_cause = causes.deltas(pair)
        if None in pair or by_cause or cycles[0] != cycles[1]:
            changes.append(
                LayerChange(
                    before=pair[0],
                    after=pair[1],
                    core_cycles=Change(before=cycles[0], after=cycles[1]),
                    dram_bytes=Change(before=dram[0], after=dram[1]),
                    by_cause=by_cause,
                )
            )
    return sorted(changes, key=_size, reverse=True)


def _size(change: LayerChange) -> tuple[float, float]:
    return sum(map(abs, change.by_cause.values())), abs(change.core_cycles.delta)

"""What may be changed to flip a decision, from near values to far ones: a key of the chip, an option, or how
many channels a node of the model makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from nnc.explanations.recompilation import CHANNELS
from nnc.explanations.schema import Bound
from nnc.report.schema import Report

_FARTHEST = 64
"""Times by which a memory may grow; other numbers change by no more than `_FARTHEST_RATE`."""
_FARTHEST_RATE = 16
_GRAIN = 1024
"""Bytes of memory sizes that are tried."""


@dataclass(frozen=True)
class Lever:
    """One thing that may be changed.

    Attributes:
        key: of the chip, or the name of an option.
        values: tried one after the other, each farther from `now` than the one before it.
        now: what it is.
        grain: numbers between two values are looked at in steps of so many; 0: there are none between.
    """

    key: str
    now: int | str
    values: Sequence[int | str]
    grain: int = 0

    def said(self, value: int | str) -> str:
        """A value as users write it."""
        if self.key.endswith(".bytes") and isinstance(value, int) and value % _GRAIN == 0:
            return f"{value // _GRAIN}KiB"
        return f"O{value}" if self.key == "effort" else str(value)


def levers_for(report: Report, bound: Bound, channels: Mapping[str, int]) -> list[Lever]:
    """The levers that may flip a decision, the likeliest first: memory where bytes do not fit.

    A refusal by the number of layers is a matter of effort.  Fewer channels make another network: they are
    the last.

    Args:
        report: of the plan.
        bound: of the decision.
        channels: what nodes make that the decision is about, and can make fewer.
    """
    narrower = [*_channels(channels)]
    options = [*_objectives(report), *_efforts(report)]
    chip = [*_memories(report, bound), *_rates(report), *_cores(report)]
    if bound.unit == "layers":
        return [*_efforts(report), *_objectives(report), *chip, *narrower]
    return [*chip, *options, *narrower]


def _memories(report: Report, bound: Bound) -> Iterator[Lever]:
    """Each memory, larger: first by what is missing, if that is known, then by factors of two."""
    for name, memory in report.chip.description["memory"].items():
        size = memory["bytes"]
        values = [size * factor for factor in _powers(_FARTHEST)]
        if (
            bound.unit == "bytes"
            and bound.available == size
            and bound.excess is not None
            and bound.excess > 0
        ):
            enough = -(-(size + bound.excess) // _GRAIN) * _GRAIN
            values = sorted({enough, *(value for value in values if value > size)})
        yield Lever(f"memory.{name}.bytes", size, values, _GRAIN)


def _rates(report: Report) -> Iterator[Lever]:
    """The DRAM, slower and faster."""
    rate = report.chip.description["dram"]["bytes_per_cycle"]
    slower = [rate // factor for factor in _powers(_FARTHEST_RATE) if rate % factor == 0]
    if slower:
        yield Lever("dram.bytes_per_cycle", rate, slower, 1)
    yield Lever("dram.bytes_per_cycle", rate, [rate * factor for factor in _powers(_FARTHEST_RATE)], 1)


def _cores(report: Report) -> Iterator[Lever]:
    cores = report.chip.description["cores"]
    if cores > 1:
        yield Lever("cores", cores, [*range(cores - 1, 0, -1)] if cores <= 4 else [cores // 2, 1])


def _objectives(report: Report) -> Iterator[Lever]:
    now = "balanced" if report.options is None else report.options.objective
    yield Lever("objective", now, [word for word in ("traffic", "cycles", "balanced") if word != now])


def _efforts(report: Report) -> Iterator[Lever]:
    now = 2 if report.options is None else int(report.options.effort.removeprefix("O"))
    yield Lever("effort", now, [effort for effort in (3, 1, 0) if effort != now])


def _channels(channels: Mapping[str, int]) -> Iterator[Lever]:
    """Fewer channels: three quarters, a half, and so on to one."""
    for node, extent in channels.items():
        values = dict.fromkeys((3 * extent // 4, *(extent // factor for factor in _powers(extent))))
        fewer = [value for value in values if 0 < value < extent]
        yield Lever(f"{CHANNELS}{node}", extent, fewer, 1)


def _powers(most: int) -> Iterator[int]:
    factor = 2
    while factor <= most:
        yield factor
        factor *= 2

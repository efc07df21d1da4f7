"""Which changes count as worse: ``cycles=1%,bytes=0.5%``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from nnc.diff.schema import Diff
from nnc.isa.errors import OptionError
from nnc.isa.nearest import did_you_mean

FIGURES = {
    "cycles": "cycles",
    "bytes": "dram_bytes",
    "energy": "microjoules",
    "instructions": "instructions",
}
"""Names of users for totals of a difference."""
_SHARE = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)%")


def parse_thresholds(text: str) -> dict[str, float]:
    """By figure of `FIGURES`, the share by which it may grow.

    Raises:
        OptionError: the text is something else.
    """
    limits = dict[str, float]()
    for part in text.split(","):
        name, _sign, share = part.strip().partition("=")
        match = _SHARE.fullmatch(share.strip())
        if name not in FIGURES or match is None or name in limits:
            raise OptionError(
                "this is no threshold",
                found=part,
                expected=f"such as cycles=1%,bytes=0.5%, each once: {', '.join(FIGURES)}",
                remedy=did_you_mean(name, FIGURES, "give a figure and by how many percent it may grow"),
            )
        limits[name] = float(match[1]) / 100
    return limits


def judged(diff: Diff, limits: Mapping[str, float]) -> Diff:
    """The difference with its failures: sentences about figures that grew by more than they may.

    Raises:
        OptionError: there is a limit for energy, and a chip without figures of it.
    """
    return diff.model_copy(update={"failures": tuple(_exceeded(diff, limits))})


def _exceeded(diff: Diff, limits: Mapping[str, float]) -> Iterator[str]:
    for name, limit in limits.items():
        change = diff.totals.get(FIGURES[name])
        if change is None:
            raise OptionError(
                "energy is not known on both sides",
                remedy="give the chip a table [energy], or leave energy out of --fail-above",
            )
        if change.after > change.before * (1 + limit):
            grown = "from nothing" if change.share is None else f"by {change.share:.2%}"
            yield f"{name} grew {grown}, from {change.before:,} to {change.after:,}; {limit:.2%} are allowed"

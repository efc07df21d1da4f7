"""The nearest name: what somebody may have meant who wrote a name that there is not."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_LONGEST = 100
"""Characters of a name that is looked at: comparing takes a time that grows with the square of its length."""
_MOST = 3
_ELSEWHERE = 0.8
"""How alike a dotted name in another table has to be."""


def nearest(word: str, candidates: Iterable[str]) -> list[str]:
    """The known names that are closest to a word, the closest first; none where nothing is near.

    Capitals do not count.  Of dotted names, those in the same table come first; else the first parts may be
    left out: ``sram.bytes`` is near ``memory.sram.bytes``.
    """
    names = {name.casefold(): name for name in candidates}
    wanted = word.casefold()
    if not wanted or len(wanted) > _LONGEST:
        return []
    table, _, own = wanted.rpartition(".")
    beside = {name.rpartition(".")[2]: name for name in names if name.rpartition(".")[0] == table}
    matches = [beside[key] for key in get_close_matches(own, [*beside], n=_MOST)]
    if not matches:
        ends = {end: name for name in names for end in _ends(name, wanted.count("."))}
        matches = [ends[end] for end in get_close_matches(wanted, [*ends], n=_MOST, cutoff=_ELSEWHERE)]
    return [names[name] for name in dict.fromkeys(matches)]


def did_you_mean(word: str, candidates: Iterable[str], otherwise: str = "") -> str:
    """``did you mean npu4, or npu?`` and what else can be done; only the latter where nothing is near."""
    matches = nearest(word, candidates)
    if not matches:
        return otherwise
    question = f"did you mean {', or '.join(matches)}?"
    return f"{question} {otherwise}" if otherwise else question


def _ends(name: str, dots: int) -> list[str]:
    """A name, and what is left of it without its first parts if as many dots are in it then."""
    parts = name.split(".")
    return [name] if len(parts) <= dots + 1 else [name, ".".join(parts[-dots - 1 :])]

"""The smallest or largest value of a key with which something holds, found by halving its values.

That supposes that what holds for a value holds for all beyond it, too: the answer comes with both neighbours,
which prove it as far as they go.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from itertools import product

from nnc.isa.errors import OptionError
from nnc.isa.nearest import did_you_mean
from nnc.sweeps.evaluation import Evaluation
from nnc.sweeps.figures import NAMES, figure_named
from nnc.sweeps.point_run import Outcome
from nnc.sweeps.points import Space, canonical_key
from nnc.sweeps.schema import FindingReport
from nnc.sweeps.vary import make_vary

_QUESTION = re.compile(r"\s*(smallest|largest)\s+(\S+)\s+where\s+(.+)")
_CONDITION = re.compile(r"\s*([A-Za-z_.-]+)\s*(<=|>=|<|>)\s*(\S+)\s*")
_SIGNS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}
_LONGEST = 400


@dataclass(frozen=True)
class Condition:
    """A figure compared with a number."""

    figure: str
    sign: str
    bound: float

    def holds(self, outcome: Outcome) -> bool:
        """Whether a point fulfils it; one that failed never does."""
        figure = None if outcome.figures is None else getattr(outcome.figures, self.figure)
        return figure is not None and _SIGNS[self.sign](figure, self.bound)


@dataclass(frozen=True)
class Question:
    """What is searched for: the first value of the key, from its best one on, with which all of it holds.

    Attributes:
        text: as it was asked.
    """

    text: str
    is_smallest: bool
    key: str
    conditions: tuple[Condition, ...]

    def holds(self, outcome: Outcome) -> bool:
        """Whether a point fulfils all conditions."""
        return all(condition.holds(outcome) for condition in self.conditions)


def parse_question(text: str) -> Question:
    """Read ``smallest memory.sram.bytes where dram.ratio <= 1.05 and cycles < 2000000``.

    Raises:
        OptionError: it is something else, or names no figure.
    """
    match = _QUESTION.fullmatch(text)
    parts = [] if match is None else [_CONDITION.fullmatch(part) for part in re.split(r"\sand\s", match[3])]
    if match is None or None in parts:
        raise _malformed(text)
    conditions = [_condition(text, *part.groups()) for part in parts if part is not None]
    return Question(
        " ".join(text.split()), match[1] == "smallest", canonical_key(match[2]), tuple(conditions)
    )


def _condition(text: str, name: str, sign: str, bound: str) -> Condition:
    figure = figure_named(name, f"--find {text[:_LONGEST]}")
    (value,) = make_vary(figure, [bound]).values
    if isinstance(value, str | bool):
        raise _malformed(text)
    return Condition(figure, sign, float(value))


def _malformed(text: str) -> OptionError:
    return OptionError(
        "the question cannot be read",
        where=f"--find {text[:_LONGEST]}",
        expected="smallest|largest KEY where FIGURE <=|>=|<|> NUMBER [and …]",
        remedy="such as --find 'smallest memory.sram.bytes where dram.ratio <= 1.05'; figures are "
        + ", ".join(NAMES),
    )


def check_question(question: Question, space: Space) -> None:
    """Insist on a key that is varied, over numbers.

    Raises:
        OptionError: it is none.
    """
    keys = [vary.key for vary in space.varied]
    if question.key not in keys:
        raise OptionError(
            "the key that is searched for is not varied",
            where=f"--find {question.text}",
            found=question.key,
            expected=", ".join(keys) or "a key with --vary",
            remedy=did_you_mean(question.key, keys, f"say in which range: --vary {question.key}=lo..hi*2"),
        )
    values = space.varied[keys.index(question.key)].values
    if any(isinstance(value, str | bool) for value in values):
        raise OptionError(
            "a value that is searched for is a number",
            where=f"--find {question.text}",
            found=f"values of {question.key} such as {values[0]}",
            remedy="search for another key",
        )


def most_points(question: Question, space: Space) -> int:
    """How many points the answer takes, at the most."""
    (values,) = (len(vary.values) for vary in space.varied if vary.key == question.key)
    return len(space) // values * min(values, values.bit_length() + 2)


def find(question: Question, evaluation: Evaluation) -> list[FindingReport]:
    """Search for each combination of model, chip and values of the other keys, all at the same time.

    Raises:
        OptionError: as `check_question`.
    """
    space = evaluation.space
    check_question(question, space)
    axis = 2 + [vary.key for vary in space.varied].index(question.key)
    lines = [
        _numbers_along(question, space, axis, places)
        for places in product(*(range(1 if i == axis else n) for i, n in enumerate(space.extents)))
    ]
    searches = [_Search(question, space, axis, numbers) for numbers in lines]
    while wanted := [search.wanted for search in searches if search.wanted is not None]:
        outcomes = evaluation.of(dict.fromkeys(wanted))
        for search in searches:
            if search.wanted is not None:
                search.take(outcomes[search.wanted])
    return [search.finding() for search in searches]


def _numbers_along(question: Question, space: Space, axis: int, places: Sequence[int]) -> list[int]:
    """The points along the key, the best value first."""
    values = space.varied[axis - 2].values
    order = sorted(range(len(values)), key=lambda i: float(values[i]), reverse=not question.is_smallest)
    return [space.number([*places[:axis], place, *places[axis + 1 :]]) for place in order]


class _Search:
    """Halving along a line of points, one point at a time.

    Attributes:
        wanted: the point that it needs next; None when it is done.
    """

    def __init__(self, question: Question, space: Space, axis: int, line: Sequence[int]) -> None:
        self._question, self._space, self._key, self._line = question, space, space.varied[axis - 2].key, line
        self._seen: dict[int, bool] = {}
        self._found: int | None = None
        self._steps = self._walk()
        self.wanted: int | None = line[next(self._steps)]

    def take(self, outcome: Outcome) -> None:
        """Go on with the outcome of the point that was wanted."""
        self._seen[self._line.index(outcome.number)] = self._question.holds(outcome)
        place = next(self._steps, None)
        self.wanted = None if place is None else self._line[place]

    def _walk(self) -> Generator[int, None, None]:
        """The places that are looked at, each when those before are seen."""
        last = len(self._line) - 1
        yield last
        if not self._seen[last]:
            return
        low, high = -1, last
        while high - low > 1:
            middle = (low + high) // 2
            yield middle
            if self._seen[middle]:
                high = middle
            else:
                low = middle
        self._found = high
        if high + 1 <= last and high + 1 not in self._seen:
            yield high + 1

    def finding(self) -> FindingReport:
        """The answer, with both neighbours."""
        place, space, line = self._found, self._space, self._line
        some = line[0] if place is None else line[place]
        values = space.values(some)
        value = values.pop(self._key)
        before = len(line) - 1 if place is None else place - 1
        after = None if place is None or place + 1 == len(line) else place + 1
        return FindingReport(
            question=self._question.text,
            model=str(space.model(some).path),
            chip=space.chip(some).name,
            values=values,
            key=self._key,
            found=None if place is None else value,
            point=None if place is None else line[place],
            before=line[before] if before >= 0 else None,
            after=None if after is None else line[after],
            holds_after=None if after is None else self._seen[after],
            points=len(self._seen),
        )

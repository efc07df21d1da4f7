"""Questions, halving, and fronts, beside brute force over outcomes that are made up."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from nnc.isa.errors import OptionError
from nnc.sweeps.evaluation import Evaluation
from nnc.sweeps.figures import NAMES, PointFigures, figure_named
from nnc.sweeps.finding import Condition, check_question, find, parse_question
from nnc.sweeps.front import front_of, minimised_figures
from nnc.sweeps.point_run import Outcome
from nnc.sweeps.points import Space, SweptChip, SweptModel
from nnc.sweeps.schema import PointReport
from nnc.sweeps.vary import Vary
from nnc.sweeps.workers import Workers


def figures(cycles: int = 1, ratio: float | None = 1.0, **others: object) -> PointFigures:
    fields: dict[str, object] = dict.fromkeys(PointFigures.model_fields, 0)
    fields.update(cycles=cycles, dram_ratio=ratio, bound_by="MAC", peak_bytes={}, **others)
    return PointFigures.model_validate(fields)


class Made(Evaluation):
    """Outcomes by a table: the ratio by the number of the point; None: it failed."""

    def __init__(self, space: Space, table: list[float | None]) -> None:
        super().__init__(space, Workers(1), lambda *_: None)
        self._table = table

    def of(self, numbers: Iterable[int]) -> dict[int, Outcome]:
        for number in (asked := [*numbers]):
            ratio = self._table[number]
            made = None if ratio is None else figures(ratio=ratio)
            self.outcomes[number] = Outcome(number, made, "" if made else "NNC-E023")
        return {number: self.outcomes[number] for number in asked}


def space(values: tuple[int, ...], others: tuple[int, ...] = (1,)) -> Space:
    chip = SweptChip("npu", {})
    return Space((SweptModel(Path("m"), "0"),), (chip,), (Vary("size", values), Vary("cores", others)))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("word", ["smallest", "largest"])
def test_halving_finds_what_brute_force_finds(word: str, seed: int) -> None:
    """Wherever it begins to hold, for several lines at once, in any order of the values."""
    rng = random.Random(seed)
    count, lines = rng.randrange(1, 40), rng.randrange(1, 4)
    values = rng.sample(range(1000), count)
    limits = [rng.randrange(-1, 1001) for _ in range(lines)]
    points = space(tuple(values), tuple(range(lines)))

    def holds(value: int, line: int) -> bool:
        return value >= limits[line] if word == "smallest" else value <= limits[line]

    table: list[float | None] = [
        1.0 if holds(v, line) else rng.choice([2.0, None]) for v in values for line in range(lines)
    ]
    evaluation = Made(points, table)
    findings = find(parse_question(f"{word} size where dram.ratio <= 1.05"), evaluation)
    for line, finding in enumerate(findings):
        good = [value for value in values if holds(value, line)]
        best = None if not good else min(good) if word == "smallest" else max(good)
        assert finding.found == best and finding.values == {"cores": line}
        assert finding.points <= count.bit_length() + 2
        order = sorted(values, reverse=word == "largest")
        ends = [None if n is None else points.values(n)["size"] for n in (finding.before, finding.after)]
        if best is None:
            assert finding.point is None and ends == [order[-1], None]
            continue
        place = order.index(best)
        assert finding.point is not None and points.values(finding.point)["size"] == best
        assert ends == [order[place - 1] if place else None, order[place + 1] if place + 1 < count else None]
        assert finding.holds_after is (None if place + 1 == count else True)
        proof = {finding.before, finding.point, finding.after} - {None}
        assert proof <= set(evaluation.outcomes)


def test_what_does_not_hold_everywhere_is_told() -> None:
    (finding,) = find(
        parse_question("smallest size where dram.ratio <= 1"), Made(space((1, 2, 3, 4)), [2, 1, 2, 1])
    )
    assert (finding.found, finding.holds_after) == (2, False) or finding.found == 4


def test_questions() -> None:
    question = parse_question(" largest  cores where dram.ratio <= 1.05 and cycles < 2000 and dram > 1MiB")
    assert (question.is_smallest, question.key) == (False, "cores")
    assert question.conditions == (
        Condition("dram_ratio", "<=", 1.05),
        Condition("cycles", "<", 2000),
        Condition("dram_bytes", ">", 2**20),
    )
    outcome = Outcome(0, figures(1999, 1.05, dram_bytes=2**21))
    assert question.holds(outcome)
    assert not question.holds(Outcome(0, figures(2000, 1.05, dram_bytes=2**21)))
    assert not question.holds(Outcome(0, figures(1999, None, dram_bytes=2**21)))
    assert not question.holds(Outcome(0, None, "NNC-E023"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "cannot be read"),
        ("smallest size", "cannot be read"),
        ("tiniest size where cycles < 1", "cannot be read"),
        ("smallest size where cycles = 1", "cannot be read"),
        ("smallest size where cycles < few", "cannot be read"),
        ("smallest size where cycles < 1 or dram < 1", "cannot be read"),
        ("smallest size where cicles < 1", "did you mean cycles"),
        ("smallest sice where cycles < 1", "did you mean size"),
        ("smallest word where cycles < 1", "is a number"),
    ],
)
def test_wrong_questions(text: str, said: str) -> None:
    points = Space(
        (SweptModel(Path("m"), "0"),), (SweptChip("npu", {}),), (Vary("size", (1,)), Vary("word", ("a",)))
    )
    with pytest.raises(OptionError, match=said):
        check_question(parse_question(text), points)


def point(
    number: int, first: float | None, second: float | None, model: str = "m", area: float | None = None
) -> PointReport:
    made = None if first is None else figures(int(first), dram_bytes=0, energy=second, area=area)
    return PointReport(
        point=number, model=model, sha256="", chip="npu", values={}, error=None, message=None, figures=made
    )


@pytest.mark.parametrize("seed", range(10))
def test_fronts_are_those_of_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    costs = [(rng.randrange(20), rng.randrange(20)) for _ in range(40)]
    points = [point(number, *cost) for number, cost in enumerate(costs)]
    points += [point(40, None, None), point(41, 3, None), point(42, 99, 99, "other")]
    best = {c for c in costs if not any(o != c and o[0] <= c[0] and o[1] <= c[1] for o in costs)}
    front = front_of(points, ("cycles", "energy"))
    assert front[-1] == 42
    assert [costs[number] for number in front[:-1]] == sorted(best)
    assert all(number == costs.index(costs[number]) for number in front[:-1]), "the first of equals"


def test_a_front_of_three_figures_holds_what_nothing_beats_in_all() -> None:
    rng = random.Random(0)
    costs = [(rng.randrange(6), rng.randrange(6), rng.randrange(6)) for _ in range(60)]
    points = [point(number, first, second, area=third) for number, (first, second, third) in enumerate(costs)]

    def beats(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
        return a != b and all(x <= y for x, y in zip(a, b, strict=True))

    best = {cost for cost in costs if not any(beats(other, cost) for other in costs)}
    front = front_of(points, ("cycles", "energy", "area"))
    assert [costs[number] for number in front] == sorted(best)


def test_names_of_figures() -> None:
    assert minimised_figures("cycles,dram") == ("cycles", "dram_bytes")
    assert minimised_figures(["dram.total_bytes", "Energy"]) == ("dram_bytes", "energy")
    assert all(figure_named(name, "") == name for name in NAMES)
    for text in (
        "cycles",
        "cycles,cycles",
        "a,b",
        "cycles,dram,energy,area,macs",
        "cycles,utilisation",
        "cycles,bound_by",
    ):
        with pytest.raises(OptionError):
            minimised_figures(text)

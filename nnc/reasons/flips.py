"""The smallest change of one thing that flips a decision, found by bisection over compilations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from nnc.diff.build import make_diff
from nnc.isa.errors import NncError
from nnc.reasons.decisions import Decision
from nnc.reasons.levers import Lever, levers_for
from nnc.reasons.schema import Answer, Flip
from nnc.report.schema import Report

Compile = Callable[[Lever, int | str], Report]
"""The report with one thing changed; raises NncError where the model cannot be compiled like that."""
_STEPS = 5
"""Halvings between two neighbours of a ladder: then they differ by a thirty-second of it, or by the grain."""


@dataclass
class FlipSearch:
    """Compiles a model with changes of one thing; what was compiled once is known to all questions.

    Attributes:
        report: of the model as it is.
        compile: makes the report with one thing changed.
        most: compilations for one question.
        progress: called with the number of compilations.
    """

    report: Report
    compile: Compile
    most: int
    progress: Callable[[int], None] = lambda count: None
    compilations: int = 0
    _known: dict[tuple[str, int | str], Report | None] = field(default_factory=dict)

    def answer(self, decision: Decision, *, prove: bool = False) -> Answer:
        """A decision with its flip, if one is found.

        Args:
            decision: of the plan of `report`.
            prove: with the difference of both plans.
        """
        before, tried, flip = self.compilations, list[str](), None
        levers = levers_for(self.report, decision.bound) if self.most else []
        for lever in levers:
            flip = self._flip(decision, lever, before + self.most, prove=prove)
            if flip is not None or self.compilations >= before + self.most:
                break
            tried.append(f"{lever.key} up to {lever.said(lever.values[-1])}" if lever.values else lever.key)
        return Answer(
            question=decision.question,
            decided=decision.decided,
            reason=decision.reason,
            bound=decision.bound,
            flip=flip,
            tried=tuple(tried),
            compilations=self.compilations - before,
        )

    def _flip(self, decision: Decision, lever: Lever, most: int, *, prove: bool) -> Flip | None:
        """The nearest value of a lever that flips, as far as values up to it behave alike."""
        nearest: int | str = lever.now
        for value in lever.values:
            if self.compilations >= most:
                return None
            report = self._report(lever, value)
            if report is not None and decision.stands(report) is False:
                nearest, value = self._between(decision, lever, (nearest, value), most)
                changed = self._report(lever, value)
                assert changed is not None
                return Flip(
                    key=lever.key,
                    before=lever.said(lever.now),
                    nearest=lever.said(nearest),
                    value=lever.said(value),
                    cycles=(self.report.network.cycles, changed.network.cycles),
                    dram_bytes=(
                        self.report.network.figures.dram.total_bytes,
                        changed.network.figures.dram.total_bytes,
                    ),
                    diff=make_diff(self.report, changed) if prove else None,
                )
            nearest = value
        return None

    def _between(
        self, decision: Decision, lever: Lever, values: tuple[int | str, int | str], most: int
    ) -> tuple[int | str, int | str]:
        """Bisect between a value with which the decision stands and one with which it does not."""
        if not lever.grain:
            return values
        low, high = map(int, values)
        for _ in range(_STEPS):
            if self.compilations >= most:
                break
            middle = low + (high - low) // 2 // lever.grain * lever.grain
            if middle in (low, high):
                break
            report = self._report(lever, middle)
            if report is not None and decision.stands(report) is False:
                high = middle
            else:
                low = middle
        return low, high

    def _report(self, lever: Lever, value: int | str) -> Report | None:
        """The report with a value; None if the model cannot be compiled with it."""
        if value == lever.now:
            return self.report
        key = lever.key, value
        if key not in self._known:
            self.compilations += 1
            self.progress(self.compilations)
            try:
                self._known[key] = self.compile(lever, value)
            except NncError:
                self._known[key] = None
        return self._known[key]

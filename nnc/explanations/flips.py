"""The smallest change of one thing that flips a decision, found by bisection over compilations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial

from nnc.compiler.plan.planner import no_progress
from nnc.compiler.plan.scheduled import Progress
from nnc.diff.build import make_diff
from nnc.explanations.decisions import Decision
from nnc.explanations.levers import Lever, levers_for
from nnc.explanations.recompilation import Value, halved
from nnc.explanations.schema import Answer, Flip
from nnc.isa.errors import NncError
from nnc.report.schema import Report

Compile = Callable[[str, Value], Report]
"""The report with a key changed; raises NncError where the model cannot be compiled like that."""
Channels = Callable[[Iterable[str]], Mapping[str, int]]
_STEPS = 5
"""Halvings between two neighbours of a ladder: then they differ by a thirty-second of it, or by the grain."""


@dataclass
class FlipSearch:
    """Compiles a model with changes of one thing; what was compiled once is known to all questions.

    Attributes:
        report: of the model as it is.
        compile: makes the report with one thing changed.
        channels: how many channels nodes make, of those that can make fewer.
        most: compilations for one question.
        progress: called as progress(what, done, total).
    """

    report: Report
    compile: Compile
    channels: Channels
    most: int
    progress: Progress = no_progress
    compilations: int = 0
    _known: dict[tuple[str, Value], Report | None] = field(default_factory=dict)

    def answer(self, decision: Decision, *, prove: bool = False) -> Answer:
        """A decision with its flip, if one is found.

        Args:
            decision: of the plan of `report`.
            prove: with the difference of both plans.
        """
        before, tried, flip = self.compilations, list[str](), None
        levers = self._levers(decision) if self.most else []
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

    def _levers(self, decision: Decision) -> list[Lever]:
        nodes = [layer.nodes for layer in self.report.layers if layer.name in decision.layers]
        channels = self.channels([node for of_layer in nodes for node in of_layer])
        return levers_for(self.report, decision.bound, channels)

    def _flip(self, decision: Decision, lever: Lever, most: int, *, prove: bool) -> Flip | None:
        """The nearest value of a lever that flips, as far as values up to it behave alike."""
        nearest: Value = lever.now
        for value in lever.values:
            if self.compilations >= most:
                return None
            if not self._flips(decision, lever, value):
                nearest = value
                continue
            if lever.grain:
                is_flipped = partial(self._flips, decision, lever)
                steps = min(_STEPS, most - self.compilations)
                nearest, value = halved(int(nearest), int(value), lever.grain, is_flipped, steps)
            return self._told(lever, nearest, value, prove=prove)
        return None

    def _told(self, lever: Lever, nearest: Value, value: Value, *, prove: bool) -> Flip:
        """What a value changes in the whole."""
        now, changed = self.report, self._report(lever, value)
        assert changed is not None
        dram = [report.network.figures.dram.total_bytes for report in (now, changed)]
        return Flip(
            key=lever.key,
            before=lever.said(lever.now),
            nearest=lever.said(nearest),
            value=lever.said(value),
            cycles=(now.network.cycles, changed.network.cycles),
            dram_bytes=(dram[0], dram[1]),
            diff=make_diff(now, changed) if prove else None,
        )

    def _flips(self, decision: Decision, lever: Lever, value: Value) -> bool:
        """Whether a value flips a decision; one with which nothing can be compiled does not."""
        report = self._report(lever, value)
        return report is not None and decision.stands(report) is False

    def _report(self, lever: Lever, value: Value) -> Report | None:
        """The report with a value; None if the model cannot be compiled with it."""
        if value == lever.now:
            return self.report
        key = lever.key, value
        if key not in self._known:
            self.compilations += 1
            self.progress("looking for what flips it", self.compilations, 0)
            try:
                self._known[key] = self.compile(*key)
            except NncError:
                self._known[key] = None
        return self._known[key]

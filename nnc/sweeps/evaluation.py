"""Points that are asked for: out of the journal if it has them, else computed, and noted there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from nnc.compiler.plan.scheduled import Progress
from nnc.sweeps.journal import Journal
from nnc.sweeps.point_run import Outcome
from nnc.sweeps.points import Space
from nnc.sweeps.workers import Workers


@dataclass
class Evaluation:
    """The outcomes of a space, as far as they have been asked for.

    Attributes:
        journal: None: outcomes are in memory alone.
        expected: points that will be asked for, as far as that is known.
    """

    space: Space
    workers: Workers
    progress: Progress
    journal: Journal | None = None
    expected: int = 0
    outcomes: dict[int, Outcome] = field(default_factory=dict)

    def of(self, numbers: Iterable[int]) -> dict[int, Outcome]:
        """The outcomes of points."""
        asked = [*numbers]
        if self.journal is not None:
            noted = self.journal.done
            self.outcomes.update((number, noted[number]) for number in asked if number in noted)
        missing = [number for number in asked if number not in self.outcomes]
        self._tell()
        if missing:
            tasks = (self.space.task(number) for number in missing)
            for outcome in self.workers.run(tasks, len(missing)):
                self.outcomes[outcome.number] = outcome
                if self.journal is not None:
                    self.journal.note(outcome)
                self._tell()
        return {number: self.outcomes[number] for number in asked}

    def _tell(self) -> None:
        done = len(self.outcomes)
        total = max(self.expected, done)
        self.progress(f"{done:,} of {total:,} points", done, total)

"""Rows of its buffer that a layer makes, and how many of them are made of the same rows of its operands.

What is copied piece by piece (a picture that is rolled, say) is made of all pieces at once.

lines of 40 pixels, copied to rows 1600..1999 of a list of 2100 pixels:    first 1600, count 400, step 40
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import gcd

import numpy as np

from nnc.compiler.plan.views.buffer_rows import Rows
from nnc.compiler.plan.views.row_views import RowRange, RowView


@dataclass(frozen=True, slots=True)
class MadeRows:
    """Rows that layers make of a buffer: of a concat along rows, those of an operand, or of some in a row.

    Attributes:
        first, count: the rows.
        step: so many of them in a row need the same rows of every operand.
    """

    first: int
    count: int
    step: int

    @staticmethod
    def of(views: Sequence[RowView], needs: Iterable[RowRange]) -> MadeRows:
        """The rows of results.

        Args:
            views: of the results of layers in a row, the last one first.
            needs: of every operand of that, what each row of the result's buffer needs.
        """
        last = views[0]
        first, end = min(view.first for view in views), max(view.first + view.rows for view in views)
        step = gcd(*(_step(need.low[last.first : last.first + last.rows]) for need in needs))
        is_alone = end - first == last.rows
        return MadeRows(first, end - first, step if is_alone and 0 < step < last.rows else 1)

    def ends(self, parts: int) -> Rows:
        """One past the last row of each part; parts are as even as whole steps allow."""
        step = self.step if parts * self.step <= self.count else 1
        numbers = np.arange(1, parts + 1, dtype=np.int64)
        return np.asarray(self.first + numbers * (self.count // step) // parts * step)


def _step(low: Rows) -> int:
    """How many needs in a row begin at the same row, if all do so; else 1."""
    changes = np.flatnonzero(np.diff(low)) + 1
    if not len(changes):
        return len(low)
    step = int(changes[0])
    return step if len(low) % step == 0 and not (changes % step).any() else 1

"""What outputs are worth: a number from 0 to 1, of a network alone or beside the float network."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.accuracies.sums import DistanceSums

Array = npt.NDArray[Any]
METRICS = ("top1", "top5", "agreement", "error")
"""top1, top5: share of samples whose label has the largest, or one of the five largest, values of the output.
agreement: share of samples whose largest value stands where the float network's does.
error: 1 - the root mean square of the error as a share of that of the float network's output, 0 at least."""
LABELLED = ("top1", "top5")
"""Metrics that need labels."""
_FIVE = 5


def rows(output: Array) -> Array:
    """An output as vectors of classes: [rows,classes]; the last axis counts classes."""
    return output.reshape(-1, output.shape[-1]) if output.ndim else output.reshape(1, 1)


def _in_top(output: Array, labels: Array, count: int) -> int:
    """How many labels are among the largest values of their row; of equal ones, the first is larger."""
    order = np.argsort(-rows(output), axis=1, kind="stable")[:, :count]
    return int((order == labels[:, None]).any(axis=1).sum())


def _top1(exact: Array, output: Array, labels: Array) -> int:
    return _in_top(output, labels, 1)


def _top5(exact: Array, output: Array, labels: Array) -> int:
    return _in_top(output, labels, _FIVE)


def _agreement(exact: Array, output: Array, labels: Array) -> int:
    return int((rows(output).argmax(axis=1) == rows(exact).argmax(axis=1)).sum())


_COUNTS: dict[str, Callable[[Array, Array, Array], int]] = {
    "top1": _top1,
    "top5": _top5,
    "agreement": _agreement,
}


@dataclass
class ScoreSums:
    """The score of one output of one network, added up sample by sample.

    Attributes:
        metric: of `METRICS`.
    """

    metric: str
    good: int = 0
    count: int = 0
    distance: DistanceSums = field(default_factory=DistanceSums)

    def add(self, exact: Array, output: Array, labels: Array) -> None:
        """Add a sample.

        Args:
            exact: the float network's output.
            output: the network's own.
            labels: a label for each row; empty for metrics without.
        """
        self.distance.add(exact, output)
        if self.metric in _COUNTS:
            self.good += _COUNTS[self.metric](exact, output, labels)
            self.count += len(rows(output))

    @property
    def score(self) -> float:
        """From 0 to 1; 1 before the first sample."""
        if self.metric in _COUNTS:
            return self.good / self.count if self.count else 1.0
        return max(0.0, 1.0 - math.sqrt(min(self.distance.noise_share, 1.0)))

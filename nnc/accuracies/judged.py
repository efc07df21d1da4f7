"""By what the outputs are judged, and the scores of all sides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.accuracies.common import Common
from nnc.accuracies.labels import insist_on_labels
from nnc.accuracies.schema import Score
from nnc.accuracies.scores import LABELLED, METRICS, ScoreSums, rows
from nnc.isa.errors import OptionError

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Judged:
    """What the outputs are judged by: a metric, an output, labels; None: as it fits."""

    metric: str | None
    output: str | None
    labels: Array | None

    def resolved(self, outputs: list[str], exact: Mapping[str, Array]) -> tuple[str, str]:
        """The metric and the output.

        Raises:
            OptionError: there is no such metric or output, or labels are missing.
        """
        name = self.output or outputs[0]
        if name not in outputs:
            raise OptionError(
                "there is no such output",
                where="--scored",
                found=name,
                expected=" or ".join(outputs),
                remedy="name an output that both networks have",
            )
        has_classes = exact[name].ndim > 0 and exact[name].shape[-1] > 1
        fitting = "agreement" if has_classes else "error"
        metric = self.metric or ("top1" if self.labels is not None else fitting)
        if metric not in METRICS:
            raise OptionError(
                "there is no such metric",
                where="--metric",
                found=metric,
                expected=", ".join(METRICS),
                remedy="name one of these",
            )
        if metric in LABELLED and self.labels is None:
            raise OptionError(
                f"{metric} needs labels",
                where="--metric",
                found="no labels",
                remedy="give them with --labels FILE, or take --metric agreement",
            )
        return metric, name


@dataclass
class Scores:
    """The score of an output, by all sides."""

    output: str
    metric: str
    labels: Array
    per_sample: int
    sides: dict[str, ScoreSums] = field(default_factory=dict)

    @staticmethod
    def of(judged: Judged, outputs: list[str], exact: Mapping[str, Array], samples: int) -> Scores:
        """Begin, given the float network's tensors of the first sample.

        Raises:
            OptionError: the metric cannot be.
            InputError: the labels do not fit.
        """
        metric, output = judged.resolved(outputs, exact)
        vectors = rows(exact[output])
        labels = np.zeros(0, np.int64) if judged.labels is None else judged.labels
        if judged.labels is not None:
            insist_on_labels(labels, samples, len(vectors), vectors.shape[1])
        sides = {name: ScoreSums(metric) for name in ("float", "quantised", "chip")}
        return Scores(output, metric, labels, len(vectors), sides)

    def add(
        self,
        index: int,
        tensors: list[Common],
        exact: Mapping[str, Array],
        kept: Mapping[str, Array],
        chip: Mapping[str, Array] | None,
    ) -> None:
        """Add a sample."""
        tensor = next(tensor for tensor in tensors if tensor.tensor == self.output)
        labels = self.labels[index * self.per_sample : (index + 1) * self.per_sample]
        wanted = exact[self.output]
        self.sides["float"].add(wanted, wanted, labels)
        self.sides["quantised"].add(wanted, tensor.real(kept[tensor.kept]), labels)
        if chip is not None:
            values = tensor.real(chip[tensor.kept]) if tensor.kept in chip else chip[self.output]
            self.sides["chip"].add(wanted, values, labels)

    def score(self) -> Score:
        """The figures."""
        exact, quantised, chip = (self.sides[name] for name in ("float", "quantised", "chip"))
        return Score(
            output=self.output,
            metric=self.metric,
            float_score=exact.score,
            quantised_score=quantised.score,
            chip_score=chip.score if chip.distance.signal or chip.count else None,
            loss=exact.score - quantised.score,
        )

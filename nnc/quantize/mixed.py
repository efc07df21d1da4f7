"""Mixed precision: which layers stay in float, so that a network loses no more than is allowed.

1. Each layer is quantised alone, all others in float: the noise at the output is its harm.
2. Layers go back to float, those first that do most harm for what they take more in float, until the loss of
   the network on the samples is within the bound.
3. Those that are not needed become integers again, the largest first.

2 and 3 are done twice, for layers in the order of harm per byte and of harm.  Of both, the one is taken whose
program moves fewer DRAM bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, load_model_from_string

from nnc.accuracies.judged import Judged
from nnc.accuracies.labels import insist_on_labels
from nnc.accuracies.scores import ScoreSums, rows
from nnc.accuracies.sides import opened
from nnc.check.reference import Way
from nnc.quantize.calibration import Samples
from nnc.quantize.quantiser import Layer, Progress, Quantiser

Array = npt.NDArray[Any]
_RANKED_ON = 32
"""Samples on which layers are ranked: noise is known from few; the loss is measured on all."""


@dataclass(frozen=True)
class Bound:
    """What a network may lose.

    Attributes:
        most: the largest loss, as a share: 0.005.
        samples: on which it is measured.
        judged: by which metric, of which output, with which labels.
        dram_bytes: those of the compiled program.
    """

    most: float
    samples: Samples
    judged: Judged
    dram_bytes: Callable[[ModelProto], int]


@dataclass(frozen=True)
class Step:
    """A layer that went back to float, and the loss with it and those before it.

    Attributes:
        harm: energy of the noise at the output with this layer alone quantised, as a share of the output's.
        needed: whether it stays so in the end.
    """

    layer: Layer
    harm: float
    loss: float
    needed: bool


@dataclass(frozen=True)
class Mixed:
    """What was chosen, beside all layers in 8 bits and all in float.

    Attributes:
        metric, output: what the loss is of.
        floats: the layers in float.
        losses, dram_bytes: of the networks `int8`, `mixed` and `float`.
    """

    metric: str
    output: str
    most: float
    samples: int
    float_score: float
    steps: tuple[Step, ...]
    floats: tuple[str, ...]
    losses: Mapping[str, float]
    dram_bytes: Mapping[str, int]


class Mixer:
    """The search for one network; keep it for what it found (`mixed`) behind `choose`."""

    def __init__(self, model: ModelProto, bound: Bound, progress: Progress) -> None:
        """Take the float network, shapes inferred."""
        self._model, self._bound, self._progress = model, bound, progress
        self._known: dict[frozenset[str], int] = {}
        self.mixed: Mixed | None = None

    def choose(self, quantiser: Quantiser) -> frozenset[str]:
        """The layers that stay in float; those that the options name are among them.

        Raises:
            OptionError: the metric cannot be.
            InputError: the labels do not fit.
            NncError: a network cannot be compiled.
        """
        scale = _Scale(self._model, self._bound, self._progress)
        always = quantiser.floats
        loss_int8 = scale.loss(quantiser.quantised(floats=always))
        steps: list[Step] = []
        floats = always
        if loss_int8 > self._bound.most:
            harms = dict(self._harms(quantiser, scale, always))
            searches = [self._search(quantiser, scale, always, order) for order in _orders(quantiser, harms)]
            steps, floats = min(searches, key=lambda item: self._bytes(quantiser, item[1]))
        losses = {"int8": loss_int8, "mixed": scale.loss(quantiser.quantised(floats=floats)), "float": 0.0}
        self.mixed = Mixed(
            metric=scale.metric,
            output=scale.output,
            most=self._bound.most,
            samples=self._bound.samples.count,
            float_score=scale.float_score,
            steps=tuple(steps),
            floats=tuple(name for name in quantiser.layers if name in floats),
            losses=losses,
            dram_bytes={
                "int8": self._bytes(quantiser, always),
                "mixed": self._bytes(quantiser, floats),
                "float": self._bytes(quantiser, frozenset(quantiser.layers)),
            },
        )
        return floats

    def _harms(
        self, quantiser: Quantiser, scale: _Scale, always: Collection[str]
    ) -> Iterator[tuple[str, float]]:
        """The harm of each layer that may be quantised."""
        names = [name for name in quantiser.layers if name not in always]
        for index, name in enumerate(names):
            self._progress("quantising each layer alone", index, len(names))
            yield name, scale.noise(quantiser.quantised(only=[name]))

    def _search(
        self,
        quantiser: Quantiser,
        scale: _Scale,
        always: frozenset[str],
        order: Sequence[tuple[str, float]],
    ) -> tuple[list[Step], frozenset[str]]:
        """Layers back to float in this order until the loss is within the bound, then the needless away."""
        floats, tried = set(always), []
        for name, harm in order:
            self._progress("keeping layers in float", len(floats), len(order))
            floats.add(name)
            loss = scale.loss(quantiser.quantised(floats=floats))
            tried.append((name, harm, loss))
            if loss <= self._bound.most:
                break
        layers = quantiser.layers
        largest_first = sorted((name for name, _, _ in tried), key=lambda name: -layers[name].elements)
        while needless := self._needless(quantiser, scale, floats, largest_first):
            floats.remove(needless)
        steps = [Step(layers[name], harm, loss, name in floats) for name, harm, loss in tried]
        return steps, frozenset(floats)

    def _needless(
        self, quantiser: Quantiser, scale: _Scale, floats: Collection[str], order: Sequence[str]
    ) -> str:
        """The first of these layers without which the loss is within the bound; empty if all are needed."""
        for name in order:
            others = [other for other in floats if other != name]
            is_within = name in floats and scale.loss(quantiser.quantised(floats=others)) <= self._bound.most
            if is_within:
                return name
        return ""

    def _bytes(self, quantiser: Quantiser, floats: frozenset[str]) -> int:
        """DRAM bytes of the compiled program."""
        if floats not in self._known:
            self._progress("compiling", 0, 0)
            network = load_model_from_string(quantiser.quantised(floats=floats))
            self._known[floats] = self._bound.dram_bytes(network)
        return self._known[floats]


def _orders(quantiser: Quantiser, harms: Mapping[str, float]) -> list[list[tuple[str, float]]]:
    """The layers by harm per element, and by harm."""

    def per_element(item: tuple[str, float]) -> float:
        return -item[1] / max(quantiser.layers[item[0]].elements, 1)

    return [sorted(harms.items(), key=per_element), sorted(harms.items(), key=lambda item: -item[1])]


class _Scale:
    """What weighs quantised networks: their outputs on the samples, beside the float network's."""

    def __init__(self, model: ModelProto, bound: Bound, progress: Progress) -> None:
        self._samples, self._progress = bound.samples, progress
        names = [info.name for info in model.graph.output]
        run = opened(model, names, Way.OPTIMISED, "the float network")
        self._exact: list[Array] = []
        for index in range(self._samples.count):
            progress("running the float network", index, self._samples.count)
            outputs = run(self._samples.feed(index)).outputs
            if index == 0:
                self.metric, self.output = bound.judged.resolved(names, outputs)
            self._exact.append(outputs[self.output])
        vectors = rows(self._exact[0])
        self._labels = np.zeros(0, np.int64) if bound.judged.labels is None else bound.judged.labels
        if bound.judged.labels is not None:
            insist_on_labels(self._labels, self._samples.count, len(vectors), vectors.shape[1])
        sums = ScoreSums(self.metric)
        for index, exact in enumerate(self._exact):
            sums.add(exact, exact, self._of(index))
        self.float_score = sums.score

    def loss(self, network: bytes) -> float:
        """How much lower its score is than the float network's."""
        return self.float_score - self._run(network, self._samples.count).score

    def noise(self, network: bytes) -> float:
        """Energy of the error of its output, as a share of that of the output."""
        return self._run(network, min(_RANKED_ON, self._samples.count)).distance.noise_share

    def _run(self, network: bytes, count: int) -> ScoreSums:
        run = opened(load_model_from_string(network), [self.output], Way.LITERAL, "the quantised network")
        sums = ScoreSums(self.metric)
        for index in range(count):
            output = run(self._samples.feed(index)).outputs[self.output]
            sums.add(self._exact[index], output, self._of(index))
        return sums

    def _of(self, index: int) -> Array:
        """The labels of a sample."""
        each = len(rows(self._exact[0]))
        return self._labels[index * each : (index + 1) * each]

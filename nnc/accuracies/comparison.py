"""Two networks side by side, sample by sample."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt
from onnx import ModelProto

from nnc.accuracies.common import Common, common_tensors
from nnc.accuracies.judged import Judged, Scores
from nnc.accuracies.schema import AccuracyReport, TensorAccuracy
from nnc.accuracies.sides import ChipSide, QuantisedSide, opened, without_inputs
from nnc.accuracies.sums import TensorSums, short_type
from nnc.check.reference import Way
from nnc.errors import AccuracyError
from nnc.isa.program import Program
from nnc.quantize.calibration import Samples
from nnc.version import __version__

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Networks:
    """The two networks, shapes inferred and without functions, and what messages call them."""

    before: ModelProto
    after: ModelProto
    before_label: str
    after_label: str


class Comparison:
    """All sides, sample by sample; nothing but sums is kept."""

    def __init__(
        self,
        networks: Networks,
        judged: Judged,
        samples: Samples,
        compiled: Callable[[ModelProto], Program] | None,
        chip_samples: int,
        progress: Callable[[str, int, int], None],
    ) -> None:
        self._networks, self._judged, self._samples = networks, judged, samples
        self._compiled, self._chip_samples, self._progress = compiled, chip_samples, progress
        self._remarks: list[str] = []
        self._chip: ChipSide | None = None

    def run(self) -> AccuracyReport:
        """Compare on all samples."""
        networks = self._networks
        tensors = self._tensors()
        names = [tensor.tensor for tensor in tensors]
        exact_side = opened(
            networks.before, without_inputs(networks.before, names), Way.OPTIMISED, networks.before_label
        )
        side = QuantisedSide(networks.after, tensors, networks.after_label)
        if self._compiled is not None:
            self._progress("compiling", 0, 0)
            self._chip = ChipSide(side, networks.after, self._compiled)
        sums = {name: TensorSums() for name in names}
        scores: Scores | None = None
        for index in range(self._samples.count):
            self._progress("comparing", index, self._samples.count)
            feed = self._samples.feed(index)
            exact = {**feed, **exact_side(feed).outputs}
            kept = side.run(feed)
            if index == 0:
                _insist_on_shapes(tensors, exact, kept)
                scores = Scores.of(self._judged, self._outputs(tensors), exact, self._samples.count)
            alone = side.run_alone(feed, exact)
            for tensor in tensors:
                _add(sums[tensor.tensor], tensor, exact, kept, alone)
            chip = self._add_chip(index, feed, tensors, exact, sums)
            assert scores is not None
            scores.add(index, tensors, exact, kept, chip)
        assert scores is not None
        return self._report(tensors, sums, scores, side.reference)

    def _tensors(self) -> list[Common]:
        """Tensors of both networks.

        Raises:
            AccuracyError: there are none.
        """
        before, after = self._networks.before, self._networks.after
        tensors = common_tensors(before, after)
        inputs = {info.name for info in before.graph.input}
        if all(tensor.tensor in inputs for tensor in tensors):
            raise AccuracyError(
                "the networks have no tensor in common",
                where=f"{self._networks.before_label}, {self._networks.after_label}",
                found=f"{_some(before)} … and {_some(after)} …",
                expected="results of layers that have the same name in both",
                remedy="give the float network that the quantised one was made from: quantisers keep names",
            )
        self._outputs(tensors)
        return tensors

    def _outputs(self, tensors: list[Common]) -> list[str]:
        """Outputs of the float network that the quantised one has, too.

        Raises:
            AccuracyError: there are none.
        """
        names = {tensor.tensor for tensor in tensors}
        outputs = [info.name for info in self._networks.before.graph.output]
        shared = [name for name in outputs if name in names]
        if not shared:
            raise AccuracyError(
                "the networks have no output of floats in common",
                where=f"{self._networks.before_label}, {self._networks.after_label}",
                found=", ".join(info.name for info in self._networks.after.graph.output),
                expected=", ".join(outputs),
                remedy="give the float network that the quantised one was made from: quantisers keep names",
            )
        return shared

    def _add_chip(
        self,
        index: int,
        feed: Mapping[str, Array],
        tensors: list[Common],
        exact: Mapping[str, Array],
        sums: Mapping[str, TensorSums],
    ) -> dict[str, Array] | None:
        """Run a sample on the chip and add what it gives; None if it is not run."""
        if self._chip is None or index >= self._chip_samples:
            return None
        computed = self._chip.run(feed)
        if index == 0 and not self._chip.is_same(feed, computed):
            self._remarks.append("the program without inner tensors as outputs gives other outputs")
        expected = self._chip.expected(feed, computed)
        for tensor in tensors:
            if tensor.kept in computed:
                of_tensor, values = sums[tensor.tensor], computed[tensor.kept]
                of_tensor.chip.add(exact[tensor.tensor], tensor.real(values))
                of_tensor.agreement.add(expected[tensor.kept], values)
        return computed

    def _report(
        self, tensors: list[Common], sums: Mapping[str, TensorSums], scores: Scores, reference: str
    ) -> AccuracyReport:
        rows_of = [_row(tensor, sums[tensor.tensor]) for tensor in tensors]
        return AccuracyReport(
            nnc=__version__,
            float_model=self._networks.before_label,
            quantised_model=self._networks.after_label,
            source=self._samples.source,
            samples=self._samples.count,
            chip=None if self._chip is None else self._chip.chip,
            chip_samples=0 if self._chip is None else self._chip_samples,
            reference=reference,
            scores=(scores.score(),),
            tensors=tuple(sorted(rows_of, key=lambda row: row.own.rank)),
            remarks=tuple(self._remarks),
        )


def _add(
    sums: TensorSums,
    tensor: Common,
    exact: Mapping[str, Array],
    kept: Mapping[str, Array],
    alone: Mapping[str, Array],
) -> None:
    wanted = exact[tensor.tensor]
    sums.add_float(wanted, tensor.rounding)
    sums.cumulative.add(wanted, tensor.real(kept[tensor.kept]))
    sums.own.add(wanted, tensor.real(alone[tensor.kept]))
    sums.shape, sums.dtype = wanted.shape, short_type(kept[tensor.kept])


def _row(tensor: Common, sums: TensorSums) -> TensorAccuracy:
    rounding, ran = tensor.rounding, sums.agreement.elements > 0
    return TensorAccuracy(
        tensor=tensor.tensor,
        node=tensor.node,
        op=tensor.op,
        quantised_tensor=tensor.kept,
        quantised_node=tensor.quantised_node,
        quantised_op=tensor.quantised_op,
        dtype=sums.dtype,
        shape=sums.shape,
        scales=0 if rounding is None else rounding.scale.size,
        repeats=tensor.repeats,
        largest=sums.largest,
        saturated=None if rounding is None else sums.outside / max(sums.elements, 1),
        own=sums.own.distance(),
        cumulative=sums.cumulative.distance(),
        chip=sums.chip.distance() if ran else None,
        agreement=sums.agreement.agreement() if ran else None,
    )


def _insist_on_shapes(tensors: list[Common], exact: Mapping[str, Array], kept: Mapping[str, Array]) -> None:
    """Raise AccuracyError if a tensor has another shape in the quantised network."""
    for tensor in tensors:
        shapes = exact[tensor.tensor].shape, kept[tensor.kept].shape
        if shapes[0] != shapes[1]:
            raise AccuracyError(
                "a tensor has different shapes in the two networks",
                where=tensor.tensor,
                found=str(list(shapes[1])),
                expected=str(list(shapes[0])),
                remedy="give the float network that the quantised one was made from, in the same shapes",
            )


def _some(model: ModelProto) -> str:
    names = [name for node in model.graph.node for name in node.output]
    return ", ".join(names[:3])

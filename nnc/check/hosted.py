"""Judging a run with a host: by its outputs, or where the host decides, by what the chip hands over.

The last bits of what the chip computes are free.  A host that compares them with thresholds, or with each
other (NonMaxSuppression, NonZero, TopK), may then choose other boxes, and outputs have other shapes.  Since
the host's segment is the model's own nodes in onnxruntime, it is the tensors from the chip that can be wrong:
of a program with one turn of each side, these decide then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy.typing as npt

from nnc.check.outputs import CheckResult, check_outputs
from nnc.isa.hosted import ChipSegment, HostedProgram, HostSegment

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class HostedCheck:
    """The verdict on a run with a host.

    Attributes:
        verdict: on the outputs, or on the tensors from the chip if outputs differ and these do not.
        decided: outputs that differ, which the host makes of tensors that agree.
    """

    verdict: CheckResult
    decided: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The verdict as plain data."""
        return {**self.verdict.to_json(), "decided_by_host": list(self.decided)}


def check_hosted(
    model: Path,
    hosted: HostedProgram,
    feed: Mapping[str, Array],
    outputs: Mapping[str, Array],
    tensors: Mapping[str, Array],
    tolerance: float | None = None,
) -> HostedCheck:
    """Run the model on the same inputs and compare.

    Args:
        model: that the program was compiled from.
        hosted: the program; feed, outputs: of a run of it.
        tensors: all that its segments made.
        tolerance: as of `check_outputs`.

    Raises:
        NncError: as `check_outputs`.
    """
    verdict = check_outputs(model, feed, outputs, tolerance)
    differing = tuple(o.name for o in verdict.outputs if not o.agrees(verdict.tolerance))
    match hosted.segments:
        case (ChipSegment(), HostSegment(outputs=decided)) if differing and {*differing} <= {*decided}:
            crossing = {name: tensors[name] for name, _, _ in hosted.crossings()}
            handed = check_outputs(model, feed, crossing, tolerance, inner=True)
            if handed.ok and {*crossing} == {output.name for output in handed.outputs}:
                return HostedCheck(handed, differing)
    return HostedCheck(verdict)

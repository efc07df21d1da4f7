"""Figures of errors, added up sample by sample: nothing but sums is kept."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.accuracies.common import Rounding
from nnc.accuracies.schema import Agreement, Distance

Array = npt.NDArray[Any]


def short_type(array: Array) -> str:
    """The element type as reports have it: i8, u8, f32 …"""
    return f"{array.dtype.kind}{8 * array.dtype.itemsize}"


@dataclass
class DistanceSums:
    """What a `Distance` is made of, in float64."""

    signal: float = 0.0
    other: float = 0.0
    product: float = 0.0
    noise: float = 0.0
    most: float = 0.0

    def add(self, exact: Array, approximate: Array) -> None:
        """Add the elements of a sample: of the float network, and of what is compared with it."""
        wanted, other = exact.astype(np.float64).ravel(), approximate.astype(np.float64).ravel()
        error = other - wanted
        self.signal += float(wanted @ wanted)
        self.other += float(other @ other)
        self.product += float(wanted @ other)
        self.noise += float(error @ error)
        self.most = max(self.most, float(np.abs(error).max(initial=0)))

    @property
    def noise_share(self) -> float:
        """Energy of the noise as a share of that of the signal; infinite where there is no signal."""
        if not self.noise:
            return 0.0
        return self.noise / self.signal if self.signal else math.inf

    def distance(self) -> Distance:
        """The figures."""
        share, lengths = self.noise_share, math.sqrt(self.signal * self.other)
        snr = None if not share else -math.inf if math.isinf(share) else -10 * math.log10(share)
        cosine = self.product / lengths if lengths else None
        return Distance(snr_db=snr, max_abs_error=self.most, cosine=cosine)


@dataclass
class AgreementSums:
    """What an `Agreement` is made of."""

    elements: int = 0
    differing: int = 0
    steps: int | None = None
    most: float = 0.0

    def add(self, expected: Array, actual: Array) -> None:
        """Add the elements of a sample: as onnxruntime and as the chip have them."""
        wide = np.float64 if expected.dtype.kind == "f" else np.int64
        off = np.abs(actual.astype(wide) - expected.astype(wide))
        largest = off.max(initial=0)
        self.elements += off.size
        self.differing += int(np.count_nonzero(off))
        self.most = max(self.most, float(largest))
        if expected.dtype.kind != "f":
            self.steps = max(self.steps or 0, int(largest))

    def agreement(self) -> Agreement:
        """The figures."""
        return Agreement(
            elements=self.elements,
            differing=self.differing,
            largest_steps=self.steps,
            max_abs_difference=self.most,
        )


@dataclass
class TensorSums:
    """All sums of one tensor."""

    own: DistanceSums = field(default_factory=DistanceSums)
    cumulative: DistanceSums = field(default_factory=DistanceSums)
    chip: DistanceSums = field(default_factory=DistanceSums)
    agreement: AgreementSums = field(default_factory=AgreementSums)
    elements: int = 0
    outside: int = 0
    largest: float = 0.0
    shape: tuple[int, ...] = ()
    dtype: str = ""

    def add_float(self, exact: Array, rounding: Rounding | None) -> None:
        """Add what the float network alone says: magnitude, and what integers cannot hold."""
        self.elements += exact.size
        self.largest = max(self.largest, float(np.abs(exact).max(initial=0)))
        if rounding is not None:
            self.outside += rounding.outside(exact)

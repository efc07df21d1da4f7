"""How far the outputs of a program are from those of the reference: magnitudes, and quantisation steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from nnc.check.model_facts import ModelFacts

Array = npt.NDArray[Any]
AMPLIFICATION = 2.0
"""An output may be off by so many times the reference's own rounding spread, if that is more."""
SMALLEST_MAGNITUDE = 1e-6
"""Outputs whose largest magnitude is below this are judged as if it were this."""
ELEMENTS_PER_STEP = 10_000
"""Where rounding is free, one element of so many (and always one) may be a step off."""
TIE = 2.0**-10
"""An element may be off only where the number that the reference rounded is less than so many steps from a
half.  Float sums moved it by no more than a thirtieth of that, in all layers of the networks in the guide."""
_SAME = 2.0**-14
"""Averages of integers lie exactly between two steps again and again: every fourth of a 2x2 pool.  Where the
reference's number is so near to a half (eight last places of float32 at 128 steps), its side says nothing."""
_WHOLE = 1e-3
"""Distances closer than this to a whole number of steps are that number."""


@dataclass(frozen=True, slots=True)
class Steps:
    """How many elements of a quantised output are how many quantisation steps off, and how many may be.

    Attributes:
        size: one step: 1 for integers, the scale for what a DequantizeLinear gives.
        elements: of the whole output.
        counts: elements by the steps that they are off, without those that are equal.
        most: the largest number of steps that is allowed.
        allowed: how many elements may be off.
        distance: how far at most from a half, in steps, the reference's numbers are of the elements that are
            off; None if these numbers are not known.
        ties: elements that are off by one step and are averages exactly between two: not counted as off.
    """

    size: float
    elements: int
    counts: Mapping[int, int]
    most: int
    allowed: int
    distance: float | None = None
    ties: int = 0

    @property
    def differing(self) -> int:
        """Elements that are off."""
        return sum(self.counts.values())

    @property
    def largest(self) -> int:
        """Most steps that an element is off."""
        return max(self.counts, default=0)

    @property
    def equal(self) -> bool:
        """Whether no element is off."""
        return not self.counts

    @property
    def agrees(self) -> bool:
        """Whether no more elements are off, and by no more steps, than may be, and all where two are near."""
        few = self.differing - self.ties <= self.allowed and self.largest <= self.most
        return few and (self.distance is None or self.distance < TIE)

    def __str__(self) -> str:
        if not self.counts:
            return f"all {self.elements:,} elements equal"
        listed = sorted(self.counts.items())
        parts = [f"{count:,} by {steps} step{'' if steps == 1 else 's'}" for steps, count in listed[:4]]
        more = f", up to {self.largest}" if len(listed) > len(parts) else ""
        near = "" if self.distance is None else f", within {self.distance:.1e} of a half"
        ties = f", {self.ties:,} of them ties: averages exactly between two steps" if self.ties else ""
        return (
            f"{self.differing:,} of {self.elements:,} elements differ ({', '.join(parts)}{more}{near}{ties})"
        )

    def to_json(self) -> dict[str, Any]:
        """As plain data; counts by steps."""
        return {
            "step": self.size,
            "elements": self.elements,
            "differing": self.differing,
            "by_steps": {str(steps): count for steps, count in sorted(self.counts.items())},
            "allowed_elements": self.allowed,
            "allowed_steps": self.most,
            "from_half": self.distance,
            "ties": self.ties,
        }


@dataclass(frozen=True, slots=True)
class Rounded:
    """What the reference rounded to integers.

    Attributes:
        numbers: in steps, one for each element.
        averages: whether these are averages of integers times a scale.
    """

    numbers: Array
    averages: bool = False


@dataclass(frozen=True, slots=True)
class OutputError:
    """How far one output is off.

    Attributes:
        name: the output.
        max_abs: largest absolute difference to the reference.
        max_rel: the same as a share of the largest magnitude of the reference's output.
        problem: why the output cannot be compared at all (another shape, missing); else empty.
        spread: how far rounding alone moves the reference's output, as `max_rel`; 0 if not asked for.
        steps: of a quantised output, which is judged by these alone.
    """

    name: str
    max_abs: float
    max_rel: float
    problem: str = ""
    spread: float = 0.0
    steps: Steps | None = None

    def agrees(self, tolerance: float) -> bool:
        """Whether the error is within the tolerance, or within what rounding does to this network."""
        if self.problem:
            return False
        if self.steps is not None:
            return self.steps.agrees
        return self.max_rel <= max(tolerance, AMPLIFICATION * self.spread)

    def expectation(self, tolerance: float) -> str:
        """What would have been right."""
        if self.steps is None:
            most = max(tolerance, AMPLIFICATION * self.spread)
            return f"{self.name}: at most {most:.3g} of the largest magnitude"
        if not self.steps.allowed:
            return f"{self.name}: equal elements"
        steps = f"{self.steps.most} step{'s' * (self.steps.most > 1)}"
        where = "" if self.steps.distance is None else f", closer than {TIE:.1e} to a half"
        return f"{self.name}: at most {self.steps.allowed:,} elements off, by at most {steps}{where}"

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "name": self.name,
            "problem": self.problem,
            "max_abs_error": self.max_abs,
            "max_rel_error": self.max_rel,
            "steps": None if self.steps is None else self.steps.to_json(),
        }

    def __str__(self) -> str:
        if self.problem:
            return f"{self.name}: {self.problem}"
        if self.steps is not None:
            return f"{self.name}: {self.steps}"
        return f"{self.name}: max abs error {self.max_abs:.3g}, {self.max_rel:.3g} of the largest magnitude"


def compare(name: str, actual: Array, expected: Array) -> OutputError:
    """The error of one output; infinities and NaNs must stand at the same places."""
    if actual.shape != expected.shape or actual.dtype != expected.dtype:
        problem = f"{actual.dtype} {list(actual.shape)} instead of {expected.dtype} {list(expected.shape)}"
        return OutputError(name, float("inf"), float("inf"), problem)
    elements, reference = actual.astype(np.float64), expected.astype(np.float64)
    finite = np.isfinite(reference)
    if (
        not np.array_equal(elements[~finite], reference[~finite], equal_nan=True)
        or not np.isfinite(elements[finite]).all()
    ):
        return OutputError(name, float("inf"), float("inf"), "infinities or NaNs at different places")
    largest = float(np.abs(reference[finite]).max(initial=0.0))
    error = float(np.abs(elements[finite] - reference[finite]).max(initial=0.0))
    return OutputError(name, error, error / max(largest, SMALLEST_MAGNITUDE))


def compare_steps(
    name: str,
    actual: Array,
    expected: Array,
    size: float,
    *,
    exact: bool,
    rounded: Rounded | None = None,
    near: bool = False,
) -> OutputError:
    """The error of a quantised output, counted in steps of a size.

    Args:
        exact: whether every correct implementation gives these very elements; else one element of
            `ELEMENTS_PER_STEP`, and always one, may be a step off.
        rounded: what the reference rounded to what is expected; None: not known.
        near: every element may be a step off, wherever it was rounded.
    """
    error = compare(name, actual, expected)
    if error.problem:
        return error
    distance = np.abs(actual.astype(np.float64) - expected.astype(np.float64)) / size
    steps = np.ceil(distance - _WHOLE).astype(np.int64)
    off, count = np.unique(steps, return_counts=True)
    counts = {int(steps): int(n) for steps, n in zip(off, count, strict=True) if steps > 0}
    allowed = 0 if exact else actual.size if near else max(1, actual.size // ELEMENTS_PER_STEP)
    from_half, ties = None, 0
    if counts and rounded is not None and not near:
        numbers = rounded.numbers[steps > 0].astype(np.float64)
        distances = np.abs(numbers - np.floor(numbers) - 0.5)
        from_half = float(distances.max())
        ties = int((distances < _SAME).sum()) if rounded.averages else 0
    return replace(error, steps=Steps(size, actual.size, counts, 0 if exact else 1, allowed, from_half, ties))


def compare_tensors(
    name: str,
    actual: Array,
    expected: Array,
    facts: ModelFacts,
    rounded: Rounded | None = None,
    *,
    near: bool = False,
) -> OutputError:
    """The error of a tensor of a model, by the rule that fits it: in steps if it has any.

    Args:
        rounded, near: see `compare_steps`.
    """
    if not facts.quantised:
        return compare(name, actual, expected)
    exact = name in facts.exact
    whole = expected.dtype.kind in "iu" and (exact or expected.dtype.itemsize == 1)
    step = 1.0 if whole else facts.step(name)
    if step is None:
        return compare(name, actual, expected)
    return compare_steps(name, actual, expected, step, exact=exact, rounded=rounded, near=near)

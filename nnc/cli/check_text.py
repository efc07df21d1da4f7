"""What `nnc run --check` found, for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from nnc.check.outputs import HALF_TOLERANCE
from nnc.cli.output import plural

if TYPE_CHECKING:
    from nnc.check.compare import OutputError
    from nnc.check.outputs import CheckResult

_INDENT = " " * 14


def check_text(verdict: CheckResult) -> Iterator[str]:
    """The lines about outputs that agree."""
    reference = verdict.reference + (f" ({verdict.why})" if verdict.why else "")
    floats = [output for output in verdict.outputs if output.steps is None]
    largest = max((output.max_rel for output in floats), default=0.0)
    within = f" within {largest:.2g} of the largest magnitude" if floats else ""
    yield f"check         equals {reference}{within}"
    if verdict.half:
        yield (
            f"{_INDENT}half precision has a last place of {HALF_TOLERANCE:.2g}:"
            f" {verdict.tolerance:.2g} is allowed, or twice what rounding alone does"
        )
    for output in verdict.outputs:
        yield from (_INDENT + line for line in _steps_text(output))
    if verdict.rounding_spread and floats:
        yield (
            f"{_INDENT}this network amplifies rounding: the reference differs from itself by"
            f" {verdict.rounding_spread:.2g} {_how(verdict)}"
        )


def _steps_text(output: OutputError) -> Iterator[str]:
    steps = output.steps
    if steps is None:
        return
    size = "" if steps.size == 1 else f"; a step is {steps.size:.4g}"
    yield f"{output.name}: {steps}{size}"
    if steps.differing:
        most = plural(steps.most, "step")
        yield f"allowed: {plural(steps.allowed, 'element')} by {most}, from what rounding alone does"


def _how(verdict: CheckResult) -> str:
    if verdict.half:
        return "rounded to half after every layer, unoptimised or with other last bits of inputs"
    if verdict.why:
        return "with sums off by a hair before they are rounded, or other last bits of inputs"
    return "unoptimised or with other last bits of inputs"

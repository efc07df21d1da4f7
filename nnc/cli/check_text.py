"""What `nnc run --check` found, for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from nnc.check.outputs import HALF_TOLERANCE, MOST_SHOWN
from nnc.cli.failures import printable

if TYPE_CHECKING:
    from nnc.check.hosted import HostedCheck
    from nnc.check.layers import LayerCheck
    from nnc.check.outputs import CheckResult

_INDENT = " " * 14


def check_text(verdict: CheckResult) -> Iterator[str]:
    """The lines about outputs that agree."""
    reference = verdict.reference + (f" ({verdict.why})" if verdict.why else "")
    floats = [output for output in verdict.outputs if output.steps is None]
    largest = max((output.max_rel for output in floats), default=0.0)
    if verdict.layers is not None:
        yield f"check         equals {reference}, layer by layer"
    else:
        within = f" within {largest:.2g} of the largest magnitude" if floats else ""
        yield f"check         equals {reference}{within}"
    if verdict.half:
        yield (
            f"{_INDENT}half precision has a last place of {HALF_TOLERANCE:.2g}:"
            f" {verdict.tolerance:.2g} is allowed, or twice what rounding alone does"
        )
    for output in verdict.outputs:
        if output.steps is not None:
            size = "" if output.steps.size == 1 else f"; a step is {output.steps.size:.4g}"
            yield f"{_INDENT}{output.name}: {output.steps}{size}"
    if verdict.layers is not None:
        yield from (_INDENT + line for line in _layers_text(verdict.layers))
    elif verdict.rounding_spread:
        how = "rounded to half after every layer, " if verdict.half else ""
        yield (
            f"{_INDENT}this network amplifies rounding: the reference differs from itself by"
            f" {verdict.rounding_spread:.2g} {how}unoptimised or with other last bits of inputs"
        )


def hosted_check_text(checked: HostedCheck) -> Iterator[str]:
    """The lines about a run with a host that agrees."""
    yield from check_text(checked.verdict)
    if checked.decided:
        names = ", ".join(map(printable, checked.decided))
        yield f"{_INDENT}in all that the chip hands over; from it the host decided otherwise: {names}"
        yield f"{_INDENT}(its comparisons turn on last bits, which are free; other inputs may be plainer)"


def _layers_text(checked: LayerCheck) -> Iterator[str]:
    steps = [layer.steps for layer in checked.layers if layer.steps is not None]
    off: Counter[int] = Counter()
    for item in steps:
        off.update(item.counts)
    differing = sum(item.differing for item in steps)
    elements = sum(item.elements for item in steps)
    by = f", by at most {max(off)} step" if off else ""
    yield (
        f"given the tensors before it, each of {len(steps)} layers agrees:"
        f" {differing:,} of {elements:,} elements differ{by}"
    )
    uneven = [layer for layer in checked.layers if layer.steps is not None and layer.steps.differing]
    yield from (f"  {layer}" for layer in uneven[:MOST_SHOWN])
    if len(uneven) > MOST_SHOWN:
        yield f"  and {len(uneven) - MOST_SHOWN} layers more (--json has all)"
    yield "outputs are those of a program for the same chip that gives the results of all these layers, too"

"""What a compilation comes to: bytes, cycles and price of its plan, and the CPU time that it took.

figures_of(path, TARGETS["npu 64K"], seconds=60)
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from processes import TooSlow, in_a_copy

import nnc
from nnc.compiler.plan.options import BALANCED, GroupPrice, PlanOptions
from nnc.runtime.verifier.verify import verify

MEASURES = ("bytes", "cycles", "price", "seconds")


@dataclass(frozen=True)
class Target:
    """A chip and what differs from its preset."""

    chip: str
    overrides: tuple[str, ...] = ()


TARGETS = {
    "npu 64K": Target("npu", ("memory.sram.bytes=64KiB",)),
    "npu 512K": Target("npu", ("memory.sram.bytes=512KiB",)),
    "npu4": Target("npu4"),
    "vdsp12": Target("vdsp12"),
    "nna": Target("nna"),
    "pixel-dsp": Target("pixel-dsp"),
}
"""The chips that plans are compared on, by name."""


@dataclass(frozen=True)
class Figures:
    """A compiled network.

    Attributes:
        bytes: that the DRAM moves, as predicted; cycles: predicted.
        price: of both, by the objective `balanced`, in cycles of transfers.
        seconds: CPU time of the compilation.
    """

    bytes: int
    cycles: int
    price: float
    seconds: float


class Refused(Exception):
    """A network was not compiled; the message says why: a code, or what went wrong."""


def figures_of(
    path: Path,
    target: Target,
    seconds: float,
    options: Callable[[], PlanOptions] = PlanOptions,
    *,
    checked: bool = False,
) -> Figures:
    """Compile an ONNX file in a copy of this process.

    Args:
        seconds: of CPU time that it may take.
        options: called in the copy: what is asked of the planner.
        checked: whether the program is verified.

    Raises:
        Refused: the chip does not take it, it takes too long, or something is wrong.
    """
    try:
        figures = in_a_copy(partial(_compiled, path, target, options, checked=checked), seconds)
    except (RuntimeError, TooSlow) as error:
        raise Refused(str(error)) from None
    if isinstance(figures, str):
        raise Refused(figures)
    return figures


def _compiled(
    path: Path, target: Target, options: Callable[[], PlanOptions], *, checked: bool
) -> Figures | str:
    """The figures, or a code."""
    asked, chip, begun = options(), nnc.load_chip(target.chip, target.overrides), time.process_time()
    try:
        result = nnc.compile_model(path, chip, options=asked)
    except nnc.NncError as error:
        return error.code
    seconds, plan = time.process_time() - begun, result.compilation.plan
    if checked and (problems := verify(result.program)):
        return f"does not verify: {problems[0]}"
    price = GroupPrice(BALANCED, chip.dram.bytes_per_cycle).cost(plan.moved_bytes, plan.cycles)
    return Figures(plan.moved_bytes, plan.cycles, round(price, 3), round(seconds, 3))


def geometric_mean(ratios: Iterable[float]) -> float:
    """Of some positive numbers; 1 of none."""
    logs = [math.log(ratio) for ratio in ratios]
    return math.exp(sum(logs) / len(logs)) if logs else 1.0

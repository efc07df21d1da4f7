"""What a user may ask of the planner, and how that weighs bytes against cycles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from nnc.compiler.plan.effort import EFFORTS
from nnc.isa.argument_types import typed_fields
from nnc.isa.errors import OptionError
from nnc.isa.functions import Arithmetic
from nnc.isa.nearest import did_you_mean

_COST_OF_A_GROUP = 1e-3
"""Breaks ties: fewer groups."""


@dataclass(frozen=True, slots=True)
class Objective:
    """cost = cycles of transfers · byte_weight + estimated cycles · cycle_weight."""

    byte_weight: float
    cycle_weight: float


class Costed(Protocol):
    """A group with its traffic and its cycles, as estimated."""

    @property
    def dram_bytes(self) -> int: ...
    @property
    def cycles(self) -> int: ...


@dataclass(frozen=True, slots=True)
class GroupPrice:
    """An objective on a chip, as costs of groups.

    Attributes:
        bytes_per_cycle: of the DRAM.
    """

    objective: Objective
    bytes_per_cycle: int

    def cost(self, dram_bytes: int, cycles: int) -> float:
        """Cost of a group by its traffic and cycles; its transfers take their time even behind work."""
        dram, objective = dram_bytes / self.bytes_per_cycle, self.objective
        cycles = max(cycles, int(dram))
        return dram * objective.byte_weight + cycles * objective.cycle_weight + _COST_OF_A_GROUP

    def of_all(self, groups: Iterable[Costed]) -> float:
        """Cost of several groups."""
        return sum(self.cost(group.dram_bytes, group.cycles) for group in groups)

    def costs(self, dram_bytes: Sequence[int], cycles: Sequence[int]) -> list[float]:
        """`cost` of many groups."""
        dram, objective = np.array(dram_bytes, dtype=np.int64) / self.bytes_per_cycle, self.objective
        longest = np.maximum(np.array(cycles, dtype=np.int64), dram.astype(np.int64))
        weighted = dram * objective.byte_weight + longest * objective.cycle_weight + _COST_OF_A_GROUP
        costs: list[float] = weighted.tolist()
        return costs

    def least_cost(self, dram_bytes: int) -> float:
        """What more bytes of a group add at least: they may hide behind its work."""
        return dram_bytes / self.bytes_per_cycle * self.objective.byte_weight


LEAST_TRAFFIC = Objective(1.0, 1e-6)
FASTEST = Objective(1e-3, 1.0)
BALANCED = Objective(1.0, 0.4)
"""A cycle more is worth it if it saves two fifths of the bytes that the DRAM moves in one.

By energy: 16 B per cycle of 1 ns take about half a watt (4 pJ per bit), a small chip that is on meanwhile,
its clocks and leakage, about two fifths of that."""
_CONSIDERED = Objective(1.0, 0.25)
OBJECTIVES = {"traffic": LEAST_TRAFFIC, "balanced": _CONSIDERED, "cycles": _CONSIDERED}
"""What decides which groups are worth considering.  The sequence of them is the one with the least traffic,
with the fewest cycles, or, for `balanced`, with the least cost by `BALANCED`."""
BY_ENERGY = ("energy", "edp")
"""Objectives whose weights follow from the chip's figures (``compiler/plan/prices.py``)."""
OVERLAPS = ("keep", "recompute")
SPLITS = ("auto", "even")
LARGEST_SIZE = 2**40
"""Bytes."""
CONV_BUFFERS = ("auto", "rows", "m3")
SOFTMAX_TYPES = tuple(arithmetic.value for arithmetic in Arithmetic)


@typed_fields
@dataclass(frozen=True, slots=True)
class PlanOptions:
    """Choices of the user.

    Attributes:
        objective: what the plan minimises, a key of `OBJECTIVES`; or one of `BY_ENERGY`, on chips that say
            what their work takes: the energy, or its product with the time.
        overlap: rows that two parts of a group need are kept on chip (``keep``), or computed again
            (``recompute``, M1 as published).
        split: fully connected layers are split over the cores by M2's rule (``even``), or in the way that
            costs least, as all other layers are (``auto``).
        conv_buffers: convolutions have their input in two fixed buffers of rows where that can be (``m3``),
            never (``rows``), or where it costs less.
        fc_oram: bytes that the features of a picture may take in a group of a fully connected layer (M5), on
            chips that take them in groups of pixels; None: the most that fit.
        stitch: pictures of a batch side by side, on chips with lanes along pixels (M4): at most so many, as a
            text; ``off``; or as many as cost least (``auto``).
        fused: whether layers may be fused into groups; else each layer is cut into tiles alone.
        effort: how long is searched, a key of `EFFORTS`.
        softmax: in what softmax and normalisations between integers are computed (`Arithmetic`): f32 as the
            model says, f16 or integers, on chips whose vector unit has these.

    Raises:
        OptionError: there is no such choice.
    """

    objective: str = "balanced"
    overlap: str = "keep"
    split: str = "auto"
    stitch: str = "auto"
    conv_buffers: str = "auto"
    fused: bool = True
    fc_oram: int | None = None
    effort: str = "O2"
    softmax: str = "f32"

    def __post_init__(self) -> None:
        for what, value, allowed in (
            ("objective", self.objective, (*OBJECTIVES, *BY_ENERGY)),
            ("overlap", self.overlap, OVERLAPS),
            ("split", self.split, SPLITS),
            ("choice of conv_buffers", self.conv_buffers, CONV_BUFFERS),
            ("effort", self.effort, tuple(EFFORTS)),
            ("type of softmax", self.softmax, SOFTMAX_TYPES),
        ):
            if value not in allowed:
                raise OptionError(
                    f"there is no such {what}",
                    found=value,
                    expected=", ".join(allowed),
                    remedy=did_you_mean(
                        value, allowed, f"take one of those that are expected, {allowed[0]} if in doubt"
                    ),
                )
        if self.fc_oram is not None and not 0 < self.fc_oram <= LARGEST_SIZE:
            raise OptionError(
                "--fc-oram is a number of bytes",
                expected=f"1 … {LARGEST_SIZE}",
                remedy="leave the option out, or give the bytes of features that one group may take",
            )
        if self.stitch not in ("auto", "off") and not re.fullmatch(r"[1-9]\d{0,8}", self.stitch):
            raise OptionError(
                "there is no such number of pictures to stitch",
                found=self.stitch,
                expected="auto, off, or a number from 1 on",
                remedy="--stitch auto chooses the number by itself",
            )

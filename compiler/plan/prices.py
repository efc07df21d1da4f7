"""The objective that a user asks for, as a price of plans: `AskedPrice.of("balanced", chip)`.

A plan is two numbers here: bytes that the DRAM moves, and cycles.  An objective ranks them (`worth`); the
search, which adds up costs of groups, needs weights of both (`Objective`): which groups it considers, along
which weights it looks for sequences, and what the objective comes to near a plan (`near`).

Of a network's energy, plans decide how many bytes the DRAM moves, and how long all cores are on.  Products
take the same in all plans but for rows that are computed again, and so do, nearly, the memories on chip.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from nnc.compiler.plan.options import (
    BALANCED,
    BY_ENERGY,
    FASTEST,
    LEAST_TRAFFIC,
    OBJECTIVES,
    GroupPrice,
    Objective,
)
from nnc.isa.chip.description import Chip
from nnc.isa.chip.energy import Energy
from nnc.isa.errors import OptionError

_CHOSEN_BY = {"traffic": LEAST_TRAFFIC, "balanced": BALANCED, "cycles": FASTEST}
"""Weights of whole plans, for objectives that are the same on all chips."""


class PlanFigures(Protocol):
    """A plan as objectives see it: predicted bytes that the DRAM moves, and cycles."""

    @property
    def moved_bytes(self) -> int: ...
    @property
    def cycles(self) -> int: ...


@dataclass(frozen=True, slots=True)
class AskedPrice:
    """An objective on a chip.

    Attributes:
        name: of the objective, as users ask for it.
        bytes_per_cycle: of the DRAM.
        byte, cycle: energy of a byte that the DRAM moves, static energy of a cycle of all cores, in pJ; only
            objectives of `BY_ENERGY` count these.
    """

    name: str
    bytes_per_cycle: int
    byte: float = 0.0
    cycle: float = 0.0

    @classmethod
    def of(cls, objective: str, chip: Chip) -> AskedPrice:
        """The price by a chip's figures.

        Raises:
            OptionError: the chip has no figures for the objective.
        """
        if objective not in BY_ENERGY:
            return cls(objective, chip.dram.bytes_per_cycle)
        energy = _energy_of(chip, objective)
        return cls(objective, chip.dram.bytes_per_cycle, energy.dram, energy.static * chip.cores)

    def worth(self, dram_bytes: int, cycles: int) -> float:
        """What a whole plan costs: bytes, cycles, cycles of transfers (`BALANCED`), pJ, or pJ · cycles.

        Of plans that are equal in what is asked for, the one with less of the other is cheaper.
        """
        if self.name in _CHOSEN_BY:
            return GroupPrice(_CHOSEN_BY[self.name], self.bytes_per_cycle).cost(dram_bytes, cycles)
        energy = self.byte * dram_bytes + self.cycle * cycles
        return energy * cycles if self.name == "edp" else energy

    def worth_of(self, plan: PlanFigures) -> float:
        """`worth` of a plan."""
        return self.worth(plan.moved_bytes, plan.cycles)

    def near(self, dram_bytes: int, cycles: int) -> Objective:
        """Weights of bytes and cycles by which plans near this one are cheaper if they are worth less.

        Those of a product are its derivatives.  Sets of plans with a lesser product are convex, seen from the
        other side: whatever costs less than the plan by these weights has a lesser product, too.
        """
        if self.name in _CHOSEN_BY:
            return _CHOSEN_BY[self.name]
        cycle, in_a_cycle = self.cycle, self.byte * self.bytes_per_cycle
        if self.name == "edp":
            cycle = 2 * self.cycle + self.byte * dram_bytes / max(1, cycles)
        if cycle * FASTEST.byte_weight >= in_a_cycle * FASTEST.cycle_weight:
            return FASTEST
        return Objective(LEAST_TRAFFIC.byte_weight, max(LEAST_TRAFFIC.cycle_weight, cycle / in_a_cycle))

    @property
    def considered(self) -> Objective:
        """What decides which groups are considered: for a product, of a DRAM busy half of the time."""
        return OBJECTIVES.get(self.name) or self.near(self.bytes_per_cycle, 2)

    def directions(self, weights: tuple[Objective, ...]) -> tuple[Objective, ...]:
        """Along which weights of bytes and cycles sequences of groups are looked for.

        Args:
            weights: between the extremes.
        """
        match self.name:
            case "traffic":
                return (LEAST_TRAFFIC,)
            case "balanced":
                return weights
            case "cycles":
                return (FASTEST, *weights, LEAST_TRAFFIC)
            case "energy":
                return (self.considered, *weights, LEAST_TRAFFIC)
            case _:
                return (self.considered, FASTEST, *weights, LEAST_TRAFFIC)


def asked_together(chip: Chip) -> list[AskedPrice]:
    """All objectives for which a chip has figures, the default first."""
    energy = chip.energy
    by_energy = BY_ENERGY if energy and not chip.energy_lacks and (energy.dram or energy.static) else ()
    return [AskedPrice.of(name, chip) for name in dict.fromkeys(("balanced", *OBJECTIVES, *by_energy))]


def _energy_of(chip: Chip, objective: str) -> Energy:
    """A chip's figures.

    Raises:
        OptionError: the chip does not say what its work takes, or that bytes and cycles take nothing.
    """
    where, option = f"chip {chip.name}", f"--objective {objective}"
    if chip.energy is None or chip.energy_lacks:
        raise OptionError(
            "the chip does not say what its work takes of energy",
            where=where,
            found=f"{option}, and no {', '.join(chip.energy_lacks)}",
            expected="a chip with [energy], which names all of its memories",
            remedy=f"add {_remedy(chip.energy_lacks)}, or take --objective traffic or balanced",
        )
    if not chip.energy.dram and not chip.energy.static:
        raise OptionError(
            "energy cannot tell one plan from another on this chip",
            where=where,
            found=f"{option} with energy.dram = 0 and energy.static = 0",
            expected="one of the two above 0",
            remedy="give the figures, such as --set energy.dram=100, or take another objective",
        )
    return chip.energy


def _remedy(lacks: list[str]) -> str:
    if lacks == ["energy"]:
        return "the section [energy] as nnc chips show npu prints it"
    return "pJ per byte to the chip, such as " + ", ".join(
        f"{key} = {{read = 9, write = 9}}" for key in lacks
    )

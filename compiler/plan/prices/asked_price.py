"""The objective that a user asks for, as a price of plans: `AskedPrice.of("balanced", chip)`.

A plan is two numbers here: bytes that the DRAM moves, and cycles.  An objective ranks them (`worth`); the
search, which adds up costs of groups, needs weights of both (`Objective`): which groups it considers, along
which weights it looks for sequences, and what the objective comes to near a plan (`near`).
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
from nnc.compiler.plan.prices.energy_price import EnergyPrice, energy_price
from nnc.isa.chip.description import Chip

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
        energy: pJ of bytes and cycles, for the objectives that count these.
    """

    name: str
    bytes_per_cycle: int
    energy: EnergyPrice | None = None

    @classmethod
    def of(cls, objective: str, chip: Chip) -> AskedPrice:
        """The price by a chip's figures.

        Raises:
            OptionError: the chip has no figures for the objective.
        """
        energy = energy_price(chip, objective) if objective in BY_ENERGY else None
        return cls(objective, chip.dram.bytes_per_cycle, energy)

    def worth(self, dram_bytes: int, cycles: int) -> float:
        """What a whole plan costs: bytes, cycles, cycles of transfers (`BALANCED`), pJ, or pJ · cycles.

        Of plans that are equal in what is asked for, the one with less of the other is cheaper.
        """
        if self.energy is None:
            near = _CHOSEN_BY[self.name]
            return GroupPrice(near, self.bytes_per_cycle).cost(dram_bytes, cycles)
        price = self.energy.energy if self.name == "energy" else self.energy.product
        return price(dram_bytes, cycles)

    def worth_of(self, plan: PlanFigures) -> float:
        """`worth` of a plan."""
        return self.worth(plan.moved_bytes, plan.cycles)

    def near(self, dram_bytes: int, cycles: int) -> Objective:
        """Weights of bytes and cycles by which plans near this one are cheaper if they are worth less."""
        if self.energy is None:
            return _CHOSEN_BY[self.name]
        return self.energy.of_energy if self.name == "energy" else self.energy.of_product(dram_bytes, cycles)

    @property
    def considered(self) -> Objective:
        """What decides which groups are worth considering."""
        if self.energy is None:
            return OBJECTIVES[self.name]
        return self.energy.of_energy if self.name == "energy" else self.energy.of_any_product

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

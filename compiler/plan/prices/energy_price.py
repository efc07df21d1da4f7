"""What plans are chosen by for `--objective energy` and `edp`: prices of bytes and cycles, by a chip.

Of a network's energy, plans decide how many bytes the DRAM moves, and how long all cores are on.  Products
take the same in all plans but for rows that are computed again, and so do, nearly, the memories on chip.
"""

from __future__ import annotations

from dataclasses import dataclass

from nnc.compiler.plan.options import FASTEST, LEAST_TRAFFIC, Objective
from nnc.isa.chip.description import Chip
from nnc.isa.errors import OptionError


@dataclass(frozen=True, slots=True)
class EnergyPrice:
    """Energy of what the DRAM moves in some cycles, and of all cores meanwhile, in pJ.

    Attributes:
        byte: of a byte that the DRAM moves.
        cycle: static, of a cycle of all cores.
        bytes_per_cycle: of the DRAM.
    """

    byte: float
    cycle: float
    bytes_per_cycle: int

    def energy(self, dram_bytes: int, cycles: int) -> float:
        """In pJ."""
        return self.byte * dram_bytes + self.cycle * cycles

    def product(self, dram_bytes: int, cycles: int) -> float:
        """Energy times delay, in pJ · cycles."""
        return self.energy(dram_bytes, cycles) * cycles

    @property
    def of_energy(self) -> Objective:
        """The energy as weights of bytes and cycles."""
        return self._weighed(self.cycle)

    def of_product(self, dram_bytes: int, cycles: int) -> Objective:
        """The product near a plan as weights: its derivatives by bytes and by cycles.

        Sets of plans with a lesser product are convex, seen from the other side: whatever costs less than the
        plan by these weights has a lesser product, too.
        """
        return self._weighed(2 * self.cycle + self.byte * dram_bytes / max(1, cycles))

    @property
    def of_any_product(self) -> Objective:
        """The same where no plan is known yet: of a DRAM that is busy half of the time."""
        return self._weighed(2 * self.cycle + self.byte * self.bytes_per_cycle / 2)

    def _weighed(self, cycle: float) -> Objective:
        """Weights for a price of a cycle, beside that of a byte; ties are broken by cycles."""
        in_a_cycle = self.byte * self.bytes_per_cycle
        if cycle * FASTEST.byte_weight >= in_a_cycle * FASTEST.cycle_weight:
            return FASTEST
        return Objective(LEAST_TRAFFIC.byte_weight, max(LEAST_TRAFFIC.cycle_weight, cycle / in_a_cycle))


def energy_price(chip: Chip, objective: str) -> EnergyPrice:
    """The price by a chip's figures.

    Raises:
        OptionError: the chip does not say what its work takes, or that bytes and cycles take nothing.
    """
    where, found = f"chip {chip.name}", f"--objective {objective}"
    if chip.energy is None or chip.energy_lacks:
        raise OptionError(
            "the chip does not say what its work takes of energy",
            where=where,
            found=f"{found}, and no {', '.join(chip.energy_lacks)}",
            expected="a chip with [energy], which names all of its memories",
            remedy=f"add {_remedy(chip.energy_lacks)}, or take --objective traffic or balanced",
        )
    if not chip.energy.dram and not chip.energy.static:
        raise OptionError(
            "energy cannot tell one plan from another on this chip",
            where=where,
            found=f"{found} with energy.dram = 0 and energy.static = 0",
            expected="one of the two above 0",
            remedy="give the figures, such as --set energy.dram=100, or take another objective",
        )
    return EnergyPrice(chip.energy.dram, chip.energy.static * chip.cores, chip.dram.bytes_per_cycle)


def _remedy(lacks: list[str]) -> str:
    if lacks == ["energy"]:
        return "the section [energy] as nnc chips show npu prints it"
    return "pJ per byte to the chip, such as " + ", ".join(
        f"{key} = {{read = 9, write = 9}}" for key in lacks
    )

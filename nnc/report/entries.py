"""What entries of a report have in common: figures of a set of instructions, floors, estimates."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Entry(BaseModel):
    """Base of all parts of a report: no other fields, and none is changed."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Traffic(Entry):
    """Bytes on the DRAM bus."""

    total_bytes: int
    read_bytes: int
    written_bytes: int
    by_cause: dict[str, int] = Field(
        description="input, weight, state, output: first touches, the floor's share; spill, overlap, reload,"
        " align: what is above it"
    )


class ComputeTime(Entry):
    """Cycles of the compute engines, summed over the cores."""

    busy_cycles: int
    waiting_cycles: dict[str, int] = Field(
        description="idle before an instruction, by what it waited for: dram (a load), compute, write, other"
        " core"
    )

    @property
    def core_cycles(self) -> int:
        """Busy and waiting: all the time of cores that is spent on it."""
        return self.busy_cycles + sum(self.waiting_cycles.values())


class Figures(Entry):
    """What a set of instructions does and costs."""

    instructions: int
    dram: Traffic
    compute: ComputeTime
    read_cycles: int = Field(description="cycles in which read engines served transfers, over the cores")
    write_cycles: int = Field(description="likewise of write engines")
    macs: int = Field(description="multiply-accumulates that the array did, on padding, too, if it did them")
    utilisation: float | None = Field(
        description="MACs over the most that the cores do in busy_cycles; null without MACs"
    )
    energy: dict[str, float] | None = Field(
        description="microjoules by cause: mac, vector, read and write of every memory, dram, broadcast;"
        " static for the core cycles; null for a chip whose description has no figures of energy"
    )
    sram_peak: dict[str, int] = Field(
        description="most bytes alive at once while its instructions are in flight, by memory, of the core"
        " with most"
    )

    @property
    def microjoules(self) -> float | None:
        """Of all causes."""
        return None if self.energy is None else sum(self.energy.values())


class Floor(Entry):
    """Least cost in any schedule; null where only a compilation knows it."""

    dram_bytes: int | None = Field(description="every needed element of inputs, weights and outputs once")
    compute_cycles: int | None = Field(description="over all cores, without issue cost")
    dram_cycles: int | None = Field(description="of the bytes")
    peak_cycles: int | None = Field(default=None, description="needed MACs at the peak rate of all cores")
    macs: int | None = Field(default=None, description="needed ones, none on padding")

    @property
    def cycles(self) -> int | None:
        """The larger of the compute floor and the DRAM floor."""
        if self.compute_cycles is None or self.dram_cycles is None:
            return None
        return max(self.compute_cycles, self.dram_cycles)


class Estimate(Entry):
    """What the search counted on before there was any instruction."""

    dram_bytes: int
    cycles: int

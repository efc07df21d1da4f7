"""What bounds the speed of a layer, a group or a network, and what would bound it next."""

from __future__ import annotations

from collections.abc import Mapping

from nnc.isa.chip.description import Chip
from nnc.report.entries import Figures


def bounded_by(work: Mapping[str, int], *, cores: int, dram_cycles: float) -> str:
    """What bounds work if all that can overlap does: DRAM, or the largest part of its computation.

    Args:
        work: cycles of the compute engines by unit (`UNITS`), summed over the cores.
        cores: that work on it.
        dram_cycles: of its DRAM bytes.
    """
    if dram_cycles >= sum(work.values()) / max(1, cores):
        return "DRAM"
    return max(work, key=lambda unit: work[unit])


def next_limit(figures: Figures, work: Mapping[str, int], chip: Chip, cores: int) -> str:
    """In words: what something waits for or is busy with, and what would have to change."""
    busy, waits = sum(work.values()), figures.compute.waiting_cycles
    bound = bounded_by(work, cores=cores, dram_cycles=figures.dram.total_bytes / chip.dram.bytes_per_cycle)
    if bound == "DRAM":
        if not busy:
            return "moves bytes only: DRAM-bound"
        unit = max(work, key=lambda name: work[name])
        rate = -(-figures.dram.total_bytes * max(1, cores) // busy)
        if rate > chip.dram.bytes_per_cycle:
            return f"DRAM-bound; would be {unit}-bound with {rate:,} B/cycle"
        return f"DRAM-bound, just; {unit} is next"
    waiting = sum(waits.values())
    if waiting > busy:
        reason = max(waits, key=lambda name: waits[name])
        return f"waits for {_WAITED[reason]} {waiting / (busy + waiting):.0%} of its time"
    if bound == "MAC":
        return f"MAC-bound; its MACs fill {figures.utilisation or 0:.0%} of the array"
    if bound == "issue":
        return "issue-bound: its instructions are short"
    return "bound by the vector unit"


_WAITED = {
    "dram": "loads",
    "compute": "what its own core computes before",
    "write": "stores",
    "other core": "other cores",
}
"""What an engine waits for, by the names of `WAITS`."""

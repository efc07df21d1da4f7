"""Where the memories of all cores lie in the one map of them: bands, one above the other."""

from __future__ import annotations

from dataclasses import dataclass

from nnc.report.schema import Report

_GAP = 0.04
"""Between bands, of their size."""


@dataclass(frozen=True, slots=True)
class Band:
    """Memory number `memory` (of the report's blocks) of a core, drawn from height `base` on, in bytes."""

    core: int
    memory: int
    base: int
    size: int
    label: str


def memory_bands(report: Report) -> list[Band]:
    """A band for each memory of each core that holds something at some time, from below."""
    assert report.details is not None
    blocks = report.details.blocks
    used = sorted(set(zip(blocks.core, blocks.memory, strict=True)))
    cores = {core for core, _ in used}
    bands: list[Band] = []
    base = 0
    for core, memory in used:
        name = blocks.memories[memory]
        size = report.memory[name].bytes
        label = name if len(cores) == 1 else f"{core} {name}"
        bands.append(Band(core, memory, base, size, label))
        base += size + int(size * _GAP)
    return bands

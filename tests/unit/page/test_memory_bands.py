"""nnc/page/memory_bands.py"""

from __future__ import annotations

from itertools import pairwise

from nnc.page.memory_bands import memory_bands
from nnc.page.subject import Subject


def test_every_used_memory_of_a_core_has_a_band_of_its_own(subject: Subject) -> None:
    bands, details = memory_bands(subject.report), subject.report.details
    assert details is not None
    blocks = details.blocks
    assert {(band.core, band.memory) for band in bands} == set(zip(blocks.core, blocks.memory, strict=True))
    assert all(a.base + a.size <= b.base for a, b in pairwise(bands))
    assert len({band.label for band in bands}) == len(bands)
    sizes = {(band.core, band.memory): band.size for band in bands}
    places = zip(blocks.core, blocks.memory, blocks.high, strict=True)
    assert all(high <= sizes[core, memory] for core, memory, high in places)

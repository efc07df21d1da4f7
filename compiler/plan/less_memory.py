"""Chips with less memory: their plans are plans of the chip itself, and now and then the faster ones.

in:   a chip with 48 KiB
out:  the same chip with 32, 24, 16 … KiB, as long as somebody wants to know
"""

from __future__ import annotations

from collections.abc import Iterator

from nnc.compiler.ir.graph import Graph
from nnc.isa.chip.description import Chip

_LEAST_BYTES = 1024


def chips_with_less_memory(chip: Chip, graph: Graph) -> Iterator[Chip]:
    """The chip with its largest memory at powers of two and 1.5 times these, the others in proportion.

    Two chips that differ in the size of their memories thus have smaller ones in common.

    Args:
        chip: whose memories are larger.
        graph: the network; memories in which all of it fits are all alike.
    """
    largest = max(memory.bytes for memory in chip.memory.values())
    touched = sum(type_.nbytes for type_ in graph.types.values())
    for size in _sizes_below(min(largest, touched)):
        memory = {}
        for name, kind in chip.memory.items():
            blocks = kind.bytes * size // largest // chip.block_align(name)
            memory[name] = kind.model_copy(update={"bytes": blocks * chip.block_align(name)})
        if not all(kind.bytes for kind in memory.values()):
            return
        yield chip.model_copy(update={"memory": memory})


def _sizes_below(nbytes: int) -> Iterator[int]:
    """Powers of two, and 1.5 times these, that are less, the largest first."""
    power = 1 << (nbytes - 1).bit_length()
    while power >= _LEAST_BYTES:
        for size in (power + power // 2, power):
            if size < nbytes:
                yield size
        power //= 2

"""Live ranges: from the first to the last step that touches each block.

in:   steps in any order
out:  block, first and last place (inclusive), by the name of the block

    step          0 load x.0   1 compute y.0   2 load x.1   3 store y.0   4 compute y.1
    x.0           |------------|
    y.0                        |-----------------------------|
    x.1                                        |-----------------------------|
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nnc.compiler.plan.step import Block, Step


@dataclass(slots=True)
class Life:
    """First and last place of a block in the order of steps."""

    block: Block
    first: int
    last: int


def lives(order: Sequence[Step]) -> dict[str, Life]:
    """Live ranges of all blocks over an order of steps."""
    found: dict[str, Life] = {}
    for place, step in enumerate(order):
        for tile in step.tiles:
            if tile is None:
                continue
            block = tile.block
            life = found.get(block.name)
            if life is None:
                found[block.name] = Life(block, place, place)
            else:
                life.last = place
    return found

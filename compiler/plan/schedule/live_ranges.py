"""Live ranges of blocks over an order of steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nnc.compiler.plan.step import Block, Step, tiles_of


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
        for tile in tiles_of(step):
            life = found.get(tile.block.name)
            if life is None:
                found[tile.block.name] = Life(tile.block, place, place)
            else:
                life.last = place
    return found

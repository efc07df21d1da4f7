"""Cores that work in step: one list of steps for all of them, while addresses and order are decided.

The cores that share a layer do the same things to different boxes.  Their steps are merged: the *leader*,
core 0, has each step, and the same steps of the others hang on it.  Blocks are allocated once, as large as
the largest of any core, at the same address everywhere: that is where a broadcast needs them anyway.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace

from nnc.compiler.plan.decision import Block, Step, Tile

Keyed = list[tuple[Hashable, Step]]
"""Steps of a core, each with a key that says what it does: the same on all cores."""


def merged(cores: Sequence[Keyed]) -> tuple[Step, ...] | None:
    """The steps of the first core with those of the others; None if they do not do the same."""
    leader, *others = cores
    by_key = [dict(steps) for steps in others]
    if any(steps.keys() - dict(leader).keys() for steps in by_key):
        return None
    steps = []
    for key, step in leader:
        twins = [mine[key] for mine in by_key if key in mine]
        if step.receivers:  # one broadcast serves several cores, if they need the same
            by_core = {one.core: one for one in (step, *twins)}
            if any(one.out != by_core[one.receivers[0]].out for one in twins):
                return None
            twins = [one for one in twins if one.core == one.receivers[0]]
        steps.append(replace(step, others=tuple(twins)))
    sizes: dict[str, int] = {}
    for step in steps:
        for tile, twin in _twins(step):
            name = tile.block.name
            sizes[name] = max(sizes.get(name, tile.block.nbytes), twin.block.nbytes)
    return tuple(_sized(step, sizes) for step in steps)


def flattened(steps: Sequence[Step]) -> list[Step]:
    """The steps of all cores."""
    return [
        one for step in steps for one in (replace(step, others=()) if step.others else step, *step.others)
    ]


def offsets_of_all(steps: Sequence[Step], offsets: dict[str, int]) -> dict[str, int]:
    """Offsets of the blocks of all cores: those of the leader's."""
    found = dict(offsets)
    for step in steps:
        for tile, twin in _twins(step):
            found[twin.block.name] = offsets[tile.block.name]
    return found


def _twins(step: Step) -> Iterator[tuple[Tile, Tile]]:
    """Tiles of the leader, each with the tile of another core in its place."""
    mine = (step.out, *step.ins)
    for other in step.others:
        for tile, twin in zip(mine, (other.out, *other.ins), strict=True):
            if tile is not None and twin is not None:
                yield tile, twin


def _sized(step: Step, sizes: dict[str, int]) -> Step:
    """The step with the leader's blocks as large as any core needs them."""

    def sized(tile: Tile | None) -> Tile | None:
        if tile is None or sizes.get(tile.block.name, 0) <= tile.block.nbytes:
            return tile
        return replace(tile, block=Block(tile.block.name, tile.block.memory, sizes[tile.block.name]))

    return replace(step, out=sized(step.out), ins=tuple(sized(tile) for tile in step.ins))

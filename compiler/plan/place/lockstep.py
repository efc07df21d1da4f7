"""Lockstep: the step lists of cores that share a group are merged; a constant's load becomes one broadcast.

in:   a list of steps per core, each step with a key that says what it does, the same on all cores
out:  one list: the *leader*, core 0, has each step, and the same steps of the others hang on it

    core 0: load x.0, compute y.0      ->  load x.0 (+ core 1: load x.1), compute y.0 (+ core 1: compute y.1)
    core 1: load x.1, compute y.1

The cores do the same things to different boxes.  Blocks are allocated once, as large as the largest of any
core, at the same address everywhere: that is where a broadcast needs them anyway.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Hashable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import chain, pairwise

from nnc.compiler.plan.step import Keyed, Load, Step, Tile, tiles_of
from nnc.isa.record import changed


def merged(cores: Sequence[Keyed]) -> tuple[Step, ...] | None:
    """Merge the per-core step lists of a tiled layer; None if the cores do not do the same."""
    leader, *others = cores
    if not others:
        return tuple(step for _, step in leader)
    by_key = [dict(steps) for steps in others]
    if any(steps.keys() - dict(leader).keys() for steps in by_key):
        return None
    steps = []
    for key, step in leader:
        twins = [core_steps[key] for core_steps in by_key if key in core_steps]
        if isinstance(step, Load) and step.receivers:
            broadcasts = [load for load in (step, *twins) if isinstance(load, Load)]
            by_core = {load.core: load for load in broadcasts}
            if any(load.tile != by_core[load.receivers[0]].tile for load in broadcasts):
                return None  # one broadcast serves several cores only if they need the same
            twins = [load for load in broadcasts[1:] if load.core == load.receivers[0]]
        steps.append(changed(step, others=tuple(twins)))
    sizes: dict[str, int] = {}
    leaders: dict[str, str] = {}
    for step in steps:
        for tile, twin in _twins(step):
            name = tile.block.name
            if leaders.setdefault(twin.block.name, name) != name:
                return None  # one core uses a tile again where the leader has another
            sizes[name] = max(sizes.get(name, tile.block.nbytes), twin.block.nbytes)
    return tuple(_sized(step, sizes) for step in steps)


def united(cores: Sequence[Keyed], constants: Container[str]) -> tuple[Step, ...] | None:
    """Merge the per-core step lists of a fused group; a load of a constant becomes one broadcast.

    Where cores need different pieces of a constant (rows of one that is multiplied with activations), each
    loads its own.

    Blocks that have one name on several cores are one block for all that follows: at one address, alive while
    any core needs it, as large as the largest.

    Returns:
        None if the cores do common steps in different orders.
    """
    cores = _with_own_pieces(cores, constants)
    by_key = [dict(steps) for steps in cores]
    everyone = tuple(range(len(cores)))
    steps: list[Step] = []
    order = _common_order(cores)
    if order is None:
        return None
    for key in order:
        first, *others = [core_steps[key] for core_steps in by_key if key in core_steps]
        is_constant = isinstance(first, Load) and first.tile.tensor in constants
        if is_constant and all(twin.tiles == first.tiles for twin in others):
            steps.append(changed(first, receivers=everyone))
            continue
        alike = [twin for twin in others if _blocks(twin) == _blocks(first)]
        steps.append(changed(first, others=tuple(alike)))
        steps += [twin for twin in others if _blocks(twin) != _blocks(first)]
    return of_one_size(steps)


def in_step(cores: Sequence[Iterator[Keyed]]) -> bool:
    """Whether the steps of some cores can be put in one order, as far as the first parts that tell.

    Args:
        cores: of each, the steps so far after each part; if the cores are in step, all parts are taken.
    """
    lists = list[Keyed]()
    for number, parts in enumerate(zip(*cores, strict=True), start=1):
        lists = [*parts]
        if number.bit_count() == 1 and _common_order(lists) is None:
            return False
    return _common_order(lists) is not None


def _with_own_pieces(cores: Sequence[Keyed], constants: Container[str]) -> Sequence[Keyed]:
    """The steps with names of each core's own for tiles of constants that are not the same for all."""
    pieces: dict[Hashable, set[Tile]] = {}
    for key, step in chain.from_iterable(cores):
        if isinstance(step, Load) and step.tile.tensor in constants:
            pieces.setdefault(key, set()).add(step.tile)
    apart = {tile.name for tiles in pieces.values() if len(tiles) > 1 for tile in tiles}
    if not apart:
        return cores

    def own(tile: Tile, core: int) -> Tile:
        return changed(tile, name=f"{tile.name}.k{core}") if core and tile.name in apart else tile

    def renamed(step: Step) -> Step:
        if apart.isdisjoint(tile.name for tile in tiles_of(step)):
            return step
        return step.with_tiles(lambda tile: own(tile, step.core))

    return [[(key, renamed(step)) for key, step in steps] for steps in cores]


def of_one_size(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps with blocks of one name as large as any step of any core needs them."""
    sizes, differ = dict[str, int](), False
    for step in of_all_cores(steps):
        for tile in tiles_of(step):
            name, nbytes = tile.block.name, tile.block.nbytes
            if (size := sizes.setdefault(name, nbytes)) != nbytes:
                sizes[name], differ = max(size, nbytes), True
    return tuple([_sized(step, sizes) for step in steps]) if differ else tuple(steps)


def _common_order(cores: Sequence[Keyed]) -> list[Hashable] | None:
    """The keys of all cores in an order that is that of every core; None if there is none.

    What all cores do keeps them together: a core with more steps between two of these does them in between.
    """
    if len(cores) == 1:
        return [key for key, _ in cores[0]]
    places: dict[Hashable, tuple[int, int]] = {}
    behind: defaultdict[Hashable, list[Hashable]] = defaultdict(list)
    waiting: Counter[Hashable] = Counter()  # by key, how many steps are to be done before it
    common = set.intersection(*({key for key, _ in steps} for steps in cores))
    for steps in cores:
        passed = 0
        for number, (key, _) in enumerate(steps):
            passed += key in common
            places[key] = min((passed, number), places.get(key, (passed, number)))
        for (key, _), (following, _) in pairwise(steps):
            behind[key].append(following)
            waiting[following] += 1
    numbers = {key: number for number, key in enumerate(places)}
    ready = sorted((places[key], numbers[key], key) for key in places if not waiting[key])
    order = []
    while ready:
        *_, key = heappop(ready)
        order.append(key)
        for following in behind[key]:
            waiting[following] -= 1
            if not waiting[following]:
                heappush(ready, (places[following], numbers[following], following))
    return order if len(order) == len(places) else None


def _blocks(step: Step) -> list[str | None]:
    return [None if tile is None else tile.block.name for tile in step.tiles]


def of_all_cores(steps: Iterable[Step]) -> Iterator[Step]:
    """The steps of all cores, each leader followed by those that hang on it."""
    for step in steps:
        yield step
        yield from step.others


def flattened(steps: Sequence[Step]) -> list[Step]:
    """The steps of all cores, none of which hangs on another."""
    return [changed(step, others=()) if step.others else step for step in of_all_cores(steps)]


def with_own_blocks(steps: Sequence[Step]) -> list[Step]:
    """Steps of several cores, with names of its own for every block of a core that had one in common."""
    if not any(step.core for step in steps):
        return list(steps)
    common = {step.tile.block.name for step in steps if isinstance(step, Load) and step.receivers}
    owner: dict[str, int] = {}
    several: set[str] = set()
    for step in steps:
        for name in _blocks(step):
            if name is not None and owner.setdefault(name, step.core) != step.core:
                several.add(name)
    several -= common

    def own(tile: Tile, core: int) -> Tile:
        if tile.block.name not in several:
            return tile
        return changed(tile, block=changed(tile.block, name=f"{tile.block.name}.k{core}"))

    def renamed(step: Step) -> Step:
        if step.core == 0 or several.isdisjoint(_blocks(step)):
            return step
        return step.with_tiles(lambda tile: own(tile, step.core))

    return [renamed(step) for step in steps] if several else list(steps)


def offsets_of_all(
    leaders: Sequence[Step], everyone: Iterable[Step], offsets: dict[str, int]
) -> dict[str, int]:
    """Offsets of the blocks of all cores: those of the leader's.

    Args:
        everyone: each leader's step and those that hang on it, with names of their own for blocks.
    """
    all_offsets, own = dict(offsets), iter(everyone)
    for leader in leaders:
        for step in (next(own) for _ in range(1 + len(leader.others))):
            for tile, twin in zip(leader.tiles, step.tiles, strict=True):
                if tile is not None and twin is not None:
                    all_offsets[twin.block.name] = offsets[tile.block.name]
    return all_offsets


def _twins(step: Step) -> Iterator[tuple[Tile, Tile]]:
    """Tiles of the leader, each with the tile of another core in its place."""
    for follower in step.others:
        for tile, twin in zip(step.tiles, follower.tiles, strict=True):
            if tile is not None and twin is not None:
                yield tile, twin


def _sized(step: Step, sizes: dict[str, int]) -> Step:
    """The step with the leader's blocks as large as any core needs them."""
    if all(sizes.get(tile.block.name, 0) <= tile.block.nbytes for tile in tiles_of(step)):
        return step

    def sized(tile: Tile) -> Tile:
        if sizes.get(tile.block.name, 0) <= tile.block.nbytes:
            return tile
        return changed(tile, block=changed(tile.block, nbytes=sizes[tile.block.name]))

    return step.with_tiles(sized)

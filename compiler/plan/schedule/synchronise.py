"""What every step waits for: hazards between the bytes that steps touch, on chip and in DRAM.

in:   the steps of all cores in the order of issue, and all addresses
out:  the same steps, each with its waits (`IssuedStep`)

    load x.0 -> sram+0        waits for nothing
    compute y.0 = f(x.0)      waits for the load
    load x.2 -> sram+0        waits for the computation, which reads the bytes that it overwrites
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.schedule.transfers import Addresses, on_chip, transfer_of
from nnc.compiler.plan.step import (
    ENGINE_OF,
    Compute,
    Fill,
    IssuedStep,
    Load,
    LoadRows,
    Step,
    Store,
    Tile,
    View,
)
from nnc.isa.chip.description import Chip
from nnc.isa.instruction import ENGINES
from nnc.isa.operand import DRAM
from nnc.isa.program import Wait
from nnc.isa.timing.hazards import ByteAccess, Synchroniser


def with_waits(graph: Graph, addresses: Addresses, chip: Chip, order: Sequence[Step]) -> list[IssuedStep]:
    """The steps with what they wait for; waits that others or the order of an engine imply are left out.

    Args:
        order: the steps of all groups and cores in the order of issue.
    """
    keys = [(core, engine) for core in range(chip.cores) for engine in ENGINES]
    index = {key: number for number, key in enumerate(keys)}
    synchroniser = Synchroniser(keys, addresses.constant_bytes)
    issued: list[IssuedStep] = []
    for step in order:
        if isinstance(step, View):
            issued.append(IssuedStep(step, ()))
            continue
        stream = index[step.core, ENGINE_OF[type(step)]]
        found = synchroniser.issue(stream, step_accesses(graph, addresses, step))
        issued.append(IssuedStep(step, tuple(Wait(*keys[other], position) for other, position in found)))
    return issued


def step_accesses(graph: Graph, addresses: Addresses, step: Step) -> Iterator[ByteAccess]:
    """The bytes that a step touches."""
    match step:
        case Load():
            there, here = transfer_of(graph, addresses, step)
            yield ByteAccess((DRAM, -1), there, writes=False)
            for core in step.receivers or (step.core,):
                yield ByteAccess((here.memory, core), here, writes=True)
        case LoadRows():
            there, here = transfer_of(graph, addresses, step)
            yield ByteAccess((DRAM, -1), there, writes=False)
            yield _tile_access(addresses, step.index, step.core, writes=False, at_issue=True)
            yield ByteAccess((here.memory, step.core), here, writes=True)
        case Fill():
            yield _tile_access(addresses, step.tile, step.core, writes=True)
        case Compute():
            for tile in step.ins:
                if tile is not None:
                    yield _tile_access(addresses, tile, step.core, writes=False)
            yield _tile_access(addresses, step.out, step.core, writes=True)
        case Store():
            there, here = transfer_of(graph, addresses, step)
            yield ByteAccess((here.memory, step.core), here, writes=False)
            yield ByteAccess((DRAM, -1), there, writes=True)
        case View():
            return


def _tile_access(
    addresses: Addresses, tile: Tile, core: int, *, writes: bool, at_issue: bool = False
) -> ByteAccess:
    place = addresses.places[tile.name]
    block = on_chip(tile, (place.memory, place.address))
    return ByteAccess((place.memory, core), block, writes, at_issue)

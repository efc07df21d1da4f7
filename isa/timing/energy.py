"""What instructions take of energy: counts of what they do, and the chip's figures for these, in picojoules.

Counts follow the price in cycles (``nnc.isa.timing.cost``).  The MAC array has no memory of its own: it is
fed from the memories of the core in every cycle, a feature for each unit and a weight for each lane at work,
so what serves many products in one cycle is read once for all of them, and again for the next.  All other
operands are read and written once for each instruction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field

from nnc.isa.chip.description import Chip, RateClass, rate_class
from nnc.isa.instruction import Instruction, Role
from nnc.isa.instructions import Broadcast
from nnc.isa.operand import DRAM, Operand
from nnc.isa.timing.cost import dram_bytes


@dataclass(frozen=True, slots=True)
class Activity:
    """Counts of what instructions do; those of several are their sum.

    Attributes:
        macs: multiply-accumulates by class of element types: those on padding, which the array does, count.
        operations: other operations on elements, of the vector unit and of epilogues, likewise by class.
        read_bytes: by memory of the cores.
        written_bytes: likewise.
        dram_bytes: that the DRAM moves, in whole bursts.
        broadcast_bytes: that broadcasts carry, once for each core that receives them.
    """

    macs: Mapping[RateClass, int] = field(default_factory=dict)
    operations: Mapping[RateClass, int] = field(default_factory=dict)
    read_bytes: Mapping[str, int] = field(default_factory=dict)
    written_bytes: Mapping[str, int] = field(default_factory=dict)
    dram_bytes: int = 0
    broadcast_bytes: int = 0

    def __add__(self, other: Activity) -> Activity:
        return total((self, other))


def total(activities: Iterable[Activity]) -> Activity:
    """The sum of activities."""
    macs, operations = Counter[RateClass](), Counter[RateClass]()
    read, written = Counter[str](), Counter[str]()
    dram = broadcast = 0
    for activity in activities:
        macs.update(activity.macs)
        operations.update(activity.operations)
        read.update(activity.read_bytes)
        written.update(activity.written_bytes)
        dram += activity.dram_bytes
        broadcast += activity.broadcast_bytes
    return Activity(dict(macs), dict(operations), dict(read), dict(written), dram, broadcast)


def macs_of(instruction: Instruction) -> int:
    """Multiply-accumulates of an instruction, those on padding included; 0 of all but the MAC array's."""
    return instruction.macs


def counts(instruction: Instruction, chip: Chip) -> Activity:
    """What an instruction does.

    Raises:
        ProgramInvalidError: the MAC array has no rate for its element type.
    """
    read, written = Counter[str](), Counter[str]()
    for memory, nbytes in instruction.bytes_read(chip):
        read[memory] += nbytes
    receivers, broadcast = 1, 0
    if isinstance(instruction, Broadcast):
        receivers = sum(core < chip.cores for core in instruction.receivers)
        broadcast = receivers * instruction.dst.distinct_bytes
    for block, access, role in instruction.accesses():
        if access.writes and role is not Role.EXTERNAL:
            written[block.memory] += receivers * block.distinct_bytes
    macs, operations = instruction.macs, instruction.operations
    return Activity(
        macs={rate_class(instruction.work.dtype): macs} if macs else {},
        operations={rate_class(instruction.operation_dtype): operations} if operations else {},
        read_bytes=dict(read),
        written_bytes=dict(written),
        dram_bytes=dram_bytes(instruction, chip),
        broadcast_bytes=broadcast,
    )


def activities(instructions: Iterable[Instruction], chip: Chip) -> list[Activity]:
    """`counts` of each of many instructions; those that differ in addresses alone are counted once."""
    by_form: dict[Hashable, Activity] = {}
    results = []
    for instruction in instructions:
        form = _form(instruction, chip.dram.burst)
        if form not in by_form:
            by_form[form] = counts(instruction, chip)
        results.append(by_form[form])
    return results


def _form(instruction: Instruction, burst: int) -> Hashable:
    """All that counts depend on: of addresses, where in a burst those of the DRAM are."""
    form: list[object] = [type(instruction)]
    for value in vars(instruction).values():
        if isinstance(value, Operand):
            form.append(_place(value, burst))
        elif isinstance(value, tuple) and value and isinstance(value[0], Operand):
            form.append(tuple([_place(block, burst) for block in value]))
        else:
            form.append(value)
    return tuple(form)


def _place(block: Operand, burst: int) -> Hashable:
    phase = block.address % burst if block.memory == DRAM else 0
    return block.memory, block.dtype, block.shape, block.strides, phase


def energy(activity: Activity, chip: Chip, cycles: int = 0) -> dict[str, float] | None:
    """Energy of an activity by cause, in pJ; None if the chip does not say what all of it takes.

    Args:
        activity: the counts.
        chip: whose figures apply.
        cycles: for which all cores of the chip are on meanwhile; 0: the static energy is counted elsewhere.

    Returns:
        By cause: `mac`, `vector` (all other operations), `read MEMORY` and `write MEMORY` of every memory of
        the chip, `dram`, `broadcast`, `static`; 0.0 where nothing is done.
    """
    figures = chip.energy
    if figures is None or chip.energy_lacks:
        return None
    by_cause: dict[str, float] = {
        "mac": sum(getattr(figures.mac, cls) * count for cls, count in activity.macs.items()),
        "vector": sum(getattr(figures.operation, cls) * count for cls, count in activity.operations.items()),
    }
    for memory in chip.memory:
        by_cause[f"read {memory}"] = figures.memory[memory].read * activity.read_bytes.get(memory, 0)
        by_cause[f"write {memory}"] = figures.memory[memory].write * activity.written_bytes.get(memory, 0)
    by_cause["dram"] = figures.dram * activity.dram_bytes
    by_cause["broadcast"] = figures.broadcast * activity.broadcast_bytes
    by_cause["static"] = figures.static * chip.cores * cycles
    return {cause: float(value) for cause, value in by_cause.items()}

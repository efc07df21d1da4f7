"""How much memory verifying and simulating a program takes, judged before any of it is allocated.

A program of a few hundred bytes may name any address of its chip and repeat elements as often as it likes.
What is allocated follows from the addresses that are used (`Program.reach`), not from what the chip has.
"""

from __future__ import annotations

from collections import defaultdict

from nnc.isa.integers import ceil_div
from nnc.isa.limits import OPERAND, PROGRAM_MEMORY, machine_memory, shown
from nnc.isa.operand import DRAM, Operand
from nnc.isa.program import Program, TensorRole
from nnc.isa.timing.accesses import touched
from nnc.isa.timing.streams import Places
from nnc.runtime.errors import ProgramTooLargeError
from nnc.runtime.shadow import end_of_tensors

_TRANSIENT_BYTES = 24
"""Per element of an operand that an instruction, its check, or its runs in DRAM need for a moment."""
_GRANULE_BYTES, _DRAM_GRANULE_BYTES, _STAMP_BYTES = 9, 7, 4
"""Per granule of a memory: state and element; in DRAM also group and reserved; last access of a stream."""
_REMEDY = "compile for smaller shapes (--shape) or batches, or run it on a machine with more memory"


def check_simulation(program: Program, where: str = "program") -> None:
    """Refuse a program whose operands or memories could not be simulated.

    Raises:
        ProgramTooLargeError: an operand has too many elements, or the memories too many bytes.
    """
    OPERAND.check(
        program.largest_operand,
        ProgramTooLargeError,
        "an operand of an instruction is too large",
        where=where,
        remedy="let the program take it in smaller blocks: compile for a chip with smaller memories",
    )
    _check(where, simulation_bytes(program), 0)


def check_verification(
    program: Program, places: Places, usable: list[bool], granules: dict[str, int]
) -> None:
    """Refuse a program whose shadow memories would be too large; the simulated memories count as well.

    Args:
        usable: which instructions are compared.
        granules: bytes per granule of each memory (of the data check).

    Raises:
        ProgramTooLargeError: all together has too many bytes.
    """
    _check("program", simulation_bytes(program), shadow_bytes(program, places, usable, granules))


def simulation_bytes(program: Program) -> int:
    """Bytes of DRAM behind the constants, of the cores' memories as far as they are used, of the arrays of
    inputs and outputs, of a mask over a tensor, and of scratch."""
    dram = end_of_tensors(program) - len(program.constants)
    on_chip = program.chip.cores * sum(program.reach.values())
    outside = sum(t.block.nbytes for t in program.tensors if t.role in (TensorRole.INPUT, TensorRole.OUTPUT))
    largest = max((tensor.block.elements for tensor in program.tensors), default=0)
    return dram + on_chip + outside + largest + _TRANSIENT_BYTES * program.largest_operand


def shadow_bytes(program: Program, places: Places, usable: list[bool], granules: dict[str, int]) -> int:
    """Bytes of the verifier's shadow memories, as far as their pages are written."""
    image = len(program.constants)
    sizes = {DRAM: max(0, end_of_tensors(program) - image), **program.reach}
    counts = {name: ceil_div(size, granules[name]) for name, size in sizes.items()}
    spans: defaultdict[tuple[str, int, int, bool], int] = defaultdict(int)
    counted: set[tuple[tuple[str, int, int, bool], Operand]] = set()
    for index, (stream, _) in enumerate(places.places):
        for name, core, block, access, _ in touched(program, index) if usable[index] else ():
            key = name, core, stream, access.writes
            if name in sizes and (key, block) not in counted:
                counted.add((key, block))
                low, high = block.hull
                spans[key] += ceil_div(high - low, granules[name])
    stamps = sum(min(span, counts[key[0]]) for key, span in spans.items())
    shadowed = sum(counts[name] for name, _ in {key[:2] for key in spans} - {(DRAM, -1)})
    whole = _GRANULE_BYTES * (shadowed + counts[DRAM]) + _DRAM_GRANULE_BYTES * counts[DRAM]
    return whole + _STAMP_BYTES * stamps


def _check(where: str, simulated: int, shadows: int) -> None:
    nbytes, machine = simulated + shadows, machine_memory()
    PROGRAM_MEMORY.check(
        nbytes, ProgramTooLargeError, "the program takes too much memory", where=where, remedy=_REMEDY
    )
    if machine is not None and nbytes > machine:
        raise ProgramTooLargeError(
            "the program does not fit the memory of this machine",
            where=where,
            found=f"{shown(simulated)} bytes to simulate it, {shown(shadows)} bytes to verify it",
            expected=f"at most {machine} bytes",
            remedy=_REMEDY,
        )

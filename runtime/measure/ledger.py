"""The DRAM ledger: every byte that the transfers of a program move, by cause.

Causes come from what is executed and from the roles of the tensor table, never from labels of the compiler.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import gcd

import numpy as np
import numpy.typing as npt

from nnc.isa.instruction import Instruction, Role
from nnc.isa.instructions import LoadRows
from nnc.isa.operand import Operand
from nnc.isa.program import Program, TensorRole
from nnc.isa.timing.cost import dram_bytes, is_transfer
from nnc.runtime.tensor_table import TensorTable

FLOOR_CAUSES = ("input", "weight", "output")
EXCESS_CAUSES = ("spill", "overlap", "reload", "align")
CAUSES = FLOOR_CAUSES + EXCESS_CAUSES
"""First touch of input, weight and output bytes; intermediate bytes written and first read back (spill);
input or intermediate bytes read again (overlap); constant bytes read again (reload); what whole bursts move
beyond the block (align)."""

Causes = dict[str, int]
_FIRST_READ = {TensorRole.INPUT: "input", TensorRole.CONSTANT: "weight"}
_READ_AGAIN = {TensorRole.CONSTANT: "reload"}


@dataclass(frozen=True)
class Ledger:
    """DRAM bytes of one execution by cause, whole and per group (−1: instructions of no group)."""

    whole: Causes
    groups: dict[int, Causes]

    @property
    def total(self) -> int:
        """All bytes moved over the DRAM bus: the sum of ``dram_bytes`` over the program."""
        return sum(self.whole.values())

    def to_json(self) -> dict[str, object]:
        """The figures as plain data, groups in order."""
        groups = {str(group): self.groups[group] for group in sorted(self.groups)}
        return {"total": self.total, "causes": self.whole, "groups": groups}


def make_ledger(program: Program, order: Sequence[int] | None = None) -> Ledger:
    """Account for every transfer of a program.

    Which rows a `load_rows` touches is known only when it runs: all its rows count as first touches.

    Args:
        order: indices into ``program.issued`` in the order of execution; default their own order.

    Raises:
        ExecutionError: a transfer touches DRAM outside the tensor table.
    """
    issued = program.issued
    table = TensorTable(program.tensors)
    indices = range(len(issued)) if order is None else order
    transfers = [index for index in indices if is_transfer(issued[index].instruction)]
    shadow = _Shadow(program.dram_bytes, [_external(issued[index].instruction) for index in transfers])
    whole: Causes = dict.fromkeys(CAUSES, 0)
    groups: dict[int, Causes] = {}
    for index in transfers:
        instruction = issued[index].instruction
        causes = _causes(instruction, table, shadow)
        causes["align"] = dram_bytes(instruction, program.chip) - sum(causes.values())
        group = groups.setdefault(issued[index].note.group, dict.fromkeys(CAUSES, 0))
        for cause, count in causes.items():
            whole[cause] += count
            group[cause] += count
    return Ledger(whole, groups)


def _external(instruction: Instruction) -> Operand:
    return next(op for op, _, role in instruction.accesses() if role is Role.EXTERNAL)


def _causes(instruction: Instruction, table: TensorTable, shadow: _Shadow) -> Causes:
    """Payload bytes of one transfer by cause."""
    block = _external(instruction)
    role = table.locate(block).role
    if isinstance(instruction, LoadRows):
        return {_FIRST_READ.get(role, "spill"): instruction.dst.nbytes}
    nbytes = len(block.runs()[0]) * block.runs()[1]
    writes = any(access.writes for op, access, _ in instruction.accesses() if op is block)
    if not writes:
        again = shadow.read(block)
        return {_FIRST_READ.get(role, "spill"): nbytes - again, _READ_AGAIN.get(role, "overlap"): again}
    again = shadow.write(block)
    if role is TensorRole.OUTPUT:
        return {"output": nbytes - again, "spill": again}
    return {"spill": nbytes}


class _Shadow:
    """What happened to every granule of DRAM; a granule divides all addresses and runs of the transfers."""

    def __init__(self, nbytes: int, blocks: Iterable[Operand]) -> None:
        granule = nbytes or 1
        for block in set(blocks):
            starts, length = block.runs()
            granule = gcd(granule, length, int(np.gcd.reduce(starts)))
        self._granule = granule
        self._was_read = np.zeros(nbytes // granule, dtype=np.bool_)
        self._was_written = np.zeros(nbytes // granule, dtype=np.bool_)

    def _where(self, block: Operand) -> slice | npt.NDArray[np.int64]:
        starts, length = block.runs()
        first, count = starts // self._granule, length // self._granule
        if len(first) == 1:
            return slice(int(first[0]), int(first[0]) + count)
        return np.add.outer(first, np.arange(count)).ravel()

    def read(self, block: Operand) -> int:
        """Mark a block as read; the bytes of it that were read before (since they were last written)."""
        where = self._where(block)
        again = int(np.count_nonzero(self._was_read[where]))
        self._was_read[where] = True
        return again * self._granule

    def write(self, block: Operand) -> int:
        """Mark a block as written and unread; the bytes of it that had been written before."""
        where = self._where(block)
        again = int(np.count_nonzero(self._was_written[where]))
        self._was_written[where] = True
        self._was_read[where] = False
        return again * self._granule

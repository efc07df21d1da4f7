"""The DRAM ledger: every byte that the transfers of a program move, by cause.

Causes come from what is executed and from the roles of the tensor table, never from labels of the compiler.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import gcd

import numpy as np
import numpy.typing as npt

from nnc.isa.instruction import Instruction, Role, operand_specs, per_class
from nnc.isa.instructions import LoadRows
from nnc.isa.operand import Operand
from nnc.isa.program import Program, Tensor, TensorRole
from nnc.isa.timing.cost import dram_bytes, is_transfer
from nnc.runtime.shadow import by_element
from nnc.runtime.tensor_table import TensorTable

FLOOR_CAUSES = ("input", "weight", "state", "host", "output")
EXCESS_CAUSES = ("spill", "overlap", "reload", "align")
CAUSES = FLOOR_CAUSES + EXCESS_CAUSES
"""First touch of input, weight, state (read, and written), host (inputs that a host makes, outputs that it
reads) and output bytes; intermediate bytes written and first read back (spill); input or intermediate bytes
read again (overlap); constant bytes read again (reload); what whole bursts move beyond the block, reserved
bytes that are no elements, and padding (align)."""

Causes = dict[str, int]
Granules = npt.NDArray[np.bool_]
"""An entry for each granule of DRAM."""
_FIRST_READ = {TensorRole.INPUT: "input", TensorRole.CONSTANT: "weight"}
_READ_AGAIN = {TensorRole.CONSTANT: "reload"}


@dataclass(frozen=True)
class Ledger:
    """DRAM bytes of one execution by cause, whole and per group (−1: instructions of no group).

    `transfers` has a row for each instruction of the program, in its order, and a column for each of
    `CAUSES`; rows of instructions that move nothing over the DRAM bus are zero.
    """

    whole: Causes
    groups: dict[int, Causes]
    transfers: npt.NDArray[np.int64] = field(repr=False)

    @property
    def total(self) -> int:
        """All bytes moved over the DRAM bus: the sum of ``dram_bytes`` over the program."""
        return sum(self.whole.values())

    def to_json(self) -> dict[str, object]:
        """The figures as plain data, groups in order."""
        groups = {str(group): self.groups[group] for group in sorted(self.groups)}
        return {"total": self.total, "causes": self.whole, "groups": groups}


def make_ledger(program: Program, order: Sequence[int]) -> Ledger:
    """Account for every transfer of a program.

    Which rows a `load_rows` touches is known only when it runs: all its rows count as first touches.

    Args:
        order: indices into ``program.issued`` in the order of execution (`issue_order`): whoever reads bytes
            first has them as `input` or `weight`, and later readers read them again.

    Raises:
        ExecutionError: a transfer touches DRAM outside the tensor table.
    """
    issued = program.issued
    table = TensorTable(program.tensors)
    moving = [index for index in order if is_transfer(issued[index].instruction)]
    shadow = _Shadow(program, (_external(issued[index].instruction) for index in moving))
    special = {of: "state" for state in program.states for of in state.tensors}
    ports = (TensorRole.INPUT, TensorRole.OUTPUT)
    special |= {(role, name): "host" for name in program.host_tensors for role in ports}
    transfers = np.zeros((len(issued), len(CAUSES)), dtype=np.int64)
    groups: dict[int, Causes] = {}
    for index in moving:
        instruction = issued[index].instruction
        tensor = table.locate(_external(instruction))
        causes = _causes(instruction, tensor.role, table, shadow)
        if (cause := special.get((tensor.role, tensor.name))) is not None:
            causes = {cause if of in ("input", "output") else of: count for of, count in causes.items()}
        causes["align"] = dram_bytes(instruction, program.chip) - sum(causes.values())
        group = groups.setdefault(issued[index].note.group, dict.fromkeys(CAUSES, 0))
        for cause, count in causes.items():
            group[cause] += count
            transfers[index, CAUSES.index(cause)] = count
    whole = {cause: sum(group[cause] for group in groups.values()) for cause in CAUSES}
    return Ledger(whole, groups, transfers)


@per_class
def _external_operand(kind: type[Instruction]) -> tuple[str, bool]:
    """The operand of a transfer that lies in DRAM, and whether it is written."""
    specs = operand_specs(kind).items()
    return next((name, spec.access.writes) for name, spec in specs if spec.role is Role.EXTERNAL)


def _external(instruction: Instruction) -> Operand:
    block: Operand = getattr(instruction, _external_operand(type(instruction))[0])
    return block


def _causes(instruction: Instruction, role: TensorRole, table: TensorTable, shadow: _Shadow) -> Causes:
    """Bytes of elements that one transfer moves from, or to, a tensor of a role, by cause."""
    block, (_, writes) = _external(instruction), _external_operand(type(instruction))
    if isinstance(instruction, LoadRows):
        row = Operand(block.memory, block.address, block.dtype, block.shape[1:], block.strides[1:])
        nbytes = shadow.granules(row, table, block).nbytes * instruction.dst.shape[0]
        return {_FIRST_READ.get(role, "spill"): nbytes}
    touched = shadow.granules(block, table)
    if not writes:
        again = shadow.read(touched)
        return {
            _FIRST_READ.get(role, "spill"): touched.nbytes - again,
            _READ_AGAIN.get(role, "overlap"): again,
        }
    again = shadow.write(touched)
    if role is TensorRole.OUTPUT:
        return {"output": touched.nbytes - again, "spill": again}
    return {"spill": touched.nbytes}


@dataclass(frozen=True, slots=True)
class _Rows:
    """Granules in so many rows of `count` at equal distances."""

    first: int
    distance: int
    shape: tuple[int, int]

    def of(self, granules: Granules) -> Granules:
        """Their entries, which may be written."""
        return np.ndarray(self.shape, np.bool_, granules, self.first, (self.distance, 1))


@dataclass(frozen=True, slots=True)
class _Touched:
    """Granules of elements that a transfer touches, and their bytes."""

    where: _Rows | npt.NDArray[np.int64]
    nbytes: int

    def exchange(self, granules: Granules, value: bool) -> int:
        """Set the entries of granules; of them, how many were set before."""
        if isinstance(self.where, _Rows):
            entries = self.where.of(granules)
            before = int(np.count_nonzero(entries))
            entries[...] = value
        else:
            before = int(np.count_nonzero(granules[self.where]))
            granules[self.where] = value
        return before


class _Shadow:
    """What happened to every granule of DRAM; a granule divides all addresses and runs of the transfers."""

    def __init__(self, program: Program, blocks: Iterable[Operand]) -> None:
        nbytes = program.dram_bytes
        granule = nbytes or 1
        for block in set(blocks):
            starts, length = block.runs()
            granule = gcd(granule, length, int(np.gcd.reduce(starts)))
        for tensor in program.tensors:
            if tensor.reserved:
                block = tensor.block
                granule = gcd(granule, block.address, tensor.reserved, block.dtype.itemsize)
            for block in tensor.padding:
                granule = gcd(granule, block.address, block.dtype.itemsize)
        self._granule = granule
        self._is_plain = not any(tensor.reserved or tensor.padding for tensor in program.tensors)
        self._was_read = np.zeros(nbytes // granule, dtype=np.bool_)
        self._was_written = np.zeros(nbytes // granule, dtype=np.bool_)
        self._elements: dict[tuple[Operand, int], npt.NDArray[np.bool_]] = {}  # tiles may share a name
        self._is_padding = np.zeros(nbytes // granule, dtype=np.bool_)
        for tensor in program.tensors:
            for block in tensor.padding:
                by_element(self._is_padding, block, granule)[...] = True

    def granules(self, block: Operand, table: TensorTable, whole: Operand | None = None) -> _Touched:
        """What a transfer of a block touches, without bytes that are no elements.

        Args:
            table: of the tensors whose bytes it may be moving; the one with most elements there is taken.
            whole: the block that they hold, if that is not all.
        """
        holders = [] if self._is_plain else list(table.holders(whole or block))
        starts, length = block.runs()
        first, count = starts // self._granule, length // self._granule
        is_plain = not any(tensor.reserved or tensor.padding for tensor in holders)
        if is_plain:
            distance = int(first[1] - first[0]) if len(first) > 1 else 1
            if len(first) < 3 or (first[1:] - first[:-1] == distance).all():
                return _Touched(_Rows(int(first[0]), distance, (len(first), count)), len(starts) * length)
        where = np.add.outer(first, np.arange(count)).ravel()
        if is_plain:
            return _Touched(where, len(starts) * length)
        where = max((where[self._is_element(tensor)(where)] for tensor in holders), key=len)
        where = where[~self._is_padding[where]]
        return _Touched(where, len(where) * self._granule)

    def _is_element(self, tensor: Tensor) -> Callable[[npt.NDArray[np.int64]], npt.NDArray[np.bool_]]:
        """Which granules of what a tensor reserves are elements of it."""
        low, high = (address // self._granule for address in tensor.extent)
        if not tensor.reserved:
            return lambda where: np.ones(len(where), dtype=np.bool_)
        key = tensor.block, tensor.reserved
        if key not in self._elements:
            mask = self._elements[key] = np.zeros(high - low, dtype=np.bool_)
            first = replace(tensor.block, address=tensor.block.address - low * self._granule)
            by_element(mask, first, self._granule)[...] = True
        mask = self._elements[key]
        return lambda where: mask[where - low]

    def read(self, touched: _Touched) -> int:
        """Mark granules as read; the bytes of them that were read before (since they were last written)."""
        return touched.exchange(self._was_read, value=True) * self._granule

    def write(self, touched: _Touched) -> int:
        """Mark granules as written and unread; the bytes of them that had been written before."""
        touched.exchange(self._was_read, value=False)
        return touched.exchange(self._was_written, value=True) * self._granule

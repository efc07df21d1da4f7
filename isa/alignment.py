"""Alignment of DMA transfers: every contiguous run starts and is sized in multiples of what the chip says."""

from __future__ import annotations

from collections.abc import Iterator

from nnc.isa.chip.description import Chip
from nnc.isa.instruction import Instruction, Role
from nnc.isa.instructions import LoadRows
from nnc.isa.operand import Operand
from nnc.isa.timing.cost import is_transfer


def unaligned(instruction: Instruction, chip: Chip) -> Iterator[tuple[Operand, str]]:
    """The operands of a DRAM transfer that the DMA engines of a chip cannot move, each with the reason.

    The side in DRAM obeys ``dram.align``, the other one ``dma.align``; index lists are no part of the
    transfer.
    """
    if chip.transfer_unit == 1 or not is_transfer(instruction):
        return
    index = instruction.index if isinstance(instruction, LoadRows) else None
    for block, _, role in instruction.accesses():
        key, align = (
            ("dram.align", chip.dram.align) if role is Role.EXTERNAL else ("dma.align", chip.dma.align)
        )
        if (
            align > 1
            and block is not index
            and not _is_aligned(block, align, isinstance(instruction, LoadRows))
        ):
            yield block, f"runs of a transfer start and end at multiples of {key} = {align}"


def _is_aligned(block: Operand, align: int, by_rows: bool) -> bool:
    """Whether all runs of a block are aligned; of a row gather, each row by itself."""
    if by_rows:
        row = Operand(block.memory, block.address, block.dtype, block.shape[1:], block.strides[1:])
        far = block.shape[0] > 1 and block.strides[0] % align
        return not far and _is_aligned(row, align, by_rows=False)
    starts, length = block.runs()
    return not length % align and not (starts % align).any()

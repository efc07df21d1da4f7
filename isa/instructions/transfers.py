"""DMA between DRAM and the memories of a core: the read engine and the write engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from nnc.isa.chip.description import Chip
from nnc.isa.instruction import Access, Engine, Instruction, Role, attribute, instruction, operand
from nnc.isa.instructions.shape_checks import INDEX_TYPES, equal, same_block
from nnc.isa.instructions.shared_costs import moved
from nnc.isa.operand import Operand, burst_bytes
from nnc.isa.work import Work


class _BlockTransfer(Instruction):
    """The rule of shapes of DMA from block to block."""

    dst: Operand
    src: Operand

    def shape_errors(self) -> Iterator[str]:
        yield from same_block(self.dst, self.src)


@instruction(
    1, "load", Engine.READ, "dma", example="load sram+0x0 f32[1,34,56,64] <- dram+0x9c400 f32[1,34,56,64]"
)
class Load(_BlockTransfer):
    """DMA a block from DRAM into a memory of this core; the two blocks have the same shape."""

    dst: Operand = operand(Access.WRITE, Role.FEATURE, "block in a memory of this core")
    src: Operand = operand(Access.READ, Role.EXTERNAL, "block in DRAM")


@instruction(
    2,
    "broadcast",
    Engine.READ,
    "dma",
    example="broadcast am+0x0 f32[3,3,64,32] <- dram+0x400 f32[3,3,64,32], cores=15",
)
class Broadcast(_BlockTransfer):
    """DMA a block from DRAM into the same address of several cores at once (M2); DRAM pays once."""

    dst: Operand = operand(Access.WRITE, Role.FEATURE, "block at the same address in each core of `cores`")
    src: Operand = operand(Access.READ, Role.EXTERNAL, "block in DRAM")
    cores: int = attribute("bit mask of the receiving cores")

    @property
    def receivers(self) -> list[int]:
        """Numbers of the receiving cores."""
        return [core for core in range(self.cores.bit_length()) if self.cores >> core & 1]

    def shape_errors(self) -> Iterator[str]:
        yield from super().shape_errors()
        if self.cores < 1:
            yield f"the mask of cores is {self.cores}"


@instruction(
    3,
    "load_rows",
    Engine.READ,
    "dma",
    example="load_rows sram+0x100 f32[16,64] <- dram+0x0 f32[1000,64], index=sram+0x0 i32[16]",
)
class LoadRows(Instruction):
    """DMA rows of a DRAM table that an on-chip index list names: dst[i, …] = src[index[i], …].

    `index` has shape (n,), `dst` (n, …), `src` (rows, …); negative indices count from the end.
    """

    dst: Operand = operand(Access.WRITE, Role.FEATURE, "gathered rows")
    src: Operand = operand(Access.READ, Role.EXTERNAL, "table in DRAM")
    index: Operand = operand(Access.READ, Role.FEATURE, "row numbers, an integer vector on chip")

    def shape_errors(self) -> Iterator[str]:
        if len(self.index.shape) != 1 or self.index.dtype not in INDEX_TYPES:
            yield f"index is {self.index}, expected a vector of integers"
        elif not self.src.shape:
            yield "src is a scalar, expected a table of rows"
        else:
            yield from equal("dst shape", self.dst.shape, self.index.shape + self.src.shape[1:])
        yield from equal("dst type", self.dst.dtype, self.src.dtype)

    def dram_bytes(self, burst: int) -> int:
        """The rows that are read: no more of the table, and one as often as it is named."""
        src = self.src
        row = Operand(src.memory, src.address, src.dtype, src.shape[1:], src.strides[1:])
        return self.dst.shape[0] * burst_bytes(row, burst)


def _fill_cost(chip: Chip, i: Any, work: Work) -> int:
    """bytes of dst / move bandwidth, in whole words."""
    return moved(chip, work.dst)


@instruction(
    4, "fill", Engine.READ, "dma", cost=_fill_cost, example="fill sram+0x0 f32[1,1,58,64], value=0.0"
)
class Fill(Instruction):
    """Fill a block in a memory of this core with one value; no DRAM traffic."""

    dst: Operand = operand(Access.WRITE, Role.FEATURE, "block to fill")
    value: float = attribute("the value, converted to the element type of dst")

    def shape_errors(self) -> Iterable[str]:
        return ()


@instruction(
    16,
    "store",
    Engine.WRITE,
    "dma",
    example="store dram+0x9c400 f32[1,32,56,64] <- sram+0x8000 f32[1,32,56,64]",
)
class Store(_BlockTransfer):
    """DMA a block from a memory of this core into DRAM; the two blocks have the same shape."""

    dst: Operand = operand(Access.WRITE, Role.EXTERNAL, "block in DRAM")
    src: Operand = operand(Access.READ, Role.RESULT, "block in a memory of this core")

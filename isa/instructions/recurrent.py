"""Recurrent networks: all steps of a direction, products on the MAC array, functions on the vector unit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from nnc.isa.chip.description import Chip
from nnc.isa.chip.rates import move_cycles, port_cycles
from nnc.isa.functions import RecurrentCell
from nnc.isa.instruction import Access, Engine, Instruction, Role, attribute, instruction, operand
from nnc.isa.instructions.mac_costs import ArrayWork
from nnc.isa.instructions.shape_checks import equal
from nnc.isa.instructions.shared_costs import vector_cycles
from nnc.isa.operand import Operand
from nnc.isa.types import DType
from nnc.isa.visits import Runs
from nnc.isa.work import Work


class RecurrenceCycles(NamedTuple):
    """Cycles of all steps by unit: none begins before the one before it has ended."""

    array: int
    vector: int
    issue: int


def products_of_step(cell: RecurrentCell, batch: int, hidden: int) -> list[ArrayWork]:
    """The products of a step as the array does them, one behind the other; a step's rows are its batch."""
    if cell.products == 1:
        return [ArrayWork(cell.gates * hidden, Runs(1, batch), hidden)]
    return [ArrayWork(gates * hidden, Runs(1, batch), hidden) for gates in (cell.gates - 1, 1)]


def recurrence_cycles(chip: Chip, i: Any, work: Work) -> RecurrenceCycles:
    """Cycles of all steps by unit."""
    cell, (steps, batch, columns) = i.cell, work.src.shape
    hidden = columns // cell.gates
    array = 0
    for product in products_of_step(cell, batch, hidden):
        port_bytes = 2 * batch * product.channels * work.dtype.itemsize
        array += max(product.cycles(chip, work.dtype), port_cycles(chip, port_bytes))
    row = replace(work.dst, shape=(batch, hidden), strides=work.dst.strides[1:])
    vector = vector_cycles(chip, work, cell.operations, row)
    issued = 2 * cell.products if cell.operations else 1
    if _moves_state(chip):
        vector += cell.products * move_cycles(chip, batch * hidden * work.dtype.itemsize)
        issued += cell.products
    return RecurrenceCycles(steps * array, steps * vector, steps * issued * chip.compute.issue)


def _moves_state(chip: Chip) -> bool:
    """Whether results do not lie where the array takes features from."""
    result, feature = (chip.placement("gemm", role).memories for role in ("result", "feature"))
    return result[0] not in feature


def _recurrence_cost(chip: Chip, i: Any, work: Work) -> int:
    """steps · (product + functions + 2 · issue), each waiting for the one before; a product is that of gemm.

    With G gates, K hidden elements: ceil(G·K / lanes) · ceil(batch / units) · K, at least 2 · batch · G·K
    elements / result port; functions: operations of the cell · batch · K / element-wise rate.  A `gru` has
    two products, of 2·K and K columns, and functions behind each: 4 · issue; that of an RNN is in the
    epilogue: 1 · issue.  Where the array takes features
    from another memory than that of results, a step moves the hidden state before each product: its bytes /
    move bandwidth + issue.
    """
    return sum(recurrence_cycles(chip, i, work))


@instruction(
    36,
    "recurrence",
    Engine.COMPUTE,
    "gemm",
    cost=_recurrence_cost,
    example="recurrence sram+0x9000 f32[17,2,32] <- sram+0x0 f32[16,2,128], weight=sram+0x4000 f32[32,128], "
    "cell=lstm sequence=true cell_state=true",
)
class Recurrence(Instruction):
    """All steps of a direction of an LSTM, GRU or RNN; dst rows,batch,hidden, src steps,batch,gates·hidden.

    src is what the inputs add to the sums of gates, biases included.  With h and c the states before a step
    (hidden and initial_cell, zeros where they are absent), p the row of src, R the weight, s the sigmoid, and
    gates in ONNX's order:
    lstm: i, o, f, g = p + h·R; c = s(f)·c + s(i)·tanh(g); h = s(o)·tanh(c).
    gru: z, r = p + h·R; n = tanh(p + (s(r)·h)·R); h = n + s(z)·(h − n).
    gru_linear: z, r = p + h·R; n = tanh(p + s(r)·(h·R + bias)); h = n + s(z)·(h − n).
    rnn_tanh, rnn_relu: h = tanh(p + h·R), max(p + h·R, 0).
    A step computes in f32 (f64 of f64); h and c are rounded to the type of dst behind it, in a gru s(r)·h
    too.  dst has, with `sequence`, h of every step in the place of its row in src, else h behind the last
    step only; with `cell_state`, c behind the last step is one row more at the end.  `backwards` begins with
    the last row.
    """

    dst: Operand = operand(Access.WRITE, Role.RESULT, "hidden states, and the last cell state behind them")
    src: Operand = operand(Access.READ, Role.RESULT, "addends of the gates in all steps")
    weight: Operand = operand(Access.READ, Role.WEIGHT, "recurrent weights, hidden × gates·hidden")
    bias: Operand | None = operand(
        Access.READ, Role.WEIGHT, "of the product that gru_linear resets, [hidden]", default=None
    )
    hidden: Operand | None = operand(
        Access.READ, Role.FEATURE, "hidden state before the first step, batch × hidden", default=None
    )
    initial_cell: Operand | None = operand(
        Access.READ, Role.RESULT, "cell state before the first step, batch × hidden", default=None
    )
    cell: RecurrentCell = attribute("what a step computes")
    backwards: bool = attribute("whether the last row is the first step", default=False)
    sequence: bool = attribute("whether dst has the hidden states of all steps", default=True)
    cell_state: bool = attribute("whether dst ends with the cell state", default=False)

    @property
    def _sizes(self) -> tuple[int, int, int]:
        """Steps, batch, hidden elements."""
        steps, batch, columns = self.src.shape
        return steps, batch, columns // self.cell.gates

    @property
    def macs(self) -> int:
        """In every step, for every gate, hidden × hidden of each sequence."""
        steps, batch, hidden = self._sizes
        return steps * batch * hidden * hidden * self.cell.gates

    @property
    def operations(self) -> int:
        """In every step, one addition for every gate, and the functions of the cell, one of an RNN."""
        steps, batch, hidden = self._sizes
        return steps * batch * hidden * (self.cell.gates + (self.cell.operations or 1))

    def by_unit(self, chip: Chip) -> RecurrenceCycles:
        """Its cycles by unit, without those that begin the instruction itself."""
        return recurrence_cycles(chip, self, self.work)

    def bytes_read(self, chip: Chip) -> list[tuple[str, int]]:
        """States and weights as often as the array is fed with them, and other operands once.

        States are features in the memory of these, whichever step made them.
        """
        steps, batch, hidden = self._sizes
        memory, dtype = chip.placement("gemm", "feature").memories[0], self.src.dtype
        features = weights = 0
        for product in products_of_step(self.cell, batch, hidden):
            own = product.reads(chip, dtype)
            features, weights = features + own[0], weights + own[1]
        others = [block for block in (self.src, self.bias, self.initial_cell) if block is not None]
        return [
            (memory, steps * features * dtype.itemsize),
            (self.weight.memory, steps * weights * dtype.itemsize),
            *((block.memory, block.distinct_bytes) for block in others),
        ]

    @classmethod
    def rate_dtype(cls, result: DType, sources: object) -> DType:
        """All operands are of one type."""
        return result

    def shape_errors(self) -> Iterator[str]:
        if not self.dst.dtype.is_float:
            yield f"dst is {self.dst.dtype.value}, expected a float"
        for name in ("src", "weight", "bias", "hidden", "initial_cell"):
            block = getattr(self, name)
            if block is not None:
                yield from equal(f"type of {name}", block.dtype.value, self.dst.dtype.value)
        if len(self.src.shape) != 3 or self.src.shape[2] % self.cell.gates or not all(self.src.shape):
            yield f"src is {self.src.shape}, expected steps, batch, {self.cell.gates}·hidden"
            return
        steps, batch, hidden = self._sizes
        rows = (steps if self.sequence else 1) + self.cell_state
        yield from equal("dst shape", self.dst.shape, (rows, batch, hidden))
        yield from equal("weight shape", self.weight.shape, (hidden, self.cell.gates * hidden))
        for name, shape in (
            ("bias", (hidden,)),
            ("hidden", (batch, hidden)),
            ("initial_cell", (batch, hidden)),
        ):
            block = getattr(self, name)
            if block is not None:
                yield from equal(f"{name} shape", block.shape, shape)
        if self.cell is not RecurrentCell.LSTM and (self.cell_state or self.initial_cell is not None):
            yield f"{self.cell.value} has no cell state"
        if self.cell is not RecurrentCell.GRU_LINEAR and self.bias is not None:
            yield f"{self.cell.value} has no bias"

"""The details of a report: parts, ranges of alike instructions, what lies in the memories when."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from nnc.isa.program import Program
from nnc.report.figures import Sums
from nnc.report.schema import Blocks, Details, PartReport, Timeline
from nnc.runtime.measure.instruction_table import WAITS, Column, InstructionTable
from nnc.runtime.measure.live_blocks import LiveBlock

MOST_ROWS = 60_000
"""Ranges of instructions and blocks of memory beyond which alike neighbours are folded into one row."""


def details_of(program: Program, table: InstructionTable, sums: Sums, blocks: Sequence[LiveBlock]) -> Details:
    """The details of a run."""
    return Details(
        parts=_parts(table, sums), timeline=timeline_of(table), blocks=blocks_of(program, table, blocks)
    )


def _parts(table: InstructionTable, sums: Sums) -> tuple[PartReport, ...]:
    pairs, keys = np.unique(np.stack([table.group, table.part], axis=1), axis=0, return_inverse=True)
    keys = keys.reshape(-1).astype(np.int64)
    first, last = sums.span_of(keys, len(pairs))
    return tuple(
        PartReport(
            group=int(group),
            part=int(part),
            first_cycle=int(first[i]),
            last_cycle=int(last[i]),
            figures=figures,
        )
        for i, ((group, part), figures) in enumerate(
            zip(pairs.tolist(), sums.by(keys, len(pairs)), strict=True)
        )
    )


def timeline_of(table: InstructionTable, most: int = MOST_ROWS) -> Timeline:
    """Ranges of instructions in the order of core, engine and number.

    Each instruction is a row of its own if there are no more than `most`; else alike neighbours of one engine
    share a row: those of the same layer and mnemonic in one part, and if these are still too many, in all
    parts that follow each other.
    """
    order = np.lexsort((table.number, table.engine, table.core))
    columns = {
        name: getattr(table, name)[order] for name in ("core", "engine", "group", "part", "layer", "mnemonic")
    }
    heads = np.arange(len(order))
    for names in (
        ("core", "engine", "group", "part", "layer", "mnemonic"),
        ("core", "engine", "group", "layer", "mnemonic"),
        ("core", "engine", "group", "layer"),
        ("core", "engine", "group"),
    ):
        if len(heads) <= most:
            break
        heads = _heads([columns[name] for name in names])
    tails = np.append(heads[1:], len(order)) - 1 if len(heads) else heads

    def total(values: Column) -> list[int]:
        sums: list[int] = np.add.reduceat(values[order], heads).tolist() if len(heads) else []
        return sums

    longest = _longest_waits(table.wait[order], table.waited_for[order], heads)
    begun = table.end - table.busy
    return Timeline(
        **{name: values[heads].tolist() for name, values in columns.items()},
        first=table.number[order][heads].tolist(),
        count=(tails - heads + 1).tolist(),
        start=begun[order][heads].tolist(),
        end=table.end[order][tails].tolist(),
        busy=total(table.busy),
        wait=total(table.wait),
        waited_for=longest,
        dram_bytes=total(table.dram_bytes),
        mnemonics=list(table.mnemonics),
        waits=list(WAITS),
    )


def _heads(columns: Sequence[Column]) -> npt.NDArray[np.int64]:
    """Where rows begin that differ from the one before in some column."""
    if not len(columns[0]):
        return np.zeros(0, dtype=np.int64)
    differs = np.zeros(len(columns[0]), dtype=np.bool_)
    differs[0] = True
    for column in columns:
        differs[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(differs)


def _longest_waits(wait: Column, reason: Column, heads: Column) -> list[int]:
    """By range of rows, the reason of its longest wait."""
    ends = np.append(heads[1:], len(wait))
    return (
        [
            int(reason[head + int(wait[head:end].argmax())])
            for head, end in zip(heads.tolist(), ends.tolist(), strict=True)
        ]
        if len(heads)
        else []
    )


def blocks_of(program: Program, table: InstructionTable, blocks: Sequence[LiveBlock]) -> Blocks:
    """What lies in the memories, a row per block."""
    memories = list(program.chip.memory)
    names: dict[str, int] = {}
    rows = []
    for block in blocks:
        tensor = names.setdefault(tensor_of(program, block), len(names))
        rows.append(
            (
                block.core,
                memories.index(block.memory),
                block.low,
                block.high,
                block.begin,
                block.end,
                tensor,
                int(table.group[block.writer]),
                int(table.layer[block.writer]),
            )
        )
    rows.sort()
    columns: list[list[int]] = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(9)]
    core, memory, low, high, begin, end, holds, group, layer = columns
    return Blocks(
        memory=memory,
        core=core,
        low=low,
        high=high,
        begin=begin,
        end=end,
        tensor=holds,
        group=group,
        layer=layer,
        memories=memories,
        tensors=list(names),
    )


def tensor_of(program: Program, block: LiveBlock) -> str:
    """The tensor whose elements a block holds; by the layer that wrote it where the program does not say."""
    item = program.issued[block.writer]
    accesses = item.instruction.accesses()
    for (operand, access, _), content in zip(accesses, item.note.contents, strict=False):
        if content is not None and access.writes and operand.memory == block.memory:
            return content.buffer
    return item.note.layer

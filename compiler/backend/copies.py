"""Instructions of a group whose nodes are not in the graph: those of its leader, which move other tensors.

in:   the instructions of a leader, what its copies call the same tensors and nodes
out:  the instructions of each copy; those of the leader are taken apart once, into columns
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat

from nnc.compiler.backend.contents import SUMS
from nnc.compiler.ir.annotations import GroupCopy
from nnc.compiler.ir.graph import Graph
from nnc.isa.instruction import Instruction, Role, operand_specs, per_class
from nnc.isa.operand import Operand
from nnc.isa.program import Content, Issued, Note
from nnc.isa.record import changed, picker

Lowered = tuple[Issued, str | None]
"""An instruction, and the tensor that it moves from or to DRAM, if it does."""


class PieceMoves:
    """Where pieces of constants lie in DRAM, by where others do."""

    def __init__(self, graph: Graph) -> None:
        self._pieces = graph.notes.pieces
        self._at = {address: piece for piece, address in self._pieces.items()}

    def moved(self, address: int, constant: str) -> int:
        """Where the piece of another constant lies that is cut as the one at an address."""
        return self._pieces[self._at[address]._replace(constant=constant)]


class LeadingInstructions:
    """The instructions of a group that others are copies of: what they share, those of a copy share."""

    def __init__(self, graph: Graph, originals: Sequence[Lowered], pieces: PieceMoves) -> None:
        self._graph, self._pieces = graph, pieces
        issued = [entry for entry, _ in originals]
        self._cores = [entry.core for entry in issued]
        self._instructions = [entry.instruction for entry in issued]
        self._parts = [entry.note.part for entry in issued]
        self._nodes = [entry.note.layer for entry in issued]
        self._contents = {id(content): content for entry in issued for content in entry.note.contents}
        number = {content: index for index, content in enumerate(self._contents)}
        self._contents_of = [picker([number[id(c)] for c in entry.note.contents]) for entry in issued]
        self._blocks: dict[int, tuple[int, Operand, str]] = {}  # in DRAM
        self._moves = [
            (index, *self._move(entry.instruction, tensor))
            for index, (entry, tensor) in enumerate(originals)
            if tensor is not None
        ]

    def _move(self, instruction: Instruction, tensor: str) -> tuple[str, int]:
        """The field of a transfer that lies in DRAM, and the number of what lies there."""
        name = _field_in_dram(type(instruction))
        block = getattr(instruction, name)
        return name, self._blocks.setdefault(id(block), (len(self._blocks), block, tensor))[0]

    def copied(self, copy: GroupCopy) -> Iterator[Issued]:
        """The instructions of a copy."""
        there = [
            changed(block, address=self._address(block.address, tensor, copy.tensors))
            for _, block, tensor in self._blocks.values()
        ]
        instructions = self._instructions.copy()
        for index, name, number in self._moves:
            instructions[index] = changed(instructions[index], **{name: there[number]})
        contents = tuple([_content(content, copy.tensors) for content in self._contents.values()])
        nodes = map(copy.nodes.__getitem__, self._nodes)
        touched = (pick(contents) for pick in self._contents_of)
        notes = map(Note, repeat(copy.group), self._parts, nodes, touched)
        if not len(instructions) == len(copy.waits):
            raise ValueError(f"{len(instructions)} instructions, and the waits of {len(copy.waits)}")
        return map(Issued, self._cores, instructions, copy.waits, notes)

    def _address(self, address: int, tensor: str, names: Mapping[str, str]) -> int:
        graph = self._graph
        if graph.is_constant(tensor):
            return self._pieces.moved(address, names[tensor])
        buffers, buffer = graph.notes.buffers, graph.storage[tensor].buffer
        return address - buffers[buffer] + buffers[names[buffer]]


def _content(content: Content | None, names: Mapping[str, str]) -> Content | None:
    if content is None:
        return None
    stem = content.buffer.removesuffix(SUMS)
    name = names[stem] + content.buffer[len(stem) :]
    return Content(name, content.offset, content.strides, content.shape)


@per_class
def _field_in_dram(kind: type[Instruction]) -> str:
    """The one operand of a transfer that lies in DRAM."""
    (name,) = (name for name, spec in operand_specs(kind).items() if spec.role is Role.EXTERNAL)
    return name

"""Instructions of a group whose nodes are not in the graph: those of its leader, which move other tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nnc.compiler.backend.contents import SUMS
from nnc.compiler.ir.annotations import GroupCopy
from nnc.compiler.ir.graph import Graph
from nnc.isa.instruction import Instruction, Role, operand_specs, per_class
from nnc.isa.operand import Operand
from nnc.isa.program import Content, Issued, Note
from nnc.isa.record import changed

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


class CopiedInstructions:
    """Gives the instructions of a copy; what instructions of the leader share, those of the copy share."""

    def __init__(self, graph: Graph, copy: GroupCopy, pieces: PieceMoves) -> None:
        self._graph, self._copy, self._pieces = graph, copy, pieces
        self._moved: dict[int, Operand] = {}
        self._contents: dict[int, Content | None] = {}

    def of(self, originals: Sequence[Lowered]) -> Iterator[Issued]:
        """The instructions of the copy, by those of its leader."""
        group, nodes, known = self._copy.group, self._copy.nodes, self._contents
        for (original, tensor), waits in zip(originals, self._copy.waits, strict=True):
            note, instruction = original.note, original.instruction
            contents = tuple([known[id(c)] if id(c) in known else self._content(c) for c in note.contents])
            if tensor is not None:
                name = _field_in_dram(type(instruction))
                block = self._operand(getattr(instruction, name), tensor)
                instruction = changed(instruction, **{name: block})
            yield Issued(
                original.core, instruction, waits, Note(group, note.part, nodes[note.layer], contents)
            )

    def _operand(self, block: Operand, tensor: str) -> Operand:
        found = self._moved.get(id(block))
        if found is None:
            found = self._moved[id(block)] = changed(block, address=self._address(block.address, tensor))
        return found

    def _address(self, address: int, tensor: str) -> int:
        graph, names = self._graph, self._copy.tensors
        if graph.is_constant(tensor):
            return self._pieces.moved(address, names[tensor])
        buffers, buffer = graph.notes.buffers, graph.storage[tensor].buffer
        return address - buffers[buffer] + buffers[names[buffer]]

    def _content(self, content: Content | None) -> Content | None:
        found = content
        if content is not None:
            stem = content.buffer.removesuffix(SUMS)
            name = self._copy.tensors[stem] + content.buffer[len(stem) :]
            found = Content(name, content.offset, content.strides, content.shape)
        self._contents[id(content)] = found
        return found


@per_class
def _field_in_dram(kind: type[Instruction]) -> str:
    """The one operand of a transfer that lies in DRAM."""
    (name,) = (name for name, spec in operand_specs(kind).items() if spec.role is Role.EXTERNAL)
    return name

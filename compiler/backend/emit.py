"""From the placed graph to the program: instructions in order, waits, packed constants, tensor table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from math import prod

import numpy as np
import numpy.typing as npt

from nnc.compiler.backend.contents import TracedOperands
from nnc.compiler.backend.copies import LeadingInstructions, Lowered, PieceMoves
from nnc.compiler.backend.lower import lower_node, lower_store
from nnc.compiler.backend.operands import Operands
from nnc.compiler.backend.padding import padding_of_buffer, padding_of_piece
from nnc.compiler.ir.annotations import Issue, Piece
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Join, Layer
from nnc.compiler.ir.required import required
from nnc.compiler.ir.runs import unit_of
from nnc.compiler.ir.storage import identity_order
from nnc.isa.chip.description import Chip
from nnc.isa.digests import digests
from nnc.isa.instruction import ENGINES, Instruction
from nnc.isa.integers import round_up
from nnc.isa.operand import DRAM, Operand, reach
from nnc.isa.program import GroupInfo, Issued, Note, Program, Tensor, TensorRole

_COLUMNS = 32
_ENGINE_NUMBER = {engine: number for number, engine in enumerate(ENGINES)}


def emit(graph: Graph, chip: Chip, facts: dict[str, int]) -> Program:
    """The program of a placed graph.

    Args:
        graph: at level placed.
        chip: the target.
        facts: for the debug section.
    """
    program = Program(
        chip=chip,
        tensors=tuple(_tensors(graph, Operands(graph))),
        constants=_pack(graph),
        issued=tuple(_issue(graph, TracedOperands(graph))),
        dram_bytes=graph.notes.dram_bytes,
        groups=tuple(GroupInfo(g.kind.value, g.layers, g.parts, g.reason) for g in graph.notes.groups),
        facts=facts,
        states=graph.states,
    )
    return replace(program, facts=facts | digests(program))


def _issue(graph: Graph, operands: TracedOperands) -> list[Issued]:
    """All instructions with their waits, by group and part as far as each engine keeps its order."""
    program = _with_copies(graph, _lowered(graph, operands))
    parts = max((group.parts for group in graph.notes.groups), default=0)
    streams = len(_ENGINE_NUMBER) * (1 + max((issued.core for issued in program), default=0))
    latest, order = [0] * streams, list[int]()
    for issued in program:
        stream = issued.core * len(_ENGINE_NUMBER) + _ENGINE_NUMBER[issued.instruction.engine]
        part = max(latest[stream], issued.note.group * parts + issued.note.part)
        latest[stream] = part
        order.append(part * streams + stream)
    return [program[index] for index in np.argsort(order, kind="stable").tolist()]


def _with_copies(graph: Graph, lowered: Iterable[Lowered]) -> Sequence[Issued]:
    """The instructions of the nodes, and of groups that are copies, in the order of issue of the program."""
    notes = graph.notes
    if not notes.copies:
        return [issued for issued, _ in lowered]
    of_leader: dict[int, list[Lowered]] = {copy.leader: [] for copy in notes.copies}
    program, places = list[Issued](), [*notes.issued_at]
    for issued, tensor in lowered:
        program.append(issued)
        if issued.note.group in of_leader:
            of_leader[issued.note.group].append((issued, tensor))
    pieces = PieceMoves(graph)
    leaders = {group: LeadingInstructions(graph, originals, pieces) for group, originals in of_leader.items()}
    for copy in notes.copies:
        program += leaders[copy.leader].copied(copy)
        places += copy.issued_at
    return [program[index] for index in np.argsort(places).tolist()]


def _lowered(graph: Graph, operands: TracedOperands) -> Iterator[Lowered]:
    """The instructions of all nodes in the order of issue."""
    part_of, waits = graph.notes.part_of, graph.notes.waits
    for issue, layer, instruction in _instructions(graph, operands):
        where = part_of[layer.name]
        note = Note(where.group, where.part, layer.loc.node, operands.contents_of(instruction))
        tensor = None
        if type(instruction).cost is None:
            tensor = graph.output_of(issue.node) if issue.slot is not None else graph.inputs_of(issue.node)[0]
        yield Issued(required(where.core), instruction, waits[issue], note), tensor


def _instructions(graph: Graph, operands: Operands) -> Iterator[tuple[Issue, Layer, Instruction]]:
    """Every place in the order of issue, with the layer that the instruction belongs to."""
    for issue in graph.notes.order:
        layer = graph.layer(issue.node)
        if issue.slot is None:
            yield issue, layer, lower_node(operands, layer)
        else:
            assert isinstance(layer, Join)
            tile = required(graph.inputs_of(layer.name)[issue.slot])
            where = required(graph.producer(tile))  # a store belongs to the part that computes its tile
            yield issue, where, lower_store(operands, layer, issue.slot)


def _pack(graph: Graph) -> npt.NDArray[np.uint8]:
    """The image of the constant region: every piece dense in its own order of axes."""
    image = np.zeros(graph.notes.constant_bytes, dtype=np.uint8)
    for piece, address in graph.notes.pieces.items():
        box = tuple(slice(a, a + n) for a, n in zip(piece.low, piece.shape, strict=True))
        values = graph.constants[piece.constant][box].transpose(piece.order)
        region = image[address : address + piece.elements * values.itemsize].view(values.dtype)
        if piece.row:
            values = values.reshape(len(values), -1)
            region = region.reshape(len(values), piece.row)[:, : values.shape[1]]
        _copy(values, region.reshape(values.shape))
    return image


def _copy(values: npt.NDArray[np.generic], target: npt.NDArray[np.generic]) -> None:
    """Copy, some columns at a time: of transposed values, what a cache line holds is then read in one go."""
    if values.strides[-1:] in ((), (values.itemsize,)):
        target[...] = values
        return
    for first in range(0, values.shape[-1], _COLUMNS):
        target[..., first : first + _COLUMNS] = values[..., first : first + _COLUMNS]


def _tensors(graph: Graph, operands: Operands) -> Iterator[Tensor]:
    """The tensor table: inputs, outputs, boundaries between groups, packed constants."""
    for role, ports in ((TensorRole.INPUT, graph.input_ports), (TensorRole.OUTPUT, graph.output_ports)):
        for port in ports:
            if port.tensor is None:
                start = graph.notes.constant_bytes
                yield Tensor(port.name, role, Operand.dense(DRAM, start, port.type.dtype, port.type.shape))
            else:
                tensor = _reserving(graph, port.tensor, role, _whole(graph, operands, port.tensor))
                yield replace(tensor, name=port.name)
    taken = {port.name for port in (*graph.input_ports, *graph.output_ports)} | {*graph.notes.buffers}
    own = {graph.storage[t].buffer for t in graph.inputs}
    own |= {graph.storage[t].buffer for t in graph.outputs if _spans(graph, t, _whole(graph, operands, t))}
    for name in graph.notes.buffers:
        if name not in own:
            tensor = _reserving(graph, name, TensorRole.BOUNDARY, _whole(graph, operands, name))
            yield replace(tensor, padding=padding_of_buffer(graph, name))
    for piece in graph.notes.pieces:
        dtype = graph.types[piece.constant].dtype
        name = _name_of_piece(graph, piece, taken)
        taken.add(name)
        block = operands.dram.piece(piece, piece.order)
        nbytes = round_up(piece.elements, unit_of(dtype, graph.notes.transfer_unit)) * dtype.itemsize
        yield Tensor(
            name,
            TensorRole.CONSTANT,
            block,
            nbytes if nbytes > block.nbytes else 0,
            padding_of_piece(graph, operands.dram, piece),
        )


def _name_of_piece(graph: Graph, piece: Piece, taken: set[str]) -> str:
    """A name of its own: layers that share a constant may cut it differently, or order its axes so."""
    whole = piece.shape == graph.types[piece.constant].shape
    name = piece.constant if whole else f"{piece.constant}{list(piece.low)}".replace(" ", "")
    if name not in taken:
        return name
    numbered = (f"{name}.{number}" for number in count(2))
    return next(candidate for candidate in numbered if candidate not in taken)


def _spans(graph: Graph, name: str, block: Operand) -> bool:
    """Whether a tensor owns its buffer, or views all elements of it, or from the first to the last byte."""
    storage = graph.storage[name]
    if storage.buffer == name:
        return True
    low, high = block.hull
    buffer, owner = graph.buffers[storage.buffer], graph.storage[storage.buffer]
    first, last = reach(owner.shape, owner.strides)
    is_whole = high - low == (last - first + 1) * buffer.dtype.itemsize
    if is_whole and prod(storage.shape) == prod(owner.shape):
        return True
    return high - low == buffer.nbytes and prod(storage.shape) <= buffer.elements


def _reserving(graph: Graph, name: str, role: TensorRole, block: Operand) -> Tensor:
    """The entry of a tensor, with the padding of its buffer if all of that is its own."""
    storage = graph.storage[name]
    buffer, elements = graph.buffers[storage.buffer], prod(graph.storage[storage.buffer].shape)
    if buffer.elements == elements:
        has_gaps = role is TensorRole.OUTPUT and prod(storage.shape) < elements and _spans(graph, name, block)
        return Tensor(name, role, block, buffer.nbytes if has_gaps else 0)
    if prod(storage.shape) == elements:
        return Tensor(name, role, block, buffer.nbytes)
    low, high = block.hull
    end = graph.notes.buffers[buffer.name] + buffer.nbytes
    return Tensor(name, role, block, min(round_up(high, graph.notes.transfer_unit), end) - low)


def _whole(graph: Graph, operands: Operands, name: str) -> Operand:
    """All of a tensor in DRAM; of a buffer too whose owner, a concat, is never complete there."""
    shape = graph.storage[name].shape
    return operands.dram.box(name, (0,) * len(shape), shape, identity_order(len(shape)))

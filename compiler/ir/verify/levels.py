"""The verifier of graphs: what the level of a graph promises holds.  The pipeline runs it after every pass.

import       every operand is defined, types are what shape inference gives, no cycle, outputs exist
canonical    every tensor has storage inside its buffer; views show the bytes that their kind says
group        every layer that computes is in one group, groups in topological order (so they are convex)
partition    every node has its part, joins cover their results exactly once; in the order of issue everything
             comes after what it reads, and finds it on chip still; no interior tensor of a group visits DRAM;
             every tile is the box of the network's tensor that its readers need
map          every node has a core of the chip, and reads tiles of that core only
place        every block on chip, packed constant and buffer has its address; what is alive together does not
             overlap; every instruction has its waits, for instructions before it
"""

from __future__ import annotations

from collections.abc import Callable

from nnc.compiler.ir.annotations import Level
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.inference.infer import infer
from nnc.compiler.ir.layers import Join, Layer
from nnc.compiler.ir.verify.contents import check_contents
from nnc.compiler.ir.verify.copies import check_copies
from nnc.compiler.ir.verify.groups import (
    check_cores,
    check_groups,
    check_issues,
    check_joins,
    check_order,
    check_parts,
)
from nnc.compiler.ir.verify.interior import check_interior
from nnc.compiler.ir.verify.places import check_blocks, check_dram, check_packing, check_places, check_waits
from nnc.compiler.ir.verify.storage import check_storage
from nnc.compiler.ir.verify.subject import Subject, broken
from nnc.compiler.ir.verify.tiles import check_tiles
from nnc.isa.chip.description import Chip
from nnc.isa.types import DType

Check = Callable[[Subject], None]


def verify_graph(
    graph: Graph,
    chip: Chip | None = None,
    *,
    verified: Graph | None = None,
    network: Graph | None = None,
    values_only: bool = False,
) -> None:
    """Check all that the level of a graph (`graph.notes.level`) promises.

    Args:
        graph: a graph of any level.
        chip: what the cores and memories are held against from level `map` on; None leaves that out.
        verified: the graph at the level before, which was verified and has not changed since.  Where
            `graph` only annotates it (`Graph.with_notes`), no more than the new promises are checked.
        network: the canonical graph that `graph` computes part by part; None leaves the comparison out.
        values_only: of a placed graph, check just what decides the values that the program computes.

    Raises:
        InternalError: a promise is broken; the message names the layer or tensor.
    """
    checks = VALUES if values_only else CHECKS[graph.notes.level]
    if verified is not None and graph.annotates(verified):
        checks = tuple(check for check in checks if check not in CHECKS[verified.notes.level])
    subject = Subject(graph, chip, network)
    for check in checks:
        check(subject)


def check_definitions(subject: Subject) -> None:
    """Every name is defined once, every tensor that is read, typed or an output is defined."""
    graph = subject.graph
    defined = set(subject.producer)
    for tensor in (*graph.inputs, *graph.constants):
        if tensor in defined:
            raise broken(tensor, "the tensor is defined twice")
        defined.add(tensor)
    for layer in subject.layers:
        for slot, operand in enumerate(graph.inputs_of(layer.name)):
            if operand is not None and operand not in defined:
                raise broken(layer, f"operand {slot} reads {operand}, which nothing defines")
    for tensor in graph.outputs:
        if tensor not in defined:
            raise broken(tensor, "the network's output is not defined")
    if len(set(graph.outputs)) != len(graph.outputs):
        raise broken(graph.name, f"an output is named twice: {', '.join(graph.outputs)}")
    if lost := sorted(defined ^ graph.types.keys()):
        raise broken(
            lost[0], "the tensor has no type" if lost[0] in defined else "nothing defines the tensor"
        )


def check_edges(subject: Subject) -> None:
    """The graph's edges and its lists of readers say the same as the operands of the layers."""
    graph, producer = subject.graph, subject.producer
    readers: dict[str, list[tuple[str, int]]] = {}
    for layer in subject.layers:
        operands = [t for t in graph.inputs_of(layer.name) if t is not None]
        for slot, tensor in enumerate(graph.inputs_of(layer.name)):
            if tensor is not None:
                readers.setdefault(tensor, []).append((layer.name, slot))
        above = {producer[t].name for t in operands if t in producer}
        if above != set(graph.predecessors(layer.name)):
            raise broken(layer, f"its edges come from {sorted(graph.predecessors(layer.name))}")
    for tensor in graph.types:
        consumers = sorted((layer.name, slot) for layer, slot in graph.consumers(tensor))
        if consumers != sorted(readers.get(tensor, [])):
            raise broken(tensor, f"the list of its readers is wrong: {consumers}")
        owner = graph.producer(tensor)
        if owner is not producer.get(tensor):
            raise broken(tensor, f"its layer is said to be {None if owner is None else owner.name}")


def check_types(subject: Subject) -> None:
    """Types of constants are those of their values, types of results those that inference gives."""
    graph = subject.graph
    for name, value in graph.constants.items():
        real = TensorType(DType.from_numpy(value.dtype), value.shape)
        if graph.types[name] != real:
            raise broken(name, f"the constant is {real}, not {graph.types[name]}")
    for layer in subject.layers:
        _check_type(subject, layer)


def _check_type(subject: Subject, layer: Layer) -> None:
    graph = subject.graph
    results = graph.outputs_of(layer.name)
    if len(results) != 1:
        raise broken(layer, f"it defines {len(results)} tensors, not one")
    declared = graph.types[results[0]]
    operands = [None if t is None else graph.types[t] for t in graph.inputs_of(layer.name)]
    tile = declared.shape if layer.name in graph.notes.part_of else None
    inferred = infer(layer, operands, dtype=declared.dtype, tile=tile)
    if inferred != declared and not _is_part(subject, layer, inferred, declared):
        raise broken(layer, f"the result {results[0]} is {inferred}, not {declared}")


def _is_part(subject: Subject, layer: Layer, inferred: TensorType, declared: TensorType) -> bool:
    """Whether a join fills its result in DRAM in part: the last rows stay on chip (see `check_joins`)."""
    if not isinstance(layer, Join) or not subject.is_store(layer) or inferred.dtype != declared.dtype:
        return False
    ranks = len(inferred.shape) == len(declared.shape)
    return ranks and all(a <= b for a, b in zip(inferred.shape, declared.shape, strict=True))


_WELL_FORMED: tuple[Check, ...] = (check_definitions, check_edges, check_types)
_PARTITIONED: tuple[Check, ...] = (
    *_WELL_FORMED,
    check_parts,
    check_storage,
    check_joins,
    check_issues,
    check_order,
    check_interior,
    check_contents,
    check_tiles,
)

CHECKS: dict[Level, tuple[Check, ...]] = {
    Level.IMPORT: _WELL_FORMED,
    Level.CANONICAL: (*_WELL_FORMED, check_storage),
    Level.GROUP: (*_WELL_FORMED, check_storage, check_groups),
    Level.PARTITION: _PARTITIONED,
    Level.MAP: (*_PARTITIONED, check_cores),
    Level.PLACE: (
        *_PARTITIONED,
        check_cores,
        check_places,
        check_blocks,
        check_packing,
        check_dram,
        check_waits,
    ),
}
"""What every level promises, in an order in which a check may rely on those before it."""

VALUES: tuple[Check, ...] = (
    check_storage,
    check_issues,
    check_copies,
    check_joins,
    check_order,
    check_tiles,
    check_contents,
    check_cores,
    check_places,
    check_blocks,
    check_packing,
    check_dram,
)
"""Of a placed graph: that it computes the network, every step from bytes that hold what the step needs."""

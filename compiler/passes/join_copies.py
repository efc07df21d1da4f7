"""join-copies: what layers do to several pictures with the same weights, one layer does to a batch of them.

before:  a, b = split(x);  y = conv(a, W);  z = conv(b, W);  v = concat(y, z)
after:   v = conv(x, W)

Where a batch is split by hand, and in the copies of a siamese network, every copy would load the weights.
Copies whose operands lie apart (inputs of the network) are joined behind the first layer: there, a place in
the batch costs nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import NamedTuple

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass, depths
from nnc.compiler.passes.batches import KINDS, are_apart, for_all, times
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING


class _Piece(NamedTuple):
    """Some rows of a tensor: steps along its outermost axis."""

    whole: str
    first: int
    rows: int


def _run(graph: Graph, target: Target) -> None:
    batches: set[str] = set()
    for copies in _worth_joining(graph, _copies(graph), target.memory_bytes):
        _join(graph, copies, batches)
    for layer in graph.layers():
        if isinstance(layer, ir.Concat) and layer.axis == 0:
            _show(graph, layer)
    for layer in reversed(graph.layers()):
        tensor = graph.outputs_of(layer.name)[0]
        if isinstance(layer, ir.Slice) and not graph.consumers(tensor) and tensor not in graph.outputs:
            graph.remove(layer.name)


# --- which layers are copies of each other -----------------------------------------------------------------


def _copies(graph: Graph) -> list[list[str]]:
    """Layers that do the same to tensors that are made alike, those near the inputs first.

    All paths to them from the inputs are alike, so that none is upstream of another one.
    """
    alike: dict[str, Hashable] = {name: graph.types[name] for name in graph.inputs}
    numbers: dict[Hashable, int] = {}
    found = defaultdict[Hashable, list[str]](list)
    for layer in graph.layers():
        does: ir.Layer = layer
        if isinstance(layer, ir.Slice) and _piece_of(graph, layer) is not None:
            does = replace(layer, start=())  # wherever it begins
        reads = tuple(None if t is None else alike.get(t, t) for t in graph.inputs_of(layer.name))
        for place, tensor in enumerate(graph.outputs_of(layer.name)):
            key = repr(does.signature), reads, place, graph.types[tensor]  # texts tell 0.0 from -0.0
            alike[tensor] = numbers.setdefault(key, len(numbers))
        if isinstance(layer, KINDS):
            found[alike[graph.output_of(layer.name)]].append(layer.name)
    depth = depths(graph)
    return sorted((names for names in found.values() if len(names) > 1), key=lambda names: depth[names[0]])


def _piece_of(graph: Graph, layer: ir.Layer | None) -> _Piece | None:
    """What a slice along the outermost axis takes; None if a layer is none."""
    if not isinstance(layer, ir.Slice) or set(layer.step) != {1}:
        return None
    whole = required(graph.inputs_of(layer.name)[0])
    if layer.shape[1:] != graph.types[whole].shape[1:]:
        return None
    return _Piece(whole, layer.start[0], layer.shape[0])


def _run_of(graph: Graph, tensors: Sequence[str]) -> _Piece | None:
    """The piece that pieces of a tensor, one behind the other, make; None if they are none."""
    pieces = [_piece_of(graph, graph.producer(tensor)) for tensor in tensors]
    if (first := pieces[0]) is None:
        return None
    whole, start, count = first
    in_a_row = [_Piece(whole, start + number * count, count) for number in range(len(pieces))]
    return _Piece(whole, start, count * len(pieces)) if pieces == in_a_row else None


def _worth_joining(graph: Graph, classes: Sequence[list[str]], memory_bytes: int) -> Iterator[list[str]]:
    """The copies from the depth on from which on joining them saves the most.

    Together they load the weights once; but what all pictures leave between two groups may visit DRAM where
    what one leaves stays on chip.
    """
    for count in dict.fromkeys(map(len, classes)):
        mine = [names for names in classes if len(names) == count]
        gains = [_gain(graph, names, memory_bytes) for names in mine]
        after = list(accumulate(reversed(gains), initial=0))[::-1]
        yield from mine[after.index(max(after)) :]


def _gain(graph: Graph, names: Sequence[str], memory_bytes: int) -> int:
    """Bytes that are moved less if copies of a layer are joined, roughly."""
    layer, count = graph.layer(names[0]), len(names)
    constants = filter(graph.is_constant, filter(None, graph.inputs_of(layer.name)))
    weights = sum(graph.types[constant].nbytes for constant in constants)
    if not isinstance(layer, ir.MacLayer) or getattr(layer, "groups", 1) > 1:
        return weights * (count - 1)
    source, result = required(graph.inputs_of(layer.name)[0]), graph.output_of(layer.name)
    between = count * min(graph.types[source].nbytes, graph.types[result].nbytes)
    spilled = (
        2 * between // TUNING.passes.layers_per_group
        if between * TUNING.passes.spill_share > memory_bytes > 0
        else 0
    )
    return weights * (count - 1) - spilled


# --- one layer for all -------------------------------------------------------------------------------------


def _join(graph: Graph, names: list[str], batches: set[str]) -> None:
    """Put one layer in the place of copies of it, if what they read is, or can be, one tensor.

    Args:
        batches: results of layers that were joined; what has no weights is joined behind these alone.
    """
    slots = list(zip(*(graph.inputs_of(name) for name in names), strict=True))
    apart = [slot for slot, tensors in enumerate(slots) if len(set(tensors)) > 1]
    if not apart or any(len(set(slots[slot])) < len(names) for slot in apart):
        return
    order = _order(graph, [list(map(required, slots[slot])) for slot in apart])
    names, slots = [names[at] for at in order], [tuple(tensors[at] for at in order) for tensors in slots]
    first, joined = graph.layer(names[0]), {slot: list(map(required, slots[slot])) for slot in apart}
    if not _may_be_one(graph, first, list(joined.values()), batches) or _are_mixed(graph, names):
        return
    layer = for_all(first, len(names), graph.fresh(f"{first.name}.joined"))
    types = [None if t is None else graph.types[t] for t in graph.inputs_of(first.name)]
    result = graph.types[graph.output_of(first.name)]
    if layer is None or not are_apart(first, layer, types, result, apart, len(names)):
        return
    operands = [
        _one_of(graph, first, joined[slot]) if slot in joined else tensors[0]
        for slot, tensors in enumerate(slots)
    ]
    tensor = graph.output_of(first.name)
    batch, type_ = graph.fresh(f"{tensor}.joined"), graph.types[tensor]
    graph.add(layer, operands, [batch], [times(type_, len(names))])
    batches.add(batch)
    for number, name in enumerate(names):
        piece = _Piece(batch, number * type_.shape[0], type_.shape[0])
        shown = required(graph.producer(_slice(graph, first, piece, type_)))
        graph.take_over_output(shown.name, graph.output_of(name))


def _order(graph: Graph, slots: Sequence[Sequence[str]]) -> list[int]:
    """The copies as their operands lie in a batch, or as they come."""
    for tensors in slots:
        pieces = [_piece_of(graph, graph.producer(tensor)) for tensor in tensors]
        starts = [piece.first for piece in pieces if piece is not None]
        if len(starts) == len(tensors):
            return sorted(range(len(starts)), key=starts.__getitem__)
    return list(range(len(slots[0])))


def _may_be_one(graph: Graph, layer: ir.Layer, read: Sequence[list[str]], batches: set[str]) -> bool:
    """Whether what copies of a layer read, slot by slot, may be one tensor each without a copy."""
    runs, weight = [_run_of(graph, tensors) for tensors in read], graph.operand(layer.name, 1)
    if isinstance(layer, ir.MacLayer) and graph.is_constant(weight):
        return all(run or _have_no_place(graph, tensors) for run, tensors in zip(runs, read, strict=True))
    return None not in runs and any(run.whole in batches for run in runs if run)


def _are_mixed(graph: Graph, names: Sequence[str]) -> bool:
    """Whether what copies compute is joined in another order, or with others: then each writes its place."""
    results = tuple(map(graph.output_of, names))
    readers = {reader.name: reader for tensor in results for reader, _ in graph.consumers(tensor)}.values()
    joins = [reader for reader in readers if isinstance(reader, ir.Concat) and reader.axis == 0]
    return any(graph.inputs_of(join.name) != results for join in joins)


def _have_no_place(graph: Graph, tensors: Sequence[str]) -> bool:
    """Whether tensors are computed, and no operands of a concat yet: they can be joined without a copy."""
    layers = [graph.producer(tensor) for tensor in tensors]
    readers = [reader for tensor in tensors for reader, _ in graph.consumers(tensor)]
    are_computed = all(layer is not None and not layer.is_view for layer in layers)
    return are_computed and not any(isinstance(reader, ir.Concat) for reader in readers)


def _one_of(graph: Graph, layer: ir.Layer, tensors: Sequence[str]) -> str:
    """The one tensor of which these are the pieces."""
    type_, piece = times(graph.types[tensors[0]], len(tensors)), _run_of(graph, tensors)
    if piece is None:
        name = graph.fresh(f"{tensors[0]}.joined")
        graph.add(ir.Concat(name=name, loc=layer.loc, axis=0), tensors, [name], [type_])
        return name
    is_whole = piece.rows == graph.types[piece.whole].shape[0]
    return piece.whole if is_whole else _slice(graph, layer, piece, type_)


def _slice(graph: Graph, layer: ir.Layer, piece: _Piece, type_: TensorType) -> str:
    """A view of a piece."""
    name, rank = graph.fresh(f"{piece.whole}.piece"), len(type_.shape)
    start = (piece.first, *(0,) * (rank - 1))
    view = ir.Slice(name=name, loc=layer.loc, start=start, step=(1,) * rank, shape=type_.shape)
    graph.add(view, [piece.whole], [name], [type_])
    return name


# --- batches that are joined again -------------------------------------------------------------------------


def _show(graph: Graph, concat: ir.Concat) -> None:
    """Let a concat of all pieces of a batch be the batch."""
    piece = _run_of(graph, list(map(required, graph.inputs_of(concat.name))))
    if piece is None or piece.rows != graph.types[piece.whole].shape[0]:
        return
    layer, tensor = graph.producer(piece.whole), graph.output_of(concat.name)
    if tensor not in graph.outputs:
        graph.rewire(tensor, piece.whole)
        graph.remove(concat.name)
    elif layer is not None and not layer.is_view and piece.whole not in graph.outputs:
        graph.rewire(piece.whole, tensor)
        graph.take_over_output(layer.name, tensor)


JOIN_COPIES = Pass("join-copies", _run)

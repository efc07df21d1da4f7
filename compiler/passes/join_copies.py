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
from nnc.compiler.passes.drop_dead import is_dead
from nnc.compiler.passes.matching import layers_of, made_by, operands_of, result_type, source_of, source_type
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING


class _Piece(NamedTuple):
    """Some rows of a tensor: steps along its outermost axis."""

    whole: str
    first: int
    rows: int


class _Copies(NamedTuple):
    """Copies of a layer, in the order of a batch, and by slot what they read there where that differs."""

    layers: list[ir.Layer]
    apart: dict[int, list[str]]


def _run(graph: Graph, target: Target) -> None:
    batches: set[str] = set()
    for names in _worth_joining(graph, _alike(graph), target.memory_bytes):
        copies = _copies(graph, names)
        if copies is not None and _may_be_one(graph, copies, batches):
            _join(graph, copies, batches)
    for concat in layers_of(graph, ir.Concat):
        if concat.axis == 0:
            _show(graph, concat)
    for view in layers_of(graph, ir.Slice, upwards=True):
        if is_dead(graph, view):
            graph.remove(view.name)


# --- which layers are copies of each other -----------------------------------------------------------------


def _alike(graph: Graph) -> list[list[str]]:
    """Layers that do the same to tensors that are made alike, those near the inputs first.

    All paths to them from the inputs are alike, so that none is upstream of another one.
    """
    alike: dict[str | None, Hashable] = {name: graph.types[name] for name in graph.inputs}
    numbers: dict[Hashable, int] = {}
    classes = defaultdict[Hashable, list[str]](list)
    for layer in graph.layers():
        is_piece = _piece_of(graph, graph.outputs_of(layer.name)[0]) is not None
        does = replace(layer, start=()) if is_piece else layer  # type: ignore[call-arg]  # wherever it begins
        reads = tuple(alike.get(tensor, tensor) for tensor in graph.inputs_of(layer.name))
        for place, tensor in enumerate(graph.outputs_of(layer.name)):
            key = repr(does.signature), reads, place, graph.types[tensor]  # texts tell 0.0 from -0.0
            alike[tensor] = numbers.setdefault(key, len(numbers))
        if isinstance(layer, KINDS):
            classes[alike[graph.output_of(layer.name)]].append(layer.name)
    depth = depths(graph)
    return sorted((names for names in classes.values() if len(names) > 1), key=lambda names: depth[names[0]])


def _worth_joining(graph: Graph, classes: Sequence[list[str]], memory_bytes: int) -> Iterator[list[str]]:
    """The copies from the depth on from which on joining them saves the most.

    Together they load the weights once; but what all pictures leave between two groups may visit DRAM where
    what one leaves stays on chip.
    """
    for count in dict.fromkeys(map(len, classes)):
        of_count = [names for names in classes if len(names) == count]
        gains = [_gain(graph, graph.layer(names[0]), count, memory_bytes) for names in of_count]
        after = list(accumulate(reversed(gains), initial=0))[::-1]
        yield from of_count[after.index(max(after)) :]


def _gain(graph: Graph, layer: ir.Layer, count: int, memory_bytes: int) -> int:
    """Bytes that are moved less if so many copies of a layer are joined, roughly."""
    constants = filter(graph.is_constant, operands_of(graph, layer))
    saved = sum(graph.types[constant].nbytes for constant in constants) * (count - 1)
    if not isinstance(layer, ir.MacLayer) or getattr(layer, "groups", 1) > 1:
        return saved
    between = count * min(source_type(graph, layer).nbytes, result_type(graph, layer).nbytes)
    is_spilled = between * TUNING.passes.spill_share > memory_bytes > 0
    return saved - is_spilled * (2 * between // TUNING.passes.layers_per_group)


def _copies(graph: Graph, names: list[str]) -> _Copies | None:
    """Copies in the order in which their operands lie in a batch, or as they come."""
    slots = enumerate(zip(*map(graph.inputs_of, names), strict=True))
    apart = {slot: list(map(required, tensors)) for slot, tensors in slots if len(set(tensors)) > 1}
    if not apart or min(len(set(tensors)) for tensors in apart.values()) < len(names):
        return None
    order = next(filter(None, (_order(graph, tensors) for tensors in apart.values())), range(len(names)))
    in_order = {slot: [tensors[copy] for copy in order] for slot, tensors in apart.items()}
    return _Copies([graph.layer(names[copy]) for copy in order], in_order)


def _order(graph: Graph, tensors: Sequence[str]) -> Sequence[int]:
    """Pieces as they lie one behind the other; nothing if tensors are none."""
    pieces = [_piece_of(graph, tensor) for tensor in tensors]
    starts = [piece.first for piece in pieces if piece is not None]
    return sorted(range(len(starts)), key=starts.__getitem__) if len(starts) == len(tensors) else ()


# --- pieces of a batch -------------------------------------------------------------------------------------


def _piece_of(graph: Graph, tensor: str) -> _Piece | None:
    """What of another tensor a tensor is, if it is a slice of it along the outermost axis."""
    view = made_by(graph, tensor, ir.Slice)
    if view is None or set(view.step) != {1} or view.shape[1:] != source_type(graph, view).shape[1:]:
        return None
    return _Piece(source_of(graph, view), view.start[0], view.shape[0])


def _run_of(graph: Graph, tensors: Sequence[str]) -> _Piece | None:
    """The piece that pieces of a tensor, one behind the other, make; None if they are none."""
    pieces = [_piece_of(graph, tensor) for tensor in tensors]
    if (first := pieces[0]) is None:
        return None
    in_a_row = [first._replace(first=first.first + number * first.rows) for number in range(len(pieces))]
    return first._replace(rows=first.rows * len(pieces)) if pieces == in_a_row else None


def _slice(graph: Graph, loc: ir.Loc, piece: _Piece, type_: TensorType) -> str:
    """A view of a piece."""
    name, rank = graph.fresh(f"{piece.whole}.piece"), len(type_.shape)
    start = (piece.first, *(0,) * (rank - 1))
    view = ir.Slice(name=name, loc=loc, start=start, step=(1,) * rank, shape=type_.shape)
    graph.add(view, [piece.whole], [name], [type_])
    return name


# --- one layer for all -------------------------------------------------------------------------------------


def _may_be_one(graph: Graph, copies: _Copies, batches: set[str]) -> bool:
    """Whether what copies read, slot by slot, may be one tensor each without a copy, and their results, too.

    Args:
        batches: results of layers that were joined; what has no weights is joined behind these alone.
    """
    layer, runs = copies.layers[0], [_run_of(graph, tensors) for tensors in copies.apart.values()]
    if _are_mixed(graph, copies):
        return False
    if isinstance(layer, ir.MacLayer) and graph.is_constant(graph.operand(layer.name, 1)):
        reads = zip(runs, copies.apart.values(), strict=True)
        return all(run or _have_no_place(graph, tensors) for run, tensors in reads)
    return None not in runs and any(run.whole in batches for run in runs if run)


def _are_mixed(graph: Graph, copies: _Copies) -> bool:
    """Whether what copies compute is joined in another order, or with others: then each writes its place."""
    results = tuple(graph.output_of(layer.name) for layer in copies.layers)
    joins = {join.name for tensor in results for join in _concats(graph, tensor) if join.axis == 0}
    return any(graph.inputs_of(join) != results for join in joins)


def _have_no_place(graph: Graph, tensors: Sequence[str]) -> bool:
    """Whether tensors are computed, and no operands of a concat yet: they can be joined without a copy."""
    layers = [graph.producer(tensor) for tensor in tensors]
    are_computed = all(layer is not None and not layer.is_view for layer in layers)
    return are_computed and not any(_concats(graph, tensor) for tensor in tensors)


def _concats(graph: Graph, tensor: str) -> list[ir.Concat]:
    return [reader for reader, _ in graph.consumers(tensor) if isinstance(reader, ir.Concat)]


def _join(graph: Graph, copies: _Copies, batches: set[str]) -> None:
    """Put one layer in the place of copies of it, if each picture of a batch is by itself there."""
    (first, *_), apart, count = copies.layers, copies.apart, len(copies.layers)
    type_, inputs = result_type(graph, first), graph.inputs_of(first.name)
    layer = for_all(first, count, graph.fresh(f"{first.name}.joined"))
    types = [None if tensor is None else graph.types[tensor] for tensor in inputs]
    if layer is None or not are_apart(first, layer, types, type_, [*apart], count):
        return
    reads = [_one_of(graph, first, apart[slot]) if slot in apart else t for slot, t in enumerate(inputs)]
    batch = graph.fresh(f"{graph.output_of(first.name)}.joined")
    graph.add(layer, reads, [batch], [times(type_, count)])
    batches.add(batch)
    for number, copy in enumerate(copies.layers):
        piece = _Piece(batch, number * type_.shape[0], type_.shape[0])
        shown = required(graph.producer(_slice(graph, first.loc, piece, type_)))
        graph.take_over_output(shown.name, graph.output_of(copy.name))


def _one_of(graph: Graph, layer: ir.Layer, tensors: Sequence[str]) -> str:
    """The one tensor of which these are the pieces."""
    type_, piece = times(graph.types[tensors[0]], len(tensors)), _run_of(graph, tensors)
    if piece is None:
        name = graph.fresh(f"{tensors[0]}.joined")
        graph.add(ir.Concat(name=name, loc=layer.loc, axis=0), tensors, [name], [type_])
        return name
    is_whole = piece.rows == graph.types[piece.whole].shape[0]
    return piece.whole if is_whole else _slice(graph, layer.loc, piece, type_)


def _show(graph: Graph, concat: ir.Concat) -> None:
    """Let a concat of all pieces of a batch be the batch."""
    piece = _run_of(graph, operands_of(graph, concat))
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

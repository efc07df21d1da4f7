"""Inputs of which every layer reads one of several pieces: each piece has rows and columns of its own.

in:   a batch of pictures of which each is read by layers of its own (split by hand, or to be compared)
out:  by tensor that shows some of a piece, the slice of the input that is the piece

Rows of the input would be pictures; those of a piece of one picture are its lines.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.storage import Storage


def input_pieces(graph: Graph) -> dict[str, str]:
    """By tensor, the piece of an input that it shows; only of inputs of which all that is read are pieces."""
    found = dict[str, str]()
    for name in graph.inputs:
        if graph.types[name].shape and graph.storage[name].order[0] == 0 and name not in graph.outputs:
            found |= _pieces_of(graph, name)
    return found


def _pieces_of(graph: Graph, name: str) -> dict[str, str]:
    """The same of one input."""
    known = dict[tuple[int, int], str]()
    found = dict[str, str]()
    for layer, _ in graph.consumers(name):
        tensor = graph.output_of(layer.name)
        if (rows := _rows_taken(graph, name, layer)) is None or tensor in graph.outputs:
            return {}
        piece = known.setdefault(rows, tensor)
        found |= dict.fromkeys(_views_of(graph, tensor), piece)
    apart = all(end <= first for (_, end), (first, _) in pairwise(sorted(known)))
    return found if apart else {}


def _rows_taken(graph: Graph, name: str, layer: ir.Layer) -> tuple[int, int] | None:
    """First and end of the rows along the outermost axis that a slice takes, if it does, in whole units."""
    type_, storage = graph.types[name], graph.storage[name]
    if not isinstance(layer, ir.Slice) or set(layer.step) != {1} or layer.shape[1:] != type_.shape[1:]:
        return None
    if storage.strides[0] * type_.dtype.itemsize % graph.notes.transfer_unit:
        return None
    return layer.start[0], layer.start[0] + layer.shape[0]


def _views_of(graph: Graph, tensor: str) -> Iterable[str]:
    """A tensor and all views of it (what a concat makes lies elsewhere)."""
    yield tensor
    for layer, _ in graph.consumers(tensor):
        if layer.is_view and not isinstance(layer, ir.Concat):
            yield from _views_of(graph, graph.output_of(layer.name))


def buffer_bytes(graph: Graph, name: str) -> int:
    """Bytes of a buffer, or of a piece of an input, whose outermost axis is the first."""
    if name in graph.buffers:
        return graph.buffers[name].nbytes
    storage = graph.storage[name]
    return storage.shape[0] * storage.strides[0] * graph.types[name].dtype.itemsize


def within(graph: Graph, tensor: str, owner: str) -> Storage:
    """Where a tensor lies in a buffer, or in a piece of an input, counted from the start of that."""
    storage = graph.storage[tensor]
    return replace(storage, offset=storage.offset - graph.storage[owner].offset)

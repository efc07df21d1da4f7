"""The check that groups keep to themselves what nobody else needs (from level `partition` on)."""

from __future__ import annotations

from collections.abc import Iterator

from nnc.compiler.ir.layers import Layer
from nnc.compiler.ir.required import required
from nnc.compiler.ir.verify.subject import Subject, broken


def check_interior(subject: Subject) -> None:
    """No interior tensor of a group touches DRAM.

    What a group writes to DRAM is an output of the network or read there by a later group, and no group
    reads there what it, or a later one, writes.
    """
    graph = subject.graph
    shown = _shown(subject)
    writer = dict(_written(subject))
    last_reader = dict.fromkeys(writer, -1)
    for layer, tensor in _reads(subject):
        group = graph.notes.part_of[layer.name].group
        for source in shown[tensor]:
            if writer[source] >= group:
                message = f"group {group} reads {source} from DRAM, which group {writer[source]} writes"
                raise broken(layer, message)
            last_reader[source] = max(last_reader[source], group)
    delivered = {source for tensor in graph.outputs for source in shown[tensor]}
    output_buffers = {graph.storage[t].buffer for t in graph.outputs if t in graph.storage}
    needed = {
        graph.storage[t].buffer
        for t, group in writer.items()
        if last_reader[t] > group and t in graph.storage
    }
    for tensor, group in writer.items():
        beside = tensor in graph.storage and graph.storage[tensor].buffer in output_buffers | needed
        if tensor not in delivered and not beside and last_reader[tensor] <= group:
            raise broken(tensor, f"group {group} writes it to DRAM, and no later group reads it there")


def _written(subject: Subject) -> Iterator[tuple[str, int]]:
    """Every tensor that is written to DRAM, with its group."""
    for layer in subject.nodes:
        if subject.is_store(layer):
            yield subject.graph.output_of(layer.name), subject.graph.notes.part_of[layer.name].group


def _reads(subject: Subject) -> Iterator[tuple[Layer, str]]:
    """Every read of an activation in DRAM."""
    graph = subject.graph
    for layer in subject.issued:
        for tensor in graph.inputs_of(layer.name):
            if tensor is not None and tensor not in subject.tiles and not graph.is_constant(tensor):
                yield layer, tensor


def _shown(subject: Subject) -> dict[str, frozenset[str]]:
    """For every tensor in DRAM: the written tensors whose bytes it shows, itself or as a view."""
    graph = subject.graph
    shown: dict[str, frozenset[str]] = dict.fromkeys((*graph.inputs, *graph.constants), frozenset())
    for layer in subject.layers:
        tensor = graph.output_of(layer.name)
        if layer.name not in graph.notes.part_of:
            shown[tensor] = frozenset().union(*(shown[required(t)] for t in graph.inputs_of(layer.name)))
        elif subject.is_store(layer):
            shown[tensor] = frozenset({tensor})
    return shown

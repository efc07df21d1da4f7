"""Groups whose instructions are those of another group under other names: their layers stay whole.

What is checked of a leader, tile by tile, holds of its copies, as nothing in it depends on names: layers,
tensors and storage of a copy are those of its leader, and its instructions are issued in the same order, from
and to the same places on chip.  This is what `check_copies` shows.  What depends on other groups (which bytes
are free when, which tensors are complete in DRAM when) is checked of the program, see `WholeProgram`.
"""

from __future__ import annotations

import numpy as np

from nnc.compiler.ir.annotations import GroupCopy
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.verify.columns import column
from nnc.compiler.ir.verify.subject import Subject, broken


def check_copies(subject: Subject) -> None:
    """Layers are whole where their group is a copy, and it is one: the leader's but for names."""
    graph, copies = subject.graph, subject.graph.notes.copies
    groups = graph.notes.groups
    whole = [name for copy in copies for name in groups[copy.group].layers]
    left = {layer.name for layer in subject.layers if subject.is_whole(layer)}
    if len(whole) != len(left) or left != {*whole}:
        raise broken(graph.name, f"layers in no part: {sorted(left ^ {*whole})}, or in two copies")
    if not copies:
        return
    _check_places(subject)
    network = subject.network
    if network is None:
        raise broken(graph.name, "copies of groups of an unknown network")
    for copy in copies:
        _check_copy(network, copy, subject)


def _check_places(subject: Subject) -> None:
    """Everything has its own place in the program, and leaders keep to themselves on chip."""
    graph, touched, tiles = subject.graph, subject.touched, subject.numbered
    notes, group = graph.notes, subject.group_of_issues
    if len(notes.issued_at) != len(notes.order):
        raise broken(graph.name, f"{len(notes.issued_at)} places for {len(notes.order)} instructions")
    orders = [notes.issued_at, *(copy.issued_at for copy in notes.copies)]
    places = np.concatenate([column(order) for order in orders])
    if not np.array_equal(np.sort(places), np.arange(len(places))):
        raise broken(graph.name, "places in the order of issue are taken twice, or by nobody")
    if any((np.diff(column(order)) < 0).any() for order in orders):
        raise broken(graph.name, "a copy is issued in another order than its leader")
    for copy in notes.copies:
        if not len(copy.issued_at) == len(copy.waits) == np.count_nonzero(group == copy.leader):
            raise broken(graph.name, f"group {copy.group} has not the instructions of group {copy.leader}")
    parts, part = subject.parts
    made_by = column(where.group for where in parts)[part]
    is_leader = np.isin(np.arange(len(notes.groups)), [copy.leader for copy in notes.copies])
    for tile, place in ((touched.read, touched.read_at), (touched.written, touched.written_at)):
        strange = (made_by[tile] != group[place]) & (is_leader[made_by[tile]] | is_leader[group[place]])
        for wrong in np.flatnonzero(strange)[:1].tolist():
            raise broken(tiles.names[tile[wrong]], "a group with copies shares it with another group")


def _check_copy(network: Graph, copy: GroupCopy, subject: Subject) -> None:
    """A copy does what its leader does, to tensors that are and lie like those of the leader."""
    groups, names = subject.graph.notes.groups, copy.tensors
    group, leader = groups[copy.group], groups[copy.leader]
    if (group.cores, group.parts, len(group.layers)) != (leader.cores, leader.parts, len(leader.layers)):
        raise broken(network.name, f"group {copy.group} is not cut as group {copy.leader}")
    for name, original in zip(group.layers, leader.layers, strict=True):
        layer = network.layer(name)
        tensors = (*network.inputs_of(original), *network.outputs_of(original))
        renamed = tuple(None if tensor is None else names.get(tensor) for tensor in tensors)
        if repr(layer.signature) != repr(network.layer(original).signature):
            raise broken(layer, f"it is not what {original} is, whose copy it should be")
        if (*network.inputs_of(name), *network.outputs_of(name)) != renamed:
            raise broken(layer, f"its tensors are not those that {original} has under other names")
    if lost := sorted(subject.tensors_of_group[copy.leader] - names.keys()):
        raise broken(lost[0], f"group {copy.group} has no tensor for it")
    if len({*names.values()}) != len(names):
        raise broken(network.name, f"group {copy.group} has one tensor for several of group {copy.leader}")
    for tensor, copied in names.items():
        _check_tensor(network, tensor, copied, copy)


def _check_tensor(network: Graph, tensor: str, copied: str, copy: GroupCopy) -> None:
    """Two tensors are of one type, and lie alike in buffers that are alike."""
    kinds = [
        (network.types.get(name), network.is_constant(name), name in network.storage, name in network.buffers)
        for name in (tensor, copied)
    ]
    if kinds[0] != kinds[1]:
        raise broken(copied, f"it is {kinds[1]}, and {tensor}, which it stands for, {kinds[0]}")
    if tensor in network.storage:
        a, b = network.storage[tensor], network.storage[copied]
        if (a.offset, a.shape, a.strides) != (b.offset, b.shape, b.strides) or (
            copy.tensors.get(a.buffer) != b.buffer
        ):
            raise broken(copied, f"it does not lie as {tensor}, which it stands for")
    if tensor in network.buffers:
        first, second = network.buffers[tensor], network.buffers[copied]
        if (first.dtype, first.elements) != (second.dtype, second.elements):
            raise broken(copied, f"its buffer is not like that of {tensor}")

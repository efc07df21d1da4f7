"""pictures-apart: the first layers work through a batch picture by picture, with all layers up to there.

before:  y = conv(x, V);  z = conv(y, W)                       x, y, z: 2 pictures;  asked for up to y
after:   a, b = split(x);  y = concat(conv(a, V), conv(b, V));  z = conv(y, W)

Early layers make much of few weights: what one picture leaves between two groups stays on chip, where what
all of them leave would visit DRAM.  Late ones have many weights, which all pictures share.  Up to where it
pays is decided before (`compiler/picture_by_picture.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.batches import KINDS, are_apart, for_one, one_of
from nnc.compiler.target.target import Target


def _run(graph: Graph, target: Target) -> None:
    if target.apart:
        take_apart(graph, target.apart)
        graph.annotate(replace(graph.notes, apart=target.apart))


def tensor_of_picture(tensor: str, number: int) -> str:
    """The name of what one picture has of a tensor."""
    return f"{tensor}.picture{number}"


def take_apart(graph: Graph, tensor: str) -> None:
    """Give every picture layers of its own up to a tensor (see `last_tensors`)."""
    layers = layers_up_to(graph, tensor)
    count, batch = graph.types[tensor].shape[0], graph.fresh(f"{tensor}.pictures")
    for number in range(count):
        _add_picture(graph, graph, layers, number)
    join = ir.Concat(name=batch, loc=layers[-1].loc, axis=0)
    parts = [tensor_of_picture(tensor, number) for number in range(count)]
    graph.add(join, parts, [batch], [graph.types[tensor]])
    graph.rewire(tensor, batch)
    for layer in reversed(layers):
        graph.remove(layer.name)


def first_picture(graph: Graph, tensor: str) -> Graph:
    """The network of the first picture alone, up to a tensor."""
    layers, found = layers_up_to(graph, tensor), Graph(graph.name)
    found.annotate(graph.notes)
    read = {operand: None for layer in layers for operand in graph.inputs_of(layer.name)}
    for name in graph.inputs:
        found.add_input(name, graph.types[name])
    for name in filter(None, read):
        if graph.is_constant(name):
            found.add_constant(name, graph.constants[name])
    _add_picture(found, graph, layers, 0)
    found.add_output(tensor_of_picture(tensor, 0))
    return found


def layers_up_to(graph: Graph, tensor: str) -> list[ir.Layer]:
    """The layers that a tensor depends on, in order."""
    needed, found = {tensor}, list[ir.Layer]()
    for layer in reversed(graph.layers()):
        if not needed.isdisjoint(graph.outputs_of(layer.name)):
            needed |= {operand for operand in graph.inputs_of(layer.name) if operand}
            found.append(layer)
    return found[::-1]


def _add_picture(whole: Graph, graph: Graph, layers: Sequence[ir.Layer], number: int) -> None:
    """Add the layers of one picture, which read a view of its own of every input."""
    mine = dict[str, str]()
    read = {tensor: layer for layer in layers for tensor in graph.inputs_of(layer.name)}
    for tensor in [name for name in graph.inputs if name in read]:
        type_ = graph.types[tensor]
        one, name = one_of(type_, type_.shape[0]), tensor_of_picture(tensor, number)
        start = (number, *(0,) * (len(one.shape) - 1))
        view = ir.Slice(name=name, loc=read[tensor].loc, start=start, step=(1,) * len(start), shape=one.shape)
        whole.add(view, [tensor], [name], [one])
        mine[tensor] = name
    for layer in layers:
        tensor = graph.output_of(layer.name)
        count = graph.types[tensor].shape[0]
        own = required(for_one(layer, count, tensor_of_picture(layer.name, number)))
        operands = [None if t is None else mine.get(t, t) for t in graph.inputs_of(layer.name)]
        mine[tensor] = tensor_of_picture(tensor, number)
        whole.add(own, operands, [mine[tensor]], [one_of(graph.types[tensor], count)])


# --- up to where pictures can be taken apart ---------------------------------------------------------------


def last_tensors(graph: Graph) -> list[str]:
    """Tensors that alone lead from the first layers, which work on each picture by itself, to the others."""
    count = pictures_of(graph)
    batches, found = {*graph.inputs}, list[str]()
    left = {tensor: len(graph.consumers(tensor)) for tensor in graph.inputs if graph.consumers(tensor)}
    taken = {*graph.types, *(layer.name for layer in graph.layers())}
    if count <= 1 or not _are_names_free(taken, graph.inputs, count):
        return found
    for layer in graph.layers():
        names = (layer.name, *graph.outputs_of(layer.name))
        if not _is_apart(graph, layer, batches, count) or not _are_names_free(taken, names, count):
            break
        for tensor in graph.inputs_of(layer.name):
            if tensor in left:
                left[tensor] -= 1
                if not left[tensor]:
                    del left[tensor]
        tensor = graph.output_of(layer.name)
        if tensor in graph.outputs:
            break
        batches.add(tensor)
        if graph.consumers(tensor):
            left[tensor] = len(graph.consumers(tensor))
        if [*left] == [tensor]:
            found.append(tensor)
    return found


def _are_names_free(taken: Set[str], names: Iterable[str], count: int) -> bool:
    """Whether nothing has the names yet that pictures would have."""
    wanted = set(names)
    for name in taken:
        whole, _, number = name.rpartition(".picture")
        is_picture = whole in wanted and number.isdecimal() and number == str(int(number))
        if is_picture and int(number) < count:
            return False
    return True


def pictures_of(graph: Graph) -> int:
    """How many pictures all inputs have; 0 if they differ, or an input is an output."""
    shapes = [graph.types[name].shape for name in graph.inputs]
    counts = {shape[0] if len(shape) > 1 else 0 for shape in shapes}
    return counts.pop() if len(counts) == 1 and not {*graph.inputs} & {*graph.outputs} else 0


def _is_apart(graph: Graph, layer: ir.Layer, batches: Set[str], count: int) -> bool:
    """Whether a layer does the same to each of so many pictures of what it reads."""
    if not isinstance(layer, KINDS | ir.Slice) or len(graph.outputs_of(layer.name)) > 1:
        return False
    tensors, result = graph.inputs_of(layer.name), graph.types[graph.output_of(layer.name)]
    one = for_one(layer, count, layer.name) if result.shape and result.shape[0] == count else None
    slots = [slot for slot, tensor in enumerate(tensors) if tensor in batches]
    if one is None or not slots or not all(graph.is_constant(t) for t in tensors if t and t not in batches):
        return False
    types = [None if tensor is None else graph.types[tensor] for tensor in tensors]
    if any(type_ is None or type_.shape[0] != count for slot, type_ in enumerate(types) if slot in slots):
        return False
    mine = [one_of(t, count) if t and slot in slots else t for slot, t in enumerate(types)]
    return are_apart(one, layer, mine, one_of(result, count), slots, count)


PICTURES_APART = Pass("pictures-apart", _run)

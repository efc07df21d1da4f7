"""pictures-apart: the first layers work through a batch picture by picture, with all layers up to there.

before:  y = conv(x, V);  z = conv(y, W)                       x, y, z: 2 pictures;  asked for up to y
after:   a, b = split(x);  y = concat(conv(a, V), conv(b, V));  z = conv(y, W)

Early layers make much of few weights: what one picture leaves between two groups stays on chip, where what
all of them leave would visit DRAM.  Late ones have many weights, which all pictures share.  Up to where it
pays is decided before (`compiler/picture_by_picture.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.batches import KINDS, are_apart, for_one, one_of
from nnc.compiler.passes.matching import operands_of, result_type
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
    layers, picture = layers_up_to(graph, tensor), Graph(graph.name)
    picture.annotate(graph.notes)
    read = {operand: None for layer in layers for operand in graph.inputs_of(layer.name)}
    for name in graph.inputs:
        picture.add_input(name, graph.types[name])
    for name in filter(None, read):
        if graph.is_constant(name):
            picture.add_constant(name, graph.constants[name])
    _add_picture(picture, graph, layers, 0)
    picture.add_output(tensor_of_picture(tensor, 0))
    return picture


def layers_up_to(graph: Graph, tensor: str) -> list[ir.Layer]:
    """The layers that a tensor depends on, in order."""
    needed, layers = {tensor}, list[ir.Layer]()
    for layer in reversed(graph.layers()):
        if not needed.isdisjoint(graph.outputs_of(layer.name)):
            needed.update(operands_of(graph, layer))
            layers.append(layer)
    return layers[::-1]


def _add_picture(whole: Graph, graph: Graph, layers: Sequence[ir.Layer], number: int) -> None:
    """Add the layers of one picture, which read a view of its own of every input."""
    names = dict[str | None, str]()
    read = {tensor: layer for layer in layers for tensor in graph.inputs_of(layer.name)}
    for tensor in filter(read.__contains__, graph.inputs):
        type_, name = graph.types[tensor], tensor_of_picture(tensor, number)
        picture_type = one_of(type_, type_.shape[0])
        start = (number, *(0,) * (len(picture_type.shape) - 1))
        view = ir.Slice(
            name=name, loc=read[tensor].loc, start=start, step=(1,) * len(start), shape=picture_type.shape
        )
        whole.add(view, [tensor], [name], [picture_type])
        names[tensor] = name
    for layer in layers:
        tensor, type_ = graph.output_of(layer.name), result_type(graph, layer)
        own = required(for_one(layer, type_.shape[0], tensor_of_picture(layer.name, number)))
        reads = [names.get(operand, operand) for operand in graph.inputs_of(layer.name)]
        names[tensor] = tensor_of_picture(tensor, number)
        whole.add(own, reads, [names[tensor]], [one_of(type_, type_.shape[0])])


# --- up to where pictures can be taken apart ---------------------------------------------------------------


def last_tensors(graph: Graph) -> list[str]:
    """Tensors that alone lead from the first layers, which work on each picture by itself, to the others."""
    count, batches, tensors = pictures_of(graph), {*graph.inputs}, list[str]()
    if count <= 1:
        return tensors
    places = {layer.name: place for place, layer in enumerate(graph.layers())}
    taken = _named_pictures({*graph.types, *places}, count)
    last_reader = max(_last_reader(graph, tensor, places) for tensor in batches)
    for place, layer in enumerate(graph.layers()):
        names = {*graph.inputs, layer.name, *graph.outputs_of(layer.name)}
        if not taken.isdisjoint(names) or not _is_apart(graph, layer, batches, count):
            break
        tensor = graph.output_of(layer.name)
        if tensor in graph.outputs:
            break
        batches.add(tensor)
        if last_reader <= place and graph.consumers(tensor):
            tensors.append(tensor)
        last_reader = max(last_reader, _last_reader(graph, tensor, places))
    return tensors


def _last_reader(graph: Graph, tensor: str, places: Mapping[str, int]) -> int:
    """The place of the last layer that reads a tensor; -1 if none does."""
    return max((places[reader.name] for reader, _ in graph.consumers(tensor)), default=-1)


def _named_pictures(names: Set[str], count: int) -> set[str]:
    """Names of which one of so many pictures has its name already."""
    numbers = {str(number) for number in range(count)}
    parts = (name.rpartition(".picture") for name in names)
    return {whole for whole, _, number in parts if number in numbers}


def pictures_of(graph: Graph) -> int:
    """How many pictures all inputs have; 0 if they differ, or an input is an output."""
    shapes = [graph.types[name].shape for name in graph.inputs]
    counts = {shape[0] if len(shape) > 1 else 0 for shape in shapes}
    return counts.pop() if len(counts) == 1 and not {*graph.inputs} & {*graph.outputs} else 0


def _is_apart(graph: Graph, layer: ir.Layer, batches: Set[str], count: int) -> bool:
    """Whether a layer does the same to each of so many pictures of what it reads; all else is constant."""
    if not isinstance(layer, KINDS | ir.Slice) or len(graph.outputs_of(layer.name)) > 1:
        return False
    tensors, result = graph.inputs_of(layer.name), result_type(graph, layer)
    others = [tensor for tensor in operands_of(graph, layer) if tensor not in batches]
    whole = {slot: graph.types[required(t)] for slot, t in enumerate(tensors) if t in batches}
    if not whole or {type_.shape[:1] for type_ in (result, *whole.values())} != {(count,)}:
        return False
    picture_layer = for_one(layer, count, layer.name)
    if picture_layer is None or not all(map(graph.is_constant, others)):
        return False
    types = [_share(graph, tensor, count if tensor in batches else 1) for tensor in tensors]
    return are_apart(picture_layer, layer, types, one_of(result, count), [*whole], count)


def _share(graph: Graph, tensor: str | None, count: int) -> TensorType | None:
    """The type of one of so many shares of a tensor."""
    type_ = None if tensor is None else graph.types[tensor]
    return type_ if type_ is None or count == 1 else one_of(type_, count)


PICTURES_APART = Pass("pictures-apart", _run)

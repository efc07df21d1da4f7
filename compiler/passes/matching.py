"""How a pass says what it looks for: a layer of a kind, what it reads, who reads it, through which views.

    for relu in functions_of(graph, Function.RELU):                 z = relu(y), …
        conv = made_for_one(graph, source_of(graph, relu), Conv)    … y = conv(…), and nobody else reads y
        if conv is None:
            continue                                                no match

in:   a graph, a layer or tensor to start from, kinds of layers
out:  the layer that matches, as its own type, or a small record; None if none does
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, NamedTuple, TypeVar

import numpy.typing as npt

from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.layers import Elementwise, Layer, MatMul, Reshape, Transpose
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import identity_order
from nnc.isa.functions import Function

L = TypeVar("L", bound=Layer)
MOVES = (Reshape, Transpose)
"""Views that show all elements of their operand, each once."""


class Shown(NamedTuple, Generic[L]):
    """A tensor, and the views by which another tensor shows it, from the first to the last."""

    tensor: str
    views: list[L]


class Use(NamedTuple):
    """Who reads a tensor: the name of a layer (None: the user), its slot, and the views between."""

    name: str | None
    slot: int
    views: list[Layer]


# --- a layer -----------------------------------------------------------------------------------------------


def layers_of(graph: Graph, *kinds: type[L], upwards: bool = False) -> Iterator[L]:
    """The layers of some kinds in order (the last first if `upwards`), without those that go meanwhile."""
    names = [layer.name for layer in graph.layers() if isinstance(layer, kinds)]
    for name in reversed(names) if upwards else names:
        layer = graph.layer(name) if name in graph else None
        if isinstance(layer, kinds):
            yield layer


def functions_of(graph: Graph, *functions: Function) -> Iterator[Elementwise]:
    """The layers that compute one of these functions, on numbers as they are: not on codes of others."""
    return (layer for layer in layers_of(graph, Elementwise) if computes(layer, *functions))


def computes(layer: Elementwise, *functions: Function) -> bool:
    """Whether a layer computes one of these functions, on numbers as they are."""
    return layer.function in functions and not layer.src_scales


def source_of(graph: Graph, layer: Layer) -> str:
    """The first operand of a layer."""
    return required(graph.inputs_of(layer.name)[0])


def operands_of(graph: Graph, layer: Layer) -> list[str]:
    """The operands that a layer has, without absent ones."""
    return [tensor for tensor in graph.inputs_of(layer.name) if tensor is not None]


def source_type(graph: Graph, layer: Layer) -> TensorType:
    """Type of the first operand of a layer."""
    return graph.types[source_of(graph, layer)]


def result_type(graph: Graph, layer: Layer) -> TensorType:
    """Type of what a layer with one output defines."""
    return graph.types[graph.output_of(layer.name)]


def constant_value(graph: Graph, tensor: str | None) -> npt.NDArray[Any] | None:
    """The value of a tensor that is known at compile time."""
    return None if tensor is None else graph.constants.get(tensor)


def either_way(graph: Graph, layer: Elementwise) -> list[tuple[str, str]]:
    """The two operands of a layer; of a product or a sum, the other way round, too; [] if it has not two."""
    match graph.inputs_of(layer.name):
        case (str(first), str(second)) if layer.function in (Function.MUL, Function.ADD):
            return [(first, second), (second, first)]
        case (str(first), str(second)):
            return [(first, second)]
        case _:
            return []


def is_product_of_results(graph: Graph, layer: Layer | None) -> bool:
    """Whether a layer multiplies two matrices that are computed, or inputs."""
    return isinstance(layer, MatMul) and not any(map(graph.is_constant, graph.inputs_of(layer.name)[:2]))


def keeps_order(layer: Reshape) -> bool:
    """Whether a reshape does not transpose beforehand."""
    return layer.order == identity_order(len(layer.order))


def replace_operand(graph: Graph, name: str, slot: int, tensor: str) -> None:
    """Let a layer read another tensor in a slot."""
    inputs = graph.inputs_of(name)
    graph.set_inputs(name, (*inputs[:slot], tensor, *inputs[slot + 1 :]))


# --- upwards -----------------------------------------------------------------------------------------------


def made_by(graph: Graph, tensor: str | None, *kinds: type[L]) -> L | None:
    """The layer that computes a tensor, if it is of one of these kinds."""
    layer = None if tensor is None else graph.producer(tensor)
    return layer if isinstance(layer, kinds) else None


def made_for_one(graph: Graph, tensor: str | None, *kinds: type[L]) -> L | None:
    """As `made_by`, if one layer alone reads the tensor."""
    return made_by(graph, tensor, *kinds) if tensor is not None and has_one_reader(graph, tensor) else None


def chain_above(graph: Graph, layer: L, *kinds: type[L]) -> list[L] | None:
    """Layers of these kinds, upwards, and the layer that they end with; each alone reads the one before."""
    chain = [layer]
    for kind in kinds:
        above = made_for_one(graph, source_of(graph, chain[0]), kind)
        if above is None:
            return None
        chain.insert(0, above)
    return chain


def shown_by(graph: Graph, tensor: str, *kinds: type[L], for_one: bool = False) -> Shown[L]:
    """What a tensor is a view of, through views of these kinds; `for_one`: those that one layer reads."""
    made, views = made_for_one if for_one else made_by, list[L]()
    while (view := made(graph, tensor, *kinds)) is not None:
        views.append(view)
        tensor = source_of(graph, view)
    return Shown(tensor, views[::-1])


# --- downwards ---------------------------------------------------------------------------------------------


def has_one_reader(graph: Graph, tensor: str) -> bool:
    """Whether just one layer reads a tensor, in one slot, and it is no output of the network."""
    return len(graph.consumers(tensor)) == 1 and tensor not in graph.outputs


def sole_reader(graph: Graph, tensor: str, *kinds: type[L], slot: int | None = None) -> L | None:
    """The one layer that reads a tensor, if it is of one of these kinds, and reads it in that slot."""
    layer, place = graph.consumers(tensor)[0] if has_one_reader(graph, tensor) else (None, None)
    return layer if isinstance(layer, kinds) and slot in (None, place) else None


def readers_of(graph: Graph, tensor: str, *kinds: type[L], slot: int = 0) -> list[L]:
    """The layers that read a tensor, if all are of these kinds and read it in that slot; else none."""
    users = graph.consumers(tensor)
    layers = [layer for layer, place in users if isinstance(layer, kinds) and place == slot]
    return layers if len(layers) == len(users) and tensor not in graph.outputs else []


def views_below(graph: Graph, tensor: str, *kinds: type[L]) -> Shown[L]:
    """The last of the views of these kinds through which alone a tensor is read, and all of them."""
    views: list[L] = []
    while (view := sole_reader(graph, tensor, *kinds)) is not None:
        views.append(view)
        tensor = graph.output_of(view.name)
    return Shown(tensor, views)


def uses_through(graph: Graph, tensor: str, *kinds: type[Layer]) -> Iterator[Use]:
    """Who reads a tensor, directly or in views of these kinds."""
    left = [Shown[Layer](tensor, [])]
    while left:
        shown, views = left.pop()
        if shown in graph.outputs:
            yield Use(None, 0, views)
        for layer, slot in graph.consumers(shown):
            if isinstance(layer, kinds):
                left.append(Shown(graph.output_of(layer.name), [*views, layer]))
            else:
                yield Use(layer.name, slot, views)


def readers_below(
    graph: Graph, tensor: str, goes_on: Callable[[Layer, int], bool]
) -> Iterator[tuple[Layer, int]]:
    """Who reads a tensor, with the slot, or what is made of it by layers that `goes_on` accepts."""
    left, seen = [tensor], {tensor}
    while left:
        for layer, slot in graph.consumers(left.pop()):
            new = [made for made in graph.outputs_of(layer.name) if made not in seen]
            if new and goes_on(layer, slot):
                seen.update(new)
                left += new
            yield layer, slot

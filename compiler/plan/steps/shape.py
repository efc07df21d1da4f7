"""What the steps of a group depend on, but for names, and its names in a fixed order.

in:   an interval of the layers of a network
out:  a shape, which alike intervals have in common, and a binding, in which they differ

Nothing may be on chip before and after such a group.  Tensors are numbered as the layers touch them; of each,
the shape has type and place in its buffer, who makes it and who reads it (counted from the start of the
group).  Of a layer in tiles, it has less: its steps do not depend on what others make and read.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from nnc.compiler.ir.layers import Loc
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.steps.template import Binding


def shape_of_group(network: PlanNetwork, start: int, end: int) -> tuple[Hashable, Binding]:
    """Shape and binding of the layers [start … end] as a fused group."""
    walk = _Walk(network, start)
    parts = [walk.layer(position) for position in range(start, end + 1)]
    tensors, done = [], 0
    while done < len(walk.numbers):  # buffers of tensors, and operands of views, are added meanwhile
        names = [*walk.numbers][done:]
        done += len(names)
        tensors += [walk.tensor(name) for name in names]
    numbers = dict[Hashable, int]()
    places = tuple([numbers.setdefault(of, len(numbers)) for loc in walk.locs for of in (loc, loc.node)])
    layers = [layer.name for layer in network.layers[start : end + 1]]
    touched = [stem_in_group(layers[-1], name) for name in (*walk.numbers, *walk.views)]
    binding = Binding((*layers, *touched), tuple(walk.numbers), tuple(walk.locs))
    return (tuple(parts), tuple(tensors), places, len(network.layers) - 1 == end), binding


def stem_in_group(group: str, name: str) -> str:
    """What names begin with that are made of a buffer or a view, which several groups may touch.

    Args:
        group: the last layer of the group.
    """
    return f"{group}/{name}"


def shape_of_layer(network: PlanNetwork, position: int) -> tuple[Hashable, Binding]:
    """Shape and binding of a layer in tiles."""
    graph, layer, walk = network.graph, network.layers[position], _Walk(network, position)
    shape, places = walk.layer(position), list[Hashable]()
    for tensor in [*walk.numbers]:
        if (storage := graph.storage.get(tensor)) is not None:
            owner, elements = graph.storage[storage.buffer], graph.buffers[storage.buffer].elements
            owned = owner.offset, owner.shape, owner.strides, elements, walk.number(storage.buffer)
            places.append((walk.number(tensor), storage.offset, storage.strides, *owned))
    return (shape, tuple(places)), Binding((layer.name,), tuple(walk.numbers), (layer.loc,))


class _Walk:
    """Tensors, views and places in the model as layers name them, each once.

    Attributes:
        numbers: of tensors; views: that these are shown by; locs: of layers, and of what they touch.
    """

    def __init__(self, network: PlanNetwork, start: int) -> None:
        self._network, self._graph, self._start = network, network.graph, start
        self.numbers: dict[str, int] = {}
        self.views: list[str] = []
        self.locs: list[Loc] = []

    def number(self, tensor: str) -> int:
        """The number of a tensor; the next one if it has none."""
        return self.numbers.setdefault(tensor, len(self.numbers))

    def layer(self, position: int) -> Hashable:
        """All that steps depend on of a layer, but for names."""
        network = self._network
        layer, out = network.layers[position], network.defines[position]
        ins = tuple(None if t is None else self.number(t) for t in self._graph.inputs_of(layer.name))
        self.locs.append(layer.loc)
        return network.structure(position), ins, self.number(out)

    def tensor(self, name: str) -> Hashable:
        """The same of a tensor."""
        graph, network = self._graph, self._network
        storage, producer, made = graph.storage.get(name), graph.producer(name), None
        self.locs.append(Loc(name, "Input") if producer is None else producer.loc)
        if storage is None:
            return graph.types[name], graph.is_constant(name)
        if producer is not None and producer.is_view:
            ins = tuple(None if t is None else self.number(t) for t in graph.inputs_of(producer.name))
            self.views.append(producer.name)
            made = repr(producer.signature), ins
        buffer = network.buffer_of(name)
        lies = storage.offset, storage.strides, storage.order, storage.shape, self.number(buffer)
        whole = self._buffer(name) if buffer == name else None
        return graph.types[name], lies, made, name in network.delivered, whole

    def _buffer(self, name: str) -> Hashable:
        """The same of a buffer: who makes and reads it, counted from the start of the group."""
        network, start = self._network, self._start
        made = tuple((position - start, self.number(t)) for position, t in network.definitions.get(name, ()))
        uses = network.uses.get(name, [])
        self.locs += [network.layers[position].loc for position in uses[:1]]
        ends = name in network.network_inputs, name in network.network_outputs, name in network.uncut
        return (
            replace(network.buffers[name], name=""),
            made,
            tuple(position - start for position in uses),
            ends,
        )

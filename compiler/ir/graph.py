"""The graph: layers as nodes of a networkx graph, edges from who defines a tensor to who reads it.

Only `Links` beside it changes that graph.  All tables of a graph are read-only to others and
are written by its methods, which refuse what contradicts itself.  `y = Abs (x)`:

    graph = Graph("g")
    graph.add_input("x", TensorType(DType.F32, (2, 3)))
    graph.add(Elementwise(name="y", loc=loc, function=Function.ABS), ["x"], ["y"], [graph.types["x"]])
    graph.add_output("y")
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy

import networkx as nx
import numpy as np

from nnc.compiler.ir.annotations import Annotations
from nnc.compiler.ir.layers import Layer
from nnc.compiler.ir.links import Links
from nnc.compiler.ir.tensors import Tensors, TensorType
from nnc.isa.errors import InternalError

__all__ = ["Graph", "TensorType", "constant_bytes"]


class Graph(Tensors):
    """A network of layers.

    Attributes:
        name: name of the network.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._notes = Annotations()
        self._links = Links()
        self._counter = 0

    @property
    def notes(self) -> Annotations:
        """What later levels add (groups, parts, order, addresses); see `annotate` and `with_notes`."""
        return self._notes

    # --- building ------------------------------------------------------------------------------------------

    def add(
        self,
        layer: Layer,
        inputs: Sequence[str | None],
        outputs: Sequence[str],
        types: Sequence[TensorType],
        before: str | None = None,
        after: str | None = None,
    ) -> Layer:
        """Add a layer that reads existing tensors and defines new ones.

        Args:
            before, after: where the order is free, the layer comes right before or after that one, not last.

        Raises:
            InternalError: a name is taken, or an input tensor is unknown.
        """
        self._check_writable()
        name, links = layer.name, self._links
        if name in links.records:
            raise InternalError(f"layer {name} is defined twice")
        rank: float = self._counter
        if before is not None or after is not None:
            near = links.records[before or after or ""].rank
            rank = near - 0.5 if before is not None else near + 0.5
            links.is_in_order = False
        self._check_known(name, inputs)
        links.add(layer, tuple(inputs), tuple(outputs), rank)
        self._counter += 1
        for tensor, type_ in zip(outputs, types, strict=True):
            if tensor in links.producer or tensor in self._constants or tensor in self._inputs:
                raise InternalError(f"tensor {tensor} is defined twice", where=name)
            if tensor in self._types:  # somebody may read it already
                links.is_in_order = False
            links.producer[tensor] = name
            self._types[tensor] = type_
        return layer

    def _check_known(self, name: str, operands: Sequence[str | None]) -> None:
        for tensor in operands:
            if tensor is not None and tensor not in self._types:
                raise InternalError(f"layer {name} reads unknown tensor {tensor}")

    def set_inputs(self, name: str, inputs: Sequence[str | None]) -> None:
        """Give a layer other operands."""
        self._check_writable()
        self._check_known(name, inputs)
        self._links.set_inputs(name, tuple(inputs))

    def replace(self, layer: Layer) -> None:
        """Put another layer object (same name) at a node; operands and outputs stay."""
        self._check_writable()
        self._links.records[layer.name].layer = layer

    def rewire(self, old: str, new: str) -> None:
        """Make every consumer of tensor `old` read `new` instead (network outputs keep their tensor)."""
        for name, _ in list(self._links.readers.get(old, ())):
            self.set_inputs(name, [new if t == old else t for t in self.inputs_of(name)])

    def rename_output(self, name: str, new: str, type_: TensorType | None = None) -> None:
        """Give the only output of a layer another name, and maybe another type.

        Consumers follow, network outputs do not.
        """
        self._check_writable()
        old = self.output_of(name)
        users = list(self._links.readers.get(old, ()))
        self._types[new] = type_ or self._types[old]
        self._links.records[name].outputs = (new,)
        self._links.producer[new] = name
        for user, _ in users:
            self.set_inputs(user, [new if t == old else t for t in self.inputs_of(user)])
        self._forget(old)

    def take_over_output(self, name: str, tensor: str) -> None:
        """Make layer `name` (single output) define `tensor` in place of its own output.

        The layer that defined `tensor` before is removed; the old output of `name` disappears and must
        have no other consumer.
        """
        self._check_writable()
        previous = self._links.producer[tensor]
        (own,) = self.outputs_of(name)
        type_ = self._types[tensor]
        users = list(self._links.readers.get(tensor, ()))
        self.set_inputs(previous, [])
        self._links.remove(previous)
        self._links.records[name].outputs = (tensor,)
        self._forget(own)
        self._links.producer[tensor] = name
        self._types[tensor] = type_
        self._links.net.add_edges_from([(name, user) for user, _ in users])

    def remove(self, name: str) -> None:
        """Remove a layer whose outputs nobody uses."""
        self._check_writable()
        for tensor in self.outputs_of(name):
            if self._links.readers.get(tensor) or tensor in self._outputs:
                raise InternalError(f"layer {name} cannot be removed: {tensor} is in use")
        self.set_inputs(name, [])
        for tensor in self.outputs_of(name):
            self._forget(tensor)
        self._links.remove(name)

    def remove_constant(self, name: str) -> None:
        """Forget a constant that nobody uses."""
        self._check_writable()
        if self._links.readers.get(name) or name in self._outputs:
            raise InternalError(f"constant {name} is in use")
        del self._constants[name]
        self._links.readers.pop(name, None)
        del self._types[name]

    def _forget(self, tensor: str) -> None:
        self._links.producer.pop(tensor, None)
        self._links.readers.pop(tensor, None)
        self._types.pop(tensor, None)

    def annotate(self, notes: Annotations) -> None:
        """Put other annotations on this graph; those that share its layers keep theirs."""
        self._notes = notes

    def _is_taken(self, name: str) -> bool:
        return name in self._links.records or super()._is_taken(name)

    # --- asking --------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._links.records)

    def __contains__(self, name: str) -> bool:
        return name in self._links.records

    def layer(self, name: str) -> Layer:
        """The layer of that name."""
        return self._links.records[name].layer

    def layers(self) -> list[Layer]:
        """All layers in topological order; ties in the order of insertion, so the result is stable.

        Raises:
            InternalError: the graph has a cycle.
        """
        return self._links.layers()

    def inputs_of(self, name: str) -> tuple[str | None, ...]:
        """Operands of a layer; None stands for an absent optional one."""
        return self._links.records[name].inputs

    def operand(self, name: str, slot: int) -> str | None:
        """One operand of a layer, None if it is absent."""
        inputs = self.inputs_of(name)
        return inputs[slot] if slot < len(inputs) else None

    def outputs_of(self, name: str) -> tuple[str, ...]:
        """Tensors that a layer defines."""
        return self._links.records[name].outputs

    def output_of(self, name: str) -> str:
        """The tensor that a layer with one output defines."""
        (tensor,) = self.outputs_of(name)
        return tensor

    def producer(self, tensor: str) -> Layer | None:
        """The layer that defines a tensor; None for network inputs and constants."""
        name = self._links.producer.get(tensor)
        return None if name is None else self.layer(name)

    def consumers(self, tensor: str) -> list[tuple[Layer, int]]:
        """The layers that read a tensor, with the operand slot, in order of insertion."""
        return [(self.layer(name), slot) for name, slot in self._links.readers.get(tensor, ())]

    def used_constants(self) -> Iterator[str]:
        """Constants that some layer or the network's output reads, in order of definition."""
        return (name for name in self._constants if self._links.readers.get(name) or name in self._outputs)

    def predecessors(self, name: str) -> list[str]:
        """Names of the layers whose outputs this one reads."""
        return list(self._links.net.predecessors(name))

    def layer_dag(self) -> nx.DiGraph:
        """A copy of the bare structure (layer names, no attributes) for graph algorithms."""
        dag = nx.DiGraph()
        dag.add_nodes_from(layer.name for layer in self.layers())
        dag.add_edges_from(self._links.net.edges())
        return dag

    def copy(self) -> Graph:
        """An independent graph that shares layers and constant arrays (both are never changed in place)."""
        graph = Graph(self.name)
        graph.copy_ports(self)
        graph._types.update(self._types)
        graph._constants.update(self._constants)
        graph.copy_storage(self)
        graph._notes = self._notes
        graph._links = self._links.copy()
        graph._counter = self._counter
        return graph

    def with_notes(self, notes: Annotations) -> Graph:
        """The same layers and tensors under other annotations; from now on, neither graph can be changed."""
        self._is_shared = True
        graph = copy(self)
        graph.annotate(notes)
        return graph

    def annotates(self, other: Graph) -> bool:
        """Whether this graph has the very layers of another one, under other annotations."""
        return self._links is other._links


def constant_bytes(graph: Graph, names: Iterable[str]) -> int:
    """Bytes of the named constants."""
    return sum(int(np.asarray(graph.constants[name]).nbytes) for name in names)

"""The graph: layers as nodes of a networkx multigraph, tensors as edges.

This is the only module that touches networkx attributes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.annotations import Annotations
from nnc.compiler.ir.layers import Layer
from nnc.compiler.ir.storage import Buffer, Storage
from nnc.isa.errors import InternalError
from nnc.isa.types import DType


@dataclass(frozen=True, slots=True)
class TensorType:
    """Element type and shape of a tensor, in the axis order of the ONNX model."""

    dtype: DType
    shape: tuple[int, ...]

    @property
    def elements(self) -> int:
        """Number of elements."""
        count = 1
        for extent in self.shape:
            count *= extent
        return count

    @property
    def nbytes(self) -> int:
        """Size in bytes, dense."""
        return self.elements * self.dtype.itemsize

    def __str__(self) -> str:
        return f"{self.dtype.value}[{','.join(map(str, self.shape))}]"


class Graph:
    """A network of layers.

    Attributes:
        name: name of the network.
        inputs: tensors that the user supplies, in order.
        outputs: tensors that the user receives, in order.
        types: element type and shape of every tensor, constants included.
        constants: values of the constant tensors, by name (arrays are never changed in place).
        buffers, storage: which tensors share which bytes, from the canonical level on (pass free-views).
        notes: what later levels add (groups, parts, order, addresses).
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.inputs: list[str] = []
        self.outputs: list[str] = []
        self.types: dict[str, TensorType] = {}
        self.constants: dict[str, npt.NDArray[Any]] = {}
        self.buffers: dict[str, Buffer] = {}
        self.storage: dict[str, Storage] = {}
        self.notes = Annotations()
        self._net = nx.MultiDiGraph()
        self._producer: dict[str, str] = {}
        self._consumers: dict[str, dict[tuple[str, int], None]] = {}
        self._counter = 0

    # --- building ------------------------------------------------------------------------------------------

    def add_input(self, name: str, type_: TensorType) -> None:
        """Declare a network input."""
        self.inputs.append(name)
        self.types[name] = type_

    def add_constant(self, name: str, value: npt.NDArray[Any]) -> str:
        """Declare a constant tensor; the name is made unique if it is taken.  Returns the name."""
        name = self.fresh(name) if name in self.types else name
        self.constants[name] = value
        self.types[name] = TensorType(DType.from_numpy(value.dtype), tuple(int(d) for d in value.shape))
        return name

    def add(
        self,
        layer: Layer,
        inputs: Sequence[str | None],
        outputs: Sequence[str],
        types: Sequence[TensorType],
    ) -> Layer:
        """Add a layer that reads existing tensors and defines new ones.

        Raises:
            InternalError: a name is taken, or an input tensor is unknown.
        """
        if layer.name in self._net:
            raise InternalError(f"layer {layer.name} is defined twice")
        self._net.add_node(layer.name, layer=layer, inputs=(), outputs=tuple(outputs), rank=self._counter)
        self._counter += 1
        for tensor, type_ in zip(outputs, types, strict=True):
            if tensor in self._producer or tensor in self.constants or tensor in self.inputs:
                raise InternalError(f"tensor {tensor} is defined twice", where=layer.name)
            self._producer[tensor] = layer.name
            self.types[tensor] = type_
        self.set_inputs(layer.name, inputs)
        return layer

    def set_inputs(self, name: str, inputs: Sequence[str | None]) -> None:
        """Give a layer other operands."""
        data = self._net.nodes[name]
        for slot, tensor in enumerate(data["inputs"]):
            if tensor is not None:
                self._consumers[tensor].pop((name, slot))
                if tensor in self._producer:
                    self._net.remove_edge(self._producer[tensor], name, key=slot)
        for slot, tensor in enumerate(inputs):
            if tensor is None:
                continue
            if tensor not in self.types:
                raise InternalError(f"layer {name} reads unknown tensor {tensor}")
            self._consumers.setdefault(tensor, {})[name, slot] = None
            if tensor in self._producer:
                self._net.add_edge(self._producer[tensor], name, key=slot, tensor=tensor)
        data["inputs"] = tuple(inputs)

    def replace(self, layer: Layer) -> None:
        """Put another layer object (same name) at a node; operands and outputs stay."""
        self._net.nodes[layer.name]["layer"] = layer

    def rewire(self, old: str, new: str) -> None:
        """Make every consumer of tensor `old` read `new` instead (network outputs keep their tensor)."""
        for name, _ in list(self._consumers.get(old, ())):
            self.set_inputs(name, [new if t == old else t for t in self.inputs_of(name)])

    def rename_output(self, name: str, new: str) -> None:
        """Give the only output of a layer another name; consumers follow, network outputs do not."""
        old = self.output_of(name)
        users = list(self._consumers.get(old, ()))
        self.types[new] = self.types[old]
        self._net.nodes[name]["outputs"] = (new,)
        self._producer[new] = name
        for user, _ in users:
            self.set_inputs(user, [new if t == old else t for t in self.inputs_of(user)])
        self._forget(old)

    def take_over_output(self, name: str, tensor: str) -> None:
        """Make layer `name` (single output) define `tensor` in place of its own output.

        The layer that defined `tensor` before is removed; the old output of `name` disappears and must
        have no other consumer.
        """
        previous = self._producer[tensor]
        (own,) = self.outputs_of(name)
        type_ = self.types[tensor]
        users = list(self._consumers.get(tensor, ()))
        self.set_inputs(previous, [])
        self._net.remove_node(previous)
        self._net.nodes[name]["outputs"] = (tensor,)
        self._forget(own)
        self._producer[tensor] = name
        self.types[tensor] = type_
        for user, slot in users:
            self._net.add_edge(name, user, key=slot, tensor=tensor)

    def remove(self, name: str) -> None:
        """Remove a layer whose outputs nobody uses."""
        for tensor in self.outputs_of(name):
            if self._consumers.get(tensor) or tensor in self.outputs:
                raise InternalError(f"layer {name} cannot be removed: {tensor} is in use")
        self.set_inputs(name, [])
        for tensor in self.outputs_of(name):
            self._forget(tensor)
        self._net.remove_node(name)

    def remove_constant(self, name: str) -> None:
        """Forget a constant that nobody uses."""
        if self._consumers.get(name) or name in self.outputs:
            raise InternalError(f"constant {name} is in use")
        del self.constants[name]
        self._consumers.pop(name, None)
        del self.types[name]

    def _forget(self, tensor: str) -> None:
        self._producer.pop(tensor, None)
        self._consumers.pop(tensor, None)
        self.types.pop(tensor, None)

    def fresh(self, stem: str) -> str:
        """A tensor and layer name that is not in use, derived from `stem`."""
        if stem not in self.types and stem not in self._net:
            return stem
        number = 1
        while f"{stem}.{number}" in self.types or f"{stem}.{number}" in self._net:
            number += 1
        return f"{stem}.{number}"

    # --- asking --------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return int(self._net.number_of_nodes())

    def __contains__(self, name: str) -> bool:
        return name in self._net

    @property
    def _records(self) -> dict[str, dict[str, Any]]:
        """What networkx keeps of every node: asking its view `nodes` takes three times as long."""
        records: dict[str, dict[str, Any]] = vars(self._net)["_node"]
        return records

    def layer(self, name: str) -> Layer:
        """The layer of that name."""
        layer: Layer = self._records[name]["layer"]
        return layer

    def layers(self) -> list[Layer]:
        """All layers in topological order; ties in the order of insertion, so the result is stable.

        Raises:
            InternalError: the graph has a cycle.
        """
        ranks = self._records
        if all(ranks[above]["rank"] < ranks[name]["rank"] for above, name in self._net.edges()):
            return [data["layer"] for data in sorted(ranks.values(), key=itemgetter("rank"))]
        try:
            order = list(nx.lexicographical_topological_sort(self._net, key=lambda n: ranks[n]["rank"]))
        except nx.NetworkXUnfeasible as error:
            cycle = " -> ".join(source for source, *_ in nx.find_cycle(self._net))
            raise InternalError("the graph has a cycle", found=cycle) from error
        return [ranks[name]["layer"] for name in order]

    def inputs_of(self, name: str) -> tuple[str | None, ...]:
        """Operands of a layer; None stands for an absent optional one."""
        inputs: tuple[str | None, ...] = self._records[name]["inputs"]
        return inputs

    def operand(self, name: str, slot: int) -> str | None:
        """One operand of a layer, None if it is absent."""
        inputs = self.inputs_of(name)
        return inputs[slot] if slot < len(inputs) else None

    def outputs_of(self, name: str) -> tuple[str, ...]:
        """Tensors that a layer defines."""
        outputs: tuple[str, ...] = self._records[name]["outputs"]
        return outputs

    def output_of(self, name: str) -> str:
        """The tensor that a layer with one output defines."""
        (tensor,) = self.outputs_of(name)
        return tensor

    def producer(self, tensor: str) -> Layer | None:
        """The layer that defines a tensor; None for network inputs and constants."""
        name = self._producer.get(tensor)
        return None if name is None else self.layer(name)

    def consumers(self, tensor: str) -> list[tuple[Layer, int]]:
        """The layers that read a tensor, with the operand slot, in order of insertion."""
        return [(self.layer(name), slot) for name, slot in self._consumers.get(tensor, ())]

    def is_constant(self, tensor: str | None) -> bool:
        """Whether the tensor's value is known at compile time."""
        return tensor is not None and tensor in self.constants

    def used_constants(self) -> Iterator[str]:
        """Constants that some layer or the network's output reads, in order of definition."""
        return (name for name in self.constants if self._consumers.get(name) or name in self.outputs)

    def predecessors(self, name: str) -> list[str]:
        """Names of the layers whose outputs this one reads."""
        return list(self._net.predecessors(name))

    def layer_dag(self) -> nx.DiGraph:
        """A copy of the bare structure (layer names, no attributes) for graph algorithms."""
        dag = nx.DiGraph()
        dag.add_nodes_from(layer.name for layer in self.layers())
        dag.add_edges_from(self._net.edges())
        return dag

    def copy(self) -> Graph:
        """An independent graph that shares layers and constant arrays (both are never changed in place)."""
        other = Graph(self.name)
        other.inputs, other.outputs = list(self.inputs), list(self.outputs)
        other.types, other.constants = dict(self.types), dict(self.constants)
        other.buffers, other.storage = dict(self.buffers), dict(self.storage)
        other.notes = self.notes.copy()
        other._net = self._net.copy()
        other._producer = dict(self._producer)
        other._consumers = {tensor: dict(users) for tensor, users in self._consumers.items()}
        other._counter = self._counter
        return other

    def with_notes(self, notes: Annotations) -> Graph:
        """The same graph under other annotations; it shares the layers and tensors, which must then stay."""
        other = copy(self)
        other.notes = notes
        return other

    def annotates(self, other: Graph) -> bool:
        """Whether this graph has the very layers of another one, under other annotations."""
        return self._net is other._net


def constant_bytes(graph: Graph, names: Iterable[str]) -> int:
    """Bytes of the named constants."""
    return sum(int(np.asarray(graph.constants[name]).nbytes) for name in names)

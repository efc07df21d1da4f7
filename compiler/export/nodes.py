"""ONNX nodes under construction: names, constants and annotations, layer by layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import NodeProto, TensorProto, helper, numpy_helper

from nnc.compiler.errors import ExportError
from nnc.compiler.ir.annotations import Group
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.layer_cost import NO_COSTS, Costs
from nnc.compiler.ir.layers import Layer
from nnc.compiler.ir.required import required
from nnc.isa.rule_table import RuleTable
from nnc.isa.types import DType

Operands = Sequence[str | None]
Emit = Callable[["NodeWriter", Any, Operands], str]
"""(writer, layer, operands) → the value that is the layer's result."""

EMITTERS = RuleTable[Layer, Emit]()
"""What writes the nodes of every kind."""
emits = EMITTERS.rule


def element_code(dtype: DType) -> int:
    """ONNX's number of an element type."""
    return int(helper.np_dtype_to_tensor_dtype(dtype.numpy))


def integer_range(dtype: DType) -> tuple[int, int]:
    """Least and greatest number of an integer type."""
    bits = 8 * dtype.itemsize
    return (0, 2**bits - 1) if dtype.value.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


class NodeWriter:
    """Collects the nodes and initialisers of a graph.

    Attributes:
        nodes: in topological order.
        initialisers: constants that the nodes need beside those of the graph (axes, bounds …).
        layer, out: the layer at work and the type of its result.
    """

    layer: Layer
    out: TensorType

    def __init__(self, graph: Graph, costs: Costs = NO_COSTS) -> None:
        self.graph = graph
        self._costs = costs
        self.nodes: list[NodeProto] = []
        self.initialisers: list[TensorProto] = []
        self._values = set(graph.types)
        self._names = {layer.name for layer in graph.layers()}
        self._constants: dict[tuple[str, tuple[int, ...], bytes], str] = {}
        self._group_of = {n: group for group in graph.notes.groups for n in (*group.layers, *group.views)}
        self._start = 0

    def write(self, layer: Layer) -> None:
        """Write the nodes of a layer; the last of them defines its result.

        Raises:
            ExportError: the kind has no counterpart.
        """
        if type(layer) not in EMITTERS:
            raise self.impossible(f"layers of the kind {layer.kind} have no counterpart in ONNX")
        tensor = self.graph.output_of(layer.name)
        self.layer, self.out, self._start = layer, self.graph.types[tensor], len(self.nodes)
        result = EMITTERS[type(layer)](self, layer, self.graph.inputs_of(layer.name))
        if len(self.nodes) == self._start or self.nodes[-1].output[0] != result:
            self.op("Identity", [result])
        self.nodes[-1].output[0] = tensor
        self._annotate(layer)

    def op(self, kind: str, inputs: Operands, suffix: str = "", **attributes: Any) -> str:
        """Add a node and return the value that it defines; the node is named as the layer plus `suffix`.

        Absent operands are None; attributes that are None are left out.
        """
        names = [name or "" for name in inputs]
        while names and not names[-1]:
            names.pop()
        name = self._node_name(suffix)
        value = _fresh(f"{name}/out", self._values)
        self.nodes.append(helper.make_node(kind, names, [value], name=name, **attributes))
        return value

    def constant(self, value: npt.ArrayLike, dtype: DType = DType.I64) -> str:
        """A constant tensor; equal ones are stored once."""
        array = np.asarray(value).astype(dtype.numpy)
        key = (dtype.value, array.shape, array.tobytes())
        if key not in self._constants:
            self._constants[key] = _fresh(f"constant.{len(self._constants)}", self._values)
            self.initialisers.append(numpy_helper.from_array(array, self._constants[key]))
        return self._constants[key]

    def cast(self, value: str, old: DType, new: DType, suffix: str) -> str:
        """The value in another element type."""
        return value if old is new else self.op("Cast", [value], suffix, to=element_code(new))

    def type(self, tensor: str | None) -> TensorType:
        """The type of an operand that is present."""
        return self.graph.types[required(tensor)]

    def impossible(self, message: str) -> ExportError:
        """The error that the layer at work cannot be written."""
        return ExportError(
            message,
            where=f"layer {self.layer.name}, from {self.layer.loc}",
            remedy="the formats text, json and dot can show this graph",
        )

    def _node_name(self, suffix: str) -> str:
        taken = {node.name for node in self.nodes[self._start :]}
        name = self.layer.name + suffix
        return name if not suffix and name not in taken else _fresh(name, self._names)

    def _annotate(self, layer: Layer) -> None:
        """Say in the properties of the new nodes what they belong to."""
        where, group = self.graph.notes.part_of.get(layer.name), self._group_of.get(layer.name)
        properties: dict[str, object] = {"layer": layer.name, "kind": layer.kind, "origin": str(layer.loc)}
        if where is not None:
            group = _group(self.graph, where.group)
            properties["part"] = where.part
            properties |= {} if where.core is None else {"core": where.core}
        if group is not None:
            properties |= {"group": group.index, "group_kind": group.kind.value}
            properties |= {"group_cycles": group.cycles, "group_dram_bytes": group.dram_bytes}
        if layer.name in self._costs:
            properties |= {f"layer_{key}": value for key, value in asdict(self._costs[layer.name]).items()}
        for node in self.nodes[self._start :]:
            for key, value in properties.items():
                node.metadata_props.add(key=key, value=str(value))


def _group(graph: Graph, index: int) -> Group:
    return next(group for group in graph.notes.groups if group.index == index)


def _fresh(stem: str, taken: set[str]) -> str:
    """A name that is not taken, derived from `stem`; it is taken then."""
    name, number = stem, 1
    while name in taken:
        name, number = f"{stem}.{number}", number + 1
    taken.add(name)
    return name

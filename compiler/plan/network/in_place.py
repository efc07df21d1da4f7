"""Additions in place: a result that may take over the bytes of an operand."""

from __future__ import annotations

from nnc.compiler.ir.layers import Elementwise, MacLayer
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.isa.functions import Function


def in_place_source(network: PlanNetwork, position: int) -> str | None:
    """The buffer of an addition's operand that its result may overwrite: same size, last used here."""
    layer = network.layers[position]
    slot = None
    if isinstance(layer, MacLayer):
        slot = 3
    elif isinstance(layer, Elementwise) and layer.function is Function.ADD and not layer.params:
        slot = 0
    tensor = None if slot is None else network.graph.operand(layer.name, slot)
    if tensor is None or tensor not in network.graph.storage:
        return None
    graph, target = network.graph, network.defines[position]
    source = network.buffer_of(tensor)
    same = graph.storage[tensor].strides == graph.storage[target].strides
    alone = tensor == source and target == network.buffer_of(target)
    dead = network.last_use[source] == position and source not in network.network_inputs
    fits = same and alone and dead and graph.types[tensor] == graph.types[target]
    return source if fits and not _read_otherwise(network, position, slot, tensor) else None


def _read_otherwise(network: PlanNetwork, position: int, slot: int | None, tensor: str) -> bool:
    """Whether the layer reads the operand's buffer in another way too, not just element by element."""
    others = [t for other, t in network.operands[position] if other != slot]
    if isinstance(network.layers[position], Elementwise):
        others = [t for t in others if t != tensor]
    return network.buffer_of(tensor) in {network.buffer_of(t) for t in others}

"""Results in place: those that may take over the bytes of an operand."""

from __future__ import annotations

from nnc.compiler.ir.layers import Elementwise, MacLayer
from nnc.compiler.plan.network.plan_network import PlanNetwork

_RESIDUAL = MacLayer.slots.index("residual")


def in_place_source(network: PlanNetwork, position: int) -> str | None:
    """The buffer of an operand that a layer's result may overwrite: same size, last used here.

    Each element of the result needs just the element in its place: of what a product adds, or of any operand
    of a function of elements.
    """
    layer = network.layers[position]
    if isinstance(layer, MacLayer):
        return _overwritten(network, position, _RESIDUAL)
    if isinstance(layer, Elementwise):
        found = (_overwritten(network, position, slot) for slot, _ in network.operands[position])
        return next((source for source in found if source is not None), None)
    return None


def _overwritten(network: PlanNetwork, position: int, slot: int) -> str | None:
    """The buffer of an operand, if the result may overwrite it."""
    tensor = network.graph.operand(network.layers[position].name, slot)
    if tensor is None or tensor not in network.graph.storage:
        return None
    graph, target = network.graph, network.defines[position]
    source = network.buffer_of(tensor)
    same = graph.storage[tensor].strides == graph.storage[target].strides
    alone = tensor == source and target == network.buffer_of(target)
    dead = network.last_use[source] == position and source not in network.network_inputs
    fits = same and alone and dead and graph.types[tensor] == graph.types[target]
    return source if fits and not _read_otherwise(network, position, slot, tensor) else None


def _read_otherwise(network: PlanNetwork, position: int, slot: int, tensor: str) -> bool:
    """Whether the layer reads the operand's buffer in another way too, not just element by element."""
    others = [t for other, t in network.operands[position] if other != slot]
    if isinstance(network.layers[position], Elementwise):
        others = [t for t in others if t != tensor]
    return network.buffer_of(tensor) in {network.buffer_of(t) for t in others}

"""fuse-residual: an addition after a MAC layer becomes the residual operand of its epilogue.

before:  y = conv(x, W, b);  z = add(y, skip)
after:   z = conv(x, W, b, residual=skip)
"""

from __future__ import annotations

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise, MacLayer
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass, depths, sole_consumer
from nnc.isa.functions import Function


def _takes_residual(graph: Graph, tensor: str | None, add: Elementwise) -> MacLayer | None:
    """The MAC layer that computes `tensor` only for this addition and has its epilogue free."""
    if tensor is None or sole_consumer(graph, tensor) is None:
        return None
    producer = graph.producer(tensor)
    if not isinstance(producer, MacLayer) or producer.act is not Function.IDENTITY:
        return None
    if graph.operand(producer.name, 3) is not None:
        return None
    return producer if graph.types[tensor] == graph.types[graph.output_of(add.name)] else None


def _run(graph: Graph) -> None:
    depth = depths(graph)
    for add in graph.layers():
        if not isinstance(add, Elementwise) or add.function is not Function.ADD or add.params:
            continue
        if add.src_scales:
            continue
        operands = graph.inputs_of(add.name)
        if len(operands) != 2 or operands[0] == operands[1]:
            continue
        if graph.types[required(operands[0])] != graph.types[required(operands[1])]:
            continue
        if not graph.types[required(operands[0])].dtype.is_float:
            continue  # the epilogue computes in f32
        macs = [(_takes_residual(graph, tensor, add), slot) for slot, tensor in enumerate(operands)]
        found = [(depth[mac.name], slot, mac) for mac, slot in macs if mac is not None]
        if not found:
            continue
        # The longer branch adds: the other one, a projection of the skip, then runs just before it and dies.
        _, slot, mac = max(found, key=lambda item: item[0])
        inputs = [*graph.inputs_of(mac.name), None, None]
        graph.set_inputs(mac.name, [*inputs[:3], operands[1 - slot], *graph.inputs_of(mac.name)[4:]])
        graph.take_over_output(mac.name, graph.output_of(add.name))


FUSE_RESIDUAL = Pass("fuse-residual", _run)

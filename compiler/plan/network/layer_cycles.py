"""What a layer of the network costs when some of its rows, columns or channels are computed."""

from __future__ import annotations

from nnc.compiler.plan.network.plan_network import PlanNetwork, column_axis
from nnc.compiler.target import layer_traits, layer_work
from nnc.compiler.target.layer_work import block, block_order
from nnc.isa.chip.description import Chip
from nnc.isa.integers import ceil_div


def block_bytes(network: PlanNetwork, position: int, channels: int) -> int:
    """Bytes of a block of weights for this many output channels (all constants if it is no MAC layer)."""
    nbytes = network.weight_bytes(position)
    layer = network.layers[position]
    lane = layer_traits.lane_axis(layer, len(network.graph.types[network.defines[position]].shape))
    if lane is None or not network.graph.is_constant(network.graph.operand(layer.name, 1)):
        return nbytes
    total = network.graph.types[network.defines[position]].shape[lane]
    return ceil_div(nbytes * min(total, channels), total)


def layer_cycles(network: PlanNetwork, chip: Chip, position: int, rows: int, width: float = 1.0) -> int:
    """Cycles of a layer for some rows and a share of the columns of its result, issue cost included."""
    layer, graph = network.layers[position], network.graph
    out = graph.types[network.defines[position]]
    view = network.view(network.defines[position])
    operands = [None if t is None else graph.types[t] for t in graph.inputs_of(layer.name)]
    shape = out.shape
    shapes = [None if t is None else t.shape for t in operands]
    if view.axis is not None:
        share = rows / shape[view.axis]
        shape = (*shape[: view.axis], rows, *shape[view.axis + 1 :])
        shapes = [None if s is None else _scaled(s, view.axis, out.shape, share) for s in shapes]
        columns = column_axis(network, network.defines[position]) if width < 1.0 else None
        if columns is not None:
            shapes = [None if s is None else _scaled(s, columns, out.shape, width) for s in shapes]
            shape = _scaled(shape, columns, out.shape, width)
    ins = [
        None if s is None or t is None else block(t.dtype, s, block_order(graph, layer, slot))
        for slot, (s, t) in enumerate(zip(shapes, operands, strict=True))
    ]
    order = graph.storage[network.defines[position]].order
    return layer_work.tile_cycles(chip, layer, block(out.dtype, shape, order), ins)


def _scaled(shape: tuple[int, ...], axis: int, out: tuple[int, ...], share: float) -> tuple[int, ...]:
    """Shape of an operand's tile when a share of the rows is computed (only its size matters for cost)."""
    if len(shape) != len(out):
        return shape
    return (*shape[:axis], max(1, round(shape[axis] * share)), *shape[axis + 1 :])

"""Work of layers and of their tiles in cycles and products, from blocks, before any instruction exists."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import ordered_strides
from nnc.compiler.target.layer_record import record_of
from nnc.compiler.target.layer_traits import natural_order
from nnc.isa.chip.description import Chip
from nnc.isa.operand import Operand
from nnc.isa.record import changed
from nnc.isa.types import DType
from nnc.isa.work import Work

_ADDED = [ir.MacLayer.slots.index(name) for name in ("residual", "accumulator")]
"""Operands of a product that come through the result port."""


def tile_cycles(chip: Chip, layer: ir.Layer, out: Operand, ins: Sequence[Operand | None]) -> int:
    """Cycles of one tile, issue cost included.

    Args:
        out: the output tile, with the axes of the tensor.
        ins: the operand tiles by slot.
    """
    return chip.compute.issue + work_cycles(chip, layer, out, ins)


def work_cycles(chip: Chip, layer: ir.Layer, out: Operand, ins: Sequence[Operand | None]) -> int:
    """Cycles of one tile without the issue cost."""
    record = record_of(type(layer))
    dtype = record.instruction.rate_dtype(out.dtype, [block.dtype for block in ins if block is not None])
    dst, srcs = record.work_operands(layer, out, tuple(ins))
    added = [ins[slot] for slot in _ADDED if slot < len(ins)] if isinstance(layer, ir.MacLayer) else ()
    port_bytes = out.nbytes + sum(block.nbytes for block in added if block is not None)
    rule = required(record.instruction.cost)
    return rule(chip, layer, Work(dtype, dst, srcs, port_bytes))


@lru_cache(maxsize=4096)
def block(dtype: DType, shape: tuple[int, ...], order: tuple[int, ...], memory: str = "") -> Operand:
    """A tile that is dense with its axes nested in an order; "": its memory is not known yet."""
    strides = tuple(dtype.itemsize * step for step in ordered_strides(shape, order))
    return Operand(memory, 0, dtype, shape, strides)


def whole_blocks(graph: Graph, layer: ir.Layer) -> tuple[Operand, list[Operand | None]]:
    """The result of a layer and its operands by slot, each as one dense tile."""
    out, inputs = graph.output_of(layer.name), graph.inputs_of(layer.name)
    types = graph.types
    ins = [
        None if t is None else block(types[t].dtype, types[t].shape, block_order(graph, layer, slot))
        for slot, t in enumerate(inputs)
    ]
    return block(types[out].dtype, types[out].shape, graph.storage[out].order), ins


def block_order(graph: Graph, layer: ir.Layer, slot: int) -> tuple[int, ...]:
    """The order in which the axes of an operand's tiles nest on chip, if they are dense."""
    tensor = required(graph.inputs_of(layer.name)[slot])
    if tensor in graph.storage:
        return graph.storage[tensor].order
    return natural_order(layer, slot, len(graph.types[tensor].shape))


def layer_of_tile(layer: ir.Layer, shape: tuple[int, ...], tile: tuple[int, ...]) -> ir.Layer:
    """The layer of a tile as far as its cost goes: a tile of a grouped convolution has fewer groups.

    Args:
        shape, tile: of the result and of its tile.
    """
    if isinstance(layer, ir.SpatialMacLayer) and layer.groups > 1 and tile[1] < shape[1]:
        return changed(layer, groups=max(1, tile[1] * layer.groups // shape[1]))
    return layer


def macs(graph: Graph, layer: ir.Layer) -> int:
    """Multiply-accumulates of a whole layer; 0 for layers that do not run on the MAC array."""
    inputs = graph.inputs_of(layer.name)
    shapes = tuple(None if t is None else graph.types[t].shape for t in inputs)
    return record_of(type(layer)).macs(layer, graph.types[graph.output_of(layer.name)].shape, shapes)


def weight_bits(layer: ir.Layer) -> int:
    """Bits of the weights of a layer, if these are in blocks; 0 if not."""
    return layer.bits if isinstance(layer, ir.BlockMatMul) else 0


def peak_macs(chip: Chip, dtype: DType, bits: int = 0) -> int:
    """Most multiply-accumulates per cycle of one core.

    Args:
        bits: of weights in blocks; 0: of others.
    """
    return max(lanes * units for lanes, units in chip.compute.shapes_for(dtype, bits))

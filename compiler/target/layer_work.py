"""Work of layers and of their tiles in cycles and products, from shapes, before any instruction exists."""

from __future__ import annotations

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.target.layer_record import record_of
from nnc.isa.chip.description import Chip, rate_class
from nnc.isa.timing import cost
from nnc.isa.types import DType


def tile_cycles(
    chip: Chip, layer: ir.Layer, out: tuple[int, ...], shapes: list[tuple[int, ...] | None], dtype: DType
) -> int:
    """Cycles of one tile, issue cost included, from its shapes (axis order of the tensors).

    Args:
        out: shape of the output tile.
        shapes: shapes of the operand tiles by slot.
        dtype: element type of the first operand (of the widest for element-wise functions).
    """
    return chip.compute.issue + work_cycles(chip, layer, out, tuple(shapes), dtype)


def work_cycles(
    chip: Chip,
    layer: ir.Layer,
    out: tuple[int, ...],
    shapes: tuple[tuple[int, ...] | None, ...],
    dtype: DType,
) -> int:
    """Cycles of one tile without the issue cost."""
    record = record_of(type(layer))
    dst, srcs = record.work_shapes(layer, out, shapes)
    return cost.work_cycles(chip, record.instruction, layer, dtype, dst, srcs)


def rate_dtype(layer: ir.Layer, out: TensorType, operands: list[TensorType | None]) -> DType:
    """The element type that decides the rate: the first operand's, the widest for element-wise functions."""
    present = [t.dtype for t in operands if t is not None]
    return record_of(type(layer)).instruction.rate_dtype(out.dtype, present)


def macs(graph: Graph, layer: ir.Layer) -> int:
    """Multiply-accumulates of a whole layer; 0 for layers that do not run on the MAC array."""
    inputs = graph.inputs_of(layer.name)
    shapes = tuple(None if t is None else graph.types[t].shape for t in inputs)
    return record_of(type(layer)).macs(layer, graph.types[graph.output_of(layer.name)].shape, shapes)


def peak_macs(chip: Chip, dtype: DType) -> int:
    """Most multiply-accumulates per cycle of one core."""
    return max(lanes * units for lanes, units in chip.compute.array_shapes[rate_class(dtype)])

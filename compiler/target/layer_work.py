"""Work of layers and of their tiles in cycles and products, from shapes, before any instruction exists."""

from __future__ import annotations

from math import prod

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.required import required
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
    x = required(shapes[0])
    match layer:
        case ir.Conv():
            depth = prod(layer.kernel) * (shapes[1] or x)[1]
            pixels = out[0] * prod(out[2:])
            return cost.conv_cycles(
                chip, dtype, channels=out[1], pixels=pixels, depth=depth, groups=layer.groups
            )
        case ir.ConvTranspose():
            depth = prod(layer.kernel) * (x[1] // layer.groups)
            pixels = x[0] * prod(x[2:])
            return cost.conv_cycles(
                chip, dtype, channels=out[1], pixels=pixels, depth=depth, groups=layer.groups
            )
        case ir.MatMul():
            weight = required(shapes[1])
            batch, rows = prod(out[:-2]), out[-2]
            if prod(weight[:-2]) == 1:
                return cost.array_cycles(chip, dtype, out[-1], batch * rows, x[-1])
            return batch * cost.array_cycles(chip, dtype, out[-1], rows, x[-1])
        case _:
            return _vector_work(chip, layer, out, shapes, dtype)


def _vector_work(
    chip: Chip,
    layer: ir.Layer,
    out: tuple[int, ...],
    shapes: tuple[tuple[int, ...] | None, ...],
    dtype: DType,
) -> int:
    x = required(shapes[0])
    elements = prod(out)
    match layer:
        case ir.Pool():
            return cost.vector_cycles(chip, dtype, elements * prod(layer.kernel))
        case ir.Elementwise():
            return cost.vector_cycles(chip, dtype, elements * max(1, len(shapes) - 1))
        case ir.Reduce():
            return cost.vector_cycles(chip, dtype, prod(x))
        case ir.Softmax():
            return cost.vector_cycles(chip, dtype, cost.SOFTMAX_PASSES * prod(x))
        case ir.Normalise():
            return cost.vector_cycles(chip, dtype, cost.NORMALISE_PASSES * prod(x))
        case ir.LocalResponseNorm():
            return cost.vector_cycles(chip, dtype, (layer.size + 1) * prod(x))
        case ir.Resize():
            return cost.vector_cycles(chip, dtype, cost.resize_operations(layer.mode, layer.scales, elements))
        case ir.Copy() | ir.Pad() | ir.Gather():
            return cost.move_cycles(chip, elements * dtype.itemsize)
        case _:
            raise TypeError(layer.kind)


def rate_dtype(layer: ir.Layer, out: TensorType, operands: list[TensorType | None]) -> DType:
    """The element type that decides the rate: the first operand's, the widest for element-wise functions."""
    present = [t for t in operands if t is not None]
    if isinstance(layer, ir.Elementwise):
        return max((out, *present), key=lambda t: t.dtype.itemsize).dtype
    return present[0].dtype


def macs(graph: Graph, layer: ir.Layer) -> int:
    """Multiply-accumulates of a whole layer; 0 for layers that do not run on the MAC array."""
    if not isinstance(layer, ir.MacLayer):
        return 0
    out = graph.types[graph.output_of(layer.name)].shape
    x, weight = (graph.types[required(t)].shape for t in graph.inputs_of(layer.name)[:2])
    match layer:
        case ir.Conv():
            return prod(out) * prod(weight[1:])
        case ir.ConvTranspose():
            return prod(x) * prod(weight[1:])
        case _:
            return prod(out) * x[-1]


def peak_macs(chip: Chip, dtype: DType) -> int:
    """Most multiply-accumulates per cycle of one core."""
    return max(lanes * units for lanes, units in chip.compute.array_shapes[rate_class(dtype)])

"""Facts about layers that tiling needs: memories, axes, chunks, cycles of tiles; no instructions yet."""

from __future__ import annotations

from math import prod

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.storage import channels_last
from nnc.isa.chip.description import Chip, rate_class
from nnc.isa.timing import cost
from nnc.isa.types import DType

FAMILY: dict[type[ir.Layer], str] = {
    ir.Conv: "conv",
    ir.ConvTranspose: "conv",
    ir.MatMul: "gemm",
    ir.Pool: "pool",
    ir.Elementwise: "elementwise",
    ir.Reduce: "reduce",
    ir.Softmax: "softmax",
    ir.Normalise: "normalise",
    ir.LocalResponseNorm: "normalise",
    ir.Resize: "resize",
    ir.Pad: "copy",
    ir.Copy: "copy",
    ir.Gather: "gather",
}
"""Instruction family of every kind that computes; the chip's operand table is by family."""

_ROLE_OF_SLOT = {"weight": "weight", "bias": "weight", "scale": "weight", "residual": "result"}


def slot_role(layer: ir.Layer, slot: int) -> str:
    """Role of an operand in the chip's operand table: feature, weight, result or accumulator."""
    name = layer.slots[slot] if slot < len(layer.slots) else "x"
    return "accumulator" if name == "accumulator" else _ROLE_OF_SLOT.get(name, "feature")


def memory_for(chip: Chip, layer: ir.Layer, role: str) -> str:
    """The memory that the chip prefers for an operand of this layer."""
    return chip.placement(FAMILY[type(layer)], role).memories[0]


def is_row_gather(layer: ir.Layer) -> bool:
    """Whether the layer is done by the DMA engine: rows of a table in DRAM, named by an index on chip."""
    return isinstance(layer, ir.Gather) and layer.axis == 0


def lane_axis(layer: ir.Layer, rank: int) -> int | None:
    """The output axis that runs along the lanes of the MAC array: output channels; None for others."""
    if isinstance(layer, ir.SpatialMacLayer):
        return 1
    return rank - 1 if isinstance(layer, ir.MatMul) else None


def axis_names(layer: ir.Layer, rank: int) -> list[str]:
    """Names of the output axes for people: batch, channels, rows, columns for pictures; else numbers."""
    lane = lane_axis(layer, rank)
    if rank == 4 and lane != rank - 1:
        return ["batch", "channels", "rows", "columns"]
    names = [f"axis{axis}" for axis in range(rank)]
    if lane is not None:
        names[lane] = "channels"
    return names


def uncut_axes(layer: ir.Layer, shapes: list[tuple[int, ...] | None]) -> tuple[int, ...]:
    """Output axes that a tile must hold whole."""
    match layer:
        case ir.Gather() if is_row_gather(layer):
            data, index = shapes
            assert data is not None and index is not None
            return tuple(range(len(index), len(index) + len(data) - 1))
        case ir.Softmax():
            return (layer.axis,)
        case ir.Normalise():
            return layer.axes
        case ir.LocalResponseNorm():
            return (1,)
        case _:
            return ()


def lane_step_allowed(layer: ir.Layer, channels: int, tile: int) -> bool:
    """Whether output channels may be cut into tiles of this many: whole channel groups, or inside one."""
    if not isinstance(layer, ir.SpatialMacLayer) or layer.groups == 1:
        return True
    per_group = channels // layer.groups
    return tile % per_group == 0 or per_group % tile == 0


def chunk_axes(layer: ir.Layer, shapes: list[tuple[int, ...] | None]) -> dict[int, int]:
    """Operand slot → its axis that is summed over and may be cut into chunks; empty if there is none."""
    match layer:
        case ir.Conv():
            return {0: 1, 1: 1}
        case ir.ConvTranspose():
            return {0: 1, 1: 0}
        case ir.MatMul():
            x, weight = shapes[0], shapes[1]
            assert x is not None and weight is not None
            return {0: len(x) - 1, 1: len(weight) - 2}
        case ir.Reduce() if layer.function.value not in ("log_sum_exp", "log_sum"):
            shape = shapes[0]
            assert shape is not None
            order = channels_last(len(shape))
            return {0: min(layer.axes, key=lambda axis: (shape[axis] == 1, order.index(axis)))}
        case _:
            return {}


def may_chunk(layer: ir.Layer, channels: int, lane_tile: int) -> bool:
    """Whether K-chunks are possible: a tile of a grouped convolution must lie inside one group."""
    if isinstance(layer, ir.SpatialMacLayer) and layer.groups > 1:
        return (channels // layer.groups) % lane_tile == 0
    return True


def accumulator_dtype(dtype: DType) -> DType:
    """Type of partial sums: f32 for floats (f64 stays), i32 for integers."""
    if dtype is DType.F64:
        return dtype
    return DType.F32 if dtype.is_float else DType.I32


def natural_order(layer: ir.Layer, slot: int, rank: int) -> tuple[int, ...]:
    """Order of axes in which a packed constant suits its layer.

    Weights of convolutions nest K…, IC, OC (M3: one row is the vector over the output channels).
    """
    if slot == 1 and isinstance(layer, ir.Conv):
        return (*range(2, rank), 1, 0)
    if slot == 1 and isinstance(layer, ir.ConvTranspose):
        return (*range(2, rank), 0, 1)
    if isinstance(layer, ir.Elementwise | ir.Normalise):
        return channels_last(rank)
    return tuple(range(rank))


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
    x = shapes[0]
    assert x is not None
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
            weight = shapes[1]
            assert weight is not None
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
    x = shapes[0]
    assert x is not None
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
    x, weight = (graph.types[str(t)].shape for t in graph.inputs_of(layer.name)[:2])
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

"""The work that is needed of a layer: products of the MAC array, operations of the vector unit.

A product or an operation counts if both of its sources exist and its result is needed: one with padding, or
with what a transposed convolution inserts, is no work.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from nnc.compiler import masks
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.regions.boxes import Shape
from nnc.compiler.ir.regions.window_taps import Ints, meetings, windows_of
from nnc.compiler.ir.required import required
from nnc.compiler.masks import Mask
from nnc.compiler.needed_elements import Indices, needed_operand
from nnc.compiler.target import layer_traits, layer_work
from nnc.isa.chip.description import Chip, rate_class
from nnc.isa.chip.rates import port_cycles, rate_of
from nnc.isa.integers import ceil_div
from nnc.isa.types import DType


def operations(layer: ir.Layer, out: Mask, source: Shape | None = None) -> int:
    """Operations for the elements of a result that a mask names, in units of the kind of layer.

    Args:
        source: shape of the source, outside of which is no work; None: all taps of windows count.
    """
    elements = masks.count(out)
    if isinstance(layer, ir.LocalResponseNorm):
        if source is None:
            return elements * (layer.size + 1)
        channels = masks.count_along(out, [axis for axis in range(out.ndim) if axis != 1]).reshape(-1)
        window = (layer.size, 1, 1, (layer.size - 1) // 2)
        return elements + int(meetings(channels, [window], source[1:2]).sum())
    if isinstance(layer, ir.Pool):
        if source is None:
            return elements * prod(layer.kernel)
        return int(meetings(masks.count_along(out, [0, 1]), windows_of(layer), source[2:]).sum())
    return elements


@dataclass(frozen=True, slots=True)
class Products:
    """The products of a layer that are needed.

    Attributes:
        dtype: decides the rate.
        sums: by tap of the kernel, pairs of an output channel and a pixel that need a product of it: not
            those for which it lies on padding.
        depth: products of each with a tap.
        channels: the most that one tile can have of them; pixels: likewise, by tap, with such a product.
        port_bytes: of the results, and of what is added to them.
        grouped: whether the depthwise rate serves them, too.
        weight_bits: of weights in blocks; 0: of others.
    """

    dtype: DType
    sums: Ints
    depth: int
    channels: int
    pixels: Ints
    port_bytes: int
    grouped: bool = False
    weight_bits: int = 0

    def least_cycles(self, chip: Chip) -> int:
        """Cycles in any tiles on any shapes of the array.

        A tile of c channels and p pixels takes ceil(c/a) · ceil(p/b) · depth cycles on a shape of a × b: if
        there are C channels and P pixels, c · p · depth / (min(a, C) · min(b, P)) at least.  This holds for
        each unit of the depth by itself, whichever taps a tile leaves out.
        """
        shapes = chip.compute.shapes_for(self.dtype, self.weight_bits)
        most = np.ones_like(self.pixels)
        for shape in shapes:
            across, along = reversed(shape) if chip.compute.map == "pixels" else shape
            most = np.maximum(most, min(across, self.channels) * np.minimum(along, self.pixels))
        cycles = self.depth * int((-(-self.sums // most)).sum())
        if self.grouped:
            fastest = max(int(most.max()), chip.compute.depthwise.get(rate_class(self.dtype), 0))
            cycles = ceil_div(self.count, fastest)
        return max(cycles, port_cycles(chip, self.port_bytes))

    def peak_cycles(self, chip: Chip) -> int:
        """Cycles at the peak rate of one core."""
        rate = layer_work.peak_macs(chip, self.dtype, self.weight_bits)
        if self.grouped:
            rate = max(rate, chip.compute.depthwise.get(rate_class(self.dtype), 0))
        return ceil_div(self.count, rate)

    @property
    def count(self) -> int:
        """Multiply-accumulates."""
        return int(self.sums.sum()) * self.depth


def _steps_of(graph: Graph, layer: ir.Recurrence, out: Mask) -> tuple[int, int]:
    """Needed pairs of a step and a sequence of a recurrence, and the sequences that need any step."""
    needed = needed_operand(graph, layer, 0, out, Indices(graph))[:, :, :1]
    return masks.count(needed), int(needed.any(axis=0).sum())


def least_function_cycles(chip: Chip, graph: Graph, layer: ir.Recurrence, out: Mask) -> int:
    """Cycles of the vector unit for the needed steps of a recurrence, in any tiles."""
    steps, _ = _steps_of(graph, layer, out)
    rate = rate_of(
        chip.compute.elementwise, graph.types[graph.output_of(layer.name)].dtype, "the vector unit"
    )
    return ceil_div(steps * out.shape[2] * layer.cell.operations, rate)


def _of_recurrence(graph: Graph, layer: ir.Recurrence, out: Mask) -> Products:
    """A product of the state in every step and sequence; the first one has none if there is no state yet."""
    steps, sequences = _steps_of(graph, layer, out)
    if graph.operand(layer.name, layer.slots.index("hidden")) is None:
        steps -= sequences
    dtype, hidden = graph.types[graph.output_of(layer.name)].dtype, out.shape[2]
    channels = layer.cell.gates * hidden
    return Products(dtype, np.array([steps * channels]), hidden, channels, np.array([sequences]), 0)


def products_of(graph: Graph, layer: ir.MacLayer | ir.Recurrence, out: Mask) -> Products:
    """The products behind the needed elements of a layer's result."""
    if isinstance(layer, ir.Recurrence):
        return _of_recurrence(graph, layer, out)
    types = [None if t is None else graph.types[t] for t in graph.inputs_of(layer.name)]
    source, weight = required(types[0]), required(types[1]).shape
    dtype = source.dtype
    residual = graph.operand(layer.name, ir.MacLayer.slots.index("residual"))
    through_port = [tensor for tensor in (graph.output_of(layer.name), residual) if tensor is not None]
    elements = masks.count(out)
    port_bytes = sum(elements * graph.types[tensor].dtype.itemsize for tensor in through_port)
    channel = required(layer_traits.lane_axis(layer, out.ndim))
    others = tuple(axis for axis in range(out.ndim) if axis != channel)
    channels = masks.count(masks.any_along(out, others))
    if isinstance(layer, ir.MatrixProduct):
        together = [n for n, extent in zip(out.shape[-3::-1], weight[-3::-1], strict=False) if extent == 1]
        together += out.shape[-3 - len(weight[:-2]) :: -1]
        pixels = min(masks.count(masks.any_along(out, (channel,))), prod(together) * out.shape[-2])
        depth = source.shape[-1]
        sums, most, bits = np.array([elements]), np.array([pixels]), layer_work.weight_bits(layer)
        return Products(dtype, sums, depth, channels, most, port_bytes, weight_bits=bits)
    assert isinstance(layer, ir.SpatialMacLayer)
    of_a_group = min(channels, out.shape[channel] // layer.groups)
    results = [masks.count_along(mask, (0, 1)) for mask in (out, masks.any_along(out, (channel,)))]
    windows, pictures = windows_of(layer), source.shape[2:]
    if isinstance(layer, ir.Conv):
        sums, pixels = (meetings(counts, windows, pictures) for counts in results)
        return Products(dtype, sums, weight[1], of_a_group, pixels, port_bytes, layer.groups > 1)
    # Pixels of the source meet every tap: as many as have so many products.
    sums = meetings(results[0], windows, pictures, transposed=True).sum(keepdims=True) // prod(layer.kernel)
    pixels = np.array([needed_operand(graph, layer, 0, out, Indices(graph)).any(axis=channel).sum()])
    depth = prod(layer.kernel) * weight[0] // layer.groups
    return Products(dtype, sums, depth, of_a_group, pixels, port_bytes, layer.groups > 1)

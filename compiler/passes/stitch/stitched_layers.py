"""A layer of the network on stitched pictures.

A layer whose windows reach over an edge gets its pictures padded first, so that it has no padding itself.
With stride 1 it then runs over all rows as one run of pixels (rows merged): its windows are rows of
overlapping slices of that run.  Outputs between pictures mean nothing; nobody reads them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.ir.windows import window_reach
from nnc.compiler.passes.stitch.pictures import Border, Stitched, Writer
from nnc.compiler.passes.stitch.region import Region, Windowed
from nnc.isa.functions import Function, PoolFunction
from nnc.isa.types import DType

_NO_BORDER = Border(0, 0, 0, 0)


class StitchWriter:
    """Writes the layers of a region for some of the pictures."""

    def __init__(self, graph: Graph, region: Region, number: int, first: int, count: int) -> None:
        """Args:
        number: of the stitch; first, count: its pictures.
        """
        self._graph, self._region = graph, region
        self._number, self._first, self._count = number, first, count
        self._made: dict[str, Stitched] = {}
        self._padded: dict[tuple[str, Border, float], Stitched] = {}
        self._batches: dict[str, str] = {}

    def write(self, layer: ir.Layer) -> None:
        """Add what computes a layer of the region."""
        writer = Writer(self._graph, layer, self._number)
        match layer:
            case ir.Conv() | ir.Pool():
                made = self._windowed(writer, layer)
            case ir.Elementwise():
                made = self._elementwise(writer, layer)
            case _:
                made = self._concat(writer, layer)
        self._made[self._graph.output_of(layer.name)] = made

    def unstitched(self, tensor: str) -> str:
        """The pictures of a result as a batch."""
        layer = required(self._graph.producer(tensor))
        return Writer(self._graph, layer, self._number).unstitched(self._made[tensor])

    # --- operands --------------------------------------------------------------------------------------

    def _pitch(self, tensor: str) -> int:
        return self._region.pitch // self._region.scales[tensor]

    def _pictures(self, writer: Writer, tensor: str) -> Stitched:
        """The pictures of a tensor of the region, side by side."""
        if tensor not in self._made:
            self._made[tensor] = self._entered(writer, tensor, _NO_BORDER, 0.0)
        return self._made[tensor]

    def _entered(self, writer: Writer, tensor: str, border: Border, value: float) -> Stitched:
        """The pictures of a network input."""
        return writer.stitched(self._batch(writer, tensor), self._pitch(tensor), border, value)

    def _batch(self, writer: Writer, tensor: str) -> str:
        """The pictures of this stitch in a network input."""
        shape = self._graph.types[tensor].shape
        if self._count == shape[0]:
            return tensor
        if tensor not in self._batches:
            start, box = (self._first, 0, 0, 0), (self._count, *shape[1:])
            self._batches[tensor] = writer.add(ir.Slice, tensor, start=start, step=(1, 1, 1, 1), shape=box)
        return self._batches[tensor]

    def _bordered(self, writer: Writer, tensor: str, border: Border, value: float) -> Stitched:
        """The pictures of a tensor with padding around each."""
        if not border:
            return self._pictures(writer, tensor)
        key = tensor, border, value
        if key not in self._padded:
            if tensor in self._made:
                made = writer.padded(self._made[tensor], self._pitch(tensor), border, value)
            else:
                made = self._entered(writer, tensor, border, value)
            self._padded[key] = made
        return self._padded[key]

    def _in_frame(self, writer: Writer, pictures: Stitched, row: int, length: int, tensor: str) -> str:
        """Pictures [1, C, length] with rows so far apart; moved if theirs are not."""
        run = pictures.tensor
        if pictures.row != row:
            whole = writer.padded(pictures, self._pitch(tensor), _NO_BORDER, 0.0)
            run = whole.tensor
            if whole.row != row:  # rows that end with the last picture
                rows = writer.add(ir.Copy, writer.unfold(run, 2, whole.height, row, whole.row))
                run = writer.reshape(rows, 1, writer.shape(rows)[1], whole.height * row)
        return writer.from_element(run, 0, length)

    # --- layers ----------------------------------------------------------------------------------------

    def _windowed(self, writer: Writer, layer: Windowed) -> Stitched:
        graph = self._graph
        operands = graph.inputs_of(layer.name)
        tensor, out = required(operands[0]), graph.output_of(layer.name)
        height, width = graph.types[out].shape[2:]
        reach = window_reach(layer.kernel, layer.dilation)
        border = _border(layer, graph.types[tensor].shape, (height, width), reach)
        source = self._bordered(writer, tensor, border, identity(layer, graph.types[tensor].dtype))
        pitch = self._pitch(tensor) // layer.stride[1]
        merged = layer.stride == (1, 1)
        line = (self._count - 1) * pitch + width
        if merged:
            result = Stitched("", self._count, height, width, pitch, source.row)
            windows = self._merged_rows(writer, layer, source, result, reach)
            dilation, lines = (1, layer.dilation[1]), 1
        else:
            result = Stitched("", self._count, height, width, pitch, line)
            rows = (height - 1) * layer.stride[0] + reach[0]
            columns = (line - 1) * layer.stride[1] + reach[1]
            windows = writer.unfold(source.tensor, 2, rows, columns, source.row)
            dilation, lines = (layer.dilation[0], layer.dilation[1]), height
        shown = replace(layer, dilation=dilation, pad_begin=(0, 0), pad_end=(0, 0))
        shape = (lines, result.length // lines)
        computed = self._computed(writer, shown, windows, operands, result, shape)
        channels = writer.shape(computed)[1]
        result = replace(result, tensor=writer.reshape(computed, 1, channels, result.length))
        if isinstance(layer, ir.Pool) and layer.function is PoolFunction.AVERAGE:
            return self._average(writer, layer, result, graph.types[tensor].shape[2:])
        return result

    def _merged_rows(
        self, writer: Writer, layer: Windowed, source: Stitched, result: Stitched, reach: tuple[int, ...]
    ) -> str:
        """All rows as one run: a slice of the pictures per row of the kernel."""
        size = result.length + reach[1] - 1
        if layer.kernel[0] == 1:
            run = writer.from_element(source.tensor, 0, size)
            return writer.reshape(run, 1, writer.shape(run)[1], 1, size)
        return writer.unfold(source.tensor, 2, layer.kernel[0], size, source.row * layer.dilation[0])

    def _computed(
        self,
        writer: Writer,
        shown: Windowed,
        windows: str,
        operands: tuple[str | None, ...],
        result: Stitched,
        shape: tuple[int, int],
    ) -> str:
        """The layer on its windows; a residual is seen as the result is."""
        if isinstance(shown, ir.Pool):
            averages = shown.function is PoolFunction.AVERAGE
            return writer.repeat(replace(shown, ceil=False, count_pad=averages), windows)
        others = list(operands[1:])
        if len(others) > 2 and others[2] is not None:
            name = required(others[2])
            residual = self._pictures(writer, name)
            run = self._in_frame(writer, residual, result.row, result.length, name)
            others[2] = writer.reshape(run, 1, writer.shape(run)[1], *shape)
        return writer.repeat(shown, windows, *others)

    def _average(self, writer: Writer, layer: ir.Pool, result: Stitched, shape: tuple[int, ...]) -> Stitched:
        """Averages over whole windows, times area / elements that count."""
        area = layer.kernel[0] * layer.kernel[1]
        counts = np.multiply.outer(
            *(
                _counts(layer, axis, shape[axis], out)
                for axis, out in enumerate((result.height, result.width))
            )
        )
        if (counts == area).all():
            return result
        factors = np.ones((result.height, result.row))
        for picture in range(result.count):
            first = picture * result.pitch
            factors[:, first : first + result.width] = area / counts
        dtype = self._graph.types[result.tensor].dtype
        run = factors.reshape(1, 1, -1)[:, :, : result.length].astype(dtype.numpy)
        factor = self._graph.add_constant(f"{layer.name}.s{self._number}.factor", run)
        scaled = writer.add(ir.Elementwise, result.tensor, factor, function=Function.MUL)
        return replace(result, tensor=scaled)

    def _elementwise(self, writer: Writer, layer: ir.Elementwise) -> Stitched:
        operands = self._graph.inputs_of(layer.name)
        inside = [required(t) for t in operands if t in self._region.scales]
        pictures = [self._pictures(writer, tensor) for tensor in inside]
        runs = dict(zip(inside, self._same_frame(writer, inside, pictures), strict=True))
        values = [runs[t] if t in runs else self._constant(required(t)) for t in operands if t is not None]
        return replace(self._frame(pictures), tensor=writer.repeat(layer, *values))

    def _concat(self, writer: Writer, layer: ir.Layer) -> Stitched:
        inside = [required(tensor) for tensor in self._graph.inputs_of(layer.name)]
        pictures = [self._pictures(writer, tensor) for tensor in inside]
        runs = self._same_frame(writer, inside, pictures)
        return replace(self._frame(pictures), tensor=writer.repeat(layer, *runs))

    @staticmethod
    def _frame(pictures: list[Stitched]) -> Stitched:
        """The pictures whose rows are closest: all others can be brought to that."""
        return min(pictures, key=lambda picture: picture.row)

    def _same_frame(self, writer: Writer, tensors: list[str], pictures: list[Stitched]) -> list[str]:
        frame = self._frame(pictures)
        pairs = zip(tensors, pictures, strict=True)
        return [self._in_frame(writer, made, frame.row, frame.length, name) for name, made in pairs]

    def _constant(self, tensor: str) -> str:
        """A constant that is the same for all pixels, for [1, C, length]."""
        value = self._graph.constants[tensor]
        if value.ndim < 3:
            return tensor
        return self._graph.add_constant(f"{tensor}.stitched", value.reshape(1, value.shape[-3], 1))


def _border(
    layer: Windowed, shape: tuple[int, ...], outputs: tuple[int, ...], reach: tuple[int, ...]
) -> Border:
    """Rows and columns outside the pictures that windows read."""
    ends = [
        max(
            0,
            (outputs[axis] - 1) * layer.stride[axis] + reach[axis] - layer.pad_begin[axis] - shape[axis + 2],
        )
        for axis in range(2)
    ]
    return Border(layer.pad_begin[0], ends[0], layer.pad_begin[1], ends[1])


def identity(layer: Windowed, dtype: DType) -> float:
    """What padding holds: the value that changes nothing."""
    if isinstance(layer, ir.Conv):
        return float(getattr(layer, "src_zero", 0))
    if layer.function is PoolFunction.AVERAGE:
        return 0.0
    return float("-inf") if dtype.is_float else float(np.iinfo(str(dtype.numpy)).min)


def _counts(layer: ir.Pool, axis: int, extent: int, outputs: int) -> npt.NDArray[np.int64]:
    """Elements that count, per window along an axis."""
    first = np.arange(outputs) * layer.stride[axis] - layer.pad_begin[axis]
    taps = first[:, None] + np.arange(layer.kernel[axis]) * layer.dilation[axis]
    low, high = (-layer.pad_begin[axis], extent + layer.pad_end[axis]) if layer.count_pad else (0, extent)
    return np.asarray(((taps >= low) & (taps < high)).sum(axis=1))

"""Stitched pictures as a tensor, and the views and paddings of them that layers read.

Of every channel, pictures lie side by side, row behind row, in one vector: [1, C, length].  Element (y, x)
of picture i is number y · row + i · pitch + x.  Columns between pictures hold anything, until a layer whose
windows reach there gets them padded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.inference.infer import infer
from nnc.isa.functions import PadMode
from nnc.isa.types import DType


@dataclass(frozen=True, slots=True)
class Stitched:
    """A tensor [1, C, length] of pictures side by side.

    Attributes:
        count: pictures; height, width: of each.
        pitch: columns from one picture to the next; row: elements from one row to the next.
    """

    tensor: str
    count: int
    height: int
    width: int
    pitch: int
    row: int

    @property
    def line(self) -> int:
        """Columns from the first of the first picture to the last of the last."""
        return (self.count - 1) * self.pitch + self.width

    @property
    def length(self) -> int:
        """Elements per channel that must be there."""
        return (self.height - 1) * self.row + self.line

    @property
    def frame(self) -> tuple[int, ...]:
        """What must be the same for element-wise layers of several operands."""
        return self.count, self.height, self.width, self.pitch, self.row


@dataclass(frozen=True, slots=True)
class Border:
    """Rows and columns of padding around each picture."""

    top: int
    bottom: int
    left: int
    right: int

    def __bool__(self) -> bool:
        return bool(self.top or self.bottom or self.left or self.right)


class Writer:
    """Adds layers to a graph, named after the layer that they belong to."""

    def __init__(self, graph: Graph, source: ir.Layer, number: int) -> None:
        """Args:
        source: the layer of the network; number: of the stitch.
        """
        self.graph = graph
        self._source, self._number = source, number

    def add(self, kind: type[ir.Layer], *operands: str | None, **attributes: Any) -> str:
        """Add a layer; returns its result."""
        name = self.graph.fresh(f"{self._source.name}.s{self._number}.{kind.kind}")
        return self._put(kind(name=name, loc=self._source.loc, **attributes), operands)

    def repeat(self, layer: ir.Layer, *operands: str | None) -> str:
        """Add a layer like that of the network, with a result of the same element type."""
        name = self.graph.fresh(f"{self._source.name}.s{self._number}")
        dtype = self.graph.types[self.graph.output_of(self._source.name)].dtype
        return self._put(replace(layer, name=name), operands, dtype)

    def _put(self, layer: ir.Layer, operands: Sequence[str | None], dtype: DType | None = None) -> str:
        types = [None if tensor is None else self.graph.types[tensor] for tensor in operands]
        tile = None
        if isinstance(layer, ir.Pad):
            extents = zip(layer.src_extent, layer.begin, layer.end, strict=True)
            tile = tuple(n + a + b for n, a, b in extents)
        self.graph.add(layer, operands, [layer.name], [infer(layer, types, dtype=dtype, tile=tile)])
        return layer.name

    # --- views -----------------------------------------------------------------------------------------

    def reshape(self, tensor: str, *shape: int) -> str:
        """The tensor with another shape."""
        if self.shape(tensor) == shape:
            return tensor
        order = tuple(range(len(self.shape(tensor))))
        return self.add(ir.Reshape, tensor, shape=shape, order=order)

    def from_element(self, tensor: str, first: int, length: int) -> str:
        """Elements of [1, C, n] from one on."""
        batch, channels, extent = self.shape(tensor)
        if (first, length) == (0, extent):
            return tensor
        return self.add(
            ir.Slice, tensor, start=(0, 0, first), step=(1, 1, 1), shape=(batch, channels, length)
        )

    def unfold(self, tensor: str, axis: int, count: int, size: int, step: int) -> str:
        """Slices of an axis."""
        return self.add(ir.Unfold, tensor, axis=axis, count=count, size=size, step=step)

    def shape(self, tensor: str) -> tuple[int, ...]:
        """Shape of a tensor."""
        return self.graph.types[tensor].shape

    # --- pictures --------------------------------------------------------------------------------------

    def pictures_apart(self, pictures: Stitched) -> str:
        """[1, C, H, N, W]: the pictures without what lies between them."""
        rows = self.unfold(pictures.tensor, 2, pictures.height, pictures.line, pictures.row)
        return self.unfold(rows, 3, pictures.count, pictures.width, pictures.pitch)

    def unstitched(self, pictures: Stitched) -> str:
        """[N, C, H, W], a view."""
        apart = self.pictures_apart(pictures)
        _, channels, height, count, width = self.shape(apart)
        batch = self.reshape(apart, channels, height, count, width)
        return self.add(ir.Transpose, batch, perm=(2, 0, 1, 3))

    def stitched(self, batch: str, pitch: int, border: Border, value: float) -> Stitched:
        """Pictures [N, C, H, W] side by side, with padding around each."""
        count, channels, height, width = self.shape(batch)
        turned = self.add(ir.Transpose, batch, perm=(1, 2, 0, 3))
        apart = self.reshape(turned, 1, channels, height, count, width)
        return self._padded(apart, pitch, border, value)

    def padded(self, pictures: Stitched, pitch: int, border: Border, value: float) -> Stitched:
        """The same pictures with a value around each: only what belongs to them is read."""
        return self._padded(self.pictures_apart(pictures), pitch, border, value)

    def _padded(self, apart: str, pitch: int, border: Border, value: float) -> Stitched:
        """Padding that two neighbours share; the last picture's may reach into one more row."""
        _, channels, height, count, width = self.shape(apart)
        bottom = border.bottom + (border.left + width + border.right > pitch)
        shape = (1, channels, height, count, width)
        padded = self.add(
            ir.Pad,
            apart,
            mode=PadMode.CONSTANT,
            value=value,
            begin=(0, 0, border.top, 0, border.left),
            end=(0, 0, bottom, 0, pitch - width - border.left),
            origin=(0,) * 5,
            src_origin=(0,) * 5,
            src_extent=shape,
        )
        rows = border.top + height + bottom
        tensor = self.reshape(padded, 1, channels, rows * count * pitch)
        return Stitched(tensor, count, height, width, pitch, count * pitch)

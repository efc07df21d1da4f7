"""Pitch of stitched pictures: how far it is from one picture to the next, and so how wide the gap between.

pictures 7 wide, kernel 3, stride 1, one column of padding on either side     pitch 8 = 7 + 1
the same with stride 2: windows must start at the same column of every one    pitch 8 = 7 + 1
28 wide, then stride 2 (a pool), then kernel 3 padded again, on 14            pitch 30 and 15

The gap is padding for the picture before it and for the one behind it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import lcm

from nnc.isa.integers import ceil_div


@dataclass(frozen=True, slots=True)
class RowWindow:
    """Windows of a layer along the rows of its pictures, in columns.

    Attributes:
        width: of a picture.
        reach: columns that a window spans, (kernel − 1) · dilation + 1.
        stride: from one window to the next.
        pad: columns of padding before the first.
        outputs: windows per row.
        scale: product of the strides of the layers before it in a chain.
    """

    width: int
    reach: int
    stride: int
    pad: int
    outputs: int
    scale: int = 1

    @property
    def overhang(self) -> int:
        """Columns behind the picture that its last window reads."""
        return max(0, (self.outputs - 1) * self.stride + self.reach - self.pad - self.width)

    @property
    def need(self) -> int:
        """Columns of padding that a picture needs next to it, before or behind."""
        return max(self.pad, self.overhang)


def least_gap(window: RowWindow) -> int:
    """The least gap of a layer alone: g ≥ need with (width + g) a multiple of the stride."""
    return chain_pitch([window]) - window.width


def chain_pitch(windows: Iterable[RowWindow]) -> int:
    """The least pitch of the first picture of a chain that suits all its layers.

    Before a layer whose pictures have shrunk by S, pictures are pitch / S apart: that must be whole, a
    multiple of the layer's stride, and leave room for the picture, its padding and its results.
    """
    step, least = 1, 1
    for window in windows:
        step = lcm(step, window.scale * window.stride)
        columns = max(window.width + window.need, window.outputs * window.stride)
        least = max(least, columns * window.scale)
    return ceil_div(least, step) * step


def pictures_of_a_vector(lanes: int, pitch: int) -> int:
    """How many pictures fit side by side in one vector, at least one (N0, the source's choice)."""
    return max(1, lanes // pitch)


@dataclass(frozen=True, slots=True)
class Filling:
    """How output pixels of stitched pictures fill the lanes.

    Attributes:
        pixels: outputs that belong to pictures.
        vectors: vectors that compute them, per tap and channel; alone: without stitching.
        lanes: of a vector.
    """

    pixels: int
    vectors: int
    alone: int
    lanes: int

    @property
    def utilisation(self) -> float:
        """Share of the lanes that compute outputs of pictures."""
        return self.pixels / (self.vectors * self.lanes)


def filling(
    pictures: int, rows: int, columns: int, pitch: int, lanes: int, *, merged: bool, alone_merged: bool
) -> Filling:
    """The vectors of a layer by the chip's price for runs of pixels.

    Args:
        pictures: side by side.
        rows, columns: of a picture of the result.
        pitch: from one to the next in the result.
        lanes: of a vector.
        merged: whether rows follow each other as one run; else each row fills vectors of its own.
        alone_merged: whether the rows of a picture alone do.
    """
    line = (pictures - 1) * pitch + columns
    runs = (1, (rows - 1) * pictures * pitch + line) if merged else (rows, line)
    alone = ceil_div(rows * columns, lanes) if alone_merged else rows * ceil_div(columns, lanes)
    return Filling(
        pixels=pictures * rows * columns,
        vectors=runs[0] * ceil_div(runs[1], lanes),
        alone=pictures * alone,
        lanes=lanes,
    )

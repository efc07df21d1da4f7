"""Groups of pixels of a fully connected layer (M5): how its features go through ORAM, piece by piece.

Features are stored N, D, H, W, 32 with D = ceil(channels / 32), one picture after the other, without gaps.  A
*pixel* is 32 channels of one place: 32 * bits / 8 bytes.  The layer is one vector of pixels, of which a group
is loaded, multiplied and added to the sums at a time; addresses just advance.

    3 x 3 x 256 channels of 8 bits, 640 KiB:    [1, 8, 3, 3, 32], 72 pixels of 32 B, one group of 2304 B
    3 x 3 x 8192, 2880 B:                       2304 pixels, 26 groups of 90, the last of 54
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm

from nnc.isa.integers import ceil_div, round_up

PIXEL_CHANNELS = 32
"""Channels of a pixel: C of the shape N, D, H, W, C."""


@dataclass(frozen=True, slots=True)
class PixelGroups:
    """The groups of one layer, with the names of the method.

    Attributes:
        depth, height, width: D, H and W of the features.
        pixel: bytes of a pixel.
        most: max_pixel_num, the most pixels of a group: multiples of `quantum`, so that groups start aligned.
        unit: bytes in whole multiples of which the DMA moves data.
    """

    depth: int
    height: int
    width: int
    pixel: int
    most: int
    unit: int

    @staticmethod
    def of(
        channels: int, height: int, width: int, *, bits: int, feature_bytes: int, unit: int = 64
    ) -> PixelGroups:
        """Groups for which the features of a picture take at most `feature_bytes` (multiples of a unit).

        Args:
            channels: of the picture (IC); the last pixels of each place have pad channels if 32 does not
                divide it.

        Raises:
            ValueError: the least group takes more.
        """
        pixel = PIXEL_CHANNELS * bits // 8
        quantum = lcm(unit, pixel) // pixel
        most = feature_bytes // pixel // quantum * quantum
        if most < 1:
            raise ValueError(f"{feature_bytes} B hold no group: the least is {quantum * pixel} B")
        return PixelGroups(ceil_div(channels, PIXEL_CHANNELS), height, width, pixel, most, unit)

    @property
    def shape(self) -> tuple[int, int, int, int, int]:
        """Shape of the features of a picture: N, D, H, W, C."""
        return (1, self.depth, self.height, self.width, PIXEL_CHANNELS)

    @property
    def pixels(self) -> int:
        """pixel_num: pixels of a picture."""
        return self.depth * self.height * self.width

    @property
    def quantum(self) -> int:
        """The least number of pixels that takes whole units."""
        return lcm(self.unit, self.pixel) // self.pixel

    @property
    def count(self) -> int:
        """group_num."""
        return ceil_div(self.pixels, self.most)

    @property
    def each(self) -> int:
        """mac_pixel: pixels of a group."""
        return min(self.pixels, self.most)

    @property
    def last(self) -> int:
        """Pixels of the last group."""
        return self.pixels % self.most or self.most

    @property
    def load_bytes(self) -> tuple[int, ...]:
        """DMA bytes of the features of every group, whole units."""
        full = round_up(self.each * self.pixel, self.unit)
        return (*[full] * (self.count - 1), round_up(self.last * self.pixel, self.unit))

    def __str__(self) -> str:
        """Such as "fc 72 pixels of 32 B = [1,8,3,3,32], 1 group of 72, 2304 B"."""
        shape = ",".join(map(str, self.shape))
        said = f"fc {self.pixels} pixel{'s' * (self.pixels > 1)} of {self.pixel} B = [{shape}], "
        if self.count == 1:
            return f"{said}1 group of {self.each}, {self.load_bytes[0]} B"
        moved = f"{self.count - 1} x {self.load_bytes[0]} + {self.load_bytes[-1]} B"
        return f"{said}{self.count} groups of {self.each}, the last of {self.last}, {moved}"

    def to_json(self) -> dict[str, object]:
        """The figures as plain data."""
        return {
            "shape": list(self.shape),
            "pixel_bytes": self.pixel,
            "pixels": self.pixels,
            "max_pixels": self.most,
            "groups": self.count,
            "group_pixels": self.each,
            "last_pixels": self.last,
            "load_bytes": list(self.load_bytes),
        }

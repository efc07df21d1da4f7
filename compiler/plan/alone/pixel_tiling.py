"""Tilings of a fully connected layer by method M5: chunks of the sum are groups of pixels.

in:   a layer, the features that it flattens, what the user gives the features
out:  priced tilings whose features and weights of a group, and sums, fit the memories; largest groups first

    [1, 2304] f32 times [2304, 10], 64 KiB for a group's features in FRAM:  a chunk of all 72 pixels
    OC in blocks only where the weights of the least group do not fit for all of it

Loads of a group run while the one before is copied and computes: where they arrive, there is space for both
if the least group allows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import lcm

from nnc.compiler.errors import CapacityError
from nnc.compiler.ir.required import required
from nnc.compiler.plan.alone.layer_alone import Candidate
from nnc.compiler.plan.alone.tile_price import PricedTiling
from nnc.compiler.plan.alone.tiled_layer import TiledLayer
from nnc.compiler.plan.alone.tiling import Tiling
from nnc.compiler.target.fully_connected import Features
from nnc.compiler.target.pixel_groups import PIXEL_CHANNELS, PixelGroups
from nnc.compiler.tuning import TUNING
from nnc.isa.errors import OptionError
from nnc.isa.integers import ceil_div, round_up


def pixel_candidates(layer: TiledLayer, features: Features, fc_oram: int | None) -> tuple[Candidate, ...]:
    """Tilings in groups of pixels, the preferred one first; none if the least group does not fit.

    Args:
        features: channels, height and width of what the layer flattens.
        fc_oram: bytes that the features of a picture may take in a group; None: the most that fit.

    Raises:
        OptionError: the bytes hold no group.
        CapacityError: the memories do not hold a group of so many.
    """
    found = _PixelTilings(layer, features)
    if fc_oram is None:
        return found.largest(ahead=True) or found.largest(ahead=False)
    groups = found.groups_of(fc_oram)
    for ahead in (True, False):
        for tile in found.tiles():
            if found.fits(tile, groups, ahead=ahead):
                return (found.priced(tile, groups),)
    raise CapacityError(
        f"--fc-oram: features, weights and sums of a group of {groups.each} pixels do not fit the memories",
        where=f"{layer.layer.loc} on chip {layer.chip.name}",
        found=f"--fc-oram {fc_oram}",
        remedy="give fewer bytes, or leave the option out for the most that fit",
    )


class _PixelTilings:
    """The tilings of one layer: tiles of the result, groups of pixels."""

    def __init__(self, layer: TiledLayer, features: Features) -> None:
        self._layer, self._features = layer, features
        self._bits = 8 * required(layer.operands[0]).type.dtype.itemsize

    def groups_of(self, feature_bytes: int) -> PixelGroups:
        """The groups whose features take so many bytes.

        Raises:
            OptionError: they hold no group.
        """
        channels, height, width = self._features
        unit = self._layer.chip.transfer_unit
        try:
            return PixelGroups.of(
                channels, height, width, bits=self._bits, feature_bytes=feature_bytes, unit=unit
            )
        except ValueError as error:
            where = f"{self._layer.layer.loc} on chip {self._layer.chip.name}"
            raise OptionError(
                f"--fc-oram: {error}",
                where=where,
                found=str(feature_bytes),
                remedy="leave --fc-oram out, or give more bytes",
            ) from error

    def tiles(self) -> Iterator[tuple[int, int]]:
        """Tiles of the result, [pictures, output channels]: all of it first, then in blocks of channels."""
        rows, columns = self._layer.out.shape
        row_step, column_step = self._layer.quanta
        for row in _sizes(rows, row_step):
            for column in _sizes(columns, lcm(column_step, PIXEL_CHANNELS)):
                yield row, column

    def tiling(self, tile: tuple[int, int], groups: PixelGroups) -> Tiling:
        """A tiling; the next group is loaded while this one computes."""
        chunk = groups.each * PIXEL_CHANNELS if groups.count > 1 else None
        return Tiling(tile, (0, 1), chunk, True, pixels=groups)

    def priced(self, tile: tuple[int, int], groups: PixelGroups) -> Candidate:
        """Traffic and cycles."""
        return PricedTiling.of(self._layer, self.tiling(tile, groups)).candidate(self._layer.chip)

    def fits(self, tile: tuple[int, int], groups: PixelGroups, *, ahead: bool) -> bool:
        """Whether the memories hold a group, and, if it is loaded ahead, its successor where that arrives."""
        chip, priced = self._layer.chip, PricedTiling.of(self._layer, self.tiling(tile, groups))
        demand = priced.demand(double=False)
        for mine in priced.loads:
            if ahead and mine.changes and len(mine.operand.homes) > 1:
                memory = mine.operand.homes[-1]
                demand[memory] += round_up(mine.on_chip, chip.block_align(memory))
        return all(need <= chip.memory[memory].bytes for memory, need in demand.items())

    def largest(self, *, ahead: bool) -> tuple[Candidate, ...]:
        """The largest groups that fit, in the first tiles for which any does; then groups of half as many.

        Last come tiles that leave room for the next result beside one that is being stored.
        """
        least = self.groups_of(lcm(self._layer.chip.transfer_unit, PIXEL_CHANNELS * self._bits // 8))
        steps = ceil_div(least.pixels, least.quantum)
        for tile in self.tiles():
            if not self.fits(tile, least, ahead=ahead):
                continue
            low, high = 1, steps
            while low < high:  # the largest number of quanta that fits
                middle = (low + high + 1) // 2
                if self.fits(tile, self._groups(middle, least), ahead=ahead):
                    low = middle
                else:
                    high = middle - 1
            sizes = dict.fromkeys(max(1, low >> halvings) for halvings in range(TUNING.tiles.pixel_halvings))
            found = [(tile, self._groups(size, least)) for size in sizes]
            found += islice(((mine, least) for mine in self.tiles() if self._has_room(mine, least)), 1)
            return tuple(self.priced(*mine) for mine in dict.fromkeys(found))
        return ()

    def _has_room(self, tile: tuple[int, int], groups: PixelGroups) -> bool:
        """Whether the memories hold two of all that changes."""
        chip, demand = (
            self._layer.chip,
            PricedTiling.of(self._layer, self.tiling(tile, groups)).demand(double=True),
        )
        return all(need <= chip.memory[memory].bytes for memory, need in demand.items())

    def _groups(self, quanta: int, least: PixelGroups) -> PixelGroups:
        return self.groups_of(quanta * least.quantum * least.pixel)


def _sizes(extent: int, step: int) -> list[int]:
    """Extents of about even cuts in multiples of a step, the whole first."""
    cut = {round_up(ceil_div(extent, count), step) for count in TUNING.tiles.pixel_cuts}
    return [extent, *sorted((size for size in cut if size < extent), reverse=True)]

"""The steps of one core as they come, for a layer with two buffers, and slices of its tiles."""

from __future__ import annotations

from dataclasses import replace

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.compiler.plan.step import Keyed, Load, Step, Tile, View

Key = tuple[object, ...]
Vector = tuple[int, ...]


class StepList:
    """Steps with keys that are the same on all cores.

    Attributes:
        suffix: of the names of what is this core's own; empty if it works alone.
        part: of the steps that are added now.
    """

    def __init__(self, layer: ir.Layer, core: int, suffix: str) -> None:
        self.core, self.suffix, self.part = core, suffix, 0
        self.steps: Keyed = []
        self._layer = layer
        self._views: dict[str, Tile] = {}

    def add(self, key: Key, step: Step) -> None:
        """Enter a step; the key tells it from the others of its class."""
        self.steps.append(((type(step), *key), step))

    def load(self, key: Key, tile: Tile, receivers: tuple[int, ...] = ()) -> None:
        """Load a tile from its tensor, for several cores if receivers are named."""
        step = Load(part=self.part, core=self.core, loc=self._layer.loc, tile=tile, receivers=receivers)
        self.add(key, step)

    def slice(self, tile: Tile, low: Vector, axis: int, extent: int, key: Key) -> Tile:
        """A tile without some of its elements along an axis: a view.

        Args:
            low: its first element in its tensor.
            key: the same for all slices that are made of the same tile.
        """
        shape = (*tile.type.shape[:axis], extent, *tile.type.shape[axis + 1 :])
        if shape == tile.type.shape:
            return tile
        stem = tile.name.removesuffix(self.suffix)
        name = f"{stem}.{'nchw'[axis]}{low[axis]}-{low[axis] + extent - 1}{self.suffix}"
        if name not in self._views:
            start = tuple(a - b for a, b in zip(low, tile.low, strict=True))
            offset = tile.offset + sum(a * b for a, b in zip(start, tile.strides, strict=True))
            out = replace(tile, name=name, low=low, type=TensorType(tile.type.dtype, shape), offset=offset)
            ones = (1,) * len(shape)
            layer = ir.Slice(name=name, loc=self._layer.loc, start=start, step=ones, shape=shape)
            self._view((*key, axis, low[axis], extent), layer, out, (tile,))
        return self._views[name]

    def join(self, name: str, pieces: tuple[Tile, ...], shape: Vector, key: Key) -> Tile:
        """Pieces that lie one behind the other as one tile, which begins where the first does: a view."""
        if name not in self._views:
            first = pieces[0]
            out = replace(first, name=name, type=TensorType(first.type.dtype, shape))
            origins = tuple(tuple(a - b for a, b in zip(p.low, first.low, strict=True)) for p in pieces)
            layer = ir.Join(name=name, loc=self._layer.loc, origins=origins)
            self._view(key, layer, out, pieces)
        return self._views[name]

    def _view(self, key: Key, layer: ir.Layer, out: Tile, ins: tuple[Tile, ...]) -> None:
        self.add(key, View(part=self.part, core=self.core, layer=layer, out=out, ins=ins))
        self._views[out.name] = out

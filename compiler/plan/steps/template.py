"""The steps of groups that differ in names alone (`Template`), and what each of them names (`Binding`).

in:   the steps of a group and its binding
out:  the steps of groups with other bindings; what the steps of one share, those of the others share

    layers      tensors        steps                           names of tiles are made of those of layers, of
    a           x, w           load w, compute a/p0 …          tensors or of views, and what follows them
    b           y, w'          load w', compute b/p0 …
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, repeat
from typing import Any

from nnc.compiler.ir.layers import Layer, Loc
from nnc.compiler.plan.step import (
    Block,
    Compute,
    Fill,
    Load,
    LoadRows,
    Slots,
    Step,
    Steps,
    Store,
    Tile,
    View,
)
from nnc.isa.record import changer, picker

_OF_A_LAYER = re.compile(r"/(?=[pw]\d)")
"""What follows the name of a layer in names that are made of it: a part, a slot of weights."""
_OF_A_BUFFER = re.compile(r"(?=/p\d+\.|\.whole|\.window)")
"""What follows the name of a buffer, or of a view."""

_LAYER, _TENSOR, _VIEW = range(3)
_Form = tuple[bool, int, int, str]
"""Whether the group's name comes first, a name by its kind and number, and what follows it."""


@dataclass(frozen=True, slots=True)
class Binding:
    """What a group names, in the order in which all groups name it that are like it.

    Attributes:
        layers: of the group; tensors: that it touches, buffers among them, each once.
        views: that it shows tensors by; locs: where layers and tensors come from in the model.
    """

    layers: tuple[str, ...]
    tensors: tuple[str, ...]
    views: tuple[str, ...]
    locs: tuple[Loc, ...]

    def name(self, forms: Sequence[_Form]) -> str | None:
        """The name that is made in some ways; None if they differ."""
        group, names = f"{self.layers[-1]}/", (self.layers, self.tensors, self.views)
        found = {(group if is_inside else "") + names[of][at] + tail for is_inside, of, at, tail in forms}
        return found.pop() if len(found) == 1 else None


class _Numbers:
    """The numbers of what a binding names."""

    def __init__(self, binding: Binding) -> None:
        self._group = f"{binding.layers[-1]}/"
        names = binding.layers, binding.tensors, binding.views
        self.layers, self.tensors, self.views = (dict(zip(of, range(len(of)), strict=True)) for of in names)
        self.locs: dict[Loc, int] = {}
        for number, loc in enumerate(binding.locs):
            self.locs.setdefault(loc, number)

    def forms(self, name: str) -> list[_Form]:
        """All ways in which a name is made; one that a layer alone makes otherwise begins with its own."""
        found = [(False, *form) for form in self._forms_of_layers(name)]
        if name.startswith(self._group):
            rest = name.removeprefix(self._group)
            found += [(True, *form) for form in self._forms_of_layers(rest)]
            for place in (match.start() for match in _OF_A_BUFFER.finditer(rest)):
                stem, tail = rest[:place], rest[place:]
                if stem in self.tensors:
                    found.append((True, _TENSOR, self.tensors[stem], tail))
                if stem in self.views:
                    found.append((True, _VIEW, self.views[stem], tail))
            if not found and len(self.layers) == 1:
                found.append((False, _LAYER, 0, name.removeprefix(self._group[:-1])))
        return found

    def _forms_of_layers(self, name: str) -> list[tuple[int, int, str]]:
        """The same of a name that begins with that of a layer."""
        places = [match.start() for match in _OF_A_LAYER.finditer(name)]
        known = [(name[:place], name[place:]) for place in places if name[:place] in self.layers]
        return [(_LAYER, self.layers[stem], tail) for stem, tail in known]


_MADE_OF: dict[type[Step], tuple[str, ...]] = {
    Load: ("tile", "loc"),
    Store: ("tile", "loc"),
    Fill: ("tile", "layer"),
    LoadRows: ("out", "index", "layer", "table"),
    Compute: ("out", "ins", "layer"),
    View: ("out", "ins", "layer"),
}
"""By kind of step, the fields that names are in."""
_TILES = frozenset({"tile", "out", "index"})

_Parts = dict[str, Sequence[Any]]
"""What the fields of steps are made of: tiles, and the values of other fields by name."""


@dataclass(frozen=True, slots=True)
class _OfKind:
    """The steps of a kind: their places in the order, and what their fields are, as numbers of parts."""

    kind: type[Step]
    places: list[int]
    steps: list[Step]
    fields: dict[str, list[int]]

    def made(self, parts: _Parts, others: Iterable[Steps]) -> Iterator[Step]:
        """The steps of other parts."""
        columns = [
            map(parts["tile" if name in _TILES else name].__getitem__, numbers)
            for name, numbers in self.fields.items()
        ]
        change = changer(self.kind, "others", *self.fields)
        return map(change, self.steps, others, *columns)


class Template:
    """What the steps of groups are that differ in names alone; groups are alike if theirs is one object.

    All is done by columns: steps of a kind, tiles, blocks and layers each in one go.
    """

    def __init__(self, steps: Steps, binding: Binding) -> None:
        """Args:
        steps: of one of the groups, which has this binding.
        """
        self._steps, self._binding = steps, binding
        self._names: dict[str, int] = {}
        self._blocks: dict[int, tuple[int, Block]] = {}
        self._tiles: dict[int, tuple[int, int, int, Tile]] = {}
        self._layers: list[tuple[int, int, Layer]] = []
        self._slots: list[Callable[[Sequence[Tile | None]], Slots]] = []
        self._ids: dict[int, int] = {}  # numbers of blocks and tiles

    def bound(self, binding: Binding) -> Steps | None:
        """The steps of a group with another binding; None if its names are not clear."""
        twins, steps, forms = self._apart
        names = [name for of_one in forms if (name := binding.name(of_one)) is not None]
        if not len({*names}) == len(names) == len(forms):
            return None
        tensors, locs = binding.tensors, binding.locs
        blocks = [Block(names[n], b.memory, b.nbytes, b.piece, b.by_piece) for n, b in self._blocks.values()]
        tiles = [
            Tile(names[at], tensors[tensor], t.low, t.type, blocks[block], t.offset, t.strides)
            for at, tensor, block, t in self._tiles.values()
        ]
        layers = [_layer(layer, names[at], locs[number]) for at, number, layer in self._layers]
        known = (*tiles, None)
        slots = [pick(known) for pick in self._slots]
        parts: _Parts = {"tile": tiles, "loc": locs, "table": tensors, "layer": layers, "ins": slots}
        made = _in_order(twins, parts, repeat(()))
        ends = accumulate(len(step.others) for step in self._steps)
        others = [made[end - len(step.others) : end] for step, end in zip(self._steps, ends, strict=True)]
        return _in_order(steps, parts, others if made else repeat(()))

    @cached_property
    def _apart(self) -> tuple[list[_OfKind], list[_OfKind], list[list[_Form]]]:
        """The steps of other cores, in the order in which they hang on these; these; forms of all names."""
        numbers = _Numbers(self._binding)
        twins = [other for step in self._steps for other in step.others]
        kinds = self._by_kind(twins, numbers), self._by_kind(self._steps, numbers)
        return *kinds, [numbers.forms(name) for name in self._names]

    def _by_kind(self, steps: Sequence[Step], numbers: _Numbers) -> list[_OfKind]:
        found = {
            kind: _OfKind(kind, [], [], {name: [] for name in fields}) for kind, fields in _MADE_OF.items()
        }
        for place, step in enumerate(steps):
            mine = found[type(step)]
            mine.places.append(place)
            mine.steps.append(step)
            for name, column in mine.fields.items():
                column.append(self._number(name, getattr(step, name), numbers))
        return [*found.values()]

    def _number(self, field: str, value: Any, numbers: _Numbers) -> int:
        """The number of the value of a field."""
        match field:
            case "loc":
                return numbers.locs[value]
            case "table":
                return numbers.tensors[value]
            case "layer":
                self._layers.append((self._name(value.name), numbers.locs[value.loc], value))
                return len(self._layers) - 1
            case "ins":
                # the last of all tiles is None
                places = [-1 if tile is None else self._tile(tile, numbers) for tile in value]
                self._slots.append(picker(places))
                return len(self._slots) - 1
        return self._tile(value, numbers)

    def _name(self, name: str) -> int:
        return self._names.setdefault(name, len(self._names))

    def _block(self, block: Block) -> int:
        if id(block) not in self._blocks:
            self._ids[id(block)] = len(self._blocks)
            self._blocks[id(block)] = self._name(block.name), block
        return self._ids[id(block)]

    def _tile(self, tile: Tile, numbers: _Numbers) -> int:
        if id(tile) not in self._tiles:
            parts = self._name(tile.name), numbers.tensors[tile.tensor], self._block(tile.block)
            self._ids[id(tile)] = len(self._tiles)
            self._tiles[id(tile)] = *parts, tile
        return self._ids[id(tile)]


def _layer(layer: Layer, name: str, loc: Loc) -> Layer:
    found: Layer = changer(type(layer), "name", "loc")(layer, name, loc)
    return found


def _in_order(kinds: Sequence[_OfKind], parts: _Parts, others: Sequence[Steps] | repeat[Steps]) -> Steps:
    """The steps of all kinds made of parts, in their order."""
    places, made = list[int](), list[Step]()
    for kind in kinds:
        places += kind.places
        hang = others if isinstance(others, repeat) else map(others.__getitem__, kind.places)
        made += kind.made(parts, hang)
    found = made.copy()
    for place, step in zip(places, made, strict=True):
        found[place] = step
    return tuple(found)

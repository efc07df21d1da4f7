"""The steps of groups that differ in names alone (`Template`), and what each of them names (`Binding`).

in:   the steps of a group, its binding, and the stem that each name in the steps begins with
out:  the steps of groups with other bindings; what the steps of one share, those of the others share

    stems       tensors        steps                           a name is a stem, by its number, and a tail:
    a           x, w           load w, compute a/p0 …          a/p0 is stem 0 and "/p0"
    b           y, w'          load w', compute b/p0 …
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from nnc.compiler.ir.layers import Loc
from nnc.compiler.plan.step import Block, Compute, Fill, Load, LoadRows, Steps, Store, Tile, View
from nnc.isa.record import changer, picker


@dataclass(frozen=True, slots=True)
class Binding:
    """What a group names, in the order in which all groups name it that are like it.

    Attributes:
        stems: what names of tiles, blocks and layers of tiles begin with: the layers of the group, and of
            several layers, all that they touch, too.
        tensors: that the group touches, buffers among them, each once.
        locs: where layers and tensors come from in the model.
    """

    stems: tuple[str, ...]
    tensors: tuple[str, ...]
    locs: tuple[Loc, ...]

    @property
    def parts(self) -> list[Any]:
        """What steps are made from: nothing, no steps, and all that is named."""
        return [None, (), *self.stems, *self.tensors, *self.locs]


_FIELDS: dict[type[Any], tuple[str, ...]] = {
    Block: ("name",),
    Tile: ("name", "tensor", "block"),
    Load: ("others", "tile", "loc"),
    Store: ("others", "tile", "loc"),
    Fill: ("others", "tile", "layer"),
    LoadRows: ("others", "out", "index", "layer", "table"),
    Compute: ("others", "out", "ins", "layer"),
    View: ("others", "out", "ins", "layer"),
}
"""By kind of record, the fields that hold names, or records with names; all other kinds are layers."""
_OF_LAYERS = ("name", "loc")


class Template:
    """What the steps of groups are that differ in names alone; groups are alike if theirs is one object.

    Steps are made from parts, which go by number: first those of a binding, then names, blocks, tiles,
    layers and steps, each behind the parts that it is made from.
    """

    def __init__(self, steps: Steps, binding: Binding, stems: Mapping[str, str] | None = None) -> None:
        """Args:
        steps: of one of the groups, which has this binding.
        stems: by name, what it begins with; of a layer alone, all names begin with its own.
        """
        self._steps, self._binding, self._stems = steps, binding, stems
        self._made: list[tuple[Callable[..., Any], Any, Callable[[Sequence[Any]], tuple[Any, ...]]]] = []
        self._begin = len(binding.parts)
        self._numbers: dict[tuple[Hashable, ...], int] = {}

    def bound(self, binding: Binding) -> Steps | None:
        """The steps of a group with another binding; None if two of its names are the same."""
        numbers, parts = self._numbers_of_steps, binding.parts
        for make, of, pick in self._made:
            parts.append(make(of, *pick(parts)))
        names = [parts[number] for (kind, *_), number in self._numbers.items() if kind == "name"]
        return tuple([parts[number] for number in numbers]) if len({*names}) == len(names) else None

    @cached_property
    def _numbers_of_steps(self) -> list[int]:
        """The numbers of the steps; all parts are entered."""
        binding, number = self._binding, 2
        for kind, named in (("stem", binding.stems), ("tensor", binding.tensors), ("loc", binding.locs)):
            for name in named:
                self._numbers.setdefault((kind, name), number)
                number += 1
        return [self._record(step) for step in self._steps]

    def _number(self, field: str, value: Any) -> int:
        """The number of what a field of a record has."""
        match field:
            case "name":
                return self._shared((field, value), lambda: self._name(value))
            case "tensor" | "table":
                return self._numbers["tensor", value]
            case "loc":
                return self._numbers["loc", value]
            case "ins" | "others":
                numbers = [self._record(record) for record in value]
                return self._enter(_together, None, numbers) if value else 1
        return self._record(value)

    def _record(self, record: Any) -> int:
        """The number of a tile, a block, a layer or a step; the same tiles and blocks are one part."""
        match record:
            case None:
                return 0
            case Tile():
                key = "tile", record.name, record.tensor, record.low, record.block
                return self._shared(key, lambda: self._changed(record))
            case Block():
                return self._shared(("block", record), lambda: self._changed(record))
        return self._changed(record)

    def _changed(self, record: Any) -> int:
        """A new part: a record with other names."""
        fields = _FIELDS.get(type(record), _OF_LAYERS)
        numbers = [self._number(field, getattr(record, field)) for field in fields]
        return self._enter(changer(type(record), *fields), record, numbers)

    def _name(self, name: str) -> int:
        """A new part: a stem with a tail; of a name of a core's own, the stem may be that of all cores."""
        stem, stems = self._binding.stems[0], self._stems
        if stems is not None:
            stem = stems.get(name) or stems[name.rpartition(".k")[0]]
        return self._enter(_behind, name.removeprefix(stem), [self._numbers["stem", stem]])

    def _shared(self, key: tuple[Hashable, ...], enter: Callable[[], int]) -> int:
        """The number of a part that several others are made from."""
        if key not in self._numbers:
            self._numbers[key] = enter()
        return self._numbers[key]

    def _enter(self, make: Callable[..., Any], of: Any, parts: Sequence[int]) -> int:
        """The number of a new part, which is made from others."""
        self._made.append((make, of, picker(parts)))
        return self._begin + len(self._made) - 1


def _behind(tail: str, stem: str) -> str:
    return stem + tail


def _together(_: None, *records: Any) -> tuple[Any, ...]:
    return records

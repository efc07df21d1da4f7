"""The points of a sweep: the product of models, chips and the values of all keys that are varied.

Points are numbered, the last key going fastest, and made when they are asked for: a search over a long range
looks at a few of them only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from pathlib import Path
from typing import Any

from nnc.compiler.plan.options import PlanOptions
from nnc.isa.chip.keys import keys_for
from nnc.isa.chip.load import chip_from_data, overridden
from nnc.isa.errors import ChipError, NncError, OptionError
from nnc.isa.nearest import did_you_mean
from nnc.option_words import OptionWords, plan_options
from nnc.sweeps.vary import Value, Vary, text_of_value

OPTIONS = tuple(OptionWords.__annotations__)
"""Keys that are options of the planner."""
DIM = "dim."
"""Begins keys that are symbolic dimensions."""
_ALIASES = {"O": "effort", "-O": "effort"}


@dataclass(frozen=True)
class SweptModel:
    """A model by its path and the digest of its files."""

    path: Path
    sha256: str


@dataclass(frozen=True)
class SweptChip:
    """A chip by the name that it was given, with its parsed description, overrides applied."""

    name: str
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Asked:
    """What all points have in common.

    Attributes:
        words: options of the planner.
        shapes, dims, states: as of `compile_model`.
    """

    words: Mapping[str, Any] = field(default_factory=dict)
    shapes: Mapping[str, Sequence[int]] = field(default_factory=dict)
    dims: Mapping[str, int] = field(default_factory=dict)
    states: Mapping[str, str] | str | None = None


@dataclass(frozen=True)
class Task:
    """A point as a worker needs it, all of it plain data.

    Attributes:
        number: of the point.
        model: its path, which is the same for all workers.
        sha256: of its files.
        chip: its description, which may be none of a possible chip.
        is_kept: whether the result is looked for in the cache, and goes there.
    """

    number: int
    model: str
    sha256: str
    chip_name: str
    chip: Mapping[str, Any]
    options: PlanOptions
    shapes: tuple[tuple[str, tuple[int, ...]], ...]
    dims: tuple[tuple[str, int], ...]
    states: tuple[tuple[str, str], ...] | str | None
    is_kept: bool = True


@dataclass(frozen=True)
class Space:
    """All points.

    Attributes:
        varied: keys with their values; the last goes fastest.
    """

    models: tuple[SweptModel, ...]
    chips: tuple[SweptChip, ...]
    varied: tuple[Vary, ...]
    asked: Asked = Asked()
    is_kept: bool = True

    @cached_property
    def extents(self) -> tuple[int, ...]:
        """How many models, chips, and values of each key there are."""
        return (len(self.models), len(self.chips), *(len(vary.values) for vary in self.varied))

    def __len__(self) -> int:
        return prod(self.extents)

    def places(self, number: int) -> tuple[int, ...]:
        """Which model, chip and values a point has, as numbers."""
        places = []
        for extent in reversed(self.extents):
            number, place = divmod(number, extent)
            places.append(place)
        return tuple(reversed(places))

    def number(self, places: Sequence[int]) -> int:
        """The point with this model, chip and these values."""
        number = 0
        for place, extent in zip(places, self.extents, strict=True):
            number = number * extent + place
        return number

    def model(self, number: int) -> SweptModel:
        """The model of a point."""
        return self.models[self.places(number)[0]]

    def chip(self, number: int) -> SweptChip:
        """The chip of a point, as it was named."""
        return self.chips[self.places(number)[1]]

    def values(self, number: int) -> dict[str, Value]:
        """The values of a point by their keys."""
        places = self.places(number)[2:]
        return {vary.key: vary.values[place] for vary, place in zip(self.varied, places, strict=True)}

    def task(self, number: int) -> Task:
        """A point as a worker needs it."""
        model, chip, values = self.model(number), self.chip(number), self.values(number)
        asked = self.asked
        words = {**asked.words, **{key: value for key, value in values.items() if key in OPTIONS}}
        dims = {**asked.dims, **{k.removeprefix(DIM): v for k, v in values.items() if k.startswith(DIM)}}
        states = asked.states if isinstance(asked.states, str) else tuple((asked.states or {}).items())
        return Task(
            number,
            str(model.path),
            model.sha256,
            chip.name,
            overridden(dict(chip.data), _overrides(values)),
            plan_options(None, words),  # type: ignore[arg-type]
            tuple((name, tuple(shape)) for name, shape in asked.shapes.items()),
            tuple((name, int(size)) for name, size in dims.items()),
            states or None,
            self.is_kept,
        )

    def check(self) -> None:
        """Judge keys and values, each by itself: combinations that are impossible are points that fail.

        Raises:
            NncError: a key does not exist, or it does not take a value (of very many, the ends are judged);
                with the number of points, none of which is compiled.
        """
        count = len(self)
        names = [vary.key for vary in self.varied]
        if twice := {name for name in names if names.count(name) > 1}:
            raise _with_count(OptionError("a key is varied twice", found=min(twice), remedy=_ONCE), count)
        for vary in self.varied:
            is_long = len(vary.values) > _MOST_CHECKED
            for value in vary.values[:: len(vary.values) - 1] if is_long else vary.values:
                try:
                    self._check_value(vary.key, value)
                except NncError as error:
                    raise _with_count(
                        _at(error, f"--vary {vary.key}={text_of_value(value)}"), count
                    ) from None

    def _check_value(self, key: str, value: Value) -> None:
        if key in OPTIONS:
            plan_options(None, {key: value})  # type: ignore[misc]
        elif key.startswith(DIM):
            if not isinstance(value, int) or isinstance(value, bool):
                raise OptionError(
                    "a dimension is a whole number", found=str(value), remedy="dim.tokens=16,32"
                )
        else:
            for chip in self.chips:
                self._check_override(chip, key, value)

    @staticmethod
    def _check_override(chip: SweptChip, key: str, value: Value) -> None:
        try:
            data = overridden(dict(chip.data), _overrides({key: value}))
        except OptionError as error:
            known = [*OPTIONS, *keys_for(chip.data)]
            raise OptionError(
                f"there is no such key of {chip.name}, nor option",
                found=key,
                expected=f"a key of the chip, {', '.join(OPTIONS)}, or dim.SYMBOL",
                remedy=did_you_mean(key, known, "nnc chips keys lists all keys of chips"),
            ) from error
        chip_from_data(data, chip.name)


_MOST_CHECKED = 1000
"""Values of a key of which each is judged; they take a second."""
_ONCE = "give all values of a key in one --vary"


def canonical_key(key: str) -> str:
    """A key as results have it: options are spelled with an underscore."""
    spelled = _ALIASES.get(key, key.replace("-", "_"))
    return spelled if spelled in OPTIONS else key


def _overrides(values: Mapping[str, Value]) -> list[str]:
    """Values of keys of the chip, as --set says them."""
    return [
        f"{key}={text_of_value(value)}"
        for key, value in values.items()
        if key not in OPTIONS and not key.startswith(DIM)
    ]


def _at(error: NncError, where: str) -> NncError:
    """The same error at the option that caused it."""
    kind = OptionError if isinstance(error, ChipError) else type(error)
    return kind(error.message, where=where, found=error.found, expected=error.expected, remedy=error.remedy)


def _with_count(error: NncError, count: int) -> NncError:
    """The same error, which also says how much work it has prevented."""
    message = f"{error.message} (of {count:,} points, none was compiled)"
    return type(error)(
        message, where=error.where, found=error.found, expected=error.expected, remedy=error.remedy
    )

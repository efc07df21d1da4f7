"""Data classes and enumerations of which a compilation makes, or looks up, hundreds of thousands.

`@record(frozen=True, slots=True)` is `dataclass` to type checkers, which refuse every assignment to a field.
At run time nothing guards the fields: the guard makes an object four times as dear, and so a compilation by
a tenth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from enum import Enum
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar, cast

__all__ = ["QuickEnum", "changed", "changer", "picker", "record"]

RecordT = TypeVar("RecordT")
T = TypeVar("T")

if TYPE_CHECKING:
    from dataclasses import dataclass as record
else:
    from dataclasses import dataclass

    def record(*, frozen: bool, **options: bool):
        """A frozen dataclass without the guard at run time."""
        return dataclass(unsafe_hash=frozen, **options)


class QuickEnum(Enum):
    """An enumeration whose members are hashed as objects; Enum itself calls a function of Python."""

    __hash__ = object.__hash__


_CHANGERS: dict[tuple[type[Any], tuple[str, ...]], Callable[..., Any]] = {}


def changer(kind: type[Any], *names: str) -> Callable[..., Any]:
    """A function from a record of a kind, and values of some fields, to the record with these values.

    It is written as `dataclass` writes `__init__`; without names of fields, it copies.
    """
    function = _CHANGERS.get((kind, names))
    if function is None:
        values = {name: f"value_{number}" for number, name in enumerate(names)}
        given = ", ".join(["of", *values.values()])
        lines = [
            f" other.{field.name} = {values.get(field.name, f'of.{field.name}')}" for field in fields(kind)
        ]
        built: dict[str, Any] = {"new": object.__new__, "kind": kind}
        exec("\n".join([f"def changed({given}):", " other = new(kind)", *lines, " return other"]), built)
        function = _CHANGERS[kind, names] = cast(Callable[..., Any], built["changed"])
    return function


def changed(of: RecordT, **values: Any) -> RecordT:
    """The record with other values of some fields: `replace` of dataclasses, in a seventh of its time."""
    kind: Any = type(of)
    copy: RecordT = changer(kind)(of)
    for name in values:
        setattr(copy, name, values[name])
    return copy


def picker(places: Sequence[int]) -> Callable[[Sequence[T]], tuple[T, ...]]:
    """A function that takes what stands at some places out of a tuple, as a tuple."""
    if len(places) > 1:
        return itemgetter(*places)
    if not places:
        return itemgetter(slice(0))
    return itemgetter(slice(places[0], places[0] + 1 or None))

"""Data classes and enumerations of which a compilation makes, or looks up, hundreds of thousands.

`@record(frozen=True, slots=True)` is `dataclass` to type checkers, which refuse every assignment to a field.
At run time nothing guards the fields: the guard makes an object four times as dear, and so a compilation by
a tenth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

__all__ = ["QuickEnum", "changed", "record"]

RecordT = TypeVar("RecordT")

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


@cache
def _copier(kind: Any) -> Callable[[Any], Any]:
    """A function that copies records of a kind, written as `dataclass` writes their `__init__`."""
    lines = [f" other.{one.name} = of.{one.name}" for one in fields(kind)]
    names: dict[str, Any] = {"new": object.__new__, "kind": kind}
    exec("\n".join(["def copied(of):", " other = new(kind)", *lines, " return other"]), names)
    return cast(Callable[[Any], Any], names["copied"])


def changed(of: RecordT, **values: Any) -> RecordT:
    """The record with other values of some fields: `replace` of dataclasses, in a seventh of its time."""
    kind: Any = type(of)
    other: RecordT = _copier(kind)(of)
    for name in values:
        setattr(other, name, values[name])
    return other

"""Data classes and enumerations of which a compilation makes, or looks up, hundreds of thousands.

`@record(frozen=True, slots=True)` is `dataclass` to type checkers, which refuse every assignment to a field.
At run time nothing guards the fields: the guard makes an object four times as dear, and so a compilation by
a tenth.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

__all__ = ["QuickEnum", "record"]

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

"""Frozen data classes whose dictionaries nobody can change."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any


class ReadOnlyTables:
    """Base of a frozen data class: each dictionary it is given becomes a read-only view of a copy.

    Such views cannot be pickled, so that pickles hold plain dictionaries.
    """

    def __post_init__(self) -> None:
        for name, table in vars(self).items():
            if isinstance(table, dict):  # what others hold of it may change
                object.__setattr__(self, name, MappingProxyType(dict(table)))

    def __getstate__(self) -> dict[str, Any]:
        return {
            name: dict(value) if isinstance(value, MappingProxyType) else value
            for name, value in vars(self).items()
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.__post_init__()

"""Random changes of a tree of Python values: data classes, tables, lists, and numbers and texts as leaves."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterator, Mapping
from enum import Enum
from random import Random
from typing import Any

import numpy as np

from bench.fuzz.bytes_mutations import mutated_bytes
from bench.fuzz.values import other_float, other_integer, other_text


class TreeMutator:
    """Changes single places of a tree; a place may take any value of its type that stands elsewhere.

    Args:
        tree: is not changed.
        retype: values are also replaced by ones of other types.
    """

    def __init__(self, tree: Any, random: Random, *, retype: bool = False) -> None:
        self._random = random
        self._retype = retype
        self._elsewhere: dict[type, list[Any]] = defaultdict(list)
        for value in _values(tree):
            self._elsewhere[type(value)].append(value)

    def mutated(self, value: Any) -> Any:
        """The value with one place changed."""
        random = self._random
        if random.random() < 0.08 and self._elsewhere[type(value)]:
            return random.choice(self._elsewhere[type(value)])
        if self._retype and random.random() < 0.05:
            return self._of_any_type()
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            name = random.choice(dataclasses.fields(value)).name
            return dataclasses.replace(value, **{name: self.mutated(getattr(value, name))})
        if isinstance(value, Mapping):
            return self._mutated_table(dict(value))
        if isinstance(value, tuple | list):
            return type(value)(self._mutated_list(list(value)))
        return self._mutated_leaf(value)

    def _mutated_leaf(self, value: Any) -> Any:
        random = self._random
        if isinstance(value, Enum):
            return random.choice(list(type(value)))
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            return other_integer(value, random)
        if isinstance(value, float):
            return other_float(value, random)
        if isinstance(value, str):
            texts = self._elsewhere[str]
            return random.choice(texts) if texts and random.random() < 0.5 else other_text(value, random)
        if isinstance(value, np.ndarray):
            changed = mutated_bytes(value.tobytes(), random)[: value.nbytes].ljust(value.nbytes, b"\0")
            return np.frombuffer(changed, value.dtype).reshape(value.shape)
        return self._of_any_type()

    def _of_any_type(self) -> Any:
        return self._random.choice(self._elsewhere[self._random.choice(list(self._elsewhere))] or [0])

    def _mutated_table(self, table: dict[Any, Any]) -> dict[Any, Any]:
        random = self._random
        if not table:
            return {"x": self._of_any_type()}
        key = random.choice(list(table))
        how = random.random()
        if how < 0.06:
            return {name: value for name, value in table.items() if name != key}
        if how < 0.12:
            texts = self._elsewhere[str]
            new_key = (
                random.choice(texts) if texts and random.random() < 0.5 else other_text(str(key), random)
            )
            return {new_key if name == key else name: value for name, value in table.items()}
        if how < 0.16:
            return {**table, other_text(str(key), random): self.mutated(table[key])}
        return {**table, key: self.mutated(table[key])}

    def _mutated_list(self, items: list[Any]) -> list[Any]:
        random = self._random
        if not items:
            return [self._of_any_type()]
        place, partner = random.randrange(len(items)), random.randrange(len(items))
        how = random.random()
        if how < 0.1:
            del items[place]
        elif how < 0.2:
            items.insert(partner, items[place])
        elif how < 0.3:
            items[place], items[partner] = items[partner], items[place]
        else:
            items[place] = self.mutated(items[place])
        return items


def _values(tree: Any) -> Iterator[Any]:
    """The tree and all values in it, keys of tables included."""
    yield tree
    if dataclasses.is_dataclass(tree) and not isinstance(tree, type):
        children = [getattr(tree, field.name) for field in dataclasses.fields(tree)]
    elif isinstance(tree, Mapping):
        children = [*tree.keys(), *tree.values()]
    elif isinstance(tree, tuple | list):
        children = list(tree)
    else:
        return
    for child in children:
        yield from _values(child)

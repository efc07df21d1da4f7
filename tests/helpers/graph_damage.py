"""Graphs broken on purpose: what the methods of a graph refuse is written past them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from nnc.compiler.ir.graph import Graph

Break = Callable[[Graph], object]


def edited(table: str, change: Callable[[dict[str, Any]], object]) -> Break:
    """A break that changes a table of the tensors: types, constants, buffers or storage."""
    return lambda graph: change(getattr(graph, f"_{table}"))


def noted(**changes: Any) -> Break:
    """A break that puts other values into the annotations."""
    return lambda graph: graph.annotate(replace(graph.notes, **changes))


def renoted(table: str, change: Callable[[dict[Any, Any]], object]) -> Break:
    """A break that changes a copy of a table of the annotations, which then takes its place."""

    def damage(graph: Graph) -> None:
        entries = dict(getattr(graph.notes, table))
        change(entries)
        noted(**{table: entries})(graph)

    return damage

"""The table of importers: one function per ONNX operator, registered by a decorator.

The registration is also the documentation: `supported_operators` (printed by ``nnc ops``) reads it back.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nnc.compiler.frontend.context import OpContext

ImportFunction = Callable[["OpContext"], None]


@dataclass(frozen=True, slots=True)
class OperatorDoc:
    """One supported operator: ONNX name and domain, one line about it, and what an instance must obey."""

    name: str
    domain: str
    summary: str
    constraints: list[str]


@dataclass(frozen=True, slots=True)
class Importer:
    """The importer of one operator.

    `lazy` importers also handle the case that all inputs are constant (without computing large results);
    for all others such nodes are evaluated at compile time and never reach the importer.
    """

    run: ImportFunction
    constraints: tuple[str, ...]
    lazy: bool


IMPORTERS: dict[str, Importer] = {}
"""By name of the operator in ONNX's default domain; filled by the decorators of the ``ops_*`` modules."""


def importer(
    *names: str, constraints: tuple[str, ...] = (), lazy: bool = False
) -> Callable[[ImportFunction], ImportFunction]:
    """Register a function as the importer of the named operators.

    The first line of its docstring is the summary; `constraints` say what an instance must obey beyond
    static shapes, one sentence each.
    """

    def register(function: ImportFunction) -> ImportFunction:
        for name in names:
            assert name not in IMPORTERS, f"{name} has two importers"
            IMPORTERS[name] = Importer(function, constraints, lazy)
        return function

    return register


def supported_operators() -> list[OperatorDoc]:
    """All operators that `import_model` understands, ordered by name."""
    return [
        OperatorDoc(name, "ai.onnx", _summary(entry.run), list(entry.constraints))
        for name, entry in sorted(IMPORTERS.items())
    ]


def _summary(function: ImportFunction) -> str:
    return (inspect.getdoc(function) or "").partition("\n")[0]

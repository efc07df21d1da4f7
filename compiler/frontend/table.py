"""The table of importers: one function per operator of a domain, registered by a decorator.

The registration is also the documentation: `supported_operators` (printed by ``nnc ops``) reads it back.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from onnx import NodeProto

from nnc.compiler.frontend.domains import ONNX, domain_of

if TYPE_CHECKING:
    from nnc.compiler.frontend.context import OpContext

ImportFunction = Callable[["OpContext"], None]


@dataclass(frozen=True, slots=True)
class FunctionDoc:
    """What onnx defines an operator by.

    Attributes:
        opsets: those that brought a definition, in order.
        operators: names of all operators in the definitions.
        missing: those of them that are not supported; then the operator is not, either.
        constant: those of them that are supported where they are computed at compile time.
    """

    opsets: list[int]
    operators: list[str]
    missing: list[str]
    constant: list[str]


@dataclass(frozen=True, slots=True)
class OperatorDoc:
    """One operator: ONNX name and domain, one line about it, and what an instance must obey.

    `function` is there if it is compiled as what onnx defines it by.
    """

    name: str
    domain: str
    summary: str
    constraints: list[str]
    function: FunctionDoc | None = None


@dataclass(frozen=True, slots=True)
class Importer:
    """The importer of one operator.

    `lazy` importers also handle the case that all inputs are constant (without computing large results);
    for all others such nodes are evaluated at compile time and never reach the importer.
    """

    run: ImportFunction
    constraints: tuple[str, ...]
    lazy: bool


IMPORTERS: dict[tuple[str, str], Importer] = {}
"""By domain and name of the operator; filled by the decorators of the modules in ``operators``."""


def importer(
    *names: str, constraints: tuple[str, ...] = (), lazy: bool = False, domain: str = ONNX
) -> Callable[[ImportFunction], ImportFunction]:
    """Register a function as the importer of the named operators of a domain.

    The first line of its docstring is the summary; `constraints` say what an instance must obey beyond
    static shapes, one sentence each.
    """

    def register(function: ImportFunction) -> ImportFunction:
        for name in names:
            assert (domain, name) not in IMPORTERS, f"{domain} {name} has two importers"
            IMPORTERS[domain, name] = Importer(function, constraints, lazy)
        return function

    return register


def importer_of(node: NodeProto) -> Importer | None:
    """The importer of a node, None if its operator is not supported."""
    return IMPORTERS.get((domain_of(node), node.op_type))


def supported_operators() -> list[OperatorDoc]:
    """All operators that `import_model` understands, ordered by domain and name."""
    return [
        OperatorDoc(name, domain, _summary(entry.run), list(entry.constraints))
        for (domain, name), entry in sorted(IMPORTERS.items())
    ]


def _summary(function: ImportFunction) -> str:
    return (inspect.getdoc(function) or "").partition("\n")[0]

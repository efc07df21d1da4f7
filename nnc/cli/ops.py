"""nnc ops: the ONNX operators that can be compiled."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import TYPE_CHECKING

import click

from nnc.cli.names import AnyName
from nnc.cli.options import json_option
from nnc.cli.output import emit_json, show

if TYPE_CHECKING:
    from nnc.compiler.frontend.table import OperatorDoc


def _supported() -> dict[str, OperatorDoc]:
    """The operators by name, those of other domains than ONNX's own with that, in their order."""
    from nnc.compiler.frontend import table as importers
    from nnc.compiler.frontend.domains import ONNX
    from nnc.compiler.frontend.function_operators import function_operators
    from nnc.compiler.frontend.operators import registry

    assert registry.IMPORTERS, "importing the operators fills the table"
    documented = (*importers.supported_operators(), *function_operators())
    return {
        operator.name if operator.domain == ONNX else f"{operator.domain}.{operator.name}": operator
        for operator in sorted(documented, key=lambda operator: (operator.domain, operator.name))
    }


def _names() -> list[str]:
    return list(_supported())


def _known(operators: list[str], name: str) -> str:
    """The name.

    Raises:
        OptionError: no such operator can be compiled.
    """
    from nnc.isa.errors import OptionError
    from nnc.isa.nearest import did_you_mean

    if name not in operators:
        raise OptionError(
            "there is no such operator among those that can be compiled",
            found=name,
            remedy=did_you_mean(name, operators, "nnc ops lists all of them"),
        )
    return name


@click.command("ops", short_help="List the ONNX operators that can be compiled.")
@click.argument("names", type=AnyName(_names), metavar="[NAME]...", nargs=-1)
@json_option
def command(names: tuple[str, ...], as_json: bool) -> None:
    """List the ONNX operators that can be compiled, each with the constraints on its use, or some of them.

    The list is made from the importers themselves, and of operators that onnx defines by others, from its
    definitions: these are compiled as functions.  Operators whose inputs are all constant are computed at
    compile time and need no support.

    \b
    Examples:
      nnc ops
      nnc ops Conv Gemm
      nnc ops --json
    """
    supported = _supported()
    if names:
        supported = {name: supported[name] for name in map(partial(_known, list(supported)), names)}
    if as_json:
        emit_json([dataclasses.asdict(operator) for operator in supported.values()])
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("operator", "about", "constraints"):
        table.add_column(column, overflow="fold")
    for name, operator in supported.items():
        table.add_row(name, operator.summary, "\n".join(operator.constraints))
    show(table)

"""nnc ops: the ONNX operators that can be compiled."""

from __future__ import annotations

import dataclasses

import click

from nnc.cli.options import json_option
from nnc.cli.output import emit_json, show


@click.command("ops", short_help="List the ONNX operators that can be compiled.")
@json_option
def command(as_json: bool) -> None:
    """List the ONNX operators that can be compiled, each with the constraints on its use.

    The list is made from the importers themselves, and of operators that onnx defines by others, from its
    definitions: these are compiled as functions.  Operators whose inputs are all constant are computed at
    compile time and need no support.

    \b
    Examples:
      nnc ops
      nnc ops --json
    """
    from nnc.compiler.frontend import table as importers
    from nnc.compiler.frontend.domains import ONNX
    from nnc.compiler.frontend.function_operators import function_operators
    from nnc.compiler.frontend.operators import registry

    assert registry.IMPORTERS, "importing the operators fills the table"
    documented = (*importers.supported_operators(), *function_operators())
    supported = sorted(documented, key=lambda operator: (operator.domain, operator.name))
    if as_json:
        emit_json([dataclasses.asdict(operator) for operator in supported])
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("operator", "about", "constraints"):
        table.add_column(column, overflow="fold")
    for operator in supported:
        name = operator.name if operator.domain == ONNX else f"{operator.domain}.{operator.name}"
        table.add_row(name, operator.summary, "\n".join(operator.constraints))
    show(table)

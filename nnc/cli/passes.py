"""nnc passes: what the compiler does to a network, in order."""

from __future__ import annotations

import dataclasses

import click

from nnc.cli.options import json_option
from nnc.cli.output import emit_json, show


@click.command("passes", short_help="List the steps of the compiler, in order.")
@json_option
def command(as_json: bool) -> None:
    """List the steps of the compiler between the imported and the placed network, in order.

    Each stands where it does for a reason.  nnc dump-ir --after shows the network after any of them (but the
    plan, which changes none); nnc dump-ir --stage takes the levels.

    \b
    Examples:
      nnc passes
      nnc passes --json
      nnc dump-ir model.onnx --after fuse-residual
    """
    from nnc.compiler.pass_list import pipeline_steps

    steps = pipeline_steps()
    if as_json:
        emit_json([dataclasses.asdict(step) for step in steps])
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("pass", "level"):
        table.add_column(column, no_wrap=True)
    for column in ("about", "why here"):
        table.add_column(column, overflow="fold")
    for step in steps:
        table.add_row(step.name, step.level or "", step.about, step.why)
    show(table)

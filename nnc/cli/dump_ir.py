"""nnc dump-ir: the network after a stage of the compiler."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nnc.cli.classes import HeadedCommand
from nnc.cli.logs import logged
from nnc.cli.names import Name
from nnc.cli.options import (
    Target,
    log_option,
    target_options,
)
from nnc.cli.paths import ReadPath, WrittenPath, model_files
from nnc.cli.progress import ShownProgress

if TYPE_CHECKING:
    from nnc.compiler.ir.graph import Graph
    from nnc.compiler.ir.layer_cost import Costs

FORMATS = ("text", "json", "dot", "onnx")
_DEFAULT_STAGE = "group"


def _stages() -> tuple[str, ...]:
    from nnc.compiler.pipeline import STAGES

    return STAGES


def _passes() -> tuple[str, ...]:
    from nnc.compiler.pipeline import pass_names

    return pass_names()


@click.command("dump-ir", cls=HeadedCommand, short_help="Show the network after a stage of the compiler.")
@click.argument("model", type=ReadPath(model_files), metavar="MODEL.onnx")
@click.option(
    "--stage",
    type=Name(_stages),
    metavar="STAGE",
    help="At which level of the compiler (above); group if nothing is said.",
)
@click.option(
    "--after", type=Name(_passes), metavar="PASS", help="After which pass instead (see nnc passes)."
)
@click.option(
    "--format",
    "format_",
    type=Name(lambda: FORMATS),
    metavar="|".join(FORMATS),
    default="text",
    show_default=True,
    help="Of the dump.",
)
@target_options
@click.option("-o", "--output", type=WrittenPath(), metavar="FILE", help="Where to write it.")
@log_option
def command(
    model: Path,
    stage: str | None,
    after: str | None,
    format_: str,
    target: Target,
    output: Path | None,
    verbosity: int,
) -> None:
    """Show the network at a stage of the compiler, or after any of its passes; by itself, its layer groups.

    \b
    Stages:
      import      as read, constants folded
      canonical   batch-norm, bias, activation, residual and padding fused, views free
      group       layer groups, each with its reason (--objective chooses among them)
      partition   slices, partial networks and joins
      map         a core for every part
      place       addresses

    The text is the same on every machine: compare it with diff. The format onnx is a model that computes the
    same as MODEL.onnx, with the layers, slices, parts and joins of the stage as nodes: open it in Netron, or
    run it in onnxruntime.  From the stage group on, every format has the predicted cycles and DRAM bytes of
    each group: dot beside its name, onnx in the properties group_cycles and group_dram_bytes of its nodes.
    At the stage group itself both have those of every layer, too (layer_core_cycles, layer_dram_bytes).

    \b
    Examples:
      nnc dump-ir model.onnx
      nnc dump-ir model.onnx --stage canonical
      nnc dump-ir model.onnx --after fold-affine
      nnc dump-ir model.onnx --stage partition --chip npu --set memory.sram.bytes=64KiB -o parts.txt
      nnc dump-ir model.onnx --format dot | dot -Tsvg > groups.svg
      nnc dump-ir model.onnx --stage partition --format onnx -o parts.onnx
    """
    from nnc.compilation import graph_at, groups_with_costs
    from nnc.compiler.ir.layer_cost import NO_COSTS
    from nnc.isa.files import write_whole

    if stage is not None and after is not None:
        raise click.UsageError("say which network to show: one of --stage and --after")
    if format_ == "onnx" and output is None and _is_terminal():
        raise click.UsageError("an ONNX model is not for a terminal: name a file with -o")
    with logged(verbosity), ShownProgress("importing") as progress:
        place, arguments = stage or after or _DEFAULT_STAGE, target.arguments(progress)
        graph: Graph
        costs: Costs = NO_COSTS
        if format_ in ("dot", "onnx") and place == "group":
            graph, costs = groups_with_costs(model, target.chip, **arguments)
        else:
            graph = graph_at(model, place, target.chip, **arguments)
        progress("writing", 0, 0)
        data = _dump(graph, format_, costs)
        if output is not None:
            write_whole(output, [data])
    if output is None:
        click.echo(data, nl=False)


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def _dump(graph: Graph, format_: str, costs: Costs) -> bytes:
    """The contents of the file."""
    if format_ == "onnx":
        from nnc.compiler.export.to_onnx import to_bytes

        return to_bytes(graph, costs)
    from nnc.compiler.ir.dump import formats

    text = formats.to_dot(graph, costs) if format_ == "dot" else formats.FORMATS[format_](graph)
    return (text.rstrip("\n") + "\n").encode()

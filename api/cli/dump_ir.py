"""nnc dump-ir: the network after a stage of the compiler."""

from __future__ import annotations

from pathlib import Path

import click

from nnc.cli.options import (
    Shapes,
    chip_options,
    different_files,
    objective_option,
    output_option,
    overlap_option,
    shape_option,
)
from nnc.cli.progress import ShownProgress

FORMATS = ("text", "json", "dot")


def _known_stage(_: click.Context, __: click.Parameter, stage: str) -> str:
    """Insist on a stage of the pipeline, which is slow to import and so cannot be a list in the option."""
    from nnc.compiler.pipeline import STAGES

    if stage not in STAGES:
        raise click.BadParameter(f"{stage!r} is not one of {', '.join(STAGES)}")
    return stage


@click.command("dump-ir", short_help="Show the network after a stage of the compiler.")
@click.argument("model", type=click.Path(path_type=Path), metavar="MODEL.onnx")
@click.option(
    "--stage", metavar="STAGE", callback=_known_stage, required=True, help="After which stage (above)."
)
@click.option(
    "--format", "format_", type=click.Choice(FORMATS), default="text", show_default=True, help="Of the dump."
)
@chip_options()
@shape_option
@objective_option
@overlap_option
@output_option
def command(
    model: Path,
    stage: str,
    format_: str,
    chip: str,
    overrides: tuple[str, ...],
    shapes: Shapes,
    objective: str,
    overlap: str,
    output: Path | None,
) -> None:
    """Show the network as it is after a stage of the compiler.

    \b
    Stages:
      import      as read, constants folded
      canonical   batch-norm, bias, activation, residual and padding fused, views free
      group       layer groups, each with its reason (--objective chooses among them)
      partition   slices, partial networks and joins
      map         a core for every part
      place       addresses

    The text is the same on every machine: compare it with diff.

    \b
    Examples:
      nnc dump-ir model.onnx --stage canonical
      nnc dump-ir model.onnx --stage partition --chip npu --set memory.sram.bytes=64KiB -o parts.txt
      nnc dump-ir model.onnx --stage group --format dot | dot -Tsvg > groups.svg
    """
    from nnc.compilation import graph_at
    from nnc.compiler.ir import dump
    from nnc.isa.files import write_whole

    different_files(output, model)
    with ShownProgress("importing") as progress:
        graph = graph_at(
            model,
            stage,
            chip,
            set=overrides,
            shapes=dict(shapes),
            objective=objective,
            overlap=overlap,
            progress=progress,
        )
        text = {"text": dump.to_text, "json": dump.to_json, "dot": dump.to_dot}[format_](graph)
    text = text.rstrip("\n") + "\n"
    if output is None:
        click.echo(text, nl=False)
    else:
        write_whole(output, [text.encode()])

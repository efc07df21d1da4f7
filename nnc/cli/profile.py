"""nnc profile: where the time and the bytes of a program go."""

from __future__ import annotations

from pathlib import Path

import click

from nnc.cli.options import PROFILES, SORTS, entry_option, json_option
from nnc.cli.output import emit_report, say_or_show
from nnc.cli.paths import ReadPath
from nnc.cli.progress import ShownProgress


@click.command("profile", short_help="Show where the time and the bytes of a program go.")
@click.argument("program", type=ReadPath(), metavar="PROGRAM.bin")
@entry_option
@click.option(
    "--by", type=click.Choice(PROFILES), default="layer", show_default=True, help="What rows stand for."
)
@click.option("--sort", type=click.Choice(SORTS), help="Largest first; default: in the order of execution.")
@click.option("--top", type=click.IntRange(min=1), metavar="N", help="Show so many rows at most.")
@json_option
@click.option("-v", "--verbose", is_flag=True, help="Show all columns, however wide.")
def command(
    program: Path, entry: str, by: str, sort: str | None, top: int | None, as_json: bool, verbose: bool
) -> None:
    """Show where the time and the bytes of a program go, without running it.

    The time of a program does not depend on its data.  A core is busy with an instruction or waits for the
    next one; core cycles count both, and belong to the layer of that instruction, so that the rows sum to the
    cycles of the run times its cores, but for what is left after the last work of a core.  The last column
    says what bounds a layer, and what would bound it next.

    \b
    Examples:
      nnc profile model.bin --sort cycles --top 10
      nnc profile model.bin --by op
      nnc profile model.bin --by core
      nnc profile model.bin --json
    """
    from nnc.cli.report_text import profile_text
    from nnc.isa.program_file.binary import load_program
    from nnc.report.build import make_report
    from nnc.report.measured import Measured

    with ShownProgress("reading") as progress:
        loaded = load_program(program, entry=entry)
        progress("measuring", 0, 0)
        report = make_report(Measured.of(loaded), program_file=str(program))
    if as_json:
        emit_report(report)
        return
    for item in profile_text(report, by, sort=sort, top=top, verbose=verbose):
        say_or_show(item)

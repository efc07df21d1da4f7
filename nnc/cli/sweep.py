"""nnc sweep: what if the chip were another one, or the options?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
from click.core import ParameterSource

from nnc.cli.classes import HeadedCommand
from nnc.cli.logs import logged
from nnc.cli.names import ChipNames
from nnc.cli.options import Target, cache_option, json_option, log_option, target_options
from nnc.cli.output import emit_json, say, say_or_show
from nnc.cli.packages import insist_on_bokeh
from nnc.cli.paths import ReadPath, WrittenPath, model_files
from nnc.cli.progress import ShownProgress

if TYPE_CHECKING:
    from nnc.compiler.plan.scheduled import Progress
    from nnc.sweeps.schema import SweepReport

_MOST_WORKERS = 1024
_MOST_TRIALS = 100_000


def _result_files(argument: str) -> list[Path]:
    """A table, and the journal beside it."""
    return [Path(argument), Path(argument + ".part")]


@click.command("sweep", cls=HeadedCommand, short_help="Compare networks on many chips, with many options.")
@click.argument("models", type=ReadPath(model_files), metavar="MODEL.onnx…", nargs=-1, required=True)
@click.option(
    "--vary",
    "varied",
    multiple=True,
    metavar="KEY=VALUES",
    help="A key of the chip (nnc chips keys), an option of the planner (objective, effort, overlap, split,"
    " stitch, conv_buffers, fc_oram, softmax), or dim.SYMBOL, with its values: a,b,c, lo..hi*factor or"
    " lo..hi+step, sizes as 64KiB. Any number of times: all combinations are compiled.",
)
@click.option(
    "--chips",
    type=ChipNames(),
    metavar="NAME|FILE,…",
    help="Several chips, in place of --chip.",
)
@click.option(
    "-o",
    "--output",
    type=WrittenPath(_result_files),
    metavar="FILE",
    help="A row for each point: .parquet, .csv or .json. What is done is kept in FILE.part: the same"
    " command again goes on where it was.",
)
@click.option(
    "--report", type=WrittenPath(), metavar="PAGE.html", help="Draw the front as a page for a browser."
)
@click.option(
    "--minimise",
    default="cycles,dram_bytes",
    metavar="A,B[,…]",
    show_default=True,
    help="Two to four figures, less of which is better: the table shows the points that no other one beats in"
    " one without losing in another. Area is that of the chip, by its [area].",
)
@click.option(
    "--find",
    "question",
    default="",
    metavar="QUESTION",
    help="Compile only what answers it: 'smallest|largest KEY where FIGURE <= NUMBER [and …]', by halving,"
    " for each model, chip and value of the other keys. The answer comes with both neighbours.",
)
@click.option(
    "--search",
    "trials",
    type=click.IntRange(1, _MOST_TRIALS),
    metavar="N",
    help="Of each model, try N points that optuna takes for promising by --minimise, in place of all.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, _MOST_WORKERS),
    metavar="N",
    help="Processes on this machine; default: one for each core.",
)
@click.option(
    "--scheduler",
    default="",
    metavar="ADDRESS",
    help="Compile on a cluster of dask, such as tcp://host:8786. Its workers have this nnc, and the models"
    " under the same paths.",
)
@click.option("--seconds", is_flag=True, help="A column with the time that compiling each point took.")
@target_options
@cache_option
@json_option
@log_option
def command(
    models: tuple[Path, ...],
    varied: tuple[str, ...],
    chips: tuple[str, ...] | None,
    output: Path | None,
    report: Path | None,
    minimise: str,
    question: str,
    trials: int | None,
    workers: int | None,
    scheduler: str,
    seconds: bool,
    target: Target,
    no_cache: bool,
    as_json: bool,
    verbosity: int,
) -> None:
    """Compile networks for all combinations of chips and values, in parallel, and compare them.

    Each combination is a point: cycles, DRAM bytes, energy, both beside their floors, peaks of memory,
    instructions. The table shows the Pareto front of each network; -o writes all points. A point that cannot
    be compiled, such as a memory that is too small, is a row with its error.

    \b
    Examples:
      nnc sweep model.onnx --vary memory.sram.bytes=64KiB..2MiB*2
      nnc sweep model.onnx --vary cores=1,2,4 --vary objective=traffic,cycles -o results.parquet
      nnc sweep a.onnx b.onnx --chips npu,npu4,mine.toml --minimise cycles,energy --report front.html
      nnc sweep model.onnx --vary dram.bytes_per_cycle=4..64+4 -o results.csv --workers 4
      nnc sweep model.onnx --vary memory.sram.bytes=16KiB..4MiB+16KiB \\
          --find 'smallest memory.sram.bytes where dram.ratio <= 1.05'
      nnc sweep model.onnx --vary memory.sram.bytes=64KiB..8MiB+64KiB --vary cores=1..8+1 \\
          --search 200 --minimise cycles,energy,area -o results.parquet
      nnc sweep model.onnx --vary dim.tokens=16,64,256 --scheduler tcp://10.0.0.1:8786 -o results.parquet
    """
    is_named = click.get_current_context().get_parameter_source("chip") is ParameterSource.COMMANDLINE
    if chips and is_named:
        raise click.UsageError("Name chips by --chip or by --chips, not by both.")
    if report is not None:
        insist_on_bokeh()
    from nnc.cli.sweep_text import sweep_text

    how = _How(minimise, question, trials or 0, workers, scheduler, seconds, not no_cache)
    with logged(verbosity), ShownProgress("starting") as progress:
        swept = _swept(models, varied, chips or (target.chip,), target, output, how, progress)
        if report is not None:
            _write_page(swept, report)
    if as_json:
        emit_json(swept.model_dump(mode="json", by_alias=True))
        return
    for item in sweep_text(swept, verbose=verbosity > 0):
        say_or_show(item)
    for name, path in (("results", output), ("page", report)):
        if path is not None:
            say(f"{name:<9} {path}")


class _How(NamedTuple):
    """How points are chosen, computed and compared."""

    minimise: str
    question: str
    trials: int
    workers: int | None
    scheduler: str
    seconds: bool
    is_kept: bool


def _swept(
    models: Sequence[Path],
    varied: Sequence[str],
    chips: Sequence[str],
    target: Target,
    output: Path | None,
    how: _How,
    progress: Progress,
) -> SweepReport:
    """The report of a sweep."""
    from nnc.sweeps.front import minimised_figures
    from nnc.sweeps.points import Asked
    from nnc.sweeps.sweep import run_sweep, space_of
    from nnc.sweeps.vary import parse_varies
    from nnc.sweeps.workers import Workers

    minimised = minimised_figures(how.minimise)
    asked = Asked(target.words(), dict(target.shapes), target.dims, target.states)
    space = space_of(models, parse_varies(varied), chips, target.overrides, asked, how.is_kept)
    return run_sweep(
        space,
        output=output,
        workers=Workers(how.workers, how.scheduler),
        minimised=minimised,
        question=how.question,
        trials=how.trials,
        is_timed=how.seconds,
        progress=progress,
    ).report


def _write_page(report: SweepReport, path: Path) -> None:
    """Draw the points and the front."""
    from nnc.isa.files import write_whole
    from nnc.page.sweep_page import sweep_html

    write_whole(path, [sweep_html(report).encode()])

"""nnc diff: what changed between two programs, and why."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from nnc.cli.classes import HeadedCommand
from nnc.cli.logs import logged
from nnc.cli.options import CommandT, Target, json_option, log_option, target_options
from nnc.cli.paths import ReadPath, model_files
from nnc.cli.progress import ShownProgress
from nnc.cli.subjects import SubjectKind, insist_on_no_target, kind_of

if TYPE_CHECKING:
    from nnc.report.schema import Report

FORMATS = ("text", "markdown")


def parse_fail_above(_: click.Context, __: click.Parameter, text: str | None) -> dict[str, float]:
    """Shares by which figures may grow; none if nothing is said."""
    from nnc.diff.thresholds import parse_thresholds

    return {} if text is None else parse_thresholds(text)


fail_above_option = click.option(
    "--fail-above",
    "limits",
    metavar="FIGURE=N%,…",
    callback=parse_fail_above,
    help="Exit with status 1 if a figure grew by more: cycles, bytes, energy, instructions,"
    " e.g. cycles=1%,bytes=0.5%.",
)
format_option = click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="markdown: tables for a comment on a pull request.",
)


def _side_option(name: str, what: str) -> Callable[[CommandT], CommandT]:
    return click.option(
        f"--{name}",
        f"{name}_options",
        metavar='"OPTIONS"',
        default="",
        help=f"Options for {what} side alone, in one word, behind those that both have,"
        f' e.g. --{name} "--chip npu4 --set memory.sram.bytes=1MiB".',
    )


@click.command("diff", cls=HeadedCommand, short_help="Show what changed between two programs, and why.")
@click.argument("before", type=ReadPath(model_files), metavar="BEFORE")
@click.argument("after", type=ReadPath(model_files), metavar="[AFTER]", required=False)
@_side_option("before", "the first")
@_side_option("after", "the second")
@fail_above_option
@format_option
@target_options
@json_option
@log_option
def command(
    before: Path,
    after: Path | None,
    before_options: str,
    after_options: str,
    limits: dict[str, float],
    form: str,
    target: Target,
    as_json: bool,
    verbosity: int,
) -> None:
    """Show what changed between two programs, and why, largest first.

    BEFORE and AFTER are models, which are compiled, programs, or reports (nnc compile --report or --json), in
    any mixture.  Without AFTER, one model is compiled in two ways.

    Groups are matched by the layers that they share, layers by name, or by operator and shape in order.  For
    every change of bytes it says of which cause they are (spill, reload, …) and what differs between the
    plans: borders between groups, parts, cores, what stays on chip.

    \b
    Examples:
      nnc diff old.onnx new.onnx --chip npu4
      nnc diff model.onnx --after "--set memory.sram.bytes=256KiB"
      nnc diff model.onnx --before "--objective traffic" --after "--objective cycles"
      nnc diff golden.json model.onnx --fail-above cycles=1%,bytes=0.5%
      nnc diff old.bin new.bin --format markdown
    """
    from nnc.cli.diff_text import diff_text
    from nnc.cli.output import emit_json, say_or_show
    from nnc.diff.build import make_diff
    from nnc.diff.thresholds import judged

    if after is None and before_options == after_options:
        raise click.UsageError("Name two files, or say how one is compiled twice: --after OPTIONS.")
    sides = [(before, before_options), (before if after is None else after, after_options)]
    targets = [_with(target, options) for _, options in sides]
    _insist_on_models(sides)
    with logged(verbosity), ShownProgress("importing") as progress:
        reports = [
            load_report(path, of_side, progress) for (path, _), of_side in zip(sides, targets, strict=True)
        ]
    diff = judged(make_diff(*reports), limits)
    if as_json:
        emit_json(diff.model_dump(mode="json", by_alias=True))
    else:
        for item in diff_text(diff, form=form, verbose=verbosity > 0):
            say_or_show(item)
    if diff.failures:
        raise SystemExit(1)


def load_report(path: Path, target: Target, progress: ShownProgress) -> Report:
    """The report of a model, which is compiled, of a program, or as it lies in a file.

    Raises:
        NncError: the file cannot be used.
    """
    match kind_of(path):
        case SubjectKind.REPORT:
            from nnc.report.read import read_report

            return read_report(path)
        case SubjectKind.PROGRAM:
            from nnc.isa.program_file.binary import load_program
            from nnc.report.build import make_report
            from nnc.report.measured import Measured

            return make_report(Measured.of(load_program(path)), program_file=str(path))
        case SubjectKind.MODEL:
            from nnc.compilation import compile_model

            return compile_model(path, target.chip, **target.arguments(progress)).report


def _insist_on_models(sides: list[tuple[Path, str]]) -> None:
    """Refuse options for files that are compiled already.

    Raises:
        click.UsageError: there are such.
    """
    kinds = [kind_of(path) for path, _ in sides]
    if SubjectKind.MODEL not in kinds:
        insist_on_no_target(kinds[0].value)
    for kind, (path, options) in zip(kinds, sides, strict=True):
        if options and kind is not SubjectKind.MODEL:
            raise click.UsageError(f"{options} is for models, {path} is {kind.value}")


@click.command("options")
@target_options
def _options(target: Target) -> None:
    """What --before and --after may hold."""


def _with(target: Target, options: str) -> Target:
    """The options of both sides, and those of one behind them.

    Raises:
        click.UsageError: these are not such as models are compiled with.
    """
    try:
        context = _options.make_context("options", shlex.split(options))
    except ValueError as error:
        raise click.UsageError(f"{options!r} cannot be split into options: {error}") from error
    given = {
        field.name: context.params[field.name]
        for field in fields(Target)
        if context.get_parameter_source(field.name) is ParameterSource.COMMANDLINE
    }
    if "overrides" in given:
        given["overrides"] = (*target.overrides, *given["overrides"])
    return replace(target, **given)

"""nnc golden: a folder of reports, compared with what today's compiler makes of the same networks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nnc.cli.classes import HeadedCommand, SuggestingGroup
from nnc.cli.diff import fail_above_option, format_option, load_report
from nnc.cli.options import CommandT, Target, json_option, target_options
from nnc.cli.paths import ReadPath, WrittenFolder, model_files, note_written
from nnc.cli.progress import ShownProgress

if TYPE_CHECKING:
    from nnc.diff.schema import Diff
    from nnc.golden import GoldenFolder

_DEFAULT_LIMITS = {"cycles": 0.01, "bytes": 0.005}


def _names_argument() -> Callable[[CommandT], CommandT]:
    return click.argument("names", metavar="[NAME]…", nargs=-1)


@click.group("golden", cls=SuggestingGroup, short_help="Keep reports of networks, and tell what got worse.")
def command() -> None:
    """Keep a folder of reports, and compare them with what today's compiler makes of the same networks.

    \b
    Examples:
      nnc golden add golden lenet-npu lenet5.onnx --chip npu
      nnc golden check golden --fail-above cycles=1%,bytes=0.5%
      nnc golden update golden lenet-npu
    """


@command.command("add", cls=HeadedCommand)
@click.argument("folder", type=WrittenFolder(), metavar="DIR")
@click.argument("name", metavar="NAME")
@click.argument("model", type=ReadPath(model_files), metavar="MODEL.onnx")
@target_options
def add_command(folder: Path, name: str, model: Path, target: Target) -> None:
    """Compile a network, keep its report, and note by which options; one of that name is replaced.

    \b
    Example:
      nnc golden add golden lenet-npu4 lenet5.onnx --chip npu4 --objective traffic
    """
    from nnc.cli.output import say
    from nnc.golden import INDEX, GoldenFolder
    from nnc.isa.chip.load import preset_names

    options = asdict(target)
    if target.chip not in preset_names():
        options["chip"] = os.path.relpath(target.chip, folder)
    added = GoldenFolder.open(folder, create=True).added(name, model, options)
    note_written([folder / INDEX, folder / f"{name}.json"])
    with ShownProgress("importing") as progress:
        report = load_report(model, target, progress)
    folder.mkdir(parents=True, exist_ok=True)
    added.keep(name, report)
    added.write_index()
    say(f"{name}: {report.title}, {report.network.cycles:,} cycles, kept in {folder}")


@command.command("check")
@click.argument("folder", type=ReadPath(), metavar="DIR")
@_names_argument()
@fail_above_option
@format_option
@json_option
@click.option("-v", "--verbose", is_flag=True, help="Show all changes of groups, not only the largest.")
def check_command(
    folder: Path, names: tuple[str, ...], limits: dict[str, float], form: str, as_json: bool, verbose: bool
) -> None:
    """Compile the networks of a folder, and show what changed since their reports were kept.

    Status 1 if a figure of one of them grew by more than --fail-above allows: cycles by 1 % and bytes by
    0.5 % if nothing is said.

    \b
    Examples:
      nnc golden check golden
      nnc golden check golden --format markdown >> "$GITHUB_STEP_SUMMARY"
    """
    from nnc.cli.diff_text import summary_text
    from nnc.cli.output import emit_json, say_or_show
    from nnc.diff.schema import GoldenCheck
    from nnc.diff.thresholds import judged
    from nnc.golden import GoldenFolder

    compared = _compared(GoldenFolder.open(folder), names)
    diffs = {name: judged(diff, limits or _DEFAULT_LIMITS) for name, diff in compared}
    if as_json:
        emit_json(GoldenCheck(networks=diffs).model_dump(mode="json", by_alias=True))
    else:
        for item in summary_text(diffs, form=form, verbose=verbose):
            say_or_show(item)
    if any(diff.failures for diff in diffs.values()):
        raise SystemExit(1)


@command.command("update")
@click.argument("folder", type=WrittenFolder(), metavar="DIR")
@_names_argument()
def update_command(folder: Path, names: tuple[str, ...]) -> None:
    """Compile networks of a folder, all if none is named, and keep their reports of today.

    \b
    Example:
      nnc golden update golden
    """
    from nnc.cli.output import say
    from nnc.golden import GoldenFolder

    golden = GoldenFolder.open(folder)
    for name in golden.chosen(names):
        before = golden.report(name).network.cycles if (folder / f"{name}.json").exists() else None
        with ShownProgress("importing") as progress:
            report = load_report(golden.model(name), _target_of(golden, name), progress)
        golden.keep(name, report)
        was = "" if before is None else f", before {before:,}"
        say(f"{name}: {report.network.cycles:,} cycles{was}")


def _compared(golden: GoldenFolder, names: tuple[str, ...]) -> Iterator[tuple[str, Diff]]:
    """Networks with what changed in them."""
    from nnc.diff.build import make_diff

    for name in golden.chosen(names):
        kept = golden.report(name)
        with ShownProgress("importing") as progress:
            report = load_report(golden.model(name), _target_of(golden, name), progress)
        yield name, make_diff(kept, report)


def _target_of(golden: GoldenFolder, name: str) -> Target:
    """By which options a network is compiled.

    Raises:
        ReportFileError: the index says something else than options.
    """
    from pydantic import TypeAdapter, ValidationError

    from nnc.errors import ReportFileError
    from nnc.golden import INDEX
    from nnc.isa.chip.load import preset_names

    try:
        target = TypeAdapter(Target).validate_python(golden.networks[name].options)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ReportFileError(
            "the index of the golden reports is damaged",
            where=f"{golden.path / INDEX}: {name}",
            found=f"{'.'.join(map(str, first['loc']))}: {first['msg']}",
            remedy="add the network again with nnc golden add",
        ) from error
    if target.chip in preset_names():
        return target
    return replace(target, chip=os.path.normpath(golden.path / target.chip))

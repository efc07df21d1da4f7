"""nnc report: everything about a compiled network as one page for a browser."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nnc.cli.classes import HeadedCommand
from nnc.cli.logs import logged
from nnc.cli.options import Target, entry_option, log_option, target_options
from nnc.cli.output import human_bytes, say
from nnc.cli.packages import insist_on_bokeh
from nnc.cli.paths import ReadPath, WrittenFolder, WrittenPath, model_files, note_written
from nnc.cli.progress import ShownProgress
from nnc.cli.subjects import SubjectKind, insist_on_no_target, kind_of

if TYPE_CHECKING:
    from nnc.page.subject import Subject


@click.command("report", cls=HeadedCommand, short_help="Show a compiled network as a page for a browser.")
@click.argument("subject", type=ReadPath(model_files), metavar="MODEL|PROGRAM|REPORT.json")
@click.option("-o", "--output", type=WrittenPath(), metavar="PAGE.html", help="Where to write the page.")
@click.option(
    "--overlay",
    type=WrittenFolder(),
    metavar="DIR",
    help="Write node data for Model Explorer here: cycles, DRAM bytes, MACs, energy and group of ONNX nodes.",
)
@click.option(
    "--accuracy",
    type=ReadPath(),
    metavar="FILE.json",
    help="Figures of nnc accuracy --report: layers of the graph are coloured by their own harm.",
)
@entry_option
@target_options
@log_option
def command(
    subject: Path,
    output: Path | None,
    overlay: Path | None,
    accuracy: Path | None,
    entry: str,
    target: Target,
    verbosity: int,
) -> None:
    """Write one HTML file that shows everything about a compiled network, and needs no network to be opened.

    Summary beside floors, the graph of layers in their groups, a timeline of all engines and cores, what lies
    where in the on-chip memories and when, DRAM bytes by cause, a roofline, tables of layers and groups, the
    text of the program.  What is chosen in one of them is chosen in all.

    A model is compiled for --chip with the options of nnc compile; a program, or a report (nnc compile
    --report), is shown as it is.  A report alone has no program text.

    \b
    Examples:
      nnc report model.onnx -o page.html
      nnc report model.onnx --chip npu4 --set memory.sram.bytes=64KiB -o page.html
      nnc report model.bin -o page.html
      nnc compile model.onnx --report r.json && nnc report r.json -o page.html
      nnc report model.onnx --overlay overlay
      nnc report model.int8.onnx --accuracy accuracy.json -o page.html

    \b
    Keys in the page:
      1 … 9      go to a view             left, right   previous or next layer, or instruction
      z, 0       zoom to what is chosen,  up, down      previous or next group
                 or to the whole run      d, Escape     dark or light; choose nothing
    """
    if output is None and overlay is None:
        raise click.UsageError("Say where to write: -o PAGE.html, --overlay DIR, or both.")
    if output is not None:
        insist_on_bokeh()
    if overlay is not None:
        from nnc.viewers.overlay import overlay_files

        note_written(overlay_files(overlay).values())
    with logged(verbosity), ShownProgress("importing") as progress:
        contents = _read(subject, entry, target, progress)
        if accuracy is not None:
            contents = _with_accuracy(contents, accuracy)
        if output is not None:
            progress("drawing", 0, 0)
            size = _write_page(contents, output)
    if output is not None:
        say(f"page      {output} ({human_bytes(size)})")
    if overlay is not None:
        from nnc.viewers.overlay import write_overlay

        for path in write_overlay(contents.report, overlay):
            say(f"overlay   {path}")


def _with_accuracy(contents: Subject, path: Path) -> Subject:
    """What to show, with the figures of accuracy in a file."""
    from nnc.accuracies.on_layers import read_accuracy, with_accuracy

    return replace(contents, report=with_accuracy(contents.report, read_accuracy(path)))


def _write_page(subject: Subject, path: Path) -> int:
    """Write the page; gives its bytes."""
    from nnc.isa.files import write_whole
    from nnc.page.document import page_html

    page = page_html(subject.report, text=subject.text).encode()
    write_whole(path, [page])
    return len(page)


def _read(path: Path, entry: str, target: Target, progress: ShownProgress) -> Subject:
    """What to show: a report or a program as it is, a model compiled."""
    from nnc.page.subject import of_compilation, of_program, of_report_file

    kind = kind_of(path)
    if kind is SubjectKind.MODEL:
        from nnc.compilation import compile_model

        return of_compilation(compile_model(path, target.chip, **target.arguments(progress)))
    insist_on_no_target(kind.value)
    if kind is SubjectKind.REPORT:
        return of_report_file(path)
    from nnc.isa.program_file.binary import load_program

    return of_program(load_program(path, entry=entry), path)

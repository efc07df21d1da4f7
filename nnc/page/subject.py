"""What a page is about: a report, and what is known beside it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nnc.errors import ReportFileError
from nnc.isa.instruction import ENGINES
from nnc.isa.program import Program
from nnc.page.program_text import row_texts
from nnc.report.build import make_report
from nnc.report.measured import Measured
from nnc.report.read import read_report
from nnc.report.schema import Details, Report

if TYPE_CHECKING:
    from nnc.compilation import Result


@dataclass(frozen=True)
class Subject:
    """A report with details.

    Attributes:
        text: a line of program text for each row of the timeline; None if the program is not known.
    """

    report: Report
    text: list[str] | None


def of_compilation(result: Result) -> Subject:
    """What was compiled."""
    return _with_program(result.make_report(details=True), result.program)


def of_program(program: Program, path: Path) -> Subject:
    """A program alone, from a file.

    Raises:
        ProgramInvalidError: it deadlocks.
    """
    report = make_report(Measured.of(program), program_file=str(path), details=True)
    return _with_program(report, program)


def of_report_file(path: Path) -> Subject:
    """A report as `nnc compile --report` writes it.

    Raises:
        ReportFileError: it is none, one of another version, or one without details.
    """
    report = read_report(path)
    if report.details is None:
        raise ReportFileError(
            "the report has no details, of which pictures are made",
            where=str(path),
            remedy="write it with --report FILE.json; --json prints the figures alone",
        )
    if problem := _problem_of(report, report.details):
        raise ReportFileError(
            "the report contradicts itself",
            where=str(path),
            found=problem,
            remedy="write it again with --report FILE.json",
        )
    return Subject(report, None)


def _problem_of(report: Report, details: Details) -> str:
    """What does not fit, though the types of the schema allow it; empty if all fits."""
    timeline, blocks = details.timeline, details.blocks
    dram = report.chip.description.get("dram")
    bandwidth = dram.get("bytes_per_cycle") if isinstance(dram, dict) else None
    if not isinstance(bandwidth, int | float) or bandwidth <= 0:
        return "the chip has no dram.bytes_per_cycle"
    if unknown := set(blocks.memories) - set(report.memory):
        return f"nothing is said of the memory {min(unknown)}"
    for name, table in (("timeline", timeline), ("blocks", blocks)):
        numbers = {
            column: len(values) for column, values in table if not values or isinstance(values[0], int)
        }
        lists = ("mnemonics", "waits") if table is timeline else ("memories", "tensors")
        lengths = {length for column, length in numbers.items() if column not in lists}
        if len(lengths) > 1:
            return f"columns of the {name} have {min(lengths)} to {max(lengths)} entries"
    indices = (
        ("timeline.engine", timeline.engine, len(ENGINES)),
        ("timeline.mnemonic", timeline.mnemonic, len(timeline.mnemonics)),
        ("timeline.waited_for", timeline.waited_for, len(timeline.waits)),
        ("blocks.memory", blocks.memory, len(blocks.memories)),
        ("blocks.tensor", blocks.tensor, len(blocks.tensors)),
    )
    for column, values, count in indices:
        if values and not 0 <= min(values) <= max(values) < count:
            return f"{column} has entries that are none of 0 … {count - 1}"
    return ""


def _with_program(report: Report, program: Program) -> Subject:
    assert report.details is not None
    return Subject(report, row_texts(program, report.details.timeline))

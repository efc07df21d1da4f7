"""nnc run of a program with a host, and what is asked of any run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nnc.cli.output import emit_json, say, say_or_show
from nnc.cli.paths import note_written
from nnc.cli.progress import ShownProgress

if TYPE_CHECKING:
    from nnc.check.hosted import HostedCheck
    from nnc.isa.hosted import HostedProgram
    from nnc.report.hosted import HostedReport
    from nnc.runtime.hosted_session import HostedSession

    Arrays = Mapping[str, Any]


@dataclass(frozen=True)
class Request:
    """What is asked of a run.

    Attributes:
        file: of the program; feed: arrays by input.
        seed: that these were drawn by; None: they were given, or there are none.
        folder: for the outputs; check: the model that they are compared with; tolerance: of that.
        verify, jitter, as_json, verbose: the options of the command.
    """

    file: Path
    feed: Arrays
    seed: int | None
    folder: Path | None
    check: Path | None
    tolerance: float | None
    verify: bool
    jitter: int | None
    as_json: bool
    verbose: bool

    @property
    def poison(self) -> bool:
        """Whether bytes that nobody wrote are to show."""
        return self.check is not None or not self.verify


def run_hosted(hosted: HostedProgram, request: Request) -> None:
    """Run all segments once, write the outputs, judge and report them."""
    from nnc.check.hosted import check_hosted
    from nnc.cli.check_text import hosted_check_text
    from nnc.cli.hosted_text import hosted_text
    from nnc.cli.report_text import output_text
    from nnc.io.outputs import files_of, write_outputs

    if request.folder is not None:
        note_written(files_of(request.folder, hosted.outputs))
    checked = None
    with ShownProgress("verifying") as progress:
        session, outputs = _ran(hosted, request, progress)
        files = write_outputs(outputs, request.folder)
        if request.check is not None:
            progress("checking", 0, 0)
            of_run = request.feed, outputs, session.tensors
            checked = check_hosted(request.check, hosted, *of_run, request.tolerance)
    report = _report(session, request, outputs, files, checked)
    if request.as_json:
        emit_json(report.model_dump(mode="json", by_alias=True))
    else:
        if request.seed is not None:
            say(f"inputs        random, seed {request.seed}")
        for name, array in outputs.items():
            say(output_text(name, array) + (f"\n  written to {files[name]}" if files[name] else ""))
        for item in hosted_text(report, verbose=request.verbose):
            say_or_show(item)
    if checked is not None:
        if checked.verdict.ok and not request.as_json:
            for line in hosted_check_text(checked):
                say(line)
        checked.verdict.insist(str(request.check))


def _ran(
    hosted: HostedProgram, request: Request, progress: ShownProgress
) -> tuple[HostedSession, dict[str, Any]]:
    """A session that ran once, and its outputs.  BLAS has one thread, as for a program of the chip alone."""
    from threadpoolctl import threadpool_limits

    from nnc.runtime.hosted_session import HostedSession

    with threadpool_limits(1, user_api="blas"):
        session = HostedSession(
            hosted,
            verify=request.verify,
            poison=request.poison,
            jitter=request.jitter,
            blas_only=True,
            name=str(request.file),
        )
        progress("running", 0, 0)
        arrays = session.run(None, request.feed)
    return session, dict(zip(hosted.outputs, arrays, strict=True))


def _report(
    session: HostedSession,
    request: Request,
    outputs: Arrays,
    files: Mapping[str, str | None],
    checked: HostedCheck | None,
) -> HostedReport:
    """The report of a run."""
    from nnc.io.outputs import output_figures
    from nnc.report.hosted import hosted_report
    from nnc.report.of_run import report_of_run

    seconds = session.seconds_by_entry()
    return hosted_report(
        session.hosted,
        {
            entry: report_of_run(part, {}, seconds[entry], None, str(request.file))
            for entry, part in session.sessions.items()
        },
        session.crossings,
        host_seconds=sum(session.seconds) - sum(seconds.values()),
        outputs={name: output_figures(array, files[name]).to_json() for name, array in outputs.items()},
        check=None if checked is None else checked.to_json(),
    )

"""nnc run of a program with a host."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nnc.cli.output import emit_json, say, say_or_show
from nnc.cli.paths import note_written
from nnc.cli.progress import ShownProgress

if TYPE_CHECKING:
    from nnc.isa.hosted import HostedProgram


def run_hosted(
    file: Path,
    hosted: HostedProgram,
    feed: Mapping[str, Any],
    seed: int | None,
    *,
    folder: Path | None,
    check: Path | None,
    tolerance: float | None,
    verify: bool,
    jitter: int | None,
    as_json: bool,
    verbose: bool,
) -> None:
    """Run all segments once, write the outputs, judge and report them.

    Args:
        file: of the program; feed: its inputs; seed: that they were drawn by, None: they were given.
        folder, check, tolerance, verify, jitter, as_json, verbose: the options of the command.
    """
    from threadpoolctl import threadpool_limits

    from nnc.check.hosted import check_hosted
    from nnc.cli.check_text import hosted_check_text
    from nnc.cli.hosted_text import hosted_text
    from nnc.cli.report_text import output_text
    from nnc.io.outputs import files_of, output_figures, write_outputs
    from nnc.report.hosted import hosted_report
    from nnc.report.of_run import report_of_run
    from nnc.runtime.hosted_session import HostedSession

    if folder is not None:
        note_written(files_of(folder, hosted.outputs))
    bind = partial(HostedSession, verify=verify, poison=check is not None or not verify, jitter=jitter)
    with ShownProgress("verifying") as progress:
        start = time.perf_counter()
        with threadpool_limits(1, user_api="blas"):
            session = bind(hosted, blas_only=True, name=str(file))
            progress("running", 0, 0)
            arrays = session.run(None, feed)
        wall = time.perf_counter() - start
        outputs = dict(zip(hosted.outputs, arrays, strict=True))
        files = write_outputs(outputs, folder)
        progress("checking", 0, 0)
        checked = (
            None if check is None else check_hosted(check, hosted, feed, outputs, session.tensors, tolerance)
        )
    figures = {name: output_figures(array, files[name]).to_json() for name, array in outputs.items()}
    reports = {
        entry: report_of_run(part, {}, wall, None, str(file)) for entry, part in session.sessions.items()
    }
    report = hosted_report(
        hosted,
        reports,
        session.crossings,
        host_seconds=session.host_seconds,
        outputs=figures,
        check=None if checked is None else checked.to_json(),
    )
    if as_json:
        emit_json(report.model_dump(mode="json", by_alias=True))
    else:
        if seed is not None:
            say(f"inputs        random, seed {seed}")
        for name, array in outputs.items():
            say(output_text(name, array) + (f"\n  written to {files[name]}" if files[name] else ""))
        for item in hosted_text(report, verbose=verbose):
            say_or_show(item)
    if checked is not None:
        if checked.verdict.ok and not as_json:
            for line in hosted_check_text(checked):
                say(line)
        checked.verdict.insist(str(check))

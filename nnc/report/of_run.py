"""The report of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nnc.report.build import make_report
from nnc.report.measured import Measured
from nnc.report.schema import Report, RunReport
from nnc.runtime.session import Session


def report_of_run(
    session: Session,
    outputs: Mapping[str, Any],
    wall_seconds: float,
    check: Mapping[str, Any] | None,
    program_file: str | None = None,
    *,
    details: bool = False,
) -> Report:
    """The report of a program with a run of it: what was simulated beside what was predicted.

    Args:
        session: that ran.
        outputs: by name, what is said of each: its file, and figures of its values.
        wall_seconds: of the run.
        check: the verdict beside a model, if there is one.
        program_file: where the program lies.
        details: with parts, instructions and blocks of memory.
    """
    run = RunReport(
        outputs=dict(outputs),
        verified=session.verified,
        jitter=session.jitter,
        wall_seconds=round(wall_seconds, 6),
        check=None if check is None else dict(check),
    )
    measured = Measured(session.program, *session.machine.timing, session.ledger)
    return make_report(measured, program_file=program_file, run=run, details=details)

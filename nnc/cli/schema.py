"""nnc schema: the form of what nnc reads and writes as JSON or TOML, as JSON Schema."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from nnc.cli.output import emit_json


def _report() -> dict[str, Any]:
    from nnc.report.schema import Report

    return Report.model_json_schema(by_alias=True)


def _hosted() -> dict[str, Any]:
    from nnc.report.hosted import HostedReport

    return HostedReport.model_json_schema(by_alias=True)


def _diff() -> dict[str, Any]:
    from nnc.diff.schema import Diff

    return Diff.model_json_schema(by_alias=True, mode="serialization")


def _golden() -> dict[str, Any]:
    from nnc.diff.schema import GoldenCheck

    return GoldenCheck.model_json_schema(by_alias=True, mode="serialization")


def _explanation() -> dict[str, Any]:
    from nnc.explanations.schema import Explanation

    return Explanation.model_json_schema(by_alias=True, mode="serialization")


def _chip() -> dict[str, Any]:
    from nnc.isa.chip.description import Chip

    return Chip.model_json_schema()


def _sweep() -> dict[str, Any]:
    from nnc.sweeps.schema import SweepReport

    return SweepReport.model_json_schema(by_alias=True)


def _ops() -> dict[str, Any]:
    from pydantic import TypeAdapter

    from nnc.compiler.frontend.table import OperatorDoc

    return TypeAdapter(list[OperatorDoc]).json_schema()


def _accuracy() -> dict[str, Any]:
    from nnc.accuracies.schema import AccuracyReport

    return AccuracyReport.model_json_schema(by_alias=True)


_SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "report": _report,
    "hosted": _hosted,
    "accuracy": _accuracy,
    "diff": _diff,
    "golden": _golden,
    "explanation": _explanation,
    "chip": _chip,
    "ops": _ops,
    "sweep": _sweep,
}


@click.command("schema", short_help="Print the form of reports, chips, sweeps or ops as JSON Schema.")
@click.argument("what", type=click.Choice(list(_SCHEMAS)))
def command(what: str) -> None:
    """Print the form of what nnc writes or reads as JSON Schema, for programs and editors.

    \b
    report       what compile, run and profile print with --json, or write with --report
    hosted       what compile --host --json prints, and run of such a program
    accuracy     what accuracy prints with --json, or writes with --report
    diff         what diff --json prints
    golden       what golden check --json prints
    explanation  what explain --json prints
    chip         what --chip FILE.toml says
    ops          what nnc ops --json prints
    sweep        what nnc sweep --json prints

    \b
    Examples:
      nnc schema report > report.schema.json
      nnc schema chip > chip.schema.json
    """
    emit_json(_SCHEMAS[what]())

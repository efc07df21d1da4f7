"""What a file that a command gets is: a model, a program, or a report."""

from __future__ import annotations

from dataclasses import fields
from enum import Enum
from pathlib import Path

import click
from click.core import ParameterSource

from nnc.cli.options import Target

_HEAD = 64
"""Bytes of a file that tell what it is."""


class SubjectKind(Enum):
    """What a file is; the value is for people."""

    MODEL = "a model"
    PROGRAM = "a program"
    REPORT = "a report"


def kind_of(path: Path) -> SubjectKind:
    """What a file is; one that cannot be read is a model, whose reader will tell."""
    from nnc.isa.program_file.binary import MAGIC
    from nnc.isa.program_file.linked import LINKED_MAGIC

    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return SubjectKind.MODEL
    if head.startswith((MAGIC, LINKED_MAGIC)):
        return SubjectKind.PROGRAM
    return SubjectKind.REPORT if head.lstrip().startswith(b"{") else SubjectKind.MODEL


def insist_on_no_target(subject: str) -> None:
    """Refuse options that would mean nothing.

    Raises:
        click.UsageError: one of those by which models are compiled is given.
    """
    context = click.get_current_context()
    for option in context.command.params:
        given = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if given and option.name in {field.name for field in fields(Target)}:
            raise click.UsageError(f"{option.opts[0]} is for models, {subject} is compiled already")

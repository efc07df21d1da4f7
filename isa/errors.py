"""The exception family: every error a user can meet has a code, a place and a remedy.

Here are its base and what more than one part raises; compiler and runtime have an ``errors`` module for
theirs, and ``nnc.errors`` has them all.  The docstring of a class is its explanation in ``docs/errors.md``.
Code that detects a problem raises one of these; the command line prints it in one piece and exits with
status 1, so a user never sees a traceback.
"""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar


class NncError(Exception):
    """Base of all errors that nnc raises on purpose; each says what to do (`remedy`)."""

    code: ClassVar[str] = "NNC-E000"

    def __init__(
        self, message: str, *, where: str = "", found: str = "", expected: str = "", remedy: str
    ) -> None:
        self.message = message
        self.where = where
        self.found = found
        self.expected = expected
        self.remedy = remedy
        super().__init__(str(self))

    def __str__(self) -> str:
        head = f"{self.code}: {self.where}: {self.message}" if self.where else f"{self.code}: {self.message}"
        details = [
            f"  {label}: {text}"
            for label, text in (("found", self.found), ("expected", self.expected), ("remedy", self.remedy))
            if text
        ]
        return "\n".join([head, *details])

    def __reduce__(self) -> tuple[Any, ...]:
        """How copies are made, with all details."""
        facts = {name: getattr(self, name) for name in ("where", "found", "expected", "remedy")}
        return partial(type(self), self.message, **facts), ()

    def to_json(self) -> dict[str, str]:
        """The same facts as a flat JSON object."""
        return {
            "code": self.code,
            "message": self.message,
            "where": self.where,
            "found": self.found,
            "expected": self.expected,
            "remedy": self.remedy,
        }


class UsualRemedyError(NncError):
    """Base of errors for which the same remedy serves wherever nothing better is known."""

    usual_remedy: ClassVar[str]

    def __init__(
        self, message: str, *, where: str = "", found: str = "", expected: str = "", remedy: str = ""
    ) -> None:
        super().__init__(
            message, where=where, found=found, expected=expected, remedy=remedy or self.usual_remedy
        )


class OptionError(NncError):
    """A command-line option or API argument has a value that cannot be used."""

    code = "NNC-E001"


class OutputFileError(NncError):
    """A result file could not be written (folder missing, no permission, disk full)."""

    code = "NNC-E002"


class ChipError(NncError):
    """The chip description is malformed or describes an impossible chip."""

    code = "NNC-E020"


class ProgramFileError(UsualRemedyError):
    """A program file is missing, truncated, corrupted, or of an unknown version."""

    code = "NNC-E030"
    usual_remedy = "compile the model again, or assemble the program text again with this nnc"


class ProgramInvalidError(UsualRemedyError):
    """A program is well formed but cannot run on its chip (unknown memory, core, operand out of table)."""

    code = "NNC-E031"
    usual_remedy = "check the program with 'nnc verify'; one that nnc compiled is a bug to report"


class AssemblyError(UsualRemedyError):
    """Program text is malformed; the message shows line, column and a caret."""

    code = "NNC-E040"
    usual_remedy = (
        "correct the line: docs/isa.md has the syntax, and nnc disasm PROGRAM.bin writes sound text"
    )


class InputError(NncError):
    """An input given to a run has the wrong name, shape, dtype or file format."""

    code = "NNC-E050"


class InternalError(UsualRemedyError):
    """An invariant of the compiler itself was broken: a bug in nnc, please report it with the model."""

    code = "NNC-E090"
    usual_remedy = "please report this with the model and the command; NNC_DEBUG=1 shows where it happened"

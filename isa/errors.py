"""The exception family: every error a user can meet has a code, a place and a remedy.

The list of codes in ``docs/errors.md`` is generated from the classes below: the docstring of a class
is its explanation.  Code that detects a problem raises one of these; the command line prints it in one
piece and exits with status 1, so a user never sees a traceback.
"""

from __future__ import annotations

from typing import ClassVar


class NncError(Exception):
    """Base of all errors that nnc raises on purpose."""

    code: ClassVar[str] = "NNC-E000"

    def __init__(
        self, message: str, *, where: str = "", found: str = "", expected: str = "", remedy: str = ""
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


class OptionError(NncError):
    """A command-line option or API argument has a value that cannot be used."""

    code = "NNC-E001"


class OutputFileError(NncError):
    """A result file could not be written (folder missing, no permission, disk full)."""

    code = "NNC-E002"


class ModelFileError(NncError):
    """The model file is missing, empty, truncated, or not ONNX."""

    code = "NNC-E010"


class ModelInvalidError(NncError):
    """The file is ONNX but the model is broken: cyclic, dangling names, wrong types, wrong attributes."""

    code = "NNC-E011"


class ExternalDataError(NncError):
    """External weight data is missing, too short, or points outside the folder of the model."""

    code = "NNC-E012"


class SymbolicShapeError(NncError):
    """A dimension is not known at compile time: it is symbolic and no --shape was given."""

    code = "NNC-E013"


class ModelTooLargeError(NncError):
    """The tensors of the model could not fit the machine that compiles or simulates it."""

    code = "NNC-E014"


class UnsupportedError(NncError):
    """The model uses operators, attributes or types that nnc cannot compile; all are listed at once."""

    code = "NNC-E015"


class ExportError(NncError):
    """A graph cannot be written as an ONNX model: a layer has no counterpart there, or it is too large."""

    code = "NNC-E016"


class ChipError(NncError):
    """The chip description is malformed or describes an impossible chip."""

    code = "NNC-E020"


class CapacityError(NncError):
    """A layer cannot fit the memories of the chip, even when cut as finely as possible."""

    code = "NNC-E021"


class ProgramFileError(NncError):
    """A program file is missing, truncated, corrupted, or of an unknown version."""

    code = "NNC-E030"


class ProgramInvalidError(NncError):
    """A program is well formed but cannot run on its chip (unknown memory, core, operand out of table)."""

    code = "NNC-E031"


class AssemblyError(NncError):
    """Program text is malformed; the message shows line, column and a caret."""

    code = "NNC-E040"


class InputError(NncError):
    """An input given to a run has the wrong name, shape, dtype or file format."""

    code = "NNC-E050"


class VerificationError(NncError):
    """The verifier found that a program breaks a rule (bounds, order, completeness)."""

    code = "NNC-E060"


class CheckMismatchError(NncError):
    """The outputs of a program differ from the reference implementation's."""

    code = "NNC-E061"


class ExecutionError(NncError):
    """The simulated chip met an access or a value that the hardware could not carry out."""

    code = "NNC-E070"


class InternalError(NncError):
    """An invariant of the compiler itself was broken: a bug in nnc, please report it with the model."""

    code = "NNC-E090"


def error_classes() -> list[type[NncError]]:
    """All error classes, ordered by code (for the generated documentation)."""
    return sorted(NncError.__subclasses__(), key=lambda cls: cls.code)

"""All errors that nnc raises on purpose, wherever they are defined, and the page that lists them.

``python -m nnc.errors > docs/errors.md``
"""

from __future__ import annotations

import sys

from nnc.compiler.errors import CapacityError, ElementTypeError, ExportError
from nnc.compiler.frontend.errors import (
    ExternalDataError,
    ModelFileError,
    ModelInvalidError,
    ModelTooLargeError,
    SymbolicShapeError,
    UnsupportedError,
)
from nnc.isa.errors import (
    AssemblyError,
    ChipError,
    InputError,
    InternalError,
    NncError,
    OptionError,
    OutputFileError,
    ProgramFileError,
    ProgramInvalidError,
)
from nnc.isa.limits import LIMITS
from nnc.runtime.errors import ExecutionError, ProgramTooLargeError, VerificationError


class MissingPackageError(NncError):
    """A package that only some commands need is not installed; the message has the line for pip."""

    code = "NNC-E003"


class ReportFileError(NncError):
    """A report is malformed, of another version, or has no details, of which pages are made."""

    code = "NNC-E033"


class QuantizationError(NncError):
    """The model cannot be quantised: it is already, it has nothing to quantise, or onnxruntime refuses it."""

    code = "NNC-E017"


class AccuracyError(NncError):
    """Two networks cannot be compared: no tensors in common, or onnxruntime cannot run one of them."""

    code = "NNC-E018"


class CheckMismatchError(NncError):
    """The outputs of a program differ from the reference implementation's."""

    code = "NNC-E061"


__all__ = [
    "AccuracyError",
    "AssemblyError",
    "CapacityError",
    "CheckMismatchError",
    "ChipError",
    "ElementTypeError",
    "ExecutionError",
    "ExportError",
    "ExternalDataError",
    "InputError",
    "InternalError",
    "MissingPackageError",
    "ModelFileError",
    "ModelInvalidError",
    "ModelTooLargeError",
    "NncError",
    "OptionError",
    "OutputFileError",
    "ProgramFileError",
    "ProgramInvalidError",
    "ProgramTooLargeError",
    "QuantizationError",
    "ReportFileError",
    "SymbolicShapeError",
    "UnsupportedError",
    "VerificationError",
    "error_classes",
    "errors_reference",
    "explained",
]


def explained(error: Exception) -> NncError:
    """An exception as an error of the family: itself, or what one that nothing expected means for a user."""
    if isinstance(error, NncError):
        return error
    if isinstance(error, MemoryError):
        return ModelTooLargeError(
            "out of memory",
            found=str(error),
            remedy="use smaller shapes (--shape), a smaller model, or a larger machine",
        )
    return InternalError(
        "nnc met a case that it does not expect",
        found=f"{type(error).__name__}: {' '.join(str(error).split())}"[:400],
        remedy="please report this with the files and the command; NNC_DEBUG=1 shows where it happened",
    )


def error_classes() -> list[type[NncError]]:
    """All error classes, ordered by code."""
    exports = [globals()[name] for name in __all__]
    classes = [thing for thing in exports if isinstance(thing, type) and thing is not NncError]
    return sorted(classes, key=lambda cls: cls.code)


def errors_reference() -> str:
    """The text of docs/errors.md."""
    from nnc.isa.reference.pages import render  # brings jinja2, which no error needs

    return render("errors.md.j2", classes=error_classes(), base=NncError.__name__, limits=LIMITS)


if __name__ == "__main__":
    sys.stdout.write(errors_reference())

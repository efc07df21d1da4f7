"""What may become of a case, and how an exception counts."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from nnc.isa.errors import InternalError, NncError

ROOT = Path(__file__).resolve().parents[2]


class Verdict(Enum):
    """The kinds of outcome, in the order of the report."""

    OK = "ok"
    REFUSED = "refused"
    LARGE = "large tensors"
    BUG = "E090"
    EXCEPTION = "other exception"
    WRONG = "wrong"
    CRASH = "crash"
    MEMORY = "over memory"
    TIME = "over time"
    WARNED = "warned on stderr"

    @property
    def is_bad(self) -> bool:
        """Whether it must not happen, whatever the case."""
        return self not in (Verdict.OK, Verdict.REFUSED, Verdict.LARGE)


@dataclass(frozen=True)
class Outcome:
    """What became of a case.

    Attributes:
        cause: equal for cases that fail for one reason: the code of an error, or what was raised and where.
        detail: the message or the traceback.
    """

    verdict: Verdict
    cause: str = ""
    detail: str = ""


class WrongError(Exception):
    """A result is not what it must be; the message says which."""


def outcome_of(error: BaseException) -> Outcome:
    """How an exception that a case raised counts.

    A refusal after an allocation failed is no refusal: on a larger machine, the memory would be taken.
    """
    detail = "".join(traceback.format_exception(error))
    if any(isinstance(cause, MemoryError) for cause in _causes(error)):
        return Outcome(Verdict.MEMORY, f"allocation failed in {_place(error)}", detail)
    if isinstance(error, WrongError):
        return Outcome(Verdict.WRONG, str(error).partition("\n")[0], detail)
    if isinstance(error, InternalError):
        return Outcome(Verdict.BUG, f"{error.message} in {_place(error)}", detail)
    if isinstance(error, NncError):
        return Outcome(Verdict.REFUSED, error.code, str(error))
    return Outcome(Verdict.EXCEPTION, f"{type(error).__name__} in {_place(error)}", detail)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An exception and those that it was raised for or while they were handled."""
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__


def _place(error: BaseException) -> str:
    """The innermost line of this repository that an exception passed through."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if ROOT in Path(frame.filename).resolve().parents]
    own = [frame for frame in own if ".venv" not in frame.filename] or list(frames)
    if not own:
        return "an unknown place"
    frame = own[-1]
    return f"{Path(frame.filename).resolve().name}:{frame.lineno} ({frame.name})"

"""One way to say that something optional is there."""

from __future__ import annotations

from typing import TypeVar

from nnc.isa.errors import InternalError

T = TypeVar("T")


def required(value: T | None) -> T:
    """The value, which the caller knows to be there: a layer's operand that is not optional, say.

    Raises:
        InternalError: it is absent.
    """
    if value is None:
        raise InternalError("something that must be there is absent")
    return value

"""The planner's options as the command line says them: ``objective="traffic", effort=1, fc_oram="64KiB"``."""

from __future__ import annotations

from typing import Any, TypedDict

from nnc.compiler.plan.options import PlanOptions
from nnc.isa.chip.description import parse_size
from nnc.isa.errors import OptionError

_MANY = 10**9


class OptionWords(TypedDict, total=False):
    """Keyword arguments that mean what the options of the same names of ``nnc compile`` do.

    ``effort`` is that of ``-O``: 0 to 3.
    """

    objective: str
    effort: str | int
    overlap: str
    split: str
    stitch: str | int
    conv_buffers: str
    fc_oram: str | int
    softmax: str


def plan_options(options: PlanOptions | None, words: OptionWords) -> PlanOptions:
    """What is asked of the planner: by an object, by words, or nothing but the defaults.

    Raises:
        OptionError: both are given, or a word has a value that there is not.
    """
    if options is None:
        return PlanOptions(**_fields(words))
    if words:
        said = ", ".join(words)
        raise OptionError(
            "options of the planner are given twice",
            found=f"{said}, beside options=PlanOptions(…)",
            expected="one or the other",
            remedy="say all in the object, options=PlanOptions(…), or leave it out",
        )
    return options


def _fields(words: OptionWords) -> dict[str, Any]:
    """The words as `PlanOptions` has them."""
    fields: dict[str, Any] = dict(words)
    if "effort" in words:
        fields["effort"] = "O" + _text(words["effort"]).removeprefix("O")
    if "stitch" in words:
        fields["stitch"] = _text(words["stitch"])
    if "fc_oram" in words:
        fields["fc_oram"] = _size(words["fc_oram"])
    return fields


def _size(text: str | int) -> int:
    try:
        size = parse_size(text)
    except ValueError as error:
        raise OptionError(
            "fc_oram is a number of bytes",
            found=repr(text)[:80],
            expected="a number such as 2880, or a text such as '64KiB'",
            remedy="give the bytes of features that one group may take",
        ) from error
    assert isinstance(size, int), "numbers stay as they are, and texts become numbers"
    return size


def _text(value: str | int) -> str:
    """A number as a text; one of very many digits is not written out."""
    return (
        value if isinstance(value, str) else str(value) if abs(value) < _MANY else "a number of many digits"
    )

"""The values of a key: ``KEY=a,b,c``, ``KEY=lo..hi*factor`` or ``KEY=lo..hi+step``, with sizes such as 64KiB.

>>> parse_vary("memory.sram.bytes=64KiB..256KiB*2")
Vary(key='memory.sram.bytes', values=(65536, 131072, 262144))
>>> parse_vary("objective=traffic,cycles")
Vary(key='objective', values=('traffic', 'cycles'))
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from nnc.isa.chip.description import parse_size
from nnc.isa.errors import OptionError
from nnc.isa.limits import SWEEP_VALUES

Value = int | float | str | bool
"""Of a key: a number, or the text that stands for it."""
_NUMBER = r"[0-9]+(?:\.[0-9]+)?(?:[KMG]i?B|B)?"
_RANGE = re.compile(rf"({_NUMBER})\.\.({_NUMBER})([*+])({_NUMBER})")
_RANGE_MARK = re.compile(r"[0-9KMGiB]\.\.[0-9]")
_PLAIN = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_FORMS = "KEY=a,b,c, KEY=lo..hi*factor or KEY=lo..hi+step"
_REMEDY = "such as memory.sram.bytes=64KiB..2MiB*2, cores=1..8+1, or objective=traffic,cycles"
_LONGEST = 400
"""Characters of an argument that a message repeats."""


@dataclass(frozen=True)
class Vary:
    """A key and its values, in their order, none of them twice."""

    key: str
    values: tuple[Value, ...]


def parse_vary(text: str) -> Vary:
    """A key with its values.

    Raises:
        OptionError: that is something else, a range is empty or has too many values, or a value comes twice.
    """
    key, sign, rest = text.partition("=")
    if not key.strip() or not sign or not rest.strip():
        raise _malformed(text, "what is varied is a key with values")
    return make_vary(key.strip(), rest.strip())


def parse_varies(texts: Iterable[str]) -> dict[str, tuple[Value, ...]]:
    """The values of several keys.

    Raises:
        OptionError: as `parse_vary`, or a key comes twice.
    """
    varied: dict[str, tuple[Value, ...]] = {}
    for text in texts:
        vary = parse_vary(text)
        if vary.key in varied:
            raise _malformed(text, "a key is varied twice")
        varied[vary.key] = vary.values
    return varied


def make_vary(key: str, values: str | Sequence[Value]) -> Vary:
    """A key with a text as `parse_vary` has it behind the sign, or with a list of values.

    Raises:
        OptionError: as `parse_vary`.
    """
    if isinstance(values, str):
        if (match := _RANGE.fullmatch(values)) is not None:
            items: list[Value] = [*_range(f"{key}={values}", *match.groups())]
        elif _RANGE_MARK.search(values):
            raise _malformed(f"{key}={values}", "the range has no step")
        else:
            items = [_value(item) for item in _split(values)]
    else:
        items = [_value(item) if isinstance(item, str) else item for item in values]
    if not items or any(item == "" for item in items):
        raise _malformed(f"{key}={values}", "a value is missing")
    SWEEP_VALUES.check(len(items), OptionError, "a key has too many values", where=key, remedy="give fewer")
    if len(set(map(str, items))) < len(items):
        raise _malformed(f"{key}={values}", "a value comes twice")
    return Vary(key, tuple(items))


def text_of_value(value: Value) -> str:
    """A value as the command line says it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _value(text: str) -> Value:
    """A number for a number or a size; else the text."""
    if text in ("true", "false"):
        return text == "true"
    number = _number(text)
    return text if number is None else _plain(number)


def _number(text: str) -> Fraction | None:
    """What a text such as 12, 0.5 or 64KiB says; None for any other."""
    if _PLAIN.fullmatch(text):
        return Fraction(text)
    try:
        size = parse_size(text)
    except ValueError:
        return None
    return Fraction(size) if isinstance(size, int) else None


def _plain(number: Fraction) -> int | float:
    return int(number) if number.denominator == 1 else float(number)


def _range(text: str, low_text: str, high_text: str, sign: str, step_text: str) -> Iterator[int | float]:
    """From one end on, as far as the other one."""
    numbers = [_number(part) for part in (low_text, high_text, step_text)]
    if None in numbers:
        raise _malformed(text, "an end or step of the range is no number and no size")
    low, high, step = (number for number in numbers if number is not None)
    if low > high:
        raise _malformed(text, "the range begins above its end")
    if (sign == "*" and (step <= 1 or not low)) or not step:
        raise _malformed(text, "the range never ends: a factor is above 1, from above 0 on, a step above 0")
    count = 0
    while low <= high:
        count += 1
        yield _plain(low)
        low = low * step if sign == "*" else low + step
        if count > SWEEP_VALUES.most:
            _refuse_range(text)


def _refuse_range(text: str) -> None:
    SWEEP_VALUES.check(
        SWEEP_VALUES.most + 1,
        OptionError,
        "the range has too many values",
        where=f"--vary {text[:_LONGEST]}",
        remedy="take a larger step or factor",
    )


def _split(text: str) -> list[str]:
    """The items of a list: commas inside of brackets and quotes are no ends."""
    items, depth, quoted, start = [], 0, False, 0
    for place, character in enumerate(text):
        if character == '"':
            quoted = not quoted
        elif not quoted:
            depth += (character in "[{") - (character in "]}")
            if character == "," and not depth:
                items.append(text[start:place].strip())
                start = place + 1
    return [*items, text[start:].strip()]


def _malformed(text: str, problem: str) -> OptionError:
    return OptionError(problem, where=f"--vary {text[:_LONGEST]}", expected=_FORMS, remedy=_REMEDY)

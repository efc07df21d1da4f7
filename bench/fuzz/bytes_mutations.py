"""Random changes of bytes and of texts, whatever they mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from bench.fuzz.values import TEXTS, other_float, other_integer

_TOKEN = re.compile(r"\s+|[A-Za-z_]\w*|0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|.", re.DOTALL)
_EXTREMES = tuple(bytes.fromhex(text) for text in ("00", "7f", "80", "ff", "ffffffff", "00000080", "7f" * 8))
_LONGEST = 64
"""Bytes of a piece that is cut out or doubled."""
Rule = Callable[[list[str], int, Random], list[str]]


def mutated_bytes(data: bytes, random: Random) -> bytes:
    """The data with one to four places changed, and sometimes cut off."""
    for _ in range(random.choice((1, 1, 2, 4))):
        start = random.randrange(len(data) + 1)
        piece = data[start : start + random.randrange(1, _LONGEST)]
        flipped = bytes([data[start] ^ (1 << random.randrange(8))]) if start < len(data) else b"\1"
        extreme = random.choice(_EXTREMES)
        data = random.choice(
            (
                data[:start] + flipped + data[start + 1 :],
                data[:start] + flipped + data[start + 1 :],
                data[:start] + extreme + data[start + len(extreme) :],
                data[:start] + random.randbytes(len(piece)) + data[start + len(piece) :],
                data[:start] + data[start + len(piece) :],
                data[:start] + piece + data[start:],
                data[:start] if random.random() < 0.3 else data[start:] + data[:start],
            )
        )
    return data


def mutated_text(text: str, random: Random) -> str:
    """The text with one to four of its tokens or lines changed."""
    for _ in range(random.choice((1, 1, 2, 4))):
        lines = text.splitlines(keepends=True)
        if not lines:
            return random.choice(TEXTS)
        number = random.randrange(len(lines))
        if random.random() < 0.25:
            lines = random.choice((_without, _doubled, _swapped))(lines, number, random)
        else:
            tokens = _TOKEN.findall(lines[number])
            place = random.randrange(len(tokens))
            elsewhere = _TOKEN.findall(random.choice(lines))
            lines[number] = "".join(_mutated_tokens(tokens, place, elsewhere, random))
        text = "".join(lines)
    return text


def _mutated_tokens(tokens: list[str], place: int, elsewhere: Sequence[str], random: Random) -> list[str]:
    if random.random() < 0.3:
        return random.choice((_without, _doubled, _swapped))(tokens, place, random)
    return [*tokens[:place], _other_token(tokens[place], elsewhere, random), *tokens[place + 1 :]]


def _other_token(token: str, elsewhere: Sequence[str], random: Random) -> str:
    if token[0].isdigit() and random.random() < 0.8:
        if token.isdecimal() or token[:2] in ("0x", "0X"):
            number = other_integer(int(token, 0 if token[1:2] in ("x", "X") else 10), random)
            return random.choice((str(number), hex(number)))
        return repr(other_float(float(token), random))
    return random.choice(TEXTS) if random.random() < 0.3 else random.choice(elsewhere)


def _without(items: list[str], place: int, random: Random) -> list[str]:
    return [*items[:place], *items[place + random.choice((1, 1, 3)) :]]


def _doubled(items: list[str], place: int, random: Random) -> list[str]:
    return [*items[:place], *[items[place]] * random.choice((2, 2, 50)), *items[place + 1 :]]


def _swapped(items: list[str], place: int, random: Random) -> list[str]:
    changed, partner = list(items), random.randrange(len(items))
    changed[place], changed[partner] = changed[partner], changed[place]
    return changed

"""Random replacements for numbers and texts, mostly those at the ends of what a field can hold."""

from __future__ import annotations

import math
from random import Random

INTEGERS = (
    *(0, 1, 2, 3, 5, 7, 8, 16, 63, 64, 65, 100, 127, 128, 255, 256, 1000, 4096, 65535, 65536, 10**6),
    *(2**24 + 1, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**40, 2**48, 2**53 + 1, 2**62, 2**63 - 1, 2**64 - 1),
)
FLOATS = (
    *(0.0, 0.5, 1.0, 2.0, 1e-45, 1e-38, 1e-8, 1e6, 65520.0, 3.5e38, 1e300, 5e-324),
    *(math.inf, math.nan),
)
TEXTS = (
    *("", " ", "x", "0", "-1", "nan", "a" * 300, "é", "名", "a\nb", "a\0b", "\x1b[31m", "\u202e", '"', "\\"),
    *("../x", "/dev/zero", "dram", "default", "a.b", "a/b", "%s", "{0}", "none", "SAME_UPPER", "linear"),
)


def other_integer(number: int, random: Random) -> int:
    """Another integer: an extreme one, or one near the number."""
    if random.random() < 0.35:
        extreme = random.choice(INTEGERS)
        return -extreme if random.random() < 0.3 else extreme
    near = (number + 1, number - 1, -number, 2 * number, number // 2, number ^ (1 << random.randrange(64)))
    return random.choice(near)


def other_float(number: float, random: Random) -> float:
    """Another number: an extreme one, NaN and infinities among them, or a multiple of the number."""
    if random.random() < 0.6:
        extreme = random.choice(FLOATS)
        return -extreme if random.random() < 0.5 else extreme
    return number * random.choice((-1.0, 0.5, 2.0, 1e-3, 1e3, 1e30))


def other_text(text: str, random: Random) -> str:
    """Another text: a strange one, or the text with a character more, less, or of another case."""
    if random.random() < 0.6:
        return random.choice(TEXTS)
    index = random.randrange(len(text) + 1)
    return random.choice(
        (text[:index] + text[index + 1 :], text[:index] + "x" + text[index:], text.swapcase())
    )

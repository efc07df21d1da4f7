"""Results that stay on chip where an operand that stayed before is used up, part by part.

in:   rows that the parts of a group need of what was on chip before it, and up to which they make results
out:  bytes that an operand and a result take together, and which result follows which operand

    x is read by a 3x3 convolution with stride 2 in parts of two rows of its result y, as large as a row of x:

    part 0   y y x x x x x x x x        rows 0..4 of x are read, none before row 3 is needed again
    part 1   y y y y . x x x x x        two rows beside x are enough for all of y
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nnc.compiler.plan.views.buffer_rows import BufferRows
from nnc.compiler.plan.views.row_views import RowBuffer
from nnc.compiler.tuning import TUNING
from nnc.isa.integers import ceil_div, round_up

Slides = dict[int, dict[int, int]]
"""By result and operand: bytes that both take together.  Buffers go by number."""
_Sizes = tuple[int, int, int]
"""Bytes of a row, of a piece, of all."""


def piece_bytes(buffer: RowBuffer, align: int) -> int:
    """Bytes of a piece of a resident buffer: of a few rows, in multiples of `align`; 0: it has but one."""
    nbytes = round_up(ceil_div(buffer.rows, TUNING.residents.max_pieces) * buffer.row_bytes, align)
    return nbytes if nbytes < buffer.nbytes else 0


def pays(growth: int, nbytes: int) -> bool:
    """Whether a result is placed with an operand if it takes so many of its bytes beside it."""
    return growth <= TUNING.residents.max_growth.of(nbytes)


@dataclass(frozen=True)
class Slider:
    """Finds what operands and results take together.

    Attributes:
        buffers, numbers: of the network, by name.
        align: of blocks on chip (bytes).
    """

    buffers: Mapping[str, RowBuffer]
    numbers: Mapping[str, int]
    align: int

    def slides(self, used: Mapping[str, BufferRows], made: Mapping[str, BufferRows]) -> Slides:
        """All results with all operands.

        Args:
            used: by operand, the rows that each part needs, none of which a later group needs.
            made: by result, the rows up to which it is made by the end of each part.
        """
        return {
            self.numbers[target]: {
                self.numbers[source]: self.together(source, rows, target, mine)
                for source, rows in used.items()
            }
            for target, mine in made.items()
        }

    def together(self, source: str, used: BufferRows, target: str, made: BufferRows) -> int:
        """Bytes of an operand and a result that begins as far before it as it must."""
        operand, result = self.buffers[source], self.buffers[target]
        sizes = (
            (mine.row_bytes, piece_bytes(mine, self.align) or mine.nbytes, mine.nbytes)
            for mine in (operand, result)
        )
        begin = _begin(used, made, *sizes)
        return max(operand.nbytes, begin + result.nbytes) - begin


@lru_cache(maxsize=4096)
def _begin(used: BufferRows, made: BufferRows, operand: _Sizes, result: _Sizes) -> int:
    """Where a result begins, from the first byte of an operand on; groups of more layers ask again."""
    free, done = used.low * operand[0], -(-made.high * result[0] // result[1]) * result[1]
    free, done = free // operand[1] * operand[1], np.minimum(done, result[2])
    both = (done > 0) & (free < operand[2])
    return min(0, int((free - done)[both].min(initial=0)))


def follow(extra: dict[int, int], slides: Slides, sizes: Mapping[int, int], residents: set[int]) -> None:
    """Let results follow operands where that pays: each one, and each operand is followed by one.

    Args:
        extra: by result, bytes that it takes beside what is on chip; those of results that follow shrink.
        sizes: of operands (bytes).
        residents: the operands that may be followed.
    """
    for number, whole in extra.items():
        beside = slides.get(number, {})
        least = min(((beside[n] - sizes[n], n) for n in residents & beside.keys()), default=None)
        if least is not None and pays(least[0], whole):
            extra[number] = max(0, least[0])
            residents.remove(least[1])

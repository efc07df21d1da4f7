"""What a declared tensor says of positions of maxima that it holds: the shape in which they count.

MaxPool's second output is numbers of elements in its flat input.  Its reader, MaxUnpool, must know the shape
of that input; where both are in different segments of a network with a host, the declaration of the tensor
that crosses carries it as the denotation of its type, which ONNX has for what is stored in a tensor.
"""

from __future__ import annotations

import re

from onnx import ValueInfoProto

_DENOTATION = "POSITIONS_IN"


def positions_denotation(shape: tuple[int, ...]) -> str:
    """The denotation of positions in a tensor of this shape, such as ``POSITIONS_IN 1 8 32 32``."""
    return " ".join((_DENOTATION, *map(str, shape)))


def denoted_positions(info: ValueInfoProto) -> tuple[int, ...] | None:
    """The shape in which the elements of a declared tensor count, None if it holds no positions."""
    if re.fullmatch(rf"{_DENOTATION}( [0-9]{{1,18}})+", info.type.denotation):
        return tuple(map(int, info.type.denotation.split()[1:]))
    return None

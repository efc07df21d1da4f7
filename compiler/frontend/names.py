"""Names that a layer must not have because the names of its tiles would then be names of the model.

The planner derives names of tiles and of what it loads from those of layers: `conv` is cut into `conv/p0`,
`conv/p1` …, its operands are loaded as `conv/0.0` or `conv/w1`, and `x/join` puts tensor x together.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

_TILE = re.compile(r"/(?=p\d|w\d|\d)")
"""Where a name begins to look like that of a tile."""


def ambiguous_names(tensors: Collection[str], layers: Collection[str]) -> Iterator[str]:
    """Names, each of which would give some tile or join the name of a tensor or a layer of the model.

    Args:
        tensors, layers: names of the model.
    """
    for tensor in tensors:
        yield f"{tensor}/join"
    for name in (*tensors, *layers):
        for match in _TILE.finditer(name):
            yield name[: match.start()]
    yield from _ambiguous_groups(tensors, layers)


def _ambiguous_groups(tensors: Collection[str], layers: Collection[str]) -> Iterator[str]:
    """What a group holds of a tensor is `group/tensor/…`: group `a/b` with c could be group a with `b/c`."""
    names, layer_names = frozenset(tensors), frozenset(layers)
    between = {
        tensor[:slash] for tensor in tensors for slash in _slashes(tensor) if tensor[slash + 1 :] in names
    }
    for layer in layers:
        if any(layer[:slash] in layer_names and layer[slash + 1 :] in between for slash in _slashes(layer)):
            yield layer


def _slashes(name: str) -> Iterator[int]:
    return (match.start() for match in re.finditer("/", name))

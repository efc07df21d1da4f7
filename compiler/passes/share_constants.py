"""share-constants: constants of the same type, shape and bytes become one.

before:  y = conv(a, V);  z = conv(b, W)        with V and W alike, byte by byte
after:   y = conv(a, V);  z = conv(b, V)

Copies of a network with shared weights have one initializer, but weights of their own once a batch norm is
folded into them: what is the same is loaded, packed and counted once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.graph import Graph
from nnc.compiler.passes.base import Pass
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING

Bytes = npt.NDArray[np.uint8]


def _run(graph: Graph, _target: Target) -> None:
    notes, constants = graph.notes, graph.constants

    def looks(name: str) -> Hashable:
        value = constants[name]
        sample = value.flat[:: max(1, value.size // TUNING.passes.sampled_elements)].tobytes()
        return value.dtype, value.shape, sample, notes.padding.get(name)

    for alike in _sorted_by(looks, list(graph.used_constants())):
        for same in _sorted_by(lambda name: blake2b(_bytes_of(constants[name]).data).digest(), alike):
            _share(graph, same)


def _sorted_by(key: Callable[[str], Hashable], names: Iterable[str]) -> Iterator[list[str]]:
    """Names with the same key, where there are several."""
    groups = defaultdict[Hashable, list[str]](list)
    for name in names:
        groups[key(name)].append(name)
    return (group for group in groups.values() if len(group) > 1)


def _share(graph: Graph, names: list[str]) -> None:
    """Let all read the first of some constants that has their bytes."""
    first, *others = names
    values = _bytes_of(graph.constants[first])
    for name in others:
        if name not in graph.outputs and np.array_equal(values, _bytes_of(graph.constants[name])):
            graph.rewire(name, first)
            graph.remove_constant(name)


def _bytes_of(value: npt.NDArray[Any]) -> Bytes:
    return np.ascontiguousarray(value).reshape(-1).view(np.uint8)


SHARE_CONSTANTS = Pass("share-constants", _run)

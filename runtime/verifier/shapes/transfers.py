"""Shapes of the DMA's instructions, and of a copy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nnc.isa.instructions import Broadcast, Copy, Fill, Load, LoadRows, Store
from nnc.runtime.verifier.shapes.rule import INDEX_TYPES, equal, rule


@rule(Load, Broadcast, Store, Copy)
def _same_block(i: Load | Broadcast | Store | Copy) -> Iterator[str]:
    yield from equal("dst shape", i.dst.shape, i.src.shape)
    yield from equal("dst type", i.dst.dtype, i.src.dtype)


@rule(Fill)
def _fill(i: Fill) -> Iterable[str]:
    return ()


@rule(LoadRows)
def _load_rows(i: LoadRows) -> Iterator[str]:
    if len(i.index.shape) != 1 or i.index.dtype not in INDEX_TYPES:
        yield f"index is {i.index}, expected a vector of integers"
    elif not i.src.shape:
        yield "src is a scalar, expected a table of rows"
    else:
        yield from equal("dst shape", i.dst.shape, i.index.shape + i.src.shape[1:])
    yield from equal("dst type", i.dst.dtype, i.src.dtype)

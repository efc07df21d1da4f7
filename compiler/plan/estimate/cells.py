"""What a fused group does, as cells: one layer in one part, with all that it moves and keeps on chip."""

from __future__ import annotations

from dataclasses import dataclass

from nnc.isa.record import record


@record(frozen=True, slots=True)
class Fetch:
    """Rows of a buffer that a cell reads from DRAM.

    Attributes:
        dram_bytes: what moves; nbytes: of the tile that must be free for it.
        slides: whether they go into a window of rows, behind those that move to its head in this cell, which
            takes so many cycles (`moved`).
        sliced: whether they come slice by slice of channels, each for its blocks.
    """

    dram_bytes: int
    nbytes: int
    slides: bool
    sliced: bool = False
    moved: int = 0


@record(frozen=True, slots=True)
class Cell:
    """One layer in one part.

    Attributes:
        fetches: rows that it reads; stored: DRAM bytes of rows that it writes.
        moves: cycles in which kept rows move before it, and behind it; compute: of each of its blocks of
            channels.
        blocks: of channels; streamed: how many of them load their weights here.
        block_bytes: weights of a block; pinned_bytes: weights that are loaded here and stay for later parts.
        taken: bytes of activations on chip meanwhile; pinned: of weights that stay.
        moving: bytes of `taken` that are there only while kept rows move, before the work and behind it.
        others: bytes of `taken` that other layers of the part write: the rest of a joined result.
        result: bytes on chip of a result that nobody reads there, so that its place is free when it is
            stored: of one block of channels if each is stored by itself (`sliced`).
        tiles: computations of a layer in tiles, the transfers of which `compute` includes; 0 if fused.
    """

    fetches: tuple[Fetch, ...]
    stored: int
    moves: tuple[int, int]
    compute: int
    blocks: int
    streamed: int
    block_bytes: int
    pinned_bytes: int
    taken: int
    pinned: int
    moving: tuple[int, int] = (0, 0)
    others: int = 0
    result: int = 0
    sliced: bool = False
    tiles: int = 0


@dataclass(frozen=True, slots=True)
class GroupWork:
    """A group as cells, all parts of one strip, and the bytes that all strips move.

    Attributes:
        passes: how often the cells are gone through: once per strip.
        lead: share of the work of the busiest core that the others, in the mean, have less.
        cores: that share the group, and move its rows and weights.
    """

    cells: list[Cell]
    passes: int
    dram_bytes: int
    lead: float = 0.0
    cores: int = 1

"""How tilings of single layers are searched, and what their operands take elsewhere."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tiles:
    """Tilings of a layer, and core mappings (`plan/alone/`).

    Multiples of the least or the fewest are at least 1, `worked_at_once` at least `best_of_each`.
    """

    cuts: tuple[int, ...] = (
        1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024,
    )  # fmt: skip
    """Numbers of tiles along an axis, and single elements. For small layers, the leanest tiling moves at
    most 5 % more than that of brute force (tests of the search); other lists were not measured."""
    far_cuts: tuple[int, ...] = (2**12, 2**14, 2**16)
    """Further ones of axes of more elements than the last, which are not cut into single ones: tiles are
    listed. A Relu of [1, 10^6] is planned in 1.4 s instead of 8.5."""
    few_tilings: int = 6000
    """Tilings of a grid up to which axes get all extents; most where the DMA moves whole units, and each
    is looked at alone. Not measured by itself."""
    max_orders: int = 6
    """Loop orders of a tiling. Not measured by itself."""
    few_orders: int = 2
    """The same at -O0. Not measured by itself."""
    worked: int = 128
    """Fastest tilings by the rough price that have the cycles of a tile found. Not measured by itself."""
    worked_at_once: int = 16
    """Of these, as many before it is seen whether later ones can be better: a fourth of them are
    found."""
    best_of_each: int = 4
    """Tilings that are priced exactly of each sort: fastest, fewest, leanest. Not measured by itself."""
    leanest: int = 24
    """Tilings with the least average bytes that have their bytes counted: averages are far off where
    bursts are few. Not measured by itself."""
    lean_ratio: float = 1.5
    """Most bytes of these, and of tiles side by side, as a multiple of the least. Not measured by
    itself."""
    near_fastest: float = 1.02
    """Most cycles of tilings whose fewer tiles or bytes count, as a multiple of the fewest. Not measured
    by itself."""
    much_more_traffic: float = 1.01
    """Look at tiles side by side if the leanest fast tiling moves more than this multiple of every
    operand once. Not measured by itself."""

    bytes_per_tile: int = 4096
    """DRAM bytes that one more tile or computation must save to be worth its instructions. Not measured
    by itself."""
    cycles_per_tile: int = 4096
    """Cycles that one more tile must save at -O0, where each costs time to plan. Not measured by
    itself."""
    equal_traffic_percent: float = 0.5
    """Percent of traffic that are worth less than fewer tiles. Not measured by itself."""
    percent_slower: float = 0.25
    """Percent of cycles that a tiling with less traffic may take beyond the fastest; leaner ones are
    offered beside it. With 2, a convolution takes 1.3 % more cycles in 192 KiB than in 48
    (tests/unit/compiler/plan/alone/test_more_memory.py)."""
    much_slower: float = 1.25
    """Tilings of so many times the fewest cycles come last, unless only bytes count. Not measured by
    itself."""
    above_least: float = 1.02
    """Cost of a layer in tiles, as a multiple of the least that it can be, by which it is judged before
    it is searched. With 1.02 instead of 1.05, ResNet-18 of halves on vdsp12 has 2.5 % fewer cycles,
    ResNet-18 on npu4 0.3 %, for no more CPU time."""
    max_split_candidates: int = 12
    """Tilings of a layer on several cores that are expanded before another group is taken. Not measured
    by itself."""

    max_computations: int = 64
    """Computations of a tiling that are scheduled; later ones keep the pace of their second half. Not
    measured by itself."""
    max_chunks: int = 512
    """The same for tiles in more chunks, of which two tiles would be more. MobileNetV2 on vdsp12 compiles
    in 0.95 × the CPU time, same programs."""
    max_scheduled: int = 2**15
    """Computations above which a tiling is not scheduled: it is a last resort. -O0 of ResNet-50 1.04 ->
    0.58 s of CPU, same programs."""

    pixel_cuts: tuple[int, ...] = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024)
    """Numbers of tiles along an axis of layers in groups of pixels (M5). Not measured by itself."""
    pixel_halvings: int = 4
    """Tilings with groups of halves, for when the blocks of larger ones fit nowhere. Not measured by
    itself."""


@dataclass(frozen=True, slots=True)
class Abreast:
    """Tiles side by side that share a chunk of rows (`plan/alone/tile_shapes.py`)."""

    channels: tuple[int, ...] = (8, 16, 32, 48, 64, 96, 128, 192, 256, 384)
    """Channels of a tile of which the array is filled. Not measured by itself."""
    depths: tuple[int, ...] = (16, 24, 32, 48, 64, 96, 128, 192, 256)
    """Summed elements of a chunk of which little is wasted. Not measured by itself."""
    max_waste: float = 1.04
    """Most elements of an axis cut so, as a multiple of its extent. Not measured by itself."""
    worked: int = 96
    """Leanest tilings that have their work found. Not measured by itself."""
    best_of_each: int = 8
    """Tilings of each sort that are priced exactly. Not measured by itself."""
    max_work: float = 1.03
    """Most work of a tiling, as a multiple of the least: above, the array is not well filled. Not
    measured by itself."""
    usable_sixteenths: int = 15
    """Sixteenths of a memory that the many blocks can use: the others lie in gaps. Not measured by
    itself."""


@dataclass(frozen=True, slots=True)
class Staging:
    """Operands that are copied to where a layer reads them (`plan/network/staging.py`)."""

    share_beside_weights: int = 4
    """One part in so many of the memory of weights is for a staged operand that lies there, too. Not
    measured by itself."""
    cuts: tuple[int, ...] = (
        1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64, 96, 128, 256, 512,
        1024,
    )  # fmt: skip
    """Numbers of tiles along an axis of what is staged. Not measured by itself."""


@dataclass(frozen=True, slots=True)
class TwoBuffers:
    """Convolutions with two fixed buffers of rows (M3, `plan/alone/`)."""

    weight_pieces: int = 4
    """Pieces in which weights are loaded where there are several passes. Not measured by itself."""

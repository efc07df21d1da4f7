"""Which groups are tried, how they are cut, and what stays on chip between them."""

from __future__ import annotations

from dataclasses import dataclass

from nnc.compiler.tuning.share import Share


@dataclass(frozen=True, slots=True)
class Groups:
    """When the search for fused groups gives up (`plan/fusion/candidates.py`, `lower_bounds.py`)."""

    useless_strips: int = 2
    """Stop trying strips of columns after so many consecutive numbers of strips with groups that fit, but
    none longer or cheaper. Not measured by itself."""
    patience_for_bytes: int = 3
    """Multiply that where only bytes count, which is what strips save. With strips in slices: VGG's first
    5 layers in 128 KiB 9.46 -> 7.46 × the DRAM floor, ResNet-50 of bytes in 256 KiB 1.445 -> 1.417."""
    useless_cuts: int = 4
    """Stop cutting groups from a start more finely after so many consecutive cuts that fit and cost no
    less. Not measured by itself."""
    max_overflows: int = 2
    """Stop extending shared groups after this many consecutive capacity failures. 12,000 of 12,000 longer
    ones did not fit either; GoogLeNet on vdsp12 is searched in 0.9 × the CPU time, same plans."""
    many_pairs: int = 250
    """Above this many single-part candidates per end layer, price the longest first and require strict
    improvement from the rest. BERT in 64 KiB takes 4.6 s instead of 7.9; with 150, a SqueezeNet in 32 KiB
    lost a plan of 5 % fewer cycles."""
    min_gain: float = 0.005
    """Leave out a group that can save less than this part of its own cost. Most such pairs only move a
    border between groups; not measured by itself."""
    almost_no_more_work: int = 50
    """Strips that compute at most one part in so many more than whole layers are as good as any. Not
    measured by itself."""
    small_ends: int = 16
    """Transfers at the ends of the network that take at most one part in so many of a group's cycles count
    nothing. If none count, random networks of 7 layers take 1.7 % more cycles, Stream's two convolutions
    24 %; with 50, ResNet-18 on 64 × 64 pixels 0.25 % more."""


@dataclass(frozen=True, slots=True)
class Cuts:
    """Into what groups are cut (`plan/fusion/cut.py`): ranges of rows (parts), strips of columns, slices
    of channels."""

    parts: tuple[int, ...] = (1, 2, 3, 4, 5, 7, 10, 14, 19, 28, 38, 56, 75, 112, 224)
    """Numbers of parts that are tried: heights of pictures of 224 rows by halves, and some between. Not
    measured by itself."""
    few_parts: tuple[int, ...] = (1, 2, 4, 7, 14, 28, 56, 112)
    """The same at -O1. Not measured by itself."""
    more_parts: tuple[int, ...] = (6, 8, 9, 12, 16, 24, 32, 48, 64, 96, 128, 160)
    """Further ones at -O3. Not measured by itself."""
    rows_per_part: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32)
    """Rows of a part of pictures with more rows than the largest number of parts. Not measured by
    itself."""
    few_rows_per_part: tuple[int, ...] = (1, 2, 3, 4, 6, 8, 12)
    """The same of lower pictures. Not measured by itself."""
    queries_per_part: tuple[int, ...] = (48, 64, 96, 128)
    """Queries of a part where rows are queries of heads; each adds time to plan. 2,048 tokens: 8.9 -> 5.3
    s, cycles 1.051 -> 1.030 × the floor, DRAM bytes 11.12 -> 11.15."""
    max_parts: int = 300
    """Most parts of a group. Not measured by itself."""
    max_shard_parts: int = 14
    """Most parts of a core's share of the rows: more would be lines of little work. Not measured by
    itself."""
    min_parts_of_whole_rows: int = 28
    """Rows from which on finer cuts have parts of whole rows only. Not measured by itself."""

    strips: tuple[int, ...] = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30)
    """Numbers of strips of columns. Not measured by itself."""
    picture_strips: tuple[int, ...] = (2, 4)
    """Numbers of strips of a batch beside one per picture. Not measured by itself."""
    min_parts_with_strips: int = 14
    """Fewest parts of groups in strips; up to so many, parts need not be whole rows. Not measured by
    itself."""
    large_result_share: int = 2
    """Try strips for a last result that takes more than one part in so many of the memory. Not measured
    by itself."""
    large_lines_share: int = 4
    """And for an operand of which the rows for one row of the result take more than one part in so many.
    Not measured by itself."""
    min_columns: int = 8
    """Fewest columns of a strip of an output. Not measured by itself."""
    min_core_columns: int = 2
    """Fewest columns of a core's share of an output. Not measured by itself."""
    min_strip_bursts: int = 2
    """Bursts per strip from which on strips begin with whole bursts. Not measured by itself."""

    uneven_share: Share = Share(3, 2)
    """Most rows of a buffer that a core needs, as a share of those of the core that is weighed; else
    cores do not share the group. Swin-T on four cores is planned in 0.4 of the time, 2.468 -> 2.455 × the
    DRAM floor, with other changes."""
    halo_rows: int = 2
    """Rows that a core may need more than that. Not measured by itself."""

    max_parts_with_slices: int = 7
    """Most parts for which slices of output channels, or chunks of hidden ones, are tried: with more,
    parts are small enough. Not measured by itself."""
    max_layers_with_slices: int = 8
    """Most layers of a group whose last ones run in slices: layers before them want whole results. Not
    measured by itself."""
    min_slice_channels: int = 16
    """Fewest output channels of a slice. Not measured by itself."""
    sliding_share: int = 2
    """Slide a buffer's kept rows to its head if they are at least one part in so many of its rows; else
    they move aside and back. If none slide, two small pictures on `pixel-dsp` cost 3.3 % more, attention of
    two in 64 KiB 1.7 %, ResNet-18 in 512 KiB 0.2 %, SqueezeNet in 32 KiB 0.7 % less."""
    wide_ratio: int = 2
    """Columns of a picture per row from which on groups are cut along columns, too. Not measured by
    itself."""
    most_layers_per_picture: int = 32
    """Groups are cut into pictures of a batch, too, if more than one layer in so many reads or makes such a
    tensor. A bidirectional LSTM of 64 tokens, three of whose 389 layers do, is else searched twice."""
    min_parts_kept_once: int = 16
    """Parts from which on those that hold what the one before them holds are kept once; changes memory
    alone. 1,024 tokens in 64 KiB 1.3 -> 0.4 GB, for all that is kept once."""
    kept_once_share: int = 2
    """And only if fewer than one part in so many differ from the one before. Not measured by itself."""


@dataclass(frozen=True, slots=True)
class Chunks:
    """Hidden channels of a group in chunks (`plan/fusion/chunks.py`)."""

    finer: tuple[int, ...] = (1, 2, 4)
    """Divisors of the width of a chunk that suits the array. Without 4, SwiGLU (256 × 2,048 × 8,192, f16) on
    four cores of 2 MiB with arrays of 32 × 32 spills 8.4 MB: 14.06 instead of 12.86 million cycles."""
    row_share: int = 16
    """Most memory, one part in so many, for the rows of a chunk that are worked through at once. Not
    measured by itself."""
    whole_share: Share = Share(1, 2)
    """Leave hidden activations whole that take at most this share of the memory. Not measured by
    itself."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Blocks in which the weights of a group come."""

    min_channels: int = 8
    """Fewest output channels of a block that is tried for speed. Not measured by itself."""
    min_fitting_channels: int = 4
    """Output channels of the blocks for which a group must have room. Not measured by itself."""
    blocks_in_capacity: int = 3
    """Blocks that fit the memory at once while weights stream in one part: larger ones hold transfers up
    until half of it is free, smaller ones cost an issue each. Not measured by itself."""
    spare_share: int = 32
    """Leave one part in so many of the memory free beside pinned weights: blocks never fit exactly. Not
    measured by itself."""


@dataclass(frozen=True, slots=True)
class Residents:
    """Sets of tensors that stay on chip between two groups (`plan/fusion/resident_sets.py`)."""

    max_in_pairs: int = 3
    """Most boundary buffers of which any two may stay without the others. Not measured by itself."""
    small_share: int = 256
    """Buffers of at most one part in so many of the memory stay or go together. Dynamically quantised
    networks are planned in a third of the time."""
    small_together_share: int = 16
    """So do the smallest that together take at most one part in so many, each at most half of that. Small
    networks are searched in half the time. Each half of it, not all: a GPT-2 block of 512 tokens in 8 MiB,
    whose input is a 21st of that, takes 679,500 cycles and 8.30 MB, not 759,472 and 9.08."""
    max_small: int = 256
    """Most small buffers that stay, the oldest. A tensor that 2,000 layers read compiles in 7 s of CPU,
    before in more than four minutes, with `max_large`."""
    max_large: int = 32
    """Most large buffers of which sets are made: the oldest and the newest. See `max_small`."""
    partly_share: Share = Share(1, 2)
    """Keep the last rows of a buffer that takes more than this share of the memory: no two such fit. With
    1/2 instead of 3/5, GoogLeNet in 1 MiB 1.166 -> 1.157 × the DRAM floor."""
    partly_eighths: tuple[int, ...] = (1, 3)
    """Eighths of the memory that these last rows take. Not measured by itself."""
    max_layers_to_copy: int = 1
    """Most layers from a boundary to one that reads a copy that stays over it. Not measured by itself."""
    max_layers_with_copies: int = 6
    """Most layers of a group that finds or leaves copies: longer ones load seldom, and pairs of residents
    would be a third more."""

    max_pieces: int = 64
    """Most pieces of a resident buffer, each with a live range of its own. Not measured by itself."""
    max_growth: Share = Share(3, 4)
    """Let a result follow an operand that is used up if it takes at most this share of its own bytes
    beside it. Not measured by itself."""
    max_parts_in_turn: int = 7
    """Most parts of a group whose tiles lie where residents are used up. Not measured by itself."""

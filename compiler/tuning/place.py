"""Where blocks lie, and in which order steps are issued."""

from __future__ import annotations

from dataclasses import dataclass

from nnc.compiler.tuning.share import Share


@dataclass(frozen=True, slots=True)
class Place:
    """Addresses, time for transfers, and the order of issue (`plan/place/`)."""

    max_repairs: int = 8
    """Times that extents which lie too high are placed before the others, if there are bytes for all.
    ResNet-18 on npu took 10.5 million cycles, now 8.7, together with `max_shortenings`."""
    lifetimes_per_period: int = 2
    """Length of the periods of time that placed extents are kept by, in lifetimes; changes time alone: a
    gap is found in a fifth of the time."""

    store_computations: tuple[int, ...] = (1, 1, 2, 4)
    """Computations that stored blocks live longer, round by round, as far as bytes are free: a store may
    take as long as several. SqueezeNet in 32 KiB is 1.1 % more expensive where none do, MobileNetV2 0.5 %.
    With 8 more, results leave loads no place: conv-224x224x64 on vdsp12 takes 1.055 × the cycles."""
    load_rounds: int = 2
    """Rounds in which loaded blocks begin a computation earlier; the order of issue moves loads as far as
    memory is free. Not measured by itself."""
    store_share: Share = Share(7, 8)
    """Memory that may be full in the rounds after these: the rest eases placement. With 7/8 instead of
    3/4, results of strips have a second place; no figure is known."""
    max_shortenings: int = 6
    """Times that live ranges are shortened where blocks do not fit, before all are as short as they can
    be. See `max_repairs`."""

    max_steps_ahead: int = 256
    """Most steps that a load moves ahead. Not measured by itself."""
    rounds_in_time: int = 3
    """Most orders of loads that are predicted one after the other on several cores, each with more patience.
    Two are enough for a step of SmolLM2-135M in four bits on npu4 with 2 MiB: 1.163 (with none), 1.050,
    1.027 x its floor in cycles. The orders before, tried too, gained 0.4 % at most (GoogLeNet on npu4) and
    took 1.1 to 1.7 x the CPU time of all that a compilation does."""

    brief_places: int = 32
    """Places up to which a block counts as brief, as tiles are, and is looked for apart; changes time
    alone. Not measured by itself."""
    max_blocks_remembered: int = 32
    """Blocks beside one up to which what is found is remembered by all of them; changes time and memory
    alone. ViT in 64 KiB is compiled in 0.8 × the CPU time."""
    min_segment_steps: int = 256
    """Fewest steps of a segment whose waits are looked up; changes time alone. The waits of ViT in 64 KiB
    take 0.25 × the CPU time."""
    max_issue_orders: int = 8
    """Orders of issue of groups that are alike that are told apart; others are written out. Few are
    found, at ends of blocks; not measured by itself."""

"""How widely the planner searches beside the levels of effort, and how well its estimates hold."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Search:
    """Limits of the search over orders, sequences of groups and whole plans (`plan/effort.py` has the
    levels)."""

    full_layers: int = 1000
    """Layers of a network up to which it is searched in full. Above, groups get shorter and looks fewer
    in proportion: a chain of 20,000 nodes takes as long per layer as one of 2,000. The bound was not
    measured by itself."""
    min_longest_group: int = 6
    """Layers of the longest group that the largest networks are left. Not measured by itself."""
    min_weights: int = 2
    """Weights of a cycle that the largest networks are left. Not measured by itself."""
    min_looks: int = 2
    """Looks for the cheapest sequence that the largest networks are left. Not measured by itself."""
    total_pairs: int = 350_000
    """Pairs of residents before and after a group, shared out among the layers of a network. Grids of 250
    and 1,000 additions take half the CPU time that they took with 1,000,000, which layers could not
    share; same bytes and cycles."""
    min_pairs: int = 400
    """Pairs that every layer may have, however many layers there are. Not measured by itself."""
    pairs_in_advance: int = 16
    """Layers whose pairs the first layers may have before others have left some. Not measured by
    itself."""
    operands_per_layer: int = 4
    """Operands that count as a layer where the size of a network is judged. Not measured by itself."""

    depth_first_ratio: int = 2
    """Take layers depth first if that divides the most bytes alive by so much or more. 1,000 additions
    move 149 × the DRAM floor instead of 1,074, together with sums split into eight."""
    branch_end_share: int = 4
    """A branch ends if it leaves at most one part in so many of the bytes that it reads. YOLOv8n in 512
    KiB: 1.517 -> 1.442 × the DRAM floor, with all that is done with ends; the share was not measured by
    itself."""

    tiles_slowdown_share: int = 600
    """Re-price a layer as tiles when its group's close estimate exceeds the rough one by more than one
    part in so many of the plan's cycles. With 600 instead of 300, and loads that follow stores: U-Net in
    512 KiB 8.645 -> 8.488 × the DRAM floor, cycles of Inception v3 1.181 -> 1.159."""
    looks_for_all: int = 2
    """Looks after which close estimates change what is expected of groups of the same layers only. Not
    measured by itself."""

    small_network_bytes: int = 8 << 20
    """Bytes of all tensors up to which a network of few layers counts as small. Of AlexNet, ResNet-18, VGG-16
    and its first five layers (47 to 586 MiB), six chips each, a joint search lowers no price, in 1.1 × the
    CPU time; a dense layer on 8192 channels of 3 × 3 (4.1 MiB) takes 3 % fewer cycles by it."""
    max_rounds: int = 200
    """Sequences whose blocks find no place before all layers are planned alone. Not measured by
    itself."""
    max_above_best: float = 1.01
    """Skip plans estimated to cost over 1 % more than the best. With 3 %, 56 random networks are 0.01 %
    cheaper in the mean, in 1.16 × the CPU time."""
    least_lesson: float = 0.02
    """Learn from a plan whose groups take 2 % more or less than was known. With 10 %, 56 random networks are
    0.04 % more expensive in the mean, one of them 2 %."""
    max_smaller_memories: int = 3
    """Smaller sizes of the memories for which plans are looked for at -O3. Not measured by itself."""
    min_memory_bytes: int = 1024
    """Least bytes of the largest memory for which a plan is looked for. Not measured by itself."""


@dataclass(frozen=True, slots=True)
class Estimates:
    """Close estimates: the steps of groups, run through before anything has a place (`plan/search/`)."""

    end_places: int = 32
    """Last places of a group in the order of demand at which loads of the next one may come. Not measured by
    itself."""
    max_pauses: int = 8
    """Latest times without transfers that the next transfers may use. Not measured by itself."""

    few_layers: int = 12
    """Layers of a network up to which those of a slow group of several are tried in tiles, too. Not
    measured by itself."""

"""Thresholds of the passes: where a graph is rewritten because that is expected to pay."""

from __future__ import annotations

from dataclasses import dataclass

from nnc.compiler.tuning.share import Share


@dataclass(frozen=True, slots=True)
class Passes:
    """All passes but split-keys. Shares are of the memory that the largest tensors lie in."""

    whole_operand_share: int = 4
    """split-contractions, split-folds, split-joined, split-norms: leave a tensor whole that takes at most
    one part in so many of the memory. Not measured by itself."""
    piece_share: int = 2
    """split-contractions, split-keys: most memory, one part in so many, for the rows of a piece. With 2
    instead of 4, xcit in 128 KiB goes from 4.14 to 3.92 × the DRAM floor, together with other changes."""
    contraction_rows: int = 4
    """split-contractions: preferred rows of a piece, as a multiple of the rows or columns of the product.
    Not measured by itself."""
    fold_length: int = 16
    """split-folds, split-norms: preferred elements that the first of two folds takes together; its result
    is so many times smaller. Not measured by itself."""

    max_joined_operands: int = 6
    """split-joined: most operands of a concat whose convolution becomes a sum of convolutions; each adds
    a pass over the sum. Not measured by itself."""
    max_sunk_operands: int = 8
    """sink-concats: most operands of a concat that layers are moved in front of; each adds a layer. Not
    measured by itself."""
    max_stack: int = 8
    """split-stacks: highest stack whose sum becomes additions. Not measured by itself."""
    max_sum_operands: int = 8
    """split-sums: most operands of one addition, at least 2; all are on chip at once. 1,000 additions
    compile in 6.3 s of CPU instead of 21.7 and move 149 × the DRAM floor instead of 1,074; other limits
    were not measured."""
    max_products: int = 4
    """split-products: most products that one is split into: queries, keys, values, and one more. Not
    measured by itself."""

    min_dense_concats: int = 3
    """split-functions: fewest nested concats that count as a dense block. Not measured by itself."""
    max_dense_pieces: int = 6
    """split-functions: most pieces of a dense block; more take longer to plan. Not measured by itself."""

    state_rows_share: int = 8
    """free-views: rows of a state follow each other if it takes at most one part in so many of the memory.
    SmolLM2, 2 MiB, prefill of 128 tokens: 152 MB instead of 172 where a state takes 98 kB (step: the same);
    a step of length 2,048, whose states take 1.5 MB, moves 387 MB that way and 199 row-major."""
    min_held_readers: int = 3
    """hold-weights: fewest layers that share weights worth a tensor of their own; fewer layers load them
    so often at the most. Not measured by itself."""
    held_share: Share = Share(3, 4)
    """hold-weights: memory that all such weights may take. Not measured by itself."""

    whole_recurrence_share: Share = Share(7, 8)
    """split-recurrences: memory beside the weights that all steps may take without being cut. With 1/2, an
    LSTM of 256 tokens, both directions, takes 232,000 cycles in 512 KiB, with 7/8 222,000."""
    recurrent_share: Share = Share(1, 2)
    """split-recurrences: memory beside the weights that addends and states of the steps of a chunk may take.
    An LSTM of 1,000 steps and 64 hidden elements, both directions, 512 KiB: 1.77 MB and 859,000 cycles, with
    7/8 2.87 MB and 955,000; 10 chunks a direction instead of 6, so planning takes longer."""
    recurrent_sequences: int = 64
    """split-recurrences: most sequences of a batch that a chunk is to have room for; of more, the planner
    cuts the batch. Not measured by itself."""
    min_chunk_steps: int = 16
    """split-recurrences: fewest steps of a chunk whose product is cut with it; for fewer, the product stays
    whole. Not measured by itself."""

    layers_per_group: int = 3
    """join-copies: layers of a fused group, about: of so many results of a batch, one visits DRAM. Not
    measured by itself."""
    spill_share: int = 2
    """join-copies, pictures-apart: expect a tensor of a whole batch in DRAM if it takes more than one
    part in so many of the memory. Not measured by itself."""

    aligned_bytes_ratio: int = 2
    """Layouts: most bytes of a buffer with aligned rows, as a multiple of those of a layout without. Not
    measured by itself."""
    axis_bytes_ratio: float = 1.125
    """Layouts: the same for every further axis, but the innermost, that becomes one that can be cut. Not
    measured by itself."""
    pixel_bytes_ratio: int = 2
    """flatten-in-pixels: most padded channels, as a multiple of the channels; above it, a picture is
    flattened to a vector. Not measured by itself."""
    short_run_bytes: int = 16
    """Axis orders: shorter runs of a copy are worth another order of axes: a copy pays whole words of the
    memory. Not measured by itself."""

    sampled_elements: int = 16
    """share-constants: elements by which constants are told apart before all of their bytes are; changes
    time alone. Not measured by itself."""
    compared_bytes: int = 1 << 16
    """share-layers: constants of no more bytes are the same if their bytes are, greater ones only if they
    are one; changes time alone. Not measured by itself."""
    max_token_sweeps: int = 4
    """merge-axes: most walks through all layers; in each, axes are merged in a layer beside one that has
    them merged. Not measured by itself."""
    max_function_layers: int = 12
    """merge-functions: most layers of a product that may be a known function; exporters write few. Not
    measured by itself."""
    max_polynomial_depth: int = 6
    """merge-functions: deepest polynomial in such a product. Not measured by itself."""


@dataclass(frozen=True, slots=True)
class SplitKeys:
    """Attention with its keys in pieces, a running maximum, sum and output (split-keys).

    As a whole: scores of 4,096 tokens in 512 KiB moved 187 × the DRAM floor of such a block, now 9.
    """

    max_whole_eighths: int = 7
    """Leave keys and values whole that take at most so many eighths of the memory: rows of scores have
    the rest. Not measured by itself."""
    score_visits: int = 4
    """Visits to DRAM of scores that are whole: made, read, divided, read again. Counted, not measured."""
    min_gain: float = 2.5
    """Least bytes of these visits, as a multiple of those of queries and outputs, which come again with
    every piece. Not measured by itself."""
    max_pieces: int = 8
    """Most pieces of the keys; with more, planning takes longer than they are worth. Not measured by
    itself."""
    max_heads: int = 4
    """Most heads of which a core that works on several has a piece each at a time. Not measured by
    itself."""
    max_score_layers: int = 16
    """Most layers between the product of queries and keys and the softmax. Not measured by itself."""
    key_multiple: int = 32
    """Keys of a piece are a multiple of this, but for the last: it fills the lanes of an array. Not
    measured by itself."""


@dataclass(frozen=True, slots=True)
class Batches:
    """Whether pictures of a batch are worked through one by one, or stitched side by side."""

    max_layers: int = 1000
    """Most layers of a network with its pictures apart; larger ones are searched less widely
    (`search.full_layers`). Not measured by itself."""
    clear_saving: float = 0.25
    """Do not plan pictures together if pictures apart are estimated to save a larger part of the costs.
    Plans of 4 pictures: MobileNetV2 compiles in 0.75 × the CPU time, together with other changes; same
    DRAM bytes."""
    max_loss: float = 0.08
    """Plan pictures of a small network apart, too, if they are estimated to cost at most so much more: both
    are planned soon enough. Attention of two pictures in 64 KiB costs 11 % less than with 0.06."""
    max_stitched_vectors: float = 0.95
    """Stitch pictures only where that leaves at most this part of the vectors of one by one. Not measured
    by itself."""

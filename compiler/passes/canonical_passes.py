"""The literal list of the passes that make a graph canonical."""

from __future__ import annotations

from collections import Counter

from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.drop_dead import DROP_DEAD
from nnc.compiler.passes.flatten_in_pixels import FLATTEN_IN_PIXELS
from nnc.compiler.passes.fold_affine import FOLD_AFFINE
from nnc.compiler.passes.fold_factors import FOLD_FACTORS
from nnc.compiler.passes.fold_shuffles import FOLD_SHUFFLES
from nnc.compiler.passes.for_memory.hold_weights import HOLD_WEIGHTS
from nnc.compiler.passes.for_memory.split_block_sums import SPLIT_BLOCK_SUMS
from nnc.compiler.passes.for_memory.split_contractions import SPLIT_CONTRACTIONS
from nnc.compiler.passes.for_memory.split_folds import SPLIT_FOLDS
from nnc.compiler.passes.for_memory.split_joined import SPLIT_JOINED
from nnc.compiler.passes.for_memory.split_keys import SPLIT_KEYS
from nnc.compiler.passes.for_memory.split_norms import SPLIT_NORMS
from nnc.compiler.passes.for_memory.split_recurrences import SPLIT_RECURRENCES
from nnc.compiler.passes.for_memory.split_softmax import SPLIT_SOFTMAX
from nnc.compiler.passes.free_views import FREE_VIEWS
from nnc.compiler.passes.fuse_activation import FUSE_ACTIVATION
from nnc.compiler.passes.fuse_clamp import FUSE_CLAMP
from nnc.compiler.passes.fuse_conversions import FUSE_CONVERSIONS
from nnc.compiler.passes.fuse_qdq import FUSE_QDQ
from nnc.compiler.passes.fuse_residual import FUSE_RESIDUAL
from nnc.compiler.passes.join_copies import JOIN_COPIES
from nnc.compiler.passes.merge_affine import MERGE_AFFINE
from nnc.compiler.passes.merge_axes import MERGE_AXES
from nnc.compiler.passes.merge_cells import MERGE_CELLS
from nnc.compiler.passes.merge_functions import MERGE_FUNCTIONS
from nnc.compiler.passes.merge_norms import MERGE_NORMS
from nnc.compiler.passes.merge_pads import MERGE_PADS
from nnc.compiler.passes.merge_views import MERGE_VIEWS
from nnc.compiler.passes.nest_concats import NEST_CONCATS
from nnc.compiler.passes.pictures_apart import PICTURES_APART
from nnc.compiler.passes.pool_early import POOL_EARLY
from nnc.compiler.passes.read_operands import READ_OPERANDS
from nnc.compiler.passes.reorder_flattened_weights import REORDER_FLATTENED_WEIGHTS
from nnc.compiler.passes.share_constants import SHARE_CONSTANTS
from nnc.compiler.passes.share_heads import SHARE_HEADS
from nnc.compiler.passes.share_layers import SHARE_LAYERS
from nnc.compiler.passes.sink_concats import SINK_CONCATS
from nnc.compiler.passes.split_functions import SPLIT_FUNCTIONS
from nnc.compiler.passes.split_products import SPLIT_PRODUCTS
from nnc.compiler.passes.split_stacks import SPLIT_STACKS
from nnc.compiler.passes.split_sums import SPLIT_SUMS
from nnc.compiler.passes.stitch.stitch_pictures import STITCH
from nnc.compiler.passes.subsample import SUBSAMPLE
from nnc.compiler.passes.trim_kernels import TRIM_KERNELS
from nnc.compiler.passes.turn_products import TURN_PRODUCTS
from nnc.compiler.passes.unsigned_products import UNSIGNED_PRODUCTS

CANONICAL_PASSES: tuple[tuple[Pass, str], ...] = (
    (
        SPLIT_STACKS,
        "first: additions and factors of branches are fused like any others; it leaves stacks behind",
    ),
    (DROP_DEAD, "before all that asks how many layers read a tensor: no work on what nobody reads"),
    (MERGE_FUNCTIONS, "before fuse-qdq: a function between conversions is one layer"),
    (MERGE_CELLS, "before fuse-activation: sigmoids and tangents are layers still"),
    (MERGE_PADS, "before folding: a pad between two layers hides one from the other"),
    (FUSE_QDQ, "behind merge-pads: a pad of zeros is one of the zero point; before all that merges reals"),
    (
        SHARE_LAYERS,
        "behind fuse-qdq: a conversion belongs to its reader; before all that asks how many read a tensor",
    ),
    (MERGE_NORMS, "behind fuse-qdq: bytes are rounded at every function; before split-norms"),
    (
        SPLIT_NORMS,
        "behind fuse-qdq: a function between conversions is one layer; its factors are merged and folded",
    ),
    (SHARE_HEADS, "behind fuse-qdq: products of bytes are known; before all that fuses functions"),
    (
        TURN_PRODUCTS,
        "behind fuse-qdq: products of bytes are known; before split-softmax, which hides a softmax",
    ),
    (SPLIT_KEYS, "behind share-heads and turn-products: scores have a row per query, keys their heads"),
    (
        SPLIT_CONTRACTIONS,
        "behind fuse-qdq: products of reals are known; before all that fuses: they do nothing else yet",
    ),
    (SPLIT_SUMS, "behind fuse-qdq, too: a sum between conversions is one layer; before fuse-residual"),
    (SPLIT_SOFTMAX, "behind fuse-qdq, too; before all that fuses its functions"),
    (FUSE_CONVERSIONS, "behind split-norms and split-softmax: what no memory holds has been taken apart"),
    (MERGE_AFFINE, "before folding: one fold instead of several"),
    (FOLD_AFFINE, "before fuse-residual: an added constant is no skip connection"),
    (
        SHARE_CONSTANTS,
        "behind fold-affine, which gives copies of a layer weights of their own; floors see it",
    ),
    (
        TRIM_KERNELS,
        "behind share-constants: whose weights nobody else reads; before all that asks for a kernel's size",
    ),
    (JOIN_COPIES, "behind share-constants: copies have the same weights; before all fusions"),
    (
        POOL_EARLY,
        "behind fold-affine: a scale between the two is part of the weights; before epilogues are fused",
    ),
    (
        FOLD_FACTORS,
        "after fold-affine: sums are free of biases; before fuse-residual: masks are added behind",
    ),
    (FUSE_RESIDUAL, "before fuse-activation: the epilogue adds first, then applies the function"),
    (FUSE_ACTIVATION, "after fuse-residual: what follows the addition belongs to the same epilogue"),
    (FUSE_CLAMP, "after fuse-activation: an activation goes to the array where there is one before it"),
    (UNSIGNED_PRODUCTS, "after all that fuses: zero points are final; before weights are padded with theirs"),
    (
        SPLIT_PRODUCTS,
        "behind all that fuses: its parts have the same epilogue; before merge-views: it adds views",
    ),
    (SPLIT_BLOCK_SUMS, "behind all that fuses: its last piece has the epilogue; before merge-views, as well"),
    (SPLIT_RECURRENCES, "behind all that fuses: products have their biases; before merge-views, as well"),
    (
        MERGE_AXES,
        "behind all that fuses: these are the functions that stay; before merge-views: it adds views",
    ),
    (MERGE_VIEWS, "before the flattening passes: they look for one reshape; after all that moves views"),
    (FOLD_SHUFFLES, "behind merge-views: a shuffle is one reshape, one transpose, one reshape"),
    (FLATTEN_IN_PIXELS, "before reorder-flattened-weights: what lies in pixels has its order"),
    (REORDER_FLATTENED_WEIGHTS, "before free-views: it makes flattening free"),
    (DROP_DEAD, "again: folding has replaced constants"),
    (
        SINK_CONCATS,
        "after all that fuses; before split-folds and stitch: pools of operands are what they split",
    ),
    (
        SPLIT_JOINED,
        "behind sink-concats and all that fuses; before free-views: operands need no place in a whole",
    ),
    (
        READ_OPERANDS,
        "behind sink-concats and split-joined, which look for readers of a whole; before drop-dead",
    ),
    (DROP_DEAD, "again: what read a view of a whole reads an operand; before pictures-apart asks who reads"),
    (SPLIT_FOLDS, "after fuse-qdq: roundings are known; before free-views: it adds tensors"),
    (STITCH, "after the fusions: layers are stitched with all that is fused into them"),
    (SUBSAMPLE, "behind stitch, which wants strides; before free-views: it adds views"),
    (
        PICTURES_APART,
        "behind all that fuses, which is done once for all pictures; before nest-concats: it adds one",
    ),
    (NEST_CONCATS, "before free-views: what two concats share lies in one place only"),
    (SPLIT_FUNCTIONS, "after nest-concats: a dense block is a nest of concats"),
    (SHARE_CONSTANTS, "again, behind all that makes constants"),
    (HOLD_WEIGHTS, "behind share-constants: all readers of weights are known; before free-views"),
    (FREE_VIEWS, "last: storage of all tensors that are left"),
)
"""The passes that make a graph canonical, each with the reason for its place."""


def canonical_names() -> tuple[str, ...]:
    """Names of the canonical passes; a pass that runs again has its count behind its name."""
    seen: Counter[str] = Counter()
    names = []
    for step, _ in CANONICAL_PASSES:
        seen[step.name] += 1
        names.append(step.name if seen[step.name] == 1 else f"{step.name}-{seen[step.name]}")
    return tuple(names)

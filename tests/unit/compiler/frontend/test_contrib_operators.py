"""onnxruntime's own operators on real numbers: what the simulated chip computes is what onnxruntime does."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from quantised_cases import MICROSOFT, Case, by_nnc, by_onnxruntime

from nnc.compiler.frontend.importer import import_model
from nnc.isa.errors import NncError

F16, F32, I32, I64 = np.float16, np.float32, np.int32, np.int64
TOLERANCE, HALF_TOLERANCE = 2e-5, 4e-3
"""Of the largest magnitude of a result."""
Array = Any


def floats(*shape: int, seed: int = 0, dtype: Any = F32) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def integers(least: int, most: int, *shape: int, dtype: Any = I32) -> Array:
    return np.random.default_rng(5).integers(least, most + 1, shape).astype(dtype)


def contrib(
    op: str,
    *operands: Array | None,
    run_time: tuple[int, ...] = (0,),
    outputs: int = 1,
    absent: tuple[int, ...] = (),
    **attributes: Any,
) -> Case:
    return Case(op, list(operands), run_time, attributes, MICROSOFT, outputs=outputs, absent=absent)


X, BIAS, GAMMA = floats(2, 5, 12), floats(12, seed=1), floats(12, seed=2)
ELEMENTWISE = {
    "gelu": contrib("Gelu", X),
    "gelu of a sum": contrib("BiasGelu", X, BIAS),
    "gelu of a sum, both computed": contrib("BiasGelu", X, BIAS, run_time=(0, 1)),
    "fast gelu": contrib("FastGelu", X),
    "fast gelu of a sum": contrib("FastGelu", X, BIAS),
    "quick gelu": contrib("QuickGelu", X),
    "quick gelu, silu": contrib("QuickGelu", X, alpha=1.0),
    "quick gelu of halves": contrib("QuickGelu", X.astype(F16), alpha=1.25),
}
IMAGE, KERNEL = floats(1, 3, 8, 7), floats(4, 3, 3, 3, seed=3)
MATRIX, COLUMNS = floats(6, 12, seed=4), floats(12, 7, seed=5)
BYTES = np.random.default_rng(6).integers(0, 256, (2, 5, 12)).astype(np.uint8)
WEIGHTS = np.random.default_rng(7).integers(-64, 64, (12, 7)).astype(np.int8)
"""Of seven bits: without VNNI, onnxruntime saturates sums of two products of bytes at 16 bits."""
SCALES = np.abs(floats(7, seed=8)) / 100
PRODUCTS = {
    "fused convolution": contrib("FusedConv", IMAGE, KERNEL, floats(4), activation="Relu", pads=[1, 1, 1, 1]),
    "fused convolution, leaky": contrib(
        "FusedConv", IMAGE, KERNEL, activation="LeakyRelu", activation_params=[0.2], strides=[2, 2]
    ),
    "fused convolution, clipped": contrib(
        "FusedConv", IMAGE, KERNEL, floats(4), activation="Clip", activation_params=[-1.0, 1.5]
    ),
    "fused convolution with a sum": contrib(
        "FusedConv", IMAGE, KERNEL, floats(4), floats(1, 4, 6, 5), run_time=(0, 3), activation="Relu"
    ),
    "fused gemm": contrib(
        "FusedGemm", MATRIX, COLUMNS, floats(7), activation="LeakyRelu", activation_alpha=0.1, alpha=0.5
    ),
    "fused gemm, turned": contrib(
        "FusedGemm", MATRIX, COLUMNS.T.copy(), floats(7), activation="Tanh", transB=1, beta=2.0
    ),
    "fused product": contrib("FusedMatMul", MATRIX, COLUMNS, alpha=0.3),
    "fused product, turned": contrib(
        "FusedMatMul", MATRIX.T.copy(), COLUMNS.T.copy(), transA=1, transB=1, run_time=(0, 1)
    ),
    "fused product of batches": contrib(
        "FusedMatMul", floats(2, 3, 4, 5), floats(2, 3, 6, 5), transB=1, run_time=(0, 1), alpha=2.0
    ),
    "fused product, batches turned": contrib(
        "FusedMatMul",
        floats(4, 3, 5),
        floats(6, 3, 5),
        transBatchA=1,
        transBatchB=1,
        transB=1,
        run_time=(0, 1),
    ),
    "fused product of halves that grow": contrib(
        "FusedMatMul", np.full((2, 4), 300, F16), np.full((4, 3), 100, F16), alpha=1e-3
    ),
    "turned product": contrib("TransposeMatMul", MATRIX, COLUMNS.T.copy(), transB=1),
    "product of integers": contrib("MatMulIntegerToFloat", BYTES, WEIGHTS, F32(0.02), SCALES, np.uint8(120)),
    "product of integers with a bias": contrib(
        "MatMulIntegerToFloat", BYTES, WEIGHTS, F32(0.02), F32(0.01), np.uint8(120), np.int8(3), floats(7)
    ),
    "product by the range of its operand": contrib("DynamicQuantizeMatMul", X, WEIGHTS, SCALES),
    "product by its range, with a bias": contrib(
        "DynamicQuantizeMatMul", X, WEIGHTS, F32(0.01), np.int8(2), floats(7)
    ),
}


def blocks(
    depth: int,
    block: int,
    bits: int,
    zeros: Array | None = None,
    *more: Array | None,
    dtype: Any = F32,
) -> Case:
    """A product with weights of so many bits, for nine columns."""
    count = -(-depth // block)
    draw = np.random.default_rng(depth)
    packed = draw.integers(0, 256, (9, count, block * bits // 8)).astype(np.uint8)
    scales = (draw.random((9, count)) / 20 + 0.01).astype(dtype)
    x = floats(2, 3, depth, dtype=dtype)
    return contrib("MatMulNBits", x, packed, scales, zeros, *more, K=depth, N=9, block_size=block, bits=bits)


def octets(*shape: int) -> Array:
    return np.random.default_rng(10).integers(0, 256, shape).astype(np.uint8)


BLOCKS = {
    "four bits": blocks(64, 32, 4),
    "four bits, zero points": blocks(96, 32, 4, octets(9, 2)),
    "four bits, zero points in a row": blocks(96, 32, 4, octets(18)),
    "four bits, real zero points": blocks(96, 32, 4, floats(9, 3) + 8),
    "four bits, a last block in part": blocks(50, 16, 4, octets(9, 2)),
    "four bits, a bias": blocks(64, 16, 4, None, None, floats(9)),
    "four bits, halves": blocks(64, 32, 4, octets(9, 1), dtype=F16),
    "eight bits": blocks(64, 32, 8),
    "eight bits, zero points": blocks(64, 32, 8, octets(9, 2)),
    "two bits": blocks(128, 64, 2),
    "four bits, a vector": contrib(
        "MatMulNBits", floats(64), octets(9, 2, 16), floats(9, 2), K=64, N=9, bits=4, block_size=32
    ),
    "a table of four bits": contrib(
        "GatherBlockQuantized",
        octets(11, 32),
        integers(0, 10, 2, 3),
        floats(11, 4),
        octets(11, 2),
        block_size=16,
        run_time=(1,),
        quantize_axis=1,
        bits=4,
    ),
    "a table of eight bits": contrib(
        "GatherBlockQuantized",
        octets(11, 32),
        integers(0, 10, 2, 3),
        floats(11, 2),
        block_size=16,
        run_time=(1,),
        quantize_axis=1,
        bits=8,
    ),
    "a table of halves, an index of one": contrib(
        "GatherBlockQuantized",
        octets(11, 16),
        integers(0, 10),
        floats(11, 2, dtype=F16),
        octets(11, 1),
        block_size=16,
        run_time=(1,),
        quantize_axis=1,
        bits=4,
    ),
    "a table with a last block in part": contrib(
        "GatherBlockQuantized",
        octets(11, 40),
        integers(0, 10, 2, 3),
        floats(11, 3),
        block_size=16,
        run_time=(1,),
        quantize_axis=1,
        bits=8,
    ),
    "a table of nibbles": contrib(
        "GatherBlockQuantized",
        integers(-8, 7, 11, 40).astype(ml_dtypes.int4),
        integers(0, 10, 4),
        floats(11, 3),
        integers(-8, 7, 11, 3).astype(ml_dtypes.int4),
        block_size=16,
        run_time=(1,),
        quantize_axis=1,
    ),
}
SKIP = floats(2, 5, 12, seed=9)
WORDS, SEGMENTS = integers(0, 29, 2, 5), integers(0, 1, 2, 5)
TABLES = (floats(30, 12), floats(9, 12, seed=1), floats(2, 12, seed=2))
BOTH = (0, 1)
NORMS = {
    "layer norm": contrib("SkipLayerNormalization", X, SKIP, GAMMA, BIAS, run_time=BOTH),
    "layer norm with a bias and the sum": contrib(
        "SkipLayerNormalization",
        X,
        SKIP,
        GAMMA,
        BIAS,
        floats(12),
        run_time=BOTH,
        outputs=4,
        absent=(1, 2),
        epsilon=1e-5,
    ),
    "layer norm, one skip for all": contrib("SkipLayerNormalization", X, SKIP[0], GAMMA, run_time=BOTH),
    "rms norm": contrib("SkipSimplifiedLayerNormalization", X, SKIP, GAMMA, run_time=BOTH),
    "rms norm with a bias and the sum": contrib(
        "SkipSimplifiedLayerNormalization",
        X,
        SKIP,
        GAMMA,
        BIAS,
        run_time=BOTH,
        outputs=4,
        absent=(1, 2),
        epsilon=1e-6,
    ),
    "embedding": contrib(
        "EmbedLayerNormalization", WORDS, SEGMENTS, *TABLES, GAMMA, BIAS, run_time=BOTH, outputs=2
    ),
    "embedding with a mask": contrib(
        "EmbedLayerNormalization",
        WORDS,
        SEGMENTS,
        *TABLES,
        GAMMA,
        BIAS,
        np.tril(np.ones((2, 5), I32), 3)[::-1].copy(),
        run_time=(0, 1, 7),
        outputs=3,
        mask_index_type=1,
    ),
    "embedding in the first segment": contrib(
        "EmbedLayerNormalization", WORDS, None, *TABLES, GAMMA, BIAS, run_time=(0,), outputs=2
    ),
    "embedding with a mask of other numbers": contrib(
        "EmbedLayerNormalization",
        WORDS,
        SEGMENTS,
        *TABLES,
        GAMMA,
        BIAS,
        integers(-1, 2, 2, 5),
        run_time=(0, 1, 7),
        outputs=2,
        mask_index_type=1,
    ),
    "embedding without segments": contrib(
        "EmbedLayerNormalization",
        WORDS,
        None,
        *TABLES[:2],
        None,
        GAMMA,
        BIAS,
        None,
        integers(0, 8, 2, 5),
        outputs=2,
    ),
}
OLD = {
    "layer norm before opset 17": Case(
        "LayerNormalization", [X, GAMMA, BIAS], opset=13, attributes={"axis": 2}
    ),
    "simplified layer norm": Case(
        "SimplifiedLayerNormalization", [X, GAMMA], opset=18, attributes={"epsilon": 1e-6}
    ),
}
"""Operators that onnxruntime has in the domain of ONNX."""
ANGLES = np.outer(np.arange(40), 1 / 10 ** np.linspace(0, 2, 8)).astype(F32)
COSINE, SINE = np.cos(ANGLES), np.sin(ANGLES)
PLACES = integers(0, 39, 2, 5, dtype=I64)
ROTATIONS = {
    "rotation": contrib("RotaryEmbedding", floats(2, 5, 48), PLACES, COSINE, SINE, run_time=BOTH),
    "rotation of pairs": contrib("RotaryEmbedding", floats(2, 5, 48), PLACES, COSINE, SINE, interleaved=1),
    "rotation from a place on": contrib(
        "RotaryEmbedding", floats(2, 5, 48), np.array([7], I64), COSINE, SINE, run_time=BOTH
    ),
    "rotation of heads": contrib("RotaryEmbedding", floats(2, 3, 5, 16), PLACES, COSINE, SINE),
    "rotation of some channels": contrib(
        "RotaryEmbedding", floats(2, 5, 60), PLACES, COSINE, SINE, num_heads=3, rotary_embedding_dim=16
    ),
}


def multi_head(
    *operands: Array | None, run_time: tuple[int, ...] = (0, 1, 2), outputs: int = 1, **attributes: Any
) -> Case:
    return contrib(
        "MultiHeadAttention", *operands, run_time=run_time, outputs=outputs, num_heads=3, **attributes
    )


Q, K, V = floats(2, 5, 24), floats(2, 7, 24, seed=1), floats(2, 7, 18, seed=2)
PAST = floats(2, 3, 4, 8, seed=3), floats(2, 3, 4, 8, seed=4)
LENGTHS = np.array([7, 4], I32)
MULTI_HEAD = {
    "heads": multi_head(Q, K, V),
    "heads, biased": multi_head(Q, K, V, floats(66), scale=0.2),
    "heads, causal": multi_head(Q, Q[:, ::-1].copy(), V[:, :5].copy(), unidirectional=1),
    "heads, by length": multi_head(Q, K, V, None, LENGTHS, run_time=(0, 1, 2, 4)),
    "heads, masked": multi_head(Q, K, V, None, integers(0, 1, 2, 7), run_time=(0, 1, 2, 4)),
    "heads, masked by row": multi_head(Q, K, V, None, integers(0, 1, 2, 5, 7), mask_filter_value=-50.0),
    "heads, with scores added": multi_head(Q, K, V, None, None, floats(1, 3, 5, 7), run_time=(0, 1, 2, 5)),
    "heads of another sequence": multi_head(Q, floats(2, 3, 7, 8), floats(2, 3, 7, 8, seed=1)),
    "heads with a past": multi_head(
        Q, K[:, :5].copy(), K[:, 2:].copy(), None, None, None, *PAST, run_time=(0, 1, 2, 6, 7), outputs=3
    ),
}
INPUT, MERGED = floats(2, 5, 10), floats(10, 72, seed=1) / 3


def with_weights(*operands: Array | None, run_time: tuple[int, ...] = (0,), **attributes: Any) -> Case:
    attributes = {"num_heads": 3, **attributes}
    return contrib("Attention", INPUT, MERGED, *operands, run_time=run_time, **attributes)


WITH_WEIGHTS = {
    "weights": with_weights(floats(72)),
    "weights, causal": with_weights(floats(72), unidirectional=1),
    "weights of two widths": contrib(
        "Attention", INPUT, MERGED[:, :66].copy(), floats(66), num_heads=3, qkv_hidden_sizes=[24, 24, 18]
    ),
    "weights, by length": with_weights(floats(72), np.array([5, 3], I32), run_time=(0, 3)),
    "weights, by ends and starts": with_weights(floats(72), np.array([5, 3, 1, 0], I32), run_time=(0, 3)),
    "weights, masked": with_weights(floats(72), integers(0, 1, 2, 5), run_time=(0, 3)),
    "weights, masked by row, causal": with_weights(
        floats(72), np.tril(np.ones((2, 5, 5), I32)), run_time=(0, 3), unidirectional=1
    ),
    "weights with a past": with_weights(
        floats(72), None, floats(2, 2, 3, 4, 8, seed=2), run_time=(0, 4), outputs=2
    ),
    "weights with scores added": with_weights(floats(72), None, None, floats(2, 3, 5, 5), run_time=(0, 5)),
}
MERGED_BYTES = np.random.default_rng(9).integers(-64, 64, (12, 72)).astype(np.int8)
STEP, MERGED_STEP = F32(0.01), F32(0.004)
PAST_STATE = floats(2, 2, 3, 4, 8, seed=2)


def quantised(*operands: Array | None, run_time: tuple[int, ...] = (0,), **attributes: Any) -> Case:
    attributes = {"num_heads": 3, **attributes}
    first = [BYTES, MERGED_BYTES, floats(72), STEP, MERGED_STEP]
    return contrib("QAttention", *first, *operands, run_time=run_time, **attributes)


QUANTISED = {
    "quantised weights": quantised(None, np.uint8(120), np.int8(3)),
    "quantised weights, causal": quantised(None, np.uint8(7), np.int8(0), unidirectional=1),
    "quantised weights, by length": quantised(np.array([5, 3], I32), np.uint8(128), run_time=(0, 5)),
    "quantised weights with a past": quantised(
        None, np.uint8(120), np.int8(0), PAST_STATE, run_time=(0, 8), outputs=2
    ),
}
BYTE_TABLES = [np.random.default_rng(n).integers(0, 256, (n, 12)).astype(np.uint8) for n in (30, 9, 2)]
BYTE_PARAMETERS = [table[0] for table in BYTE_TABLES[:2]]
TABLE_SCALES, TABLE_ZEROS = list(SCALES[:5]), [np.uint8(zero) for zero in (120, 7, 0, 130, 128)]
EMBEDDED = {
    "bytes of words": contrib(
        "QEmbedLayerNormalization",
        *(WORDS, SEGMENTS, *BYTE_TABLES, *BYTE_PARAMETERS, integers(0, 1, 2, 5)),
        *(*TABLE_SCALES, *TABLE_ZEROS),
        run_time=(0, 1, 7),
        outputs=2,
        epsilon=1e-5,
    ),
    "bytes of words without segments": contrib(
        "QEmbedLayerNormalization",
        *(WORDS, None, *BYTE_TABLES[:2], None, *BYTE_PARAMETERS, None),
        *(*TABLE_SCALES[:2], None, *TABLE_SCALES[3:], *TABLE_ZEROS[:2], None, *TABLE_ZEROS[3:]),
        outputs=2,
        epsilon=1e-5,
    ),
}


def grouped(
    tokens: int,
    total: int,
    past: int,
    lengths: list[int] | None = None,
    more: dict[int, Array] | None = None,
    *,
    batch: int = 2,
    channels: int = 16,
    packed: bool = False,
    constant_lengths: bool = False,
    dtype: Any = F32,
    **attributes: Any,
) -> Case:
    """Sequences with six heads of queries and two of keys.

    Args:
        tokens, total, past: new ones, those of the longest sequence with them, room of the past.
        lengths: of each sequence with its new tokens.
        more: operands by slot.
        packed: whether queries, keys and values are one operand.
        constant_lengths: whether the lengths are known at compile time.
    """
    parts = [
        floats(batch, tokens, heads * channels, seed=n, dtype=dtype) for n, heads in enumerate((6, 2, 2))
    ]
    operands: list[Array | None] = [np.concatenate(parts, -1), None, None] if packed else [*parts]
    states = [floats(batch, 2, past, channels, seed=n) for n in (3, 4)]
    operands += states if past else [None, None]
    operands += [np.array(lengths or [total] * batch, I32) - 1, np.array(total, I32)]
    operands += [None] * (12 - len(operands))
    for slot, operand in (more or {}).items():
        operands[slot] = operand
    run_time = [slot for slot in (0, 1, 2, 3, 4, 5, 9, 10) if operands[slot] is not None]
    if constant_lengths:
        run_time.remove(5)
    attributes = {"num_heads": 6, "kv_num_heads": 2, **attributes}
    return contrib("GroupQueryAttention", *operands, run_time=tuple(run_time), outputs=3, **attributes)


TURNS = {7: COSINE, 8: SINE}
GROUPED = {
    "prompt": grouped(5, 5, 0),
    "prompt of lengths": grouped(5, 5, 0, [5, 3]),
    "prompt, packed": grouped(5, 5, 0, packed=True),
    "prompt with an empty past": grouped(
        5, 5, 0, None, {3: np.zeros((2, 2, 0, 16), F32), 4: np.zeros((2, 2, 0, 16), F32)}
    ),
    "prompt of halves": grouped(
        5, 5, 0, None, {n: v.astype(F16) for n, v in TURNS.items()}, dtype=F16, do_rotary=1
    ),
    "prompt, rotated": grouped(5, 5, 0, None, TURNS, do_rotary=1),
    "prompt, rotated from a place on": grouped(
        5, 5, 0, None, TURNS | {9: integers(3, 3, 2, 5, dtype=I64)}, do_rotary=1
    ),
    "prompt, packed, pairs rotated": grouped(
        5, 5, 0, None, TURNS, packed=True, do_rotary=1, rotary_interleaved=1
    ),
    "prompt with a window": grouped(7, 7, 0, local_window_size=3),
    "prompt, capped and scaled": grouped(5, 5, 0, softcap=2.0, scale=0.5),
    "prompt with a cap below zero": grouped(5, 5, 0, softcap=-2.0),
    "prompt with smooth softmax": grouped(5, 5, 0, smooth_softmax=1),
    "prompt with a sink": grouped(5, 5, 0, None, {11: floats(6)}),
    "prompt with scores added": grouped(5, 5, 0, None, {10: floats(1, 6, 5, 5)}),
    "prompt into a buffer": grouped(5, 5, 9),
    "step": grouped(1, 6, 5),
    "step, lengths known": grouped(1, 6, 5, constant_lengths=True),
    "step, rotated": grouped(1, 6, 5, None, TURNS, do_rotary=1),
    "step, rotated, lengths known": grouped(1, 6, 5, None, TURNS, do_rotary=1, constant_lengths=True),
    "step, rotated by places": grouped(
        1, 6, 5, None, TURNS | {9: integers(0, 30, 2, 1, dtype=I64)}, do_rotary=1
    ),
    "step of two lengths": grouped(1, 6, 5, [6, 3]),
    "step of two lengths, rotated": grouped(1, 6, 5, [6, 3], TURNS, do_rotary=1),
    "step of two lengths, a window": grouped(1, 6, 5, [6, 4], local_window_size=2),
    "step with a window, lengths known": grouped(1, 6, 5, local_window_size=2, constant_lengths=True),
    "step, some channels rotated": grouped(1, 6, 5, [6, 4], TURNS, channels=32, do_rotary=1),
    "chunk behind a past": grouped(3, 8, 5, None, TURNS, batch=1, do_rotary=1),
    "chunk behind less than there is room for": grouped(3, 8, 5, [6], TURNS, batch=1, do_rotary=1),
    "chunk, lengths known": grouped(3, 8, 5, batch=1, constant_lengths=True),
    "chunk into a buffer": grouped(3, 8, 12, batch=1, local_window_size=4),
    "step into a buffer": grouped(1, 4, 9, [4, 2]),
    "step into a buffer, lengths known": grouped(1, 4, 9, [4, 2], TURNS, do_rotary=1, constant_lengths=True),
    "step of lengths above the total": grouped(1, 6, 9, [8, 6]),
    "step with scores added": grouped(1, 6, 5, None, {10: floats(2, 6, 1, 6)}),
}
CASES = (
    ELEMENTWISE
    | PRODUCTS
    | BLOCKS
    | NORMS
    | OLD
    | ROTATIONS
    | MULTI_HEAD
    | WITH_WEIGHTS
    | QUANTISED
    | EMBEDDED
    | GROUPED
)


@pytest.mark.parametrize("name", CASES)
def test_as_onnxruntime(name: str) -> None:
    case = CASES[name]
    model, feeds = case.model(), case.feeds
    expected = by_onnxruntime(model, feeds)
    if case.op == "GroupQueryAttention":
        expected = valid(case, expected)
    results = by_nnc(model, feeds)
    if case.op == "GroupQueryAttention":
        results = valid(case, results)
    for result, wanted in zip(results, expected, strict=True):
        assert (result.shape, result.dtype) == (wanted.shape, wanted.dtype)
        share = HALF_TOLERANCE if wanted.dtype == F16 else TOLERANCE
        np.testing.assert_allclose(result, wanted, rtol=0, atol=share * np.abs(wanted).max(initial=1e-6))


def valid(case: Case, results: list[Array]) -> list[Array]:
    """Results without the rows of tokens behind the end of each sequence, which nobody specifies."""
    lengths = np.asarray(case.operands[5]) + 1
    output, *states = results
    parts: list[Array] = []
    for sequence, length in enumerate(lengths):
        parts.append(output[sequence, : length if output.shape[1] > 1 else 1])
        parts += [state[sequence, :, :length] for state in states]
    return parts


X8 = floats(2, 5, 48)
REFUSED = {
    "rotation of other channels": contrib(
        "RotaryEmbedding", X8, PLACES, COSINE, SINE, num_heads=3, rotary_embedding_dim=8
    ),
    "causal heads with more keys": multi_head(Q, K, V, unidirectional=1),
    "a skip of another batch": contrib("SkipLayerNormalization", X[:1].copy(), X, GAMMA, run_time=BOTH),
    "scales in another order": contrib(
        "MatMulNBits", floats(2, 64), octets(9, 2, 16), floats(2, 9), K=64, N=9, bits=4, block_size=32
    ),
    "an activation without its parameter": contrib("FusedConv", IMAGE, KERNEL, activation="LeakyRelu"),
    "segments without a table": contrib(
        "EmbedLayerNormalization", WORDS, SEGMENTS, *TABLES[:2], None, GAMMA, BIAS, run_time=BOTH, outputs=2
    ),
    "a total of fewer tokens than there are": grouped(5, 3, 0),
    "no window": grouped(5, 5, 0, local_window_size=0),
    "two values of a flag": grouped(5, 5, 0, smooth_softmax=2),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_in_words(name: str) -> None:
    with pytest.raises(NncError) as caught:
        import_model(REFUSED[name].model())
    assert caught.value.code in ("NNC-E011", "NNC-E015")

"""Weights in blocks are what the definition says, and never worse than scaling by the largest magnitude."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from nnc.quantize.block_rounding import BlockOptions, BlockWeights, in_blocks, packed_bytes

F = np.float32
SHAPES = [(16, 3), (40, 2), (100, 5)]
FORMS = [BlockOptions(b, k, s) for b, k, s in product((4, 8), (16, 32), (True, False))]


def weights(shape: tuple[int, int], seed: int = 0) -> np.ndarray:
    """Of blocks with outliers, of one sign, of zeros, and of nearly equal numbers."""
    rng = np.random.default_rng(seed)
    matrix = rng.standard_normal(shape) * 10 ** rng.uniform(-2, 1, (1, shape[1]))
    matrix[rng.random(shape) < 0.03] *= 8
    matrix[:, 0] = abs(matrix[:, 0]) + 0.1
    matrix[:16, 1] = 0
    return matrix.astype(F)


def blocks_of(matrix: np.ndarray, block: int) -> list[np.ndarray]:
    """Channel by channel, each in blocks; the last one may be short."""
    return [column[k : k + block] for column in matrix.T for k in range(0, len(column), block)]


def candidates(block: np.ndarray, options: BlockOptions) -> list[tuple[Any, Any]]:
    """Scales before rounding and zero points, in the words of the module's docstring."""
    bits, top = options.bits, F((1 << options.bits) - 1)
    ratios = [F(1 - i / 2 ** (bits + 1)) for i in range(17)]
    if options.symmetric:
        widest = abs(block).max() / F(2 ** (bits - 1) - 1)
        return [(sign * (widest * r), F(2 ** (bits - 1))) for r in ratios for sign in (F(1), F(-1))]
    high, low = max(block.max(), F(0)), min(block.min(), F(0))
    widest = high / top - low / top
    z = np.rint(-low / widest) if widest else F(0)
    return [(widest * r, np.clip(z + F(s), 0, top)) for s in (0, -1, 1) for r in ratios]


def judged(block: np.ndarray, scale: Any, zero: Any, bits: int) -> tuple[float, np.ndarray]:
    """Squared error and integers of a block."""
    integers = np.clip(np.rint(block / scale) + zero, 0, (1 << bits) - 1)
    difference = (integers - zero) * scale - block
    return float(np.square(difference.astype(np.float64)).sum()), integers


def half(scale: Any) -> Any:
    return F(np.float16(scale)) or F(1)


def error_of(result: BlockWeights, matrix: np.ndarray, block: int) -> list[float]:
    difference = result.real(len(matrix)).astype(np.float64) - matrix
    return [float(np.square(part).sum()) for part in blocks_of(difference, block)]


@pytest.mark.parametrize("options", FORMS, ids=str)
@pytest.mark.parametrize("shape", SHAPES)
def test_weights_are_those_of_the_definition(shape: tuple[int, int], options: BlockOptions) -> None:
    matrix = weights(shape)
    result = in_blocks(matrix, options)
    channels, count = shape[1], -(-shape[0] // options.block)
    assert result.integers.shape == (channels, count, options.block)
    assert result.scales.shape == (channels, count)
    assert (result.zeros is None) == options.symmetric
    zeros = np.full((channels, count), 1 << (options.bits - 1)) if result.zeros is None else result.zeros
    errors = error_of(result, matrix, options.block)
    parameters = zip(result.integers.reshape(-1, options.block), result.scales.flat, zeros.flat, strict=True)
    for block, (integers, scale, zero), error in zip(
        blocks_of(matrix, options.block), parameters, errors, strict=True
    ):
        tried = [(half(s), z) for s, z in candidates(block, options)]
        assert (scale, zero) in tried
        least = min(judged(block, s, z, options.bits)[0] for s, z in tried)
        assert error == pytest.approx(least, rel=1e-4, abs=1e-12)
        own, expected = judged(block, scale, F(zero), options.bits)
        assert error == pytest.approx(own)
        np.testing.assert_array_equal(integers[: len(block)], expected)
        assert (integers[len(block) :] == zero).all()


@pytest.mark.parametrize("options", FORMS, ids=str)
def test_no_block_is_worse_than_scaled_by_its_largest_magnitude(options: BlockOptions) -> None:
    matrix = weights((256, 24), seed=1)
    for block, error in zip(
        blocks_of(matrix, options.block),
        error_of(in_blocks(matrix, options), matrix, options.block),
        strict=True,
    ):
        usual = [candidates(block, options)[0]]
        if options.symmetric:  # onnxruntime's: the largest becomes -2^(bits - 1)
            extreme = block[abs(block).argmax()]
            usual.append((extreme / F(-(1 << (options.bits - 1))), usual[0][1]))
        for scale, zero in usual:
            assert error <= judged(block, half(scale), zero, options.bits)[0] * (1 + 1e-5)


def test_gaussian_weights_gain_from_the_search() -> None:
    """A ninth of the squared error of 4 bits, in blocks of 32, beside the largest magnitude at -8."""
    matrix = np.random.default_rng(0).standard_normal((1024, 64)).astype(F)
    found = sum(error_of(in_blocks(matrix, BlockOptions(4, 32)), matrix, 32))
    usual = sum(
        judged(block, block[abs(block).argmax()] / F(-8), F(8), 4)[0] for block in blocks_of(matrix, 32)
    )
    assert 1.1 < usual / found < 1.2
    with_zeros = sum(error_of(in_blocks(matrix, BlockOptions(4, 32, symmetric=False)), matrix, 32))
    assert with_zeros < 0.95 * found


@pytest.mark.parametrize("options", FORMS, ids=str)
def test_what_was_in_blocks_comes_back_to_the_last_bit(options: BlockOptions) -> None:
    """If scales were float16, and the ends of the range occur in every block."""
    rng = np.random.default_rng(3)
    levels = 1 << options.bits
    integers = rng.integers(0, levels, (6, 4, options.block)).astype(np.uint8)
    integers[..., :2] = 0, levels - 1
    scales = rng.uniform(0.01, 2, (6, 4)).astype(np.float16).astype(F)
    zeros = None if options.symmetric else rng.integers(0, levels, (6, 4)).astype(np.uint8)
    depth = 4 * options.block
    matrix = BlockWeights(options.bits, integers, scales, zeros).real(depth)
    np.testing.assert_array_equal(in_blocks(matrix, options).real(depth), matrix)


def test_zeros_stay_zeros() -> None:
    for options in FORMS:
        assert not in_blocks(np.zeros((40, 2), F), options).real(40).any()


def test_scales_are_half_precision_where_that_holds_them() -> None:
    matrix = weights((64, 4))
    for factor, is_half in ((1, True), (1e-6, False), (1e9, False), (1e-41, False), (1e37, False)):
        result = in_blocks((matrix.astype(np.float64) * factor).astype(F), BlockOptions())
        with np.errstate(over="ignore"):
            assert (result.scales == result.scales.astype(np.float16)).all() == is_half
        assert np.isfinite(result.real(64)).all()
    tiny = in_blocks((matrix * 1e-7).astype(np.float16), BlockOptions())
    assert (tiny.scales == tiny.scales.astype(np.float16)).all() and tiny.scales.all()


@pytest.mark.parametrize("options", FORMS, ids=str)
def test_bytes_have_the_first_integer_in_the_lowest_bits(options: BlockOptions) -> None:
    result = in_blocks(weights((100, 3)), options)
    data, zeros = result.packed(), result.packed_zeros()
    count = -(-100 // options.block)
    assert data.shape == (3, count, options.block * options.bits // 8)
    parts = [data] if options.bits == 8 else [data & 15, data >> 4]
    np.testing.assert_array_equal(np.stack(parts, -1).reshape(result.integers.shape), result.integers)
    assert (zeros is None) == options.symmetric
    if zeros is not None:
        assert zeros.shape == (3, -(-count * options.bits // 8))
        parts = [zeros] if options.bits == 8 else [zeros & 15, zeros >> 4]
        np.testing.assert_array_equal(np.stack(parts, -1).reshape(3, -1)[:, :count], result.zeros)
    nbytes = data.nbytes + result.scales.nbytes + (0 if zeros is None else zeros.nbytes)
    assert nbytes == packed_bytes(100, 3, options, 4)

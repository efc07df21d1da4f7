"""Blocks of weights of few bits: every byte where the definition says, and the numbers that it says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nnc.isa.block_weights import BlockFormat

FORMATS = st.builds(
    BlockFormat,
    bits=st.sampled_from([2, 4, 8]),
    block=st.sampled_from([4, 16, 32]),
    scale_bytes=st.sampled_from([2, 4]),
    zero_bytes=st.sampled_from([0, 1, 2, 4]),
)


def number(data: bytes) -> float:
    """A float of 2 or 4 bytes, or one unsigned byte."""
    if len(data) == 1:
        return float(data[0])
    return float(np.frombuffer(data, {2: "<f2", 4: "<f4"}[len(data)])[0])


@settings(max_examples=60, deadline=None)
@given(FORMATS, st.integers(1, 70), st.integers(1, 5), st.integers(0, 9))
def test_every_weight_is_what_the_bytes_of_its_block_say(
    layout: BlockFormat, depth: int, channels: int, seed: int
) -> None:
    rng, blocks = np.random.default_rng(seed), -(-depth // layout.block)
    integers = rng.integers(0, 1 << layout.bits, (depth, channels)).astype(np.uint8)
    scales = rng.standard_normal((blocks, channels)).astype(np.float16)
    zeros = rng.integers(0, 16, (blocks, channels)).astype(np.uint8) if layout.zero_bytes else None
    matrix = layout.packed(integers, scales, zeros)
    assert matrix.dtype == np.uint8 and matrix.shape == (layout.rows(depth), channels)
    real = layout.real(matrix, depth, 3)
    for k in range(depth):
        for n in range(channels):
            block = matrix[:, n].tobytes()[k // layout.block * layout.block_bytes :]
            scale, rest = number(block[: layout.scale_bytes]), block[layout.scale_bytes :]
            zero = number(rest[: layout.zero_bytes]) if layout.zero_bytes else 3.0
            bit = k % layout.block * layout.bits
            byte = rest[layout.zero_bytes + bit // 8]
            integer = byte >> bit % 8 & (1 << layout.bits) - 1
            assert integer == integers[k, n]
            assert real[k, n] == np.float32(integer - zero) * np.float32(scale)


@pytest.mark.parametrize(
    ("layout", "problem"),
    [
        (BlockFormat(3, 32, 4, 0), "bits is 3"),
        (BlockFormat(4, 3, 4, 0), "whole bytes of 4 bits"),
        (BlockFormat(4, 0, 4, 0), "whole bytes of 4 bits"),
        (BlockFormat(4, 32, 1, 0), "scale_bytes is 1"),
        (BlockFormat(4, 32, 4, 3), "zero_bytes is 3"),
    ],
)
def test_what_contradicts_itself(layout: BlockFormat, problem: str) -> None:
    assert any(problem in error for error in layout.errors())

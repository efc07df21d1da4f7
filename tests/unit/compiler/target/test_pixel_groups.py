"""The formulas of M5: the table of worked figures, and what every grouping promises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nnc.compiler.target.pixel_groups import PixelGroups

KIB = 1024

# channels, height, width, bits, bytes: shape, pixels, max, groups, last, bytes of a group, of the last
TABLE = [
    ((256, 3, 3, 8, 640 * KIB), ([1, 8, 3, 3, 32], 72, 20480, 1, 72, 2304, 2304)),
    ((8192, 3, 3, 8, 2880), ([1, 256, 3, 3, 32], 2304, 90, 26, 54, 2880, 1728)),
    ((8192, 3, 3, 8, 2912), ([1, 256, 3, 3, 32], 2304, 90, 26, 54, 2880, 1728)),
    ((40, 3, 3, 8, 640 * KIB), ([1, 2, 3, 3, 32], 18, 20480, 1, 18, 576, 576)),
    ((256, 3, 3, 16, KIB), ([1, 8, 3, 3, 32], 72, 16, 5, 8, 1024, 512)),
    ((256, 3, 3, 32, 640 * KIB), ([1, 8, 3, 3, 32], 72, 5120, 1, 72, 9216, 9216)),
    ((8192, 3, 3, 32, 11520), ([1, 256, 3, 3, 32], 2304, 90, 26, 54, 11520, 6912)),
    ((784, 1, 1, 8, 640 * KIB), ([1, 25, 1, 1, 32], 25, 20480, 1, 25, 832, 832)),
    ((64, 1, 2, 8, 128), ([1, 2, 1, 2, 32], 4, 4, 1, 4, 128, 128)),
]


@pytest.mark.parametrize(("given_", "expected"), TABLE)
def test_worked_figures(given_: tuple[int, ...], expected: tuple[object, ...]) -> None:
    channels, height, width, bits, nbytes = given_
    groups = PixelGroups.of(channels, height, width, bits=bits, feature_bytes=nbytes)
    shape, pixels, most, count, last, each_bytes, last_bytes = expected
    assert list(groups.shape) == shape
    assert (groups.pixels, groups.most, groups.count, groups.last) == (pixels, most, count, last)
    assert (groups.load_bytes[0], groups.load_bytes[-1]) == (each_bytes, last_bytes)
    assert len(groups.load_bytes) == count


def test_pad_channels_of_40() -> None:
    """D = 2 has room for 64 channels: 24 of each place are padding."""
    groups = PixelGroups.of(40, 3, 3, bits=8, feature_bytes=640 * KIB)
    assert sum(groups.load_bytes) - 40 * 3 * 3 == 216


def test_words_and_data() -> None:
    one = PixelGroups.of(256, 3, 3, bits=8, feature_bytes=640 * KIB)
    many = PixelGroups.of(8192, 3, 3, bits=8, feature_bytes=2880)
    least = PixelGroups.of(7, 1, 1, bits=32, feature_bytes=128)
    assert str(one) == "fc 72 pixels of 32 B = [1,8,3,3,32], 1 group of 72, 2304 B"
    assert str(many) == (
        "fc 2304 pixels of 32 B = [1,256,3,3,32], 26 groups of 90, the last of 54, 25 x 2880 + 1728 B"
    )
    assert str(least) == "fc 1 pixel of 128 B = [1,1,1,1,32], 1 group of 1, 128 B"
    data = many.to_json()
    assert (data["pixels"], data["max_pixels"], data["groups"], data["last_pixels"]) == (2304, 90, 26, 54)


@pytest.mark.parametrize(("bits", "least"), [(8, 64), (16, 64), (32, 128)])
def test_the_least_group_takes_whole_units(bits: int, least: int) -> None:
    assert PixelGroups.of(64, 2, 2, bits=bits, feature_bytes=least).load_bytes[0] == least
    with pytest.raises(ValueError, match=f"the least is {least} B"):
        PixelGroups.of(64, 2, 2, bits=bits, feature_bytes=least - 1)


@given(
    channels=st.integers(1, 300),
    height=st.integers(1, 9),
    width=st.integers(1, 9),
    bits=st.sampled_from([8, 16, 32]),
    nbytes=st.integers(128, 9000),
)
def test_every_pixel_is_in_one_group(channels: int, height: int, width: int, bits: int, nbytes: int) -> None:
    """Groups start at whole units, none takes more than it may, the last moves nothing beyond its pixels."""
    groups = PixelGroups.of(channels, height, width, bits=bits, feature_bytes=nbytes)
    assert (groups.count - 1) * groups.each + groups.last == groups.pixels
    assert groups.count == 1 or groups.each * groups.pixel % 64 == 0
    assert max(groups.load_bytes) <= max(nbytes, 64)
    assert 0 <= groups.load_bytes[-1] - groups.last * groups.pixel < 64

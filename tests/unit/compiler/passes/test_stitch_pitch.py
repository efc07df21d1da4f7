"""Pitch of stitched pictures: right and least by brute force, worked figures, the source's table."""

from __future__ import annotations

from itertools import product

import pytest

from nnc.compiler.passes.stitch.pitch import RowWindow, chain_pitch, filling, least_gap, pictures_of_a_vector


def window(width: int, kernel: int, stride: int, begin: int, end: int, dilation: int = 1) -> RowWindow:
    """The windows of a layer with explicit padding."""
    reach = (kernel - 1) * dilation + 1
    outputs = (width + begin + end - reach) // stride + 1
    return RowWindow(width, reach, stride, begin, outputs)


def is_right(layer: RowWindow, gap: int) -> bool:
    """Whether three pictures with such a gap give what each gives alone, by what every window reads.

    Windows run over the wide picture from column −pad on; the j-th of picture i must be number
    i · pitch / stride + j, start at its own columns and read none of another picture.
    """
    pitch = layer.width + gap
    if pitch % layer.stride or layer.outputs * layer.stride > pitch:
        return False
    for picture, output in product(range(3), range(layer.outputs)):
        first = picture * pitch + output * layer.stride - layer.pad
        for column in range(first, first + layer.reach):
            owner, inside = divmod(column, pitch)
            if owner != picture and inside < layer.width and 0 <= owner < 3:
                return False
    return True


def test_least_gap_by_brute_force() -> None:
    """No smaller gap is right: widths 1 … 9, kernels 1 … 5, strides 1 … 4, dilated, asymmetric pads."""
    tried = 0
    for width, kernel, stride, dilation in product(range(1, 10), range(1, 6), range(1, 5), (1, 2)):
        reach = (kernel - 1) * dilation + 1
        for begin, end in product(range(3), range(3)):
            if width + begin + end < reach or begin >= reach:
                continue
            layer = window(width, kernel, stride, begin, end, dilation)
            gap = least_gap(layer)
            assert next(g for g in range(40) if is_right(layer, g)) == gap, (layer, gap)
            tried += 1
    assert tried > 1000


def table(kind: str, width: int, kernel: int, stride: int, pad: int) -> int:
    """Fill columns as the source gives them."""
    if kind == "pool":
        return 0 if pad else width % stride
    if stride > 1:
        return width % stride
    return kernel // 2 if pad else 0


@pytest.mark.parametrize(
    ("kind", "width", "kernel", "stride", "pad", "ours"),
    [
        ("conv", 8, 3, 1, 0, 0),
        ("conv", 8, 3, 1, 1, 1),
        ("conv", 8, 5, 1, 2, 2),
        ("conv", 8, 2, 2, 0, 0),
        ("conv", 9, 2, 2, 0, 1),
        ("pool", 8, 2, 2, 0, 0),
        ("pool", 9, 2, 2, 0, 1),
    ],
)
def test_where_the_table_of_the_source_is_right(
    kind: str, width: int, kernel: int, stride: int, pad: int, ours: int
) -> None:
    """The source's fill columns, where they are both right and least."""
    assert least_gap(window(width, kernel, stride, pad, pad)) == ours
    assert table(kind, width, kernel, stride, pad) == ours


@pytest.mark.parametrize(
    ("kind", "width", "kernel", "stride", "pad", "theirs", "ours"),
    [
        ("conv", 7, 3, 3, 0, 1, 2),
        ("conv", 8, 3, 2, 1, 0, 2),
        ("conv", 7, 5, 2, 2, 1, 3),
        ("pool", 8, 3, 2, 1, 0, 2),
        ("pool", 10, 3, 3, 0, 1, 2),
    ],
)
def test_where_the_table_of_the_source_is_wrong(
    kind: str, width: int, kernel: int, stride: int, pad: int, theirs: int, ours: int
) -> None:
    """Its fill columns let windows reach into the neighbour, or start at other columns of it."""
    layer = window(width, kernel, stride, pad, pad)
    assert table(kind, width, kernel, stride, pad) == theirs
    assert not is_right(layer, theirs)
    assert least_gap(layer) == ours
    assert is_right(layer, ours)


def test_pitch_of_chains() -> None:
    """LeNet on 32 columns needs no gap; 28 columns padded by 1, halved and padded again need pitch 30."""
    lenet = [
        RowWindow(32, 5, 1, 0, 28),
        RowWindow(28, 2, 2, 0, 14),
        RowWindow(14, 5, 1, 0, 10, scale=2),
        RowWindow(10, 2, 2, 0, 5, scale=2),
    ]
    assert chain_pitch(lenet) == 32
    padded = [
        RowWindow(28, 3, 1, 1, 28),
        RowWindow(28, 2, 2, 0, 14),
        RowWindow(14, 3, 1, 1, 14, scale=2),
    ]
    assert chain_pitch(padded) == 30


@pytest.mark.parametrize(
    ("size", "pictures", "rows", "flat", "alone"),
    [
        (8, 7, 8, 8, 56),
        (8, 16, 24, 18, 128),
        (14, 16, 56, 53, 224),
        (28, 16, 224, 203, 448),
        (56, 16, 840, 798, 896),
    ],
)
def test_worked_figures(size: int, pictures: int, rows: int, flat: int, alone: int) -> None:
    """Vectors per tap and channel on 64 lanes, kernel 3 padded by 1: rows apart, rows merged, unstitched."""
    pitch = chain_pitch([window(size, 3, 1, 1, 1)])
    assert pitch == size + 1
    apart = filling(pictures, size, size, pitch, 64, merged=False, alone_merged=False)
    merged = filling(pictures, size, size, pitch, 64, merged=True, alone_merged=False)
    assert (apart.vectors, merged.vectors, merged.alone) == (rows, flat, alone)


def test_utilisation_of_the_worked_example() -> None:
    """8 × 8 of bytes: 7 pictures fill a vector; 16 with merged rows use 0.889 of the lanes, 0.667 apart."""
    assert pictures_of_a_vector(64, 9) == 7
    assert pictures_of_a_vector(16, 57) == 1
    assert round(filling(7, 8, 8, 9, 64, merged=False, alone_merged=False).utilisation, 3) == 0.875
    assert round(filling(16, 8, 8, 9, 64, merged=True, alone_merged=False).utilisation, 3) == 0.889
    assert round(filling(16, 8, 8, 9, 64, merged=False, alone_merged=False).utilisation, 3) == 0.667

"""nnc/page/packing.py"""

from __future__ import annotations

import string

import numpy as np

from nnc.page.packing import deltas, packed, unpacked


def test_deltas_sum_to_the_column() -> None:
    column = [5, 5, 2, 10**12, 0]
    assert deltas(column) == [5, 0, -3, 10**12 - 2, -(10**12)]
    assert np.cumsum(deltas(column)).tolist() == column
    assert deltas([]) == []


def test_packed_data_comes_back_and_means_nothing_in_html() -> None:
    data = {"name": '</script><b>"&\u2028', "values": list(range(1000)), "none": None}
    text = packed(data)
    assert unpacked(text) == data
    assert set(text) <= set(string.ascii_letters + string.digits + "+/=")
    assert packed(data) == text

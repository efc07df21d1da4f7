"""Rows by number where tensors nest in other orders than their axes: lists, tables and results."""

from __future__ import annotations

import numpy as np
import pytest
from golden_networks import parsed
from harness import check_model, chip_of

MODELS = {
    "a list of rows that nests otherwise": (
        """g (float[2,5,7,6] x) => (float[7,2,5,2] y) {
            t = Transpose <perm=[2,0,1,3]> (x)  a = ArgMax <axis=3, keepdims=0> (t)
            y = Gather <axis=0> (e, a) }""",
        {"e": (6, 2)},
    ),
    "a table that nests otherwise": (
        """g (float[4,6] x) => (float[3,4] y) {
            t = Transpose <perm=[1,0]> (x)  r = Relu (t)  y = Gather <axis=0> (r, i) }""",
        {},
    ),
    "a concat that nests otherwise": (
        """g (float[4,6] x) => (float[9,4] y) {
            t = Transpose <perm=[1,0]> (x)  r = Relu (t)  q = Gather <axis=0> (r, i)
            y = Concat <axis=0> (r, q) }""",
        {},
    ),
}


@pytest.mark.parametrize("chip", ["npu", "nna", "pixel-dsp"])
@pytest.mark.parametrize("name", MODELS)
def test_rows_by_number(name: str, chip: str) -> None:
    text, weights = MODELS[name]
    given = {"i": np.array([5, 0, 2])} if "(r, i)" in text else {}
    check_model(parsed(text, weights, **given), chip_of(chip))

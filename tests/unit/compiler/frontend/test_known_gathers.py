"""Gathers by known numbers: what is a slice or walks in runs is no gather of single elements."""

from __future__ import annotations

import numpy as np
import pytest
from golden_networks import parsed

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir import layers as ir


def _layers(extents: str, result: str, index: np.ndarray, axis: int = 0) -> list[ir.Layer]:
    text = f"g (float[{extents}] x) => (float[{result}] y) {{ y = Gather <axis={axis}> (x, i) }}"
    return list(import_model(parsed(text, {}, i=index)).layers())


@pytest.mark.parametrize("index", [np.arange(2, 5), np.array([-4, -3, -2])])
def test_entries_in_a_row_are_a_slice(index: np.ndarray) -> None:
    (slice_,) = _layers("4,6", "4,3", index, axis=1)
    assert isinstance(slice_, ir.Slice)
    assert (slice_.start, slice_.step, slice_.shape) == (
        (
            0,
            2,
        ),
        (1, 1),
        (4, 3),
    )


def test_entries_in_equal_steps_are_a_slice() -> None:
    (slice_,) = _layers("9,2", "3,2", np.array([1, 4, 7]))
    assert isinstance(slice_, ir.Slice) and slice_.step == (3, 1)


def test_overlapping_windows_of_a_list_are_rows() -> None:
    """Windows of 8 every 4 elements: rows of 4, each of which but the ends is read twice."""
    layers = _layers("24", "5,8", 4 * np.arange(5)[:, None] + np.arange(8))
    (gather,) = (layer for layer in layers if isinstance(layer, ir.Gather))
    assert gather.extent == 6
    assert {type(layer) for layer in layers} == {ir.Reshape, ir.Gather}


@pytest.mark.parametrize("index", [np.array([1, 0]), np.array([0, 0]), np.array([0, 1, 3, 4])])
def test_other_entries_are_a_gather(index: np.ndarray) -> None:
    (gather,) = _layers("5", str(len(index)), index)
    assert isinstance(gather, ir.Gather) and gather.extent == 5

"""Shadows of memories: arrays with an entry per granule, seen through operands."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.isa.operand import Operand


def by_element(
    shadow: npt.NDArray[Any], block: Operand, granule: int, base: int = 0
) -> npt.NDArray[Any]:
    """The entries of a shadow under a block, with an axis more: the granules of an element.

    Args:
        shadow: an entry per granule, from address `base` on.
    """
    width = shadow.itemsize
    return np.ndarray(
        (*block.shape, block.dtype.itemsize // granule),
        shadow.dtype,
        buffer=shadow,
        offset=(block.address - base) // granule * width,
        strides=(*(s // granule * width for s in block.strides), width),
    )

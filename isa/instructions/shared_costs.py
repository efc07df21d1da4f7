"""Cost rules that several instructions share (``nnc.isa.instruction.CostRule``); docstrings are formulas."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from nnc.isa.chip.description import Chip
from nnc.isa.chip.rates import move_cycles, vector_cycles
from nnc.isa.instruction import Shape
from nnc.isa.types import DType

Shapes = Sequence[Shape | None]


def present(shape: Shape | None) -> Shape:
    """The shape of a source that every instruction of the class has."""
    assert shape is not None
    return shape


def passes(chip: Chip, count: int, dtype: DType, srcs: Shapes) -> int:
    """Cycles of so many passes of the vector unit over the first source."""
    return vector_cycles(chip, dtype, count * prod(present(srcs[0])))


def one_pass(chip: Chip, i: Any, dtype: DType, dst: Shape, srcs: Shapes) -> int:
    """elements of src / element-wise rate."""
    return passes(chip, 1, dtype, srcs)


def three_passes(chip: Chip, i: Any, dtype: DType, dst: Shape, srcs: Shapes) -> int:
    """3 passes · elements of src / element-wise rate."""
    return passes(chip, 3, dtype, srcs)


def moved_bytes(chip: Chip, i: Any, dtype: DType, dst: Shape, srcs: Shapes) -> int:
    """bytes of dst / move bandwidth."""
    return move_cycles(chip, prod(dst) * dtype.itemsize)

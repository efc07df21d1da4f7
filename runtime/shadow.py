"""Shadows of memories: arrays with an entry per granule, seen through operands."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.isa.integers import ceil_div
from nnc.isa.operand import Operand
from nnc.isa.program import Program, TensorRole


def end_of_tensors(program: Program) -> int:
    """One past the last byte of DRAM that an instruction may touch: what shadows need to cover."""
    return max([len(program.constants), *(tensor.extent[1] for tensor in program.tensors)])


def by_element(shadow: npt.NDArray[Any], block: Operand, granule: int, base: int = 0) -> npt.NDArray[Any]:
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


def reserved_granules(program: Program, granule: int) -> npt.NDArray[np.bool_]:
    """Which granules of DRAM behind the constants some tensor reserves that are no elements of it.

    Inputs and outputs keep their elements for the whole run: those are never among them.
    """
    base = len(program.constants)
    mask = np.zeros(ceil_div(end_of_tensors(program) - base, granule), dtype=np.bool_)
    tensors = [tensor for tensor in program.tensors if tensor.role is not TensorRole.CONSTANT]
    for tensor in tensors:
        if tensor.reserved:
            low, high = ((address - base) // granule for address in tensor.extent)
            own = np.ones(high - low, dtype=np.bool_)
            by_element(own, tensor.block, granule, base + low * granule)[...] = False
            mask[low:high] |= own
    for tensor in tensors:
        if tensor.role in (TensorRole.INPUT, TensorRole.OUTPUT):
            by_element(mask, tensor.block, granule, base)[...] = False
    return mask

"""Kernels: vectorised functions on arrays, one per instruction class (importing fills the table)."""

from nnc.runtime.kernels import (
    conv,
    conv_transpose,
    elementwise,
    gemm,
    move,
    pool,
    recurrent,
    resample,
    statistics,
)
from nnc.runtime.kernels.arena import Arena
from nnc.runtime.kernels.binding import KERNELS, Kernel, bind, check_form
from nnc.runtime.kernels.core_state import CoreState

__all__ = [
    "KERNELS",
    "Arena",
    "CoreState",
    "Kernel",
    "bind",
    "check_form",
    "conv",
    "conv_transpose",
    "elementwise",
    "gemm",
    "move",
    "pool",
    "recurrent",
    "resample",
    "statistics",
]

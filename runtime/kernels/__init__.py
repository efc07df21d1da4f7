"""Kernels: vectorised functions on arrays, one per instruction class (importing fills the table)."""

from nnc.runtime.kernels import (
    conv,
    conv_transpose,
    elementwise,
    gemm,
    move,
    pool,
    resample,
    statistics,
)
from nnc.runtime.kernels.binding import KERNELS, Arena, Kernel, bind

__all__ = [
    "KERNELS",
    "Arena",
    "Kernel",
    "bind",
    "conv",
    "conv_transpose",
    "elementwise",
    "gemm",
    "move",
    "pool",
    "resample",
    "statistics",
]

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
from nnc.runtime.kernels.arena import Arena
from nnc.runtime.kernels.binding import KERNELS, Kernel, bind
from nnc.runtime.kernels.kept_windows import KeptWindows

__all__ = [
    "KERNELS",
    "Arena",
    "KeptWindows",
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

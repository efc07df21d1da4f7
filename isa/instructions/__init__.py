"""The instruction set: one frozen dataclass per instruction, its typed fields being its definition.

One instruction works on a tile, so that a network is thousands of instructions and numpy does the inside.
Activations are N, spatial…, C; layout is strides.  Sizes are elements unless bytes are named.
"""

from __future__ import annotations

from nnc.isa.instructions.along_axis import ALONG_AXIS, AlongAxis, ArgMax, CumSum, Softmax
from nnc.isa.instructions.mac import Conv, ConvTranspose, Gemm, MacInstruction
from nnc.isa.instructions.move import Copy, Gather, GatherElements, Pad, Resize
from nnc.isa.instructions.transfers import Broadcast, Fill, Load, LoadRows, Store
from nnc.isa.instructions.vector import Elementwise, LocalResponseNorm, Normalise, Pool, Reduce

__all__ = [
    "ALONG_AXIS",
    "AlongAxis",
    "ArgMax",
    "Broadcast",
    "Conv",
    "ConvTranspose",
    "Copy",
    "CumSum",
    "Elementwise",
    "Fill",
    "Gather",
    "GatherElements",
    "Gemm",
    "Load",
    "LoadRows",
    "LocalResponseNorm",
    "MacInstruction",
    "Normalise",
    "Pad",
    "Pool",
    "Reduce",
    "Resize",
    "Softmax",
    "Store",
]

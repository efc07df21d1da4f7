"""Layer kinds: few and general, one frozen dataclass each.  Many ONNX operators import to one kind.

Tensors keep the axis order of the ONNX model (N, C, spatial… for images); how a tensor is laid out in
memory is a separate decision (``nnc.compiler.ir.storage``).  Operands are the ordered inputs of the node
in the graph; an absent optional operand is ``None`` there.
"""

from __future__ import annotations

from nnc.compiler.ir.layers.along_axis import ALONG_AXIS, AlongAxis, ArgMax, CumSum, Softmax
from nnc.compiler.ir.layers.layer import Layer, Loc
from nnc.compiler.ir.layers.mac import Conv, ConvTranspose, MacLayer, MatMul, SpatialMacLayer
from nnc.compiler.ir.layers.move import Copy, Gather, GatherElements, Pad, Resize
from nnc.compiler.ir.layers.vector import Elementwise, LocalResponseNorm, Normalise, Pool, Reduce
from nnc.compiler.ir.layers.views import Concat, Expand, Join, Reshape, Slice, Transpose

__all__ = [
    "ALONG_AXIS",
    "AlongAxis",
    "ArgMax",
    "Concat",
    "Conv",
    "ConvTranspose",
    "Copy",
    "CumSum",
    "Elementwise",
    "Expand",
    "Gather",
    "GatherElements",
    "Join",
    "Layer",
    "Loc",
    "LocalResponseNorm",
    "MacLayer",
    "MatMul",
    "Normalise",
    "Pad",
    "Pool",
    "Reduce",
    "Reshape",
    "Resize",
    "Slice",
    "Softmax",
    "SpatialMacLayer",
    "Transpose",
]

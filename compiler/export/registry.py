"""All emitter modules: importing this one fills the table."""

from nnc.compiler.export import (
    onnx_functions,
    onnx_mac,
    onnx_resample,
    onnx_statistics,
    onnx_views,
    onnx_windows,
)
from nnc.compiler.export.onnx_nodes import EMITTERS

__all__ = [
    "EMITTERS",
    "onnx_functions",
    "onnx_mac",
    "onnx_resample",
    "onnx_statistics",
    "onnx_views",
    "onnx_windows",
]

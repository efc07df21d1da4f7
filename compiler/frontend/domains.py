"""Domains of operators, and how messages name an operator."""

from __future__ import annotations

from onnx import NodeProto

ONNX = "ai.onnx"
"""The domain of ONNX's own operators; models leave it empty."""
MICROSOFT = "com.microsoft"
"""The domain of onnxruntime's own operators."""


def domain_of(node: NodeProto) -> str:
    """The domain of a node's operator."""
    return node.domain or ONNX


def label_of(node: NodeProto) -> str:
    """The operator of a node as messages name it: with its domain, unless that is ONNX's own."""
    return node.op_type if domain_of(node) == ONNX else f"{node.domain}.{node.op_type}"

"""Values of attributes on which implementations differ, or onnx's shape inference does not end."""

from __future__ import annotations

import re
from math import isfinite

from onnx import AttributeProto, ModelProto, NodeProto

from nnc.compiler.frontend.domains import MICROSOFT, ONNX, domain_of, with_inner
from nnc.compiler.frontend.errors import ModelInvalidError

FLAGS = frozenset({
    "align_corners", "allowzero", "antialias", "broadcast", "ceil_mode", "center_point_box",
    "channels_last", "count_include_pad", "detect_negative", "detect_positive", "exclude_outside",
    "exclusive", "fmod", "input_forget", "interleaved", "inverse", "is_case_sensitive", "is_causal",
    "is_test", "keepdims", "largest", "layout", "linear_before_reset", "new_axis", "noop_with_empty_axes",
    "onesided", "output_sequence", "periodic", "reverse", "saturate", "select_last_index", "sorted",
    "spatial", "storage_order", "training_mode", "transA", "transB", "upper",
})  # fmt: skip
"""Attributes that are 0 or 1.  Of other values, implementations take some for 0 and some for 1."""
_TERM = re.compile(rb"[A-Za-z]*(\.\.\.)?[A-Za-z]*")
"""The axes of an operand of Einsum.  Onnx may find no end of others: with dots twice, of other characters."""

_MOST_SCALE = 1e18
"""Of scores: its square is a float, too."""


def check_attributes(model: ModelProto) -> None:
    """Refuse flags that are neither 0 nor 1, counts of outputs that are not there, factors that are no
    numbers, and equations that are none.

    Raises:
        ModelInvalidError: the first of them.
    """
    for node in with_inner(model.graph.node):
        if domain_of(node) in (ONNX, MICROSOFT):
            for attribute in node.attribute:
                _check(node, attribute)


def _is_sound_factor(attribute: AttributeProto) -> bool:
    """False for what implementations of Attention take each in their way: NaN, negative caps, and numbers
    with which scores overflow before or after they are scaled.
    """
    if attribute.name == "softcap":
        return isfinite(attribute.f) and attribute.f >= 0
    return attribute.name != "scale" or abs(attribute.f) <= _MOST_SCALE


def _check(node: NodeProto, attribute: AttributeProto) -> None:
    where = f"node {node.name or node.output[0]} ({node.op_type})"
    if attribute.name in FLAGS and attribute.i not in (0, 1):
        raise ModelInvalidError(
            f"attribute {attribute.name} is a flag", where=where, found=str(attribute.i), expected="0 or 1"
        )
    if node.op_type == "Attention" and not _is_sound_factor(attribute):
        raise ModelInvalidError(
            f"attribute {attribute.name} is no number that scores can be scaled by",
            where=where,
            found=str(attribute.f),
            expected="0 or more, finite" if attribute.name == "softcap" else f"at most {_MOST_SCALE:g}",
        )
    if attribute.name == "qk_matmul_output_mode" and attribute.i not in range(4):
        raise ModelInvalidError(
            "attribute qk_matmul_output_mode names no stage",
            where=where,
            found=str(attribute.i),
            expected="0 … 3",
        )
    if attribute.name == "num_outputs" and attribute.i != len(node.output):
        raise ModelInvalidError(
            "attribute num_outputs contradicts the outputs",
            where=where,
            found=str(attribute.i),
            expected=str(len(node.output)),
        )
    if node.op_type == "Einsum" and attribute.name == "equation":
        terms = attribute.s.replace(b" ", b"").replace(b"->", b",").split(b",")
        if not all(_TERM.fullmatch(term) for term in terms):
            raise ModelInvalidError(
                "the equation is none",
                where=where,
                found=repr(attribute.s),
                expected="letters and dots such as '...ij,jk->...ik'",
            )

"""Operands of Attention that contradict each other, where the function that onnx defines it by takes them."""

from __future__ import annotations

from collections.abc import Sequence

from onnx import ModelProto, NodeProto

from nnc.compiler.frontend.domains import ONNX, domain_of
from nnc.compiler.frontend.errors import ModelInvalidError
from nnc.compiler.frontend.model.check import InferredTypes, infer_types

Dims = tuple[int | None, ...]
_QUERY, _KEY, _MASK, _PAST, _LENGTHS = 0, 1, 3, 4, 6


def check_attention(model: ModelProto, nodes: Sequence[NodeProto], opset: int) -> None:
    """Check masks and lengths of the nodes that are an Attention, as far as their shapes are known.

    The function cuts a mask that is too long, and lets lengths of other batches make more batches.

    Raises:
        ModelInvalidError: the first operand that does not fit.
    """
    doubtful = [node for node in nodes if _has(node, _MASK) or _has(node, _LENGTHS)]
    if any(domain_of(node) == ONNX and node.op_type == "Attention" for node in doubtful):
        types = infer_types(model, opset)
        for node in doubtful:
            if node.op_type == "Attention":
                _check(node, types)


def _has(node: NodeProto, slot: int) -> bool:
    return len(node.input) > slot and node.input[slot] != ""


def _check(node: NodeProto, types: InferredTypes) -> None:
    def dims(slot: int) -> Dims | None:
        return types.get(node.input[slot], (None, None))[1] if _has(node, slot) else None

    where = f"node {node.name or node.output[0]} (Attention)"
    mask, lengths, key = dims(_MASK), dims(_LENGTHS), dims(_KEY)
    if _has(node, _LENGTHS) and _has(node, _PAST):
        raise ModelInvalidError(
            "nonpad_kv_seqlen and a past exclude each other", where=where, expected="one of both, or none"
        )
    query = dims(_QUERY)
    if lengths is not None and query and query[0] is not None and lengths != (query[0],):
        raise ModelInvalidError(
            "nonpad_kv_seqlen has no length for each sequence",
            where=where,
            found=str(list(lengths)),
            expected=f"[{query[0]}]",
        )
    past = dims(_PAST) if _has(node, _PAST) else (0,) * 4
    if not mask or mask[-1] is None or not key or len(key) < 3 or past is None or len(past) != 4:
        return
    keys, before = key[-2], past[2]
    if keys is not None and before is not None and mask[-1] > keys + before:
        raise ModelInvalidError(
            "the mask is longer than the keys",
            where=where,
            found=f"{list(mask)} for {keys + before} keys",
            expected=f"at most {keys + before} along its last axis",
        )

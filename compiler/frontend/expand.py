"""Functions: the model's own, and ONNX operators that the table lacks but the standard defines by others."""

from __future__ import annotations

from onnx import ModelProto, NodeProto, defs, inliner

from nnc.compiler.frontend.table import IMPORTERS
from nnc.compiler.frontend.weights import Skeleton, hoist_constants

_KEPT = frozenset({"Range", "SequenceMap", "Bernoulli"})
"""Function operators whose body has a loop or is random: they serve only where the result can be folded."""


def expand_functions(skeleton: Skeleton, opset: int) -> None:
    """Inline model-local functions, then standard function operators without an importer (in place)."""
    model = skeleton.model
    if model.functions:
        _replace(model, inliner.inline_local_functions(model))
    for _ in range(3):  # bodies may use function operators themselves
        names = sorted({node.op_type for node in model.graph.node if _expandable(node, opset)})
        if not names:
            break
        ids = [("", name) for name in names]
        _replace(model, inliner.inline_selected_functions(model, ids, inline_schema_functions=True))
    hoist_constants(skeleton)


def _expandable(node: NodeProto, opset: int) -> bool:
    if node.domain not in ("", "ai.onnx") or node.op_type in IMPORTERS or node.op_type in _KEPT:
        return False
    if not defs.has(node.op_type, opset, ""):
        return False
    schema = defs.get_schema(node.op_type, opset, "")
    return bool(schema.has_function or schema.has_context_dependent_function)  # type: ignore[attr-defined]


def _replace(model: ModelProto, other: ModelProto) -> None:
    del model.graph.node[:]
    model.graph.node.extend(other.graph.node)
    del model.functions[:]
    del model.opset_import[:]
    model.opset_import.extend(other.opset_import)

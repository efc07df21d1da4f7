"""Validity and types of a model, by onnx's own checker and shape inference on the skeleton."""

from __future__ import annotations

import onnx
from onnx import (
    GraphProto,
    ModelProto,
    NodeProto,
    StringStringEntryProto,
    TensorProto,
    TypeProto,
    checker,
    helper,
    shape_inference,
)

from nnc.compiler.frontend.domains import ONNX, domain_of, graphs_of, inner_graphs, with_inner
from nnc.compiler.frontend.errors import ModelInvalidError, ModelTooLargeError, UnsupportedError
from nnc.compiler.frontend.model.element_types import known_dims
from nnc.compiler.frontend.model.messages import texts
from nnc.isa.limits import MODEL_ENDS, MODEL_PARTS, NAME

OLDEST_OPSET = 7
"""The oldest opset that has importers."""
_LAST_IR_WITHOUT_OPSET = 2

DEPRECATED = frozenset({"GroupNormalization"})
"""Operators with versions that onnx's checker refuses, though their definition stands."""

InferredTypes = dict[str, tuple[int | None, tuple[int | None, ...] | None]]
"""By tensor: number of the element type, dimensions; None for what is not known."""

_UNKNOWN = "unknown"
"""A domain of whose operators onnx knows none, and checks nothing."""

_REMEDY = "re-export the model, and check it with onnx.checker"


def default_opset(model: ModelProto) -> int:
    """The opset of ONNX's own operators; 1 in models of the first two formats, which do not state it.

    Models without any of them need not state it, either: it is the newest.

    Raises:
        ModelInvalidError: the model does not state it.
        UnsupportedError: the opset or the format is older or newer than nnc and the installed onnx know.
    """
    newest = onnx.defs.onnx_opset_version()
    versions = [entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")]
    if not versions and (model.opset_import or model.ir_version > _LAST_IR_WITHOUT_OPSET):
        if any(domain_of(node) == ONNX for node in with_inner(model.graph.node)):
            raise ModelInvalidError("the model does not state its opset", remedy=_REMEDY)
        versions = [newest]
    opset = versions[0] if versions else 1
    if model.ir_version > onnx.IR_VERSION:
        raise UnsupportedError(
            "the model's IR version is newer than the installed onnx knows",
            found=str(model.ir_version),
            expected=f"at most {onnx.IR_VERSION}",
            remedy="install a newer onnx",
        )
    if not 1 <= opset <= newest:
        raise UnsupportedError(
            f"opset {opset} is not supported",
            found=str(opset),
            expected=f"1 … {newest}",
            remedy="install a newer onnx" if opset > newest else "export the model again",
        )
    return int(opset)


def check_model(model: ModelProto) -> None:
    """Check structure: names, order, operators, attributes.

    Outputs need no declared type, though the checker demands one: shape inference finds it.

    Raises:
        ModelInvalidError: there is no output; what onnx.checker finds, in one line.
    """
    if not model.graph.output:
        raise ModelInvalidError("the model has no outputs", remedy=_REMEDY)
    declared = ModelProto()
    declared.CopyFrom(model)
    for output in declared.graph.output:
        if not output.HasField("type") or not output.type.tensor_type.HasField("shape"):
            output.CopyFrom(helper.make_tensor_value_info(output.name, TensorProto.FLOAT, []))
    _hide_deprecated(declared)
    try:
        checker.check_model(declared)
    except (checker.ValidationError, ValueError) as error:  # ValueError: the finding itself is not text
        raise ModelInvalidError(_one_line(error), remedy=_REMEDY) from None


def check_text(model: ModelProto) -> None:
    """Check that names and other texts are text of some length, and that the model has not too many of them.

    Raises:
        ModelInvalidError: the first name that is not UTF-8: this comes out of protobuf as bytes.
        ModelTooLargeError: a name is too long, or the model has too many parts.
    """
    graph = model.graph
    MODEL_PARTS.check(
        sum(map(len, (graph.node, graph.initializer, graph.input, graph.output))),
        ModelTooLargeError,
        "the model has too many parts",
        remedy="compile it in several models, or simplify it first",
    )
    weights = {tensor.name for tensor in graph.initializer}
    MODEL_ENDS.check(
        sum(info.name not in weights for info in graph.input) + len(graph.output),
        ModelTooLargeError,
        "the model has too many inputs and outputs",
        remedy="join some with Concat, or take those away that are not needed",
    )
    for message, text in texts(model):
        if not isinstance(text, str):
            raise ModelInvalidError("a name is not UTF-8 text", found=repr(text)[:100], remedy=_REMEDY)
        if len(text) > NAME.most and not isinstance(message, StringStringEntryProto):  # where data lies
            what = f"a name is too long: {text[:40]}…"
            NAME.check(len(text), ModelTooLargeError, what, remedy="give it a shorter one")


def _hide_deprecated(model: ModelProto) -> None:
    """Put operators that onnx deprecates, but nnc knows, into a domain that the checker does not know."""
    opset = default_opset(model)
    for node in with_inner(model.graph.node):
        is_ours = node.domain in ("", "ai.onnx") and onnx.defs.has(node.op_type, opset, "")
        if is_ours and node.op_type in DEPRECATED:
            node.domain = _UNKNOWN
    model.opset_import.add(domain=_UNKNOWN, version=1)


def infer_types(model: ModelProto, opset: int) -> InferredTypes:
    """Element types and shapes of all tensors, as far as onnx can infer them.

    Before opset 22 onnx counts one window too many for some pools in ceil mode (onnxruntime does not), and
    it takes an STFT that does not say so for one of both sides: for models with such nodes only the element
    types are taken.  A sub-graph that is never run may contradict itself (Squeeze of an axis that only other
    inputs have): then nothing is taken from any.

    Raises:
        ModelInvalidError: types or shapes contradict each other.
    """
    exact = not any(_is_doubtful(node, opset) for node in with_inner(model.graph.node))
    facts = _all_facts(model, strict=exact)
    return facts if exact else {name: (code, None) for name, (code, _) in facts.items()}


def inferred_shapes(model: ModelProto) -> dict[str, tuple[int | None, ...]]:
    """Shapes of tensors where onnx infers their rank; pools in ceil mode may have a window too many.

    Raises:
        ModelInvalidError: types contradict each other.
    """
    facts = _all_facts(model, strict=False).items()
    return {name: dims for name, (_, dims) in facts if dims is not None}


def _all_facts(model: ModelProto, *, strict: bool) -> InferredTypes:
    try:
        graph = _inferred(model, strict=strict)
    except ModelInvalidError:
        if not any(True for _ in inner_graphs(model.graph.node)):
            raise
        graph = _inferred(_without_inner(model), strict=strict)
    return {info.name: _facts(info.type) for info in (*graph.input, *graph.value_info, *graph.output)}


def _inferred(model: ModelProto, *, strict: bool) -> GraphProto:
    try:
        return shape_inference.infer_shapes(model, check_type=True, strict_mode=strict, data_prop=False).graph
    except (shape_inference.InferenceError, ValueError) as error:
        raise ModelInvalidError(_one_line(error), remedy=_REMEDY) from None


def _without_inner(model: ModelProto) -> ModelProto:
    """A model whose nodes with sub-graphs are operators that onnx does not know."""
    plain = ModelProto()
    plain.CopyFrom(model)
    for node in plain.graph.node:
        if any(True for _ in graphs_of(node)):
            node.domain = _UNKNOWN
            del node.attribute[:]
    plain.opset_import.add(domain=_UNKNOWN, version=1)
    return plain


def _is_doubtful(node: NodeProto, opset: int) -> bool:
    """Whether onnx infers a wrong shape for a node."""
    if node.op_type == "STFT":
        return not any(attribute.name == "onesided" for attribute in node.attribute)
    ceil = any(attribute.name == "ceil_mode" and attribute.i for attribute in node.attribute)
    return opset < 22 and ceil and node.op_type in ("AveragePool", "MaxPool")


def _facts(proto: TypeProto) -> tuple[int | None, tuple[int | None, ...] | None]:
    if not proto.HasField("tensor_type"):
        return None, None
    return proto.tensor_type.elem_type or None, known_dims(proto)


def _one_line(error: Exception) -> str:
    """The facts of an onnx error without its line breaks and repetitions."""
    lines: list[str] = []
    for line in str(error).splitlines():
        text = line.removeprefix("==> Context: ").strip()
        if text and text not in lines:
            lines.append(text)
    return "; ".join(lines)

"""Signatures of operators: which inputs of which types, and which attributes, a node may have.

Those of ONNX are its schemas, whose attributes onnx's checker has seen to.  For onnxruntime's own operators
onnx has no schema and checks nothing, so they are written down here (from its ContribOperators.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from onnx import AttributeProto, NodeProto, defs

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.domains import MICROSOFT, domain_of
from nnc.compiler.frontend.errors import ModelInvalidError
from nnc.compiler.frontend.model.check import DEPRECATED


@dataclass(frozen=True, slots=True)
class Input:
    """One input: the variable that stands for its type ("": of its own), the types it may have."""

    variable: str
    types: frozenset[str]
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    """The inputs of an operator, of which the last may repeat, and its attributes.

    Attributes:
        version: the opset version that introduced this form of the operator.
        inputs: in order.
        attributes: the type of each, and whether it is required; None where onnx has checked them.
        repeats: whether the last input stands for any number of inputs.
    """

    version: int
    inputs: tuple[Input, ...]
    attributes: Mapping[str, tuple[int, bool]] | None = None
    repeats: bool = False

    def check(self, node: NodeProto, context: OpContext) -> None:
        """Raise ModelInvalidError if operands or attributes do not fit the operator, or each other."""
        for problem in (*self._attribute_problems(node, context), *self._operand_problems(context)):
            raise problem

    def _input(self, slot: int) -> Input:
        return self.inputs[min(slot, len(self.inputs) - 1)]

    def _attribute_problems(self, node: NodeProto, context: OpContext) -> Iterator[ModelInvalidError]:
        if self.attributes is None:
            return
        names = AttributeProto.AttributeType.Name
        for attribute in node.attribute:
            if attribute.name not in self.attributes:
                yield context.invalid("an attribute that the operator does not have", found=attribute.name)
            elif attribute.type != self.attributes[attribute.name][0]:
                expected = names(self.attributes[attribute.name][0]).lower()
                actual = names(attribute.type).lower()
                yield context.invalid(
                    f"attribute {attribute.name} has another type", found=actual, expected=expected
                )
        for name, (_, required) in self.attributes.items():
            if required and not context.has_attribute(name):
                yield context.invalid(f"attribute {name} is missing")

    def _operand_problems(self, context: OpContext) -> Iterator[ModelInvalidError]:
        count = context.input_count
        if not self.repeats and count > len(self.inputs):
            yield context.invalid(
                "too many operands", found=str(count), expected=f"at most {len(self.inputs)}"
            )
        for slot in range(max(count, len(self.inputs))):
            is_repeated = self.repeats and len(self.inputs) - 1 <= slot < count
            if not context.has(slot) and (is_repeated or not self._input(slot).optional):
                yield context.invalid(f"operand {slot} is missing")
        bound: dict[str, str] = {}
        for slot in filter(context.has, range(count)):
            declared = self._input(slot)
            actual = context.type(slot).dtype.value
            expected = bound.setdefault(declared.variable, actual) if declared.variable else actual
            if actual != expected:
                yield context.invalid("operands have different types", found=actual, expected=expected)
            if actual not in declared.types:
                yield context.invalid(
                    f"operand {slot} has a type that the operator does not take", found=actual
                )


def signature_of(node: NodeProto, opset: int) -> Signature:
    """The signature of an operator that has an importer."""
    return _OF_MICROSOFT[node.op_type] if domain_of(node) == MICROSOFT else _of_onnx(node.op_type, opset)


# --- ONNX --------------------------------------------------------------------------------------------------

_NAMES = {
    "tensor(float16)": "f16",
    "tensor(float)": "f32",
    "tensor(double)": "f64",
    "tensor(bool)": "bool",
    **{f"tensor(int{bits})": f"i{bits}" for bits in (8, 16, 32, 64)},
    **{f"tensor(uint{bits})": f"u{bits}" for bits in (8, 16, 32, 64)},
}


@cache
def _of_onnx(op: str, opset: int) -> Signature:
    schema = defs.get_schema(op, opset, "")
    optional = defs.OpSchema.FormalParameterOption.Optional
    variadic = defs.OpSchema.FormalParameterOption.Variadic
    inputs = tuple(
        Input(
            p.type_str,
            frozenset(_NAMES[name] for name in p.types if name in _NAMES),
            optional=p.option in (optional, variadic),
        )
        for p in schema.inputs
    )
    repeats = any(p.option == variadic for p in schema.inputs)
    attributes = {name: (cast(Any, of.type).value, of.required) for name, of in schema.attributes.items()}
    return Signature(schema.since_version, inputs, attributes if op in DEPRECATED else None, repeats=repeats)


# --- onnxruntime -------------------------------------------------------------------------------------------

_TYPES = {
    "T": "i8 u8",
    "TA": "i8 u8",
    "TB": "i8 u8",
    "TY": "i8 u8",
    "any": "i8 u8 f32",
    "bias": "i32",
    "scale": "f32",
    "real": "f32 f16",
    "quantised": "i8 u8 i16 u16",
    "stored": "i8 u8 i16 u16 i32",
}
"""Types by variable; `any` binds nothing."""
_INT, _INTS = AttributeProto.INT, AttributeProto.INTS
_FLOAT, _STRING = AttributeProto.FLOAT, AttributeProto.STRING


def _own(inputs: str, *, repeats: bool = False, **attributes: int) -> Signature:
    """A signature from variables of inputs ("?": optional) and types of attributes (negative: required)."""
    parsed = tuple(
        Input(
            "" if word.rstrip("?") == "any" else word.rstrip("?"),
            frozenset(_TYPES[word.rstrip("?")].split()),
            optional=word.endswith("?"),
        )
        for word in inputs.split()
    )
    attribute_types = {name: (abs(kind), kind < 0) for name, kind in attributes.items()}
    return Signature(1, parsed, attribute_types, repeats)


_BINARY = _own("T scale T? T scale T? scale T?")
_UNARY = "T scale T? scale T?"
_OF_MICROSOFT = {
    "QuantizeLinear": _own("real real quantised?", axis=_INT),
    "DequantizeLinear": _own("stored real stored?", axis=_INT),
    "QLinearAdd": _BINARY,
    "QLinearMul": _BINARY,
    "QLinearConcat": _own("scale T any", repeats=True, axis=-_INT),
    "QLinearAveragePool": _own(
        _UNARY,
        auto_pad=_STRING,
        ceil_mode=_INT,
        channels_last=_INT,
        count_include_pad=_INT,
        kernel_shape=-_INTS,
        pads=_INTS,
        strides=_INTS,
    ),
    "QLinearGlobalAveragePool": _own("T scale T scale T", channels_last=_INT),
    "QLinearLeakyRelu": _own(_UNARY, alpha=_FLOAT),
    "QLinearSigmoid": _own(_UNARY),
    "QLinearSoftmax": _own("T scale T? scale T", axis=_INT, opset=-_INT),
    "QGemm": _own("TA scale TA TB scale TB bias? scale? TY?", transA=_INT, transB=_INT, alpha=_FLOAT),
}

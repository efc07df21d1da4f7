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
            actual = context.kind(slot)
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

_NAMES = {  # those of types of storage are what they are computed in
    "tensor(float16)": "f16",
    "tensor(float)": "f32",
    "tensor(double)": "f64",
    "tensor(bool)": "bool",
    **{f"tensor(int{bits})": f"i{bits}" for bits in (8, 16, 32, 64)},
    **{f"tensor(uint{bits})": f"u{bits}" for bits in (8, 16, 32, 64)},
    **{f"tensor(float8{kind})": "f32" for kind in ("e4m3fn", "e4m3fnuz", "e5m2", "e5m2fnuz", "e8m0")},
    **dict.fromkeys(("tensor(bfloat16)", "tensor(float4e2m1)"), "f32"),
    **{f"tensor(int{bits})": "i8" for bits in (2, 4)},
    **{f"tensor(uint{bits})": "u8" for bits in (2, 4)},
}


@cache
def _of_onnx(op: str, opset: int) -> Signature:
    schema = defs.get_schema(op, opset, "")
    optional = defs.OpSchema.FormalParameterOption.Optional
    variadic = defs.OpSchema.FormalParameterOption.Variadic
    inputs = tuple(
        Input(
            p.type_str if p.is_homogeneous else "",
            frozenset(kind for name in p.types for kind in _kinds(name)),
            optional=p.option in (optional, variadic),
        )
        for p in schema.inputs
    )
    repeats = any(p.option == variadic for p in schema.inputs)
    attributes = {name: (cast(Any, of.type).value, of.required) for name, of in schema.attributes.items()}
    return Signature(schema.since_version, inputs, attributes if op in DEPRECATED else None, repeats=repeats)


def _kinds(name: str) -> Iterator[str]:
    """What an operand that onnx declares so may be: "tensor(float)", "optional(seq(tensor(float)))" …"""
    if name.startswith("optional("):
        yield "optional"
        name = name.removeprefix("optional(").removesuffix(")")
    if name.startswith("seq("):
        yield "seq"
    elif name in _NAMES:
        yield _NAMES[name]


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
    "count": "i32",
    "number": "f32 f16 i32 i64 u32",
    "cache": "f32 f16 i8 u8",
    "half": "f32 f16",
    "place": "i64",
    "packed": "u8",
    "zeros": "u8 f32 f16",
    "table": "i8 u8",
    "index": "i32 i64",
    "flag": "bool",
}
"""Types by variable; `any` binds nothing."""


def _own(
    inputs: str,
    *,
    repeats: bool = False,
    ints: str = "",
    floats: str = "",
    strings: str = "",
    int_lists: str = "",
    float_lists: str = "",
) -> Signature:
    """A signature from variables of inputs ("?": optional) and names of attributes ("!": required)."""
    parsed = tuple(
        Input(
            "" if word.rstrip("?") == "any" else word.rstrip("?"),
            frozenset(_TYPES[word.rstrip("?")].split()),
            optional=word.endswith("?"),
        )
        for word in inputs.split()
    )
    kinds = {
        AttributeProto.INT: ints,
        AttributeProto.FLOAT: floats,
        AttributeProto.STRING: strings,
        AttributeProto.INTS: int_lists,
        AttributeProto.FLOATS: float_lists,
    }
    attributes = {
        word.rstrip("!"): (int(kind), word.endswith("!"))
        for kind, names in kinds.items()
        for word in names.split()
    }
    return Signature(1, parsed, attributes, repeats)


_BINARY = _own("T scale T? T scale T? scale T?")
_UNARY = "T scale T? scale T?"
_TURNS = "transA transB transBatchA transBatchB"
_ACTIVATION = "activation_alpha activation_beta activation_gamma"
_OF_MICROSOFT = {
    "QuantizeLinear": _own("real real quantised?", ints="axis"),
    "DequantizeLinear": _own("stored real stored?", ints="axis"),
    "QLinearAdd": _BINARY,
    "QLinearMul": _BINARY,
    "QLinearConcat": _own("scale T any", repeats=True, ints="axis!"),
    "QLinearAveragePool": _own(
        _UNARY,
        ints="ceil_mode channels_last count_include_pad",
        strings="auto_pad",
        int_lists="kernel_shape! pads strides",
    ),
    "QLinearGlobalAveragePool": _own("T scale T scale T", ints="channels_last"),
    "QLinearLeakyRelu": _own(_UNARY, floats="alpha"),
    "QLinearSigmoid": _own(_UNARY),
    "QLinearWhere": _own("flag T scale T T scale T scale T"),
    "QLinearReduceMean": _own("T scale T? scale T?", ints="keepdims!", int_lists="axes!"),
    "NhwcMaxPool": _own(
        "T", ints="ceil_mode", strings="auto_pad", int_lists="kernel_shape! pads strides dilations"
    ),
    "QLinearConv": _own(
        "TA scale TA TB scale TB scale TY bias?",
        ints="channels_last group",
        strings="auto_pad",
        int_lists="kernel_shape pads strides dilations",
    ),
    "QLinearSoftmax": _own("T scale T? scale T", ints="axis opset!"),
    "QGemm": _own("TA scale TA TB scale TB bias? scale? TY?", ints="transA transB", floats="alpha"),
    "Gelu": _own("real"),
    "BiasGelu": _own("real real"),
    "FastGelu": _own("real real?"),
    "QuickGelu": _own("real", floats="alpha"),
    "FusedConv": _own(
        "real real real? real?",
        ints="group",
        strings="activation auto_pad",
        int_lists="pads strides dilations kernel_shape",
        float_lists="activation_params",
    ),
    "FusedGemm": _own(
        "number number number?",
        ints="transA transB",
        floats=f"alpha beta {_ACTIVATION}",
        strings="activation",
    ),
    "FusedMatMul": _own("real real", ints=_TURNS, floats="alpha"),
    "TransposeMatMul": _own("real real", ints="transA transB", floats="alpha"),
    "FusedMatMulActivation": _own(
        "real real",
        ints=f"{_TURNS} activation_axis",
        floats=f"alpha {_ACTIVATION}",
        strings="activation!",
    ),
    "MatMulNBits": _own(
        "real packed real zeros? count? real?",
        ints="K! N! block_size! bits accuracy_level weight_prepacked",
    ),
    "GatherBlockQuantized": _own("table index real table?", ints="bits block_size gather_axis quantize_axis"),
    "MatMulIntegerToFloat": _own("TA TB half half TA? TB? half?"),
    "DynamicQuantizeMatMul": _own("scale TB scale TB? scale?"),
    "LayerNormalization": _own("real real real?", ints="axis stash_type", floats="epsilon"),
    "SimplifiedLayerNormalization": _own("real real", ints="axis stash_type", floats="epsilon"),
    "SkipLayerNormalization": _own("real real real real? real?", floats="epsilon"),
    "SkipSimplifiedLayerNormalization": _own("real real real real?", floats="epsilon"),
    "EmbedLayerNormalization": _own(
        "count count? real real real? real real count? count?", ints="mask_index_type", floats="epsilon"
    ),
    "RotaryEmbedding": _own(
        "real place real real",
        ints="num_heads rotary_embedding_dim interleaved is_packed_batching",
        floats="scale",
    ),
    "Attention": _own(
        "real real real? count? real? real? count?",
        ints="num_heads! unidirectional do_rotary past_present_share_buffer rotary_embedding_dim",
        floats="scale mask_filter_value",
        int_lists="qkv_hidden_sizes",
    ),
    "QAttention": _own(
        "TA TB half half half count? TA? TB? half?",
        ints="num_heads! unidirectional do_rotary past_present_share_buffer",
        floats="scale mask_filter_value",
    ),
    "QEmbedLayerNormalization": _own(
        "count count? T T T? T T count? scale scale scale? scale scale T T T? T T", floats="epsilon"
    ),
    "MultiHeadAttention": _own(
        "real real? real? real? count? real? real? real? count? count?",
        ints="num_heads! unidirectional",
        floats="scale mask_filter_value",
    ),
    "GroupQueryAttention": _own(
        "real real? real? cache? cache? count count real? real? place? real? real? scale? scale? real? real? "
        "count?",
        ints="num_heads! kv_num_heads! local_window_size do_rotary rotary_interleaved smooth_softmax "
        "qk_output causal sliding_window_cache kv_cache_bit_width",
        floats="scale softcap qk_norm_epsilon q_norm_epsilon k_norm_epsilon",
        strings="k_quant_type v_quant_type",
    ),
}

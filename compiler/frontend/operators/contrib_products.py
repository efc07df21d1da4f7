"""Importers of onnxruntime's products with transpositions, factors, biases and activations of their own."""

from __future__ import annotations

from onnx import TensorProto

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.domains import MICROSOFT
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.table import importer
from nnc.isa.types import DType

_PARAMETERS = {
    "Relu": (),
    "Tanh": (),
    "Sigmoid": (),
    "LeakyRelu": ("alpha",),
    "HardSigmoid": ("alpha", "beta"),
    "Elu": ("alpha",),
    "Softplus": (),
    "Softsign": (),
    "ThresholdedRelu": ("alpha",),
}
"""Activations by name, and the attributes that their parameters are."""
_ACTIVATIONS = f"Activations: Clip, {', '.join(sorted(_PARAMETERS))}."


def _activated(context: OpContext, make: Expansion, tensor: str, parameters: list[float]) -> str:
    """A tensor behind the activation that the node names, with its parameters."""
    name = context.attribute("activation", "")
    if not name:
        return tensor
    if name == "Clip" and len(parameters) == 2:
        low, high = (make.constant(bound, like=0) for bound in parameters)
        return make("Clip", tensor, low, high)
    if name not in _PARAMETERS:
        raise context.unsupported(f"the activation {name} is not supported")
    if len(parameters) != len(_PARAMETERS[name]):
        raise context.unsupported(f"{name} with {len(parameters)} parameters is not supported")
    return make(name, tensor, **dict(zip(_PARAMETERS[name], parameters, strict=True)))


def _attribute_parameters(context: OpContext) -> list[float]:
    """The parameters of the activation that stand in attributes; alpha comes before beta."""
    given = [context.has_attribute(f"activation_{name}") for name in ("alpha", "beta", "gamma")]
    if given != sorted(given, reverse=True):
        raise context.invalid("a parameter of the activation is missing")
    return [context.attribute(f"activation_{name}", 0.0) for name in ("alpha", "beta", "gamma")[: sum(given)]]


@importer("FusedConv", domain=MICROSOFT, constraints=(_ACTIVATIONS,))
def fused_conv(context: OpContext) -> None:
    """activation(Conv(x, w, b) + z)."""
    make, names = Expansion(context), ("pads", "strides", "dilations", "kernel_shape")
    attributes = {name: context.ints(name) for name in names if context.ints(name)}
    operands = [context.tensor(0), context.tensor(1), context.optional(2)]
    fields = {"group": context.attribute("group", 1), "auto_pad": context.attribute("auto_pad", "NOTSET")}
    result = make("Conv", *operands, **attributes, **fields)
    if context.has(3):
        result = make("Add", result, context.tensor(3))
    parameters = list(context.attribute("activation_params", list[float]()))
    make.define(0, _activated(context, make, result, parameters))


@importer("FusedGemm", domain=MICROSOFT, constraints=(_ACTIVATIONS,))
def fused_gemm(context: OpContext) -> None:
    """activation(alpha · A' · B' + beta · C)."""
    make = Expansion(context)
    attributes = {name: int(context.flag(name)) for name in ("transA", "transB")}
    factors = {name: context.attribute(name, 1.0) for name in ("alpha", "beta")}
    operands = [context.tensor(0), context.tensor(1), context.optional(2)]
    result = make("Gemm", *operands, **attributes, **factors)
    make.define(0, _activated(context, make, result, _attribute_parameters(context)))


@importer("FusedMatMul", "TransposeMatMul", "FusedMatMulActivation", domain=MICROSOFT)
def fused_mat_mul(context: OpContext) -> None:
    """alpha · A' · B', transposed in the last two axes or in those of the batch, and an activation."""
    make = Expansion(context)
    left, right = (_turned(context, make, slot, name) for slot, name in enumerate("AB"))
    product = make.product(left, right, context.attribute("alpha", 1.0))
    make.define(0, _activated(context, make, product, _attribute_parameters(context)))


def _turned(context: OpContext, make: Expansion, slot: int, name: str) -> str:
    """An operand with its axes in the order in which MatMul takes them."""
    order = list(range(len(context.shape(slot))))
    of_batch, of_matrix = context.flag(f"transBatch{name}"), context.flag(f"trans{name}")
    if len(order) < 2 and (of_batch or of_matrix):
        raise context.invalid(f"operand {slot} is no matrix to transpose", found=str(context.type(slot)))
    if of_batch:  # [k, batch …, n] is a matrix of rows k for each of a batch
        order = [*order[1:-1], order[0], order[-1]]
    if of_matrix:
        order = [*order[:-2], order[-1], order[-2]]
    return make.transpose(context.tensor(slot), *order)


@importer("MatMulIntegerToFloat", domain=MICROSOFT, constraints=("Scales are of float32.",))
def mat_mul_integer_to_float(context: OpContext) -> None:
    """(A − zero)·scale times (B − zero)·scale and an optional bias; the sum of integers is exact."""
    if context.type(2).dtype is not DType.F32:
        raise context.unsupported("scales of float16 are not supported")
    make = Expansion(context)
    scale = make("Mul", context.tensor(2), context.tensor(3))
    operands = [context.tensor(0), context.tensor(1), context.optional(4), context.optional(5)]
    make.define(0, scaled_sum(context, make, operands, scale, bias=6))


@importer("DynamicQuantizeMatMul", domain=MICROSOFT)
def dynamic_quantize_mat_mul(context: OpContext) -> None:
    """A, quantised by its own range, times (B − zero)·scale, and an optional bias."""
    make = Expansion(context)
    quantised, scale, zero = make.results(3, "DynamicQuantizeLinear", context.tensor(0))
    scale = make("Mul", scale, context.tensor(2))
    operands = [quantised, context.tensor(1), zero, context.optional(3)]
    make.define(0, scaled_sum(context, make, operands, scale, bias=4))


def scaled_sum(context: OpContext, make: Expansion, operands: list[str | None], scale: str, bias: int) -> str:
    """A product of integers, operands of MatMulInteger, times a scale per column, and input `bias`."""
    total = make("Cast", make("MatMulInteger", *operands), to=TensorProto.FLOAT)
    result = make("Mul", total, scale)
    return make("Add", result, context.tensor(bias)) if context.has(bias) else result

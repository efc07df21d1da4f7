"""Importers of normalisations that onnxruntime's optimizer joins with the sums before them."""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import TensorProto

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.domains import MICROSOFT
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.table import importer

_NO_STATISTICS = "The outputs of mean and deviation are not used."


def _check_statistics(context: OpContext, *slots: int) -> None:
    if any(context.uses(slot) for slot in slots):
        raise context.unsupported("the outputs of mean and deviation are not supported")


def _epsilon(context: OpContext, default: float) -> dict[str, Any]:
    return {"epsilon": context.attribute("epsilon", default)}


@importer("LayerNormalization", domain=MICROSOFT, constraints=(_NO_STATISTICS,))
def layer_normalization(context: OpContext) -> None:
    """As in ONNX: onnxruntime writes it into models of opsets that have none."""
    _check_statistics(context, 1, 2)
    make, axis = Expansion(context), context.attribute("axis", -1)
    operands = [context.tensor(0), context.tensor(1), context.optional(2)]
    make.define(0, make("LayerNormalization", *operands, axis=axis, **_epsilon(context, 1e-5)))


@importer("SimplifiedLayerNormalization", domain=MICROSOFT, constraints=(_NO_STATISTICS,))
def simplified_layer_normalization(context: OpContext) -> None:
    """RMSNormalization of ONNX, by the name that onnxruntime had for it before."""
    _check_statistics(context, 1)
    make, axis = Expansion(context), context.attribute("axis", -1)
    operands = [context.tensor(0), context.tensor(1)]
    make.define(0, make("RMSNormalization", *operands, axis=axis, **_epsilon(context, 1e-5)))


@importer("SkipLayerNormalization", domain=MICROSOFT, constraints=(_NO_STATISTICS,))
def skip_layer_normalization(context: OpContext) -> None:
    """LayerNormalization of the sum of an input, a skip and an optional bias; the sum is a result too."""
    make, total = Expansion(context), _sum_of_skip(context, bias=4)
    operands = [total, context.tensor(2), context.optional(3)]
    make.define(0, make("LayerNormalization", *operands, axis=-1, **_epsilon(context, 1e-12)))


@importer("SkipSimplifiedLayerNormalization", domain=MICROSOFT, constraints=(_NO_STATISTICS,))
def skip_simplified_layer_normalization(context: OpContext) -> None:
    """RMSNormalization of the sum of an input, a skip and an optional bias; the sum is a result too."""
    make, total = Expansion(context), _sum_of_skip(context, bias=3)
    make.define(0, make("RMSNormalization", total, context.tensor(2), axis=-1, **_epsilon(context, 1e-12)))


def _sum_of_skip(context: OpContext, bias: int) -> str:
    """The sum of inputs 0, 1 and that of the bias, which is output 3 as well."""
    _check_statistics(context, 1, 2)
    make, shape = Expansion(context), context.shape()
    if not shape or context.shape(1) not in (shape, shape[1:], (1, *shape[1:])):
        raise context.invalid(
            "the skip does not fit", found=str(context.type(1)), expected=str(context.type())
        )
    for slot in filter(context.has, range(2, bias + 1)):
        context.expect_shape(slot, shape[-1])
    total = make("Add", context.tensor(0), context.tensor(1))
    if context.has(bias):
        total = make("Add", total, context.tensor(bias))
    make.define(3, total)
    return total


@importer(
    "EmbedLayerNormalization",
    domain=MICROSOFT,
    constraints=("Indices that are known at compile time lie inside their tables.",),
)
def embed_layer_normalization(context: OpContext) -> None:
    """LayerNormalization of the sum of rows of tables of words, positions and segments."""
    make, (batch, tokens) = Expansion(context), context.expect_shape(0, None, None)
    total = make("Gather", context.tensor(2), context.tensor(0), axis=0)
    positions = context.optional(8) or make.constant(np.arange(tokens, dtype=np.int64)[None])
    total = make("Add", total, make("Gather", context.tensor(3), positions, axis=0))
    if context.has(4):  # without numbers of segments, all are in the first one
        segments = context.optional(1)
        first = make.slice(context.tensor(4), 0, 0, 1)
        row = first if segments is None else make("Gather", context.tensor(4), segments, axis=0)
        total = make("Add", total, row)
    elif context.has(1):
        raise context.invalid("there are segments without their table")
    make.define(2, total)
    operands = [total, context.tensor(5), context.tensor(6)]
    make.define(0, make("LayerNormalization", *operands, axis=-1, **_epsilon(context, 1e-12)))
    if not context.uses(1):
        return
    if context.has(7):  # the mask as the number of its ones
        unit = make.constant(np.ones((), np.int32))
        ones = make("Cast", make("Equal", context.tensor(7), unit), to=TensorProto.INT32)
        count = make("ReduceSum", ones, make.constant(np.array([1], np.int64)), keepdims=0)
        make.define(1, count)
    else:
        make.define(1, make.constant(np.zeros(batch, np.int32)))

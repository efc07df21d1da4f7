"""Importers of normalisations that onnxruntime's optimizer joins with the sums before them."""

from __future__ import annotations

from collections.abc import Callable
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
    make = Expansion(context)

    def rows(slot: int, indices: str) -> str:
        return make("Gather", context.tensor(slot), indices, axis=0)

    tokens = context.expect_shape(0, None, None)[1]
    positions = context.optional(8) or make.constant(np.arange(tokens, dtype=np.int64)[None])
    total = _sum_of_rows(context, make, rows, positions)
    make.define(2, total)
    operands = [total, context.tensor(5), context.tensor(6)]
    make.define(0, make("LayerNormalization", *operands, axis=-1, **_epsilon(context, 1e-12)))
    _count_of_mask(context, make)


@importer(
    "QEmbedLayerNormalization",
    domain=MICROSOFT,
    constraints=("Indices that are known at compile time lie inside their tables.",),
)
def quantised_embed_layer_normalization(context: OpContext) -> None:
    """EmbedLayerNormalization of tables, scales and biases that are 8-bit integers."""
    make = Expansion(context)

    def real(slot: int, integers: str) -> str:
        """Integers of input `slot` as real numbers."""
        parameters = (make.reshape(context.tensor(slot + further)) for further in (6, 11))
        return make("DequantizeLinear", integers, *parameters)

    def rows(slot: int, indices: str) -> str:
        return real(slot, make("Gather", context.tensor(slot), indices, axis=0))

    tokens = context.expect_shape(0, None, None)[1]
    total = _sum_of_rows(context, make, rows, make.constant(np.arange(tokens, dtype=np.int64)[None]))
    operands = [total, *(real(slot, context.tensor(slot)) for slot in (5, 6))]
    make.define(0, make("LayerNormalization", *operands, axis=-1, **_epsilon(context, 1e-12)))
    _count_of_mask(context, make)


def _sum_of_rows(context: OpContext, make: Expansion, rows: Callable[[int, str], str], positions: str) -> str:
    """The sum of rows of words, positions and segments: `rows` takes them of a table, by slot."""
    total = make("Add", rows(2, context.tensor(0)), rows(3, positions))
    if not context.has(4):
        if context.has(1):
            raise context.invalid("there are segments without their table")
        return total
    first = make.constant(np.zeros((1, 1), np.int64))  # without numbers of segments, all are in the first
    return make("Add", total, rows(4, context.optional(1) or first))


def _count_of_mask(context: OpContext, make: Expansion) -> None:
    """Let output 1 be the number of the mask's ones, 0 without a mask."""
    if not context.uses(1):
        return
    if context.has(7):
        unit = make.constant(np.ones((), np.int32))
        ones = make("Cast", make("Equal", context.tensor(7), unit), to=TensorProto.INT32)
        count = make("ReduceSum", ones, make.constant(np.array([1], np.int64)), keepdims=0)
        make.define(1, count)
    else:
        make.define(1, make.constant(np.zeros(context.shape()[0], np.int32)))

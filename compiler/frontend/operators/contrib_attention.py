"""Importers of onnxruntime's rotation, and of its attention with masks: of heads, or of what weights make."""

from __future__ import annotations

import numpy as np

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.domains import MICROSOFT
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.operators.attention import (
    Bias,
    Heads,
    Scores,
    added_scores,
    angles,
    attention,
    behind,
    causal_bias,
    joined_heads,
    per_head,
    refuse,
    rotated,
    split_heads,
    with_past,
)
from nnc.compiler.frontend.operators.contrib_products import scaled_sum
from nnc.compiler.frontend.table import importer
from nnc.isa.types import DType

_FACTORS = ("scale", "mask_filter_value")
_APPENDED = "Keys and values of the past are as long as the sequence was; no buffers are shared."


@importer("RotaryEmbedding", domain=MICROSOFT, constraints=("Batches are not packed.",))
def rotary_embedding(context: OpContext) -> None:
    """Channels of each head turned in pairs, by angles that tables give for positions."""
    if context.flag("is_packed_batching") or context.attribute("scale", 1.0) != 1:
        raise context.unsupported("packed batches and a scale are not supported")
    make, x = Expansion(context), context.shape()
    width = 2 * context.expect_shape(2, None, None)[1]
    context.expect_shape(3, *context.shape(2))
    if len(x) == 4:
        tensor, shape = make.transpose(context.tensor(0), 0, 2, 1, 3), (x[0], x[2], x[1], x[3])
    else:
        batch, tokens, channels = context.expect_shape(0, None, None, None)
        heads = context.attribute("num_heads", 0) or channels // max(width, 1)
        shape = (batch, tokens, heads, per_head(context, channels, heads))
        tensor = make.reshape(context.tensor(0), *shape)
    if not 0 < width == (context.attribute("rotary_embedding_dim", 0) or shape[3]) <= shape[3]:
        raise context.invalid("the tables do not fit the channels to turn", found=f"{width} of {shape[3]}")
    positions, places = context.tensor(1), context.shape(1)
    if places == (1,):  # that of the first token
        positions = make("Add", positions, make.constant(np.arange(shape[1], dtype=np.int64)[None]))
        places = (1, shape[1])
    elif len(places) != 2 or places[0] not in (1, shape[0]) or places[1] != shape[1]:
        context.expect_shape(1, *shape[:2])
    cosine, sine = (angles(make, context.tensor(slot), width, positions, places) for slot in (2, 3))
    interleaved = context.flag("interleaved")
    result = rotated(make, tensor, shape, cosine, sine, width, interleaved=interleaved)
    make.define(0, make.transpose(result, 0, 2, 1, 3) if len(x) == 4 else make.reshape(result, *x))


@importer("MultiHeadAttention", domain=MICROSOFT, constraints=(_APPENDED,))
def multi_head_attention(context: OpContext) -> None:
    """Attention of heads of queries to those of keys and values, with a bias, a mask and a past."""
    refuse(context, {8: "a length of the past", 9: "beams"}, {3: "the scores as a result"})
    if len(context.shape()) != 3 or not (context.has(1) and context.has(2)):
        raise context.unsupported("queries, keys and values in one tensor are not supported")
    make, heads, width = Expansion(context), context.attribute("num_heads", 1), context.shape()[2]
    query, key = (_projected(context, make, slot, heads, slot * width) for slot in (0, 1))
    value = _projected(context, make, 2, heads, 2 * width)
    same = (query.batch, heads, key.tokens)
    fits = key.channels == query.channels and key.shape[:3] == value.shape[:3] == same
    if not fits:
        raise context.invalid("queries, keys and values do not fit", found=f"{key} for {query} and {value}")
    key, value = (with_past(context, make, new, slot) for new, slot in ((key, 6), (value, 7)))
    for slot, present in ((1, key), (2, value)):
        make.define(slot, present.tensor)
    past = context.shape(6)[2] if context.has(6) else 0
    make.define(0, _attended(context, make, query, key, value, past, mask=4, bias=5))


def _projected(context: OpContext, make: Expansion, slot: int, heads: int, first: int) -> Heads:
    """Input `slot` as heads, with its part of the bias, input 3, from `first` on."""
    tensor, shape = context.tensor(slot), context.shape(slot)
    if len(shape) == 4:  # heads already, of another sequence
        return Heads(tensor, shape[0], shape[1], shape[2], shape[3])
    if len(shape) != 3:
        raise context.unsupported(f"operand {slot} of shape {list(shape)} is not supported")
    per_head(context, shape[2], heads)
    if context.has(3):
        if first + shape[2] > context.expect_shape(3, None)[0]:
            raise context.invalid("the bias has too few elements", found=str(context.shape(3)[0]))
        bias = make.slice(context.tensor(3), 0, first, first + shape[2])
        tensor = make("Add", tensor, bias)
    return split_heads(make, tensor, shape, heads)


def _attended(
    context: OpContext,
    make: Expansion,
    query: Heads,
    key: Heads,
    value: Heads,
    past: int,
    *,
    mask: int,
    bias: int,
) -> str:
    """Tokens [batch, queries, heads · channels] of the values.

    Args:
        past: how many of the keys are of the past.
        mask, bias: the inputs that are these.
    """
    biases: list[Bias] = []
    if context.has(mask):
        biases.append(_mask_bias(context, make, mask, query, key.tokens))
    if context.flag("unidirectional"):
        if key.tokens - past != query.tokens:  # onnxruntime hides nothing of the last query then
            raise context.unsupported("causal attention to another number of keys is not supported")
        biases.append(causal_bias(make, query.tokens, key.tokens, past))
    if context.has(bias):
        biases.append(added_scores(context, bias, query, key.tokens))
    scale = context.attribute("scale", 0.0) or float(1 / np.sqrt(query.channels))
    return joined_heads(make, attention(make, query, key, value, Scores(scale, biases=biases)))


def _mask_bias(context: OpContext, make: Expansion, slot: int, query: Heads, keys: int) -> Bias:
    """A mask as what is added to scores: nothing where it is positive, else `mask_filter_value`."""
    shape, mask, batch = context.shape(slot), context.tensor(slot), query.batch
    if shape in ((batch,), (2 * batch,)):  # ends of sequences, and where they start behind them
        columns = make.constant(np.arange(keys, dtype=np.int32)[None])
        seen = make("Less", columns, make.reshape(make.slice(mask, 0, 0, batch), batch, 1))
        if shape[0] > batch:
            starts = make.reshape(make.slice(mask, 0, batch, 2 * batch), batch, 1)
            seen = make("And", seen, make("GreaterOrEqual", columns, starts))
        rows = 1
    elif shape in ((batch, keys), (batch, query.tokens, keys)):
        seen = make("Greater", mask, make.constant(np.zeros((), np.int32)))
        rows = query.tokens if len(shape) == 3 else 1
    else:
        raise context.unsupported(f"a mask of shape {list(shape)} for {keys} keys is not supported")
    hidden = make.constant(context.attribute("mask_filter_value", -10000.0), like=0)
    return make("Where", seen, make.constant(0.0, like=0), hidden), (batch, 1, rows, keys)


@importer("Attention", domain=MICROSOFT, constraints=(_APPENDED, "Positions are not rotated."))
def attention_with_weights(context: OpContext) -> None:
    """Attention of an input to itself: weights make queries, keys and values of it."""
    make, heads = Expansion(context), context.attribute("num_heads", 1)
    refuse(context, {6: "a length of the past"}, {})
    if context.flag("do_rotary") or context.flag("past_present_share_buffer"):
        raise context.unsupported("rotation of positions, or a buffer with room, is not supported")
    batch, tokens, channels = context.expect_shape(0, None, None, None)
    _, width = context.expect_shape(1, channels, None)
    sizes = context.ints("qkv_hidden_sizes") or (width // 3,) * 3
    if len(sizes) != 3 or sum(sizes) != width or sizes[0] != sizes[1]:
        raise context.invalid("the weights do not divide into queries, keys and values", found=str(sizes))
    for size in sizes:
        per_head(context, size, heads)
    product = make("MatMul", context.tensor(0), context.tensor(1))
    if context.has(2):
        context.expect_shape(2, width)
        product = make("Add", product, context.tensor(2))
    parts = make.results(3, "Split", product, make.constant(np.array(sizes, np.int64)), axis=-1)
    query, key, value = (
        split_heads(make, part, (batch, tokens, size), heads) for part, size in zip(parts, sizes, strict=True)
    )
    if context.has(4):
        shape = context.expect_shape(4, 2, batch, heads, None, key.channels)[1:]
        pasts = (make.slice(context.tensor(4), 0, part, part + 1) for part in (0, 1))
        key, value = (
            behind(make, make.reshape(past, *shape), shape[2], new)
            for past, new in zip(pasts, (key, value), strict=True)
        )
    if context.uses(1):
        states = [make.reshape(state.tensor, 1, *state.shape) for state in (key, value)]
        make.define(1, make.concat(states, 0))
    make.define(0, _attended(context, make, query, key, value, key.tokens - tokens, mask=3, bias=5))


@importer(
    "QAttention",
    domain=MICROSOFT,
    constraints=(_APPENDED, "Positions are not rotated.", "Scales are of float32."),
)
def quantised_attention(context: OpContext) -> None:
    """Attention of an input to itself; only what makes queries, keys and values is of integers."""
    if context.flag("do_rotary") or context.flag("past_present_share_buffer"):
        raise context.unsupported("rotation of positions, or a buffer with room, is not supported")
    if context.type(3).dtype is not DType.F32:
        raise context.unsupported("scales of float16 are not supported")
    make, heads = Expansion(context), context.attribute("num_heads", 1)
    batch, tokens, channels = context.expect_shape(0, None, None, None)
    (width,) = context.expect_shape(2, context.expect_shape(1, channels, None)[1])
    size = per_head(context, width, 3)
    scale = make("Mul", context.tensor(3), context.tensor(4))
    operands = [context.tensor(0), context.tensor(1), context.optional(6), context.optional(7)]
    product = scaled_sum(context, make, operands, scale, bias=2)
    parts = make.results(3, "Split", product, make.constant(np.full(3, size)), axis=-1)
    shape, pasts = (batch, heads, 0, per_head(context, size, heads)), list[str]()
    if context.has(8):
        shape = batch, heads, context.expect_shape(8, 2, batch, heads, None, shape[3])[3], shape[3]
        pasts = [make.reshape(make.slice(context.tensor(8), 0, part, part + 1), *shape) for part in (0, 1)]
    attributes = {name: context.attribute(name, 0.0) for name in _FACTORS if context.has_attribute(name)}
    hidden = int(context.flag("unidirectional"))
    result, *states = make.results(
        3,
        "MultiHeadAttention",
        *(*parts, None, context.optional(5), None, *pasts),
        domain=MICROSOFT,
        num_heads=heads,
        unidirectional=hidden,
        **attributes,
    )
    make.define(0, result)
    if context.uses(1):
        present = (1, batch, heads, shape[2] + tokens, shape[3])
        make.define(1, make.concat([make.reshape(state, *present) for state in states], 0))

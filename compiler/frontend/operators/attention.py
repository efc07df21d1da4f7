"""What all attention operators share: heads, rotations by position, scores, softmax, weighted sum of values.

Heads are axis 1 of tensors [batch, heads, tokens, channels].  Several heads of queries that read the same
keys stay apart from the heads of keys, in an axis of their own, so that no key is repeated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.expansion import Expansion

Shape = tuple[int, ...]
Bias = tuple[str, Shape]


@dataclass(frozen=True, slots=True)
class Heads:
    """A tensor [batch, heads, tokens, channels]."""

    tensor: str
    batch: int
    heads: int
    tokens: int
    channels: int

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """Its shape."""
        return self.batch, self.heads, self.tokens, self.channels


@dataclass(frozen=True, slots=True)
class Scores:
    """How products of queries and keys become weights.

    Attributes:
        scale: of the products.
        softcap: c of c · tanh(score / c); zero for none.
        biases: added to the scores; each with its shape, which broadcasts to [batch, heads, queries, keys].
        sink: a score of each head [heads] that takes weight for no value; None: there is none.
    """

    scale: float
    softcap: float = 0.0
    biases: Sequence[Bias] = ()
    sink: str | None = None


def split_heads(make: Expansion, tensor: str, shape: Shape, heads: int) -> Heads:
    """Tokens [batch, tokens, heads · channels] as heads."""
    batch, tokens, width = shape
    apart = make.reshape(tensor, batch, tokens, heads, width // heads)
    return Heads(make.transpose(apart, 0, 2, 1, 3), batch, heads, tokens, width // heads)


def joined_heads(make: Expansion, heads: Heads) -> str:
    """The inverse of `split_heads`."""
    turned = make.transpose(heads.tensor, 0, 2, 1, 3)
    return make.reshape(turned, heads.batch, heads.tokens, heads.heads * heads.channels)


def attention(make: Expansion, query: Heads, key: Heads, value: Heads, scores: Scores) -> Heads:
    """softmax(query · key' · scale …) · value; a head of keys serves as many of queries as there are more."""
    shared = query.heads // key.heads
    left, right = _apart(make, query, shared), make.transpose(_apart(make, key, 1), 0, 1, 2, 4, 3)
    products = make.product(left, right, scores.scale)
    if scores.softcap > 0:
        cap = make.constant(scores.softcap, like=0)
        products = make("Mul", make("Tanh", make("Div", products, cap)), cap)
    for bias, (batch, heads, rows, columns) in scores.biases:
        kinds = (key.heads, shared) if heads > 1 else (1, 1)
        products = make("Add", products, make.reshape(bias, batch, *kinds, rows, columns))
    shape = (query.batch, key.heads, shared, query.tokens)
    weights = _softmax(make, products, scores.sink, (*shape, key.tokens))
    result = make("MatMul", weights, _apart(make, value, 1))
    result = make.reshape(result, query.batch, query.heads, query.tokens, value.channels)
    return Heads(result, query.batch, query.heads, query.tokens, value.channels)


def _apart(make: Expansion, heads: Heads, shared: int) -> str:
    """Heads [batch, heads / shared, shared, tokens, channels]."""
    return make.reshape(
        heads.tensor, heads.batch, heads.heads // shared, shared, heads.tokens, heads.channels
    )


def _softmax(make: Expansion, scores: str, sink: str | None, shape: Shape) -> str:
    if sink is None:
        return make("Softmax", scores, axis=-1)
    one_each = make.reshape(sink, 1, shape[1], shape[2], 1, 1)
    column = make("Expand", one_each, make.constant(np.array((*shape[:-1], 1), np.int64)))
    weights = make("Softmax", make.concat([scores, column], -1), axis=-1)
    return make.slice(weights, -1, 0, shape[-1])


def rotated(
    make: Expansion, tensor: str, shape: Shape, cosine: str, sine: str, width: int, *, interleaved: bool
) -> str:
    """Channels turned in pairs, by angles of their positions.

    Args:
        tensor, shape: [batch, tokens, heads, channels].
        cosine, sine: of the angles [batch or 1, tokens, 1, width / 2].
        width: channels that are turned, the first ones.
        interleaved: whether neighbours are a pair; else a channel of the first half and one of the second.
    """
    turned = tensor if width == shape[-1] else make.slice(tensor, -1, 0, width)
    if interleaved:
        first, second = (make.slice(turned, -1, start, width, 2) for start in (0, 1))
    else:
        first, second = (make.slice(turned, -1, start, start + width // 2) for start in (0, width // 2))
    real = make("Sub", make("Mul", first, cosine), make("Mul", second, sine))
    imaginary = make("Add", make("Mul", first, sine), make("Mul", second, cosine))
    if interleaved:
        pairs = [make.reshape(half, *shape[:-1], width // 2, 1) for half in (real, imaginary)]
        result = make.reshape(make.concat(pairs, -1), *shape[:-1], width)
    else:
        result = make.concat([real, imaginary], -1)
    if width == shape[-1]:
        return result
    return make.concat([result, make.slice(tensor, -1, width, shape[-1])], -1)


def angles(make: Expansion, table: str, width: int, positions: str, shape: Shape) -> str:
    """Rows of a table [positions, width / 2] as `rotated` takes them.

    Args:
        positions, shape: [batch or 1, tokens].
    """
    return make.reshape(make("Gather", table, positions, axis=0), *shape, 1, width // 2)


def causal_bias(make: Expansion, queries: int, keys: int, before: int, window: int = -1) -> Bias:
    """A bias of minus infinity for keys behind a query, or a window and more before it.

    Args:
        before: keys of the past; the first query is at the one behind them.
    """
    distance = np.arange(before, before + queries)[:, None] - np.arange(keys)[None]
    hidden = (distance < 0) | ((window >= 0) & (distance >= window))
    bias = np.where(hidden, -np.inf, 0.0)[None, None]
    return make.constant(bias, like=0), bias.shape


# --- operands ----------------------------------------------------------------------------------------------


def refuse(context: OpContext, inputs: dict[int, str], outputs: dict[int, str]) -> None:
    """Refuse operands that are there, or results that are used, by what they are."""
    for slot, what in inputs.items():
        if context.has(slot):
            raise context.unsupported(f"{what} (operand {slot}) is not supported")
    for slot, what in outputs.items():
        if context.uses(slot):
            raise context.unsupported(f"{what} (output {slot}) is not supported")


def per_head(context: OpContext, width: int, heads: int) -> int:
    """Channels of each of so many heads.

    Raises:
        ModelInvalidError: they do not divide.
    """
    if heads < 1 or width < 1 or width % heads:
        raise context.invalid("channels do not divide into heads", found=f"{width} for {heads} heads")
    return width // heads


def with_past(context: OpContext, make: Expansion, new: Heads, slot: int) -> Heads:
    """Heads behind those of the past, which input `slot` has if it is there."""
    if not context.has(slot):
        return new
    past = context.expect_shape(slot, new.batch, new.heads, None, new.channels)[2]
    return behind(make, context.tensor(slot), past, new)


def behind(make: Expansion, past: str, tokens: int, new: Heads) -> Heads:
    """Heads behind so many tokens of the past."""
    return replace(new, tensor=make.concat([past, new.tensor], 2), tokens=tokens + new.tokens)


def added_scores(context: OpContext, slot: int, query: Heads, keys: int) -> Bias:
    """Input `slot` as what is added to scores."""
    shape = context.expect_shape(slot, None, None, query.tokens, keys)
    if shape[0] not in (1, query.batch) or shape[1] not in (1, query.heads):
        context.expect_shape(slot, query.batch, query.heads, query.tokens, keys)
    return context.tensor(slot), shape

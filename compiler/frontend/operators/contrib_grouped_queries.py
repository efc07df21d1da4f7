"""The importer of onnxruntime's GroupQueryAttention, by which exporters write decoders of text.

The past may be as long as the sequences were (then a result is the past and the new tokens behind it), or a
buffer with room for more, into which each sequence puts its new tokens where it ends.  Lengths that are known
at compile time leave nothing of that to the program.
"""

from __future__ import annotations

import numpy as np
from onnx import TensorProto

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
    causal_bias,
    joined_heads,
    per_head,
    refuse,
    rotated,
    with_past,
)
from nnc.compiler.frontend.states import Appended
from nnc.compiler.frontend.table import importer


@importer(
    "GroupQueryAttention",
    domain=MICROSOFT,
    constraints=(
        "The total length is known at compile time.",
        "Keys and values of the past are not quantised, and no window of them slides.",
    ),
)
def group_query_attention(context: OpContext) -> None:
    """Causal attention of grouped heads, with keys and values of the past, rotations, a window and a sink."""
    refuse(
        context,
        {12: "a scale of keys", 13: "a scale of values", 14: "a norm of queries", 15: "a norm of keys"}
        | {16: "lengths of queries"},
        {3: "the scores as a result"},
    )
    if context.has(3) and context.type(3).dtype != context.type().dtype:
        raise context.unsupported("keys and values of the past in another type are not supported")
    if (window := context.attribute("local_window_size", -1)) < -1 or window == 0:
        raise context.invalid("a window has no keys", found=str(window))
    if context.attribute("qk_output", 0) or any(
        context.attribute(name, "NONE") != "NONE" for name in ("k_quant_type", "v_quant_type")
    ):
        raise context.unsupported("scores as a result, or a quantised past, is not supported")
    if context.flag("sliding_window_cache") or not context.flag("causal", 1):
        raise context.unsupported("a sliding cache, or attention that is not causal, is not supported")
    _GroupedQueries(context).run()


class _GroupedQueries:
    """One GroupQueryAttention.

    Attributes:
        total: tokens of the longest sequence of the batch, with the new ones.
        past: those that the operands of the past have room for.
    """

    def __init__(self, context: OpContext) -> None:
        self._context, self._make = context, Expansion(context)
        self.heads, self.key_heads = context.attribute("num_heads", 1), context.attribute("kv_num_heads", 1)
        if min(self.heads, self.key_heads) < 1 or self.heads % self.key_heads:
            raise context.invalid(
                "heads do not divide into groups", found=f"{self.heads} by {self.key_heads}"
            )
        self.batch, self.tokens, width = context.expect_shape(0, None, None, None)
        apart = context.has(1) or context.has(2)
        self.channels = per_head(context, width, self.heads if apart else self.heads + 2 * self.key_heads)
        for slot in (1, 2) if apart else ():
            context.expect_shape(slot, self.batch, self.tokens, self.key_heads * self.channels)
        self.past = 0
        if context.has(3) or context.has(4):
            self.past = context.expect_shape(3, self.batch, self.key_heads, None, self.channels)[2]
            context.expect_shape(4, *context.shape(3))
        if context.type(5).elements != self.batch:
            raise context.invalid("there is not a length for each sequence", found=str(context.type(5)))
        total = context.required_constant(6, "the total length")
        if total.size != 1 or total.reshape(-1)[0] < self.tokens:
            raise context.invalid("the total length is less than the new tokens", found=str(total))
        self.total = int(total.reshape(-1)[0])
        if not self._is_prompt and self.total > self.past + self.tokens:
            actual = f"{self.total} for {self.past} and {self.tokens}"
            raise context.invalid("the total length is more than the past and the new tokens", found=actual)

    def run(self) -> None:
        """Add the nodes."""
        context, make = self._context, self._make
        query, key, value = self._parts()
        before = self._lengths_before()
        if context.flag("do_rotary"):
            query, key = self._rotated(before, (query, self.heads), (key, self.key_heads))
        new = [self._turned(part, self.key_heads) for part in (key, value)]
        states = [self._state(slot, heads, before) for slot, heads in enumerate(new, 3)]
        for slot, (state, heads) in enumerate(zip(states, new, strict=True), 1):
            make.define(slot, state.tensor)
            if before is not None and context.appends(slot + 2, slot):
                counted = context.tensor(5), self.tokens
                context.append(slot, Appended(heads.tensor, 2, before, counted))
        read = new if self._is_prompt else [self._read(state, self._keys(before)) for state in states]
        keys, values = read
        turned = self._turned(query, self.heads)
        result = attention(make, turned, keys, values, self._scores(turned, before))
        make.define(0, joined_heads(make, result))

    def _parts(self) -> list[str]:
        """Queries, keys and values [batch, tokens, heads, channels]."""
        context, make = self._context, self._make
        counts, parts = (self.heads, self.key_heads, self.key_heads), [context.tensor(0)]
        if context.has(1):
            parts += [context.tensor(1), context.tensor(2)]
        else:
            sizes = make.constant(np.array([count * self.channels for count in counts], np.int64))
            parts = make.results(3, "Split", context.tensor(0), sizes, axis=-1)
        shape = (self.batch, self.tokens)
        return [make.reshape(p, *shape, n, self.channels) for p, n in zip(parts, counts, strict=True)]

    @property
    def _is_prompt(self) -> bool:
        """Whether there is no past, whatever its operands have room for."""
        return self.tokens == self.total

    def _lengths_before(self) -> str | None:
        """How many tokens each sequence had before [batch, 1]; None: all that there is room for."""
        context, make = self._context, self._make
        if self._is_prompt:
            return None if not self.past else make.constant(np.zeros((self.batch, 1), np.int64))
        last = context.constant(5)
        if last is not None and self.past + self.tokens == self.total == last.min() + 1 == last.max() + 1:
            return None
        rest = make.constant(np.array(1 - self.tokens, np.int64))
        length = make("Add", make("Cast", context.tensor(5), to=TensorProto.INT64), rest)
        return make.reshape(length, self.batch, 1)

    def _rotated(self, before: str | None, *parts: tuple[str, int]) -> list[str]:
        context, make = self._context, self._make
        width = 2 * context.expect_shape(7, None, None)[1]
        context.expect_shape(8, *context.shape(7))
        if not 0 < width <= self.channels:
            raise context.invalid("the tables turn more channels than heads have", found=str(context.type(7)))
        steps = np.arange(self.tokens, dtype=np.int64)[None]
        if context.has(9) and not self._is_prompt:
            positions, shape = context.tensor(9), context.expect_shape(9, self.batch, self.tokens)
        elif context.has(9):  # of which the first position alone counts
            first = make.slice(make.reshape(context.tensor(9), -1), 0, 0, 1)
            positions, shape = make("Add", first, make.constant(steps)), steps.shape
        elif before is None:
            positions, shape = make.constant(steps + self.total - self.tokens), steps.shape
        else:
            positions, shape = make("Add", before, make.constant(steps)), (self.batch, self.tokens)
        cosine, sine = (angles(make, context.tensor(slot), width, positions, shape) for slot in (7, 8))
        interleaved = context.flag("rotary_interleaved")
        tokens = (self.batch, self.tokens)
        return [
            rotated(make, part, (*tokens, n, self.channels), cosine, sine, width, interleaved=interleaved)
            for part, n in parts
        ]

    def _turned(self, part: str, heads: int) -> Heads:
        turned = self._make.transpose(part, 0, 2, 1, 3)
        return Heads(turned, self.batch, heads, self.tokens, self.channels)

    def _state(self, slot: int, new: Heads, before: str | None) -> Heads:
        """Keys or values of all tokens: the new ones behind the past, which input `slot` has."""
        context, make, room = self._context, self._make, max(self.total, self.past)
        if before is None:
            return with_past(context, make, new, slot)
        past = [context.tensor(slot)] if self.past else []
        if room > self.past:
            free = np.zeros((self.batch, new.heads, room - self.past, new.channels))
            past.append(make.constant(free, like=0))
        # Place p of the result holds new token p - before, if there is such a one.
        places = make.constant(np.arange(room, dtype=np.int64)[None])
        number = make("Sub", places, before)
        first, last = (make.constant(np.array(bound, np.int64)) for bound in (0, self.tokens - 1))
        is_new = make("And", make("GreaterOrEqual", number, first), make("LessOrEqual", number, last))
        spread = new.tensor
        if self.tokens > 1:
            rows = make.reshape(make("Clip", number, first, last), self.batch, room, 1)
            tokens = make.transpose(new.tensor, 0, 2, 1, 3)
            spread = make.transpose(make("GatherND", tokens, rows, batch_dims=1), 0, 2, 1, 3)
        is_new = make.reshape(is_new, self.batch, 1, room, 1)
        tensor = make("Where", is_new, spread, make.concat(past, 2))
        return Heads(tensor, self.batch, new.heads, room, new.channels)

    def _read(self, state: Heads, keys: int) -> Heads:
        """The first keys, or values, of a state."""
        if state.tokens == keys:
            return state
        tensor = self._make.slice(state.tensor, 2, 0, keys)
        return Heads(tensor, self.batch, state.heads, keys, state.channels)

    def _keys(self, before: str | None) -> int:
        """Keys that queries may read: lengths of run time may be those of all that there is room for."""
        if before is None or self._is_prompt or self._context.has(10):
            return self.total
        return max(self.total, self.past)

    def _scores(self, query: Heads, before: str | None) -> Scores:
        context, make = self._context, self._make
        biases = [self._causal(before)]
        if context.has(10):
            biases.append(added_scores(context, 10, query, self.total))
        sink = context.optional(11)
        if sink is not None:
            context.expect_shape(11, self.heads)
        elif context.flag("smooth_softmax"):
            sink = make.constant(np.zeros(self.heads), like=0)
        scale = context.attribute("scale", 0.0) or float(1 / np.sqrt(self.channels))
        return Scores(scale, context.attribute("softcap", 0.0), biases, sink)

    def _causal(self, before: str | None) -> Bias:
        """What hides keys behind a query, and those before its window."""
        context, make = self._context, self._make
        window = context.attribute("local_window_size", -1)
        if before is None or self._is_prompt:
            return causal_bias(make, self.tokens, self.total, self.total - self.tokens, window)
        keys = self._keys(before)
        ahead = np.arange(self.tokens)[:, None] - np.arange(keys)[None]
        shape = (self.batch, 1, self.tokens, keys)
        column = make.reshape(before, self.batch, 1, 1, 1)
        distance = make("Add", column, make.constant(ahead[None, None]))
        seen = make("GreaterOrEqual", distance, make.constant(np.zeros((), np.int64)))
        if window >= 0:
            seen = make("And", seen, make("Less", distance, make.constant(np.array(window, np.int64))))
        bias = make("Where", seen, make.constant(0.0, like=0), make.constant(-np.inf, like=0))
        return bias, shape

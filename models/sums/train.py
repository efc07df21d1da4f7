"""Trains the demo decoder on sums of two numbers of one to three digits and writes the data of this folder.

Run by hand, never at install or run time. It needs what nnc does not: jax and optax; tokenizers writes the
vocabulary.

    python models/sums/train.py          about a quarter of an hour of one core

Of the million sums of two numbers below 1000, 500 are held out. Of the numbers of a batch, a fifth has fewer
digits than drawn, or the short ones would hardly be seen. The loss counts the characters of answers alone.
Matrices are trained by Muon (momentum whose singular values are made equal), the others by AdamW: AdamW alone
needs several times as many steps. In the last part of training, the forward pass rounds matrices to 4 bits in
blocks of 32, scaled nearly as `nnc quantize --weights int4` does, and the gradient goes to the real numbers.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import jax  # pyright: ignore[reportMissingImports]
import jax.numpy as jnp  # pyright: ignore[reportMissingImports]
import numpy as np
import optax  # pyright: ignore[reportMissingImports]
from numpy.typing import NDArray
from tokenizers import AddedToken, Tokenizer, decoders
from tokenizers import models as tokenizer_models

from nnc.models.sums import CHARACTERS, END, SHAPE

Array = Any
Weights = dict[str, Any]
HERE = Path(__file__).parent
NUMBERS = 1000  # operands are below
HELD_OUT = 500
TOKENS = len("999+999=1998") + 1  # with the end
SHORTER = 0.2  # share of the operands whose last digits are dropped
STEPS, ROUNDED_FROM = 3000, 2000
BATCH = 512
RATE = 0.01
SEED = 0
BLOCK, LEVELS = 32, 7  # of the rounding: weights with a scale, and integers on either side of 0


def sum_tokens(a: int, b: int) -> list[int]:
    """`a+b=c` as tokens, filled up with ends."""
    tokens = [CHARACTERS.index(character) for character in f"{a}+{b}={a + b}"]
    return tokens + [END] * (TOKENS - len(tokens))


def draw(random: np.random.Generator, held_out: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The numbers a · NUMBERS + b of a batch of sums that are not held out."""
    numbers = random.integers(0, NUMBERS, (2, BATCH + HELD_OUT))
    shorter = numbers // 10 ** random.integers(1, 3, numbers.shape)
    a, b = np.where(random.random(numbers.shape) < SHORTER, shorter, numbers)
    pairs: NDArray[np.int64] = a * NUMBERS + b
    return pairs[~held_out[pairs]][:BATCH]


def first_weights() -> Weights:
    """Normal numbers that keep the size of what they multiply; smaller ones towards the residual stream."""
    random, width, hidden = np.random.default_rng(SEED), SHAPE.width, SHAPE.hidden
    shapes = {"token_embd": (SHAPE.vocabulary, width), "output": (SHAPE.vocabulary, width)}
    for layer in range(SHAPE.layers):
        shapes |= {f"blk.{layer}.attn_{name}": (width, width) for name in ("q", "k", "v", "output")}
        shapes |= {f"blk.{layer}.ffn_{name}": (hidden, width) for name in ("gate", "up")}
        shapes[f"blk.{layer}.ffn_down"] = (width, hidden)
    weights: Weights = {}
    for name, shape in shapes.items():
        gain = 4.0 if name == "token_embd" else 0.5 if name.endswith(("attn_output", "ffn_down")) else 1.0
        weights[name] = jnp.asarray(random.normal(size=shape) * gain * shape[1] ** -0.5, jnp.float32)
    norms = [f"blk.{layer}.{name}_norm" for layer in range(SHAPE.layers) for name in ("attn", "ffn")]
    return weights | {name: jnp.ones(width) for name in (*norms, "output_norm")}


def rounded(matrix: Array) -> Array:
    """A matrix in 4 bits per weight, of the clipping that errs least per block; gradients pass through."""
    blocks = matrix.reshape(len(matrix), -1, BLOCK)
    widest = jnp.abs(blocks).max(-1, keepdims=True) / LEVELS + 1e-9
    best, least = blocks, jnp.full(widest.shape, jnp.inf)
    for ratio in (1.0, 0.94, 0.88, 0.8):
        candidate = jnp.clip(jnp.round(blocks / (widest * ratio)), -LEVELS - 1, LEVELS) * widest * ratio
        error = ((candidate - blocks) ** 2).sum(-1, keepdims=True)
        best = jnp.where(error < least, candidate, best)
        least = jnp.minimum(least, error)
    return matrix + jax.lax.stop_gradient(best.reshape(matrix.shape) - matrix)


def rotated(x: Array) -> Array:
    """Heads [batch, tokens, heads, channels], each pair of halves turned by its position."""
    powers = SHAPE.base ** (-np.arange(0, SHAPE.channels, 2) / SHAPE.channels)
    angles = np.outer(np.arange(x.shape[1]), powers).astype(np.float32)[:, None]
    first, second = jnp.split(x, 2, -1)
    cosine, sine = np.cos(angles), np.sin(angles)
    return jnp.concatenate([first * cosine - second * sine, second * cosine + first * sine], -1)


def normal(x: Array, factors: Array) -> Array:
    """Each token by its root mean square."""
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + SHAPE.epsilon) * factors


def attention(weights: Weights, block: str, x: Array) -> Array:
    """Each token looks at itself and those before."""
    shape = (*x.shape[:2], SHAPE.heads, SHAPE.channels)
    query, key, value = ((x @ weights[f"{block}.attn_{name}"].T).reshape(shape) for name in "qkv")
    scores = jnp.einsum("bthc,bshc->bhts", rotated(query), rotated(key)) * SHAPE.channels**-0.5
    seen = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    shares = jax.nn.softmax(jnp.where(seen, scores, -jnp.inf), -1)
    mixed = jnp.einsum("bhts,bshc->bthc", shares, value).reshape(x.shape)
    return mixed @ weights[f"{block}.attn_output"].T


def scores_of(weights: Weights, tokens: Array) -> Array:
    """Scores [batch, tokens, vocabulary] of the token behind each; the network of `nnc.models.decoder`."""
    x = weights["token_embd"][tokens]
    for block in (f"blk.{layer}" for layer in range(SHAPE.layers)):
        x += attention(weights, block, normal(x, weights[f"{block}.attn_norm"]))
        inner = normal(x, weights[f"{block}.ffn_norm"])
        gate, up = (inner @ weights[f"{block}.ffn_{name}"].T for name in ("gate", "up"))
        x += (jax.nn.silu(gate) * up) @ weights[f"{block}.ffn_down"].T
    return normal(x, weights["output_norm"]) @ weights["output"].T


def loss(weights: Weights, tokens: Array, has_4_bits: bool) -> tuple[Array, Array]:
    """Cross entropy of the characters of answers and the first end; the share of sums that are right."""
    if has_4_bits:
        weights = {
            name: rounded(value) if value.ndim == 2 and name != "token_embd" else value
            for name, value in weights.items()
        }
    before, behind = tokens[:, :-1], tokens[:, 1:]
    counts = (jnp.cumsum(before == CHARACTERS.index("="), axis=1) > 0) & (before != END)
    scores = scores_of(weights, before)
    errors = optax.softmax_cross_entropy_with_integer_labels(scores, behind)
    right = ((scores.argmax(-1) == behind) | ~counts).all(1)
    return (errors * counts).sum() / counts.sum(), right.mean()


def train(table: NDArray[np.int32], held_out: NDArray[np.bool_]) -> Weights:
    """A fixed number of steps; the last state is the result."""
    rate = optax.warmup_cosine_decay_schedule(0, RATE, 200, STEPS, RATE / 100)
    optimizer = optax.contrib.muon(rate, weight_decay=0.01, adam_weight_decay=0.01)

    @partial(jax.jit, static_argnums=3)
    def step(weights: Weights, state: Any, tokens: Array, has_4_bits: bool) -> Any:
        (error, right), gradients = jax.value_and_grad(loss, has_aux=True)(weights, tokens, has_4_bits)
        updates, state = optimizer.update(gradients, state, weights)
        return optax.apply_updates(weights, updates), state, error, right

    weights, random = first_weights(), np.random.default_rng(SEED)
    state = optimizer.init(weights)
    for number in range(1, STEPS + 1):
        tokens = table[draw(random, held_out)]
        weights, state, error, right = step(weights, state, tokens, number > ROUNDED_FROM)
        if number % 100 == 0:
            print(f"step {number:5d}  loss {error:.4f}  {100 * right:.1f} % of the batch", flush=True)
    return {name: np.asarray(value) for name, value in weights.items()}


def write_tokenizer() -> None:
    """The vocabulary as exporters leave it beside a model: characters, and the token that ends an answer."""
    vocabulary = {character: number for number, character in enumerate(CHARACTERS)}
    tokenizer = Tokenizer(tokenizer_models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.decoder = decoders.Fuse()
    tokenizer.add_special_tokens([AddedToken("<end>", special=True)])
    tokenizer.save(str(HERE / "tokenizer.json"))
    (HERE / "tokenizer_config.json").write_text(json.dumps({"eos_token": "<end>"}, indent=2) + "\n")


def main() -> None:
    pairs = np.random.default_rng(SEED).choice(NUMBERS**2, HELD_OUT, replace=False)
    held_out = np.isin(np.arange(NUMBERS**2), pairs)
    sums = [divmod(int(pair), NUMBERS) for pair in pairs]
    (HERE / "heldout.txt").write_text("".join(f"{a}+{b}={a + b}\n" for a, b in sums))
    write_tokenizer()
    table = np.array([sum_tokens(a, b) for a in range(NUMBERS) for b in range(NUMBERS)], np.int32)
    weights = train(table, held_out)
    np.savez_compressed(
        HERE / "weights.npz", **{name: value.astype(np.float16) for name, value in weights.items()}
    )
    for has_4_bits in (False, True):
        right = float(loss(weights, table[held_out], has_4_bits)[1])
        print(f"{'int4' if has_4_bits else 'float'}: {100 * right:.2f} % of {HELD_OUT} held-out sums")


if __name__ == "__main__":
    main()

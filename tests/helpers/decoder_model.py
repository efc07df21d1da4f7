"""Small decoders of text with random weights: as a model, and as a GGUF file with a vocabulary."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import onnx
from gguf.quants import quantize

from nnc.models.decoder import Blocks, Decoder, DecoderShape

SHAPE = DecoderShape(
    layers=2, heads=4, key_heads=2, channels=16, width=64, hidden=128, vocabulary=50, base=100.0
)
CHARACTERS = "abcdefghijklmnopqrstuvwxyz,.?!"
KINDS = {
    32: gguf.GGMLQuantizationType.F32,
    4: gguf.GGMLQuantizationType.Q4_1,
    8: gguf.GGMLQuantizationType.Q8_0,
}
Array = Any


class RandomWeights:
    """Weights of so many bits, or 32 for real numbers, that keep the size of what they multiply."""

    def __init__(self, bits: int, shape: DecoderShape = SHAPE) -> None:
        self._bits, self._random = bits, np.random.default_rng(bits)
        queries, keys = shape.heads * shape.channels, shape.key_heads * shape.channels
        self._rows = {"attn_q": queries, "attn_k": keys, "attn_v": keys, "attn_output": shape.width}
        self._rows |= {"ffn_gate": shape.hidden, "ffn_up": shape.hidden, "ffn_down": shape.width}
        self._rows |= {"token_embd": shape.vocabulary, "output": shape.vocabulary}
        self._shape = shape

    def matrix(self, name: str) -> Blocks | Array:
        """A matrix of any name that a decoder has."""
        kind = name.rpartition(".")[2]
        rows, columns = self._rows[kind], self._shape.hidden if kind == "ffn_down" else self._shape.width
        step = 2 / float(np.sqrt(columns))
        if self._bits == 32:
            return (self._random.standard_normal((rows, columns)) * step / 2).astype(np.float32)
        integers = self._random.integers(0, 1 << self._bits, (rows, columns)).astype(np.uint8)
        spread = self._random.random((rows, columns // 32)) + 1
        scales = (spread * step / (1 << self._bits)).astype(np.float32)
        zeros = self._random.random(scales.shape).astype(np.float32) * (1 << self._bits)
        return Blocks(
            integers, scales, None if kind == "token_embd" or self._bits == 8 else zeros, self._bits
        )

    def vector(self, name: str) -> Array:
        """The factors of a norm."""
        return self._random.standard_normal(self._shape.width).astype(np.float32)


def decoder_model(tokens: int, length: int, bits: int, layers: int = 2) -> onnx.ModelProto:
    """A decoder of some equal layers."""
    shape = replace(SHAPE, layers=layers)
    return Decoder(shape, RandomWeights(bits), tokens=tokens, length=length).model()


def write_gguf(
    path: Path,
    bits: int = 4,
    architecture: str = "llama",
    *,
    begins: bool = False,
    scaled: bool = False,
    more: str = "",
) -> None:
    """A file of the same decoder, whose tokens are letters, two in a row, and the end of a text."""
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_block_count(SHAPE.layers)
    writer.add_embedding_length(SHAPE.width)
    writer.add_feed_forward_length(SHAPE.hidden)
    writer.add_head_count(SHAPE.heads)
    writer.add_head_count_kv(SHAPE.key_heads)
    writer.add_layer_norm_rms_eps(SHAPE.epsilon)
    writer.add_rope_freq_base(SHAPE.base)
    tokens = ["<end>", "Ġ", *CHARACTERS, *(first + "e" for first in "bcdfghjklmnprstvwx")]
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(tokens)
    writer.add_token_types([3] + [1] * (len(tokens) - 1))
    writer.add_token_merges([f"{pair[0]} e" for pair in tokens if len(pair) == 2])
    writer.add_eos_token_id(0)
    writer.add_bos_token_id(0)
    writer.add_add_bos_token(begins)
    if scaled:
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
    writer.add_chat_template("{{ messages[0]['content'] }}?{% if add_generation_prompt %} {% endif %}")
    weights = RandomWeights(32)
    if more:
        writer.add_tensor(more, weights.vector(more))
    for name in ("token_embd", *(f"blk.{n}.{kind}" for n in range(SHAPE.layers) for kind in _MATRICES)):
        writer.add_tensor(
            f"{name}.weight", quantize(weights.matrix(name), KINDS[bits]), raw_dtype=KINDS[bits]
        )
    for name in (
        "output_norm",
        *(f"blk.{n}.{kind}_norm" for n in range(SHAPE.layers) for kind in ("attn", "ffn")),
    ):
        writer.add_tensor(f"{name}.weight", weights.vector(name))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


_MATRICES = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")

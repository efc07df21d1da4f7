"""Decoders out of GGUF files, in which llama.cpp keeps weights of few bits with a vocabulary beside them.

    file = GgufFile("SmolLM2-135M-Instruct.Q4_1.gguf")
    model = Decoder(file.shape(), file, tokens=1, length=256).model()
    file.decode(file.encode("The capital of France"))

It needs the packages gguf and tokenizers (`nnc[llm]`).  Products with weights of Q4_0, Q4_1 and Q8_0 have
them as they are; all other types become real numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nnc.models.decoder import Array, Blocks, DecoderShape
from nnc.models.vocabulary import chat_text, encoded

if TYPE_CHECKING:
    from tokenizers import Tokenizer

ARCHITECTURE = "llama"
_CONTROL, _OF_USER = 3, 4
"""Kinds of tokens: no text, such as the end of a message; text that is one token, whatever its parts are."""
_SPLITS = ("smollm", "gpt-2", "default")
"""How a text is split before byte pairs are merged: in all, as GPT-2's; in the first, digits stand alone."""
_PARTS = ("token_embd", "output", "output_norm")
_LAYER = (
    *("attn_norm", "attn_q", "attn_k", "attn_v", "attn_output"),
    *("ffn_norm", "ffn_gate", "ffn_up", "ffn_down"),
)
"""Names of the weights: of the network, and of each layer."""
_HALF = 2
"""Bytes of the float16 numbers that a block begins with."""


class GgufFile:
    """The weights and the vocabulary of one file, which stays on disk until they are asked for."""

    def __init__(self, path: str | Path) -> None:
        """Raises:
        ValueError: it is no such file, or the network is of another architecture than llama's.
        """
        from gguf import GGUFReader

        try:
            self._reader = GGUFReader(path)
        except (ValueError, IndexError, KeyError, UnicodeDecodeError) as error:
            raise ValueError(f"{path} is no GGUF file: {error}") from None
        self._tensors = {tensor.name: tensor for tensor in self._reader.tensors}
        architecture = self._field("general.architecture")
        if architecture != ARCHITECTURE:
            raise ValueError(
                f"networks of the architecture {architecture} are not supported: only {ARCHITECTURE}"
            )

    def shape(self) -> DecoderShape:
        """The sizes of the decoder."""
        width, heads = (int(self._of_llama(name)) for name in ("embedding_length", "attention.head_count"))
        key_heads = int(self._of_llama("attention.head_count_kv", heads))
        if min(width, heads, key_heads) < 1 or width % heads or heads % key_heads:
            raise ValueError(f"{width} channels do not divide into {heads} heads, and these by {key_heads}")
        self._check_support(width // heads)
        return DecoderShape(
            layers=int(self._of_llama("block_count")),
            heads=heads,
            key_heads=key_heads,
            channels=width // heads,
            width=width,
            hidden=int(self._of_llama("feed_forward_length")),
            vocabulary=int(self._tensor("token_embd").shape[1]),
            epsilon=float(self._of_llama("attention.layer_norm_rms_epsilon")),
            base=float(self._of_llama("rope.freq_base", 10_000.0)),
            neighbours=True,  # llama.cpp orders the rows of queries and keys so
        )

    def _check_support(self, channels: int) -> None:
        """Refuse what would change the network, and is not written."""
        kinds = {
            *_PARTS,
            *(f"blk.{n}.{kind}" for n in range(int(self._of_llama("block_count"))) for kind in _LAYER),
        }
        unknown = sorted(name for name in self._tensors if name.removesuffix(".weight") not in kinds)
        if unknown:
            raise ValueError(f"the network has parts that are not supported: {', '.join(unknown[:3])}")
        if self._of_llama("rope.scaling.type", "none") != "none":
            raise ValueError("scaled positions (rope.scaling) are not supported")
        for name in ("rope.dimension_count", "attention.key_length", "attention.value_length"):
            if int(self._of_llama(name, channels)) != channels:
                raise ValueError(f"{name} is {self._of_llama(name)}, but heads have {channels} channels")

    def matrix(self, name: str) -> Blocks | Array:
        """A matrix [results, operands]; that of the scores is the embedding, if the file has no other."""
        if name == "output" and "output.weight" not in self._tensors:
            name = "token_embd"
        tensor = self._tensor(name)
        columns, rows = (int(extent) for extent in tensor.shape)
        kind = tensor.tensor_type.name
        if kind in ("Q4_0", "Q4_1", "Q8_0"):
            return _blocks(kind, np.asarray(tensor.data).reshape(rows, -1))
        return self._real(name).reshape(rows, columns)

    def vector(self, name: str) -> Array:
        """The factors of a norm."""
        return self._real(name).reshape(-1)

    def _real(self, name: str) -> Array:
        from gguf.quants import dequantize

        tensor = self._tensor(name)
        try:
            real: Array = dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
        except NotImplementedError:
            raise ValueError(f"weights of the type {tensor.tensor_type.name} are not supported") from None
        return real

    def encode(self, text: str) -> list[int]:
        """The tokens of a text, with the one that begins it if the file says so.

        Raises:
            ValueError: some of the text has no tokens; the vocabulary is of another kind.
        """
        ids = encoded(self._tokenizer, text)
        begins = self._field("tokenizer.ggml.add_bos_token", False)
        return [int(self._field("tokenizer.ggml.bos_token_id")), *ids] if begins else ids

    def decode(self, ids: Sequence[int]) -> str:
        """The text of tokens, without those that are none."""
        return str(self._tokenizer.decode(list(ids)))

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        """Byte pairs, as the file has them."""
        from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

        kind, split = (self._field(f"tokenizer.ggml.{name}", "default") for name in ("model", "pre"))
        if kind != "gpt2" or split not in _SPLITS:
            raise ValueError(f"the vocabulary is of a kind that is not supported: {kind}, {split}")
        tokens, kinds = (list(self._field(f"tokenizer.ggml.{name}")) for name in ("tokens", "token_type"))
        merges = [tuple(merge.split(" ", 1)) for merge in self._field("tokenizer.ggml.merges")]
        try:
            tokenizer = Tokenizer(
                models.BPE(vocab={token: n for n, token in enumerate(tokens)}, merges=merges)
            )
        except Exception as error:  # of tokenizers: it has no other class
            raise ValueError(f"the vocabulary is not sound: {error}") from None
        by_bytes = pre_tokenizers.ByteLevel(add_prefix_space=False)
        digits = pre_tokenizers.Digits(individual_digits=True)
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [digits, by_bytes] if split == "smollm" else [by_bytes]
        )
        tokenizer.decoder = decoders.ByteLevel()
        for token, number in zip(tokens, kinds, strict=False):
            if number in (_CONTROL, _OF_USER):
                tokenizer.add_tokens([AddedToken(token, special=number == _CONTROL, normalized=False)])
        return tokenizer

    def chat(self, message: str) -> str:
        """A message of a user as the text that an assistant goes on from, by the template of the file.

        Raises:
            ValueError: there is no template, or it takes no such message.
        """
        return chat_text(self._field("tokenizer.chat_template"), message)

    def end(self) -> int | None:
        """The token that ends a text; None if the file has none."""
        end = self._field("tokenizer.ggml.eos_token_id", -1)
        return None if end == -1 else int(end)

    def _of_llama(self, name: str, default: Any = None) -> Any:
        return self._field(f"{ARCHITECTURE}.{name}", default)

    def _field(self, name: str, default: Any = None) -> Any:
        field = self._reader.fields.get(name)
        if field is None and default is None:
            raise ValueError(f"the file does not have {name}")
        return default if field is None else field.contents()

    def _tensor(self, name: str) -> Any:
        if f"{name}.weight" not in self._tensors:
            raise ValueError(f"the file has no weights {name}.weight")
        return self._tensors[f"{name}.weight"]


def _blocks(kind: str, data: Array) -> Blocks:
    """Blocks of 32 weights: a scale, for Q4_1 the least weight, and the integers."""
    head = 2 * _HALF if kind == "Q4_1" else _HALF
    count = 32 if kind == "Q8_0" else 16
    parts = data.reshape(len(data), -1, head + count)
    halves = np.ascontiguousarray(parts[..., :head]).view(np.float16).astype(np.float32)
    integers, scales = parts[..., head:], halves[..., 0]
    if kind == "Q8_0":  # signed; as unsigned integers they have the zero 128
        return Blocks((integers ^ 128).reshape(len(data), -1), scales, None, 8)
    nibbles = np.concatenate([integers & 15, integers >> 4], axis=-1)
    if kind == "Q4_0":
        return Blocks(nibbles.reshape(len(data), -1), scales, None, 4)
    least, is_flat = halves[..., 1], scales == 0  # all weights of a flat block are the least one
    nibbles = np.where(is_flat[..., None], np.uint8(0), nibbles)
    zeros = np.where(is_flat, np.float32(-1), -least / np.where(is_flat, np.float32(1), scales))
    return Blocks(nibbles.reshape(len(data), -1), np.where(is_flat, least, scales), zeros, 4)

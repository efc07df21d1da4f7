"""Decoders out of GGUF files, in which llama.cpp keeps weights of few bits with a vocabulary beside them.

    file = GgufFile("SmolLM2-135M-Instruct.Q4_1.gguf")
    model = Decoder(file.shape(), file, tokens=1, length=256).model()
    file.tokenizer().encode("The capital of France").ids

It needs the packages gguf and tokenizers (`nnc[llm]`).  Blocks of Q4_0, Q4_1 and Q8_0 stay what they are; all
other types become real numbers.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nnc.models.decoder import Array, Blocks, DecoderShape

if TYPE_CHECKING:
    from tokenizers import Tokenizer

ARCHITECTURE = "llama"
_CONTROL = 3
"""The kind of tokens that are no text, such as the end of a message."""
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
        return DecoderShape(
            layers=int(self._of_llama("block_count")),
            heads=heads,
            key_heads=int(self._of_llama("attention.head_count_kv", heads)),
            channels=width // heads,
            width=width,
            hidden=int(self._of_llama("feed_forward_length")),
            vocabulary=len(self._field("tokenizer.ggml.tokens")),
            epsilon=float(self._of_llama("attention.layer_norm_rms_epsilon")),
            base=float(self._of_llama("rope.freq_base", 10_000.0)),
            neighbours=True,  # llama.cpp orders the rows of queries and keys so
        )

    def matrix(self, name: str) -> Blocks | Array:
        """A matrix [results, operands]; that of the scores is the embedding, if the file has no other."""
        if name == "output" and "output.weight" not in self._tensors:
            name = "token_embd"
        tensor = self._tensor(name)
        columns, rows = (int(extent) for extent in tensor.shape)
        kind = tensor.tensor_type.name
        if kind in ("Q4_0", "Q4_1", "Q8_0"):
            return _blocks(kind, np.asarray(tensor.data).reshape(rows, -1))
        from gguf.quants import dequantize

        real: Array = dequantize(tensor.data, tensor.tensor_type).reshape(rows, columns).astype(np.float32)
        return real

    def vector(self, name: str) -> Array:
        """The factors of a norm."""
        return np.asarray(self._tensor(name).data).astype(np.float32)

    def tokenizer(self) -> Tokenizer:
        """Text to tokens and back: byte pairs, as the file has them.

        Raises:
            ValueError: the vocabulary is of another kind.
        """
        from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

        if self._field("tokenizer.ggml.model") != "gpt2":
            raise ValueError("the vocabulary of the file is not one of byte pairs")
        tokens = self._field("tokenizer.ggml.tokens")
        merges = [tuple(merge.split(" ", 1)) for merge in self._field("tokenizer.ggml.merges")]
        tokenizer = Tokenizer(
            models.BPE(vocab={token: number for number, token in enumerate(tokens)}, merges=merges)
        )
        by_bytes = pre_tokenizers.ByteLevel(add_prefix_space=False)
        digits = pre_tokenizers.Digits(individual_digits=True)
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([digits, by_bytes])
        tokenizer.decoder = decoders.ByteLevel()
        kinds = self._field("tokenizer.ggml.token_type")
        control = [token for token, kind in zip(tokens, kinds, strict=True) if kind == _CONTROL]
        tokenizer.add_special_tokens([AddedToken(token, special=True) for token in control])
        return tokenizer

    def chat(self, message: str) -> str:
        """A message of a user as the text that an assistant goes on from, by the template of the file."""
        from jinja2.sandbox import SandboxedEnvironment

        template = SandboxedEnvironment(trim_blocks=True, lstrip_blocks=True).from_string(
            self._field("tokenizer.chat_template")
        )
        return template.render(messages=[{"role": "user", "content": message}], add_generation_prompt=True)

    def end(self) -> int:
        """The token that ends a text."""
        return int(self._field("tokenizer.ggml.eos_token_id"))

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

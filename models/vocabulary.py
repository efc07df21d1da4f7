"""Vocabularies of decoders: what turns text into tokens and back.

    vocabulary = TokenizerFile("tokenizer.json")
    vocabulary.decode(vocabulary.encode("123+456="))

A `tokenizer.json` is what the package tokenizers writes and exporters leave beside a model; a
`tokenizer_config.json` in the same folder says which token ends a text, and how a message is written.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from tokenizers import Tokenizer


class Vocabulary(Protocol):
    """The tokens of a decoder."""

    def encode(self, text: str) -> list[int]:
        """The tokens of a text.

        Raises:
            ValueError: some of the text has no tokens.
        """
        ...

    def decode(self, ids: Sequence[int]) -> str:
        """The text of tokens, without those that are none."""
        ...

    def chat(self, message: str) -> str:
        """A message of a user as the text that an assistant goes on from.

        Raises:
            ValueError: there is no template, or it takes no such message.
        """
        ...

    def end(self) -> int | None:
        """The token that ends a text; None if there is none."""
        ...


class TokenizerFile:
    """The vocabulary of a `tokenizer.json`."""

    def __init__(self, path: str | Path) -> None:
        """Raises:
        OSError: a file cannot be read.
        ValueError: it is no such file.
        """
        from tokenizers import Tokenizer

        path = Path(path)
        text = path.read_text(encoding="utf-8")
        try:
            self._tokenizer = Tokenizer.from_str(text)
        except Exception as error:  # of tokenizers: it has no other class
            raise ValueError(f"{path} is no file of tokenizers: {error}") from None
        self._config = _config(path.with_name("tokenizer_config.json"))

    def encode(self, text: str) -> list[int]:
        """See `Vocabulary`."""
        return encoded(self._tokenizer, text)

    def decode(self, ids: Sequence[int]) -> str:
        """See `Vocabulary`."""
        return str(self._tokenizer.decode(list(ids)))

    def chat(self, message: str) -> str:
        """See `Vocabulary`."""
        template = self._config.get("chat_template")
        if not isinstance(template, str):
            raise ValueError("tokenizer_config.json has no chat_template")
        return chat_text(template, message)

    def end(self) -> int | None:
        """See `Vocabulary`."""
        token = self._config.get("eos_token")
        if isinstance(token, dict):
            token = token.get("content")
        return self._tokenizer.token_to_id(token) if isinstance(token, str) else None


def _config(path: Path) -> dict[str, Any]:
    """The table of a file, if there is one."""
    if not path.is_file():
        return {}
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is no JSON: {error}") from None
    if not isinstance(config, dict):
        raise ValueError(f"{path} is no table")
    return config


def encoded(tokenizer: Tokenizer, text: str) -> list[int]:
    """The tokens of a text.

    Raises:
        ValueError: they do not give the text back.
    """
    ids = list(tokenizer.encode(text).ids)
    if tokenizer.decode(ids, skip_special_tokens=False) != text:
        raise ValueError("the text has characters without a token")
    return ids


def chat_text(template: str, message: str) -> str:
    """A message of a user in a template of Jinja, up to where the answer begins.

    Raises:
        ValueError: the template takes no such message.
    """
    from jinja2 import TemplateError
    from jinja2.sandbox import SandboxedEnvironment

    messages = [{"role": "user", "content": message}]
    try:
        source = SandboxedEnvironment(trim_blocks=True, lstrip_blocks=True).from_string(template)
        return source.render(messages=messages, add_generation_prompt=True)
    except TemplateError as error:
        raise ValueError(f"the template of the file takes no message: {error}") from None

"""Vocabularies in tokenizer.json: tokens of a text and back, the end, and messages by the file beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tokenizers import AddedToken, Tokenizer, decoders, models

from nnc.models.vocabulary import TokenizerFile, chat_text


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A vocabulary of three letters, a pair of them, and an end."""
    tokenizer = Tokenizer(models.BPE(vocab={"a": 0, "b": 1, "c": 2, "ab": 3}, merges=[("a", "b")]))
    tokenizer.decoder = decoders.Fuse()
    tokenizer.add_special_tokens([AddedToken("<end>", special=True)])
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    return tmp_path / "tokenizer.json"


def configured(path: Path, config: object) -> TokenizerFile:
    """The vocabulary with a file beside it."""
    path.with_name("tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    return TokenizerFile(path)


def test_tokens_are_those_of_the_text(path: Path) -> None:
    file = TokenizerFile(path)
    assert file.encode("abca") == [3, 2, 0]
    assert file.decode([3, 2, 0, 4]) == "abca"
    with pytest.raises(ValueError, match="without a token"):
        file.encode("abd")


@pytest.mark.parametrize("token", ["<end>", {"content": "<end>", "special": True}], ids=str)
def test_the_end_is_named_beside_it(path: Path, token: object) -> None:
    assert TokenizerFile(path).end() is None
    assert configured(path, {"eos_token": token}).end() == 4
    assert configured(path, {"eos_token": "<other>"}).end() is None


def test_messages_by_the_template_beside_it(path: Path) -> None:
    with pytest.raises(ValueError, match="no chat_template"):
        TokenizerFile(path).chat("a")
    template = "{% for m in messages %}{{ m.role }}: {{ m.content }}{% endfor %}"
    assert configured(path, {"chat_template": template}).chat("ab") == "user: ab"
    with pytest.raises(ValueError, match="takes no message"):
        chat_text("{{ 1 / 0 ", "a")


@pytest.mark.parametrize("text", ["{}", "nothing of the kind", '{"model": 3}'])
def test_what_is_no_vocabulary(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="no file of tokenizers"):
        TokenizerFile(path)


def test_what_is_no_table_beside_it(path: Path) -> None:
    with pytest.raises(ValueError, match="no table"):
        configured(path, [])
    path.with_name("tokenizer_config.json").write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(ValueError, match="no JSON"):
        TokenizerFile(path)

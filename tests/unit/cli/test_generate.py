"""nnc generate: text goes on, by a decoder of a GGUF file, and what does not fit is refused in words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_harness import fails, nnc, ok
from decoder_model import write_gguf

from nnc.check.decoder import TIE, ReferenceDecoder
from nnc.errors import CheckMismatchError
from nnc.models import sums

LENGTH = 16


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GGUF file, its step and its prefill of four tokens."""
    folder = tmp_path_factory.mktemp("decoder")
    write_gguf(folder / "small.gguf")
    for name, tokens in (("step", 1), ("prefill", 4)):
        sizes = ["--tokens", str(tokens), "--length", str(LENGTH)]
        ok("models", "convert", folder / "small.gguf", *sizes, "-o", folder / f"{name}.onnx")
        ok("compile", folder / f"{name}.onnx", "--state", "auto", "-O1", "-o", folder / f"{name}.bin")
    return folder


def test_text_goes_on(folder: Path) -> None:
    vocabulary = ["--vocabulary", folder / "small.gguf"]
    text = ok("generate", folder / "step.bin", *vocabulary, "--prompt", "we see", "--max-tokens", "3")
    answer = json.loads(
        ok("generate", folder / "step.bin", *vocabulary, "--prompt", "we see", "--max-tokens", "3", "--json")
    )
    assert text.startswith(answer["text"]) and len(answer["tokens"]) <= 3
    assert "tokens a second" in text and "x floor" in text
    assert answer["step"]["dram_bytes"] >= answer["step"]["floor_bytes"]
    ids = ",".join(map(str, answer["prompt"]))
    by_number = json.loads(ok("generate", folder / "step.bin", "--ids", ids, "--max-tokens", "3", "--json"))
    assert by_number["tokens"][: len(answer["tokens"])] == answer["tokens"]


def test_prefill_gives_the_same_tokens(folder: Path) -> None:
    arguments = ["--ids", "3,9,4,12,7,8", "--max-tokens", "4", "--json"]
    step = json.loads(ok("generate", folder / "step.bin", *arguments))
    both = json.loads(ok("generate", folder / "step.bin", "--prefill", folder / "prefill.bin", *arguments))
    assert both["tokens"] == step["tokens"] and len(step["tokens"]) == 4
    assert both["cycles"] < step["cycles"] and both["dram_bytes"] < step["dram_bytes"]
    ok("link", folder / "step.bin", folder / "prefill.bin", "-o", folder / "linked.bin")
    linked = json.loads(ok("generate", folder / "linked.bin", *arguments))
    assert linked["tokens"] == step["tokens"] and linked["dram_bytes"] == both["dram_bytes"]


def test_tokens_beside_those_of_the_model(folder: Path) -> None:
    arguments = ["--ids", "3,9,4,12", "--max-tokens", "6"]
    text = ok("generate", folder / "step.bin", *arguments, "--check", folder / "step.onnx")
    assert "all 6 tokens equal onnxruntime" in text
    answer = json.loads(
        ok("generate", folder / "step.bin", *arguments, "--check", folder / "step.onnx", "--json")
    )
    assert answer["check"] == {"equal": 6, "ok": True, "gap": 0.0}
    reference = ReferenceDecoder(folder / "step.onnx")
    verdict = reference.check([3, 9, 4, 12], [*answer["tokens"][:2], 0, 0])
    assert verdict.equal == 2 and verdict.gap > TIE and not verdict.ok and "no tie" in str(verdict)
    with pytest.raises(CheckMismatchError, match="token 3 differs"):
        verdict.insist("here")


def test_what_is_no_model_of_a_decoder(folder: Path, tmp_path: Path) -> None:
    ok("models", "build", "lenet5", "--image", "16", "-o", tmp_path / "l.onnx")
    arguments = ["--ids", "3", "--max-tokens", "2", "--check", tmp_path / "l.onnx"]
    assert "no state is found" in fails("NNC-E001", folder, "generate", folder / "step.bin", *arguments)


def test_an_answer_ends_where_there_is_no_more_room(folder: Path) -> None:
    ids = ",".join(["5"] * LENGTH)
    answer = json.loads(ok("generate", folder / "step.bin", "--ids", ids, "--json"))
    assert len(answer["tokens"]) == 1
    message = fails("NNC-E001", folder, "generate", folder / "step.bin", "--ids", ids + ",5")
    assert "17 tokens" in message and "greater length" in message


def test_what_is_no_decoder(folder: Path, tmp_path: Path) -> None:
    ok("models", "build", "lenet5", "--image", "16", "-o", tmp_path / "l.onnx")
    ok("compile", tmp_path / "l.onnx", "-o", tmp_path / "l.bin")
    assert "not of a decoder" in fails("NNC-E001", folder, "generate", tmp_path / "l.bin", "--ids", "1")
    assert "no program takes one token" in fails(
        "NNC-E001", folder, "generate", folder / "prefill.bin", "--ids", "1"
    )
    ok("compile", folder / "step.onnx", "-O0", "-o", tmp_path / "stateless.bin")
    message = fails("NNC-E001", folder, "generate", tmp_path / "stateless.bin", "--ids", "1")
    assert "with states" in message and "--state auto" in message
    (tmp_path / "no.gguf").write_bytes(b"nothing of the kind")
    arguments = ["--vocabulary", tmp_path / "no.gguf", "--prompt", "a"]
    assert "no GGUF file" in fails("NNC-E050", folder, "generate", folder / "step.bin", *arguments)


def test_vocabulary_of_a_tokenizer_file(folder: Path, tmp_path: Path) -> None:
    """Any such file will do; the text has its tokens."""
    answer = ok(
        "generate", folder / "step.bin", "--vocabulary", sums.TOKENIZER, "--prompt", "12+3=", "--json",
        "--max-tokens", "1",
    )  # fmt: skip
    assert json.loads(answer)["prompt"] == sums.encode("12+3=")
    arguments = ["--vocabulary", sums.TOKENIZER, "--prompt", "1 + 2"]
    assert "without a token" in fails("NNC-E050", folder, "generate", folder / "step.bin", *arguments)
    (tmp_path / "no.json").write_text("{}")
    arguments = ["--vocabulary", tmp_path / "no.json", "--prompt", "1+2="]
    assert "a tokenizer.json" in fails("NNC-E050", folder, "generate", folder / "step.bin", *arguments)


@pytest.mark.parametrize(
    "arguments", [[], ["--ids", "1", "--prompt", "a"], ["--prompt", "a"], ["--ids", "1,b"]], ids=str
)
def test_wrong_usage(folder: Path, arguments: list[str]) -> None:
    assert nnc("generate", folder / "step.bin", *arguments).exit_code == 2

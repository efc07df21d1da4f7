"""nnc generate: text by the programs of a decoder, on the simulated chip."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nnc.cli.options import json_option
from nnc.cli.output import emit_json, human_bytes, plural, say
from nnc.cli.paths import ReadPath, model_files
from nnc.cli.progress import ShownProgress

if TYPE_CHECKING:
    from nnc.check.decoder import ReferenceDecoder
    from nnc.generate import RunCost
    from nnc.models.vocabulary import Vocabulary


_MOST_DIGITS = 9


class TokenList(click.ParamType[list[int]]):
    """Tokens by number: 1,4093,198."""

    name = "tokens"

    def convert(
        self, value: str | list[int], param: click.Parameter | None, ctx: click.Context | None
    ) -> list[int]:
        """The numbers."""
        if isinstance(value, list):
            return value
        parts = [part.strip() for part in value.split(",")]
        if not all(part.isascii() and part.isdecimal() and len(part) <= _MOST_DIGITS for part in parts):
            self.fail(f"{value!r} is no list of tokens such as 1,4093,198", param, ctx)
        return [int(part) for part in parts]


@click.command("generate", short_help="Continue a text by a decoder on the simulated chip.")
@click.argument("program", type=ReadPath(), metavar="DECODER.bin")
@click.option(
    "--prefill", type=ReadPath(), metavar="PREFILL.bin", help="The same decoder for several tokens."
)
@click.option("--prompt", metavar="TEXT", help="The text to go on from.")
@click.option("--chat", is_flag=True, help="The prompt is a user's message, of which the answer is wanted.")
@click.option(
    "--vocabulary",
    type=ReadPath(),
    metavar="FILE.gguf|tokenizer.json",
    help="The file whose vocabulary turns text into tokens.",
)
@click.option(
    "--ids", type=TokenList(), metavar="N,N,…", help="The tokens to go on from, in place of a text."
)
@click.option(
    "--max-tokens",
    type=click.IntRange(min=1),
    default=64,
    show_default=True,
    help="Tokens to generate at most.",
)
@click.option(
    "--check",
    type=ReadPath(model_files),
    metavar="MODEL.onnx",
    help="Compare the tokens with those that onnxruntime gives on the model of the step; exit 1 if one is"
    " another, unless both have the same score but for rounding.",
)
@json_option
def command(
    program: Path,
    prefill: Path | None,
    prompt: str | None,
    chat: bool,
    vocabulary: Path | None,
    ids: list[int] | None,
    max_tokens: int,
    check: Path | None,
    as_json: bool,
) -> None:
    """Continue a text, each token the one of the highest score, and say what a token takes of the chip.

    DECODER.bin is a decoder compiled with states for one new token, or linked with the same for several of
    the prompt, which may also be a file of its own, PREFILL.bin.  The vocabulary is that of a GGUF
    file, or a tokenizer.json with the tokenizer_config.json beside it.

    \b
    Examples:
      nnc models convert SmolLM2.gguf --length 256 -o step.onnx
      nnc compile step.onnx --state auto --set memory.sram.bytes=2MiB -o step.bin
      nnc generate step.bin --vocabulary SmolLM2.gguf --chat --prompt "What is the capital of France?"
      nnc generate step.bin --ids 1,4093,198 --max-tokens 8 --check step.onnx
    """
    from nnc.generate import Generator
    from nnc.isa.program_file.binary import load_entries

    file = None if vocabulary is None else _vocabulary(vocabulary)
    ids = _tokens_of_prompt(file, prompt, ids, chat=chat)
    with ShownProgress("binding the decoder"):
        files = [load_entries(path) for path in (program, prefill) if path is not None]
        generator = Generator(*(program for entries in files for program in entries.values()))
        reference = None if check is None else _reference(check)
    begin = time.perf_counter()
    tokens, text = list[int](), ""
    for token in _until_end(generator.tokens(ids, max_tokens), file):
        tokens.append(token)
        if not as_json:
            text = _stream(file, tokens, text)
    seconds, cost = time.perf_counter() - begin, generator.cost
    verdict = None if reference is None else reference.check(ids, tokens)
    if as_json:
        text = "" if file is None else file.decode(tokens)
        emit_json({**_summary(ids, tokens, text, cost, seconds), "check": verdict and verdict.to_json()})
    else:
        # what would have become a character with more tokens
        click.echo(_text(file, tokens)[len(text) :], nl=False)
        _tell(len(ids), len(tokens), cost, seconds)
        if verdict is not None:
            say(f"check    {verdict}")
    if verdict is not None:
        verdict.insist(str(check))


def _tokens_of_prompt(
    file: Vocabulary | None, prompt: str | None, ids: list[int] | None, *, chat: bool
) -> list[int]:
    """The tokens to go on from, which are given as such or as a text."""
    if (ids is None) == (prompt is None):
        raise click.UsageError("Give either --prompt or --ids.")
    if chat and prompt is None:
        raise click.UsageError("--chat needs a --prompt.")
    if ids is not None:
        return ids
    if file is None:
        raise click.UsageError("--prompt needs --vocabulary, the file whose tokens the decoder has.")
    return _encoded(file, prompt or "", chat=chat)


def _reference(model: Path) -> ReferenceDecoder:
    from nnc.check.decoder import ReferenceDecoder

    return ReferenceDecoder(model)


def _vocabulary(path: Path) -> Vocabulary:
    """The vocabulary of a GGUF file, or of a tokenizer.json.

    Raises:
        InputError: it cannot be read.
        MissingPackageError: the packages that read it are not installed.
    """
    from nnc.cli.models import open_gguf, opened
    from nnc.models.vocabulary import TokenizerFile

    if path.suffix != ".json":
        return open_gguf(path)
    return opened(TokenizerFile, path, ["tokenizers"], "a tokenizer.json as the package tokenizers writes it")


def _encoded(file: Vocabulary, prompt: str, *, chat: bool) -> list[int]:
    """The tokens of a prompt."""
    from nnc.isa.errors import InputError

    try:
        return file.encode(file.chat(prompt) if chat else prompt)
    except ValueError as error:
        remedy = "give another text, its tokens by --ids, or the file that the decoder comes from"
        raise InputError(
            "the prompt has no tokens", where="--prompt", found=str(error), remedy=remedy
        ) from None


def _until_end(tokens: Iterator[int], file: Vocabulary | None) -> Iterator[int]:
    """Tokens up to the one that ends a text."""
    end = None if file is None else file.end()
    for token in tokens:
        if token == end:
            return
        yield token


def _text(file: Vocabulary | None, tokens: list[int]) -> str:
    """The text of tokens, or their numbers where there is no vocabulary."""
    return ",".join(map(str, tokens)) if file is None else file.decode(tokens)


def _stream(file: Vocabulary | None, tokens: list[int], shown: str) -> str:
    """Print what the last token adds to the text; a character may need several."""
    text = _text(file, tokens)
    if text.endswith("\ufffd"):
        return shown
    click.echo(text[len(shown) :], nl=False)
    return text


def _tell(given: int, made: int, cost: RunCost, seconds: float) -> None:
    per_second = cost.clock_mhz * 1e6 / cost.step_cycles
    say()
    say()
    say(f"tokens   {plural(given, 'token')} of prompt, {made:,} generated in {seconds:.1f} s here")
    say(
        f"a step   {cost.step_cycles:,} cycles ({cost.step_cycles / cost.floor_cycles:.2f} x floor):"
        f" {per_second:.1f} tokens a second at {cost.clock_mhz:g} MHz"
    )
    say(
        f"         {human_bytes(cost.step_dram_bytes)} of DRAM"
        f" ({cost.step_dram_bytes / cost.floor_bytes:.2f} x floor)"
    )
    say(f"in all   {cost.cycles:,} cycles, {human_bytes(cost.dram_bytes)} of DRAM")


def _summary(
    prompt: list[int], tokens: list[int], text: str, cost: RunCost, seconds: float
) -> dict[str, object]:
    return {
        "prompt": prompt,
        "tokens": tokens,
        "text": text,
        "step": {
            "cycles": cost.step_cycles,
            "floor_cycles": cost.floor_cycles,
            "dram_bytes": cost.step_dram_bytes,
            "floor_bytes": cost.floor_bytes,
            "tokens_per_second": cost.clock_mhz * 1e6 / cost.step_cycles,
        },
        "cycles": cost.cycles,
        "dram_bytes": cost.dram_bytes,
        "seconds_here": seconds,
    }

"""nnc models: well-known networks as ONNX files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from nnc.cli.classes import SuggestingGroup
from nnc.cli.names import AnyName
from nnc.cli.options import FiniteRange, json_option
from nnc.cli.output import emit_json, human_bytes, say, show
from nnc.cli.paths import ReadPath, WrittenPath
from nnc.cli.progress import ShownProgress

if TYPE_CHECKING:
    from nnc.models.gguf_file import GgufFile

_MOST_BYTES = (1 << 31) - 1
"""Of an ONNX file without files beside it."""
_TRAINED: dict[str, tuple[str, int | None, int | None]] = {
    "digits": ("the trained demo network: handwritten digits of 16×16 pixels", 16, 1),
    "sums": ("the trained demo decoder: sums such as 123+456=, a character a run", None, None),
}
"""The trained networks, which have one size: what they are, and size and channels of the image."""
FileT = TypeVar("FileT")


_output = click.option(
    "-o",
    "--output",
    type=WrittenPath(),
    metavar="FILE.onnx",
    required=True,
    help="Where to write the model.",
)


@click.group(
    "models",
    cls=SuggestingGroup,
    invoke_without_command=True,
    short_help="List and build well-known networks.",
)
@json_option
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """List well-known networks, or write one as an ONNX file.

    \b
    Examples:
      nnc models
      nnc models build resnet18 -o r18.onnx
      nnc compile r18.onnx
    """
    if ctx.invoked_subcommand is None:
        _list(as_json)


@command.command("list")
@json_option
def list_command(as_json: bool) -> None:
    """List the networks that `nnc models build` writes.

    \b
    Example:
      nnc models list --json
    """
    _list(as_json)


def _list(as_json: bool) -> None:
    from nnc.models import MODELS

    rows: list[tuple[str, str, int | None, int | None]] = [
        (spec.name, spec.summary, spec.image, spec.channels) for spec in MODELS.values()
    ]
    rows += [(name, *row) for name, row in _TRAINED.items()]
    if as_json:
        keys = ("name", "summary", "image", "channels")
        emit_json([dict(zip(keys, row, strict=True)) for row in rows])
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("network", "image", "about"):
        table.add_column(column, overflow="fold")
    for name, summary, image, channels in rows:
        table.add_row(name, f"{channels}×{image}×{image}" if image else "-", summary)
    show(table)


def _names() -> list[str]:
    from nnc.models import names

    return [*names(), *_TRAINED]


@command.command("build")
@click.argument("name", type=AnyName(_names))
@_output
@click.option("--image", type=click.IntRange(min=1), help="Height and width in pixels; default: its own.")
@click.option("--width", type=FiniteRange(min=0, min_open=True), help="Multiplier of hidden channels.")
@click.option("--batch", type=click.IntRange(min=1), help="Images per run; default 1.")
@click.option("--seed", type=click.IntRange(min=0), help="Of the random weights; default 0.")
@json_option
def build_command(
    name: str,
    output: Path,
    image: int | None,
    width: float | None,
    batch: int | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Write a network as an ONNX file: random weights from a seed, but trained ones of `digits` and `sums`.

    \b
    Examples:
      nnc models build resnet18 -o r18.onnx
      nnc models build mobilenet_v2 -o small.onnx --image 64 --width 0.25 --seed 1
      nnc models build digits -o digits.onnx
    """
    from nnc.isa.files import write_whole

    given = {"image": image, "width": width, "batch": batch, "seed": seed}
    chosen = {option: value for option, value in given.items() if value is not None}
    with ShownProgress("building"):
        data = _trained(name, chosen) if name in _TRAINED else _built(name, chosen)
        write_whole(output, [data])
    if as_json:
        emit_json({"name": name, "file": str(output), "bytes": len(data)})
    else:
        say(f"{name} written to {output} ({human_bytes(len(data))})")


def _trained(name: str, chosen: dict[str, int | float]) -> bytes:
    from nnc.isa.errors import OptionError
    from nnc.models import digits, sums

    if chosen:
        raise OptionError(
            "the trained network has one size and its own weights",
            where=name,
            found=", ".join(f"--{option}" for option in chosen),
            remedy="leave the option out, or build another network",
        )
    if name == "sums":
        step: bytes = sums.decoder().SerializeToString()
        return step
    return digits.MODEL.read_bytes()


def _built(name: str, chosen: dict[str, int | float]) -> bytes:
    from nnc import models
    from nnc.isa.errors import OptionError
    from nnc.isa.nearest import did_you_mean

    if name not in models.MODELS:
        raise OptionError(
            "there is no such network",
            found=name,
            expected=", ".join(_names()),
            remedy=did_you_mean(name, _names(), "nnc models list shows all of them"),
        )
    try:
        model = models.build(name, **chosen)  # type: ignore[arg-type]
        data: bytes = model.SerializeToString()
        return data
    except ValueError as error:
        raise OptionError(
            "the network cannot have this size",
            where=name,
            found=str(error),
            remedy="give another size: nnc models list shows the usual ones",
        ) from error


@command.command("convert")
@click.argument("gguf", type=ReadPath(), metavar="FILE.gguf")
@_output
@click.option(
    "--tokens",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="New tokens of a run: 1 for each step of an answer, more for a prompt.",
)
@click.option(
    "--length",
    type=click.IntRange(min=1),
    default=256,
    show_default=True,
    help="Tokens of prompt and answer that keys and values have room for.",
)
@json_option
def convert_command(gguf: Path, output: Path, tokens: int, length: int, as_json: bool) -> None:
    """Write the decoder of a GGUF file as exporters write one for onnxruntime, its weights in 4 or 8 bits.

    \b
    Examples:
      nnc models convert SmolLM2.gguf -o step.onnx
      nnc models convert SmolLM2.gguf --tokens 32 -o prefill.onnx
    """
    from nnc.isa.errors import OptionError
    from nnc.isa.files import write_whole
    from nnc.models.decoder import Decoder

    with ShownProgress("converting"):
        file = open_gguf(gguf)
        try:
            model = Decoder(file.shape(), file, tokens=tokens, length=length).model()
            if model.ByteSize() > _MOST_BYTES:
                raise ValueError("the model would be larger than 2 GB")
            data = model.SerializeToString()
        except (ValueError, TypeError) as error:
            raise OptionError(
                "the decoder cannot be written",
                where=str(gguf),
                found=str(error),
                remedy="give another length, or a file of llama's architecture and at most 2 GB as float32",
            ) from None
        write_whole(output, [data])
    if as_json:
        emit_json({"name": gguf.name, "file": str(output), "bytes": len(data)})
    else:
        say(f"{gguf.name} written to {output} ({human_bytes(len(data))})")


def open_gguf(path: Path) -> GgufFile:
    """A GGUF file.

    Raises:
        InputError: it cannot be read, or is of another kind.
        MissingPackageError: the packages that read it are not installed.
    """
    from nnc.models.gguf_file import GgufFile

    return opened(GgufFile, path, ["gguf", "tokenizers"], "a GGUF file of llama's architecture")


def opened(kind: Callable[[Path], FileT], path: Path, packages: list[str], what: str) -> FileT:
    """A file that is read by packages of the extra llm.

    Args:
        what: should be given, for people.

    Raises:
        InputError: it cannot be read, or is of another kind.
        MissingPackageError: the packages are not installed.
    """
    from importlib.util import find_spec

    from nnc.errors import MissingPackageError
    from nnc.isa.errors import InputError

    missing = [package for package in packages if find_spec(package) is None]
    if missing:
        raise MissingPackageError(
            f"{path.name} is read by packages that are not installed: {', '.join(missing)}",
            remedy="pip install 'nnc[llm]'",
        )
    try:
        return kind(path)
    except (OSError, ValueError) as error:
        raise InputError(
            "the file cannot be read",
            where=str(path),
            found=(error.strerror if isinstance(error, OSError) else "") or str(error),
            remedy=f"give {what}",
        ) from None

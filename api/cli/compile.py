"""nnc compile: an ONNX model in, a program out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nnc.cli.options import (
    Shapes,
    chip_options,
    different_files,
    json_option,
    objective_option,
    overlap_option,
    shape_option,
    split_option,
    verbose_option,
)
from nnc.cli.output import emit_json, say, show
from nnc.cli.progress import ShownProgress

if TYPE_CHECKING:
    from nnc.compilation import Result


@click.command("compile", short_help="Compile an ONNX model into a program.")
@click.argument("model", type=click.Path(path_type=Path), metavar="MODEL.onnx")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="PROGRAM.bin",
    help="Write the program here; without it nothing is written and only the report is shown.",
)
@click.option(
    "--asm",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the program text, too; large constants go to FILE.constants.",
)
@chip_options()
@shape_option
@objective_option
@overlap_option
@split_option
@click.option(
    "--verify-each",
    is_flag=True,
    help="Check the network after every pass, which names the pass that breaks it (a tenth more time; dump-ir"
    " always does). That the placed network computes the model is checked in any case.",
)
@json_option
@verbose_option
def command(
    model: Path,
    output: Path | None,
    asm: Path | None,
    chip: str,
    overrides: tuple[str, ...],
    shapes: Shapes,
    objective: str,
    overlap: str,
    split: str,
    verify_each: bool,
    as_json: bool,
    verbose: bool,
) -> None:
    """Compile an ONNX model for a chip and report what it will cost.

    The report shows every layer group: its kind, in how many parts it is computed, what it needs of the
    on-chip memories, its DRAM bytes (the floor's share, and by cause what is above it) and what bounds its
    speed; then DRAM bytes and cycles of the whole beside the floors that no schedule can beat.

    \b
    Examples:
      nnc compile model.onnx -o model.bin --asm model.asm
      nnc compile model.onnx --chip vdsp12 --json
      nnc compile model.onnx --set memory.sram.bytes=256KiB --shape input=1,3,224,224 -v
      nnc compile model.onnx --objective traffic --overlap recompute
    """
    from nnc.compilation import compile_model
    from nnc.isa.errors import OptionError
    from nnc.text_files import constants_path, write_text

    targets = [*filter(None, (output, asm)), *([constants_path(asm)] if asm else [])]
    for target in targets:
        different_files(target, model)
    if len({target.resolve() for target in targets}) < len(targets):
        raise OptionError("program and text would be the same file", where=str(asm))
    with ShownProgress("importing") as progress:
        result = compile_model(
            model,
            chip,
            set=overrides,
            shapes=dict(shapes),
            objective=objective,
            overlap=overlap,
            split=split,
            verify_each=verify_each,
            progress=progress,
        )
    if output is not None:
        result.program.save(output)
    texts = write_text(result.program, asm) if asm is not None else []
    if as_json:
        emit_json({"program": None if output is None else str(output), **result.report})
        return
    _show_report(result, verbose=verbose)
    say(f"program   {output}" if output else "program   not written (give -o PROGRAM.bin)")
    if texts:
        say("text      " + ", ".join(map(str, texts)))


def _show_report(result: Result, *, verbose: bool) -> None:
    from nnc.cli.tables import compile_text

    for item in compile_text(result, verbose=verbose):
        if isinstance(item, str):
            say(item)
        else:
            show(item)

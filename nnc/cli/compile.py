"""nnc compile: an ONNX model in, a program out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from nnc.cli.classes import HeadedCommand, process_words
from nnc.cli.logs import logged
from nnc.cli.options import (
    PROFILES,
    Target,
    cache_option,
    json_option,
    log_option,
    parse_sizes,
    report_option,
    target_options,
)
from nnc.cli.output import (
    human_bytes,
    json_text,
    report_data,
    say,
    say_or_show,
    text_of,
    write_report,
)
from nnc.cli.paths import ReadPath, WrittenPath, model_files, text_files
from nnc.cli.progress import ShownProgress


def _parse_entries(
    _: click.Context, __: click.Parameter, texts: tuple[str, ...]
) -> dict[str, dict[str, int]]:
    """Split NAME:SYMBOL=N,…"""
    entries = {}
    for text in texts:
        name, sign, sizes = text.partition(":")
        if not name or not sign or name in entries:
            raise click.BadParameter(f"{text!r} is not such as step:tokens=1, each name once")
        entries[name] = parse_sizes(sizes)
    return entries


def _parse_buckets(_: click.Context, __: click.Parameter, texts: tuple[str, ...]) -> dict[str, list[int]]:
    """Split SYMBOL=N,N,…"""
    buckets = {}
    for text in texts:
        name, _sign, sizes = text.rpartition("=")
        if not name or name in buckets or not re.fullmatch(r"[0-9]{1,18}(,[0-9]{1,18})*", sizes):
            raise click.BadParameter(f"{text!r} is not such as tokens=16,64,256, each symbol once")
        buckets[name] = [int(size) for size in sizes.split(",")]
    return buckets


@click.command("compile", cls=HeadedCommand, short_help="Compile an ONNX model into a program.")
@click.argument("model", type=ReadPath(model_files), metavar="MODEL.onnx")
@click.option(
    "-o",
    "--output",
    type=WrittenPath(),
    metavar="PROGRAM.bin",
    help="Write the program here; without it nothing is written and only the report is shown.",
)
@click.option(
    "--asm",
    type=WrittenPath(text_files),
    metavar="FILE",
    help="Write the program text, too; large constants go to FILE.constants.",
)
@target_options
@report_option
@click.option(
    "--by",
    type=click.Choice(PROFILES),
    default="group",
    show_default=True,
    help="Rows of the table: layer groups as they were planned, or where time and bytes go by layer,"
    " mnemonic (op) or core, as nnc profile shows it.",
)
@click.option(
    "--entry",
    "entries",
    multiple=True,
    metavar="NAME:SYMBOL=N,…",
    callback=_parse_entries,
    help="Compile for these sizes of symbolic dimensions as well, and link all entries into the one program: "
    "constants that are the same are there once, and states are common to them.",
)
@click.option(
    "--bucket",
    "buckets",
    multiple=True,
    metavar="SYMBOL=N,N,…",
    callback=_parse_buckets,
    help="An entry for each of these sizes of a symbolic dimension, and for each combination if several are"
    " given. A run takes the smallest that its inputs fit into, and fills them up with zeros.",
)
@click.option(
    "--host",
    "host",
    multiple=True,
    metavar="auto|never|NODE",
    help="What a host computes beside the chip, by onnxruntime between programs of the chip. auto: nodes that"
    " cannot be compiled, and those whose shapes only they know, so that as few tensors as possible cross;"
    " NODE: this one, too (any number of times). never, the default: all is the chip's, or refused.",
)
@click.option(
    "--verify-each",
    is_flag=True,
    help="Check the network after every pass, which names the pass that breaks it (a tenth more time; dump-ir"
    " always does). That the placed network computes the model is checked in any case.",
)
@cache_option
@json_option
@log_option
def command(
    model: Path,
    output: Path | None,
    asm: Path | None,
    target: Target,
    report: Path | None,
    by: str,
    entries: dict[str, dict[str, int]],
    buckets: dict[str, list[int]],
    host: tuple[str, ...],
    verify_each: bool,
    no_cache: bool,
    as_json: bool,
    verbosity: int,
) -> None:
    """Compile an ONNX model for a chip and report what it will cost.

    The report shows every layer group: its kind, in how many parts it is computed, what it needs of the
    on-chip memories, its DRAM bytes (the floor's share, and by cause what is above it) and what bounds its
    speed; then DRAM bytes and cycles of the whole beside the floors that no schedule can beat.

    What has been compiled is kept: the same model for the same chip is answered at once (nnc cache). One
    program at a time is, without --host, --entry, --bucket, --verify-each and -vv.

    \b
    Examples:
      nnc compile model.onnx -o model.bin --asm model.asm
      nnc compile model.onnx --chip vdsp12 --json
      nnc compile model.onnx --by layer          where time and bytes go
      nnc compile model.onnx --report r.json     all of it, for nnc report and programs
      nnc compile model.onnx --set memory.sram.bytes=256KiB --shape input=1,3,224,224 -v
      nnc compile model.onnx --objective traffic --overlap recompute
      nnc compile model.onnx -O0                 does it fit, does it run?
      nnc compile model.onnx -O3 -o model.bin    the best plan that is found
      nnc compile decoder.onnx --state auto --entry step:tokens=1 --entry prefill:tokens=128 -o decoder.bin
      nnc compile encoder.onnx --bucket tokens=16,64,256 -o encoder.bin
      nnc compile detector.onnx --host auto -o detector.bin    what the chip cannot do runs on a host
    """
    is_hosted = bool(host) and host != ("never",)
    if is_hosted and (entries or buckets or "never" in host or target.states):
        raise click.UsageError("--host goes without --entry, --bucket and --state, and never stands alone.")
    if not (entries or buckets or is_hosted):
        is_kept = not (no_cache or verify_each or verbosity > 1)
        _compile_one(model, output, asm, target, report, by, verify_each, is_kept, as_json, verbosity)
    elif asm is not None or report is not None:
        raise click.UsageError("--asm and --report are for one program: use nnc disasm, nnc report --entry.")
    elif is_hosted:
        _compile_hosted(model, output, target, host, by, verify_each, as_json, verbosity)
    else:
        _compile_entries(model, output, target, entries, buckets, by, verify_each, as_json, verbosity)


def _compile_one(
    model: Path,
    output: Path | None,
    asm: Path | None,
    target: Target,
    report: Path | None,
    by: str,
    verify_each: bool,
    is_kept: bool,
    as_json: bool,
    verbosity: int,
) -> None:
    """Compile, or find what was compiled, write and report a program."""
    from nnc.cache.plans import compile_kept, files_of
    from nnc.cache.recall import remember
    from nnc.cache.store import user_store
    from nnc.cli.report_text import compile_text
    from nnc.io.program_text import write_text
    from nnc.isa.chip.load import description_files, load_chip
    from nnc.isa.program_file.binary import save_program

    store = user_store() if is_kept else None
    with logged(verbosity), ShownProgress("importing") as progress:
        chip = load_chip(target.chip, target.overrides)
        arguments = target.arguments(progress)
        result, key = compile_kept(store, model, chip, verify_each=verify_each, **arguments)
        progress("writing", 0, 0)
        if output is not None:
            save_program(result.program, output)
        texts = write_text(result.program, asm) if asm is not None else []
        program_report = result.make_report(
            program_file=None if output is None else str(output), details=report is not None
        )
        if report is not None:
            write_report(program_report, report)
        if as_json:
            text = json_text(report_data(program_report)) + "\n"
        else:
            shown = compile_text(program_report, by=by, verbose=verbosity > 0)
            text = "".join(map(text_of, [*shown, *_last_lines(output, texts)]))
        if store is not None and key and asm is None and report is None:
            inputs = [*files_of(model), *description_files(target.chip)]
            remember(store, process_words(), inputs=inputs, text=text, plan=key, output=output)
    print(text, end="")


def _last_lines(output: Path | None, texts: Sequence[Path]) -> Iterator[str]:
    """Where the program and its text are."""
    yield f"program   {output}" if output else "program   not written (give -o PROGRAM.bin)"
    if texts:
        yield "text      " + ", ".join(map(str, texts))


def _compile_entries(
    model: Path,
    output: Path | None,
    target: Target,
    entries: dict[str, dict[str, int]],
    buckets: dict[str, list[int]],
    by: str,
    verify_each: bool,
    as_json: bool,
    verbosity: int,
) -> None:
    """Compile, link and write several programs, and report each."""
    from nnc.cli.output import emit_json
    from nnc.cli.report_text import compile_text
    from nnc.compilation import bucket_entries, compile_entries
    from nnc.isa.link import link
    from nnc.isa.program_file.linked import save_entries

    with logged(verbosity), ShownProgress("importing") as progress:
        results = compile_entries(
            model,
            entries,
            target.chip,
            buckets=buckets,
            verify_each=verify_each,
            **target.arguments(progress),
        )
        progress("linking", 0, 0)
        linked = link({name: result.program for name, result in results.items()})
        if output is not None:
            save_entries(linked, output)
    file = None if output is None else str(output)
    reports = {name: result.make_report(program_file=file) for name, result in results.items()}
    if as_json:
        emit_json({"entries": {name: report_data(report) for name, report in reports.items()}})
        return
    for name, report in reports.items():
        sizes = {**entries, **bucket_entries(buckets)}[name]
        say(f"entry     {name}: " + ", ".join(f"{key} = {size}" for key, size in sizes.items()))
        for item in compile_text(report, by=by, verbose=verbosity > 0):
            say_or_show(item)
        say("")
    shared = next(iter(linked.values())).constants.size
    apart = sum(result.program.constants.size for result in results.values())
    say(f"constants {human_bytes(shared)}, of {human_bytes(apart)} in the entries")
    _say_program(output)


def _compile_hosted(
    model: Path,
    output: Path | None,
    target: Target,
    host: tuple[str, ...],
    by: str,
    verify_each: bool,
    as_json: bool,
    verbosity: int,
) -> None:
    """Compile a model for chip and host, write and report both."""
    from nnc.cli.hosted_text import hosted_text
    from nnc.cli.output import emit_json
    from nnc.hosted import compile_hosted
    from nnc.isa.program_file.hosted import save_hosted
    from nnc.report.hosted import hosted_report

    with logged(verbosity), ShownProgress("importing") as progress:
        result = compile_hosted(
            model, target.chip, host=host, verify_each=verify_each, **target.arguments(progress)
        )
        progress("writing", 0, 0)
        if output is not None:
            save_hosted(result.hosted, output)
    file = None if output is None else str(output)
    reports = {entry: part.make_report(program_file=file) for entry, part in result.results.items()}
    report = hosted_report(result.hosted, reports)
    if as_json:
        emit_json(report.model_dump(mode="json", by_alias=True))
        return
    for item in hosted_text(report, by=by, verbose=verbosity > 0):
        say_or_show(item)
    _say_program(output)


def _say_program(output: Path | None) -> None:
    for line in _last_lines(output, ()):
        say(line)

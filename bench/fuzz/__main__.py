"""The command: python -m bench.fuzz KIND --cases N --seed S."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from bench.fuzz.corpora import files_in
from bench.fuzz.kinds import KINDS
from bench.fuzz.outcomes import ROOT, Outcome
from bench.fuzz.report import show
from bench.fuzz.runs import replay, run
from bench.fuzz.workers import Limits


@click.command("fuzz")
@click.argument("kind", type=click.Choice(list(KINDS)))
@click.option("--cases", type=click.IntRange(min=1), default=1000, show_default=True, help="How many.")
@click.option("--seed", type=int, default=0, show_default=True, help="Equal seeds give equal cases.")
@click.option(
    "--first", type=click.IntRange(min=0), default=0, show_default=True, help="Number of the first."
)
@click.option(
    "--corpus",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A folder of sound files that cases are made of, too.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=ROOT / "build" / "fuzz",
    help="Where bad cases are kept, in a folder for each kind.  [default: build/fuzz]",
)
@click.option(
    "--replay",
    "replayed",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Judge this file alone.",
)
def main(
    kind: str, cases: int, seed: int, first: int, corpus: Path | None, out: Path, replayed: Path | None
) -> None:
    """Damage sound files at random and see what nnc makes of them.

    \b
    onnx     models: compiled, verified, run, compared with onnxruntime
    program  program files: loaded, verified, run (without verification, too)
    text     program text: assembled, then as program files
    chip     chip files: loaded; a small network is compiled for them, run and compared

    A case may be refused with a code.  It must not be called a bug of nnc (E090), raise anything else, give a
    wrong result, end the process, take more than 1 GiB of memory or 30 s of CPU time, or print to stderr.
    The exit status is 1 if any does.
    """
    limits = Limits()
    console = Console()
    if replayed is not None:
        outcome = replay(KINDS[kind], replayed, limits)
        console.print(outcome.verdict.value, outcome.cause, outcome.detail, markup=False, sep="\n")
        sys.exit(outcome.verdict.is_bad)
    files = KINDS[kind].corpus()
    if corpus is not None:
        files.append(files_in(corpus, KINDS[kind].suffix))
    outcomes: dict[Path, Outcome] = {}
    numbers = range(first, first + cases)
    shown = Console(stderr=True)
    with Progress(console=shown, auto_refresh=False, disable=not shown.is_terminal) as progress:
        task = progress.add_task(kind, total=cases)
        for file, outcome in run(KINDS[kind], files, numbers, seed, out / kind, limits):
            outcomes[file] = outcome
            progress.update(
                task,
                advance=1,
                refresh=True,  # a thread that does so would be in the way of forks
            )
    show(console, kind, outcomes)
    sys.exit(any(outcome.verdict.is_bad for outcome in outcomes.values()))


if __name__ == "__main__":
    main()

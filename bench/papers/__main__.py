"""Published figures of other compilers beside what nnc gets for the same work on the same chip.

    python -m bench.papers [PAPER …] [--jobs 2]

Networks have random weights (build/bench/papers keeps them); each is compiled by itself, with the default
objective and with `--objective cycles`, and its cycles are those that the chip's simulation counts.

    theirs      cycles that the paper or the tool gives; a millisecond is 10^6 cycles
    floor       cycles that no schedule goes below on this chip: the larger of products and DRAM
    balanced    cycles with the default objective; cycles: with `--objective cycles`
    ÷ theirs    the better of these two, over theirs: below 1, nnc is faster
    MB          that nnc's better program moves, of 10^6 bytes; theirs if they say
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from math import exp, log

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bench.papers.cells import Cell, Paper, papers
from bench.papers.measured import Measured, measure
from bench.papers.networks import network

_OBJECTIVES = ("balanced", "cycles")


@click.command("papers")
@click.argument("names", nargs=-1, type=click.Choice(list(papers())))
@click.option("--jobs", type=click.IntRange(min=1), default=2, show_default=True, help="Processes.")
def main(names: Sequence[str], jobs: int) -> None:
    """Compile the work of PAPERs (all if none is named) and print tables beside their figures."""
    console = Console(width=118, highlight=False)
    asked = {name: paper for name, paper in papers().items() if name in names or not names}
    cells = [cell for paper in asked.values() for cell in paper.cells]
    done = _measured(cells, jobs, console)
    for paper in asked.values():
        _show(console, paper, done)
    ratios = [done[cell].better.cycles / cell.cycles for cell in cells if cell.cycles and not cell.remark]
    worse = sum(ratio > 1 for ratio in ratios)
    mean = exp(sum(map(log, ratios)) / len(ratios))
    console.print(f"{len(ratios)} cells: geometric mean {mean:.3f} of theirs, {worse} above 1.00")


def _measured(cells: Sequence[Cell], jobs: int, console: Console) -> dict[Cell, Measured]:
    """What nnc gets for each cell, with the better objective."""
    every = [(cell, objective) for cell in cells for objective in _OBJECTIVES]
    work = {(cell.network, cell.numbers, cell.batch) for cell in cells}
    with Progress(console=console, transient=True) as progress, ProcessPoolExecutor(jobs) as pool:
        for _ in progress.track(
            pool.map(network, *zip(*sorted(work), strict=True)), len(work), description="networks"
        ):
            pass
        measured = pool.map(measure, *zip(*every, strict=True))
        figures = [*progress.track(measured, len(every), description="compiling")]
    pairs = zip(figures[::2], figures[1::2], strict=True)
    return {cell: Measured(*pair) for cell, pair in zip(cells, pairs, strict=True)}


def _show(console: Console, paper: Paper, done: dict[Cell, Measured]) -> None:
    """A paper's table, where its figures come from, and what differs."""
    table = Table(title=paper.title, title_justify="left", box=None, pad_edge=False)
    table.add_column("work", justify="left")
    for title in ("theirs", "floor", "balanced", "cycles", "÷ theirs", "MB", "theirs, MB"):
        table.add_column(title, justify="right")
    for cell in paper.cells:
        measured = done[cell]
        table.add_row(
            cell.what + (" *" if cell.remark else ""),
            "no schedule" if cell.cycles is None else f"{cell.cycles:,.0f}",
            f"{measured.balanced.floor:,}",
            *(f"{figures.cycles:,}" for figures in (measured.balanced, measured.fastest)),
            "" if cell.cycles is None else f"{measured.better.cycles / cell.cycles:.3f}",
            f"{measured.better.dram_bytes / 1e6:.2f}",
            "" if cell.megabytes is None else f"{cell.megabytes:.2f}",
        )
    console.print(table)
    for remark in dict.fromkeys(cell.remark for cell in paper.cells if cell.remark):
        console.print(f"* {remark}")
    console.print(f"theirs: {paper.kind}; {paper.source}")
    console.print(f"easier there: {paper.theirs_easier}")
    console.print(f"harder there: {paper.theirs_harder}\n")


if __name__ == "__main__":
    main()

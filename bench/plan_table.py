"""Plans of many networks on several chips, and how they differ from those of other code.

    python bench/plan_table.py before.json [NETWORK, FILE.onnx or FOLDER …]                on the old code
    python bench/plan_table.py after.json [NETWORK …] --against before.json                on the new code
    python bench/plan_table.py sample.json lenet5 squeezenet --chips "npu 64K" --time-limit 60

Networks are those of `nnc models` (all, if none is named), chains and attention as of bench/compile.py, ONNX
files or folders of them; those of fewest nodes come first.  Each is compiled by a process of its own with one
thread.  A cell of the table, a network on a chip:

    bytes      that the DRAM moves, as predicted
    cycles     predicted
    price      of both, as the objective `balanced` counts it, in cycles of transfers
    seconds    CPU time from the file to the program
    error      in their place: the code of a refusal, or what went wrong

The file is written after every cell, and cells that it holds are not compiled again: all may take hours, and
can be stopped and gone on with, by the same code.  With --against, ratios of all cells that both files have
are summed up: geometric means by chip, the five worst and best by each figure, and all cells whose price
differs by more than 0.5 %.  The exit status is 1 if one of them costs more, or is refused now, and 2 if a
file cannot be used.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import onnx
from compile import files_of, model_file
from plan_figures import MEASURES, TARGETS, Refused, figures_of, geometric_mean
from processes import commit, with_one_thread

from nnc import models

ROOT = Path(__file__).resolve().parent.parent
SAME = 0.005
"""Prices that differ by no more than this share are the same."""
LISTED = 5
Cell = dict[str, Any]
"""The figures by name, or the error and the seconds that it was given (`limit`)."""
Cells = dict[str, Cell]
"""By network and chip, as in `resnet18 on npu4`."""
Ratios = dict[str, dict[str, float]]
"""By cell and measure."""


def read_cells(path: Path, at_commit: str | None = None) -> Cells:
    """The cells of a file.

    Args:
        at_commit: the code that they must be of, if more are to be added.

    Raises:
        ValueError: there are none, or of other code; the message says what to do.
    """
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} cannot be read: {error}; write it again, or name another file") from None
    cells = data.get("cells") if isinstance(data, dict) else None
    if not isinstance(cells, dict) or not all(map(_is_cell, cells.values())):
        raise ValueError(f"{path} holds no cells of a table; write it again, or name another file")
    if at_commit is not None and data.get("commit") != at_commit:
        raise ValueError(f"{path} is of {data.get('commit')}, this is {at_commit}: name another file")
    return cells


def _is_cell(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    figures = [value.get(measure) for measure in MEASURES]
    return "error" in value or all(isinstance(figure, int | float) and figure > 0 for figure in figures)


def write_cells(path: Path, cells: Cells, at_commit: str) -> None:
    """Write a file, as a whole or not at all."""
    beside = path.with_name(path.name + ".new")
    beside.write_text(json.dumps({"commit": at_commit, "cells": cells}, indent=1) + "\n", encoding="utf-8")
    beside.replace(path)


def smallest_first(networks: Sequence[str]) -> list[tuple[str, Path]]:
    """Names and files of networks by their nodes; files are named without their folders.

    Raises:
        ValueError: two have one name.
    """
    files = [(Path(name).name, model_file(name)) for name in files_of([*networks])]
    names = [name for name, _ in files]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(
            f"several networks are named {', '.join(twice)}: rename the files, or leave some out"
        )

    def size(network: tuple[str, Path]) -> tuple[int, str]:
        return len(onnx.load(network[1], load_external_data=False).graph.node), network[0]

    return sorted(files, key=size)


def missing(
    names: Sequence[str], chips: Sequence[str], cells: Cells, timeout: float
) -> list[tuple[str, str]]:
    """Networks and chips that have no cell yet, or one that was given fewer seconds."""
    both = [(name, chip) for name in names for chip in chips]
    return [
        pair
        for pair in both
        if cells.get("{} on {}".format(*pair), {"limit": 0}).get("limit", timeout) < timeout
    ]


def measure(path: Path, chip: str, timeout: float) -> Cell:
    """Compile a cell."""
    try:
        return vars(figures_of(path, TARGETS[chip], timeout))
    except Refused as refused:
        error = str(refused)
        return {"error": error} | ({"limit": timeout} if error.startswith("over ") else {})


def ratios(before: Cells, after: Cells) -> Ratios:
    """After ÷ before, of all cells that have figures in both."""
    both = [
        name for name in after if "error" not in after[name] and "error" not in before.get(name, {"error": 1})
    ]
    return {name: {m: after[name][m] / before[name][m] for m in MEASURES} for name in both}


def refused_now(before: Cells, after: Cells) -> list[str]:
    """Cells that had figures before and are refused now, with the reason."""
    had = [name for name in after if "error" not in before.get(name, {"error": 1})]
    return [f"{name}: {after[name]['error']}" for name in had if "error" in after[name]]


def is_worse(before: Cells, after: Cells) -> bool:
    """Whether a cell costs more than before, or is refused now."""
    prices = (ratio["price"] for ratio in ratios(before, after).values())
    return any(price > 1 + SAME for price in prices) or bool(refused_now(before, after))


def summary(before: Cells, after: Cells) -> Iterator[str]:
    """Lines that compare two tables."""
    by_cell = ratios(before, after)
    yield f"after ÷ before, {len(by_cell)} cells"
    yield f"{'geometric mean':<16}{'cells':>7}" + "".join(f"{measure:>10}" for measure in MEASURES)
    for chip in ("", *TARGETS):
        chip_ratios = [ratio for name, ratio in by_cell.items() if name.endswith(f" on {chip}") or not chip]
        if chip_ratios:
            means = (geometric_mean(ratio[measure] for ratio in chip_ratios) for measure in MEASURES)
            yield f"{chip or 'all':<16}{len(chip_ratios):>7}" + "".join(f"{mean:>10.4f}" for mean in means)
    for measure in MEASURES:
        yield from _extremes(measure, {name: ratio[measure] for name, ratio in by_cell.items()})
    beyond = {name: ratio["price"] for name, ratio in by_cell.items() if abs(ratio["price"] - 1) > SAME}
    yield f"price differs by more than {SAME:.1%}: {len(beyond)} of {len(by_cell)} cells"
    yield from (f"  {beyond[name]:.4f}  {name}" for name in sorted(beyond, key=lambda name: -beyond[name]))
    lost = refused_now(before, after)
    yield f"refused now: {len(lost)} cells"
    yield from (f"  {line}" for line in lost)
    gained = [n for n in after if "error" in before.get(n, {}) and "error" not in after[n]]
    yield f"no longer refused: {len(gained)} cells"
    yield from (f"  {name}" for name in gained)


def _extremes(measure: str, by_cell: Mapping[str, float]) -> Iterator[str]:
    """The cells in which a measure rose and fell most."""
    ordered = sorted(by_cell, key=lambda name: -by_cell[name])
    for said, names, sign in (("more", ordered[:LISTED], 1), ("less", ordered[::-1][:LISTED], -1)):
        listed = [f"{by_cell[name]:.4f} {name}" for name in names if (by_cell[name] - 1) * sign > 0]
        yield f"{measure}, {said}: " + ("; ".join(listed) or "nowhere")


def fill(path: Path, cells: Cells, files: Mapping[str, Path], options: argparse.Namespace) -> None:
    """Compile what is missing, until the time is over."""
    begun, at_commit = time.monotonic(), commit(ROOT)
    chips = options.chips.split(",")
    left = missing([*files], chips, cells, options.timeout)
    print(f"{'cell':<48}{'bytes':>14}{'cycles':>14}{'price':>14}{'seconds':>9}")
    for done, (name, chip) in enumerate(left):
        if options.time_limit is not None and time.monotonic() - begun > options.time_limit:
            print(f"{len(left) - done} cells are missing: the same command goes on with them")
            return
        cell = cells[f"{name} on {chip}"] = measure(files[name], chip, options.timeout)
        write_cells(path, cells, at_commit)
        figures = "{bytes:>14,}{cycles:>14,}{price:>14,.0f}{seconds:>9.2f}"
        said = f"  {cell['error']}" if "error" in cell else figures.format(**cell)
        print(f"{name + ' on ' + chip:<48}{said}", flush=True)


def main() -> int:
    """Write the table; with --against, compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("networks", nargs="*", metavar="NETWORK", default=models.names())
    parser.add_argument("--chips", default=",".join(TARGETS), help=f"of {','.join(TARGETS)} (all)")
    parser.add_argument("--against", type=Path, metavar="FILE", help="a table of other code")
    parser.add_argument("--time-limit", type=float, metavar="SECONDS", help="begin no cell after that")
    parser.add_argument("--timeout", type=float, default=600, help="CPU seconds of a cell (600)")
    options = parser.parse_args()
    if unknown := [chip for chip in options.chips.split(",") if chip not in TARGETS]:
        parser.error(f"no chip {', '.join(unknown)}: choose of {', '.join(TARGETS)}")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    try:
        before = read_cells(options.against) if options.against else None
        cells = read_cells(options.out, commit(ROOT)) if options.out.exists() else {}
        files = dict(smallest_first(options.networks))
    except ValueError as error:
        parser.error(str(error))
    fill(options.out, cells, files, options)
    if before is None:
        return 0
    print(*summary(before, cells), sep="\n")
    return 1 if is_worse(before, cells) else 0


if __name__ == "__main__":
    with_one_thread()
    sys.exit(main())

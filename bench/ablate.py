"""What each mechanism of the compiler is worth: plans without it beside those with it.

    python bench/ablate.py ablation.json                             a sample: mechanisms where they may pay
    python bench/ablate.py ablation.json --only "last rows" --all    on all networks, also large ones
    python bench/ablate.py ablation.json --on "unet 512"             on one of them
    python bench/ablate.py ablation.json FILE.onnx … --chips "npu 64K"      on networks of your own

Every network is compiled as it is, and without each mechanism in turn, by processes of their own with one
thread; every program is verified.  A row per mechanism, most useful first:

    networks    on how many the plan becomes another, of so many that were compiled
    most, mean  what it saves: by how many percent the price is higher without it (the price of bytes and
                cycles as the objective `balanced` counts them); mean over all networks
    least       the same where it saves least; below 0, plans are better without it
    bytes, cycles, CPU    without it, as multiples of what they are with it: geometric means
    network     where it saves most

The file is written after every compilation, and what it holds is not compiled again.  Passes are left out
only where they change the network.  The exit status is 1 if a compilation fails only without a mechanism.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import onnx
from ablation_networks import NETWORKS, AblationNetwork
from compile import files_of, model_file
from mechanisms import ALL, Mechanism, passes_at_work
from plan_figures import TARGETS, Refused, figures_of, geometric_mean
from plan_table import ROOT, Cell, Cells, read_cells, write_cells
from processes import commit, in_a_copy, with_one_thread

import nnc
from nnc.compiler.plan.options import PlanOptions

ROW = "{:<32}{:>9}{:>8}{:>8}{:>8}{:>9}{:>9}{:>7}  {}"
HEAD = ("without", "networks", "most %", "mean %", "least %", "bytes", "cycles", "CPU", "network")
NOTABLE = 0.5, 0.1
"""Percent of the price that a mechanism should save on one network, or in the mean."""


def cell_name(network: str, mechanism: str = "") -> str:
    """The name of a compilation, of the network as it is if no mechanism is named."""
    return f"{network}, without {mechanism}" if mechanism else network


@dataclass(frozen=True)
class Effect:
    """What leaving out a mechanism does to a network: figures without it, as multiples of those with it."""

    network: str
    bytes: float
    cycles: float
    price: float
    seconds: float

    @property
    def is_another_plan(self) -> bool:
        """Whether bytes or cycles differ."""
        return self.bytes != 1 or self.cycles != 1

    @property
    def saved(self) -> float:
        """Percent of the price that the mechanism saves."""
        return 100 * (self.price - 1)


def effects(cells: Cells, mechanism: str) -> list[Effect]:
    """Of a mechanism on all networks that were compiled with it and without."""
    network_effects, suffix = [], cell_name("", mechanism)
    for name, without in cells.items():
        network = name.removesuffix(suffix)
        if network == name or "error" in without or "error" in cells.get(network, {"error": 1}):
            continue
        ratios = {m: without[m] / cells[network][m] for m in ("bytes", "cycles", "price", "seconds")}
        network_effects.append(Effect(network, **ratios))
    return network_effects


def failures(cells: Cells) -> list[str]:
    """Compilations that fail only without a mechanism, with the reason."""
    return [
        f"{name}: {cell['error']}"
        for name, cell in cells.items()
        if "error" in cell and "error" not in cells.get(name.split(", without ")[0], {"error": 1})
    ]


def mean(network_effects: Sequence[Effect]) -> float:
    """Percent of the price that a mechanism saves over all networks."""
    return sum(effect.saved for effect in network_effects) / len(network_effects)


def row(mechanism: str, network_effects: Sequence[Effect]) -> str:
    """A line of the table."""
    best, worst = (
        max(network_effects, key=lambda effect: effect.saved),
        min(network_effects, key=lambda effect: effect.saved),
    )
    changed = sum(effect.is_another_plan for effect in network_effects)
    ratios = [
        geometric_mean(getattr(e, measure) for e in network_effects)
        for measure in ("bytes", "cycles", "seconds")
    ]
    return ROW.format(
        mechanism,
        f"{changed} of {len(network_effects)}",
        *(f"{percent:.2f}" for percent in (best.saved, mean(network_effects), worst.saved)),
        *(f"{ratio:.4f}" for ratio in ratios[:2]),
        f"{ratios[2]:.2f}",
        f"{best.network}; least: {worst.network}" if changed else "",
    )


def table(cells: Cells, names: Sequence[str]) -> Iterator[str]:
    """The mechanisms, most useful first; those that save little; what failed."""
    by_name = {name: network_effects for name in names if (network_effects := effects(cells, name))}
    ordered = sorted(by_name, key=lambda name: -max(effect.saved for effect in by_name[name]))
    yield ROW.format(*HEAD)
    yield from (row(name, by_name[name]) for name in ordered)
    unused = [name for name in ordered if not any(effect.is_another_plan for effect in by_name[name])]
    yield f"in no plan: {', '.join(unused) or 'none'}"
    little = [name for name in ordered if name not in unused and is_little(by_name[name])]
    most, average = NOTABLE
    yield f"save under {most} % everywhere and {average} % in the mean: {', '.join(little) or 'none'}"
    failed = failures(cells)
    yield f"fail: {len(failed)}"
    yield from (f"  {line}" for line in failed)


def is_little(network_effects: Sequence[Effect]) -> bool:
    """Whether a mechanism saves too little to be worth it."""
    return max(effect.saved for effect in network_effects) < NOTABLE[0] and mean(network_effects) < NOTABLE[1]


@dataclass
class Ablation:
    """Compiles networks with and without mechanisms, and writes what it finds to a file.

    Attributes:
        code: its commit; cells: what is known of it; more is added.
        until: when no compilation is begun any more (seconds of `time.monotonic`).
        timeout: CPU seconds of one.
    """

    path: Path
    code: str
    cells: Cells
    until: float
    timeout: float

    def run(self, network: AblationNetwork, mechanisms: Sequence[Mechanism], folder: Path) -> None:
        """Compile a network as it is, and without each mechanism."""
        names = [cell_name(network.name, mechanism.name) for mechanism in mechanisms]
        if all(name in self.cells for name in (network.name, *names)) or time.monotonic() > self.until:
            return
        model = folder / "model.onnx"
        onnx.save(network.build(), model)
        self._compile(network.name, network, model, PlanOptions)
        if "error" in self.cells[network.name]:
            return
        chip = nnc.load_chip(network.target.chip, network.target.overrides)
        at_work = in_a_copy(partial(passes_at_work, model, chip), self.timeout)
        for name, mechanism in zip(names, mechanisms, strict=True):
            if mechanism.kinds or mechanism.name.removeprefix("pass ") in at_work:
                self._compile(name, network, model, partial(mechanism.off, PlanOptions()))

    def _compile(
        self, name: str, network: AblationNetwork, model: Path, options: Callable[[], PlanOptions]
    ) -> None:
        if name in self.cells or time.monotonic() > self.until:
            return
        cell: Cell
        try:
            cell = vars(figures_of(model, network.target, self.timeout, options, checked=True))
        except Refused as refused:
            cell = {"error": str(refused)}
        self.cells[name] = cell
        write_cells(self.path, self.cells, commit(ROOT))
        print(
            f"{name:<72}{cell.get('error') or '{price:>14,.0f}{seconds:>8.2f} s'.format(**cell)}", flush=True
        )


def worth_trying(
    network: AblationNetwork, mechanisms: Sequence[Mechanism], *, everything: bool
) -> list[Mechanism]:
    """Mechanisms that may pay on a network; passes are looked at when it is compiled."""
    return [m for m in mechanisms if everything or not m.kinds or not {*network.kinds}.isdisjoint(m.kinds)]


def networks_of(files: Sequence[str], chips: Sequence[str]) -> list[AblationNetwork]:
    """Networks of the user, on several chips."""

    return [
        AblationNetwork(
            f"{Path(file).name} on {chip}", partial(onnx.load, model_file(file)), TARGETS[chip], ()
        )
        for file in files_of([*files])
        for chip in chips
    ]


def main() -> int:
    """Compile what is missing and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("networks", nargs="*", metavar="FILE", help="default: a sample")
    parser.add_argument("--chips", default="npu 64K", help=f"for files: of {','.join(TARGETS)}")
    parser.add_argument("--all", action="store_true", help="all mechanisms on all networks, also large ones")
    parser.add_argument("--only", default="", help="mechanisms whose name contains this")
    parser.add_argument("--on", default="", help="networks whose name contains this")
    parser.add_argument("--time-limit", type=float, default=float("inf"), metavar="SECONDS")
    parser.add_argument("--timeout", type=float, default=600, help="CPU seconds of a compilation (600)")
    options = parser.parse_args()
    if unknown := [chip for chip in options.chips.split(",") if chip not in TARGETS]:
        parser.error(f"no chip {', '.join(unknown)}: choose of {', '.join(TARGETS)}")
    mechanisms = [mechanism for mechanism in ALL if options.only in mechanism.name]
    if not mechanisms:
        parser.error(f"no mechanism has {options.only!r} in its name: {', '.join(m.name for m in ALL)}")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    try:
        code = commit(ROOT)
        cells = read_cells(options.out, code) if options.out.exists() else {}
    except ValueError as error:
        parser.error(str(error))
    ablation = Ablation(options.out, code, cells, time.monotonic() + options.time_limit, options.timeout)
    own = networks_of(options.networks, options.chips.split(","))
    usual = [network for network in NETWORKS if options.all or options.on or network.in_sample]
    chosen = [network for network in own or usual if options.on in network.name]
    with tempfile.TemporaryDirectory() as folder:
        for network in chosen:
            tried = worth_trying(network, mechanisms, everything=options.all or bool(own))
            ablation.run(network, tried, Path(folder))
    print(*table(cells, [mechanism.name for mechanism in mechanisms]), sep="\n")
    return 1 if failures(cells) else 0


if __name__ == "__main__":
    with_one_thread()
    sys.exit(main())

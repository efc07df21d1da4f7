"""Random networks on all preset chips: does any program come out below a floor?

    python bench/floors.py [--networks 2000] [--seed 0] [--chips npu,npu4] [--worst 3]

Networks are those of the tests' generators; half of them are wide windows on small pictures, whose taps lie
on padding for the most part.  Every other one is compiled for one core of a chip on which time passes for
work alone (`BARE`): there, small networks come near to their floors.  Options change from network to network
(`OPTIONS`).  A ratio is what a program takes over what its network needs at least, by floor:

    peak, compute, order   predicted cycles (which tests hold to those that are simulated)
    dram                   predicted cycles, over the transfer of the least bytes
    bytes                  DRAM bytes that the program moves

The table has the least ratio of every floor on every chip; then come the worst networks, and the codes with
which others were refused.  A network with a ratio under 1 is kept in build/floors.  The exit status is 1 if
there is one.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import onnx
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from processes import with_one_thread
from rich.console import Console
from rich.progress import Progress

from nnc.compiler.floors import ordered_floor
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import Compilation, run_pipeline
from nnc.compiler.plan.options import PlanOptions
from nnc.isa.chip.load import load_chip, preset_names
from nnc.isa.errors import NncError
from nnc.runtime.session import Session

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "build" / "floors"
FLOORS = ("peak", "compute", "order", "dram", "bytes")
BARE = [
    "cores=1",
    "compute.issue=0",
    "dram.latency=0",
    "dram.bytes_per_cycle=65536",
    "dma.move_bytes_per_cycle=65536",
]
OPTIONS = (
    PlanOptions(),
    PlanOptions(objective="cycles"),
    PlanOptions(objective="traffic"),
    PlanOptions(fused=False),
)
"""Two networks are compiled with each of them in turn."""
ROW = "{:<12}{:>9}{:>9}" + "{:>9}" * len(FLOORS)
REMEDY = """
A floor is beaten, so it is none. Compile the kept network for its chip, as compiled() does, and see which
layer is below. Products are counted by compiler/needed_work.py, bytes by compiler/needed_elements.py, and
compiler/floors.py adds them up. Then put the kind of the network into tests/unit/compiler/test_floors.py."""


def compiled(model: onnx.ModelProto, chip: str, number: int) -> Compilation:
    """A network compiled as its number says: for the chip or one that is bare, with one of the options."""
    target = load_chip(chip, BARE if number % 2 else [])
    return run_pipeline(import_model(model), target, options=OPTIONS[number // 2 % len(OPTIONS)])


def floor_ratios(compilation: Compilation) -> dict[str, float]:
    """What a program takes over each floor of its network that is not 0, by name."""
    limits, chip, cycles = compilation.floors, compilation.program.chip, compilation.plan.cycles
    pairs = {
        "peak": (cycles, limits.peak_cycles),
        "compute": (cycles, limits.compute_cycles),
        "order": (cycles, ordered_floor(compilation.network, chip)),
        "dram": (cycles, limits.dram_cycles),
        "bytes": (Session(compilation.program).ledger.total, limits.dram_bytes),
    }
    return {name: taken / least for name, (taken, least) in pairs.items() if least}


@dataclass
class ChipRatios:
    """The ratios of a chip so far.

    Attributes:
        least: by floor.
        networks: least ratio and number of each network; refused: how many the chip does not take, by code.
    """

    chip: str
    least: dict[str, float] = field(default_factory=dict)
    networks: list[tuple[float, int, str]] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)

    def add(self, model: onnx.ModelProto, number: int) -> None:
        """Compile a network and enter its ratios; one below a floor is kept."""
        try:
            ratios = floor_ratios(compiled(model, self.chip, number))
        except NncError as error:
            self.refused[error.code] += 1
            return
        for name, ratio in ratios.items():
            self.least[name] = min(ratio, self.least.get(name, ratio))
        ratio, name = min((ratio, name) for name, ratio in ratios.items())
        self.networks.append((ratio, number, name))
        if ratio < 1:
            KEPT.mkdir(parents=True, exist_ok=True)
            onnx.save(model, KEPT / f"{number}.onnx")

    @property
    def beaten(self) -> int:
        """How many programs are below a floor."""
        return sum(ratio < 1 for ratio, _, _ in self.networks)


def networks(count: int, number: int) -> Iterator[onnx.ModelProto]:
    """Networks that hypothesis draws from a seed, all of them before the first is given out."""
    sys.path.append(str(ROOT / "tests" / "helpers"))
    conv_models, any_networks = import_module("conv_models"), import_module("random_networks")
    padded = import_module("random_padding").padded_networks()
    integers = conv_models.convolutions().map(lambda conv: conv_models.integer_conv(conv)[0])
    drawn: list[onnx.ModelProto] = []

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        phases=[Phase.generate],
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.one_of(padded, padded, any_networks.networks(), integers))
    def keep(model: Any) -> None:
        drawn.append(model)

    keep()
    yield from drawn


def show(chips: Sequence[ChipRatios], worst: int) -> None:
    """Print the table, and the worst networks of each chip."""
    print(ROW.format("chip", "compiled", "refused", *FLOORS))
    for chip in chips:
        ratios = (f"{chip.least[name]:.3f}" if name in chip.least else "-" for name in FLOORS)
        refused = sum(chip.refused.values())
        print(ROW.format(chip.chip, len(chip.networks), refused, *ratios))
    for chip in chips:
        listed = [f"{ratio:.3f} {name} (network {number})" for ratio, number, name in sorted(chip.networks)]
        codes = [f"{code} {count}" for code, count in sorted(chip.refused.items())]
        print(f"{chip.chip}: worst " + ", ".join(listed[:worst] or ["-"]))
        print(f"{chip.chip}: refused " + (", ".join(codes) or "none"))


def main() -> int:
    """Compile, print, and say whether all floors hold."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--networks", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--chips", default=",".join(preset_names()))
    parser.add_argument("--worst", type=int, default=3, help="how many networks are named per chip")
    arguments = parser.parse_args()
    chips = [ChipRatios(name) for name in arguments.chips.split(",")]
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("compiled", total=arguments.networks)
        for number, model in enumerate(networks(arguments.networks, arguments.seed)):
            for chip in chips:
                chip.add(model, number)
            beaten = sum(chip.beaten for chip in chips)
            progress.update(task, advance=1, description=f"compiled, {beaten} below a floor")
    show(chips, arguments.worst)
    if any(chip.beaten for chip in chips):
        print(
            f"{REMEDY}\nKept: {KEPT.relative_to(ROOT)}/NUMBER.onnx, NUMBER % 4 = 3: PlanOptions(fused=False)."
        )
        return 1
    print("No program is below a floor.")
    return 0


if __name__ == "__main__":
    with_one_thread()
    sys.exit(main())

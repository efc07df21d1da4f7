"""CPU seconds and memory of compilations, beside what they may take.

    python bench/compile.py [NETWORK, FILE.onnx or FOLDER …] [--chip npu] [--set memory.sram.bytes=1MiB]
    python bench/compile.py --trees ../before,. --rounds 5

Networks are those of `nnc models`, chains of so many convolutions (`residual-400`, `varied-400`), attention
of so many tokens (`attention-2048`), ONNX files or folders of them; without any, those of `BARS`.  Each is
compiled by processes of its own with one thread, which keep Python's byte code for the next ones
(`--rounds`).  Columns:

    layers      nodes as they are imported
    start       CPU seconds until the compiler is loaded; compile: from the file to the program (medians)
    peak MB     of the process
    bar         what `compile` may take: of a named network its own, else 0.5 s and 15 ms for each layer

With --trees, several checkouts take turns, and each has its columns: machines that do other things as well
compare only so.  A compilation that fails or takes too long is a line as well.  The exit status is the
number of those and of compilations above their bars (in the last tree).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import onnx
from attention import attention
from processes import TooSlow, run_measured, with_one_thread

from nnc import models
from nnc.models.builder import NetBuilder

FOLDER = Path("build/bench")
SECONDS, SECONDS_PER_LAYER = 0.5, 0.015
TWO_MIB = "memory.sram.bytes=2MiB"


@dataclass(frozen=True)
class Case:
    """A network, and how it is compiled.

    Attributes:
        bar: CPU seconds that it may take; None: by its layers.
    """

    network: str
    chip: str = "npu"
    overrides: tuple[str, ...] = ()
    bar: float | None = None

    def __str__(self) -> str:
        return " ".join((Path(self.network).stem, self.chip, *self.overrides))


BARS = (
    Case("lenet5"),
    Case("squeezenet"),
    Case("resnet18"),
    Case("resnet50", overrides=(TWO_MIB,), bar=2.3),
    Case("mobilenet_v2", bar=1.3),
    Case("googlenet"),
    Case("residual-100"),
    Case("residual-400", bar=12.0),
    Case("residual-1600", bar=4.4 * 12.0),
    Case("varied-100"),
    Case("varied-400", bar=12.0),
    Case("vgg16", "vdsp12", bar=12.0),
    Case("attention-2048"),
)

BARS_OF_FILES = {"densenet121": 8.0, "efficientnet_b0": 4.0, "vit_b_16": 8.0, "swin_t": 10.0, "yolov8n": 6.0}
"""CPU seconds of ONNX files of these names: well-known networks that `nnc models` does not have."""

COMPILATION = """
import json, sys, time
import nnc, nnc.compiler.pipeline
model, chip, *overrides = sys.argv[1:]
chip, start = nnc.load_chip(chip, overrides), time.process_time()
nnc.compile(model, chip)
json.dump([start, time.process_time() - start], sys.stdout)
"""


def residual_chain(convolutions: int) -> onnx.ModelProto:
    """Blocks of two convolutions, 32 channels of 28 × 28 pixels, each with a sum: all alike."""
    net = NetBuilder("residual", (1, 32, 28, 28), width=1, seed=0)
    x = net.input
    for _ in range(convolutions // 2):
        y = net.conv(net.relu(net.conv(x, 32, 3, pad=1)), 32, 3, pad=1)
        x = net.relu(net.add(y, x))
    return net.finish(x)


def varied_chain(convolutions: int) -> onnx.ModelProto:
    """Convolutions of 28 × 28 pixels with 8 to 64 channels and kernels of 1 to 5: hardly two alike."""
    net, draw = NetBuilder("varied", (1, 16, 28, 28), width=1, seed=0), random.Random(0)
    x = net.input
    for _ in range(convolutions):
        kernel = draw.choice((1, 3, 3, 5))
        x = net.relu(net.conv(x, draw.randrange(8, 65), kernel, pad=kernel // 2))
    return net.finish(x)


CHAINS = {"residual": residual_chain, "varied": varied_chain, "attention": attention}


def bar_of(case: Case, layers: int) -> float:
    """CPU seconds that a compilation may take."""
    bars = {(entry.network, entry.chip, entry.overrides): entry.bar for entry in BARS}
    own = bars.get((case.network, case.chip, case.overrides)) or BARS_OF_FILES.get(Path(case.network).stem)
    return own or SECONDS + layers * SECONDS_PER_LAYER


def files_of(networks: list[str]) -> list[str]:
    """Networks, with the ONNX files of a folder in its place."""
    files = []
    for name in networks:
        files += [str(path) for path in sorted(Path(name).glob("*.onnx"))] if Path(name).is_dir() else [name]
    return files


def model_file(network: str) -> Path:
    """The ONNX file of a network, written the first time."""
    if network.endswith(".onnx"):
        return Path(network).resolve()
    path = FOLDER / f"{network}.onnx"
    if not path.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        kind, _, count = network.rpartition("-")
        model = CHAINS[kind](int(count)) if kind in CHAINS else models.build(network)
        onnx.save(model, path)
    return path.resolve()


@dataclass(frozen=True)
class Measured:
    """Medians over the rounds: CPU seconds, and the peak memory in bytes."""

    start: float
    compile: float
    memory: float

    def __str__(self) -> str:
        return f"{self.start:>6.2f}{self.compile:>9.2f}{self.memory / 1e6:>9.0f}"


def measure(case: Case, trees: list[str], rounds: int, timeout: float) -> list[Measured | str]:
    """Compile a network in all trees, which take turns; the reason, where one fails."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    runs: list[list[tuple[float, float, int]]] = [[] for _ in trees]
    failed: dict[int, str] = {}
    for _ in range(rounds):
        for index, tree in enumerate(trees):
            if index in failed:
                continue
            os.environ["PYTHONPATH"] = str(Path(tree).resolve())
            os.environ["PYTHONSAFEPATH"] = "1"  # else the folder that it is started in comes first
            command = [sys.executable, "-c", COMPILATION, str(model_file(case.network)), case.chip]
            try:
                output, memory = run_measured([*command, *case.overrides], timeout)
            except TooSlow:
                failed[index] = f"over {timeout:g} s"
            except subprocess.CalledProcessError as error:
                failed[index] = f"failed, status {error.returncode}"
            else:
                runs[index].append((*json.loads(output), memory))
    return [
        failed.get(index) or Measured(*map(statistics.median, zip(*tree_runs, strict=True)))
        for index, tree_runs in enumerate(runs)
    ]


def main() -> int:
    """Print the table; returns how many compilations were too slow."""
    parser = argparse.ArgumentParser(description="CPU seconds of compilations beside what they may take")
    parser.add_argument("networks", nargs="*", metavar="NETWORK")
    parser.add_argument("--chip", default="npu")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="overrides")
    parser.add_argument("--rounds", type=int, default=1, help="compilations of each (default 1)")
    parser.add_argument("--trees", default=".", help="checkouts that take turns, with commas (default: this)")
    parser.add_argument("--timeout", type=float, default=600, help="seconds (default 600)")
    options = parser.parse_args()
    trees, overrides = options.trees.split(","), tuple(options.overrides)
    cases = [Case(name, options.chip, overrides) for name in files_of(options.networks)] or BARS
    head = "".join(f"{'start':>10}{'compile':>9}{'peak MB':>9}" for _ in trees)
    print(f"{'network':<44}{'layers':>7}{head}{'bar':>8}")
    slow = 0
    for case in cases:
        layers = len(onnx.load(model_file(case.network), load_external_data=False).graph.node)
        bar = bar_of(case, layers)
        results = measure(case, trees, options.rounds, options.timeout)
        last = results[-1]
        mark = "" if isinstance(last, Measured) and last.compile <= bar else "  slow"
        slow += bool(mark)
        print(
            f"{case!s:<44}{layers:>7}{''.join(f'{result!s:>28}' for result in results)}{bar:>8.1f}{mark}",
            flush=True,
        )
    return slow


if __name__ == "__main__":
    with_one_thread()
    sys.exit(main())

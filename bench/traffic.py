"""DRAM traffic of whole networks over SRAM sizes, beside the floor, layer by layer, and the targets.

    python bench/traffic.py [NETWORK …] [--sizes 128K,512K] [--objective traffic] [--no-int8] [--vgg16]
    python bench/traffic.py attention-1024 --sizes 128K --objective balanced

Networks are quantised to int8 by `nnc quantize` on random data, inputs and outputs included (build/bench
keeps them), and compiled for the chip `npu` with so much SRAM.  With --no-int8 they stay float32, the chip
gets four times the SRAM, and a fourth of the bytes is shown; so does attention of so many tokens
(`attention-1024`), whose keys come in pieces in float32 only.  Weights are random.  Every cell is compiled by
`nnc compile` and executed by `nnc run --check` (outputs must equal onnxruntime's) in processes of their own,
with one thread and a time limit.  Columns:

    floor       MB: every parameter, input and output once
    LBL         MB, layer by layer: every layer reads its inputs and weights once and writes its result once;
                activations are fused, additions and pools are layers, concatenation is free
    M1          MB, compiled with --overlap recompute: rows that two parts need are computed (and their
                inputs read) again, as the method was published
    nnc         MB that the simulated chip moved
    f32/4       MB that are predicted for float32 with four times the SRAM, divided by 4 (biases and tables,
                which stay 4 bytes in int8, count a quarter there)
    ÷ floor     nnc ÷ floor; `target` is what it should not exceed (by more than 0.02 in int8)
    ÷ LBL       nnc ÷ LBL, which should be below 1 from 128K up
    compile     seconds, which should not exceed 10 (5 for resnet50 at 512K); peak MiB: memory of the compiler
    bytes       whether the plan predicted exactly the bytes that were moved

The last column is `ok`, or what went wrong or missed its mark; the exit status is 1 unless all are ok.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from attention import attention
from processes import TooSlow, run_measured, with_one_thread

from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.graph import Graph
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.options import OBJECTIVES
from nnc.isa.program_file.binary import load_program

FOLDER = Path("build/bench")
NETWORKS = ("resnet18", "resnet50", "mobilenet_v2", "squeezenet", "vgg_first5")
SIZES = {"64K": 64, "128K": 128, "256K": 256, "512K": 512, "1M": 1024, "2M": 2048}
"""SRAM in KiB, int8 equivalent, by name."""
ITEM = 4
"""Bytes of a float32 for one of an int8."""

TARGETS = {
    "mobilenet_v2": {"128K": 1.15, "256K": 1.05, "512K": 1.03, "1M": 1.02},
    "squeezenet": {"128K": 1.12, "256K": 1.05, "512K": 1.03, "1M": 1.02},
    "resnet18": {"128K": 1.25, "256K": 1.10, "512K": 1.03, "1M": 1.02},
    "resnet50": {"128K": 2.0, "256K": 1.5, "512K": 1.20, "1M": 1.05},
    "vgg_first5": {"128K": 8.5, "256K": 3.0, "512K": 1.45, "1M": 1.02},
}
"""Most DRAM bytes as a multiple of the floor."""
COMPILE_SECONDS = 10.0
COMPILE_SECONDS_OF = {("resnet50", "512K"): 5.0}

SLACK = 0.02
"""By which int8 may exceed a target: biases, which stay 4 bytes, are read with every part's weights."""
QUANTIZE = ("--random", "2", "--integer-io")
"""How networks are quantised: inputs are integers, too, as a camera gives them."""

COLUMNS = {
    "network": -13, "SRAM": 5, "floor": 7, "LBL": 7, "M1": 7, "nnc": 7, "f32/4": 7, "÷ floor": 8, "target": 7,
    "÷ LBL": 6, "compile": 8, "peak MiB": 9, "bytes": 10,
}  # fmt: skip
"""Titles and widths; a negative one stands left."""


@dataclass(frozen=True)
class Network:
    """A network on disk, as float32 and as it is measured, and the bytes that it moves layer by layer."""

    name: str
    float_path: Path
    path: Path
    layer_by_layer: int

    @property
    def item(self) -> int:
        """Bytes that are shown as one: 4 of a float32 network."""
        return ITEM if self.path == self.float_path else 1


@dataclass(frozen=True)
class Measured:
    """What compiling and running gave, in bytes of the network that ran; `as_float` is int8 equivalent."""

    floor: int
    as_float: float
    recomputing: int
    predicted: int
    moved: int
    compile_seconds: float
    peak_memory: int


class Failed(Exception):
    """Compiling or running failed; the message says how."""


def _tokens(name: str) -> int:
    """Of attention, over how many tokens; of another network, 0."""
    kind, _, count = name.rpartition("-")
    return int(count) if kind == "attention" and count.isdigit() else 0


@cache
def prepared(name: str, *, int8: bool, timeout: float) -> Network:
    """Build a network, and quantise it unless that has been done before.

    Raises:
        Failed: it cannot be quantised in time.
    """
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = float_path = FOLDER / f"{name}.onnx"
    tokens = _tokens(name)
    data = (attention(tokens) if tokens else models.build(name)).SerializeToString()
    float_path.write_bytes(data)
    if int8 and not tokens:
        key = hashlib.sha256(data + " ".join(QUANTIZE).encode()).hexdigest()[:8]
        path = FOLDER / f"{name}.{key}.int8.onnx"
        if not path.exists():
            _nnc(["quantize", str(float_path), "-o", str(path), *QUANTIZE], timeout)
    return Network(name, float_path, path, layer_by_layer_bytes(canonicalise(import_model(path))))


def layer_by_layer_bytes(graph: Graph) -> int:
    """Bytes that a canonical graph moves layer by layer; an addition that is fused counts as a layer."""
    total = 0
    for layer in graph.layers():
        if layer.is_view:
            continue
        result = graph.types[graph.output_of(layer.name)].nbytes
        total += result + sum(graph.types[t].nbytes for t in graph.inputs_of(layer.name) if t is not None)
        if graph.operand(layer.name, 3) is not None:
            total += 2 * result  # written before the addition, read by it
    return total


def measure(network: Network, size: str, objective: str, timeout: float) -> Measured:
    """Compile and run one cell.

    Raises:
        Failed: one of them failed, gave wrong outputs, or took too long.
    """
    program = FOLDER / f"{network.name}.bin"
    options = ["--objective", objective, "--set", f"memory.sram.bytes={SIZES[size] * network.item}KiB"]
    compiling = ["compile", str(network.path), "-o", str(program), *options]
    published, _ = _nnc([*compiling, "--overlap", "recompute"], timeout)
    report, memory = _nnc(compiling, timeout)
    wide = report
    if network.path != network.float_path:
        options[-1] = f"memory.sram.bytes={SIZES[size] * ITEM}KiB"
        wide, _ = _nnc(["compile", str(network.float_path), *options], timeout)
    ran, _ = _nnc(["run", str(program), "--check", str(network.path)], timeout)
    return Measured(
        floor=report["network"]["floor"]["dram_bytes"],
        as_float=_moved(wide) / ITEM,
        recomputing=_moved(published),
        predicted=load_program(program).facts["predicted_dram_bytes"],
        moved=_moved(ran),
        compile_seconds=report["compile_seconds"],
        peak_memory=memory,
    )


def _moved(report: dict[str, Any]) -> int:
    """DRAM bytes of a program."""
    nbytes: int = report["network"]["figures"]["dram"]["total_bytes"]
    return nbytes


def _nnc(arguments: list[str], timeout: float) -> tuple[dict[str, Any], int]:
    """The JSON that a command prints, and its peak memory in bytes."""
    try:
        output, memory = run_measured([sys.executable, "-m", "nnc", *arguments, "--json"], timeout)
    except TooSlow:
        raise Failed(f"TIME-OUT: {arguments[0]} took more than {timeout:.0f} s") from None
    except subprocess.CalledProcessError as error:
        raise Failed(f"FAILED: {arguments[0]} ended with status {error.returncode}") from None
    return json.loads(output), memory


def misses(network: Network, size: str, measured: Measured) -> list[str]:
    """The marks that a cell misses, in words."""
    said = []
    target = TARGETS.get(network.name, {}).get(size)
    if measured.moved != measured.predicted:
        said.append("PREDICTION WRONG")
    slack = SLACK if network.item == 1 else 0
    if target is not None and measured.moved > (target + slack) * measured.floor:
        said.append("above target")
    if SIZES[size] >= 128 and measured.moved >= network.layer_by_layer:
        said.append("not below LBL")
    limit = COMPILE_SECONDS_OF.get((network.name, size), COMPILE_SECONDS)
    if measured.compile_seconds > limit:
        said.append(f"compile > {limit:.0f} s")
    return said


def row(network: Network, size: str, measured: Measured, verdict: str) -> str:
    """One line of the table."""
    target = TARGETS.get(network.name, {}).get(size)
    moved = (measured.floor, network.layer_by_layer, measured.recomputing, measured.moved)
    return line(
        network.name,
        size,
        *(f"{count / network.item / 1e6:.2f}" for count in moved),
        f"{measured.as_float / 1e6:.2f}",
        f"{measured.moved / measured.floor:.3f}",
        "-" if target is None else f"{target:.2f}",
        f"{measured.moved / network.layer_by_layer:.2f}",
        f"{measured.compile_seconds:.1f} s",
        f"{measured.peak_memory / 2**20:.0f}",
        "predicted" if measured.moved == measured.predicted else f"{measured.moved - measured.predicted:+,}",
        verdict,
    )


def line(*cells: str) -> str:
    """Cells in the columns of the table, and what follows them."""
    placed = [
        f"{cell:<{-width}}" if width < 0 else f"{cell:>{width}}"
        for cell, width in zip(cells, COLUMNS.values(), strict=False)
    ]
    return " ".join([*placed, "", *cells[len(placed) :]]).rstrip()


def _sizes(text: str) -> list[str]:
    chosen = text.split(",")
    if unknown := [size for size in chosen if size not in SIZES]:
        raise argparse.ArgumentTypeError(f"{', '.join(unknown)} is not one of {', '.join(SIZES)}")
    return chosen


def main() -> int:
    """Print the table row by row; the exit status."""
    parser = argparse.ArgumentParser(description="DRAM traffic of whole networks over SRAM sizes")
    parser.add_argument("networks", nargs="*", metavar="NETWORK", help=f"default: {' '.join(NETWORKS)}")
    parser.add_argument("--sizes", type=_sizes, default=list(SIZES), help=f"of {','.join(SIZES)} (all)")
    parser.add_argument("--objective", choices=tuple(OBJECTIVES), default="traffic", help="default: traffic")
    parser.add_argument(
        "--int8", action=argparse.BooleanOptionalAction, default=True, help="quantised networks (default)"
    )
    parser.add_argument("--vgg16", action="store_true", help="the convolutions of VGG-16, too (slow)")
    parser.add_argument("--timeout", type=float, default=180, help="seconds for each command (180)")
    options = parser.parse_args()
    names = [*(options.networks or NETWORKS), *(["vgg16_conv"] if options.vgg16 else [])]
    if unknown := [name for name in names if name not in models.names() and not _tokens(name)]:
        parser.error(f"no network {', '.join(unknown)}: nnc models lists them")
    what = "int8" if options.int8 else "float32; MB and SRAM are a fourth"
    print(f"--objective {options.objective}, {what}\n")
    print(line(*COLUMNS))
    cells = good = 0
    for name in names:
        for size in options.sizes:
            cells += 1
            try:
                network = prepared(name, int8=options.int8, timeout=options.timeout)
                measured = measure(network, size, options.objective, options.timeout)
            except Failed as error:
                text, said = line(name, size, *["-"] * (len(COLUMNS) - 2), str(error)), [str(error)]
            else:
                said = misses(network, size, measured) if options.objective == "traffic" else []
                text = row(network, size, measured, "; ".join(said) or "ok")
            good += not said
            print(text, flush=True)
    print(f"\n{good} of {cells} ok")
    return 0 if good == cells else 1


if __name__ == "__main__":
    with_one_thread()
    sys.exit(main())

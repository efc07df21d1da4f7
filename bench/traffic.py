"""DRAM traffic of whole networks over SRAM sizes, beside the floor, layer by layer, and the targets.

    python bench/traffic.py [NETWORK …] [--sizes 128K,512K] [--objective traffic] [--vgg16] [--timeout 180]

Sizes and bytes are int8 equivalents: networks are float32, so the chip `npu` gets four times the SRAM, and a
fourth of the bytes is shown.  Weights are random.  Every cell is compiled by `nnc compile` and executed by
`nnc run --check` (outputs must equal onnxruntime's) in processes of their own, with one thread and a time
limit.  Columns:

    floor       MB: every parameter, input and output once
    LBL         MB, layer by layer: every layer reads its inputs and weights once and writes its result once;
                activations are fused, additions and pools are layers, concatenation is free
    M1          MB, compiled with --overlap recompute: rows that two parts need are computed (and their
                inputs read) again, as the method was published
    nnc         MB that the simulated chip moved
    ÷ floor     nnc ÷ floor; `target` is what it should not exceed
    ÷ LBL       nnc ÷ LBL, which should be below 1 from 128K up
    compile     seconds, which should not exceed 10 (5 for resnet50 at 512K); peak MiB: memory of the compiler
    bytes       whether the plan predicted exactly the bytes that were moved

The last column is `ok`, or what went wrong or missed its mark; the exit status is 1 unless all are ok.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import onnx
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

ROW = "{:<13}{:>6}{:>9}{:>9}{:>9}{:>9}{:>9}{:>8}{:>7}{:>9}{:>10}{:>11}  {}"
HEAD = (
    "network",
    "SRAM",
    "floor",
    "LBL",
    "M1",
    "nnc",
    "÷ floor",
    "target",
    "÷ LBL",
    "compile",
    "peak MiB",
    "bytes",
    "",
)


@dataclass(frozen=True)
class Network:
    """A network on disk, and the bytes that it moves layer by layer."""

    name: str
    path: Path
    layer_by_layer: int


@dataclass(frozen=True)
class Measured:
    """What compiling and running gave: bytes as float32, memory in bytes."""

    floor: int
    recomputing: int
    predicted: int
    moved: int
    compile_seconds: float
    peak_memory: int


class Failed(Exception):
    """Compiling or running failed; the message says how."""


def prepare(name: str) -> Network:
    """Build a network."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{name}.onnx"
    onnx.save(models.build(name), path)
    return Network(name, path, layer_by_layer_bytes(canonicalise(import_model(path))))


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
    kib = SIZES[size] * ITEM
    compiling = ["compile", str(network.path), "-o", str(program), "--set", f"memory.sram.bytes={kib}KiB"]
    published, _ = _nnc([*compiling, "--objective", objective, "--overlap", "recompute"], timeout)
    report, memory = _nnc([*compiling, "--objective", objective], timeout)
    ran, _ = _nnc(["run", str(program), "--check", str(network.path)], timeout)
    return Measured(
        floor=report["dram"]["floor_bytes"],
        recomputing=published["dram"]["total_bytes"],
        predicted=load_program(program).facts["predicted_dram_bytes"],
        moved=ran["dram"]["total_bytes"],
        compile_seconds=report["compile_seconds"],
        peak_memory=memory,
    )


def _nnc(arguments: list[str], timeout: float) -> tuple[dict[str, Any], int]:
    """The JSON that a command prints, and its peak memory in bytes."""
    try:
        output, memory = run_measured([sys.executable, "-m", "nnc", *arguments, "--json"], timeout)
    except TooSlow:
        raise Failed(f"TIME-OUT: {arguments[0]} took more than {timeout:.0f} s") from None
    except subprocess.CalledProcessError as error:
        raise Failed(f"FAILED: {arguments[0]} ended with status {error.returncode}") from None
    return json.loads(output), memory


def misses(network: Network, size: str, found: Measured) -> list[str]:
    """The marks that a cell misses, in words."""
    said = []
    target = TARGETS.get(network.name, {}).get(size)
    if found.moved != found.predicted:
        said.append("PREDICTION WRONG")
    if target is not None and found.moved > target * found.floor:
        said.append("above target")
    if SIZES[size] >= 128 and found.moved >= network.layer_by_layer:
        said.append("not below LBL")
    limit = COMPILE_SECONDS_OF.get((network.name, size), COMPILE_SECONDS)
    if found.compile_seconds > limit:
        said.append(f"compile > {limit:.0f} s")
    return said


def row(network: Network, size: str, found: Measured, verdict: str) -> str:
    """One line of the table."""
    target = TARGETS.get(network.name, {}).get(size)
    return ROW.format(
        network.name,
        size,
        _megabytes(found.floor),
        _megabytes(network.layer_by_layer),
        _megabytes(found.recomputing),
        _megabytes(found.moved),
        f"{found.moved / found.floor:.3f}",
        "-" if target is None else f"{target:.2f}",
        f"{found.moved / network.layer_by_layer:.2f}",
        f"{found.compile_seconds:.1f} s",
        f"{found.peak_memory / 2**20:.0f}",
        "predicted" if found.moved == found.predicted else f"{found.moved - found.predicted:+,}",
        verdict,
    ).rstrip()


def _megabytes(count: int) -> str:
    return f"{count / ITEM / 1e6:.2f}"


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
    parser.add_argument("--vgg16", action="store_true", help="the convolutions of VGG-16, too (slow)")
    parser.add_argument("--timeout", type=float, default=180, help="seconds for each command (180)")
    options = parser.parse_args()
    names = [*(options.networks or NETWORKS), *(["vgg16_conv"] if options.vgg16 else [])]
    if unknown := [name for name in names if name not in models.names()]:
        parser.error(f"no network {', '.join(unknown)}: nnc models lists them")
    print(f"--objective {options.objective}; MB and SRAM are int8 equivalents\n")
    print(ROW.format(*HEAD).rstrip())
    cells = good = 0
    for name in names:
        network = prepare(name)
        for size in options.sizes:
            cells += 1
            try:
                found = measure(network, size, options.objective, options.timeout)
            except Failed as error:
                line, said = ROW.format(name, size, *["-"] * 10, error), [str(error)]
            else:
                said = misses(network, size, found) if options.objective == "traffic" else []
                line = row(network, size, found, "; ".join(said) or "ok")
            good += not said
            print(line, flush=True)
    print(f"\n{good} of {cells} ok")
    return 0 if good == cells else 1


if __name__ == "__main__":
    with_one_thread()
    sys.exit(main())

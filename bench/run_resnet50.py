"""Compile time, peak memory and run time of whole networks, beside peers and physical limits.

    python bench/run_resnet50.py [NETWORK …] [--rounds 7]

Networks have random weights, float32, and are compiled for the chip `npu` with 2 MiB of SRAM.  Runs are those
after the first, with one thread, the engines taking turns; every figure of time is a median.  The peers:
onnxruntime, and the whole-layer numpy interpreter of this folder.  "sgemm limit" is the time that the MACs of
the network would take at the rate that numpy's matrix product reaches on this machine.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from numpy_interpreter import Array, Interpreter
from processes import run_measured, with_one_thread

import nnc
from nnc import models

FOLDER = Path("build/bench")
CHIP = ("--chip", "npu", "--set", "memory.sram.bytes=2MiB")
TOLERANCE = 1e-4  # of the largest magnitude of the output
SGEMM = 1024  # rows, columns and depth of the product that finds the peak of the machine

Runner = Callable[[], Array]
Row = dict[str, str]


def compile_network(name: str) -> tuple[onnx.ModelProto, Path, dict[str, Any], int]:
    """Build and compile a network with the command; gives its report and its peak memory in bytes."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    model = models.build(name)
    source, program = FOLDER / f"{name}.onnx", FOLDER / f"{name}.bin"
    onnx.save(model, source)
    command = [sys.executable, "-m", "nnc", "compile", str(source), "-o", str(program), *CHIP, "--json"]
    output, memory = run_measured(command)
    return model, program, json.loads(output), memory


def runners(model: onnx.ModelProto, program: Path) -> dict[str, Runner]:
    """The same network and image on nnc's simulated chip, in onnxruntime and in numpy."""
    shape = [d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim]
    image: Array = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    chip = nnc.Session(nnc.load_program(program))
    peer = onnxruntime.InferenceSession(model.SerializeToString(), options)
    plain = Interpreter(model)
    feed = {model.graph.input[0].name: image}
    return {
        "nnc": lambda: chip.run(None, feed)[0],
        "onnxruntime": lambda: peer.run(None, feed)[0],
        "numpy": lambda: plain.run(image),
    }


def check(outputs: Mapping[str, Array]) -> None:
    """Insist that all engines gave the same output."""
    expected = outputs["onnxruntime"]
    for name, output in outputs.items():
        error = float(np.abs(output - expected).max() / np.abs(expected).max())
        if not error <= TOLERANCE:
            sys.exit(f"{name} differs from onnxruntime by {error:.1e} of the largest output")


def medians(engines: Mapping[str, Runner], rounds: int) -> dict[str, float]:
    """Seconds per run of each engine: median over the rounds, in which they take turns."""
    times: dict[str, list[float]] = {name: [] for name in engines}
    for _ in range(rounds):
        for name, run in engines.items():
            start = time.perf_counter()
            run()
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in times.items()}


def macs_per_second(rounds: int) -> float:
    """Multiply-accumulates per second of numpy's float32 matrix product on one thread."""
    a = np.random.default_rng(0).standard_normal((SGEMM, SGEMM)).astype(np.float32)
    return SGEMM**3 / medians({"sgemm": lambda: a @ a}, rounds)["sgemm"]


def table(rows: Sequence[Row]) -> str:
    """Plain text under the keys of the rows, columns aligned to the right but the first."""
    widths = {key: max(len(key), *(len(row[key]) for row in rows)) for key in rows[0]}
    lines = [{key: key for key in widths}, {key: "-" * width for key, width in widths.items()}, *rows]
    first = next(iter(widths))
    return "\n".join(
        "  ".join(line[key].ljust(w) if key == first else line[key].rjust(w) for key, w in widths.items())
        for line in lines
    )


def host_row(name: str, report: dict[str, Any], memory: int, times: dict[str, float], limit: float) -> Row:
    """How long this machine took."""
    return {
        "network": name,
        "compile": f"{report['compile_seconds']:.2f} s",
        "peak memory": f"{memory / 2**20:.0f} MiB",
        "nnc run": f"{1000 * times['nnc']:.1f} ms",
        "onnxruntime": f"{1000 * times['onnxruntime']:.1f} ms",
        "numpy": f"{1000 * times['numpy']:.1f} ms",
        "sgemm limit": f"{1000 * limit:.1f} ms",
        "÷ onnxruntime": f"{times['nnc'] / times['onnxruntime']:.2f}",
        "÷ numpy": f"{times['nnc'] / times['numpy']:.2f}",
    }


def chip_row(name: str, report: dict[str, Any]) -> Row:
    """What the simulated chip does, beside what no schedule can beat."""
    network, floor = report["network"], report["network"]["floor"]
    moved, least = (
        network["figures"]["dram"]["total_bytes"],
        max(floor["compute_cycles"], floor["dram_cycles"]),
    )
    return {
        "network": name,
        "instructions": f"{report['instructions']['total']:,}",
        "DRAM bytes": f"{moved:,}",
        "floor": f"{floor['dram_bytes']:,}",
        "÷ floor": f"{moved / floor['dram_bytes']:.2f}",
        "cycles": f"{network['cycles']:,}",
        "compute floor": f"{floor['compute_cycles']:,}",
        "DRAM floor": f"{floor['dram_cycles']:,}",
        "peak floor": f"{floor['peak_cycles']:,}",
        "÷ larger floor": f"{network['cycles'] / least:.2f}",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="measure whole networks beside peers and physical limits")
    parser.add_argument("networks", nargs="*", default=["resnet50", "mobilenet_v2"], metavar="NETWORK")
    parser.add_argument("--rounds", type=int, default=7, help="runs of each engine (default 7)")
    options = parser.parse_args()
    host, chip = [], []
    rate = macs_per_second(options.rounds)
    for name in options.networks:
        print(f"{name} …", file=sys.stderr, flush=True)
        model, program, report, memory = compile_network(name)
        engines = runners(model, program)
        check({engine: run() for engine, run in engines.items()})  # the first run, not counted
        macs = nnc.load_program(program).facts["macs"]
        host.append(host_row(name, report, memory, medians(engines, options.rounds), macs / rate))
        chip.append(chip_row(name, report))
    print(f"On this machine, one thread, medians of {options.rounds} runs after the first:\n")
    print(table(host))
    print(f"\nOn the simulated chip ({' '.join(CHIP)}), cycles as predicted:\n")
    print(table(chip))


if __name__ == "__main__":
    with_one_thread()
    main()

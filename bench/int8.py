"""How long quantised networks run on the simulated chip, beside onnxruntime on the same model.

    python bench/int8.py [NETWORK …] [--chips npu,npu4] [--rounds 15]

Networks have random weights and are quantised by `nnc quantize` on random pictures (QDQ, 224 × 224, batch 1)
with either type of activations.  Times are CPU milliseconds of `Session.run` after the first, on one thread,
medians of rounds in which the engines take turns in one process.  Columns:

    BLAS            nnc with products of bytes by float32 BLAS: a session with blas_only=True
    nnc             a session as it is by default, with products by onnxruntime's MatMulInteger where they pay
    onnxruntime     the whole model, optimised: on x86 its kernels of u8 × s8 are the fast ones
    ÷ onnxruntime   nnc ÷ onnxruntime, which should not exceed 3

Both sessions must give the same bits.  The exit status is 1 if they do not, or a mark is missed.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import onnx
import onnxruntime
from processes import run_measured, with_one_thread
from run_resnet50 import Runner, table

import nnc
from nnc import models
from nnc.io.inputs import random_inputs

FOLDER = Path("build/bench")
ACTIVATIONS = ("u8", "s8")
MARK = 3.0


def quantised(name: str, activations: str) -> Path:
    """The file of a quantised network."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    source, target = FOLDER / f"{name}.onnx", FOLDER / f"{name}.{activations}.onnx"
    onnx.save(models.build(name), source)
    command = [sys.executable, "-m", "nnc", "quantize", str(source), "-o", str(target)]
    run_measured([*command, "--random", "2", "--activations", activations])
    return target


def runners(model: Path, chip: str) -> dict[str, Runner]:
    """The same network and picture on the simulated chip, with BLAS alone and without, and in onnxruntime."""
    program = nnc.compile(model, chip)
    plain, fast = nnc.Session(program, blas_only=True), nnc.Session(program)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    peer = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    feed = random_inputs(program, 0)
    return {
        "BLAS": lambda: plain.run(None, feed)[0],
        "nnc": lambda: fast.run(None, feed)[0],
        "onnxruntime": lambda: peer.run(None, feed)[0],
    }


def cpu_medians(engines: dict[str, Runner], rounds: int) -> dict[str, float]:
    """CPU milliseconds per run of each engine, which take turns."""
    times: dict[str, list[float]] = {name: [] for name in engines}
    for _ in range(rounds):
        for name, run in engines.items():
            start = time.process_time()
            run()
            times[name].append(time.process_time() - start)
    return {name: 1000 * statistics.median(values) for name, values in times.items()}


def measure(name: str, activations: str, chip: str, rounds: int) -> tuple[dict[str, str], bool]:
    """A row of the table, and whether all is as it should be."""
    engines = runners(quantised(name, activations), chip)
    outputs: dict[str, Any] = {engine: run() for engine, run in engines.items()}  # the first run
    same = outputs["nnc"].tobytes() == outputs["BLAS"].tobytes()
    times = cpu_medians(engines, rounds)
    ratio = times["nnc"] / times["onnxruntime"]
    verdict = "ok" if same and ratio <= MARK else "above 3" if same else "OTHER BITS THAN BLAS"
    cells = {engine: f"{each:.1f} ms" for engine, each in times.items()}
    row = {"network": name, "activations": activations, "chip": chip, **cells}
    return {**row, "÷ onnxruntime": f"{ratio:.2f}", "": verdict}, verdict == "ok"


def main() -> int:
    parser = argparse.ArgumentParser(description="measure quantised networks beside onnxruntime")
    parser.add_argument("networks", nargs="*", default=["resnet18"], metavar="NETWORK")
    parser.add_argument("--chips", default="npu", help="comma separated (default npu)")
    parser.add_argument("--rounds", type=int, default=15, help="runs of each engine (default 15)")
    options = parser.parse_args()
    rows, good = [], True
    for name in options.networks:
        for chip in options.chips.split(","):
            for activations in ACTIVATIONS:
                print(f"{name} {activations} {chip} …", file=sys.stderr, flush=True)
                row, is_ok = measure(name, activations, chip, options.rounds)
                rows.append(row)
                good = good and is_ok
    print(f"CPU time of Session.run, one thread, medians of {options.rounds} runs after the first:\n")
    print(table(rows))
    return 0 if good else 1


if __name__ == "__main__":
    with_one_thread()
    sys.exit(main())

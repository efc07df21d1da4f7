"""Cycles of whole networks on several cores, beside one core of the same chip and the physical limit.

    python bench/cores.py [NETWORK …] [--chip vdsp12] [--cores 1,2,4,8,12] [--set KEY=VALUE …]

By default the chip is vdsp12 with 400 bytes per cycle of DRAM, so that networks stay bound by computation.
Every program is verified, run on random inputs, and compared with onnxruntime.  Columns:

    cores     cores that the chip has; used: those that have any work
    cycles    that the simulated chip took
    speed-up  cycles on the first number of cores ÷ cycles
    ÷ floor   cycles ÷ max(compute floor, DRAM floor), the floors of that many cores
    ÷ order   cycles ÷ the least that any order of work allows: when a layer is done, the weights of those
              that wait for its results are still needed, and no more of them on chip than memories hold
    DRAM      MB that were moved; ÷ floor: ÷ every parameter, input and output once
    compile   seconds

The last column is `ok`, or what went wrong; the exit status is 1 unless all are ok.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import onnx
from processes import with_one_thread

from nnc import models
from nnc.check.outputs import check_outputs
from nnc.compilation import Result, compile_model
from nnc.compiler.floors import ordered_floor
from nnc.io.inputs import random_inputs
from nnc.isa.errors import NncError
from nnc.runtime.session import Session

NETWORKS = ("mlp-784-1152-10", "resnet18", "resnet50", "mobilenet_v2", "vgg16")
COMPUTE_BOUND = ("dram.bytes_per_cycle=400",)
ROW = "{:<17}{:>6}{:>6}{:>14}{:>10}{:>9}{:>9}{:>10}{:>9}{:>10}  {}"
HEAD = (
    "network",
    "cores",
    "used",
    "cycles",
    "speed-up",
    "÷ floor",
    "÷ order",
    "DRAM",
    "÷ floor",
    "compile",
    "",
)
TOLERANCE = 1e-4
"""Of outputs, as a share of their largest magnitude."""


def trouble(model: Path, result: Result) -> str:
    """Verify and run a program, and compare it with onnxruntime; `ok`, or what is wrong."""
    program = result.program
    session, feed = Session(program), random_inputs(program, 0)
    arrays = session.run(None, feed)
    names = [info.name for info in session.get_outputs()]
    check_outputs(model, feed, dict(zip(names, arrays, strict=True)), TOLERANCE).insist(str(model))
    predicted, simulated = program.facts["predicted_cycles"], session.report.cycles
    if abs(predicted - simulated) * 100 > simulated:
        return f"predicted {predicted} cycles"
    if program.facts["predicted_dram_bytes"] != session.report.dram_bytes:
        return f"predicted {program.facts['predicted_dram_bytes']} B"
    return "ok"


def measure(name: str, chip: str, cores: Sequence[int], overrides: Sequence[str], folder: Path) -> bool:
    """Print the rows of a network; whether all are ok."""
    path, first, fine = folder / f"{name}.onnx", 0, True
    onnx.save(models.build(name), path)
    for number in cores:
        try:
            result = compile_model(path, chip, overrides=[*overrides, f"cores={number}"])
            verdict = trouble(path, result)
        except NncError as error:
            print(ROW.format(name, number, *[""] * 8, f"{error.code}: {error.message}"), flush=True)
            fine = False
            continue
        facts, cycles = result.program.facts, result.program.facts["predicted_cycles"]
        first = first or cycles
        limit = max(facts["compute_floor_cycles"], facts["dram_floor_cycles"])
        moved = facts["predicted_dram_bytes"]
        used = len({item.core for item in result.program.issued})
        order = max(limit, ordered_floor(result.compilation.canonical, result.program.chip))
        ratios = (f"{first / cycles:.2f}", f"{cycles / limit:.3f}", f"{cycles / order:.3f}")
        cells = (f"{cycles:,}", *ratios, f"{moved / 1e6:.2f}")
        ratio, seconds = f"{moved / facts['floor_bytes']:.3f}", f"{result.compile_seconds:.1f} s"
        print(ROW.format(name, number, used, *cells, ratio, seconds, verdict), flush=True)
        fine = fine and verdict == "ok"
    return fine


def main() -> int:
    """Print the table; 1 unless all is ok."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("networks", nargs="*", metavar="NETWORK", help=f"default: {' '.join(NETWORKS)}")
    parser.add_argument("--chip", default="vdsp12", help="a preset or a TOML file (default: vdsp12)")
    parser.add_argument("--cores", default="1,2,4,8,12", help="default: 1,2,4,8,12")
    parser.add_argument("--set", action="append", dest="overrides", metavar="KEY=VALUE",
                        help=f"a value of the chip (default: {' '.join(COMPUTE_BOUND)})")  # fmt: skip
    options = parser.parse_args()
    overrides = COMPUTE_BOUND if options.overrides is None else tuple(options.overrides)
    cores = [int(text) for text in options.cores.split(",")]
    print(f"{options.chip} {' '.join(f'--set {item}' for item in overrides)}\n")
    print(ROW.format(*HEAD))
    with tempfile.TemporaryDirectory() as folder:
        verdicts = [
            measure(name, options.chip, cores, overrides, Path(folder))
            for name in options.networks or NETWORKS
        ]
    print(f"\n{sum(verdicts)} of {len(verdicts)} networks ok")
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    with_one_thread()
    sys.exit(main())

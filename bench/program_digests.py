"""Digests of compiled programs, to prove that a change of the compiler's shape changes no program.

    python bench/program_digests.py before.json              on the old code
    python bench/program_digests.py after.json --against before.json

Programs: every network of `nnc models` on every preset chip, the light models of the onnx wheel on `npu`, and
random networks of the tests on several sizes of memory (kept in build/digests: both runs see the same).
A digest covers all that the chip sees: instructions, waits, constants, tensor table; names in the debug
section do not count.  The number of programs that differ is the exit status.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import onnx
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import nnc
from nnc import models
from nnc.models import light

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "build" / "digests"
CHIPS = ("npu", "npu-banked", "npu4", "vdsp12")
MEMORIES = {"npu": ("sram",), "npu-banked": ("bank1", "bank2"), "npu4": ("sram",), "vdsp12": ("sm", "am")}
RANDOM_KIB = (8, 16, 32, 64, 128)


def digest(program: nnc.Program) -> str:
    """SHA-256 of what the chip sees of a program."""
    seen = hashlib.sha256(program.constants.tobytes())
    seen.update(repr((program.tensors, program.dram_bytes)).encode())
    for item in program.issued:
        seen.update(repr((item.core, item.instruction, item.waits)).encode())
    return seen.hexdigest()


def random_models(count: int, folder: Path) -> list[Path]:
    """Random networks of the tests, written once and found again by later runs."""
    sys.path.insert(0, str(ROOT / "tests" / "helpers"))
    networks = import_module("random_networks").networks
    shared_networks = import_module("random_shared_tensors").shared_networks

    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"random-{number:03}.onnx" for number in range(count)]
    if all(file.exists() for file in files):
        return files
    found: list[onnx.ModelProto] = []

    @settings(
        max_examples=2 * count,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.one_of(networks(), shared_networks()))
    def collect(model: onnx.ModelProto) -> None:
        found.append(model)

    collect()
    for file, model in zip(files, found, strict=False):
        onnx.save(model, file)
    return files


def programs(count: int, only: str) -> Iterator[tuple[str, nnc.Program | nnc.NncError]]:
    """Name and program of every case; the error where there is none."""
    for name in (name for name in models.names() if only in name):
        model = models.build(name)
        for chip in CHIPS:
            yield f"{name} on {chip}", compiled(model, chip, [])
    for name in (name for name in light.names() if only in name):
        yield f"light {name} on npu", compiled(light.build(name), "npu", [])
    for number, file in enumerate(random_models(count, KEPT)):
        chip = CHIPS[number % len(CHIPS)]
        kib = RANDOM_KIB[number // len(CHIPS) % len(RANDOM_KIB)]
        sizes = [f"memory.{memory}.bytes={kib}KiB" for memory in MEMORIES[chip]]
        if only in file.stem:
            yield f"{file.stem} on {chip} {kib} KiB", compiled(onnx.load(file), chip, sizes)


def compiled(model: onnx.ModelProto, chip: str, overrides: list[str]) -> nnc.Program | nnc.NncError:
    """The program; the error if the network does not fit."""
    try:
        return nnc.compile(model, nnc.load_chip(chip, overrides))
    except nnc.NncError as error:
        return error


def main() -> int:
    """Write the digests; with --against, print what differs and count it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("out", type=Path)
    parser.add_argument("--against", type=Path, help="digests of another version of the compiler")
    parser.add_argument("--random", type=int, default=200, help="how many random networks (default: 200)")
    parser.add_argument("--only", default="", help="only networks whose name contains this")
    args = parser.parse_args()
    before = json.loads(args.against.read_text()) if args.against else {}
    found: dict[str, str] = {}
    differ = 0
    for name, program in programs(args.random, args.only):
        found[name] = program.code if isinstance(program, nnc.NncError) else digest(program)
        same = not before or before.get(name) == found[name]
        differ += not same
        print(f"{name:44} {found[name][:16]} {'' if same else 'DIFFERS'}", flush=True)
    args.out.write_text(json.dumps(found, indent=1))
    print(f"{len(found)} programs" + (f", {differ} differ from {args.against}" if before else ""))
    return differ


if __name__ == "__main__":
    sys.exit(main())

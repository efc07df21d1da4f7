"""The same model and chip give the same program and dumps, byte for byte, whatever the order of hashes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import nnc
from nnc.compiler.pipeline import pass_names

SCRIPT = """
import hashlib, sys
from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.dump.formats import to_text
from nnc.compiler.pipeline import run_pipeline
from nnc.isa.assembly.disassembler import disassemble
from nnc.isa.chip.load import load_chip
from nnc.isa.program_file.binary import encode

def digest(data):
    return hashlib.sha256(data).hexdigest()

def note(step, graph):
    print(step, digest(to_text(graph).encode()))

name, chip, *overrides = sys.argv[1:]
model = models.build(name, image=32, width=0.25)
program = run_pipeline(import_model(model), load_chip(chip, overrides), observe=note).program
print("text", digest(disassemble(program, "constants").encode()))
print("program", digest(encode(program)), len(program.issued))
"""


def compile_with(hash_seed: int, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
    command = [sys.executable, "-c", SCRIPT, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("googlenet", "npu"),
        ("squeezenet", "npu-banked", "memory.bank1.bytes=24KiB"),
        ("mobilenet_v2", "vdsp12", "cores=3"),
    ],
    ids=lambda arguments: "-".join(arguments),
)
def test_the_order_of_hashes_does_not_matter(arguments: tuple[str, ...]) -> None:
    first, second = (compile_with(seed, *arguments) for seed in (1, 2))
    assert first == second
    assert int(first.split()[-1]) > 20
    assert [line.split()[0] for line in first.splitlines()] == [*pass_names(), "text", "program"]


def test_the_check_sees_differences() -> None:
    assert compile_with(1, "mlp-784-1152-10", "npu") != compile_with(1, "mlp-784-1152-10", "npu4")


def test_runs_do_not_depend_on_the_threads_of_blas(tmp_path: Path) -> None:
    """Two threads add this product in another order than one, where there are two processors."""
    text = """<ir_version: 9, opset_import: ["": 20]> g (float[1,1000] x) => (float[1,1000] y) {
        y = MatMul (x, w)
    }"""
    model = onnx.parser.parse_model(text)
    weights = np.random.default_rng(0).standard_normal((1000, 1000)).astype(np.float32)
    model.graph.initializer.append(numpy_helper.from_array(weights, "w"))
    program = nnc.compile(model, "npu", overrides=["memory.sram.bytes=8MiB"])
    nnc.save_program(program, tmp_path / "m.bin")
    outputs = []
    for threads in ("1", "2"):
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": threads}
        folder = tmp_path / threads
        command = [sys.executable, "-m", "nnc", "run", str(tmp_path / "m.bin"), "--output-dir", str(folder)]
        subprocess.run(command, env=environment, capture_output=True, check=True)
        outputs.append((folder / "y.npy").read_bytes())
    assert outputs[0] == outputs[1]

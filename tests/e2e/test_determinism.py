"""The same model and chip give the same program, byte for byte, whatever the order of hashes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

SCRIPT = """
import hashlib, sys
from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.isa.binary import encode
from nnc.isa.chip_file import load_chip
name, chip, *overrides = sys.argv[1:]
model = models.build(name, image=32, width=0.25)
program = run_pipeline(import_model(model), load_chip(chip, overrides)).program
print(hashlib.sha256(encode(program)).hexdigest(), len(program.issued))
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
        ("mobilenet_v2", "vdsp12"),
    ],
    ids=lambda arguments: "-".join(arguments),
)
def test_the_order_of_hashes_does_not_matter(arguments: tuple[str, ...]) -> None:
    first, second = (compile_with(seed, *arguments) for seed in (1, 2))
    assert first == second
    assert int(first.split()[1]) > 20


def test_the_check_sees_differences() -> None:
    assert compile_with(1, "lenet5", "npu") != compile_with(1, "lenet5", "vdsp12")

"""All nine light models of the onnx wheel on the chip `npu`: as shipped, and with random weights.

    python bench/light_models.py [NAME …]

As shipped, all weights are one constant: the program is compiled and verified.  With random weights it also
runs and is compared with onnxruntime; the error is relative to the largest magnitude of each output.  One
thread; compile times in seconds.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
import onnx
import onnxruntime
from processes import with_one_thread

import nnc
from nnc.models import light
from nnc.runtime.verifier.verify import check

TOLERANCE = 1e-4
ROW = "{:<14}{:>13}{:>12}{:>12}{:>12}{:>10}{:>8}{:>8}  {}"
HEAD = ("network", "instructions", "cycles", "DRAM MB", "÷ floor", "error", "ship s", "rand s", "")


def main(names: list[str]) -> int:
    """Print the table; the number of networks that are wrong."""
    print(ROW.format(*HEAD))
    wrong = 0
    for name in names or light.names():
        start = time.perf_counter()
        shipped = nnc.compile(str(light.path(name)), chip="npu")
        compiled = time.perf_counter() - start
        check(shipped)
        del shipped
        wrong += not compare(name, compiled)
    return wrong


def compare(name: str, shipped_seconds: float) -> bool:
    """Compile with random weights, verify, run, compare; print the row."""
    model = light.build(name)
    start = time.perf_counter()
    program = nnc.compile(model, chip="npu")
    seconds = time.perf_counter() - start
    session = nnc.Session(program)
    feeds = {
        info.name: np.random.default_rng(0).standard_normal(info.shape).astype(np.float32)
        for info in session.get_inputs()
    }
    names = [info.name for info in model.graph.output]
    expected = reference(model, names, feeds)
    pairs = list(zip(session.run(names, feeds), expected, strict=True))
    error = max(float(np.abs(actual - right).max() / np.abs(right).max()) for actual, right in pairs)
    total, floor = session.ledger.total, program.facts["floor_bytes"]
    right = error <= TOLERANCE
    print(
        ROW.format(
            name,
            len(program.issued),
            session.timeline.total,
            f"{total / 1e6:.1f}",
            f"{total / floor:.2f}",
            f"{error:.1e}",
            f"{shipped_seconds:.1f}",
            f"{seconds:.1f}",
            "ok" if right else "WRONG",
        ),
        flush=True,
    )
    return right


def reference(model: onnx.ModelProto, names: list[str], feeds: dict[str, Any]) -> list[Any]:
    """What onnxruntime computes."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    return list(session.run(names, feeds))


if __name__ == "__main__":
    with_one_thread()
    sys.exit(main(sys.argv[1:]))

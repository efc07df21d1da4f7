"""What the search counts on when it chooses groups, beside what the simulated chip does: bytes and cycles.

    python bench/estimate.py [NETWORK …] [--chips npu,npu4] [--random 40] [--objective balanced]

All builders, or those that are named, and random networks (layers drawn by seed) are compiled for all
presets and run.  A row per network and chip: the whole plan, estimates as multiples of what was simulated,
and the group that is farthest off.  Below, the distribution over all plans, and over all groups that take a
hundredth of their plan or more: least, tenth, median, nine tenths, most.

tests/e2e/test_estimates.py holds that bytes are exact and cycles within 15 % for small networks; the exit
status is 1 if a whole plan is farther off.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from processes import with_one_thread

import nnc
from nnc import models
from nnc.compiler.plan.options import PlanOptions
from nnc.isa.errors import NncError
from nnc.runtime.measure.report import GroupUse

FOLDER = Path("build/bench")
CHIPS = ("npu", "npu-banked", "npu4", "pixel-dsp", "vdsp12", "nna")
MOST_BYTES, MOST_CYCLES = 0.0, 0.15
"""How far off an estimate of a whole plan may be."""
LEAST_SHARE = 100
"""Groups of a smaller part of a plan's bytes or cycles are left out of the distribution."""
ROW = "{:<24}{:<12}{:>7}{:>12}{:>9}{:>14}{:>9}  {}"


@dataclass
class Distribution:
    """Estimates as multiples of what was simulated."""

    plans: dict[str, list[float]] = field(default_factory=lambda: {"bytes": [], "cycles": []})
    groups: dict[str, list[float]] = field(default_factory=lambda: {"bytes": [], "cycles": []})

    def show(self) -> None:
        """Print least, tenth, median, nine tenths and most of all."""
        for what, by_unit in (("plans", self.plans), ("groups", self.groups)):
            for unit, ratios in by_unit.items():
                marks: list[float] = np.quantile(ratios or [1.0], [0, 0.1, 0.5, 0.9, 1]).tolist()
                print(f"{what:<7}{unit:<7}{len(ratios):>6}  " + "  ".join(f"{mark:.3f}" for mark in marks))


def random_network(seed: int, batch: int | None = None) -> onnx.ModelProto:
    """A picture network of 4 to 12 layers: windows, additions, concatenations, odd channels, batches."""
    draw, rng = random.Random(seed), np.random.default_rng(seed)
    batch = batch or random.Random(f"pictures {seed}").choice([1, 1, 2, 3, 4, 8])
    rows, channels = draw.choice([17, 28, 56]), draw.choice([3, 5, 16])
    nodes, weights = [], []
    values = [("x", channels, rows)]
    for number in range(draw.randint(4, 12)):
        source, depth, extent = draw.choice(values[-2:])
        name, kind = f"t{number}", draw.choice(["conv", "conv", "conv", "pool", "join", "relu"])
        same = [value for value in values if value[2] == extent and value[0] != source]
        if kind == "conv" or (kind == "join" and not same):
            kernel, stride, out = draw.choice([1, 3, 5]), draw.choice([1, 1, 2]), draw.choice([7, 16, 48, 96])
            array = rng.standard_normal((out, depth, kernel, kernel), dtype=np.float32)
            weights.append(numpy_helper.from_array(array / 8, f"w{number}"))
            pads = [kernel // 2] * 4
            nodes.append(
                helper.make_node("Conv", [source, f"w{number}"], [name], strides=[stride] * 2, pads=pads)
            )
            values.append((name, out, (extent - 1) // stride + 1))
        elif kind == "pool":
            nodes.append(helper.make_node("MaxPool", [source], [name], kernel_shape=[3, 3], pads=[1] * 4))
            values.append((name, depth, extent))
        elif kind == "relu":
            nodes.append(helper.make_node("Relu", [source], [name]))
            values.append((name, depth, extent))
        else:
            operand = draw.choice(same)
            joined = "Add" if operand[1] == depth else "Concat"
            attributes: dict[str, Any] = {} if joined == "Add" else {"axis": 1}
            nodes.append(helper.make_node(joined, [source, operand[0]], [name], **attributes))
            values.append((name, depth if joined == "Add" else depth + operand[1], extent))
    name, depth, extent = values[-1]
    ends = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [batch, channels, rows, rows]),
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [batch, depth, extent, extent]),
    ]
    graph = helper.make_graph(nodes, f"random{seed}", ends[:1], ends[1:], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def networks(names: list[str], count: int) -> Iterator[tuple[str, onnx.ModelProto]]:
    """The builders by name, then random networks."""
    for name in names:
        yield name, models.build(name)
    for seed in range(count):
        yield f"random {seed}", random_network(seed)


def measure(name: str, path: Path, chip: str, objective: str, distribution: Distribution) -> bool:
    """Compile and run one cell and print its row; whether the whole plan was estimated well."""
    try:
        result = nnc.compile_model(path, chip=chip, options=PlanOptions(objective=objective))
    except NncError as error:
        print(ROW.format(name, chip, *[""] * 5, f"{error.code}: {error.message}"), flush=True)
        return False
    report = nnc.Session(result.program).report
    whole = report.estimated
    assert whole is not None
    nbytes, cycles = whole.dram_bytes / report.dram_bytes, whole.cycles / report.cycles
    distribution.plans["bytes"].append(nbytes)
    distribution.plans["cycles"].append(cycles)
    worst, place = 1.0, 0
    for number, group in enumerate(report.groups):
        for unit, ratio in ratios_of(group, report.dram_bytes, report.cycles):
            distribution.groups[unit].append(ratio)
            if max(ratio, 1 / ratio) > worst:
                worst, place = max(ratio, 1 / ratio), number
    good = abs(nbytes - 1) <= MOST_BYTES and abs(cycles - 1) <= MOST_CYCLES
    said = f"group {place} is off by {worst:.2f}" + ("" if good else "  FAR OFF")
    figures = (f"{report.dram_bytes:,}", f"{nbytes:.3f}", f"{report.cycles:,}", f"{cycles:.3f}")
    print(ROW.format(name, chip, len(report.groups), *figures, said), flush=True)
    return good


def ratios_of(group: GroupUse, dram_bytes: int, cycles: int) -> Iterator[tuple[str, float]]:
    """Estimates of a group over what was simulated, where it is a share of the plan that counts."""
    assert group.estimated is not None
    if group.dram_bytes * LEAST_SHARE >= dram_bytes:
        yield "bytes", group.estimated.dram_bytes / group.dram_bytes
    if group.cycles * LEAST_SHARE >= cycles:
        yield "cycles", group.estimated.cycles / group.cycles


def main() -> int:
    """Print the table and the distribution; 1 unless all whole plans were estimated well."""
    parser = argparse.ArgumentParser(description="estimates of the search beside the simulation")
    parser.add_argument("networks", nargs="*", metavar="NETWORK", help="default: all builders")
    parser.add_argument("--chips", default=",".join(CHIPS), help=f"default: {','.join(CHIPS)}")
    parser.add_argument("--random", type=int, default=40, metavar="N", help="random networks (40)")
    parser.add_argument("--objective", default="balanced", help="default: balanced")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    print(ROW.format("network", "chip", "groups", "bytes", "est. x", "cycles", "est. x", ""))
    distribution, good = Distribution(), []
    for name, model in networks(options.networks or models.names(), options.random):
        path = FOLDER / "estimate.onnx"
        onnx.save(model, path)
        good += [
            measure(name, path, chip, options.objective, distribution) for chip in options.chips.split(",")
        ]
    print(f"\n{'':14}number  least  tenth  median  nine tenths  most")
    distribution.show()
    print(f"\n{sum(good)} of {len(good)} plans: bytes exact, cycles within 15 %")
    return 0 if all(good) else 1


if __name__ == "__main__":
    with_one_thread()
    sys.exit(main())

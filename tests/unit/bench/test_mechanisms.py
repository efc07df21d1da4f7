"""bench/mechanisms.py: what is switched off is in no plan any more, and programs verify without it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import onnx
import pytest
from attention import attention
from bottlenecks import bottlenecks
from hidden_channels import hidden_blocks, residual_blocks
from mechanisms import ALL, MECHANISMS, NEEDED_PASSES, mechanism, passes_at_work
from processes import in_a_copy
from program_digests import digest
from wide_networks import wide_network

import nnc
from nnc import models
from nnc.compiler.passes.canonical_passes import CANONICAL_PASSES
from nnc.compiler.plan.options import PlanOptions
from nnc.models.builder import NetBuilder
from nnc.runtime.verifier.verify import check

Build = Callable[[], onnx.ModelProto]
Case = tuple[Build, str, tuple[str, ...], str]
"""A network, the chip, its values and the objective."""


def npu(build: Build, kib: int, objective: str = "traffic") -> Case:
    return build, "npu", (f"memory.sram.bytes={kib}KiB",), objective


def small(name: str, image: int, width: float = 0.125) -> Build:
    return partial(models.build, name, image=image, width=width)


def wide_result() -> onnx.ModelProto:
    """A convolution to many channels and a pool: bytes that all are on chip in slices only."""
    net = NetBuilder("wide_result", (1, 16, 32, 32), width=1, seed=0)
    return net.finish(net.pool(net.conv(net.input, 128, 3, pad=1), 2, 2))


LENET = npu(partial(models.build, "lenet5"), 32, "balanced")
VGG = npu(small("vgg_first5", 16), 16, "balanced")
WIDE = npu(partial(wide_network, 2001), 6)
BOTTLENECKS = npu(partial(bottlenecks, rows=10, columns=10, narrow=128, kernel=3, count=2), 270)
LENET_ON_CORES: Case = partial(models.build, "lenet5"), "npu4", ("memory.sram.bytes=32KiB",), "balanced"
CHOSEN: dict[str, Case] = {
    "strips of columns": WIDE,
    "cuts of wide pictures, turned": (
        small("vgg_first5", 32), "pixel-dsp", ("memory.sram.bytes=32KiB",), "balanced",
    ),
    "cuts along pictures": npu(partial(hidden_blocks, 5, gated=True), 32),
    "cuts along heads": npu(partial(attention, 64), 48, "balanced"),
    "rows that are kept": WIDE,
    "slices of channels": npu(wide_result, 64),
    "hidden channels in chunks": npu(partial(hidden_blocks, 0), 32),
    "residents between groups": VGG,
    "last rows": BOTTLENECKS,
    "last rows one by one": BOTTLENECKS,
    "results follow operands": VGG,
    "results in place": npu(partial(residual_blocks, 0), 48),
    "weights that stay": VGG,
    "blocks of weights": LENET,
    "groups that cores share": (
        small("vgg_first5", 32), "npu4", ("memory.sram.bytes=16KiB",), "balanced",
    ),
    "staging in groups": (
        partial(models.build, "lenet5"), "vdsp12",
        ("cores=1", "memory.sm.bytes=4KiB", "memory.am.bytes=64KiB"), "balanced",
    ),
    "groups of pixels (M5)": (partial(models.build, "lenet5"), "nna", (), "balanced"),
    "several plans": LENET_ON_CORES,
    "lessons of predictions": LENET_ON_CORES,
    "several looks": LENET_ON_CORES,
    "double buffers": VGG,
    "moving blocks": LENET,
    "overlays": VGG,
    "pass reorder-flattened-weights": LENET,
}  # fmt: skip
"""Small networks with the mechanism in their plans."""
PASS = {name for name in CHOSEN if name.startswith("pass ")}
UNSEEN = (
    "copies",
    "idle residents",
    "weights that stay in part",
    "several orders",
    "several placements",
    "several weights of a cycle",
    "loads in time",
    "broadcasts first",
    "pictures apart",
)
"""Mechanisms that no network as small as those has in its plan."""


@cache
def with_all(case: Case) -> dict[str, str]:
    """The digest of a program with all mechanisms."""
    return in_a_copy(partial(compiled, case), 60)


def compiled(case: Case, name: str = "") -> dict[str, str]:
    """The digest of a program that verifies, without a mechanism if one is named."""
    build, chip, overrides, objective = case
    options = PlanOptions(objective=objective)
    if name:
        options = mechanism(name).off(options)
    program = nnc.compile(build(), chip, overrides=overrides, options=options)
    check(program)
    return digest(program)


@pytest.mark.parametrize("name", CHOSEN)
def test_plans_change_without_a_mechanism(name: str) -> None:
    without = in_a_copy(partial(compiled, CHOSEN[name], name), 60)
    assert with_all(CHOSEN[name])["instructions"] != without["instructions"]


@pytest.mark.parametrize("name", UNSEEN)
def test_programs_verify_without_what_small_networks_do_not_have(name: str) -> None:
    assert in_a_copy(partial(compiled, LENET, name), 60)


def test_every_mechanism_is_an_option_or_has_a_network() -> None:
    """Passes are switched off by one function, and their names are those of the pipeline."""
    options = {m.name for m in MECHANISMS if not m.why and m.name not in (*CHOSEN, *UNSEEN)}
    assert {m.name for m in MECHANISMS} == options | (CHOSEN.keys() - PASS) | {*UNSEEN}
    for name in options:
        assert in_a_copy(lambda name=name: mechanism(name).off(PlanOptions()), 60) != PlanOptions()
    names = {step.name for step, _ in CANONICAL_PASSES}
    assert {m.name.removeprefix("pass ") for m in ALL if m not in MECHANISMS} == names - {*NEEDED_PASSES}


def test_passes_at_work_are_those_that_change_the_network(tmp_path: Path) -> None:
    onnx.save(models.build("lenet5"), tmp_path / "m.onnx")
    found = passes_at_work(tmp_path / "m.onnx", nnc.load_chip("npu"))
    assert {"reorder-flattened-weights", "fuse-activation", "free-views"} <= {*found}
    assert not {"split-keys", "split-folds", "drop-dead-2"} & {*found}

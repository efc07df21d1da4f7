"""The whole line on one model: compile, verify, run on poisoned memories, compare with onnxruntime.

`check_model` is the one judge of all end-to-end tests: the program breaks no rule, its outputs are those of
onnxruntime, and its prediction (recorded before lowering) is what the simulated chip measured.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime
from hypothesis import HealthCheck, assume, settings
from hypothesis import Phase as Step

from nnc.compiler.errors import CapacityError
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.layers import Join
from nnc.compiler.pipeline import Compilation, run_pipeline
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.planner import DEFAULT_OPTIONS
from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import load_chip
from nnc.isa.errors import NncError
from nnc.isa.instruction import Phase
from nnc.isa.program_problems import problem_of
from nnc.runtime.session import Session

TOLERANCE = 1e-4  # of the largest magnitude of each output
ROUNDING = 1e-6  # below it lies what cancels out of random numbers
WRONG = Path(__file__).resolve().parents[2] / "build" / "wrong"
CHIPS = Path(__file__).resolve().parent / "chips"
AXES = ("batch", "channels", "rows", "columns")
Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Checked:
    """A compilation that passed, and the session that ran it."""

    compilation: Compilation
    session: Session

    def cuts(self) -> set[str]:
        """Where results were put together from parts: axes of pictures by name, others by number, and k."""
        found = set()
        for layer in self.compilation.placed.layers():
            if isinstance(layer, Join):
                for axis, starts in enumerate(zip(*layer.origins, strict=True)):
                    if len(set(starts)) > 1:
                        found.add(AXES[axis] if len(layer.origins[0]) == 4 else f"axis{axis}")
            if getattr(layer, "phase", Phase.WHOLE) is Phase.START:
                found.add("k")
        return found


def chip_file(name: str) -> str:
    """A preset, or one of the chips that only tests know (tests/helpers/chips)."""
    path = CHIPS / f"{name}.toml"
    return str(path) if path.is_file() else name


def chip_of(name: str = "npu", *overrides: str, **memories: str) -> Chip:
    """A chip with other sizes of memories, such as ``chip_of("npu", "dram.align=64", sram="16KiB")``."""
    sizes = [f"memory.{memory}.bytes={size}" for memory, size in memories.items()]
    return load_chip(chip_file(name), [*overrides, *sizes])


def with_intermediates(model: onnx.ModelProto, *, first: int = 0, step: int = 1) -> onnx.ModelProto:
    """The model with every step-th floating tensor that a node defines as an output too, from `first` on."""
    found = onnx.shape_inference.infer_shapes(model, data_prop=True)
    present = {info.name for info in found.graph.output}
    made = {name for node in found.graph.node for name in node.output}
    inner = [
        info
        for info in found.graph.value_info
        if info.name in made - present and info.type.tensor_type.elem_type == onnx.TensorProto.FLOAT
    ]
    result = onnx.ModelProto()
    result.CopyFrom(model)
    result.graph.output.extend(inner[first::step])
    return result


def random_inputs(model: onnx.ModelProto, seed: int = 0) -> dict[str, Array]:
    """Values of unit variance for every input that is no initialiser."""
    rng = np.random.default_rng(seed)
    constants = {tensor.name for tensor in model.graph.initializer}
    feeds = {}
    for info in model.graph.input:
        if info.name not in constants:
            shape = [dim.dim_value for dim in info.type.tensor_type.shape.dim]
            feeds[info.name] = rng.standard_normal(shape).astype(np.float32)
    return feeds


def reference(
    model: onnx.ModelProto, feeds: Mapping[str, Array], *, optimise: bool = True
) -> dict[str, Array]:
    """The outputs that onnxruntime computes, on one thread.

    Products of u8 × s8 that it makes of dequantised ones are exact on any processor; those that the model
    itself has are so in `quantised_cases.by_onnxruntime`.
    """
    options = onnxruntime.SessionOptions()
    options.add_session_config_entry("session.x64quantprecision", "1")
    if not optimise:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    names = [info.name for info in model.graph.output]
    return dict(zip(names, session.run(names, dict(feeds)), strict=True))


HUGE = 1e30


def finite_reference(model: onnx.ModelProto, feeds: Mapping[str, Array]) -> dict[str, Array]:
    """The reference's outputs; another network is drawn if windows of pads alone give infinities."""
    expected = reference(model, feeds)
    assume(all(np.abs(value).max(initial=0) < HUGE for value in expected.values()))
    return expected


def random_networks_settings(examples: int) -> settings:
    """How a test of random networks runs: on the same ones each time, and what fails is made smaller.

    With `pytest --examples N`, on N others, drawn by `--hypothesis-seed`, and nothing is made smaller.
    """
    asked = os.environ.get("NNC_EXAMPLES")
    return settings(
        max_examples=examples if asked is None else int(asked),
        phases=tuple(Step) if asked is None else (Step.generate,),
        deadline=None,
        derandomize=asked is None,
        suppress_health_check=list(HealthCheck),
    )


@contextmanager
def kept_if_wrong(model: onnx.ModelProto, how: str) -> Iterator[None]:
    """Keep a model for which a test fails in build/wrong, and say how it was compiled."""
    try:
        yield
    except (AssertionError, NncError) as error:
        data = model.SerializeToString()
        file = WRONG / f"{hashlib.sha256(data).hexdigest()[:12]}.onnx"
        WRONG.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        error.add_note(f"{file} {how}")
        raise


def assert_close(found: Array, expected: Array, name: str) -> None:
    """Equal within `TOLERANCE` of the largest expected magnitude.

    A reference of nothing but rounding has no magnitude (what a row of equal values differs from its mean by
    is zero or some 1e-7): errors are then measured beside 1, the scale of random inputs.
    """
    assert found.shape == expected.shape, name
    assert found.dtype == expected.dtype, name
    assert np.isfinite(expected).all(), f"{name}: the reference is not finite, it proves nothing"
    if not prod(expected.shape):
        return
    error = np.abs(found.astype(np.float64) - expected.astype(np.float64)).max()
    magnitude = np.abs(expected.astype(np.float64)).max()
    scale = magnitude if magnitude > ROUNDING else 1.0
    assert error <= TOLERANCE * scale, f"{name}: error {error} of {scale}"


def assert_predicted(compilation: Compilation, session: Session) -> None:
    """What the plan expected is what the simulated chip measured, whole and group by group."""
    plan, ledger = compilation.plan, session.ledger
    assert sum(prediction.dram_bytes for prediction in plan.predictions) == ledger.total
    for planned, prediction in zip(plan.groups, plan.predictions, strict=True):
        group = planned.group
        measured = sum(ledger.groups.get(group.index, {}).values())  # a group may do without DRAM
        assert prediction.dram_bytes == measured, f"group {group.index} ({', '.join(group.layers)})"
    assert plan.cycles == session.timeline.total


def assert_floors_hold(compilation: Compilation, session: Session) -> None:
    """No program comes out below what its network needs."""
    limits = compilation.floors
    assert limits.dram_bytes <= session.ledger.total
    assert limits.peak_cycles <= limits.compute_cycles
    assert limits.cycles <= session.timeline.total


def check_compiled(
    compilation: Compilation, feeds: Mapping[str, Array], expected: Mapping[str, Array]
) -> Checked:
    """Verify and run a compiled model; compare with the expected outputs and with its prediction.

    What is verified runs in the order of issue; in the order of the timeline, the chip's or any other, the
    values are the same to the last bit.  So they are where onnxruntime multiplies bytes.
    """
    assert not problem_of(compilation.program)  # a file can hold it
    session = Session(compilation.program, poison=True, blas_only=True)
    names = list(expected)
    for _ in range(2):  # the second run finds the memories as the first one left them
        results = session.run(names, feeds)
        for name, result in zip(names, results, strict=True):
            assert_close(result, expected[name], name)
    for seed in (None, len(compilation.program.issued)):
        timed = Session(compilation.program, verify=False, poison=True, jitter=seed)
        for name, result, timed_result in zip(names, results, timed.run(names, feeds), strict=True):
            assert result.tobytes() == timed_result.tobytes(), f"{name} depends on the timing, jitter {seed}"
    assert_predicted(compilation, session)
    assert_floors_hold(compilation, session)
    return Checked(compilation, session)


LITTLE_EFFORT = PlanOptions(effort="O1")
"""Enough where a test is about values: how single operators are planned is a matter of other tests."""


def effort_for(model: onnx.ModelProto) -> str:
    """The default effort for one network of three, and -O1, which takes a third to half the time, for others.

    Which of them is a matter of its bytes: the same ones each time.
    """
    return DEFAULT_OPTIONS.effort if crc32(model.SerializeToString()) % 3 == 0 else "O1"


def check_model(
    model: onnx.ModelProto, chip: Chip, *, seed: int = 0, options: PlanOptions | None = None
) -> Checked:
    """Compile a model for a chip, with any effort unless options say more, and insist that all is right."""
    feeds = random_inputs(model, seed)
    expected = reference(model, feeds)
    options = options or PlanOptions(effort=effort_for(model))
    compilation = run_pipeline(import_model(model), chip, options=options, verify_each=True)
    return check_compiled(compilation, feeds, expected)


_LEVER = re.compile(r"raise memory\.(\w+)\.bytes to (\d+)")
_MOST_LEVERS = 8


def compile_with_levers(
    model: onnx.ModelProto,
    name: str,
    options: PlanOptions | None = None,
    overrides: Sequence[str] = (),
    **memories: str,
) -> tuple[Compilation, int]:
    """Compile; whenever a memory is too small, follow the error's remedy to the letter.  Counts remedies.

    The effort is any (`effort_for`) unless options say more.
    """
    graph, sizes = import_model(model), dict(memories)
    options = options or PlanOptions(effort=effort_for(model))
    for count in range(_MOST_LEVERS):
        try:
            chip = chip_of(name, *overrides, **sizes)
            return run_pipeline(graph, chip, options=options, verify_each=True), count
        except CapacityError as error:
            lever = _LEVER.match(error.remedy)
            assert lever, error
            sizes[lever[1]] = lever[2]
    raise AssertionError(f"{_MOST_LEVERS} remedies did not help: {sizes}")

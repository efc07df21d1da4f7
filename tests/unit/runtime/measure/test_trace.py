"""The trace of a run: every instruction once, in its place and time; counters that add up."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from cli_harness import DIGITS, ok

from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.isa.chip.load import load_chip
from nnc.isa.instruction import ENGINES
from nnc.isa.program import Program
from nnc.isa.timing.streams import timing
from nnc.runtime.measure.trace import trace_of


@pytest.fixture(scope="module")
def program() -> Program:
    return run_pipeline(import_model(models.build("lenet5")), load_chip("npu4")).program


def test_every_instruction_is_a_slice_of_its_engine(program: Program) -> None:
    streams, timeline = timing(program)
    trace = trace_of(program, streams, timeline)
    slices = {e["args"]["instruction"]: e for e in trace["traceEvents"] if e["ph"] == "X"}
    assert len(slices) == len(program.issued)
    for index, item in enumerate(program.issued):
        found = slices[streams.label(index)]
        stream, position = streams.places[index]
        assert (found["pid"], found["tid"]) == (item.core, ENGINES.index(item.instruction.engine))
        assert found["name"] == item.instruction.mnemonic
        end = (found["ts"] + found["dur"]) * program.chip.clock_mhz
        assert end == pytest.approx(timeline.end[stream][position])
    for stream in range(len(streams.keys)):
        mine = [slices[streams.label(index)] for index in streams.members[stream]]
        for before, after in pairwise(mine):
            assert before["ts"] + before["dur"] <= after["ts"] + 1e-9


def test_the_bandwidth_counter_sums_up_to_all_bytes(program: Program) -> None:
    streams, timeline = timing(program)
    events = trace_of(program, streams, timeline)["traceEvents"]
    moved = sum(task.dram_bytes for tasks in streams.tasks for task in tasks)
    points = [
        (e["ts"], e["args"]["bytes per cycle"]) for e in events if e["ph"] == "C" and e["name"] == "DRAM"
    ]
    area = sum((b[0] - a[0]) * program.chip.clock_mhz * a[1] for a, b in pairwise(points))
    assert area == pytest.approx(moved, rel=1e-2)
    assert points[-1][1] == 0


def test_memories_in_use_stay_inside_the_memory(program: Program) -> None:
    streams, timeline = timing(program)
    events = trace_of(program, streams, timeline)["traceEvents"]
    used = [e["args"]["bytes in use"] for e in events if e["ph"] == "C" and "sram" in e["name"]]
    assert max(used) > 0
    assert min(used) >= 0
    assert max(used) <= program.chip.memory["sram"].bytes


def test_run_writes_a_trace(tmp_path: Path) -> None:
    ok("compile", DIGITS, "-o", tmp_path / "d.bin")
    ok("run", tmp_path / "d.bin", "--trace", tmp_path / "t.json")
    trace = json.loads((tmp_path / "t.json").read_text(encoding="utf-8"))
    assert trace["otherData"]["chip"] == "npu"
    assert any(event["ph"] == "X" for event in trace["traceEvents"])
    said = ok("verify", tmp_path / "d.bin", "--redundant-waits")
    assert " 0 of " in said

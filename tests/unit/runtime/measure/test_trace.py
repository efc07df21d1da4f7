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
from nnc.isa.program import Program
from nnc.isa.timing.streams import timing
from nnc.runtime.measure.trace import Event, trace_of


@pytest.fixture(scope="module")
def program() -> Program:
    return run_pipeline(import_model(models.build("lenet5")), load_chip("npu4")).program


def test_every_instruction_is_a_slice_of_its_engine(program: Program) -> None:
    streams, timeline = timing(program)
    trace = trace_of(program, streams, timeline)
    slices = {e["args"]["instruction"]: e for e in trace["traceEvents"] if e["ph"] == "X"}
    named = [e for e in trace["traceEvents"] if e["name"] == "thread_name"]
    tracks = {(e["pid"], e["tid"]): e["args"]["name"] for e in named}
    assert len({tid for _, tid in tracks}) == len(tracks) == len(streams.keys)
    assert len(slices) == len(program.issued)
    for index, item in enumerate(program.issued):
        slice_ = slices[streams.label(index)]
        stream, position = streams.places[index]
        assert slice_["pid"] == item.core
        assert tracks[slice_["pid"], slice_["tid"]] == item.instruction.engine.value
        assert slice_["name"] == item.instruction.mnemonic
        end = (slice_["ts"] + slice_["dur"]) * program.chip.clock_mhz
        assert end == pytest.approx(timeline.end[stream][position])
    for stream in range(len(streams.keys)):
        in_order = [slices[streams.label(index)] for index in streams.members[stream]]
        for before, after in pairwise(in_order):
            assert before["ts"] + before["dur"] <= after["ts"] + 1e-9


def test_times_are_whole_nanoseconds_when_they_are_cut(program: Program) -> None:
    """As Perfetto reads them: a slice that was longer by a bit would overlap the next one, and be dropped."""
    streams, timeline = timing(program)
    ends = {}
    for event in trace_of(program, streams, timeline)["traceEvents"]:
        if event["ph"] == "X":
            begin, length = int(event["ts"] * 1000), int(event["dur"] * 1000)
            assert length == event["args"]["cycles"]
            assert ends.get((event["pid"], event["tid"]), 0) <= begin
            ends[event["pid"], event["tid"]] = begin + length
    assert sorted(ends.values())[-1] == timeline.total


def test_memories_in_use_stay_inside_the_memory(program: Program) -> None:
    streams, timeline = timing(program)
    events = trace_of(program, streams, timeline)["traceEvents"]
    used = [e["args"]["bytes in use"] for e in events if e["ph"] == "C" and "sram" in e["name"]]
    assert max(used) > 0
    assert min(used) >= 0
    assert max(used) <= program.chip.memory["sram"].bytes


def test_arrows_lead_from_what_was_waited_for_to_what_waited(program: Program) -> None:
    streams, timeline = timing(program)
    events = trace_of(program, streams, timeline)["traceEvents"]
    arrows = {}
    for event in events:
        if event["ph"] in "sf":
            arrows.setdefault(event["id"], []).append(event)
    stalls = [stall for stream in range(len(streams.keys)) for stall in streams.stalls(timeline, stream)]
    assert len(arrows) == len(stalls) > 0
    slices = [event for event in events if event["ph"] == "X"]
    for index, cycles, _ in stalls:
        (waited,) = [s for s in slices if s["args"]["instruction"] == streams.label(index)]
        begins = [pair for pair in arrows.values() if pair[1]["ts"] == waited["ts"]]
        assert any(
            (end["pid"], end["tid"]) == (waited["pid"], waited["tid"])
            and [inside(slice_, begin) for slice_ in slices].count(True) == 1
            for begin, end in begins
        )
        assert waited["args"]["idle cycles before"] == cycles


def inside(slice_: Event, event: Event) -> bool:
    """Whether an event lies in a slice, and so belongs to it."""
    same = all(slice_[key] == event[key] for key in ("pid", "tid"))
    return same and slice_["ts"] <= event["ts"] < slice_["ts"] + slice_["dur"]


def test_run_writes_a_trace(tmp_path: Path) -> None:
    ok("compile", DIGITS, "-o", tmp_path / "d.bin")
    ok("run", tmp_path / "d.bin", "--trace", tmp_path / "t.json")
    trace = json.loads((tmp_path / "t.json").read_text(encoding="utf-8"))
    assert trace["otherData"]["chip"] == "npu"
    assert any(event["ph"] == "X" for event in trace["traceEvents"])
    said = ok("verify", tmp_path / "d.bin", "--redundant-waits")
    assert " 0 of " in said

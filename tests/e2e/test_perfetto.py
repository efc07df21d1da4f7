"""nnc/runtime/measure/trace.py: traces of runs in Perfetto's own trace processor, asked by SQL."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

import pytest
from cli_harness import DIGITS, ok
from perfetto_engine import Engine, trace_processor

from nnc.isa.program_file.binary import load_program
from nnc.report.measured import Measured
from nnc.runtime.measure.live_blocks import bytes_in_use

CHIPS = {
    "one core": ["--set", "memory.sram.bytes=32KiB"],
    "four cores": ["--chip", "npu4", "--set", "memory.sram.bytes=16KiB"],
    "two clocks a nanosecond": ["--chip", "npu4", "--set", "clock_mhz=2000"],
    "vdsp12": ["--chip", "vdsp12"],
}
Opened = tuple[Engine, Measured]


@pytest.fixture(scope="module", params=CHIPS)
def opened(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    folder: Path = tmp_path_factory.mktemp("trace")
    program = folder / "digits.bin"
    ok("compile", DIGITS, *CHIPS[request.param], "-o", program)
    ok("run", program, "--trace", folder / "trace.json")
    with trace_processor((folder / "trace.json").read_bytes()) as engine:
        yield engine, Measured.of(load_program(program))


def test_nothing_of_a_trace_is_dropped(opened: Opened) -> None:
    engine, _ = opened
    assert engine.rows("SELECT name, value FROM stats WHERE severity != 'info' AND value != 0") == []


def test_slices_are_the_instructions_with_their_bytes(opened: Opened) -> None:
    engine, measured = opened
    table = measured.table
    found = engine.rows(
        """SELECT p.pid AS core, t.name AS engine, COUNT(*) AS count,
                  SUM(EXTRACT_ARG(s.arg_set_id, 'args.bytes')) AS bytes, MAX(s.depth) AS depth
           FROM slice AS s JOIN thread_track AS tt ON s.track_id = tt.id
           JOIN thread AS t USING (utid) JOIN process AS p USING (upid) GROUP BY 1, 2"""
    )
    for row in found:
        mine = (table.core == row["core"]) & (
            table.engine == ["read", "compute", "write"].index(row["engine"])
        )
        assert row["count"] == mine.sum()
        assert (row["bytes"] or 0) == table.dram_bytes[mine].sum()
        assert row["depth"] == 0  # none lies in another one
    assert sum(row["count"] for row in found) == len(table)


def test_arrows_are_the_stalls_and_end_in_what_waited(opened: Opened) -> None:
    engine, measured = opened
    stalls = measured.table.wait > 0
    found = engine.rows(
        """SELECT EXTRACT_ARG(a.arg_set_id, 'args.instruction') AS waited,
                  EXTRACT_ARG(b.arg_set_id, 'args.instruction') AS awaited,
                  EXTRACT_ARG(a.arg_set_id, 'args.idle cycles before') AS cycles
           FROM flow JOIN slice AS a ON flow.slice_in = a.id JOIN slice AS b ON flow.slice_out = b.id"""
    )
    assert len(found) == stalls.sum() > 0
    assert sum(row["cycles"] for row in found) == measured.table.wait.sum()
    labels = {measured.streams.label(index): index for index in range(len(measured.table))}
    for row in found:
        waited, awaited = labels[row["waited"]], labels[row["awaited"]]
        assert measured.table.wait[waited] == row["cycles"]
        assert measured.table.end[awaited] == measured.table.start[waited]


def test_counters_reach_the_peak_of_each_memory_and_fall_to_zero(opened: Opened) -> None:
    engine, measured = opened
    found = engine.rows(
        """SELECT t.name AS name, MAX(c.value) AS peak, MIN(c.value) AS least
           FROM counter AS c JOIN counter_track AS t ON c.track_id = t.id GROUP BY 1"""
    )
    names = {row["name"]: row for row in found}
    assert all(row["least"] == 0 for row in found)
    for (memory, core), changes in bytes_in_use(measured.blocks).items():
        levels = accumulate(changes[cycle] for cycle in sorted(changes))
        assert names[f"core {core} {memory} bytes in use"]["peak"] == max(levels) > 0
    for direction in ("read", "written"):
        peak = names[f"DRAM {direction}, bytes per cycle"]["peak"]
        assert 0 < peak <= measured.program.chip.dram.bytes_per_cycle

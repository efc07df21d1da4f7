"""nnc sweep on a small network: the same rows, whoever computes them and however often that is killed."""

from __future__ import annotations

import csv
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import onnx
import pyarrow.parquet as pq
import pytest
from cli_harness import data_of, fails, nnc, ok

import nnc as library
from nnc import models
from nnc.errors import MissingPackageError
from nnc.isa.errors import OptionError
from nnc.isa.limits import SWEEP_POINTS
from nnc.sweeps import point_run, search, workers
from nnc.sweeps.point_run import Outcome
from nnc.sweeps.points import Task
from nnc.sweeps.schema import SweepReport

VARIED = ("--vary", "memory.sram.bytes=64,16KiB,64KiB", "--vary", "cores=1,2")
"""One of the memories is too small for the network."""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network whose batch is a symbol."""
    path = tmp_path_factory.mktemp("model") / "net.onnx"
    proto = models.build("lenet5", width=0.2)
    for info in (*proto.graph.input, *proto.graph.output):
        info.type.tensor_type.shape.dim[0].dim_param = "batch"
    del proto.graph.value_info[:]
    onnx.save(proto, path)
    return path


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(autouse=True)
def kept(cache: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one test has compiled, others find."""
    monkeypatch.setenv("NNC_CACHE_DIR", cache)


@pytest.fixture(scope="module")
def words(model: Path) -> tuple[str | Path, ...]:
    return ("sweep", model, *VARIED, "--dim", "batch=1", "-O0", "--workers", "1")


@pytest.fixture(scope="module")
def whole(words: tuple[str | Path, ...], tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The table of a sweep that nothing has interrupted."""
    path = tmp_path_factory.mktemp("whole") / "r.csv"
    ok(*words, "-o", path)
    return path.read_bytes()


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The points that are computed in this process."""
    numbers: list[int] = []
    run_point = workers.run_point

    def counted(task: Task) -> Outcome:
        numbers.append(task.number)
        return run_point(task)

    monkeypatch.setattr(workers, "run_point", counted)
    return numbers


def rows_of(table: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(table.decode().splitlines()))


def test_rows_are_what_compilations_report(whole: bytes, model: Path) -> None:
    rows = rows_of(whole)
    assert [(row["memory.sram.bytes"], row["cores"]) for row in rows] == [
        (size, cores) for size in ("64", "16384", "65536") for cores in ("1", "2")
    ]
    for row in rows[:2]:
        assert row["error"] == "NNC-E021" and "sram" in row["message"] and row["cycles"] == ""
    for row in rows[2:]:
        sets = ("--set", f"memory.sram.bytes={row['memory.sram.bytes']}", "--set", f"cores={row['cores']}")
        report = data_of("compile", model, "--dim", "batch=1", "-O0", *sets)
        network = report["network"]
        dram = network["figures"]["dram"]
        assert (row["error"], row["chip"], row["sha256"]) == ("", "npu", report["model"]["sha256"])
        assert int(row["cycles"]) == network["cycles"]
        assert int(row["predicted_cycles"]) == network["predicted_cycles"]
        assert int(row["dram_bytes"]) == dram["total_bytes"]
        assert float(row["dram_ratio"]) == round(dram["total_bytes"] / network["floor"]["dram_bytes"], 4)
        assert float(row["energy"]) == pytest.approx(sum(network["figures"]["energy"].values()), abs=1e-5)
        assert int(row["macs"]) == network["figures"]["macs"]
        assert int(row["sram_peak_bytes"]) == report["memory"]["sram"]["peak_bytes"]
        assert int(row["instructions"]) == report["instructions"]["total"]


def test_tables_in_all_forms(words: tuple[str | Path, ...], whole: bytes, tmp_path: Path) -> None:
    rows = rows_of(whole)
    data = SweepReport.model_validate(data_of(*words))
    front = [point for point in data.points if point.point in data.front]
    assert front and all(point.error is None for point in front)
    ok(*words, "-o", tmp_path / "r.parquet", "--seconds")
    table = pq.read_table(tmp_path / "r.parquet")
    assert table.column_names == [*rows[0], "seconds"]
    assert str(table.schema.field("memory.sram.bytes").type) == "int64"
    for column in ("model", "chip", "error", "cycles", "dram_ratio", "sram_peak_bytes"):
        texts = ["" if value is None else str(value) for value in table[column].to_pylist()]
        assert texts == [row[column] for row in rows]
    ok(*words, "-o", tmp_path / "r.json")
    listed = json.loads((tmp_path / "r.json").read_text())
    assert [row["cycles"] for row in listed] == table["cycles"].to_pylist()
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["r.json", "r.parquet"]


def test_a_page_and_a_table(words: tuple[str | Path, ...], tmp_path: Path) -> None:
    text = ok(*words, "--report", tmp_path / "p.html", "--minimise", "cycles,energy")
    assert text.startswith("6 points, 2 failed; front by cycles, energy\n")
    assert "64 KiB" in text and "failed    2 points: NNC-E021" in text
    page = (tmp_path / "p.html").read_text()
    assert "NNC-E021" in page and "65536" in page and "64 KiB" not in page
    assert not re.search(r"<(?:script|link|img)[^>]+(?:src|href)=.(?!data:)", page), "nothing from elsewhere"


# --- who computes ------------------------------------------------------------------------------------------


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    """The address of a scheduler with two workers, all processes of their own."""
    file = tmp_path / "scheduler.json"
    dask = [sys.executable, "-m", "dask"]
    scheduler = [*dask, "scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    worker = [*dask, "worker", "--scheduler-file", str(file), "--nthreads", "1", "--no-dashboard"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    with ExitStack() as stack:
        for command in (scheduler, worker, worker):
            process = stack.enter_context(subprocess.Popen(command, **quiet))  # type: ignore[call-overload]
            stack.callback(process.terminate)
        limit = time.monotonic() + 60
        while not file.exists() or not file.stat().st_size:
            assert time.monotonic() < limit
            time.sleep(0.1)
        yield json.loads(file.read_text())["address"]


def test_the_same_rows_on_a_cluster(
    words: tuple[str | Path, ...], whole: bytes, cluster: str, tmp_path: Path, computed: list[int]
) -> None:
    ok(*words[:-2], "--scheduler", cluster, "--no-cache", "-o", tmp_path / "r.csv")
    assert (tmp_path / "r.csv").read_bytes() == whole and not computed


SCRIPT = """
import sys
import nnc
assert __name__ == "__main__"
vary = {"memory.sram.bytes": ["64", "16KiB", "64KiB"], "cores": [1, 2]}
result = nnc.sweep(sys.argv[1], vary, dims={"batch": 1}, effort=0, output=sys.argv[2], workers=2)
print(result)
"""


def test_the_same_rows_on_processes_of_a_script(model: Path, whole: bytes, tmp_path: Path) -> None:
    """Which has no guard: workers do not run it again."""
    (tmp_path / "script.py").write_text(SCRIPT)
    command = [sys.executable, tmp_path / "script.py", model, tmp_path / "r.csv"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("<SweepResult: 6 points, 2 failed, ")
    assert (tmp_path / "r.csv").read_bytes() == whole


def test_wrong_clusters(
    words: tuple[str | Path, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "_CONNECT_SECONDS", 0.5)
    error = fails("NNC-E001", tmp_path, *words[:-2], "--scheduler", "tcp://127.0.0.1:9")
    assert "does not answer" in error and "dask scheduler" in error
    monkeypatch.setattr(workers, "find_spec", lambda _: None)
    assert "nnc[sweep]" in fails("NNC-E003", tmp_path, *words[:-2], "--workers", "2")


# --- going on ----------------------------------------------------------------------------------------------


def test_a_sweep_that_was_killed_goes_on(
    words: tuple[str | Path, ...], whole: bytes, tmp_path: Path, computed: list[int]
) -> None:
    output, journal = tmp_path / "r.csv", tmp_path / "r.csv.part"
    command = [sys.executable, "-m", "nnc", *map(str, words), "-o", str(output)]
    with subprocess.Popen(command) as process:
        while process.poll() is None and not (journal.exists() and journal.read_bytes().count(b"\n") > 3):
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
    assert not output.exists()
    done = journal.read_bytes().count(b"\n") - 1
    with journal.open("ab") as file:
        file.write(b'{"point": 5, "err')
    assert "another" in fails("NNC-E001", tmp_path, *words, "-O1", "-o", output), "it is of this sweep only"
    ok(*words, "-o", output)
    assert output.read_bytes() == whole and not journal.exists()
    assert 3 <= done < 6 and len(computed) == 6 - done


def test_journals_of_others(words: tuple[str | Path, ...], tmp_path: Path) -> None:
    output, journal = tmp_path / "r.csv", tmp_path / "r.csv.part"
    journal.write_text("some text\n")
    assert "no journal" in fails("NNC-E001", tmp_path, *words, "-o", output)
    journal.unlink()
    (tmp_path / "script.py").write_text(
        "import fcntl, sys, time\n"
        "file = open(sys.argv[1], 'a')\n"
        "fcntl.flock(file, fcntl.LOCK_EX)\n"
        "print('locked', flush=True)\n"
        "time.sleep(60)\n"
    )
    command = [sys.executable, tmp_path / "script.py", journal]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline()
        assert "another process" in fails("NNC-E001", tmp_path, *words, "-o", output)
        process.kill()


# --- what is shared ----------------------------------------------------------------------------------------


def test_a_model_is_imported_once(model: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    imports: list[Any] = []
    importing = point_run.importing
    monkeypatch.setattr(point_run, "importing", lambda *a, **k: imports.append(a) or importing(*a, **k))
    point_run._imported.cache_clear()
    vary = {"memory.sram.bytes": ["16KiB", "64KiB"], "objective": ["traffic", "cycles"]}
    result = library.sweep([model, model], vary, dims={"batch": 1}, effort=0, workers=1)
    assert len(result.rows) == 8 and len(imports) == 1
    library.sweep(model, {"dim.batch": [1, 2]}, effort=0, workers=1)
    assert len(imports) == 2


def test_results_are_kept_and_those_of_compile_serve(
    model: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NNC_CACHE_DIR", str(tmp_path / "cache"))
    compiled: list[Any] = []
    compile_graph = point_run.compile_graph
    monkeypatch.setattr(
        point_run, "compile_graph", lambda *a, **k: compiled.append(a) or compile_graph(*a, **k)
    )
    ok("compile", model, "--dim", "batch=1", "-O0", "--set", "memory.sram.bytes=64KiB")
    vary = {"memory.sram.bytes": ["16KiB", "64KiB"]}
    first = library.sweep(model, vary, dims={"batch": 1}, effort=0, workers=1)
    assert len(compiled) == 1
    assert library.sweep(model, vary, dims={"batch": 1}, effort=0, workers=1).rows == first.rows
    assert len(compiled) == 1
    anew = library.sweep(model, vary, dims={"batch": 1}, effort=0, workers=1, cache=False)
    assert anew.rows == first.rows and len(compiled) == 3


def test_a_model_that_changes_meanwhile_is_a_failed_point(model: Path, tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    path.write_bytes(model.read_bytes())

    def change(what: str, done: int, total: int) -> None:
        if done == 1:
            path.unlink()

    result = library.sweep(path, {"cores": [1, 2]}, dims={"batch": 1}, effort=0, workers=1, progress=change)
    assert [row["error"] for row in result.rows] == [None, "NNC-E010"]


# --- questions ---------------------------------------------------------------------------------------------


def test_find_agrees_with_all_points(model: Path) -> None:
    words = (
        "sweep",
        model,
        "--dim",
        "batch=1",
        "-O0",
        "--workers",
        "1",
        "--vary",
        "memory.sram.bytes=1KiB..15KiB+2KiB",
    )
    everything = [point for point in data_of(*words)["points"] if point["figures"]]
    limit = sorted(point["figures"]["cycles"] for point in everything)[len(everything) // 2]
    question = f"smallest memory.sram.bytes where cycles <= {limit}"
    data = data_of(*words, "--find", question)
    (finding,) = data["findings"]
    good = {point["point"] for point in everything if point["figures"]["cycles"] <= limit}
    assert finding["point"] in good and finding["before"] not in good
    assert finding["holds_after"] is (finding["after"] in good)
    assert finding["points"] == len(data["points"]) <= 7
    text = ok(*words, "--find", question)
    assert f"found     memory.sram.bytes = {finding['found'] // 1024} KiB" in text
    assert "  before  " in text and "  after   " in text
    assert "found     none: largest" in ok(*words, "--find", "largest memory.sram.bytes where cycles < 1")


def test_a_search_tries_some_points_and_always_the_same(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vary = {"memory.sram.bytes": "1KiB..15KiB+2KiB", "cores": [1, 2]}
    words: dict[str, Any] = {"dims": {"batch": 1}, "effort": 0, "workers": 1, "minimise": "cycles,energy"}
    every = library.sweep(model, vary, **words).rows
    first, again = (library.sweep(model, vary, search=9, **words) for _ in range(2))
    assert first.report == again.report
    assert 3 <= len(first.rows) <= 9 and all(row in every for row in first.rows)
    assert first.front and all(row in first.rows for row in first.front)
    with pytest.raises(OptionError, match="two things"):
        library.sweep(model, vary, search=9, find="smallest cores where cycles < 9", **words)
    monkeypatch.setattr(search, "find_spec", lambda _: None)
    with pytest.raises(MissingPackageError, match=re.escape("nnc[search]")):
        library.sweep(model, vary, search=9, **words)


# --- what is wrong -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (("--vary", "memory.sram.byte=1,2"), "did you mean memory.sram.bytes"),
        (("--vary", "cors=1,2"), "did you mean cores"),
        (("--vary", "objectiv=traffic"), "did you mean objective"),
        (("--vary", "objective=traffic,speed"), "no such objective (of 12 points, none was compiled)"),
        (("--vary", "memory.sram.align=64,4GiB"), "bad value of memory.sram.align (of 12 points"),
        (("--vary", "dim.bach=1,2"), "did you mean batch"),
        (("--vary", "dim.batch=x"), "whole number"),
        (("--vary", "cores=3"), "varied twice"),
        (("--vary", "dram.latency=1..90000+1"), f"at most {SWEEP_POINTS.most} points"),
        (("--vary", "dram.latency=4"), ""),
        (("--minimise", "cycles,size"), "no such figure"),
        (("--find", "smallest dram.latency where cycles < 1"), "is not varied"),
        (("-o", "r.txt"), "results.csv"),
        (("--chips", "npu,nqu"), "no such chip"),
    ],
)
def test_wrong_sweeps_are_refused_before_any_work(
    wrong: tuple[str, ...],
    said: str,
    model: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    computed: list[int],
) -> None:
    monkeypatch.chdir(tmp_path)
    result = nnc("sweep", model, *VARIED, "--dim", "batch=1", "-O0", "--workers", "1", *wrong)
    if not said:
        assert result.exit_code == 0 and len(computed) == 6
        return
    assert result.exit_code == 1 and said in result.stderr and result.stderr.count("NNC-E") == 1
    assert not computed and not [*tmp_path.iterdir()]


def test_wrong_models_and_usage(model: Path, tmp_path: Path) -> None:
    assert "no such file" in fails("NNC-E010", tmp_path, "sweep", model, tmp_path / "none.onnx")
    assert nnc("sweep").exit_code == nnc("sweep", model, "--chip", "npu", "--chips", "npu").exit_code == 2
    (tmp_path / "bad.onnx").write_bytes(b"no model")
    result = library.sweep([model, tmp_path / "bad.onnx"], dims={"batch": 1}, effort=0, workers=1)
    assert [row["error"] for row in result.rows] == [None, "NNC-E010"]
    with pytest.raises(OptionError):
        library.sweep(model, {"cores": [1]}, objective="speed")

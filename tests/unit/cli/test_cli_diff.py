"""nnc/cli/diff.py, golden.py, diff_text.py; nnc/golden.py"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from cli_harness import DIGITS, data_of, fails, nnc, ok
from jsonschema import validate

ROOT = Path(__file__).parents[3]
SMALL = "memory.sram.bytes=32KiB"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a program and reports of a network in little memory."""
    folder = tmp_path_factory.mktemp("diff")
    ok("compile", DIGITS, "--set", SMALL, "-o", folder / "p.bin", "--report", folder / "r.json")
    (folder / "figures.json").write_text(ok("compile", DIGITS, "--set", SMALL, "--json"))
    return folder


def test_models_programs_and_reports_are_compared_in_any_mixture(made: Path) -> None:
    for before in ("p.bin", "r.json", "figures.json"):
        for after in ("p.bin", "r.json"):
            diff = data_of("diff", made / before, made / after)
            assert diff["changed_bytes"] == 0 and diff["totals"]["cycles"]["delta"] == 0
    diff = data_of("diff", made / "r.json", DIGITS)
    assert diff["totals"]["dram_bytes"]["delta"] < 0
    assert diff["failures"] == []
    validate(diff, json.loads(ok("schema", "diff")))


def test_one_model_is_compiled_in_two_ways() -> None:
    text = ok("diff", DIGITS, "--set", SMALL, "--after", "--set memory.sram.bytes=512KiB")
    assert "differs  memory.sram.bytes: 32768 → 524288" in text
    assert "causes are told for 100.0%" in text
    both = data_of("diff", DIGITS, "--before", "--chip npu4", "--after", "--chip npu-banked")
    assert [both[side]["title"].split(" on ")[1] for side in ("before", "after")] == ["npu4", "npu-banked"]


def test_growth_sets_the_status(made: Path) -> None:
    worse = nnc("diff", DIGITS, made / "r.json", "--fail-above", "bytes=0.5%")
    assert worse.exit_code == 1 and "FAILED: bytes grew by " in worse.stdout
    ok("diff", made / "r.json", DIGITS, "--fail-above", "bytes=0%,cycles=0%,energy=0%,instructions=0%")
    assert data_of("diff", DIGITS, "--after", "-O 2")["failures"] == []


def test_markdown_has_tables_that_a_bar_does_not_break(made: Path) -> None:
    text = ok("diff", made / "r.json", DIGITS, "--format", "markdown")
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert len({line.replace("\\|", "").count("|") for line in table}) == 2  # totals, and groups


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((DIGITS,), "Name two files"),
        (("p.bin", "r.json", "--chip", "npu"), "--chip is for models"),
        (("p.bin", DIGITS, "--before", "--chip npu"), "is a program"),
        ((DIGITS, "--after", "--chip 'npu"), "cannot be split"),
        ((DIGITS, "--after", "--no-such"), "No such option"),
    ],
)
def test_wrong_usage_is_told(arguments: tuple[str, ...], message: str, made: Path) -> None:
    result = nnc("diff", *(made / word if word in ("p.bin", "r.json") else word for word in arguments))
    assert result.exit_code == 2 and message in " ".join(result.stderr.split())


# --- golden folders ----------------------------------------------------------------------------------------


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    """A golden folder beside its model, with one network on two chips."""
    shutil.copy(DIGITS, tmp_path / "digits.onnx")
    chip = tmp_path / "little.toml"
    chip.write_text((ROOT / "isa/chip/presets/npu.toml").read_text().replace('"512KiB"', '"16KiB"'))
    model = tmp_path / "digits.onnx"
    ok("golden", "add", tmp_path / "golden", "digits-npu4", model, "--chip", "npu4", "-O0")
    ok("golden", "add", tmp_path / "golden", "digits-little", model, "--chip", chip, "-O0")
    return tmp_path / "golden"


def test_what_is_as_it_was_is_ok(golden: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    for name in ("golden", "digits.onnx", "little.toml"):
        shutil.move(tmp_path / name, moved / name)
    monkeypatch.chdir(moved)
    text = ok("golden", "check", "golden")
    assert text.count(" ok") == 2 and "WORSE" not in text
    data = data_of("golden", "check", "golden")
    assert list(data["networks"]) == ["digits-npu4", "digits-little"]
    validate(data, json.loads(ok("schema", "golden")))


def test_what_got_worse_is_told_and_fails(golden: Path) -> None:
    index = golden / "golden.json"
    networks = json.loads(index.read_text())
    networks["networks"]["digits-npu4"]["options"]["overrides"] = ["memory.sram.bytes=16KiB"]
    index.write_text(json.dumps(networks))
    result = nnc("golden", "check", golden, "--format", "markdown")
    assert result.exit_code == 1
    assert "| digits-npu4 |" in result.stdout and "WORSE" in result.stdout
    ok("golden", "check", golden, "digits-little")
    ok("golden", "check", golden, "--fail-above", "cycles=1000%")
    ok("golden", "update", golden, "digits-npu4")
    ok("golden", "check", golden)


def test_reports_are_the_same_bytes_each_time(golden: Path) -> None:
    before = {path.name: path.read_bytes() for path in golden.iterdir()}
    ok("golden", "update", golden)
    assert {path.name: path.read_bytes() for path in golden.iterdir()} == before


def test_damaged_folders_are_refused(golden: Path, tmp_path: Path) -> None:
    fails("NNC-E033", tmp_path, "golden", "check", tmp_path)
    fails("NNC-E001", tmp_path, "golden", "check", golden, "no-such")
    fails("NNC-E001", tmp_path, "golden", "add", golden, "../escape", DIGITS)
    (golden / "digits-npu4.json").unlink()
    fails("NNC-E033", tmp_path, "golden", "check", golden)
    (golden / "golden.json").write_text('{"networks": {"a": {"model": "m.onnx"}}}')
    fails("NNC-E033", tmp_path, "golden", "check", golden)
    (golden / "golden.json").write_text(
        '{"networks": {"a": {"model": "../digits.onnx", "options": {"chip": 3}}}}'
    )
    fails("NNC-E033", tmp_path, "golden", "update", golden)

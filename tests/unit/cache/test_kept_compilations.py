"""nnc compile out of the cache: the same texts and programs for what is the same, and for nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import onnx
import pytest
from cli_harness import data_of, nnc, ok, process

from nnc import models
from nnc.cache import origin, plans
from nnc.cache.plans import key_of, model_digest_of
from nnc.cache.recall import recall
from nnc.compiler.plan.options import PlanOptions
from nnc.isa.chip.load import load_chip


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A cache of this test alone."""
    monkeypatch.setenv("NNC_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "net.onnx"
    onnx.save(models.build("lenet5", width=0.2), path)
    return path


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The chips for which something is asked of the compiler, which is as good as done anew each time."""
    chips: list[str] = []
    done: dict[str, object] = {}
    compile_model = plans.compile_model

    def counted(model: object, chip: object, **words: object) -> object:
        chips.append(str(chip))
        if str(chip) not in done:
            done[str(chip)] = compile_model(model, chip, **words)  # type: ignore[arg-type]
        return done[str(chip)]

    monkeypatch.setattr(plans, "compile_model", counted)
    return chips


def untimed(text: str) -> str:
    return re.sub(r"compiled in [\d.]+ s|compile_seconds\": ?[\d.]+", "", text)


@pytest.mark.parametrize("chip", ["npu", "npu4", "pixel-dsp"])
def test_all_it_prints_and_writes_is_the_same(
    chip: str, model: Path, tmp_path: Path, compilations: list[str]
) -> None:
    """In every form that there is, of a result that was kept as of one that was not."""
    forms: list[tuple[str, ...]] = [(), ("-v",), ("--by", "layer"), ("--by", "core", "-v"), ("--json",)]
    words = ("compile", model, "--chip", chip, "-O1")
    ok(*words)
    kept = [ok(*words, *form) for form in forms]
    files = [f"{option}={tmp_path / f'a.{ending}'}" for option, ending in WRITTEN.items()]
    ok(*words, *files)
    assert len(compilations) == 1
    anew = [ok(*words, *form, "--no-cache") for form in forms]
    ok(*words, *(file.replace("/a.", "/b.") for file in files), "--no-cache")
    assert len(compilations) == 1 + len(forms) + 1
    assert kept == anew
    for ending in WRITTEN.values():
        texts = [(tmp_path / f"{name}.{ending}").read_bytes() for name in "ab"]
        assert texts[0].replace(b"a.bin", b"b.bin").replace(b"a.asm", b"b.asm") == texts[1]


WRITTEN = {"--output": "bin", "--asm": "asm", "--report": "json"}


def test_a_process_recalls_its_answer(
    model: Path, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And imports nothing that is slow to import."""
    monkeypatch.setenv("PYTHONPROFILEIMPORTTIME", "1")
    words = ("compile", model, "-O0", "-o", tmp_path / "p.bin")
    first = process(*words)
    program = (tmp_path / "p.bin").read_bytes()
    (tmp_path / "p.bin").write_bytes(b"another")
    again = process(*words)
    assert again.returncode == 0 and again.stdout == first.stdout and "lenet5" in first.stdout
    assert (tmp_path / "p.bin").read_bytes() == program
    assert len(list(cache.iterdir())) == 2, "the plan and the answer"
    for name in ("numpy", "onnx", "pydantic", "rich", "nnc.isa"):
        line = re.compile(rf"\| +{re.escape(name)}$", re.MULTILINE)
        assert line.search(first.stderr) and not line.search(again.stderr), name
    (tmp_path / "p.bin").unlink()
    (tmp_path / "p.bin").symlink_to(model.name)
    before = model.read_bytes()
    refused = process(*words)
    assert "overwrite an input" in refused.stderr and refused.stdout == ""
    assert model.read_bytes() == before


def test_an_answer_holds_for_its_files_only(model: Path, tmp_path: Path) -> None:
    chip, base = tmp_path / "mine.toml", tmp_path / "base.toml"
    chip.write_text('extends = "base.toml"\nname = "mine"\n')
    base.write_text('extends = "npu"\n')
    apart = tmp_path / "apart.onnx"
    onnx.save(onnx.load(model), apart, save_as_external_data=True, location="weights", size_threshold=100)
    for path, changed in ((model, model), (model, base), (model, chip), (apart, tmp_path / "weights")):
        words = ["compile", str(path), "--chip", str(chip), "-O0"]
        assert recall(words) is None
        printed = ok(*words)
        assert recall(words) == printed
        assert recall([*words, "--no-cache"]) is recall([*words, "-v"]) is recall(words[1:]) is None
        sound = changed.read_bytes()
        changed.write_bytes(sound[:-1] + bytes([sound[-1] ^ 1]))
        assert recall(words) is None, changed
        changed.unlink()
        assert recall(words) is None, changed
        changed.write_bytes(sound)
        assert recall(words) == printed
        ok("cache", "clear")


def test_weights_beside_the_model_count(model: Path, tmp_path: Path) -> None:
    apart = tmp_path / "apart.onnx"
    onnx.save(onnx.load(model), apart, save_as_external_data=True, location="weights", size_threshold=100)
    data = (tmp_path / "weights").read_bytes()
    before = model_digest_of(apart)
    (tmp_path / "weights").write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert model_digest_of(apart) not in ("", before)
    (tmp_path / "weights").unlink()
    assert model_digest_of(apart) == ""
    assert nnc("compile", apart).exit_code == 1


Change = Callable[[pytest.MonkeyPatch], dict[str, object]]
CHANGES: dict[str, Change] = {
    "chip": lambda _: {"chip": load_chip("npu", ["dram.latency=101"])},
    "objective": lambda _: {"options": PlanOptions("traffic")},
    "not fused": lambda _: {"options": PlanOptions(fused=False)},
    "shapes": lambda _: {"shapes": {"input": (1, 1, 32, 32)}},
    "dims": lambda _: {"dims": {"batch": 1}},
    "states": lambda _: {"states": "auto"},
    "sources": lambda patch: patch.setattr(plans, "origin", lambda: "another") or {},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_keys_have_all_that_counts(change: Change, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chip = load_chip("npu")
    key = key_of(model, chip)
    same = load_chip("npu", ["memory.sram.bytes=524288"])
    assert key_of(model, same, options=PlanOptions(), shapes={}, dims={}, states={}) == key
    words = change(monkeypatch)
    assert key_of(model, words.pop("chip", chip), **words) != key  # type: ignore[arg-type]


def test_sources_count(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = tmp_path / "nnc"
    (package / "cache").mkdir(parents=True)
    (package / "pass.py").write_text("1")
    monkeypatch.setattr(origin, "__file__", str(package / "cache" / "origin.py"))
    digests = []
    for name, text in (("pass.py", "1"), ("pass.py", "2"), ("new.toml", ""), ("read.me", "")):
        (package / name).write_text(text)
        digests.append(origin.origin.__wrapped__())
    assert len(set(digests)) == 3 and digests[2] == digests[3]


def test_failures_and_checks_are_not_kept(model: Path, cache: Path, compilations: list[str]) -> None:
    assert nnc("compile", model, "--set", "memory.sram.bytes=64").exit_code == 1
    ok("compile", model, "--verify-each")
    assert not cache.exists()
    ok("compile", model)
    ok("compile", model, "--verify-each")
    assert len(compilations) == 4


def test_show_and_clear(model: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "0 entries" in ok("cache")
    ok("compile", model)
    shown = data_of("cache", "show")
    assert (shown["folder"], shown["entries"]) == (str(cache), 2)
    assert shown["bytes"] == sum(path.stat().st_size for path in cache.iterdir())
    assert "removed" in ok("cache", "clear") and not any(cache.iterdir())
    monkeypatch.setenv("NNC_CACHE_DIR", "off")
    assert "off" in ok("cache") and data_of("cache")["folder"] is None

"""Fuzzing reports whatever must not happen: shown with a judge that is broken in every way."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

import nnc
from bench.fuzz import __main__ as command
from bench.fuzz.corpora import chips
from bench.fuzz.judges import small_network
from bench.fuzz.kinds import KINDS, Kind
from bench.fuzz.outcomes import Outcome, Verdict, WrongError
from bench.fuzz.runs import replay, run
from bench.fuzz.workers import LARGE, REFERENCE, Enter, Limits
from nnc.isa.assembly.disassembler import disassemble
from nnc.isa.errors import InternalError, OptionError
from nnc.isa.program_file.binary import encode

MANY_BYTES = 1 << 26
LIMITS = Limits(memory_bytes=MANY_BYTES, seconds=0.7)


def broken_judge(path: Path, enter: Enter) -> None:
    """Does what the file says."""
    text = path.read_text()
    if text == "refused":
        raise OptionError("no", remedy="another")
    if text == "E090":
        raise InternalError("an invariant")
    if text == "other exception":
        raise KeyError(text)
    if text == "wrong":
        raise WrongError("1 instead of 2")
    if text == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if text == "over memory":
        assert len(b"\1" * (3 * MANY_BYTES // 2))
    if text == "over memory, hidden":
        try:
            bytearray(1 << 45)
        except MemoryError as error:
            raise OptionError("too large", remedy="another") from error
    if text == "over time":
        while True:
            pass
    if text == "warned on stderr":
        print("careful", file=sys.stderr)
    if text == "large tensors":
        enter(LARGE)
        assert len(b"\1" * (3 * MANY_BYTES // 2))
    if text == "crash, large tensors":
        enter(LARGE)
        os.kill(os.getpid(), signal.SIGSEGV)
    if text == "ok, reference crashes":
        enter(REFERENCE)
        os.kill(os.getpid(), signal.SIGSEGV)


CASES = [verdict.value for verdict in Verdict] + [
    "over memory, hidden",
    "ok, reference crashes",
    "crash, large tensors",
]


def chosen_case(data: bytes, random: Random) -> bytes:
    return random.choice(CASES).encode()


BROKEN = Kind(".txt", lambda: [[b"ok"]], chosen_case, broken_judge)


@pytest.mark.parametrize("case", CASES)
def test_every_outcome_is_seen(case: str, tmp_path: Path) -> None:
    file = tmp_path / "case.txt"
    file.write_text(case)
    outcome = replay(BROKEN, file, LIMITS)
    assert outcome.verdict.value == case.partition(",")[0], outcome
    assert outcome.cause or not outcome.verdict.is_bad


def test_a_run_keeps_bad_cases_and_goes_on_behind_them(tmp_path: Path) -> None:
    """Where the process died, another one judges the next case; equal seeds give equal cases."""
    outcomes = dict(run(BROKEN, BROKEN.corpus(), range(24), 1, tmp_path, LIMITS))
    assert len(outcomes) == 24
    assert len({outcome.verdict for outcome in outcomes.values()}) > 5
    for file, outcome in outcomes.items():
        assert file.exists() == outcome.verdict.is_bad
        if file.exists():
            assert file.read_text().startswith(outcome.verdict.value)
            assert outcome.cause in file.with_suffix(".txt.log").read_text()
    (again,) = run(BROKEN, BROKEN.corpus(), [7], 1, tmp_path / "again", LIMITS)
    assert again[1].verdict is outcomes[tmp_path / again[0].name].verdict


def test_command_fails_and_says_how_to_replay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "chip", BROKEN)
    monkeypatch.setattr(command, "Limits", lambda: LIMITS)
    result = CliRunner().invoke(command.main, ["chip", "--cases", "8", "--out", str(tmp_path)])
    assert result.exit_code == 1
    kept = sorted(path for path in (tmp_path / "chip").iterdir() if path.suffix == ".txt")
    assert kept and f"--replay {kept[0]}" in result.output
    replayed = CliRunner().invoke(command.main, ["chip", "--replay", str(kept[0])])
    assert replayed.exit_code == 1 and kept[0].read_text().partition(",")[0] in replayed.output


def test_sound_chips_are_no_failures(tmp_path: Path) -> None:
    sound = Kind(".toml", chips, lambda data, random: data, KINDS["chip"].judge)
    outcomes = [
        outcome for _, outcome in run(sound, [sound.corpus()[0][:2]], range(2), 0, tmp_path, Limits())
    ]
    assert outcomes == [Outcome(Verdict.OK)] * 2


def test_cases_differ_from_what_they_are_made_of() -> None:
    """And depend on their random numbers alone; a few changes cancel each other."""
    model = small_network()
    program = nnc.compile(model)
    sound = {
        "onnx": model.SerializeToString(),
        "program": encode(program),
        "text": disassemble(program).encode(),
        "chip": chips()[0][0],
    }
    for name, data in sound.items():
        cases = [KINDS[name].mutated(data, Random(number)) for number in range(40)]
        assert cases == [KINDS[name].mutated(data, Random(number)) for number in range(40)]
        assert len({*cases, data}) > 35, name

"""The file of a program with a host: what is written is read, and what is damaged is refused in words."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hosted_models import ssd_like, yolo_like

from nnc.hosted import compile_hosted
from nnc.isa.errors import ProgramFileError, ProgramInvalidError
from nnc.isa.hosted import ChipSegment, HostedProgram, hosted_problem
from nnc.isa.program_file.binary import load_any, load_entries, load_program, save_program
from nnc.isa.program_file.hosted import decode_hosted, save_hosted


@cache
def detector() -> HostedProgram:
    return compile_hosted(yolo_like(), "npu", objective="balanced", effort=0).hosted


@pytest.fixture
def file(tmp_path: Path) -> Path:
    save_hosted(detector(), tmp_path / "detector.bin")
    return tmp_path / "detector.bin"


def test_what_is_written_is_read(file: Path) -> None:
    again, hosted = load_any(file), detector()
    assert isinstance(again, HostedProgram)
    assert (again.segments, again.given_inputs, again.outputs) == (
        hosted.segments,
        hosted.given_inputs,
        hosted.outputs,
    )
    for entry, program in hosted.programs.items():
        assert again.programs[entry].issued == program.issued
        assert again.programs[entry].host_tensors == program.host_tensors != ()
        np.testing.assert_array_equal(again.programs[entry].constants, program.constants)


def test_programs_of_the_chip_can_be_read_alone(file: Path) -> None:
    assert list(load_entries(file)) == ["chip0"]
    assert load_program(file, entry="chip0").issued == detector().programs["chip0"].issued
    with pytest.raises(ProgramFileError, match="no such program"):
        load_program(file, entry="chip7")


def test_a_plain_program_has_no_host(tmp_path: Path) -> None:
    program = detector().programs["chip0"]
    save_program(program, tmp_path / "plain.bin")
    assert not isinstance(load_any(tmp_path / "plain.bin"), HostedProgram)


def test_every_damaged_byte_is_noticed(file: Path) -> None:
    """Of the header, the manifest and the models; the programs behind them have a checksum of their own."""
    data = file.read_bytes()
    step = max(1, len(data) // 400)
    for place in [*range(48), *range(48, len(data), step)]:
        wrong = bytearray(data)
        wrong[place] ^= 0x55
        with pytest.raises(ProgramFileError):
            decode_hosted(memoryview(wrong), "wrong")


def test_every_shorter_file_is_noticed(file: Path) -> None:
    data = file.read_bytes()
    for length in [*range(64), *range(64, len(data), len(data) // 50)]:
        with pytest.raises(ProgramFileError):
            decode_hosted(memoryview(data[:length]), "short")


def test_segments_that_cannot_run(tmp_path: Path) -> None:
    hosted = compile_hosted(ssd_like(), "npu", effort=0).hosted
    backwards = replace(hosted, segments=hosted.segments[::-1])
    unknown = replace(hosted, segments=(ChipSegment("chip9"),))
    lacking = replace(hosted, segments=hosted.segments[:1])
    for wrong, message in [
        (backwards, "which nothing"),
        (unknown, "names no program"),
        (lacking, "no segment"),
    ]:
        assert message in hosted_problem(wrong)
        with pytest.raises(ProgramInvalidError, match=message):
            save_hosted(wrong, tmp_path / "wrong.bin")
    assert not (tmp_path / "wrong.bin").exists()

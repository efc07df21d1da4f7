"""No output of a command is one of its inputs, or another output, by whatever name: nothing is lost."""

from __future__ import annotations

import io
import os
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path

import click
import numpy as np
import onnx
import pytest
from cli_harness import DIGITS, PICTURE, PIXELS, fails, nnc, ok
from numpy.lib import format as numpy_format
from onnx import numpy_helper, parser

from nnc.cli.commands import COMMANDS
from nnc.cli.commands import commands as root
from nnc.cli.paths import ReadPath, WrittenFolder, WrittenPath
from nnc.isa.files import write_whole
from nnc.models.digits import INT8_MODEL

# --- every argument of every command -----------------------------------------------------------------------


def commands(group: click.Group = root, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*path, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


def parameters(path: tuple[str, ...]) -> list[click.Parameter]:
    command: click.Command | None = root
    for name in path:
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), name)
    assert command is not None
    return command.params


def names_files(parameter: click.Parameter) -> bool:
    """Whether an argument names a file, by its type or by what the help shows in its place."""
    shown = parameter.metavar or ""
    return isinstance(parameter.type, click.Path | click.File) or bool(
        re.search(r"\bFILE\b|\bDIR\b|\.[a-z]{2,}\b", shown)
    )


def test_all_commands_are_looked_at() -> None:
    assert {path[0] for path in commands()} == set(COMMANDS)
    assert ("models", "build") in commands()


@pytest.mark.parametrize("path", list(commands()), ids=" ".join)
def test_arguments_that_name_files_say_whether_they_are_read_or_written(path: tuple[str, ...]) -> None:
    for parameter in filter(names_files, parameters(path)):
        assert isinstance(parameter.type, ReadPath | WrittenPath | WrittenFolder), parameter.name


def pairs() -> list[tuple[tuple[str, ...], str, str]]:
    """Command, an argument that it writes to, another one that names a file."""
    return [
        (path, str(written.name), str(named.name))
        for path in commands()
        for written, named in permutations(filter(names_files, parameters(path)), 2)
        if isinstance(written.type, WrittenPath) and not isinstance(named.type, WrittenFolder)
    ]


def test_there_are_pairs_to_try() -> None:
    assert (("run",), "trace", "check") in pairs()
    assert (("compile",), "asm", "output") in pairs()
    assert (("quantize",), "output", "calibration") in pairs()


def by_dots(file: Path) -> Path:
    return file.parent / ".." / file.parent.name / file.name


def by_symlink(file: Path) -> Path:
    link = file.with_name("link")
    link.symlink_to(file.name)
    return link


def by_hard_link(file: Path) -> Path:
    link = file.with_name("link")
    os.link(file, link)
    return link


NAMES: list[Callable[[Path], Path]] = [Path, by_dots, by_symlink, by_hard_link]


@pytest.mark.parametrize(("path", "written", "named"), pairs(), ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_no_two_arguments_are_the_same_file(
    path: tuple[str, ...], written: str, named: str, name: Callable[[Path], Path], tmp_path: Path
) -> None:
    """Whatever the file holds: nothing of it is read before."""
    file = tmp_path / "file"
    file.write_bytes(b"cores = 1")
    values = {written: str(name(file)), named: str(file)}
    arguments, positional = list(path), []
    for parameter in parameters(path):
        if isinstance(parameter, click.Argument):
            positional.append(values.get(str(parameter.name), "anything"))
        elif parameter.name in values:
            arguments += [parameter.opts[0], values[parameter.name]]
        elif parameter.required:
            arguments += [parameter.opts[0], str(tmp_path / "else")]
    assert "same file" in fails("NNC-E001", tmp_path, *arguments, *positional)


# --- files that no argument names --------------------------------------------------------------------------


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "digits.bin"
    ok("compile", DIGITS, "-o", path)
    return path


def test_outputs_of_a_run_and_its_inputs(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("probabilities.npy", np.zeros((1, 1, 16, 16), np.float32))
    for argument in ("probabilities.npy", "image=probabilities.npy"):
        fails("NNC-E001", tmp_path, "run", program, "--input", argument, "--output-dir", ".")
    os.link("probabilities.npy", "input.npy")
    fails("NNC-E001", tmp_path, "run", program, "--input", "input.npy", "--output-dir", tmp_path)
    Path("results").mkdir()
    trace = ("--trace", "results/probabilities.npy")
    fails("NNC-E001", tmp_path, "run", program, *trace, "--output-dir", "results")
    ok("run", program, "--input", "input.npy", "--output-dir", "results", "--trace", "results/trace.json")
    fails("NNC-E001", tmp_path, "run", program, "--check", tmp_path / "m.onnx", "--trace", "m.onnx")


def test_pictures_are_not_overwritten(program: Path, tmp_path: Path) -> None:
    picture = tmp_path / "a=b.png"
    shutil.copy(PICTURE, picture)
    for argument in (picture, f"image={picture}"):
        fails("NNC-E001", tmp_path, "run", program, "--input", argument, *PIXELS, "--trace", picture)
    calibration = ("quantize", DIGITS, "--calibration", tmp_path)
    fails("NNC-E001", tmp_path, *calibration, "-o", picture)
    fails("NNC-E001", tmp_path, *calibration, "-o", tmp_path)


def test_external_data_is_not_overwritten(tmp_path: Path) -> None:
    model = tmp_path / "m.onnx"
    text = '<ir_version: 9, opset_import: ["": 20]> g (float[2] x) => (float[2] y) <float[2] w = {1, 2}>'
    proto = parser.parse_model(f"{text} {{ y = Add (x, w) }}")
    proto.graph.initializer[0].CopyFrom(numpy_helper.from_array(np.ones(2, np.float32), "w"))
    onnx.save_model(proto, model, save_as_external_data=True, location="w.bin", size_threshold=0)
    program = tmp_path / "p.bin"
    ok("compile", model, "-o", program)
    link = tmp_path / "link"
    link.symlink_to("w.bin")
    for output in (tmp_path / "w.bin", link):
        fails("NNC-E001", tmp_path, "compile", model, "-o", output)
        fails("NNC-E001", tmp_path, "compile", model, "--asm", output)
        fails("NNC-E001", tmp_path, "dump-ir", model, "--stage", "import", "-o", output)
        fails("NNC-E001", tmp_path, "quantize", model, "--random", "1", "-o", output)
        fails("NNC-E001", tmp_path, "run", program, "--check", model, "--trace", output)


def test_chips_that_a_chip_extends_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text('extends = "npu"\nname = "base"')
    (tmp_path / "c.toml").write_text('extends = "base.toml"\nname = "c"')
    for name in ("base.toml", "c.toml"):
        fails("NNC-E001", tmp_path, "compile", DIGITS, "--chip", tmp_path / "c.toml", "-o", tmp_path / name)


def test_constants_of_a_text_are_not_overwritten(program: Path, tmp_path: Path) -> None:
    text, side = tmp_path / "d.asm", tmp_path / "d.asm.constants"
    fails("NNC-E001", tmp_path, "compile", DIGITS, "-o", side, "--asm", text)
    ok("disasm", program, "-o", text)
    fails("NNC-E001", tmp_path, "asm", text, "-o", side)
    fails("NNC-E001", tmp_path, "disasm", program.rename(side), "-o", text)
    renamed = text.rename(tmp_path / "renamed.asm")
    side.rename(tmp_path / "x.constants")
    renamed.write_text(renamed.read_text().replace("d.asm.constants", "x.constants"))
    fails("NNC-E001", tmp_path, "asm", renamed, "-o", tmp_path / "x.constants")


def test_what_loses_nothing_is_allowed(program: Path, tmp_path: Path) -> None:
    ok("compile", DIGITS, "-o", "/dev/null", "--asm", "/dev/null")
    ok("compile", DIGITS, "-o", program)
    ok("compile", DIGITS, "-o", program)
    copy = Path(shutil.copy(DIGITS, tmp_path / "m.onnx"))
    ok("dump-ir", copy, "--stage", "import", "-o", tmp_path / "m.onnx.txt")


# --- names that no file can have ---------------------------------------------------------------------------

LONG = "a" * 258
"""Most systems take 255 bytes."""


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the required arguments of commands can be, by their name."""
    folder = tmp_path_factory.mktemp("sound")
    program, text = folder / "p.bin", folder / "p.asm"
    ok("compile", DIGITS, "-O0", "-o", program, "--asm", text)
    ok("golden", "add", folder / "golden", "digits", DIGITS, "-O0")
    golden = {"before": str(program), "after": str(program), "folder": str(folder / "golden")}
    sound = {"program": str(program), "text": str(text), "name": "lenet5"}
    compared = {"float_model": DIGITS, "quantised_model": str(INT8_MODEL), "data": str(Path(PICTURE).parent)}
    return {**dict.fromkeys(("model", "models", "subject"), DIGITS), **sound, **golden, **compared}


@pytest.mark.parametrize(
    ("path", "name"),
    [(path, str(p.name)) for path in commands() for p in filter(names_files, parameters(path))],
    ids=str,
)
def test_names_that_are_too_long(
    path: tuple[str, ...], name: str, sound: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments, positional = list(path), []
    for parameter in parameters(path):
        value = {**sound, "output": "out", name: f"{LONG}.npy" if name == "inputs" else LONG}.get(
            str(parameter.name), ""
        )
        if isinstance(parameter, click.Argument):
            positional.append(value)
        elif parameter.name == name or parameter.required:
            arguments += [parameter.opts[0], value]
    if path == ("diff",):
        arguments += ["--after", "-O0"] if name == "chip" else []
        positional = [DIGITS] if name == "chip" else positional
    if path == ("quantize",) and name != "calibration":
        arguments += ["--random", "1"]
    if path == ("dump-ir",):
        arguments += ["--stage", "import"]
    if path == ("generate",):
        arguments += ["--ids", "1"]
    if path == ("report",) and name not in {"output", "overlay"}:
        arguments += ["--overlay", "overlay"]
    before = set(tmp_path.iterdir())
    result = nnc(*arguments, *positional)
    assert result.exit_code == 1
    assert re.match(r"NNC-E0[0-8]", result.stderr), result.stderr
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize("name", ["", ".", "/", "..", "folder", "a\0b", "none/file", "/dev/null/file"])
def test_names_that_are_no_file(
    name: str, sound: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of outputs, this is told before the command does anything."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for command in (
        ("compile", DIGITS, "-o", name),
        ("compile", DIGITS, "--asm", name, "-o", "p.bin"),
        ("disasm", sound["program"], "-o", name),
        ("asm", sound["text"], "-o", name),
        ("run", sound["program"], "--trace", name, "--output-dir", "results"),
        ("compile", name),
        ("verify", name),
        ("asm", name, "-o", "p.bin"),
        ("compile", DIGITS, "--chip", name, "-o", "p.bin"),
        ("run", sound["program"], "--input", name),
        ("run", sound["program"], "--check", name),
        ("quantize", DIGITS, "--calibration", name, "-o", "q.onnx"),
    ):
        result = nnc(*command)
        assert result.exit_code in (1, 2)
        assert re.match("NNC-E0[0-8]|Usage:", result.stderr), result.stderr
        assert {path.name for path in tmp_path.rglob("*")} == {"folder"}


def test_the_longest_names_can_be_written(tmp_path: Path) -> None:
    for name in ("a" * 255, "ü" * 127, "\U0001f600" * 63):
        write_whole(tmp_path / name, [b"data"])
        assert (tmp_path / name).read_bytes() == b"data"


# --- files without an end ----------------------------------------------------------------------------------


@pytest.mark.parametrize("endless", ["device", "pipe"])
@pytest.mark.parametrize(
    ("code", "before", "after"),
    [
        ("NNC-E010", ["compile"], []),
        ("NNC-E010", ["dump-ir", "--stage", "import"], []),
        ("NNC-E010", ["quantize", "--random", "1", "-o", "q.onnx"], []),
        ("NNC-E050", ["quantize", DIGITS, "-o", "q.onnx", "--calibration"], []),
        ("NNC-E030", ["run"], []),
        ("NNC-E030", ["verify"], []),
        ("NNC-E030", ["disasm"], []),
        ("NNC-E040", ["asm"], ["-o", "a.bin"]),
        ("NNC-E020", ["compile", DIGITS, "--chip"], []),
    ],
)
def test_devices_and_pipes_are_refused(
    code: str,
    before: list[str],
    after: list[str],
    endless: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A pipe that nobody writes to would be waited for, and a device has no last byte."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "endless.npz"
    if endless == "device":
        path.symlink_to("/dev/zero")
    else:
        os.mkfifo(path)
    result = nnc(*before, path, *after)
    assert result.exit_code == 1 and result.stderr.startswith(f"{code}: "), result.output


def test_archives_of_too_many_samples_are_refused(tmp_path: Path) -> None:
    """By the header: a zip of a few kB may hold any number of zeros."""
    header = io.BytesIO()
    shape = (2**22, 1, 16, 16)
    numpy_format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": shape})
    with zipfile.ZipFile(tmp_path / "s.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("image.npy", header.getvalue() + bytes(10**6))
    arguments = ["quantize", DIGITS, "--calibration", tmp_path / "s.npz", "-o", tmp_path / "q.onnx"]
    assert f"found: {2**22 * 1024} bytes" in fails("NNC-E050", tmp_path, *arguments)

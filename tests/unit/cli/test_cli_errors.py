"""The commands on bad input: one clear error, status 1, no traceback, no partial file."""

from __future__ import annotations

import json
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from cli_harness import DIGITS, PICTURE, fails, nnc, ok
from onnx import TensorProto, numpy_helper, parser

from nnc.cache import plans
from nnc.isa.program_file.binary import load_program, save_program


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """The compiled digits network, in the folder of the test."""
    path = tmp_path / "digits.bin"
    ok("compile", DIGITS, "-o", path)
    return path


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


# --- models -------------------------------------------------------------------------------------------------


def parsed(text: str) -> onnx.ModelProto:
    return parser.parse_model(f'<ir_version: 9, opset_import: ["": 20]> {text}')


def wrongly_typed() -> onnx.ModelProto:
    return parsed("g (float[2] x, int64[2] i) => (float[2] y) { y = Add(x, i) }")


def external(location: str, length: int = 16) -> onnx.ModelProto:
    model = parsed("g (float[4] x) => (float[4] y) <float[4] w = {1, 2, 3, 4}> { y = Add(x, w) }")
    tensor = model.graph.initializer[0]
    tensor.CopyFrom(numpy_helper.from_array(np.ones(4, np.float32), "w"))
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in {"location": location, "offset": "0", "length": str(length)}.items():
        entry = tensor.external_data.add()
        entry.key, entry.value = key, value
    return model


BAD_MODELS: dict[str, tuple[str, onnx.ModelProto | bytes | None]] = {
    "missing": ("NNC-E010", None),
    "empty": ("NNC-E010", b""),
    "truncated": ("NNC-E010", Path(DIGITS).read_bytes()[:1000]),
    "no ONNX": ("NNC-E010", b"\x89PNG\r\n\x1a\n and more"),
    "cyclic": ("NNC-E011", parsed("g (float[2] x) => (float[2] y) { a = Add(x, b) b = Relu(a) y = Neg(b) }")),
    "dangling": ("NNC-E011", parsed("g (float[2] x) => (float[2] y) { y = Add(x, nobody) }")),
    "wrongly typed": ("NNC-E011", wrongly_typed()),
    "external data missing": ("NNC-E012", external("nowhere.bin")),
    "external data too short": ("NNC-E012", external("short.bin")),
    "external data outside": ("NNC-E012", external("../outside.bin")),
    "symbolic": ("NNC-E013", parsed("g (float[N] x) => (float[N] y) { y = Relu(x) }")),
    "too large": (
        "NNC-E014",
        parsed("g (float[1048576,1048576] x) => (float[1048576,1048576] y) { y = Relu(x) }"),
    ),
    "unsupported": ("NNC-E015", parsed("g (float[2,2] x) => (float y) { y = Bernoulli(x) }")),
}


@pytest.mark.parametrize("case", BAD_MODELS)
def test_bad_models(case: str, tmp_path: Path) -> None:
    code, model = BAD_MODELS[case]
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / "short.bin").write_bytes(b"1234")
    (tmp_path / "outside.bin").write_bytes(bytes(16))
    path = folder / "m.onnx"
    if isinstance(model, onnx.ModelProto):
        path.write_bytes(model.SerializeToString())
    elif model is not None:
        path.write_bytes(model)
    fails(code, tmp_path, "compile", path, "-o", folder / "m.bin", "--asm", folder / "m.asm")
    fails(code, tmp_path, "dump-ir", path, "--stage", "place", "-o", folder / "dump")


def test_all_unsupported_nodes_are_named(tmp_path: Path) -> None:
    model = parsed("g (float[2,2] x) => (float y, float z) { y = Bernoulli(x) a = Neg(x) z = Bernoulli(a) }")
    path = written(tmp_path / "m.onnx", model.SerializeToString())
    assert fails("NNC-E015", tmp_path, "compile", path).count("(Bernoulli)") == 2


@pytest.mark.parametrize("shape", ["picture=1,1,16,16", "image=1,1,16", "image=2,1,16,16", "image=0,1,16,16"])
def test_bad_shapes(shape: str, tmp_path: Path) -> None:
    fails("NNC-E001", tmp_path, "compile", DIGITS, "--shape", shape)


def test_groups_of_pixels_where_there_are_none(tmp_path: Path) -> None:
    said = fails("NNC-E001", tmp_path, "compile", DIGITS, "--fc-oram", "2880")
    assert "--fc-oram means nothing on this chip" in said
    said = fails("NNC-E001", tmp_path, "compile", DIGITS, "--chip", "nna", "--fc-oram", "64")
    assert "the least is 128 B" in said


def test_types_that_no_unit_knows(tmp_path: Path) -> None:
    model = parsed("g (float16[8,8] x) => (float16[8,8] y) { y = MatMul (x, x) }")
    path = written(tmp_path / "m.onnx", model.SerializeToString())
    assert "f16" in fails("NNC-E022", tmp_path, "compile", path, "--chip", "nna")


# --- chips --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("NNC-E020", "name = "),
        ("NNC-E020", 'name = "x"'),
        ("NNC-E020", None),
        ("NNC-E020", 'cores = 0\nname = "x"'),
    ],
)
def test_bad_chip_files(code: str, text: str | None, tmp_path: Path) -> None:
    chip = tmp_path / "chip.toml"
    if text is not None:
        chip.write_text(text)
    fails(code, tmp_path, "compile", DIGITS, "--chip", chip, "-o", tmp_path / "m.bin")
    fails(code, tmp_path, "chips", "show", chip)


@pytest.mark.parametrize(
    ("code", "override"),
    [
        ("NNC-E001", "cores"),
        ("NNC-E001", "memory.nowhere.bytes=5"),
        ("NNC-E020", "cores=0"),
        ("NNC-E020", "memory.sram.bytes=-5"),
        ("NNC-E020", "memory.sram.bytes=much"),
    ],
)
def test_bad_overrides(code: str, override: str, tmp_path: Path) -> None:
    fails(code, tmp_path, "compile", DIGITS, "--set", override)


def test_a_chip_that_is_too_small_says_what_it_lacks(tmp_path: Path) -> None:
    error = fails(
        "NNC-E021",
        tmp_path,
        "compile",
        DIGITS,
        "--set",
        "memory.sram.bytes=128",
        "-o",
        tmp_path / "m.bin",
    )
    assert "memory.sram.bytes" in error


# --- programs -----------------------------------------------------------------------------------------------


def corrupted(data: bytes, how: str) -> bytes:
    match how:
        case "empty":
            return b""
        case "truncated":
            return data[:-100]
        case "header only":
            return data[:40]
        case "flipped bit":
            return data[:5000] + bytes([data[5000] ^ 1]) + data[5001:]
        case "another version":
            return data[:8] + struct.pack("<I", 99) + data[12:]
        case _:
            return b"no program at all"


@pytest.mark.parametrize(
    "how", ["empty", "truncated", "header only", "flipped bit", "another version", "another file"]
)
@pytest.mark.parametrize("command", ["run", "verify", "disasm"])
def test_bad_programs(how: str, command: str, program: Path, tmp_path: Path) -> None:
    path = written(tmp_path / "bad.bin", corrupted(program.read_bytes(), how))
    options = {"run": ("--output-dir", tmp_path / "out"), "disasm": ("-o", tmp_path / "d.asm")}
    fails("NNC-E030", tmp_path, command, path, *options.get(command, ()))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", ["run", "verify", "disasm"])
def test_missing_program(command: str, tmp_path: Path) -> None:
    assert "nnc compile" in fails("NNC-E030", tmp_path, command, tmp_path / "none.bin")


def test_program_for_another_chip(program: Path, tmp_path: Path) -> None:
    assert "vdsp12" in fails("NNC-E031", tmp_path, "run", program, "--chip", "vdsp12")
    error = fails("NNC-E031", tmp_path, "run", program, "--chip", "npu", "--set", "memory.sram.bytes=1MiB")
    assert "memory.sram.bytes = 524288" in error
    assert "memory.sram.bytes = 1048576" in error


def test_errors_are_json_under_json(program: Path, tmp_path: Path) -> None:
    path = written(tmp_path / "bad.bin", program.read_bytes()[:-1])
    result = nnc("run", path, "--json")
    assert result.exit_code == 1
    assert result.stdout == ""
    error = json.loads(result.stderr)["error"]
    assert error["code"] == "NNC-E030"
    assert set(error) == {"code", "message", "where", "found", "expected", "remedy"}


# --- assembly -----------------------------------------------------------------------------------------------


def test_malformed_assembly_shows_line_column_and_caret(program: Path, tmp_path: Path) -> None:
    text = tmp_path / "d.asm"
    ok("disasm", program, "-o", text)
    lines = text.read_text().split("\n")
    number = next(i for i, line in enumerate(lines) if " conv " in line)
    lines[number] = lines[number].replace(" conv ", " conw ")
    text.write_text("\n".join(lines))
    error = fails("NNC-E040", tmp_path, "asm", text, "-o", tmp_path / "again.bin")
    column = lines[number].index("conw")
    assert f"d.asm:{number + 1}:{column + 1}" in error
    shown, caret = error.split("\n")[1:3]
    assert shown[caret.index("^") :].startswith("conw")


@pytest.mark.parametrize("data", [None, b"", b"\xff\xfe\x00", b"nonsense"])
def test_bad_assembly_files(data: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "bad.asm"
    if data is not None:
        path.write_bytes(data)
    fails("NNC-E040", tmp_path, "asm", path, "-o", tmp_path / "p.bin")


def test_constants_of_another_program_are_refused(program: Path, tmp_path: Path) -> None:
    ok("disasm", program, "-o", tmp_path / "d.asm")
    side = tmp_path / "d.asm.constants"
    side.write_bytes(side.read_bytes()[::-1])
    fails("NNC-E040", tmp_path, "asm", tmp_path / "d.asm", "-o", tmp_path / "p.bin")
    side.unlink()
    fails("NNC-E040", tmp_path, "asm", tmp_path / "d.asm", "-o", tmp_path / "p.bin")


# --- inputs -------------------------------------------------------------------------------------------------


def saved(path: Path, array: Any) -> Path:
    np.save(path, array)
    return path


def test_bad_inputs(program: Path, tmp_path: Path) -> None:
    good = saved(tmp_path / "good.npy", np.zeros((1, 1, 16, 16), np.float32))
    shape = saved(tmp_path / "shape.npy", np.zeros((1, 16, 16), np.float32))
    dtype = saved(tmp_path / "dtype.npy", np.zeros((1, 1, 16, 16), np.float64))
    short = written(tmp_path / "short.npy", good.read_bytes()[:-1])
    cases = [
        (f"picture={good}", "no such input"),
        (str(shape), "wrong shape"),
        (f"image={dtype}", "wrong element type"),
        (str(short), "too short"),
        (str(tmp_path / "none.npy"), "cannot be read"),
        (str(written(tmp_path / "x.txt", b"1 2 3")), "format"),
    ]
    for argument, message in cases:
        error = fails(
            "NNC-E050", tmp_path, "run", program, "--input", argument, "--output-dir", tmp_path / "o"
        )
        assert message in error
    assert "twice" in fails("NNC-E050", tmp_path, "run", program, "--input", good, "--input", good)


# --- check --------------------------------------------------------------------------------------------------


def test_check_finds_a_wrong_program(program: Path, tmp_path: Path) -> None:
    loaded = load_program(program)
    constants = np.array(loaded.constants)
    constants.view(np.float32)[: constants.size // 8] *= 1.5
    path = tmp_path / "wrong.bin"
    save_program(replace(loaded, constants=constants), path)
    run = ("run", path, "--no-verify", "--input", PICTURE, "--check", DIGITS)
    result = nnc(*run, "--json")
    assert result.exit_code == 1
    check = json.loads(result.stdout)["run"]["check"]
    assert check["ok"] is False
    assert check["max_rel_error"] > 1e-4
    error = json.loads(result.stderr)["error"]
    assert error["code"] == "NNC-E061"
    assert "probabilities: max abs error" in error["found"]
    assert nnc(*run, "--tolerance", "10").exit_code == 0


@pytest.mark.parametrize("number", ["nan", "inf", "1e400", "-inf", "-1", "much"])
def test_options_that_are_numbers_want_finite_ones(number: str, tmp_path: Path) -> None:
    """Neither NaN nor infinity judges anything: no error is above the one, none beyond the other."""
    commands: list[tuple[str, tuple[str, ...]]] = [
        ("--tolerance", ("run", str(tmp_path / "p.bin"))),
        ("--width", ("models", "build", "lenet5", "-o", str(tmp_path / "m.onnx"))),
    ]
    if number != "-1":  # a mean and a scale may be negative
        commands += [(option, ("run", str(tmp_path / "p.bin"))) for option in ("--mean", "--scale")]
    for option, command in commands:
        result = nnc(*command, f"{option}={number}")
        assert result.exit_code == 2
        assert f"Invalid value for '{option}'" in result.stderr
        assert not any(tmp_path.iterdir())


def test_check_refuses_another_model(program: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.onnx"
    ok("models", "build", "lenet5", "-o", other, "--width", "0.2")
    assert "other inputs" in fails("NNC-E061", tmp_path, "run", program, "--check", other)
    fails("NNC-E010", tmp_path, "run", program, "--check", tmp_path / "none.onnx")


# --- files and surprises ------------------------------------------------------------------------------------


def test_outputs_that_cannot_be_written(program: Path, tmp_path: Path) -> None:
    nowhere = tmp_path / "none" / "x"
    fails("NNC-E002", tmp_path, "compile", DIGITS, "-o", nowhere)
    fails("NNC-E002", tmp_path, "compile", DIGITS, "--asm", nowhere)
    fails("NNC-E002", tmp_path, "disasm", program, "-o", nowhere)
    fails("NNC-E002", tmp_path, "dump-ir", DIGITS, "--stage", "import", "-o", nowhere)
    fails("NNC-E002", tmp_path, "models", "build", "lenet5", "-o", nowhere)
    fails("NNC-E002", tmp_path, "run", program, "--output-dir", program / "x")


def test_bad_networks_to_build(tmp_path: Path) -> None:
    out = tmp_path / "m.onnx"
    assert "resnet18" in fails("NNC-E001", tmp_path, "models", "build", "nonsense", "-o", out)
    fails("NNC-E001", tmp_path, "models", "build", "digits", "-o", out, "--image", "32")
    for size in (("vgg16", "--image", "100000"), ("mobilenet_v2", "--width", "1e6")):
        assert "535822336 weights" in fails("NNC-E001", tmp_path, "models", "build", *size, "-o", out)


def raising(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The result of a command in which something unexpected happens."""

    def surprise(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(plans, "compile_model", surprise)
    return nnc("compile", DIGITS, "-o", "never.bin")


def test_bugs_are_reported_without_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NNC_DEBUG", raising=False)
    result = raising(ZeroDivisionError("by nothing"), monkeypatch)
    assert result.exit_code == 1
    assert result.stderr.startswith("NNC-E090: ")
    assert "ZeroDivisionError: by nothing" in result.stderr
    assert "Traceback" not in result.stderr
    monkeypatch.setenv("NNC_DEBUG", "1")
    assert "Traceback" in raising(ZeroDivisionError("by nothing"), monkeypatch).stderr


def test_lack_of_memory_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    result = raising(MemoryError("Unable to allocate 1 TiB"), monkeypatch)
    assert result.exit_code == 1
    assert result.stderr.startswith("NNC-E014: out of memory\n  found: Unable to allocate 1 TiB\n")


def test_an_interrupt_is_status_130(monkeypatch: pytest.MonkeyPatch) -> None:
    result = raising(KeyboardInterrupt(), monkeypatch)
    assert result.exit_code == 130
    assert result.stderr == "interrupted\n"


def test_control_characters_do_not_reach_the_terminal(tmp_path: Path) -> None:
    error = fails("NNC-E010", tmp_path, "compile", tmp_path / "\x1b[31mred.onnx")
    assert "\x1b" not in error
    assert "\\x1b[31mred.onnx" in error

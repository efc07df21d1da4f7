"""The commands on sound input: what they print, write and return."""

from __future__ import annotations

import json
import logging
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from cli_harness import DIGITS, PICTURE, PIXELS, fails, files_of, nnc, ok
from harness import CHIPS

import nnc as package
from nnc.cli.logs import logged
from nnc.cli.main import COMMANDS
from nnc.compiler.pipeline import STAGES, pass_names
from nnc.compiler.plan.options import OBJECTIVES, OVERLAPS, SPLITS
from nnc.isa.chip.load import preset_names
from nnc.isa.program_file.binary import load_program, save_program


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled digits network."""
    path = tmp_path_factory.mktemp("program") / "digits.bin"
    ok("compile", DIGITS, "-o", path)
    return path


def data_of(*arguments: str | Path) -> Any:
    """The JSON that a command prints, and nothing else."""
    return json.loads(ok(*arguments, "--json"))


# --- help ---------------------------------------------------------------------------------------------------


def test_help_lists_every_command() -> None:
    text = ok("--help")
    for name in COMMANDS:
        assert f"\n  {name} " in text


@pytest.mark.parametrize(
    "command",
    [
        *COMMANDS,
        "chips list",
        "chips show",
        "models list",
        "models build",
    ],
)
def test_every_command_teaches_by_example(command: str) -> None:
    text = ok(*command.split(), "--help")
    assert "Example" in text
    assert f"    nnc {command.split()[0]}" in text


def test_version() -> None:
    assert ok("--version").strip() == f"nnc, version {package.__version__}"


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("compile",),
        ("compile", DIGITS, "--shape", "image"),
        ("compile", DIGITS, "--shape", "image=1,x"),
        ("compile", DIGITS, "--objective", "speed"),
        ("dump-ir", DIGITS),
        ("dump-ir", DIGITS, "--stage", "nonsense"),
        ("run", "p.bin", "--seed", "-1"),
        ("run", "p.bin", "--mean", "0,nan"),
        ("run", "p.bin", "--scale", "much"),
        ("run", "p.bin", "--set", "cores=2"),
        ("asm", "p.asm"),
        ("models", "build", "lenet5"),
    ],
)
def test_wrong_usage_is_status_2(arguments: tuple[str, ...]) -> None:
    result = nnc(*arguments)
    assert result.exit_code == 2
    assert "Error: " in result.stderr
    assert result.stdout == ""


# --- compile ------------------------------------------------------------------------------------------------


def test_compile_json_has_the_documented_keys(tmp_path: Path) -> None:
    path = tmp_path / "d.bin"
    data = data_of("compile", DIGITS, "-o", path)
    assert list(data) == [
        "program",
        "chip",
        "objective",
        "overlap",
        "split",
        "groups",
        "instructions",
        "memory",
        "dram",
        "cycles",
        "compile_seconds",
    ]
    assert data["program"] == str(path)
    assert data["chip"] == "npu"
    assert data["objective"] == "balanced"
    assert [group["id"] for group in data["groups"]] == list(range(len(data["groups"])))
    for group in data["groups"]:
        assert list(group)[:7] == ["id", "kind", "layers", "parts", "axis", "cores", "reason"]
        assert list(group)[7:] == ["memory_peak", "dram", "cycles", "estimated", "bound_by"]
    counts = data["instructions"]
    assert counts["read"] + counts["compute"] + counts["write"] == counts["total"]
    assert counts["total"] == len(load_program(path).issued)
    dram = data["dram"]
    assert sum(dram["by_cause"].values()) == dram["total_bytes"]
    assert dram["ratio"] == pytest.approx(dram["total_bytes"] / dram["floor_bytes"], abs=1e-4)
    for cause, total in dram["by_cause"].items():
        assert total == sum(group["dram"]["by_cause"][cause] for group in data["groups"])
    cycles = data["cycles"]
    assert cycles["predicted"] >= sum(group["cycles"] for group in data["groups"]) > 0
    floor = max(cycles["compute_floor"], cycles["dram_floor"])
    assert cycles["ratio"] == pytest.approx(cycles["predicted"] / floor, abs=1e-4)
    assert cycles["peak_floor"] <= cycles["compute_floor"]
    estimated = [group["estimated"] for group in data["groups"]]
    assert dram["estimated_bytes"] == sum(one["dram_bytes"] for one in estimated) > 0
    assert cycles["estimated"] == sum(one["cycles"] for one in estimated) > 0


def test_prediction_and_causes_are_those_of_the_run(program: Path) -> None:
    compiled = data_of("compile", DIGITS)
    ran = data_of("run", program)
    assert compiled["program"] is None
    assert compiled["dram"]["by_cause"] == ran["dram"]["by_cause"]
    assert ran["cycles"] == pytest.approx(compiled["cycles"]["predicted"], rel=0.01)


def test_compile_writes_program_and_text(tmp_path: Path) -> None:
    text = ok("compile", DIGITS, "-o", tmp_path / "d.bin", "--asm", tmp_path / "d.asm", "-v")
    assert set(files_of(tmp_path)) == {"d.bin", "d.asm", "d.asm.constants"}
    assert str(tmp_path / "d.asm") in text
    assert "floor" in text and "by cause" in text
    ok("asm", tmp_path / "d.asm", "-o", tmp_path / "again.bin")
    assert (tmp_path / "again.bin").read_bytes() == (tmp_path / "d.bin").read_bytes()


def test_compile_without_output_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "not written" in ok("compile", DIGITS)
    assert files_of(tmp_path) == {}


def test_compile_takes_chip_overrides_and_files(tmp_path: Path) -> None:
    chip = tmp_path / "mine.toml"
    chip.write_text(ok("chips", "show", "npu"))
    small = ("--set", "memory.sram.bytes=16KiB")
    from_file = data_of("compile", DIGITS, "--chip", chip, *small)
    from_preset = data_of("compile", DIGITS, *small)
    del from_file["compile_seconds"], from_preset["compile_seconds"]
    assert from_file == from_preset
    assert from_preset["cycles"]["predicted"] > data_of("compile", DIGITS)["cycles"]["predicted"]


def test_compile_shows_the_costliest_groups_and_all_with_v(tmp_path: Path) -> None:
    model = tmp_path / "m.onnx"
    ok("models", "build", "mobilenet_v2", "-o", model, "--image", "32", "--width", "0.1")
    alone = ("--chip", CHIPS / "far-results.toml")  # no groups of several layers
    short, long = ok("compile", model, *alone), ok("compile", model, *alone, "-v")
    assert "that take fewer cycles (-v shows all)" in short
    assert "that take fewer cycles" not in long
    assert len(long.splitlines()) > len(short.splitlines())


def test_compile_minimises_the_objective() -> None:
    small = ("--set", "memory.sram.bytes=36KiB")
    found = {o: data_of("compile", DIGITS, *small, "--objective", o) for o in OBJECTIVES}
    assert {o: data["objective"] for o, data in found.items()} == {o: o for o in OBJECTIVES}
    traffic = {o: data["dram"]["total_bytes"] for o, data in found.items()}
    cycles = {o: data["cycles"]["predicted"] for o, data in found.items()}
    assert traffic["traffic"] == min(traffic.values()) < traffic["cycles"]
    assert cycles["cycles"] < cycles["traffic"]
    stage = ("dump-ir", DIGITS, *small, "--stage", "group")
    assert ok(*stage, "--objective", "traffic") != ok(*stage, "--objective", "cycles")


def test_choices_in_the_help_are_those_of_the_planner() -> None:
    for command in ("compile", "dump-ir"):
        text = ok(command, "--help")
        assert f"--objective {'|'.join(OBJECTIVES)}" in text
        for option, choices in (("overlap", OVERLAPS), ("split", SPLITS)):
            assert f"--{option} [{'|'.join(choices)}]" in text


def test_compile_shows_what_every_group_costs() -> None:
    text = ok("compile", DIGITS, "--set", "memory.sram.bytes=32KiB", "--objective", "cycles")
    head = next(line for line in text.splitlines() if line.startswith("group"))
    assert head.split() == [
        *["group", "kind", "layers", "parts", "cut", "by", "sram", "KiB", "DRAM", "floor", "spill", "align"],
        *["cycles", "bound", "by"],
    ]
    assert "residual  4: node_conv2d … node_max_pool2d" in text
    verbose = ok("compile", DIGITS, "-v")
    assert "node_conv2d_1" in verbose
    assert "  estimated   " in verbose


def test_compile_gives_symbolic_dimensions_their_size(tmp_path: Path) -> None:
    model = onnx.parser.parse_model(
        '<ir_version: 9, opset_import: ["": 20]> g (float[N,4] x) => (float[N,4] y) { y = Relu(x) }'
    )
    onnx.save(model, tmp_path / "m.onnx")
    assert "--shape x=1,4" in fails("NNC-E013", tmp_path, "compile", tmp_path / "m.onnx")
    data = data_of("compile", tmp_path / "m.onnx", "--shape", "x=3,4")
    assert data["dram"]["floor_bytes"] == 2 * 3 * 4 * 4


# --- run ----------------------------------------------------------------------------------------------------


RUN_KEYS = [
    *["outputs", "verified", "jitter", "cycles", "dram", "estimated", "groups", "utilisation", "wall_seconds"]
]


def test_run_json_has_the_documented_keys(program: Path, tmp_path: Path) -> None:
    arguments = ("--input", f"image={PICTURE}", *PIXELS, "--output-dir", tmp_path, "--check", DIGITS)
    data = data_of("run", program, *arguments)
    assert list(data) == [*RUN_KEYS, "check"]
    assert list(data["dram"]) == ["total_bytes", "by_cause"]
    whole, groups = data["estimated"], data["groups"]
    for name, total in (("dram_bytes", data["dram"]["total_bytes"]), ("cycles", data["cycles"])):
        assert sum(group[name] for group in groups) == total
        assert sum(group["estimated"][name] for group in groups) == whole[name]
        assert whole[name] == pytest.approx(total, rel=0.1)
    assert sum(data["dram"]["by_cause"].values()) == data["dram"]["total_bytes"]
    assert list(data["utilisation"]) == ["read", "compute", "write"]
    assert all(0 < share <= 1 for share in data["utilisation"].values())
    assert list(data["check"]) == ["ok", "max_abs_error", "max_rel_error", "rounding_spread"]
    assert data["check"]["ok"] is True
    assert 0 <= data["check"]["max_rel_error"] <= 1e-4
    probabilities = np.load(data["outputs"]["probabilities"])
    assert int(probabilities.argmax()) == 3
    assert probabilities.shape == (1, 10)


def test_run_shows_outputs_and_floors(program: Path) -> None:
    text = ok("run", program, "--input", PICTURE, *PIXELS, "-v", "--check", DIGITS)
    assert "largest: [3] " in text
    assert "x floor" in text
    assert text.count("compiler says ") == 4  # floors of bytes and cycles, and the prediction
    assert "utilisation" in text
    assert "check         equals onnx" in text
    assert "core 0 compute" in text
    assert "  group 0 " in text
    assert "when the groups were chosen" in text


def test_random_inputs_depend_on_the_seed_alone(program: Path, tmp_path: Path) -> None:
    def outputs(name: str, *seed: str) -> bytes:
        data = data_of("run", program, "--output-dir", tmp_path / name, *seed)
        assert list(data) == RUN_KEYS
        return Path(data["outputs"]["probabilities"]).read_bytes()

    assert outputs("a") == outputs("b", "--seed", "0")
    assert outputs("a") != outputs("c", "--seed", "1")
    assert "random, seed 1" in ok("run", program, "--seed", "1")


def test_run_without_the_compilers_figures_shows_no_floors(program: Path, tmp_path: Path) -> None:
    path = tmp_path / "bare.bin"
    save_program(replace(load_program(program), facts={}), path)
    text = ok("run", path)
    assert "floor" not in text and "compiler says" not in text
    assert "simulated" in text


def test_run_accepts_the_chip_of_the_program(program: Path, tmp_path: Path) -> None:
    ok("run", program, "--chip", "npu")
    ok("compile", DIGITS, "--set", "memory.sram.bytes=1MiB", "-o", tmp_path / "d.bin")
    ok("run", tmp_path / "d.bin", "--chip", "npu", "--set", "memory.sram.bytes=1MiB")


def test_names_of_output_files_stay_in_their_folder(program: Path, tmp_path: Path) -> None:
    loaded = load_program(program)
    tensors = tuple(
        replace(tensor, name="../../evil") if tensor.name == "probabilities" else tensor
        for tensor in loaded.tensors
    )
    save_program(replace(loaded, tensors=tensors), tmp_path / "p.bin")
    data = data_of("run", tmp_path / "p.bin", "--output-dir", tmp_path / "a" / "b")
    file = Path(data["outputs"]["../../evil"])
    assert file.parent == tmp_path / "a" / "b"
    assert set(files_of(tmp_path)) == {"p.bin", str(file.relative_to(tmp_path))}


# --- the other commands -------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", STAGES)
def test_dump_ir_shows_every_stage(stage: str, tmp_path: Path) -> None:
    text = ok("dump-ir", DIGITS, "--stage", stage)
    assert text == ok("dump-ir", DIGITS, "--stage", stage)
    ok("dump-ir", DIGITS, "--stage", stage, "-o", tmp_path / "dump")
    assert (tmp_path / "dump").read_text() == text
    assert "probabilities" in text
    assert "probabilities" in json.dumps(
        json.loads(ok("dump-ir", DIGITS, "--stage", stage, "--format", "json"))
    )
    assert ok("dump-ir", DIGITS, "--stage", stage, "--format", "dot").startswith("digraph")


def test_dump_ir_writes_the_parts_as_an_onnx_model(tmp_path: Path) -> None:
    """P partial networks, each with its copy of every layer, and what puts their results together."""
    parts = tmp_path / "parts.onnx"
    dump = ("dump-ir", DIGITS, "--stage", "partition", "--set", "memory.sram.bytes=16KiB")
    ok(*dump, "--format", "onnx", "-o", parts)
    model = onnx.load(parts)
    onnx.checker.check_model(model, full_check=True)
    groups = json.loads(ok(*dump, "--format", "json"))["groups"]
    cut = [group for group in groups if group["parts"] > 1]
    assert cut
    for group in cut:
        own = [n for n in model.graph.node if ("group", str(group["index"])) in _properties(n)]
        numbers = {value for node in own for key, value in _properties(node) if key == "part"}
        assert numbers == {str(part) for part in range(group["parts"])}
        assert "Concat" in {node.op_type for node in own}
    assert nnc(*dump, "--format", "onnx").stdout_bytes == parts.read_bytes()


def _properties(node: onnx.NodeProto) -> set[tuple[str, str]]:
    return {(entry.key, entry.value) for entry in node.metadata_props}


def test_dump_ir_keeps_an_onnx_model_from_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nnc.cli.dump_ir._is_terminal", lambda: True)
    result = nnc("dump-ir", DIGITS, "--stage", "import", "--format", "onnx")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "-o" in result.stderr


def test_dump_ir_stages_differ() -> None:
    dumps = [ok("dump-ir", DIGITS, "--stage", stage) for stage in STAGES]
    assert len(set(dumps)) == len(STAGES)


def test_passes_lists_the_pipeline_and_dump_ir_shows_the_network_after_each() -> None:
    """The same steps in the same order; the levels are the stages of dump-ir."""
    steps = data_of("passes")
    assert {step["kind"] for step in steps} == {"canonical", "plan", "materialise"}
    assert all(step["about"] and step["why"] for step in steps)
    assert [step["level"] for step in steps if step["level"]] == list(STAGES[1:])
    names = [step["name"] for step in steps if step["kind"] != "plan"]
    assert tuple(names) == pass_names() and len(set(names)) == len(names)
    table = ok("passes")
    assert all(step["name"] in table for step in steps)
    dumps = {name: ok("dump-ir", DIGITS, "--after", name) for name in ("fold-affine", "free-views", "group")}
    assert dumps["free-views"] == ok("dump-ir", DIGITS, "--stage", "canonical")
    assert dumps["group"] == ok("dump-ir", DIGITS, "--stage", "group")
    assert "level import" in dumps["fold-affine"] and "act=" not in dumps["fold-affine"]
    assert "act=" in ok("dump-ir", DIGITS, "--after", "fuse-activation")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "one of --stage and --after"),
        (("--stage", "group", "--after", "group"), "one of --stage and --after"),
        (("--after", "import"), "'import' is not one of drop-dead, merge-pads"),
        (("--stage", "fold-affine"), "'fold-affine' is not one of import, canonical"),
    ],
)
def test_dump_ir_takes_one_place_in_the_pipeline(arguments: tuple[str, ...], said: str) -> None:
    result = nnc("dump-ir", DIGITS, *arguments)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())


def test_disasm_and_asm_are_inverse(program: Path, tmp_path: Path) -> None:
    ok("disasm", program, "-o", tmp_path / "d.asm")
    ok("asm", tmp_path / "d.asm", "-o", tmp_path / "d.bin")
    assert (tmp_path / "d.bin").read_bytes() == program.read_bytes()
    shown = nnc("disasm", program)
    assert shown.exit_code == 0
    assert shown.stdout.startswith(".nnc 3\n")
    assert "constants" in shown.stderr


def test_verify(program: Path) -> None:
    assert "no rule is broken" in ok("verify", program)
    assert data_of("verify", program) == {"program": str(program), "ok": True, "findings": []}


def test_verify_reports_a_dropped_store(program: Path, tmp_path: Path) -> None:
    loaded, path = load_program(program), tmp_path / "broken.bin"
    save_program(replace(loaded, issued=loaded.issued[:-1]), path)
    assert "output: tensor probabilities" in fails("NNC-E060", tmp_path, "verify", path)
    result = nnc("verify", path, "--json")
    assert result.exit_code == 1
    data = json.loads(result.stdout)
    assert data["ok"] is False
    assert [finding["rule"] for finding in data["findings"]] == ["output"]
    assert json.loads(result.stderr)["error"]["code"] == "NNC-E060"


def test_chips() -> None:
    text = ok("chips")
    assert text == ok("chips", "list")
    data = data_of("chips")
    assert [chip["name"] for chip in data] == preset_names()
    assert all(chip["name"] in text for chip in data)
    assert data_of("chips", "show", "vdsp12")["cores"] == 12
    assert 'name = "npu4"' in ok("chips", "show", "npu4")


def test_models(tmp_path: Path) -> None:
    text = ok("models")
    assert text == ok("models", "list")
    names = [model["name"] for model in data_of("models", "list")]
    assert {"mlp-784-1152-10", "resnet18", "unet", "digits"} <= set(names)
    small = ("--image", "32", "--width", "0.5", "--batch", "2", "--seed", "3")
    ok("models", "build", "lenet5", "-o", tmp_path / "m.onnx", *small)
    dims = onnx.load(tmp_path / "m.onnx").graph.input[0].type.tensor_type.shape.dim
    assert [dim.dim_value for dim in dims] == [2, 1, 32, 32]
    data = data_of("models", "build", "digits", "-o", tmp_path / "d.onnx")
    assert (tmp_path / "d.onnx").read_bytes() == Path(DIGITS).read_bytes()
    assert data == {
        "name": "digits",
        "file": str(tmp_path / "d.onnx"),
        "bytes": Path(DIGITS).stat().st_size,
    }


def test_ops() -> None:
    text, data = ok("ops"), data_of("ops")
    names = {operator["name"] for operator in data}
    assert {"Conv", "ConvTranspose", "Gemm", "MatMul", "Softmax", "Resize", "Gather"} <= names
    assert all(name in text for name in names)
    assert all(list(operator) == ["name", "domain", "summary", "constraints"] for operator in data)


def test_chips_show_resolves_what_a_chip_extends(tmp_path: Path) -> None:
    """What is shown stands on its own and describes the same chip."""
    mine, whole = tmp_path / "mine.toml", tmp_path / "whole.toml"
    mine.write_text('extends = "vdsp12"\nname = "mine"\n[memory.am]\nbytes = "64KiB"\n')
    whole.write_text(ok("chips", "show", mine))
    assert "extends" not in whole.read_text()
    shown = data_of("chips", "show", mine)
    assert shown == data_of("chips", "show", whole)
    assert (shown["name"], shown["memory"]["am"]["bytes"], shown["cores"]) == ("mine", 65536, 12)


def test_planning_is_logged_on_request_alone() -> None:
    """On stderr, by whom; what stands on stdout is the same."""
    for command in (("compile", DIGITS, "--json"), ("dump-ir", DIGITS, "--stage", "group")):
        quiet, loud = nnc(*command, "-v"), nnc(*command, "-vv")
        assert (quiet.exit_code, quiet.stderr, loud.exit_code) == (0, "", 0)
        seconds = re.compile(r'"seconds": [^,\n]*|"compile_seconds": [^,\n]*')
        assert seconds.sub("", quiet.stdout) == seconds.sub("", loud.stdout)
        assert "compiler.pipeline: fold-affine: " in loud.stderr
        assert nnc(*command).stderr == ""  # nothing is left behind


def test_logged_names_do_not_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with logged(2):
        logging.getLogger("nnc.compiler.plan").debug("layer %s", "\x1b[2J[bold]conv")
    assert capsys.readouterr().err.strip() == "compiler.plan: layer \\x1b[2J[bold]conv"

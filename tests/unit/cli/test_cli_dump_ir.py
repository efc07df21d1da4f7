"""nnc dump-ir and nnc passes: the network of every stage, and after every pass."""

from __future__ import annotations

import json
from pathlib import Path

import onnx
import pytest
from cli_harness import DIGITS, data_of, nnc, ok

from nnc.compiler.pipeline import STAGES, pass_names
from nnc.isa.program_file.binary import load_program


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
    small = ("--set", "memory.sram.bytes=16KiB", "--objective", "traffic")
    dump = ("dump-ir", DIGITS, "--stage", "partition", *small)
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


def test_dump_ir_shows_the_groups_if_nothing_is_said() -> None:
    assert ok("dump-ir", DIGITS) == ok("dump-ir", DIGITS, "--stage", "group")


def test_every_format_has_cycles_and_bytes_of_the_groups(tmp_path: Path) -> None:
    """Those that the text says; a program's prediction for the whole is their sum."""
    small = ("--set", "memory.sram.bytes=32KiB")
    ok("compile", DIGITS, *small, "-o", tmp_path / "d.bin")
    facts = load_program(tmp_path / "d.bin").facts
    groups = json.loads(ok("dump-ir", DIGITS, *small, "--format", "json"))["groups"]
    assert len(groups) > 1 and sum(group["cycles"] for group in groups) == facts["predicted_cycles"]
    for stage in ("group", "place"):
        dump = ("dump-ir", DIGITS, *small, "--stage", stage)
        dot = ok(*dump, "--format", "dot")
        ok(*dump, "--format", "onnx", "-o", tmp_path / "m.onnx")
        model = onnx.load(tmp_path / "m.onnx")
        whole = {entry.key: entry.value for entry in model.metadata_props}
        assert whole["predicted_cycles"] == str(facts["predicted_cycles"])
        assert whole["predicted_dram_bytes"] == str(facts["predicted_dram_bytes"])
        for group in groups:
            said = f"predicted {group['cycles']} cycles, {group['dram_bytes']} B of DRAM traffic"
            assert f"group {group['index']} {group['kind']}\\l{said}\\l" in dot
            assert said in ok(*dump)
            own = [n for n in model.graph.node if ("group", str(group["index"])) in _properties(n)]
            figures = {
                ("group_cycles", str(group["cycles"])),
                ("group_dram_bytes", str(group["dram_bytes"])),
            }
            assert own and all(figures <= _properties(node) for node in own)


def test_layers_have_their_cycles_and_bytes_inside_of_groups(tmp_path: Path) -> None:
    """They sum to the DRAM bytes of the program, but for what belongs to no layer, such as a copied input."""
    small = ("--set", "memory.sram.bytes=32KiB")
    rows = data_of("compile", DIGITS, *small)["layers"]
    dot = ok("dump-ir", DIGITS, *small, "--format", "dot")
    ok("dump-ir", DIGITS, *small, "--format", "onnx", "-o", tmp_path / "m.onnx")
    nodes = onnx.load(tmp_path / "m.onnx").graph.node
    of_layers = {dict(_properties(node))["layer"]: dict(_properties(node)) for node in nodes}
    assert len(of_layers) > 10
    for name, properties in of_layers.items():
        figures = [row["figures"] for row in rows if row["name"] == name]
        if not figures:  # views cost nothing
            assert "layer_core_cycles" not in properties
            continue
        busy = sum(row["compute"]["busy_cycles"] for row in figures)
        cycles = busy + sum(sum(row["compute"]["waiting_cycles"].values()) for row in figures)
        moved = sum(row["dram"]["total_bytes"] for row in figures)
        assert properties["layer_core_cycles"] == str(cycles)
        assert properties["layer_dram_bytes"] == str(moved)
        assert f"  {name}\\l{cycles} core cycles, {moved} B of DRAM traffic\\l" in dot
    assert any(int(entry.get("layer_core_cycles", 0)) for entry in of_layers.values())


def test_no_format_has_figures_before_there_are_groups(tmp_path: Path) -> None:
    dump = ("dump-ir", DIGITS, "--stage", "canonical")
    assert "predicted" not in ok(*dump, "--format", "dot")
    ok(*dump, "--format", "onnx", "-o", tmp_path / "m.onnx")
    model = onnx.load(tmp_path / "m.onnx")
    assert [entry.key for entry in model.metadata_props] == ["level"]
    assert not any("cycles" in key for node in model.graph.node for key, _ in _properties(node))


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
        (("--stage", "group", "--after", "group"), "one of --stage and --after"),
        (("--after", "import"), "'import' is not one of split-stacks, drop-dead, merge-functions"),
        (("--stage", "fold-affine"), "'fold-affine' is not one of import, canonical"),
    ],
)
def test_dump_ir_takes_one_place_in_the_pipeline(arguments: tuple[str, ...], said: str) -> None:
    result = nnc("dump-ir", DIGITS, *arguments)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())

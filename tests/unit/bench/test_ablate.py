"""bench/ablate.py: figures with and without a mechanism are summed up, and files are gone on with."""

from __future__ import annotations

import sys
from pathlib import Path

import ablate
import onnx
import pytest
from ablate import cell_name, effects, failures, table
from ablation_networks import NETWORKS, AblationNetwork
from mechanisms import ALL, MECHANISMS
from plan_table import Cell, read_cells

import nnc
from nnc import models
from nnc.compiler.frontend.importer import import_model


def cell(price: float, nbytes: int = 1000, cycles: int = 500, seconds: float = 1.0) -> Cell:
    return {"bytes": nbytes, "cycles": cycles, "price": price, "seconds": seconds}


CELLS = {
    "a": cell(100),
    "b": cell(200),
    "c": {"error": "NNC-E021"},
    "a, without copies": cell(104, nbytes=1100, seconds=0.5),
    "b, without copies": cell(198, cycles=490),
    "c, without copies": {"error": "NNC-E021"},
    "a, without overlays": cell(100.3, cycles=501),
    "b, without overlays": cell(200),
    "a, without stitching": cell(100),
    "b, without stitching": {"error": "does not verify: x"},
}


def test_effects_are_of_networks_compiled_with_and_without() -> None:
    found = effects(CELLS, "copies")
    assert [effect.network for effect in found] == ["a", "b"]
    assert (found[0].bytes, found[0].cycles, found[0].seconds) == (1.1, 1, 0.5)
    assert [round(effect.saved, 6) for effect in found] == [4, -1]
    assert [effect.is_another_plan for effect in effects(CELLS, "overlays")] == [True, False]


def test_only_what_fails_without_a_mechanism_is_a_failure() -> None:
    assert failures(CELLS) == ["b, without stitching: does not verify: x"]


def test_the_table_names_mechanisms_that_are_worth_little() -> None:
    lines = [*table(CELLS, ["stitching", "overlays", "copies", "strips"])]
    assert " ".join(lines[1].split()) == "copies 2 of 2 4.00 1.50 -1.00 1.0488 0.9899 0.71 a; least: b"
    assert lines[2].startswith("overlays ") and lines[3].startswith("stitching ")
    assert lines[4:] == [
        "in no plan: stitching",
        "save under 0.5 % everywhere and 0.1 % in the mean: none",
        "fail: 1",
        "  b, without stitching: does not verify: x",
    ]
    assert ablate.is_little(effects(CELLS | {"a, without overlays": cell(100.1)}, "overlays"))


def test_every_mechanism_has_a_network_in_the_sample() -> None:
    kinds = {kind for network in NETWORKS if network.in_sample for kind in network.kinds}
    assert [mechanism.name for mechanism in MECHANISMS if kinds.isdisjoint(mechanism.kinds)] == []
    assert len({mechanism.name for mechanism in ALL}) == len(ALL)
    assert len({network.name for network in NETWORKS}) == len(NETWORKS)


@pytest.mark.parametrize("network", [n for n in NETWORKS if n.in_sample], ids=lambda network: network.name)
def test_networks_of_the_sample_are_models(network: AblationNetwork) -> None:
    assert len(import_model(network.build()))
    assert nnc.load_chip(network.target.chip, network.target.overrides)


def test_a_run_is_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model, out = tmp_path / "m.onnx", tmp_path / "out.json"
    onnx.save(models.build("lenet5"), model)

    def run(*arguments: str) -> int:
        monkeypatch.setattr(sys, "argv", ["ablate.py", str(out), str(model), *arguments])
        return ablate.main()

    assert run("--only", "two buffers") == 0
    network = "m.onnx on npu 64K"
    assert [*read_cells(out)] == [network, cell_name(network, "two buffers (M3)")]
    assert run("--only", "pass reorder") == 0  # the network flattens pictures
    assert [*read_cells(out)][2:] == [cell_name(network, "pass reorder-flattened-weights")]
    before = read_cells(out)
    assert run("--only", "pass split-keys") == 0  # it has no attention
    assert read_cells(out) == before
    assert "fail: 0" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        run("--only", "no such mechanism")
    assert "no mechanism has" in capsys.readouterr().err

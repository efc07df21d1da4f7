"""bench/papers: published figures, and the same work for nnc."""

from __future__ import annotations

from pathlib import Path

import onnx
import pytest

import nnc
from bench.papers import networks
from bench.papers.cells import papers
from bench.papers.measured import measure

CELLS = [cell for paper in papers().values() for cell in paper.cells]


@pytest.mark.parametrize("chip", sorted({(cell.chip_file, cell.set) for cell in CELLS}))
def test_chips_are_sound(chip: tuple[Path, tuple[str, ...]]) -> None:
    file, overrides = chip
    assert nnc.load_chip(str(file), list(overrides)).name.startswith(file.stem)


def test_cells_are_different_work() -> None:
    work = [(cell.network, cell.numbers, cell.batch, cell.chip, cell.set) for cell in CELLS]
    assert len({*work}) == len(work)
    assert len({cell.what for cell in CELLS}) == len(CELLS)


def test_a_cell_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Above its floor, and at no more cycles than it has been."""
    monkeypatch.setattr(networks, "FOLDER", tmp_path)
    (cell,) = (cell for cell in CELLS if cell.network == "two-convolutions")
    figures = measure(cell, "balanced")
    assert figures.floor <= figures.cycles < 1.03 * figures.floor
    assert cell.cycles is not None and figures.cycles < 0.84 * cell.cycles


def test_a_block_of_gpt2_has_its_weights_and_its_cache() -> None:
    model = networks.gpt2_decode(2)
    onnx.checker.check_model(model, full_check=True)
    products = [tensor.dims for tensor in model.graph.initializer if len(tensor.dims) == 2]
    assert sum(rows * columns for rows, columns in products) == 12 * 768**2
    shapes = {i.name: [d.dim_value for d in i.type.tensor_type.shape.dim] for i in model.graph.input}
    assert shapes["input"] == [2, 1, 768] and shapes["past_key"] == shapes["past_value"] == [2, 12, 511, 64]


def test_googlenet_is_what_cocco_counts() -> None:
    model = networks.googlenet(1)
    onnx.checker.check_model(model, full_check=True)
    assert not {"LRN", "Softmax"} & {node.op_type for node in model.graph.node}
    assert model.graph.node[-1].output[0] == model.graph.output[0].name

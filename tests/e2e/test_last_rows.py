"""Last rows of a picture stay beside narrow layers, row by row out of one tile and into the next."""

from __future__ import annotations

import re

import onnx
import pytest
from bottlenecks import bottlenecks, random_bottlenecks
from harness import check_compiled, chip_of, random_inputs, reference
from quantised_models import quantised

import nnc
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import Compilation, run_pipeline
from nnc.compiler.plan.options import PlanOptions

ROWS = r"the last \d+ rows of"


def compiled(model: onnx.ModelProto, sram: int, objective: str = "traffic") -> Compilation:
    options, chip = PlanOptions(objective=objective), chip_of("npu", sram=str(sram // 64 * 64))
    return run_pipeline(import_model(model), chip, options=options, verify_each=True)


def in_one_part(found: Compilation, pattern: str) -> int:
    """Groups in one part whose reason says so."""
    groups = found.placed.notes.groups
    return sum(group.parts == 1 and re.search(pattern, group.reason) is not None for group in groups)


def test_last_rows_of_one_picture_after_the_other() -> None:
    """Only the other rows of each are stored and loaded, once each."""
    model = bottlenecks(rows=10, columns=10, narrow=128, kernel=3, count=4)
    picture = 16 * 128 * 100
    found, feeds = compiled(model, picture * 135 // 100), random_inputs(model)
    assert in_one_part(found, f"finds [^;]*{ROWS}[^;]*; leaves [^;]*{ROWS}") == 3
    run = check_compiled(found, feeds, reference(model, feeds))
    (rows,) = {
        int(mine) for g in found.placed.notes.groups for mine in re.findall(r"last (\d+) rows", g.reason)
    }
    assert run.session.ledger.whole["spill"] == 4 * 2 * picture * (10 - rows) // 10


@pytest.mark.parametrize("objective", ["traffic", "balanced"])
@pytest.mark.parametrize(("seed", "percent"), [(0, 140), (2, 140), (6, 134)])
def test_random_bottlenecks(seed: int, percent: int, objective: str) -> None:
    model, picture = random_bottlenecks(seed)
    found, feeds = compiled(model, picture * percent // 100, objective), random_inputs(model, seed)
    assert objective == "balanced" or in_one_part(found, ROWS)
    check_compiled(found, feeds, reference(model, feeds))


@pytest.mark.parametrize(("seed", "percent"), [(5, 140), (9, 140)])
def test_random_bottlenecks_of_bytes(seed: int, percent: int) -> None:
    """The values are those of a memory that holds all."""
    model, picture = random_bottlenecks(seed)
    model = quantised(model)
    found, feeds = compiled(model, picture * percent // 400), random_inputs(model, seed)
    names = [output.name for output in model.graph.output]
    expected = nnc.Session(nnc.compile(model, "npu")).run(names, feeds)
    assert in_one_part(found, ROWS)
    check_compiled(found, feeds, dict(zip(names, expected, strict=True)))

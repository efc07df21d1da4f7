"""bench/plan_table.py: tables are compared, gone on with, and refused if they are damaged."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import onnx
import plan_table
import pytest
from plan_table import is_worse, missing, ratios, read_cells, smallest_first, summary, write_cells

from nnc import models


def cell(price: float, nbytes: int = 1000, cycles: int = 500, seconds: float = 1.0) -> plan_table.Cell:
    return {"bytes": nbytes, "cycles": cycles, "price": price, "seconds": seconds}


BEFORE = {
    "a on npu4": cell(100),
    "b on npu4": cell(100),
    "a on nna": cell(100),
    "b on nna": {"error": "NNC-E021"},
    "c on nna": cell(100),
    "d on nna": cell(100),
}
AFTER = {
    "a on npu4": cell(100.4, seconds=2.0),
    "b on npu4": cell(50, cycles=250),
    "a on nna": cell(200, nbytes=3000),
    "b on nna": cell(100),
    "c on nna": {"error": "over 600 s", "limit": 600},
}


def test_ratios_are_of_cells_with_figures_in_both() -> None:
    found = ratios(BEFORE, AFTER)
    assert [*found] == ["a on npu4", "b on npu4", "a on nna"]
    assert found["a on nna"] == {"bytes": 3, "cycles": 1, "price": 2, "seconds": 1}


def test_the_summary_has_means_extremes_and_what_is_beyond() -> None:
    lines = [*summary(BEFORE, AFTER)]
    means = {line.split()[0]: line.split()[1:] for line in lines[2:5]}
    assert means["npu4"] == ["2", "1.0000", "0.7071", "0.7085", "1.4142"]
    assert means["nna"] == ["1", "3.0000", "1.0000", "2.0000", "1.0000"]
    assert means["all"][0] == "3"
    assert "price, more: 2.0000 a on nna; 1.0040 a on npu4" in lines
    assert "price, less: 0.5000 b on npu4" in lines
    assert "bytes, less: nowhere" in lines
    at = lines.index("price differs by more than 0.5%: 2 of 3 cells")
    assert lines[at + 1 : at + 3] == ["  2.0000  a on nna", "  0.5000  b on npu4"]
    assert lines[at + 3 : at + 5] == ["refused now: 1 cells", "  c on nna: over 600 s"]
    assert lines[at + 5 :] == ["no longer refused: 1 cells", "  b on nna"]


def test_what_costs_more_or_is_refused_is_worse() -> None:
    assert not is_worse({"a on npu4": cell(100)}, {"a on npu4": cell(100.4)})
    assert is_worse({"a on npu4": cell(100)}, {"a on npu4": cell(100.6)})
    assert is_worse({"a on npu4": cell(100)}, {"a on npu4": {"error": "NNC-E021"}})
    assert not is_worse({"a on npu4": {"error": "NNC-E021"}}, {"a on npu4": cell(100)})


def test_cells_that_are_there_are_not_missing() -> None:
    cells = {"a on nna": cell(1), "b on nna": {"error": "over 60 s", "limit": 60}, "c on nna": {"error": "x"}}
    assert missing(["a", "b", "c", "d"], ["nna"], cells, 60) == [("d", "nna")]
    assert missing(["a", "b", "c", "d"], ["nna"], cells, 61) == [("b", "nna"), ("d", "nna")]


def test_a_table_is_read_again_by_the_same_code(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    write_cells(path, AFTER, "one")
    assert read_cells(path) == read_cells(path, "one") == AFTER
    assert [*tmp_path.iterdir()] == [path]
    with pytest.raises(ValueError, match="is of one, this is other: name another file"):
        read_cells(path, "other")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "cannot be read"),
        ('{"cells": {"a', "cannot be read"),
        ("[]", "no cells"),
        ('{"commit": "x"}', "no cells"),
        (json.dumps({"cells": {"a on nna": {"bytes": 1}}}), "no cells"),
        (json.dumps({"cells": {"a on nna": cell(0)}}), "no cells"),
    ],
)
def test_a_damaged_table_is_an_error(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: str,
    said: str,
) -> None:
    path = tmp_path / "before.json"
    path.write_text(text)
    monkeypatch.setattr(sys, "argv", ["plan_table.py", str(tmp_path / "out"), "--against", str(path)])
    with pytest.raises(SystemExit) as ended:
        plan_table.main()
    assert ended.value.code == 2
    assert said in (message := capsys.readouterr().err) and "name another file" in message


def test_networks_come_by_their_nodes_and_have_one_name_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, name in enumerate(("lenet5", "mlp-784-1152-10")):
        onnx.save(models.build(name), tmp_path / f"{number}.onnx")
    assert [name for name, _ in smallest_first([str(tmp_path)])] == ["1.onnx", "0.onnx"]
    with pytest.raises(ValueError, match=r"named 0\.onnx"):
        smallest_first([str(tmp_path), str(tmp_path / "0.onnx")])


def test_a_run_is_gone_on_with_and_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model, before, after = tmp_path / "m.onnx", tmp_path / "before.json", tmp_path / "after.json"
    onnx.save(models.build("conv-8x8x8"), model)

    def run(*arguments: str) -> int:
        monkeypatch.setattr(sys, "argv", ["plan_table.py", *arguments])
        return plan_table.main()

    assert run(str(before), str(model), "--chips", "npu 64K") == 0
    assert run(str(before), str(model), "--chips", "npu 64K,npu4") == 0
    cells = read_cells(before)
    assert [*cells] == ["m.onnx on npu 64K", "m.onnx on npu4"]
    cheaper = {name: figures | {"price": figures["price"] / 2} for name, figures in cells.items()}
    write_cells(after, cheaper, plan_table.commit(plan_table.ROOT))
    capsys.readouterr()
    assert run(str(after), str(model), "--chips", "npu4", "--against", str(before)) == 0
    assert "price differs by more than 0.5%: 2 of 2 cells" in capsys.readouterr().out
    assert run(str(before), str(model), "--chips", "npu4", "--against", str(after)) == 1

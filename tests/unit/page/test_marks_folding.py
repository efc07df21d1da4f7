"""nnc/page/folding.py"""

from __future__ import annotations

from nnc.page.folding import folded_blocks
from nnc.report.schema import Blocks


def blocks(rows: list[tuple[int, int, int, int, int]]) -> Blocks:
    """Rows of (low, high, begin, end, tensor), in memory 0 of core 0, of layer and group 7."""
    low, high, begin, end, tensor = (list(column) for column in zip(*rows, strict=True))
    zeros, sevens = [0] * len(rows), [7] * len(rows)
    return Blocks(
        memory=zeros, core=zeros, low=low, high=high, begin=begin, end=end, tensor=tensor, group=sevens,
        layer=sevens, memories=["sram"], tensors=["a", "b"],
    )  # fmt: skip


ROWS = [(0, 64, 0, 10, 0), (0, 64, 20, 30, 0), (0, 64, 40, 50, 1), (64, 128, 0, 10, 0), (0, 64, 60, 70, 0)]


def test_few_blocks_stay_as_they_are() -> None:
    given = blocks(ROWS)
    columns, counts = folded_blocks(given)
    assert {name: column.tolist() for name, column in columns.items()} == given.model_dump(
        exclude={"memories", "tensors"}
    )
    assert counts.tolist() == [1] * 5


def test_alike_blocks_that_follow_each_other_become_one() -> None:
    columns, counts = folded_blocks(blocks(ROWS), most=4)
    found = zip(*(columns[name].tolist() for name in ("low", "high", "begin", "end", "tensor")), strict=True)
    assert list(found) == [(0, 64, 0, 30, 0), (0, 64, 40, 50, 1), (0, 64, 60, 70, 0), (64, 128, 0, 10, 0)]
    assert counts.tolist() == [2, 1, 1, 1]


def test_blocks_of_several_tensors_follow_if_there_are_still_too_many() -> None:
    columns, counts = folded_blocks(blocks(ROWS), most=3)
    assert columns["end"].tolist() == [70, 10]
    assert counts.tolist() == [4, 1]

"""nnc.cli.columns: tables are never wider than the terminal, and show as much as fits."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from nnc.cli.columns import Column, fitted

LAYERS = ["model.layers.0.self_attn.q_proj", "x", "a name of the middle, which is long"]


def lines_of(columns: list[Column], width: int) -> list[str]:
    """The table as it is printed."""
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(fitted(columns, width))
    return console.export_text().splitlines()


def columns() -> list[Column]:
    return [
        Column("layer", LAYERS, justify="left", shrinks=True),
        Column("cycles", ["1", "22", "4,000,000"]),
        Column("DRAM", ["1 kB", "2 MB", "3 GB"], 1),
        Column("limit", ["short", "a long reason, wider than all", "-"], 9, justify="left"),
    ]


@given(st.integers(min_value=24, max_value=140))
def test_no_line_is_wider_than_the_terminal_or_wrapped(width: int) -> None:
    lines = lines_of(columns(), width)
    assert len(lines) == 1 + len(LAYERS)
    assert max(len(line.rstrip()) for line in lines) <= width


@pytest.mark.parametrize(
    ("width", "titles"),
    [
        (120, ["layer", "cycles", "DRAM", "limit"]),
        (40, ["layer", "cycles", "DRAM"]),
        (24, ["layer", "cycles"]),
    ],
)
def test_columns_give_way_by_rank(width: int, titles: list[str]) -> None:
    assert lines_of(columns(), width)[0].split() == titles


def test_names_are_cut_in_the_middle() -> None:
    first = lines_of(columns(), 40)[1]
    assert first.startswith("model.") and "…" in first and "q_proj" in first
    assert LAYERS[0] in lines_of(columns(), 120)[1]

"""Sums of very many tensors as sums of few, and those that stay."""

from __future__ import annotations

import pytest
from pass_harness import after, graph_naming, kinds, same_values

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise
from nnc.compiler.passes.split_sums import SPLIT_SUMS

OPERATORS = ["Sum", "Max", "Min", "Mean"]


def network(operator: str, count: int, dtype: str = "float") -> Graph:
    """A function of so many tensors of different shapes."""
    made = [f"t{n} = {'Neg' if n % 3 else 'Abs'} ({'x' if n % 2 else 'z'})" for n in range(count)]
    operands = ", ".join(f"t{n}" for n in range(count))
    text = "  ".join([*made, f"y = {operator} ({operands})"])
    return graph_naming(text, {}, {}, f"({dtype}[2,1,7,6] x, {dtype}[2,8,7,1] z) => (y)")


def operands(graph: Graph) -> list[int]:
    """How many operands functions of several tensors have."""
    layers = (layer for layer in graph.layers() if isinstance(layer, Elementwise))
    return [n for layer in layers if (n := len(graph.inputs_of(layer.name))) > 1]


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("count", [9, 15, 16, 40])
def test_few_tensors_are_added_at_a_time(operator: str, count: int) -> None:
    graph = network(operator, count)
    result = after(SPLIT_SUMS, graph)
    assert max(operands(result)) == 8
    assert sum(operands(result)) == count + len(operands(result)) - 1
    same_values(graph, result)


@pytest.mark.parametrize("operator", OPERATORS)
def test_sums_of_halves_stay(operator: str) -> None:
    """What is between would be rounded to halves, and might overflow; a maximum rounds nothing."""
    graph = network(operator, 9, "float16")
    assert (kinds(after(SPLIT_SUMS, graph)) == kinds(graph)) == (operator in ("Sum", "Mean"))


@pytest.mark.parametrize("operator", OPERATORS)
def test_a_sum_of_few_stays(operator: str) -> None:
    graph = network(operator, 8)
    assert kinds(after(SPLIT_SUMS, graph)) == kinds(graph)


def test_what_sums_begin_with_is_computed_once() -> None:
    """Every layer reads the sum of all before it: few operands in all, not half the square of the layers."""
    count, text = 60, "t0 = Abs (x)"
    for number in range(1, count):
        text += (
            f"  s{number} = Sum ({', '.join(f't{n}' for n in range(number))})  t{number} = Neg (s{number})"
        )
    graph = graph_naming(text, {}, {}, f"(float[2,3] x) => (t{count - 1})")
    result = after(SPLIT_SUMS, graph)
    assert sum(operands(graph)) > 20 * count
    assert sum(operands(result)) < 6 * count
    same_values(graph, result)

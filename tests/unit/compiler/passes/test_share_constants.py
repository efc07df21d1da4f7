"""Constants that are alike become one; those that only look so stay."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from pass_harness import after, graph_of, kinds, same_values

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise, Loc
from nnc.compiler.passes.fold_affine import FOLD_AFFINE
from nnc.compiler.passes.share_constants import SHARE_CONSTANTS
from nnc.isa.functions import Function

Array = npt.NDArray[Any]

NORM = {"s": (6,), "b": (6,), "m": (6,), "v": (6,)}
COPIES = """(float[2,4,7,7] x) => (y) {
    p, q = Split <axis=0, num_outputs=2> (x)
    h = Conv (p, w)  i = BatchNormalization (h, s, b, m, v)
    j = Conv (q, w)  k = BatchNormalization (j, s, b, m, v)
    y = Concat <axis=0> (i, k) }"""


def read(graph: Graph) -> list[str]:
    """The constants that layers read, one by one."""
    operands = (tensor for layer in graph.layers() for tensor in graph.inputs_of(layer.name))
    return [tensor for tensor in operands if tensor is not None and graph.is_constant(tensor)]


def test_weights_of_copies_are_shared_once_norms_are_folded() -> None:
    folded = after(FOLD_AFFINE, graph_of(COPIES, {"w": (6, 4, 3, 3)} | NORM))
    assert kinds(folded).count("conv") == 2 and len(set(read(folded))) == 4
    result = after(SHARE_CONSTANTS, folded)
    assert len(set(read(result))) == 2
    assert set(read(result)) == set(result.used_constants())
    same_values(folded, result)


@pytest.mark.parametrize(
    "other",
    [
        np.array([0.0, 1.0], np.float32),  # −0.0 has other bytes
        np.array([-0.0, 1.0], np.float16),
        np.array([[-0.0, 1.0]], np.float32),
        np.array([-0.0, np.nextafter(np.float32(1), np.float32(2))], np.float32),
    ],
)
def test_constants_that_differ_stay(other: Array) -> None:
    values = np.array([-0.0, 1.0], np.float32)
    assert shared(values, other, values.copy()) == ["a", "b", "a"]


def test_constants_that_differ_in_one_place_stay() -> None:
    """Also where a sample of their elements is the same, and with values that equal nothing."""
    values = np.full(1000, np.nan, np.float32)
    other = values.copy()
    other[501] = 1
    assert shared(values, other, values.copy()) == ["a", "b", "a"]


def shared(*values: Array) -> list[str]:
    """Which of the constants a, b, c … each of their readers reads after the pass."""
    graph = Graph("g")
    for name, value in zip("abc", values, strict=True):
        graph.add_constant(name, value)
        layer = Elementwise(name=f"{name}.abs", loc=Loc(name, "Abs"), function=Function.ABS)
        graph.add(layer, [name], [f"{name}.y"], [graph.types[name]])
        graph.add_output(f"{name}.y")
    return read(after(SHARE_CONSTANTS, graph))

"""Constants that a model computes: too many bytes or operations are refused before they are computed."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from bad_models import error_of, parse
from onnx import helper

from nnc.compiler.frontend.errors import ModelTooLargeError
from nnc.compiler.frontend.fold_account import work_of
from nnc.isa.errors import NncError
from nnc.isa.limits import FOLDED_TENSOR, FOLDED_TENSORS, FOLDING_WORK

QUARTER = 2**26
"""Floats of 256 MiB."""


def refused(text: str) -> NncError:
    """The error that a model gives, which allocates next to nothing."""
    model = parse(text)
    tracemalloc.start()
    try:
        error = error_of(ModelTooLargeError, model)
        assert tracemalloc.get_traced_memory()[1] < 50 * 2**20
    finally:
        tracemalloc.stop()
    assert error.remedy and error.found
    return error


@pytest.mark.parametrize(
    "product",
    [
        "MatMul(a, a)",
        "Gemm(a, a)",
        "Gemm<transA=1, transB=1>(a, a)",
        'Einsum<equation="ij,jk->ik">(a, a)',
        'Einsum<equation="...j,jk">(a, a)',
    ],
)
def test_products_of_large_constants(product: str) -> None:
    """12,000 x 12,000 twice: 576 MB each, and 1.7 * 10^12 multiply-adds."""
    error = refused(
        "g (float[2] x) => (float[2] y) <int64[2] shape = {12000, 12000}> "
        f"{{ a = ConstantOfShape(shape)  b = {product}  c = ReduceSum<keepdims=0>(b)  y = Add(x, c) }}"
    )
    assert error.found == f"{2 * 12000**2 + 12000**3} operations"
    assert error.expected == f"at most {FOLDING_WORK.most} operations"
    assert "MatMul" in error.where or "Gemm" in error.where or "Einsum" in error.where


@pytest.mark.parametrize(
    "maker",
    [
        "a{0} = ConstantOfShape(n)  b{0} = Exp(a{0})",
        "a{0} = Expand(unit, n)  b{0} = Neg(a{0})",
        "a{0} = ConstantOfShape(n)  r{0} = Reshape(a{0}, n)  b{0} = Sqrt(r{0})",
        "b{0} = Tile(unit, n)",
        "b{0} = Pad(unit, pads)",
        "b{0} = Range(zero, end, step)",
    ],
)
def test_thirty_constants_that_each_would_be_accepted(maker: str) -> None:
    lines, last = [], "x"
    for number in range(30):
        lines.append(f"{maker.format(number)}  c{number} = Slice(b{number}, zeros, ones)")
        lines.append(f"y{number} = Add({last}, c{number})")
        last = f"y{number}"
    error = refused(
        f"g (float[1] x) => (float[1] y29) <int64[1] n = {{{QUARTER}}}, float[1] unit = {{1}}, "
        f"int64[2] pads = {{0, {QUARTER - 1}}}, float zero = {{0}}, float end = {{{QUARTER}}}, "
        f"float step = {{1}}, int64[1] zeros = {{0}}, int64[1] ones = {{1}}> {{ {' '.join(lines)} }}"
    )
    assert error.expected == f"at most {FOLDED_TENSORS.most} bytes"


def test_repeated_elements_that_are_laid_out_count() -> None:
    """A layer at run time reads them: then they take their bytes, thirty times."""
    vector, lines = f"float[{QUARTER}]", []
    for n in range(1, 31):
        lines.append(f"a{n} = ConstantOfShape<value = float[1] {{{n}}}>(n)  y{n} = Add(y{n - 1}, a{n})")
    error = refused(f"g ({vector} y0) => ({vector} y30) <int64[1] n = {{{QUARTER}}}> {{ {' '.join(lines)} }}")
    assert error.expected == f"at most {FOLDED_TENSORS.most} bytes"


@pytest.mark.parametrize("end", [2**31, 2**62, 2**63 - 1])
def test_ranges_have_their_number_of_elements(end: int) -> None:
    error = refused(
        f"g (float[1] x) => (y) <int64 zero = {{0}}, int64 end = {{{end}}}, int64 step = {{1}}> "
        "{ a = Range(zero, end, step)  b = Cast<to=1>(a)  y = Add(x, b) }"
    )
    assert error.expected == f"at most {FOLDED_TENSOR.most} bytes"


@pytest.mark.parametrize(
    ("op", "attributes", "shapes", "products"),
    [
        ("MatMul", {}, [(3, 4), (4, 5)], 3 * 4 * 5),
        ("MatMul", {}, [(4,), (4, 5)], 4 * 5),
        ("MatMul", {}, [(3, 4), (4,)], 3 * 4),
        ("MatMul", {}, [(2, 1, 3, 4), (7, 4, 5)], 2 * 7 * 3 * 4 * 5),
        ("Gemm", {"transA": 1}, [(4, 3), (4, 5)], 3 * 4 * 5),
        ("Gemm", {"transB": 1}, [(3, 4), (5, 4)], 3 * 4 * 5),
        ("Einsum", {"equation": "ij, jk -> ik"}, [(3, 4), (4, 5)], 3 * 4 * 5),
        ("Einsum", {"equation": "ii->i"}, [(3, 3)], 3),
        ("Einsum", {"equation": "i,j,k"}, [(3,), (4,), (5,)], 3 * 4 * 5),
        ("Einsum", {"equation": "...ij,...jk"}, [(2, 1, 3, 4), (7, 4, 5)], 2 * 7 * 3 * 4 * 5),
        ("ReduceSum", {}, [(3, 4)], 0),
    ],
)
def test_work_of_products(
    op: str, attributes: dict[str, object], shapes: list[tuple[int, ...]], products: int
) -> None:
    """Multiply-adds, and each element read once; integers count ten times."""
    node = helper.make_node(op, [str(n) for n in range(len(shapes))], ["y"], **attributes)
    floats = [np.zeros(shape, np.float32) for shape in shapes]
    read = sum(array.size for array in floats)
    assert work_of(node, floats) == products + read
    assert work_of(node, [array.astype(np.int32) for array in floats]) == 10 * products + read

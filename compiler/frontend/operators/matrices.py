"""Importers of triangles, unit matrices and determinants."""

from __future__ import annotations

from itertools import combinations
from math import prod

import numpy as np

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.model.element_types import computed_type
from nnc.compiler.frontend.model.sizes import check_tensor
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir.graph import TensorType
from nnc.isa.types import DType

MOST_ROWS_OF_DETERMINANT = 8
"""There are 2^n minors; from ten rows on, their rounding errors would be more than outputs may differ by."""


@importer("Trilu")
def triangle(context: OpContext) -> None:
    """The upper or lower triangle of matrices, else 0; its diagonal may be computed at run time."""
    make, shape = Expansion(context), context.shape()
    if len(shape) < 2:
        raise context.invalid("matrices are needed", found=str(context.type()))
    diagonals = make.constant(np.arange(shape[-1]) - np.arange(shape[-2])[:, None])
    first = context.optional(1) or make.constant(np.zeros((), np.int64))
    comparison = "GreaterOrEqual" if context.flag("upper", 1) else "LessOrEqual"
    inside = make(comparison, diagonals, first)
    if context.type().dtype is DType.BOOL:  # onnxruntime, which runs exported graphs, has no Where of these
        make.define(0, make("And", inside, context.tensor(0)))
    else:
        make.define(0, make("Where", inside, context.tensor(0), make.constant(0, like=0)))


@importer("EyeLike", lazy=True)
def eye_like(context: OpContext) -> None:
    """A constant with ones on a diagonal, of the shape of a matrix."""
    rows, columns = context.expect_shape(0, None, None)
    code = context.attribute("dtype", 0)
    dtype = computed_type(code) if code else context.type().dtype
    check_tensor(context.name, TensorType(dtype, (rows, columns)))
    diagonal = min(max(context.attribute("k", 0), -rows), columns)
    context.fold(np.eye(rows, columns, diagonal, dtype.numpy))


@importer("Det", constraints=(f"Matrices of at most {MOST_ROWS_OF_DETERMINANT} rows.",))
def determinant(context: OpContext) -> None:
    """Determinants of square matrices: minors of the first rows, from those of one row less."""
    shape = context.shape()
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise context.invalid("square matrices are needed", found=str(context.type()))
    make, rows = Expansion(context), shape[-1]
    if not 0 < rows <= MOST_ROWS_OF_DETERMINANT:
        raise context.unsupported(f"determinants of {rows} rows are not supported")
    matrix = make.reshape(context.tensor(0), prod(shape[:-2]), rows, rows)
    minors = make.slice(matrix, 1, 0, 1)
    for row in range(1, rows):  # minors of rows 0 … row: of each, a sum over its columns
        smaller = {columns: number for number, columns in enumerate(combinations(range(rows), row))}
        chosen = list(combinations(range(rows), row + 1))
        rests = [[smaller[columns[:n] + columns[n + 1 :]] for n in range(row + 1)] for columns in chosen]
        factors = make("Gather", make.slice(matrix, 1, row, row + 1), make.constant(np.array(chosen)), axis=2)
        others = make("Gather", minors, make.constant(np.array(rests)), axis=2)
        signs = make.constant((-1.0) ** np.arange(row, 2 * row + 1), like=0)
        products = make("Mul", make("Mul", factors, signs), others)
        minors = make("ReduceSum", products, make.constant(np.array([3], np.int64)), keepdims=0)
    make.define(0, make.reshape(minors, *shape[:-2]))

"""All importer modules: importing this one fills the table."""

from nnc.compiler.frontend.operators import (
    activation,
    arrange,
    conv,
    einsum,
    elementwise,
    gather,
    matmul,
    normalise,
    pad,
    pool,
    qlinear,
    qlinear_conv,
    qlinear_matmul,
    quantize,
    reduce,
    resize,
    shape,
)
from nnc.compiler.frontend.table import IMPORTERS

__all__ = [
    "IMPORTERS",
    "activation",
    "arrange",
    "conv",
    "einsum",
    "elementwise",
    "gather",
    "matmul",
    "normalise",
    "pad",
    "pool",
    "qlinear",
    "qlinear_conv",
    "qlinear_matmul",
    "quantize",
    "reduce",
    "resize",
    "shape",
]

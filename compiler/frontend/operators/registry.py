"""All importer modules: importing this one fills the table."""

from nnc.compiler.frontend import (
    ops_activation,
    ops_arrange,
    ops_conv,
    ops_elementwise,
    ops_matmul,
    ops_normalise,
    ops_pool,
    ops_reduce,
    ops_resize,
    ops_shape,
)
from nnc.compiler.frontend.table import IMPORTERS

__all__ = [
    "IMPORTERS",
    "ops_activation",
    "ops_arrange",
    "ops_conv",
    "ops_elementwise",
    "ops_matmul",
    "ops_normalise",
    "ops_pool",
    "ops_reduce",
    "ops_resize",
    "ops_shape",
]

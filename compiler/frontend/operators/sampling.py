"""Importers of operators that read a picture at points that are computed: AffineGrid."""

from __future__ import annotations

from math import prod

import numpy as np
from numpy.typing import NDArray

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.table import importer


@importer("AffineGrid", constraints=("The size is known at compile time.",))
def affine_grid(context: OpContext) -> None:
    """Coordinates of the points that an affine map sends those of a regular grid to: a product."""
    size = [int(extent) for extent in context.required_constant(1, "size").reshape(-1)]
    rank = len(size) - 2
    if rank not in (2, 3) or min(size) < 1:
        raise context.invalid("a size of pictures is needed", found=str(size), expected="N, C, (D,) H, W")
    context.expect_shape(0, size[0], rank, rank + 1)
    aligned = context.flag("align_corners")
    axes = [_regular(extent, aligned=aligned) for extent in size[2:]]
    points = [axis.reshape(-1) for axis in np.meshgrid(*axes, indexing="ij")]
    matrix = np.stack([*reversed(points), np.ones(prod(size[2:]))], axis=1)
    make = Expansion(context)
    turned = make.transpose(context.tensor(0), 0, 2, 1)
    make.define(
        0, make.reshape(make("MatMul", make.constant(matrix, like=0), turned), size[0], *size[2:], rank)
    )


def _regular(extent: int, *, aligned: bool) -> NDArray[np.float64]:
    """Coordinates of the elements of an axis, whose ends, or those of its first and last element, are ∓1."""
    if aligned:
        return np.linspace(-1, 1, extent)
    return (2 * np.arange(extent) + 1) / extent - 1

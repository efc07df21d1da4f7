"""Importers of operators that compare positions: OneHot."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto

from nnc.compiler.frontend.context import OpContext, scalar_of
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.table import importer
from nnc.isa.types import DType


@importer("OneHot", constraints=("The depth is known at compile time.",))
def one_hot(context: OpContext) -> None:
    """One value at the positions that indices name along a new axis, another one elsewhere.

    Negative indices count from the end; what lies outside names no position.
    """
    index = context.type(0)
    axis = context.axis(context.attribute("axis", -1), len(index.shape) + 1)
    context.expect_shape(2, 2)
    depths = context.required_constant(1, "depth")
    if depths.size != 1 or scalar_of(depths) < 1:
        raise context.invalid("the depth is no positive number", found=str(depths.tolist()))
    depth = int(scalar_of(depths))
    make = Expansion(context)
    places = context.tensor(0)
    if index.dtype is not DType.I64:
        places = make("Cast", places, to=TensorProto.INT64)
    if context.version >= 11:  # before, they lie outside
        number = make.constant(np.array(depth, np.int64))
        is_negative = make("Less", places, make.constant(np.array(0, np.int64)))
        places = make("Where", is_negative, make("Add", places, number), places)
    places = make.reshape(places, *index.shape[:axis], 1, *index.shape[axis:])
    numbers = np.arange(depth).reshape(-1, *(1 for _ in index.shape[axis:]))
    is_hot = make("Equal", places, make.constant(numbers))
    off, on = (make.slice(context.tensor(2), 0, slot, slot + 1) for slot in (0, 1))
    make.define(0, make("Where", is_hot, on, off))

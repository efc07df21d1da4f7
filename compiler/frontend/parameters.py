"""Parameters of operators must be finite: one rule for all attributes and constants that are parameters.

NaN and infinities in a tensor are data, and arithmetic says what becomes of them.  In a parameter they have
no meaning that implementations share: a formula that is written in two ways gives two results (0 · ∞ is NaN).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import AttributeProto, NodeProto, helper

from nnc.compiler.frontend.domains import ONNX, domain_of
from nnc.compiler.frontend.errors import UnsupportedError

Array = NDArray[Any]

_UNBOUNDED = frozenset({("Clip", "min"), ("Clip", "max"), ("Pad", "value")})
"""Parameters that may be infinite: no bound, and what a maximum never picks."""

_OPERANDS: Mapping[str, Mapping[int, str]] = {
    "BatchNormalization": {1: "scale", 2: "bias", 3: "mean", 4: "variance"},
    "Clip": {1: "min", 2: "max"},
    "InstanceNormalization": {1: "scale", 2: "bias"},
    "LayerNormalization": {1: "scale", 2: "bias"},
    "PRelu": {1: "slope"},
    "Resize": {1: "scales", 2: "scales"},
    "RMSNormalization": {1: "scale"},
    "Upsample": {1: "scales"},
}
"""Operands that are parameters, by operator and slot.  Scales of quantised operators have their own rules."""
_DIVISIONS = frozenset({"Div", "Mod"})


def check_parameters(node: NodeProto, value: Callable[[str], Array | None]) -> None:
    """Refuse a node with a parameter that is NaN, or infinite where that has no meaning.

    Args:
        node: of any operator.
        value: the value of an operand by name; None if it is computed at run time.

    Raises:
        UnsupportedError: a parameter is not finite, or an integer is divided by a constant that is zero.
    """
    if node.op_type in _DIVISIONS and domain_of(node) == ONNX:
        divisor = value(node.input[1])
        if divisor is not None and divisor.dtype.kind in "iu" and not divisor.all():
            raise UnsupportedError("it divides integers by zero")
    for name, numbers in (*_attributes(node), *_constants(node, value)):
        wrong = np.isnan(numbers) if (node.op_type, name) in _UNBOUNDED else ~np.isfinite(numbers)
        if wrong.any():
            number = numbers[wrong].reshape(-1)[0]
            raise UnsupportedError(f"its parameter {name} is {number}: export the model with a finite one")


def _attributes(node: NodeProto) -> Iterator[tuple[str, Array]]:
    for attribute in node.attribute:
        if attribute.type in (AttributeProto.FLOAT, AttributeProto.FLOATS):
            yield attribute.name, np.atleast_1d(helper.get_attribute_value(attribute))


def _constants(node: NodeProto, value: Callable[[str], Array | None]) -> Iterator[tuple[str, Array]]:
    for slot, name in _OPERANDS.get(node.op_type, {}).items() if domain_of(node) == ONNX else ():
        if slot < len(node.input) and node.input[slot]:
            array = value(node.input[slot])
            if array is not None and array.dtype.kind == "f":
                yield name, np.atleast_1d(array)

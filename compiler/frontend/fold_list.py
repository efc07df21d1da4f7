"""Which nodes onnx's reference evaluator may fold, because it computes what the standard says.

Folded is what sub-graphs of shapes and of weights consist of: arithmetic, reductions and movement of data.
The evaluator ignores the older rules of Softmax and BatchNormalization, does odd things to windows
(SAME_LOWER, ceil_mode, output_shape), LRN and Resize; such nodes become layers on constants, like any
others.  BatchNormalization in training mode standardises weights.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import NodeProto, helper

from nnc.compiler.frontend.domains import ONNX, domain_of

Arrays = Mapping[str, NDArray[Any]]

_COMPARISONS = {"Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"}
_LOGIC = {"And", "Not", "Or", "Xor", "BitShift", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor"}
_ARITHMETIC = {
    "Abs",
    "Add",
    "Div",
    "Max",
    "Mean",
    "Min",
    "Mod",
    "Mul",
    "Neg",
    "Pow",
    "Reciprocal",
    "Sub",
    "Sum",
}
_FUNCTIONS = {
    "Cos",
    "Erf",
    "Exp",
    "Log",
    "Relu",
    "Sigmoid",
    "Sin",
    "Sqrt",
    "Tanh",
}  # tables of positions, weights
_ROUNDING = {"Ceil", "Clip", "Floor", "IsInf", "IsNaN", "Round", "Sign"}
CONVERSIONS = frozenset({"Cast", "CastLike"})
_CHOICE = {*CONVERSIONS, "Where"}
_PRODUCTS = {"Einsum", "Gemm", "MatMul"}
_REDUCTIONS = {
    *("ReduceL1", "ReduceL2", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum"),
}
_ALONG_AXIS = {"ArgMax", "ArgMin", "CumSum", "TopK"}
_MOVEMENT = {
    *("Compress", "Concat", "DepthToSpace", "Flatten", "Gather", "GatherElements", "GatherND", "Identity"),
    *("Pad", "Reshape", "ScatterElements", "ScatterND", "Slice", "SpaceToDepth", "Split", "Squeeze", "Tile"),
    *("Transpose", "Trilu", "Unsqueeze"),
}
_MOVES = frozenset(
    {
        *("DepthToSpace", "Flatten", "Gather", "Identity", "Reshape", "Slice", "SpaceToDepth", "Split"),
        *("Squeeze", "Transpose", "Unsqueeze"),
    }
)
_NORMALISATION = {"BatchNormalization"}
_MAKING = {"MelWeightMatrix", "NonZero", "OneHot", "Range", "Unique"}

FOLDED = frozenset(
    _COMPARISONS
    | _LOGIC
    | _ARITHMETIC
    | _FUNCTIONS
    | _ROUNDING
    | _CHOICE
    | _PRODUCTS
    | _REDUCTIONS
    | _ALONG_AXIS
    | _MOVEMENT
    | _NORMALISATION
    | _MAKING
)
"""Each agrees with onnxruntime over opsets, element types and attributes, but for the forms in `_WRONG`."""


def listed(node: NodeProto) -> bool:
    """Whether a node whose inputs are all constant may be folded."""
    return domain_of(node) == ONNX and node.op_type in FOLDED


def moves(node: NodeProto) -> bool:
    """Whether a listed node only moves elements of its first input, or copies them."""
    return node.op_type in _MOVES


def has_wrong_form(node: NodeProto, arrays: Arrays) -> bool:
    """Whether the evaluator does not compute a listed node, whose inputs have these values, as it should."""
    return node.op_type in _WRONG and _WRONG[node.op_type](node, arrays)


def _sums_halves(node: NodeProto, arrays: Arrays) -> bool:
    """numpy rounds the sum of halves after every addition: 4096 ones are 2048."""
    return any(value.dtype == np.float16 and value.size for value in arrays.values())


def _starts_before_the_first(node: NodeProto, arrays: Arrays) -> bool:
    """A slice backwards that starts before the first element is held to be empty; it begins at the first."""
    if len(node.input) < 5 or not node.input[4]:
        return False
    data, starts, steps = (arrays[node.input[slot]] for slot in (0, 1, 4))
    axes = arrays[node.input[3]] if node.input[3] else np.arange(len(starts))
    numbers = zip(starts.tolist(), steps.tolist(), axes.tolist(), strict=False)
    return any(step < 0 and start < -data.shape[axis] for start, step, axis in numbers)


def _inserts_in_disorder(node: NodeProto, arrays: Arrays) -> bool:
    """Before opset 13 axes are inserted one by one as they are listed, negative ones too early."""
    named = [helper.get_attribute_value(a) for a in node.attribute if a.name == "axes"]
    return any(len(axes) > 1 and (min(axes) < 0 or sorted(axes) != list(axes)) for axes in named)


def _of_a_scalar(node: NodeProto, arrays: Arrays) -> bool:
    """The result of a scalar has the wrong shape."""
    return any(value.ndim == 0 for value in arrays.values())


def _by_a_function(node: NodeProto, arrays: Arrays) -> bool:
    """Reductions of the updates differ in what they do with NaN."""
    return any(a.name == "reduction" and a.s != b"none" for a in node.attribute)


def _names_outside(node: NodeProto, arrays: Arrays) -> bool:
    """Indices outside, before opset 11 negative ones too, name nothing; the evaluator takes the rest."""
    indices, depth = (arrays[node.input[slot]] for slot in (0, 1))
    return depth.ndim > 0 or bool(((indices < 0) | (indices >= depth)).any())


def _counts_nan(node: NodeProto, arrays: Arrays) -> bool:
    """numpy takes all NaN for one."""
    return any(value.dtype.kind == "f" and bool(np.isnan(value).any()) for value in arrays.values())


def _by_given_statistics(node: NodeProto, arrays: Arrays) -> bool:
    """Inference had other rules before opset 9; training has its attribute since 14."""
    return not any(a.name == "training_mode" and a.i for a in node.attribute)


def _folds_halves_or_nothing(node: NodeProto, arrays: Arrays) -> bool:
    """Of no elements numpy has no extreme, and its mean is NaN."""
    return _sums_halves(node, arrays) or next(iter(arrays.values())).size == 0


_WRONG: dict[str, Callable[[NodeProto, Arrays], bool]] = {
    **dict.fromkeys(_PRODUCTS | {"CumSum", "Mean", "Sum"}, _sums_halves),
    **dict.fromkeys(_REDUCTIONS, _folds_halves_or_nothing),
    "BatchNormalization": _by_given_statistics,
    "NonZero": _of_a_scalar,
    "OneHot": _names_outside,
    "ScatterElements": _by_a_function,
    "ScatterND": _by_a_function,
    "Slice": _starts_before_the_first,
    "Unique": _counts_nan,
    "Unsqueeze": _inserts_in_disorder,
}
"""Forms that the evaluator gets wrong, by operator."""

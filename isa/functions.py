"""Enumerations used as immediate fields: functions of element-wise, pool, reduce, resize and pad."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from nnc.isa.record import QuickEnum


class Result(Enum):
    """Element type of an element-wise function's result."""

    FIRST = "that of the first source"
    SECOND = "that of the second source"
    BOOL = "bool"
    GIVEN = "that of dst"


@dataclass(frozen=True, kw_only=True, slots=True)
class FunctionRecord:
    """What verifier, kernels, importer, exporter and passes must know of an element-wise function.

    Attributes:
        sources: the least and the largest number of sources, None for any number.
        operator: the ONNX operator that is this function, the parameters being its attributes; None where
            importer and exporter have code of their own.
        params: names of the parameters in ONNX, and their defaults there.
        result: element type of the result.
        activation: whether it is worth fusing into the layer before (it must have one source).
        ufunc: numpy's function that computes it; None where the kernels have a formula.
        operations: for an element of the result; None: one for each source after the first, and at least one.
    """

    sources: tuple[int, int | None]
    operator: str | None = None
    params: tuple[tuple[str, float], ...] = ()
    result: Result = Result.FIRST
    activation: bool = False
    ufunc: np.ufunc | None = None
    operations: int | None = None

    def __post_init__(self) -> None:
        if self.activation and (self.sources != (1, 1) or self.result is not Result.FIRST):
            raise ValueError("an activation has one source and keeps its type")


def _cell(sources: int, operations: int) -> FunctionRecord:
    return FunctionRecord(sources=(sources, sources), operations=operations)


def _unary(
    operator: str | None, ufunc: np.ufunc | None = None, result: Result = Result.FIRST, **params: float
) -> FunctionRecord:
    return FunctionRecord(
        sources=(1, 1), operator=operator, ufunc=ufunc, result=result, params=tuple(params.items())
    )


def _activation(operator: str | None, ufunc: np.ufunc | None = None, **params: float) -> FunctionRecord:
    return replace(_unary(operator, ufunc, Result.FIRST, **params), activation=True)


def _binary(
    operator: str | None, ufunc: np.ufunc | None = None, result: Result = Result.FIRST
) -> FunctionRecord:
    return FunctionRecord(sources=(2, 2), operator=operator, ufunc=ufunc, result=result)


def _fold(operator: str, ufunc: np.ufunc) -> FunctionRecord:
    return FunctionRecord(sources=(2, None), operator=operator, ufunc=ufunc)


class Function(QuickEnum):
    """Element-wise functions, with the number of inputs and the meaning of ``params``.

    A binary function with a single source takes its right operand from ``params[0]`` (its left one where
    the instruction's ``swap`` is set).  Unary ones also serve as fused activations.  ``scale_shift`` is
    x · scale + shift; two ``params`` are the least and the largest value of its result.

    Cells of recurrent networks, with s for sigmoid: ``gated_tanh`` of (i, g) is s(i) · tanh(g),
    ``lstm_state`` of (c, f, i, g) is s(f) · c + s(i) · tanh(g), and ``gru_state`` of (h, z, r, a, x) is
    n + s(z) · (h − n) with n = tanh(x + s(r) · a).
    """

    _value_: str
    record: FunctionRecord

    def __new__(cls, word: str, record: FunctionRecord) -> Function:
        """A member whose value is its word in program text."""
        member = object.__new__(cls)
        member._value_ = word
        member.record = record
        return member

    IDENTITY = "identity", _unary("Identity")
    CAST = "cast", _unary(None, result=Result.GIVEN)
    BITCAST = "bitcast", _unary(None, result=Result.GIVEN)
    BITWISE_NOT = "bitwise_not", _unary("BitwiseNot", np.invert)
    NEG = "neg", _unary("Neg")
    ABS = "abs", _unary("Abs", np.absolute)
    SQRT = "sqrt", _unary("Sqrt", np.sqrt)
    RECIPROCAL = "reciprocal", _unary("Reciprocal", np.reciprocal)
    EXP = "exp", _unary("Exp", np.exp)
    LOG = "log", _unary("Log", np.log)
    ERF = "erf", _unary("Erf")
    FLOOR = "floor", _unary("Floor", np.floor)
    CEIL = "ceil", _unary("Ceil", np.ceil)
    ROUND = "round", _unary("Round", np.rint)
    SIGN = "sign", _unary("Sign", np.sign)
    NOT = "not", _unary("Not", np.logical_not, Result.BOOL)
    ISNAN = "isnan", _unary("IsNaN", np.isnan, Result.BOOL)
    ISINF = "isinf", _unary("IsInf", result=Result.BOOL, detect_negative=1, detect_positive=1)
    SIN = "sin", _unary("Sin", np.sin)
    COS = "cos", _unary("Cos", np.cos)
    TAN = "tan", _unary("Tan", np.tan)
    ASIN = "asin", _unary("Asin", np.arcsin)
    ACOS = "acos", _unary("Acos", np.arccos)
    ATAN = "atan", _unary("Atan", np.arctan)
    SINH = "sinh", _unary("Sinh", np.sinh)
    COSH = "cosh", _unary("Cosh", np.cosh)
    ASINH = "asinh", _unary("Asinh", np.arcsinh)
    ACOSH = "acosh", _unary("Acosh", np.arccosh)
    ATANH = "atanh", _unary("Atanh", np.arctanh)
    RELU = "relu", _activation("Relu")
    LEAKY_RELU = "leaky_relu", _activation("LeakyRelu", alpha=0.01)
    ELU = "elu", _activation("Elu", alpha=1.0)
    SELU = "selu", _activation("Selu", alpha=1.67326319217681884765625, gamma=1.05070102214813232421875)
    CELU = "celu", _activation("Celu", alpha=1.0)
    SIGMOID = "sigmoid", _activation("Sigmoid")
    HARD_SIGMOID = "hard_sigmoid", _activation("HardSigmoid", alpha=0.2, beta=0.5)
    HARD_SWISH = "hard_swish", _activation("HardSwish")
    SWISH = "swish", _activation("Swish", alpha=1.0)
    TANH = "tanh", _activation("Tanh", np.tanh)
    SOFTPLUS = "softplus", _activation("Softplus")
    SOFTSIGN = "softsign", _activation("Softsign")
    MISH = "mish", _activation("Mish")
    GELU = "gelu", _activation(None)
    GELU_TANH = "gelu_tanh", _activation(None)
    THRESHOLDED_RELU = "thresholded_relu", _activation("ThresholdedRelu", alpha=1.0)
    CLIP = "clip", _activation(None)
    ADD = "add", _fold("Add", np.add)
    SUB = "sub", _binary("Sub", np.subtract)
    MUL = "mul", _fold("Mul", np.multiply)
    DIV = "div", _binary("Div")
    POW = "pow", _binary("Pow")
    MOD = "mod", _binary(None, np.remainder)
    FMOD = "fmod", _binary(None, np.fmod)
    PRELU = "prelu", _binary("PRelu")
    MAX = "max", _fold("Max", np.maximum)
    MIN = "min", _fold("Min", np.minimum)
    MEAN = "mean", FunctionRecord(sources=(1, None), operator="Mean")
    AND = "and", _binary("And", np.logical_and, Result.BOOL)
    OR = "or", _binary("Or", np.logical_or, Result.BOOL)
    XOR = "xor", _binary("Xor", np.logical_xor, Result.BOOL)
    BITWISE_AND = "bitwise_and", _binary("BitwiseAnd", np.bitwise_and)
    BITWISE_OR = "bitwise_or", _binary("BitwiseOr", np.bitwise_or)
    BITWISE_XOR = "bitwise_xor", _binary("BitwiseXor", np.bitwise_xor)
    SHIFT_LEFT = "shift_left", _binary(None, np.left_shift)
    SHIFT_RIGHT = "shift_right", _binary(None, np.right_shift)
    EQUAL = "equal", _binary("Equal", np.equal, Result.BOOL)
    LESS = "less", _binary("Less", np.less, Result.BOOL)
    LESS_EQUAL = "less_equal", _binary("LessOrEqual", np.less_equal, Result.BOOL)
    GREATER = "greater", _binary("Greater", np.greater, Result.BOOL)
    GREATER_EQUAL = "greater_equal", _binary("GreaterOrEqual", np.greater_equal, Result.BOOL)
    WHERE = "where", FunctionRecord(sources=(3, 3), operator="Where", result=Result.SECOND)
    SCALE_SHIFT = "scale_shift", FunctionRecord(sources=(3, 3))
    GATED_TANH = "gated_tanh", _cell(2, operations=3)
    LSTM_STATE = "lstm_state", _cell(4, operations=6)
    GRU_STATE = "gru_state", _cell(5, operations=8)
    QUANTIZE = "quantize", FunctionRecord(sources=(2, 3), result=Result.GIVEN)
    DEQUANTIZE = "dequantize", FunctionRecord(sources=(2, 3), result=Result.GIVEN)


OF_BITS = frozenset(
    {
        *(Function.BITWISE_NOT, Function.BITWISE_AND, Function.BITWISE_OR, Function.BITWISE_XOR),
        *(Function.SHIFT_LEFT, Function.SHIFT_RIGHT),
    }
)
"""Functions of the bits of integers."""


def operations_of(function: Function, sources: int) -> int:
    """Operations of the vector unit for an element of the result of so many sources."""
    stated = function.record.operations
    return max(1, sources - 1) if stated is None else stated


def is_unary(function: Function) -> bool:
    """Whether the function has one source."""
    return function.record.sources == (1, 1)


class PoolFunction(Enum):
    """Functions over a moving window."""

    MAX = "max"
    AVERAGE = "average"


class ReduceFunction(Enum):
    """Functions that fold axes into one value; ``mean`` divides the sum by the instruction's ``count``."""

    SUM = "sum"
    MEAN = "mean"
    MAX = "max"
    MIN = "min"
    PROD = "prod"
    SUM_SQUARE = "sum_square"
    L1 = "l1"
    L2 = "l2"
    LOG_SUM = "log_sum"
    LOG_SUM_EXP = "log_sum_exp"


class NormaliseFunction(Enum):
    """Statistics that ``normalise`` removes over its axes."""

    MEAN_VARIANCE = "mean_variance"
    ROOT_MEAN_SQUARE = "root_mean_square"


class RecurrentCell(Enum):
    """What a step of ``recurrence`` makes of the sums of its gates, in ONNX's order, and of the state.

    The value is the word in program text; `gates` are those of a hidden element, `operations` those of the
    vector unit for one (an RNN has none: its function is in the epilogue of the product), `products` the
    matrix products one behind the other of a step.
    """

    _value_: str
    gates: int
    operations: int
    products: int

    def __new__(cls, word: str, gates: int, operations: int, products: int = 1) -> RecurrentCell:
        """A member whose value is its word in program text."""
        member = object.__new__(cls)
        member._value_ = word
        member.gates, member.operations, member.products = gates, operations, products
        return member

    LSTM = "lstm", 4, 9
    GRU = "gru", 3, 9, 2
    GRU_LINEAR = "gru_linear", 3, 8
    RNN_TANH = "rnn_tanh", 1, 0
    RNN_RELU = "rnn_relu", 1, 0

    @property
    def has_cell_state(self) -> bool:
        """Whether there is a state beside the hidden one."""
        return self is RecurrentCell.LSTM

    @property
    def is_gru(self) -> bool:
        """Whether it has an update and a reset gate."""
        return self.gates == 3


class Arithmetic(Enum):
    """In what ``softmax`` and ``normalise`` compute on quantised integers; the name is that of the rate."""

    F32 = "f32"
    F16 = "f16"
    I8 = "i8"


class ResizeMode(Enum):
    """Interpolation of ``resize`` (ONNX Resize)."""

    NEAREST = "nearest"
    LINEAR = "linear"


class Coordinates(Enum):
    """How ``resize`` maps an output coordinate to an input coordinate (ONNX Resize)."""

    HALF_PIXEL = "half_pixel"
    PYTORCH_HALF_PIXEL = "pytorch_half_pixel"
    ALIGN_CORNERS = "align_corners"
    ASYMMETRIC = "asymmetric"
    HALF_PIXEL_SYMMETRIC = "half_pixel_symmetric"


class Nearest(Enum):
    """Rounding of ``resize`` in nearest mode (ONNX Resize)."""

    ROUND_PREFER_FLOOR = "round_prefer_floor"
    ROUND_PREFER_CEIL = "round_prefer_ceil"
    FLOOR = "floor"
    CEIL = "ceil"


class PadMode(Enum):
    """What ``pad`` writes outside its source (ONNX Pad)."""

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    WRAP = "wrap"

"""Enumerations used as immediate fields: functions of element-wise, pool, reduce, resize and pad."""

from __future__ import annotations

from enum import Enum


class Function(Enum):
    """Element-wise functions, with the number of inputs and the meaning of ``params``.

    A binary function with a single source takes its right operand from ``params[0]`` (its left one where
    the instruction's ``swap`` is set).  Unary ones also serve as fused activations.
    """

    IDENTITY = "identity"
    CAST = "cast"
    NEG = "neg"
    ABS = "abs"
    SQRT = "sqrt"
    RECIPROCAL = "reciprocal"
    EXP = "exp"
    LOG = "log"
    ERF = "erf"
    FLOOR = "floor"
    CEIL = "ceil"
    ROUND = "round"
    SIGN = "sign"
    NOT = "not"
    SIN = "sin"
    COS = "cos"
    RELU = "relu"
    LEAKY_RELU = "leaky_relu"
    ELU = "elu"
    SELU = "selu"
    CELU = "celu"
    SIGMOID = "sigmoid"
    HARD_SIGMOID = "hard_sigmoid"
    HARD_SWISH = "hard_swish"
    SWISH = "swish"
    TANH = "tanh"
    SOFTPLUS = "softplus"
    SOFTSIGN = "softsign"
    MISH = "mish"
    GELU = "gelu"
    GELU_TANH = "gelu_tanh"
    THRESHOLDED_RELU = "thresholded_relu"
    CLIP = "clip"
    ADD = "add"
    SUB = "sub"
    MUL = "mul"
    DIV = "div"
    POW = "pow"
    MOD = "mod"
    FMOD = "fmod"
    PRELU = "prelu"
    MAX = "max"
    MIN = "min"
    MEAN = "mean"
    AND = "and"
    OR = "or"
    XOR = "xor"
    EQUAL = "equal"
    LESS = "less"
    LESS_EQUAL = "less_equal"
    GREATER = "greater"
    GREATER_EQUAL = "greater_equal"
    WHERE = "where"
    SCALE_SHIFT = "scale_shift"
    QUANTIZE = "quantize"
    DEQUANTIZE = "dequantize"


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

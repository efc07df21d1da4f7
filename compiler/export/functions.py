"""Element-wise functions in ONNX: one operator each where there is one."""

from __future__ import annotations

from functools import reduce
from math import isinf

from nnc.compiler.export import quantised
from nnc.compiler.export.nodes import NodeWriter, Operands, element_code, emits, integer_range
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.required import required
from nnc.isa.functions import Function, is_unary
from nnc.isa.types import DType

Params = tuple[float, ...]

_COMPOSED = frozenset({Function.SWISH, Function.CLIP, Function.GELU, Function.GELU_TANH})


def unary(w: NodeWriter, function: Function, params: Params, x: str, dtype: DType, suffix: str = "") -> str:
    """A function of one variable, of type `dtype`, that keeps the type.

    Raises:
        ExportError: the function is none of one variable.
    """
    if function not in _COMPOSED and is_unary(function) and function.record.operator is not None:
        named = zip(function.record.params, params, strict=False)
        attributes = {name: type(default)(value) for (name, default), value in named}
        return w.op(function.record.operator, [x], suffix, **attributes)
    match function:
        case Function.GELU | Function.GELU_TANH:
            approximate = "tanh" if function is Function.GELU_TANH else "none"
            return w.op("Gelu", [x], suffix, approximate=approximate)
        case Function.SWISH:
            return _swish(w, params[0] if params else 1.0, x, dtype, suffix)
        case Function.CLIP:
            return w.op("Clip", [x, *(_bound(w, bound, dtype) for bound in params)], suffix)
    raise w.impossible(f"the function {function.value} has no counterpart in ONNX")


def _swish(w: NodeWriter, alpha: float, x: str, dtype: DType, suffix: str) -> str:
    scaled = x if alpha == 1.0 else w.op("Mul", [x, w.constant(alpha, dtype)], f"{suffix}/scaled")
    return w.op("Mul", [x, w.op("Sigmoid", [scaled], f"{suffix}/sigmoid")], suffix)


def _bound(w: NodeWriter, bound: float, dtype: DType) -> str | None:
    if isinf(bound):
        return None
    if dtype.is_float:
        return w.constant(bound, dtype)
    low, high = integer_range(dtype)
    return w.constant(int(min(max(bound, low), high)), dtype)


@emits(ir.Elementwise)
def elementwise(w: NodeWriter, layer: ir.Elementwise, operands: Operands) -> str:
    """Any function of the table; one of quantised integers is one of real numbers between conversions."""
    x = [required(operand) for operand in operands]
    function, dtype = layer.function, w.type(x[0]).dtype
    if function in (Function.QUANTIZE, Function.DEQUANTIZE):
        return quantised.conversion(w, layer, operands)
    if layer.src_scales:
        codes = zip(x, layer.src_scales, layer.src_zeros, strict=True)
        x = [quantised.real(w, t, w.type(t).dtype, s, z, f"/real{n}") for n, (t, s, z) in enumerate(codes)]
        y = _function(w, layer, x, DType.F32)
        return quantised.rounded(w, y, w.out.dtype, layer.dst_scale, layer.dst_zero)
    return _function(w, layer, x, dtype)


def _function(w: NodeWriter, layer: ir.Elementwise, x: list[str], dtype: DType) -> str:
    function = layer.function
    if function is Function.CAST:
        return w.op("Cast", x, to=element_code(w.out.dtype))
    if is_unary(function):
        return unary(w, function, layer.params, x[0], dtype)
    if len(x) == 1 and layer.params:
        scalar = w.constant(layer.params[0], dtype)
        x = [scalar, *x] if layer.swap else [*x, scalar]
    return _of_several(w, layer, x, dtype)


def _of_several(w: NodeWriter, layer: ir.Elementwise, x: list[str], dtype: DType) -> str:
    function = layer.function
    operator, (least, most) = function.record.operator, function.record.sources
    if operator is not None:
        if (least, most) == (2, None):
            return reduce(lambda left, right: w.op(operator, [left, right]), x)
        return w.op(operator, x)
    match function:
        case Function.FMOD:
            return w.op("Mod", x, fmod=1)
        case Function.SHIFT_LEFT | Function.SHIFT_RIGHT:
            return w.op("BitShift", x, direction="LEFT" if function is Function.SHIFT_LEFT else "RIGHT")
        case Function.MOD:
            return _modulo(w, x, dtype)
        case Function.SCALE_SHIFT:
            return _scale_shift(w, layer.params, x, dtype)
        case Function.GATED_TANH:
            return _gated_tanh(w, x)
        case Function.LSTM_STATE:
            kept = w.op("Mul", [w.op("Sigmoid", x[1:2], "/forget"), x[0]], "/kept")
            return w.op("Add", [kept, _gated_tanh(w, x[2:], "/taken")])
        case Function.GRU_STATE:
            return _gru_state(w, x)
    raise w.impossible(f"the function {function.value} has no counterpart in ONNX")


def _scale_shift(w: NodeWriter, bounds: Params, x: list[str], dtype: DType) -> str:
    scaled = w.op("Mul", x[:2], "/scale")
    if not bounds:
        return w.op("Add", [scaled, x[2]])
    return unary(w, Function.CLIP, bounds, w.op("Add", [scaled, x[2]], "/shift"), dtype)


def _gated_tanh(w: NodeWriter, x: list[str], suffix: str = "") -> str:
    return w.op("Mul", [w.op("Sigmoid", x[:1], "/gate"), w.op("Tanh", x[1:], "/tanh")], suffix)


def _gru_state(w: NodeWriter, x: list[str]) -> str:
    state, update, reset, product, inputs = x
    hidden = w.op("Mul", [w.op("Sigmoid", [reset], "/reset"), product], "/hidden")
    new = w.op("Tanh", [w.op("Add", [inputs, hidden], "/sum")], "/new")
    change = w.op(
        "Mul", [w.op("Sigmoid", [update], "/update"), w.op("Sub", [state, new], "/difference")], "/change"
    )
    return w.op("Add", [new, change])


def _modulo(w: NodeWriter, x: list[str], dtype: DType) -> str:
    """The remainder with the sign of the divisor; ONNX has it for integers only."""
    if not dtype.is_float:
        return w.op("Mod", x)
    quotient = w.op("Floor", [w.op("Div", x, "/quotient")], "/floor")
    return w.op("Sub", [x[0], w.op("Mul", [quotient, x[1]], "/multiple")])

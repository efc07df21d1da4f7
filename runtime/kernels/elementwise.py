"""Element-wise functions of one to many sources."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from nnc.isa.functions import Function, Result
from nnc.isa.instructions import Elementwise
from nnc.runtime.errors import ExecutionError
from nnc.runtime.kernels.binding import Binder, Kernel, kernel, sequence
from nnc.runtime.kernels.rounding import dequantise_into, quantise_into
from nnc.runtime.kernels.unary import UNARY, Params, bind_unary, check_formulas, sigmoid
from nnc.runtime.memory import Array

Formula = Callable[[Sequence[Array], Array, Array], None]
"""formula(sources, out, work): sources broadcast to out; work is scratch shaped as out."""


def truncating_divide(a: Array, b: Array, out: Array) -> None:
    """Integer division that rounds toward zero, as ONNX Div."""
    quotient = np.floor_divide(a, b)
    if out.dtype.kind == "i":
        remainder = a - quotient * b
        quotient += ((remainder != 0) & ((a < 0) != (b < 0))).astype(out.dtype)
    out[...] = quotient


def _divide(srcs: Sequence[Array], out: Array, work: Array) -> None:
    if out.dtype.kind == "f":
        np.divide(srcs[0], srcs[1], out=out)
    else:
        truncating_divide(srcs[0], srcs[1], out)


def _power(srcs: Sequence[Array], out: Array, work: Array) -> None:
    """Integers as onnxruntime has them: squares and cubes modulo 2^n, other powers by way of double."""
    base, exponent = srcs
    if base.dtype.kind == "f":
        np.power(base, exponent.astype(base.dtype), out=out)
    elif exponent.size == 1 and exponent.item() in (2, 3):
        np.multiply(base, base, out=work)
        np.multiply(work, base if exponent.item() == 3 else 1, out=out)
    else:
        out[...] = np.power(base.astype(np.float64), exponent.astype(np.float64)).astype(out.dtype)


def _prelu(srcs: Sequence[Array], out: Array, work: Array) -> None:
    x, slope = srcs
    np.multiply(x, slope, out=work)
    np.copyto(work, x, where=x >= 0)  # not a sum of both parts: 0 times an infinite slope is NaN
    np.copyto(out, work)


def _mean(srcs: Sequence[Array], out: Array, work: Array) -> None:
    np.copyto(work, srcs[0])
    for src in srcs[1:]:
        np.add(work, src, out=work)
    np.divide(work, len(srcs), out=out, casting="unsafe")


def _where(srcs: Sequence[Array], out: Array, work: Array) -> None:
    condition, yes, no = srcs
    np.copyto(work, no)
    np.copyto(work, yes, where=condition.astype(np.bool_, copy=False))
    np.copyto(out, work)


def _scale_shift(srcs: Sequence[Array], out: Array, work: Array) -> None:
    x, scale, shift = srcs
    np.multiply(x, scale, out=work)
    np.add(work, shift, out=out)


def _gated_tanh(srcs: Sequence[Array], out: Array, work: Array) -> None:
    gate, x = srcs
    np.multiply(sigmoid(gate), np.tanh(x), out=out)


def _lstm_state(srcs: Sequence[Array], out: Array, work: Array) -> None:
    state, kept, taken, new = srcs
    np.multiply(sigmoid(kept), state, out=work)
    np.add(work, sigmoid(taken) * np.tanh(new), out=out)


def _gru_state(srcs: Sequence[Array], out: Array, work: Array) -> None:
    state, update, reset, product, inputs = srcs
    new = np.tanh(inputs + sigmoid(reset) * product)
    np.multiply(sigmoid(update), state - new, out=work)
    np.add(work, new, out=out)


_FORMULAS: dict[Function, Formula] = {
    Function.DIV: _divide,
    Function.POW: _power,
    Function.PRELU: _prelu,
    Function.MEAN: _mean,
    Function.WHERE: _where,
    Function.SCALE_SHIFT: _scale_shift,
    Function.GATED_TANH: _gated_tanh,
    Function.LSTM_STATE: _lstm_state,
    Function.GRU_STATE: _gru_state,
}
_NUMBERS = frozenset({Function.ADD, Function.SUB, Function.MAX, Function.MIN, Function.IDENTITY})
"""Functions of quantised sources that are never NaN."""
_DIVISIONS = frozenset({Function.DIV, Function.MOD, Function.FMOD})
_CONVERSIONS = frozenset({Function.QUANTIZE, Function.DEQUANTIZE})
check_formulas(set(Function) - UNARY, _FORMULAS.keys() | _CONVERSIONS)


def _fold(ufunc: np.ufunc, srcs: Sequence[Array], out: Array, work: Array) -> Kernel:
    """ufunc over two or more sources; more than two go through work, since out may lie on a source."""
    if len(srcs) == 2:
        return partial(ufunc, srcs[0], srcs[1], out=out)
    steps: list[Kernel] = [partial(ufunc, srcs[0], srcs[1], out=work)]
    steps += [partial(ufunc, work, src, out=work) for src in srcs[2:-1]]
    steps.append(partial(ufunc, work, srcs[-1], out=out))
    return sequence(steps)


def _bind_function(
    i: Elementwise, function: Function, params: Params, srcs: Sequence[Array], out: Array, binder: Binder
) -> Kernel:
    """Bind a function whose sources have their computing type and broadcast to out."""
    if function in UNARY and len(srcs) == 1:
        return bind_unary(function, params, np.broadcast_to(srcs[0], out.shape), out, binder)
    work = binder.scratch(out.shape, out.dtype)
    if function is Function.SCALE_SHIFT and params:
        low, high = map(work.dtype.type, params)
        return sequence([partial(_scale_shift, srcs, work, work), partial(work.clip, low, high, out=out)])
    if function.record.ufunc is not None:
        compute: Kernel = _fold(function.record.ufunc, srcs, out, work)
    else:
        compute = partial(_FORMULAS[function], srcs, out, work)
    if function in _DIVISIONS and out.dtype.kind in "iu":
        return sequence([partial(_check_divisor, srcs[1]), compute])
    return compute


def _check_divisor(divisor: Array) -> None:
    if not divisor.all():
        raise ExecutionError(
            "an integer is divided by zero",
            found="a divisor of 0",
            expected="other numbers",
            remedy="check the values of the network's inputs",
        )


def bind_quantize(x: Array, scale: Array, zero: Array | None, dst: Array, binder: Binder) -> Kernel:
    """dst = saturate(round_half_even(x / scale) + zero), computed in f32 (ONNX QuantizeLinear)."""
    info = np.iinfo(dst.dtype)
    work = binder.scratch(dst.shape, np.float32)

    def run() -> None:
        np.divide(x, scale, out=work, casting="unsafe", dtype=np.float32)
        np.rint(work, out=work)
        if zero is not None:
            np.add(work, zero, out=work, casting="same_kind")
        np.fmax(work, info.min, out=work)  # NaN is saturated to the least
        np.minimum(work, info.max, out=work)
        np.copyto(dst, work, casting="unsafe")

    return run


def bind_dequantize(x: Array, scale: Array, zero: Array | None, dst: Array, binder: Binder) -> Kernel:
    """dst = (x − zero)·scale (ONNX DequantizeLinear): the difference is exact, then all is f32."""
    work = binder.scratch(dst.shape, np.float32)
    exact = work if x.dtype.itemsize < 4 else binder.scratch(dst.shape, np.float64)

    def run() -> None:
        np.copyto(exact, x)
        if zero is not None:
            np.subtract(exact, zero, out=exact, casting="same_kind")
        np.multiply(exact, scale, out=work, casting="unsafe", dtype=np.float32)
        np.copyto(dst, work, casting="same_kind")

    return run


def _with_parameter(i: Elementwise, srcs: list[Array]) -> list[Array]:
    """Sources of a binary function whose one operand is params[0]."""
    scalar = np.asarray(i.params[0]).astype(srcs[0].dtype)
    return [scalar, *srcs] if i.swap else [*srcs, scalar]


def _bind_quantised(i: Elementwise, srcs: list[Array], dst: Array, binder: Binder) -> Kernel:
    """A function of quantised sources in f32, rounded for an integer result."""
    steps: list[Kernel] = []
    reals = []
    for src, scale, zero in zip(srcs, i.src_scales, i.src_zeros, strict=True):
        real = binder.scratch(src.shape, np.float32)
        steps += dequantise_into(real, src, scale, zero)
        reals.append(real)
    if i.function not in UNARY and i.function is not Function.MEAN and len(reals) == 1:
        reals = _with_parameter(i, reals)
    computed = np.bool_ if i.function.record.result is Result.BOOL else np.float32
    out = binder.scratch(dst.shape, computed)
    steps.append(_bind_function(i, i.function, i.params, reals, out, binder))
    if dst.dtype.kind in "iu":
        nan = i.function not in _NUMBERS or any(src.dtype.kind == "f" for src in srcs)
        return sequence(steps + quantise_into(dst, out, i.dst_scale, i.dst_zero, nan=nan))
    return sequence([*steps, partial(np.copyto, dst, out)])


def _bind_table(i: Elementwise, src: Array, dst: Array, binder: Binder) -> Kernel:
    """A function of one byte: all of its values are computed once, and looked up in every run."""
    codes = np.arange(256, dtype=np.uint8).view(src.dtype)
    values = np.empty(256, dst.dtype)
    with np.errstate(all="ignore"):
        _bind_quantised(i, [codes], values, binder)()
    table = values.tobytes()
    source = np.broadcast_to(src, dst.shape)

    def run() -> None:
        np.copyto(dst, np.frombuffer(source.tobytes().translate(table), dst.dtype).reshape(dst.shape))

    return run


@kernel(Elementwise)
def bind_elementwise(i: Elementwise, binder: Binder) -> Kernel:
    """Any function of the table; f16 is computed in f32 and rounded once."""
    srcs = [binder.view(op) for op in i.srcs]
    dst = binder.view(i.dst)
    if i.src_scales:
        is_table = len(srcs) == 1 and srcs[0].itemsize == dst.itemsize == 1
        return _bind_table(i, srcs[0], dst, binder) if is_table else _bind_quantised(i, srcs, dst, binder)
    if i.function in _CONVERSIONS:
        rule = bind_quantize if i.function is Function.QUANTIZE else bind_dequantize
        return rule(srcs[0], srcs[1], srcs[2] if len(srcs) > 2 else None, dst, binder)
    if i.function not in UNARY and i.function is not Function.MEAN and len(srcs) == 1:
        srcs = _with_parameter(i, srcs)
    if i.function in (Function.IDENTITY, Function.CAST, Function.BITCAST):
        return _bind_function(i, i.function, i.params, srcs, dst, binder)
    steps: list[Kernel] = []
    for position, src in enumerate(srcs):
        if src.dtype == np.float16:
            srcs[position] = binder.scratch(src.shape, np.float32)
            steps.append(partial(np.copyto, srcs[position], src))
    result = i.function.record.result
    computed = np.dtype(np.bool_) if result is Result.BOOL else srcs[result is Result.SECOND].dtype
    out = dst if dst.dtype == computed else binder.scratch(dst.shape, computed)
    steps.append(_bind_function(i, i.function, i.params, srcs, out, binder))
    if out is not dst:
        steps.append(partial(np.copyto, dst, out, casting="unsafe"))
    return sequence(steps)

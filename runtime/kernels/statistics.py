"""Functions of whole axes: reduce, softmax, normalisations.  f16 is computed in f32 and rounded once."""

from __future__ import annotations

from functools import partial

import numpy as np

from nnc.isa.functions import Arithmetic, NormaliseFunction, ReduceFunction
from nnc.isa.instruction import Phase
from nnc.isa.instructions import ArgMax, CumSum, LocalResponseNorm, Normalise, Reduce, Softmax
from nnc.isa.types import DType as ElementType
from nnc.runtime.kernels.binding import Binder, Kernel, kernel, sequence
from nnc.runtime.kernels.elementwise import truncating_divide
from nnc.runtime.kernels.mac import DType
from nnc.runtime.kernels.rounding import dequantise_into, quantise_into, rescale_into
from nnc.runtime.memory import Array

_FOLDS: dict[ReduceFunction, np.ufunc] = {
    ReduceFunction.MAX: np.maximum,
    ReduceFunction.MIN: np.minimum,
    ReduceFunction.PROD: np.multiply,
}
"""What combines two partial results; the other functions are sums."""
_SQUARES = frozenset({ReduceFunction.SUM_SQUARE, ReduceFunction.L2})


def _wide(dtype: DType) -> DType:
    """The type in which the vector unit computes on elements of a type."""
    return np.dtype(np.float32) if dtype == np.float16 else dtype


def _widened(array: Array, binder: Binder) -> tuple[Array, list[Kernel]]:
    kind = _wide(array.dtype)
    if kind == array.dtype:
        return array, []
    copy = binder.scratch(array.shape, kind)
    return copy, [partial(np.copyto, copy, array)]


@kernel(Reduce)
def bind_reduce(i: Reduce, binder: Binder) -> Kernel:
    """Fold axes, possibly in chunks; sums of integers are exact in 64 bits and saturate to the type of dst.

    A mean of integers rounds toward zero.
    """
    src, steps = _widened(binder.view(i.src), binder)
    dst, accumulator = binder.optional(i.dst), binder.optional(i.accumulator)
    result = accumulator if i.phase in (Phase.START, Phase.ADD) else dst
    axes = tuple(axis % src.ndim for axis in i.axes)
    shape = tuple(1 if axis in axes else extent for axis, extent in enumerate(src.shape))
    assert result is not None
    if i.function is ReduceFunction.LOG_SUM_EXP:
        return sequence([*steps, partial(_log_sum_exp, src, axes, result)])
    fold = _FOLDS.get(i.function, np.add)
    partial_result = binder.scratch(shape, _sum_type(i.function, src.dtype))
    steps.append(_bind_fold(i, fold, src, axes, partial_result, binder))
    if i.src_zero:
        zeros = i.src_zero * (src.size // partial_result.size)
        steps.append(partial(np.subtract, partial_result, zeros, partial_result))
    if i.phase is Phase.START:
        steps.append(partial(np.copyto, result, partial_result))
    elif i.phase is Phase.ADD:
        steps.append(partial(fold, result, partial_result, out=result))
    else:
        if accumulator is not None and i.phase is Phase.FINISH:
            steps.append(partial(fold, partial_result, accumulator, out=partial_result, casting="unsafe"))
        if i.src_scale:
            count = i.count if i.function is ReduceFunction.MEAN else 1
            scale = i.src_scale / ((i.dst_scale or 1.0) * count)
            return sequence(steps + rescale_into(result, partial_result, scale, i.dst_zero, binder))
        steps.append(partial(_conclude, i.function, i.count, partial_result, result))
    return sequence(steps)


def _sum_type(function: ReduceFunction, dtype: DType) -> DType:
    if function in (ReduceFunction.MAX, ReduceFunction.MIN) or dtype.kind == "f":
        return dtype
    return ElementType.from_numpy(dtype).partial_fold.numpy


def _bind_fold(
    i: Reduce, fold: np.ufunc, src: Array, axes: tuple[int, ...], out: Array, binder: Binder
) -> Kernel:
    """out = fold of the elements of src, their squares or their magnitudes."""
    kind = out.dtype
    if i.function in _SQUARES or i.function is ReduceFunction.L1:
        work = binder.scratch(src.shape, kind)
        prepare = (
            partial(np.multiply, src, src, work, dtype=kind, casting="unsafe")
            if i.function in _SQUARES
            else partial(np.absolute, src, work, dtype=kind, casting="unsafe")
        )
        return sequence([prepare, partial(fold.reduce, work, axis=axes, out=out, keepdims=True)])
    return partial(fold.reduce, src, axis=axes, dtype=kind, out=out, keepdims=True)


def _conclude(function: ReduceFunction, count: int, folded: Array, dst: Array) -> None:
    """What happens after the last chunk."""
    if function is ReduceFunction.MEAN:
        if folded.dtype.kind == "f":
            np.divide(folded, count, out=folded)
        else:
            truncating_divide(folded, np.asarray(count, folded.dtype), folded)
    elif function is ReduceFunction.L2:
        folded = np.sqrt(folded)
    elif function is ReduceFunction.LOG_SUM:
        folded = np.log(folded)
    if dst.dtype.kind in "iu" and dst.dtype.itemsize < folded.dtype.itemsize:
        folded = folded.clip(*_range(dst.dtype))
    np.copyto(dst, folded, casting="unsafe")


def _range(dtype: DType) -> tuple[int, int]:
    info = np.iinfo(dtype)
    return int(info.min), int(info.max)


def _log_sum_exp(src: Array, axes: tuple[int, ...], dst: Array) -> None:
    largest = src.max(axis=axes, keepdims=True)
    largest = np.where(np.isfinite(largest), largest, 0)
    total = np.exp(src - largest).sum(axis=axes, keepdims=True)
    np.copyto(dst, np.log(total) + largest, casting="unsafe")


@kernel(Softmax)
def bind_softmax(i: Softmax, binder: Binder) -> Kernel:
    """Softmax or its logarithm over one axis, shifted by the maximum so that nothing overflows."""
    src, dst = binder.view(i.src), binder.view(i.dst)
    if i.arithmetic is Arithmetic.I8:
        return sequence(_softmax_by_table(i, src, dst, binder))
    x, steps = _real(i, src, binder) if i.src_scale else (src, [])
    kind = _wide(x.dtype)
    axis = i.axis % src.ndim
    line = (*src.shape[:axis], 1, *src.shape[axis + 1 :])
    peak, total = binder.scratch(line, x.dtype), binder.scratch(line, kind)
    y = dst if dst.dtype == kind else binder.scratch(dst.shape, kind)
    power = binder.scratch(dst.shape, kind) if i.log else y
    steps += [
        partial(np.maximum.reduce, x, axis=axis, out=peak, keepdims=True),
        partial(np.subtract, x, peak, y, dtype=kind),
        partial(np.exp, y, power),
        partial(np.add.reduce, power, axis=axis, out=total, keepdims=True),
    ]
    if i.log:
        steps += [partial(np.log, total, total), partial(np.subtract, y, total, y)]
    else:
        steps.append(partial(np.divide, y, total, y))
    if i.src_scale:
        steps += _codes(i, y, dst, binder)
    elif y is not dst:
        steps.append(partial(np.copyto, dst, y))
    return sequence(steps)


def _real(i: Softmax | Normalise, src: Array, binder: Binder) -> tuple[Array, list[Kernel]]:
    """The f32 numbers that codes stand for."""
    real = binder.scratch(src.shape, np.float32)
    return real, dequantise_into(real, src, i.src_scale, i.src_zero)


def _codes(i: Softmax | Normalise, y: Array, dst: Array, binder: Binder) -> list[Kernel]:
    """dst = y as codes; y is lost."""
    steps: list[Kernel] = []
    if i.arithmetic is Arithmetic.F16:
        half = binder.scratch(y.shape, np.float16)
        steps = [partial(np.copyto, half, y, casting="same_kind"), partial(np.copyto, y, half)]
    return steps + quantise_into(dst, y, i.dst_scale, i.dst_zero, nan=True)


def _softmax_by_table(i: Softmax, src: Array, dst: Array, binder: Binder) -> list[Kernel]:
    """Exponentials of differences of codes by table, sums in i32."""
    axis = i.axis % src.ndim
    line = (*src.shape[:axis], 1, *src.shape[axis + 1 :])
    bits = 30 - (src.shape[axis] - 1).bit_length()
    table = np.rint(2.0**bits * np.exp(-np.float64(i.src_scale) * np.arange(256))).astype(np.int32)
    peak, below = binder.scratch(line, src.dtype), binder.scratch(src.shape, np.int16)
    powers, total = binder.scratch(src.shape, np.int32), binder.scratch(line, np.int32)
    share, y = binder.scratch(line, np.float32), binder.scratch(src.shape, np.float32)
    return [
        partial(np.maximum.reduce, src, axis=axis, out=peak, keepdims=True),
        partial(np.subtract, peak, src, below, dtype=np.int16),
        partial(table.take, below, out=powers, mode="clip"),
        partial(np.add.reduce, powers, axis=axis, dtype=np.int32, out=total, keepdims=True),
        partial(np.multiply, total, np.float32(i.dst_scale), share, dtype=np.float32, casting="unsafe"),
        partial(np.divide, np.float32(1), share, share),
        partial(np.copyto, y, powers, casting="same_kind"),
        partial(np.multiply, y, share, y),
        *quantise_into(dst, y, 1.0, i.dst_zero),
    ]


@kernel(Normalise)
def bind_normalise(i: Normalise, binder: Binder) -> Kernel:
    """Layer, instance, group or RMS normalisation: two passes, so that no digits cancel."""
    codes = binder.view(i.src)
    src, steps = _real(i, codes, binder) if i.src_scale else _widened(codes, binder)
    dst, scale, bias = binder.view(i.dst), binder.optional(i.scale), binder.optional(i.bias)
    kind = src.dtype
    axes = tuple(axis % src.ndim for axis in i.axes)
    shape = tuple(1 if axis in axes else extent for axis, extent in enumerate(src.shape))
    count = src.size // int(np.prod(shape))
    y = dst if dst.dtype == kind else binder.scratch(dst.shape, kind)
    if i.arithmetic is Arithmetic.I8:
        steps = [partial(_normalised_codes, i, codes, axes, count, y)]
    else:
        mean, variance = binder.scratch(shape, kind), binder.scratch(shape, kind)
        square = binder.scratch(src.shape, kind)
        if i.function is NormaliseFunction.MEAN_VARIANCE:
            steps += [
                partial(np.add.reduce, src, axis=axes, out=mean, keepdims=True),
                partial(np.divide, mean, count, mean),
                partial(np.subtract, src, mean, y),
            ]
        else:
            steps.append(partial(np.copyto, y, src))
        steps += [
            partial(np.multiply, y, y, square),
            partial(np.add.reduce, square, axis=axes, out=variance, keepdims=True),
            partial(np.divide, variance, count, variance),
            partial(np.add, variance, kind.type(i.epsilon), variance),
            partial(np.sqrt, variance, variance),
            partial(np.divide, y, variance, y),
        ]
    if scale is not None:
        steps.append(partial(np.multiply, y, scale, y))
    if bias is not None:
        steps.append(partial(np.add, y, bias, y))
    if i.src_scale:
        steps += _codes(i, y, dst, binder)
    elif y is not dst:
        steps.append(partial(np.copyto, dst, y))
    return sequence(steps)


def _normalised_codes(i: Normalise, codes: Array, axes: tuple[int, ...], count: int, y: Array) -> None:
    """y = (q − mean)·r with r = 1 / sqrt(variance + epsilon) in steps of src, from exact sums."""
    q = codes.astype(np.int64) - i.src_zero
    mean = q.sum(axis=axes, keepdims=True) / count
    if i.function is not NormaliseFunction.MEAN_VARIANCE:
        mean[...] = 0
    variance = (q * q).sum(axis=axes, keepdims=True) / count - mean * mean
    root = np.sqrt(np.maximum(variance, 0) + i.epsilon / i.src_scale**2)
    np.subtract(q, mean.astype(np.float32), out=y, casting="unsafe", dtype=np.float32)
    np.multiply(y, (1 / root).astype(np.float32), out=y)


@kernel(LocalResponseNorm)
def bind_local_response_norm(i: LocalResponseNorm, binder: Binder) -> Kernel:
    """x / (k + alpha/size·Σ x²)^beta over neighbouring channels (ONNX LRN)."""
    src, steps = _widened(binder.view(i.src), binder)
    dst = binder.view(i.dst)
    square, total = binder.scratch(src.shape, src.dtype), binder.scratch(src.shape, src.dtype)
    channels = src.shape[-1]
    steps += [partial(np.multiply, src, src, square), partial(np.copyto, total, square)]
    for offset in range(max(1 - channels, -((i.size - 1) // 2)), min(channels, i.size // 2 + 1)):
        if offset:
            to = slice(max(0, -offset), channels - max(0, offset))
            source = slice(max(0, offset), channels - max(0, -offset))
            steps.append(partial(np.add, total[..., to], square[..., source], total[..., to]))
    kind = src.dtype.type
    steps += [
        partial(np.multiply, total, kind(i.alpha / i.size), total),
        partial(np.add, total, kind(i.k), total),
        partial(np.power, total, kind(-i.beta), total),
        partial(np.multiply, src, total, total),
        partial(np.copyto, dst, total, casting="same_kind"),
    ]
    return sequence(steps)


@kernel(CumSum)
def bind_cumsum(i: CumSum, binder: Binder) -> Kernel:
    """Running sums; those of integers wrap to the type of dst."""
    src, steps = _widened(binder.view(i.src), binder)
    dst, sums = binder.view(i.dst), binder.scratch(src.shape, src.dtype)
    axis = i.axis % src.ndim
    x, y, result = (np.flip(a, axis) if i.reverse else a for a in (src, sums, dst))
    steps.append(partial(np.add.accumulate, x, axis=axis, out=y))
    if not i.exclusive:
        return sequence([*steps, partial(np.copyto, result, y, casting="same_kind")])
    before = (slice(None),) * axis
    zero, later, earlier = result[(*before, slice(0, 1))], (*before, slice(1, None)), (*before, slice(-1))
    steps.append(partial(np.copyto, zero, 0))
    return sequence([*steps, partial(np.copyto, result[later], y[earlier], casting="same_kind")])


def _bind_selection(i: ArgMax, src: Array, dst: Array, axis: int) -> Kernel:
    """Positions in the order of their elements: of a stable sort, or of one from the other end backwards."""
    first = (slice(None),) * axis + (slice(i.count),)

    def run() -> None:
        if i.least:
            order = np.argsort(src, axis=axis, kind="stable")
        else:
            order = np.flip(
                src.shape[axis] - 1 - np.argsort(np.flip(src, axis), axis=axis, kind="stable"), axis
            )
        np.copyto(dst, order[first], casting="unsafe")

    return run


@kernel(ArgMax)
def bind_argmax(i: ArgMax, binder: Binder) -> Kernel:
    """Positions of extreme elements; the last of equal ones is the first from the other end."""
    src, dst = binder.view(i.src), binder.view(i.dst)
    axis = i.axis % src.ndim
    if i.count > 1:
        return _bind_selection(i, src, dst, axis)
    x = np.flip(src, axis) if i.last else src
    find = np.argmin if i.least else np.argmax

    def run() -> None:
        position = find(x, axis=axis, keepdims=True)
        np.copyto(dst, src.shape[axis] - 1 - position if i.last else position, casting="unsafe")

    return run

"""Reductions and normalisations in ONNX."""

from __future__ import annotations

from nnc.compiler.export import quantised
from nnc.compiler.export.nodes import NodeWriter, Operands, emits
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.required import required
from nnc.isa.functions import NormaliseFunction, ReduceFunction
from nnc.isa.instruction import Phase

_WHOLE: dict[ReduceFunction, str] = {
    ReduceFunction.SUM: "ReduceSum",
    ReduceFunction.MEAN: "ReduceMean",
    ReduceFunction.MAX: "ReduceMax",
    ReduceFunction.MIN: "ReduceMin",
    ReduceFunction.PROD: "ReduceProd",
    ReduceFunction.SUM_SQUARE: "ReduceSumSquare",
    ReduceFunction.L1: "ReduceL1",
    ReduceFunction.L2: "ReduceL2",
    ReduceFunction.LOG_SUM: "ReduceLogSum",
    ReduceFunction.LOG_SUM_EXP: "ReduceLogSumExp",
}
_OF_CHUNKS: dict[ReduceFunction, str] = {
    ReduceFunction.MEAN: "ReduceSum",
    ReduceFunction.L2: "ReduceSumSquare",
    ReduceFunction.LOG_SUM: "ReduceSum",
}
"""What folds a chunk where that differs from what folds the whole."""
_COMBINE: dict[ReduceFunction, str] = {
    ReduceFunction.MAX: "Max",
    ReduceFunction.MIN: "Min",
    ReduceFunction.PROD: "Mul",
}
"""What combines two partial results; the other functions are sums."""


@emits(ir.Reduce)
def reduce(w: NodeWriter, layer: ir.Reduce, operands: Operands) -> str:
    """The reduction of the same name; chunks fold, combine and conclude one after the other."""
    x, accumulator = (*operands, None)[:2]
    if layer.src_scale:
        return quantised.reduction(w, layer, required(x), accumulator)
    axes, own = w.constant(layer.axes), w.type(x).dtype
    if layer.phase is Phase.WHOLE:
        return w.op(_WHOLE[layer.function], [x, axes], keepdims=1)
    sums = w.out.dtype if accumulator is None else w.type(accumulator).dtype
    x = w.cast(required(x), own, sums, "/wide")
    folded = w.op(_OF_CHUNKS.get(layer.function, _WHOLE[layer.function]), [x, axes], keepdims=1)
    if accumulator is not None:
        folded = w.op(_COMBINE.get(layer.function, "Add"), [folded, accumulator], "/accumulate")
    if layer.phase is not Phase.FINISH:
        return folded
    match layer.function:
        case ReduceFunction.MEAN:
            folded = w.op("Div", [folded, w.constant(layer.count, sums)], "/mean")
        case ReduceFunction.L2:
            folded = w.op("Sqrt", [folded], "/root")
        case ReduceFunction.LOG_SUM:
            folded = w.op("Log", [folded], "/log")
    return w.cast(folded, sums, w.out.dtype, "/cast")


@emits(ir.Softmax)
def softmax(w: NodeWriter, layer: ir.Softmax, operands: Operands) -> str:
    """Softmax or LogSoftmax; of codes, between conversions."""
    if layer.src_scale:
        x = quantised.real_source(w, layer, required(operands[0]))
        y = w.op("Softmax", [x], "/shares", axis=layer.axis)
        return quantised.rounded_result(w, layer, y)
    return w.op("LogSoftmax" if layer.log else "Softmax", operands, axis=layer.axis)


@emits(ir.CumSum)
def cumsum(w: NodeWriter, layer: ir.CumSum, operands: Operands) -> str:
    """CumSum."""
    x, exclusive, reverse = [*operands, w.constant(layer.axis)], int(layer.exclusive), int(layer.reverse)
    return w.op("CumSum", x, exclusive=exclusive, reverse=reverse)


@emits(ir.ArgMax)
def argmax(w: NodeWriter, layer: ir.ArgMax, operands: Operands) -> str:
    """ArgMax or ArgMin; of several positions TopK."""
    if layer.count > 1:
        count, largest = w.constant([layer.count]), int(not layer.least)
        w.op("TopK", [operands[0], count], axis=layer.axis, largest=largest)
        places = f"{w.nodes[-1].output[0]}.places"
        w.nodes[-1].output.append(places)
        return places
    last = int(layer.last)
    return w.op("ArgMin" if layer.least else "ArgMax", operands, axis=layer.axis, select_last_index=last)


@emits(ir.LocalResponseNorm)
def local_response_norm(w: NodeWriter, layer: ir.LocalResponseNorm, operands: Operands) -> str:
    """LRN."""
    return w.op("LRN", operands, size=layer.size, alpha=layer.alpha, beta=layer.beta, bias=layer.k)


@emits(ir.Normalise)
def normalise(w: NodeWriter, layer: ir.Normalise, operands: Operands) -> str:
    """LayerNormalization where it says the same, else step by step."""
    x, scale, bias = (*operands, None, None)[:3]
    if layer.src_scale:
        x = quantised.real_source(w, layer, required(x))
        y = _normalised(w, layer, x, scale, bias)
        return quantised.rounded_result(w, layer, y)
    return _normalised(w, layer, required(x), scale, bias)


def _normalised(w: NodeWriter, layer: ir.Normalise, x: str, scale: str | None, bias: str | None) -> str:
    """Real numbers normalised."""
    shape, first = w.type(x).shape, min(layer.axes)
    trailing = sorted(layer.axes) == list(range(first, len(shape)))
    fits = all(w.type(t).shape == shape[first:] for t in (scale, bias) if t is not None)
    centred = layer.function is NormaliseFunction.MEAN_VARIANCE
    if centred and trailing and fits and scale is not None:
        return w.op("LayerNormalization", [x, scale, bias], axis=first, epsilon=layer.epsilon)
    axes = w.constant(layer.axes)
    if centred:
        x = w.op("Sub", [x, w.op("ReduceMean", [x, axes], "/mean", keepdims=1)], "/centre")
    square = w.op("Mul", [x, x], "/square")
    variance = w.op("ReduceMean", [square, axes], "/variance", keepdims=1)
    epsilon = w.constant(layer.epsilon, w.out.dtype)
    deviation = w.op("Sqrt", [w.op("Add", [variance, epsilon], "/epsilon")], "/deviation")
    result = w.op("Div", [x, deviation])
    if scale is not None:
        result = w.op("Mul", [result, scale], "/scale")
    return result if bias is None else w.op("Add", [result, bias], "/bias")

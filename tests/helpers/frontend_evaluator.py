"""Evaluates an imported graph layer by layer, to compare what was imported with what onnxruntime computes.

Windowed layers run as single onnxruntime nodes with explicit geometry, the others in numpy, so that nothing
of the frontend takes part.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
import onnxruntime
import quantised_evaluator
from onnx import helper

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.isa.functions import Function, PoolFunction, ReduceFunction, is_unary

OPSET = 21


def session(model: onnx.ModelProto) -> onnxruntime.InferenceSession:
    """A quiet onnxruntime session on one thread, without optimisations."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(model.SerializeToString(), options)


def run_node(op: str, inputs: list[Any], dtype: Any = None, result: int = 0, **attributes: Any) -> Any:
    """One operator of onnxruntime on arrays (None: absent), and its result of a number.

    The first has `dtype`, or the type of the first array; others are integers.
    """
    names = ["" if x is None else f"x{i}" for i, x in enumerate(inputs)]
    feeds = {n: np.ascontiguousarray(x) for n, x in zip(names, inputs, strict=True) if n}
    infos = [
        helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
        for n, x in feeds.items()
    ]
    outputs = [f"y{number}" for number in range(result + 1)]
    node = helper.make_node(op, names, outputs, **attributes)
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(np.int64 if result else dtype or inputs[0].dtype))
    graph = helper.make_graph([node], "g", infos, [helper.make_tensor_value_info(outputs[-1], kind, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)
    return session(model).run(None, feeds)[0]


def evaluate(graph: Graph, feeds: dict[str, Any]) -> dict[str, Any]:
    """Values of the network's outputs; checks the type of every tensor on the way."""
    values = evaluate_all(graph, feeds)
    return {name: values[name] for name in graph.outputs}


def evaluate_all(
    graph: Graph,
    feeds: dict[str, Any],
    given: Mapping[str, Any] | None = None,
    ties: list[float] | None = None,
) -> dict[str, Any]:
    """Values of all tensors.

    Args:
        given: what layers read in place of what was computed.
        ties: gets, of layers that round what another tool computes in other last bits, how near to the
            middle between two integers it comes, in steps.
    """
    read = given or {}
    values: dict[str, Any] = {**graph.constants, **feeds}
    for layer in graph.layers():
        inputs = [None if t is None else read.get(t, values[t]) for t in graph.inputs_of(layer.name)]
        output = graph.output_of(layer.name)
        type_ = graph.types[output]
        value = np.asarray(_compute(layer, inputs, type_.dtype.numpy))
        if ties is not None:
            ties.append(quantised_evaluator.nearest_tie(layer, inputs, type_.dtype.numpy, _elementwise))
        assert value.shape == type_.shape, f"{layer}: {value.shape} {type_}"
        values[output] = value.astype(type_.dtype.numpy)
    return values


def _compute(layer: ir.Layer, x: list[Any], dtype: Any) -> Any:
    if quantised_evaluator.is_quantised(layer, x):
        return quantised_evaluator.compute(layer, x, dtype, _elementwise)
    if isinstance(layer, ir.MacLayer):
        y = _sums(layer, x[:3])
        y = y if len(x) < 4 or x[3] is None else y + x[3]
        act = ir.Elementwise(name="act", loc=layer.loc, function=layer.act, params=layer.act_params)
        return y if layer.act is Function.IDENTITY else _elementwise(act, [y], y.dtype)
    match layer:
        case ir.Pool():
            return _window(layer, x)
        case ir.Elementwise():
            return _elementwise(layer, x, dtype)
        case ir.Reduce():
            return _reduce(layer, x[0])
        case ir.CumSum():
            flags = {"exclusive": int(layer.exclusive), "reverse": int(layer.reverse)}
            return run_node("CumSum", [x[0], np.array(layer.axis)], **flags)
        case ir.ArgMax(count=count) if count > 1:
            largest = int(not layer.least)
            return run_node("TopK", [x[0], np.array([count])], axis=layer.axis, largest=largest, result=1)
        case ir.ArgMax():
            name, last = "ArgMin" if layer.least else "ArgMax", int(layer.last)
            return run_node(name, x, np.int64, axis=layer.axis, select_last_index=last)
        case ir.Softmax():
            return run_node("LogSoftmax" if layer.log else "Softmax", x, axis=layer.axis)
        case ir.Normalise():
            return _normalise(layer, x)
        case ir.Recurrence():
            return _recurrence(layer, x)
        case ir.LocalResponseNorm():
            return run_node("LRN", x, size=layer.size, alpha=layer.alpha, beta=layer.beta, bias=layer.k)
        case ir.Resize():
            return _resized(layer, x[0])
        case ir.Pad():
            value = np.array(layer.value, x[0].dtype)
            return run_node("Pad", [x[0], np.array(layer.begin + layer.end), value], mode=layer.mode.value)
    return _moved(layer, x)


def _moved(layer: ir.Layer, x: list[Any]) -> Any:
    """What layers give that compute nothing."""
    match layer:
        case ir.Gather():
            return np.take(x[0], x[1], axis=layer.axis)
        case ir.GatherElements():
            return run_node("GatherElements", x, axis=layer.axis)
        case ir.Scatter():
            reduction = "none" if layer.function is Function.IDENTITY else layer.function.value
            index = np.broadcast_to(x[1], x[2].shape)
            return run_node("ScatterElements", [x[0], index, x[2]], axis=layer.axis, reduction=reduction)
        case ir.Fill():
            return np.full(layer.shape, layer.value)
        case ir.Copy():
            return x[0]
        case ir.Reshape():
            return x[0].transpose(layer.order).reshape(layer.shape)
        case ir.Transpose():
            return x[0].transpose(layer.perm)
        case ir.Slice():
            parts = zip(layer.start, layer.step, layer.shape, strict=True)
            return x[0][np.ix_(*[start + step * np.arange(count) for start, step, count in parts])]
        case ir.Expand():
            return np.broadcast_to(x[0], layer.shape)
        case ir.Unfold():
            windows = np.lib.stride_tricks.sliding_window_view(x[0], layer.size, layer.axis)
            taken = windows.take(np.arange(layer.count) * layer.step, layer.axis)
            return np.moveaxis(taken, -1, layer.axis + 1)
        case ir.Concat():
            return np.concatenate(x, axis=layer.axis)
    raise AssertionError(f"no evaluation for {layer}")


def _resized(layer: ir.Resize, x: Any) -> Any:
    sizes = np.array(layer.extent, np.int64)
    pairs = zip(x.shape, layer.scales, strict=True)
    exact = [int(np.floor(np.float32(extent) * np.float32(scale))) for extent, scale in pairs]
    scales = np.array(layer.scales, np.float32) if exact == list(sizes) else None
    return run_node(
        "Resize",
        [x, None, scales] if scales is not None else [x, None, None, sizes],
        mode=layer.mode.value,
        coordinate_transformation_mode=layer.coordinates.value,
        nearest_mode=layer.nearest.value,
    )


def _sums(layer: ir.MacLayer, x: list[Any]) -> Any:
    """Products summed up, and the bias."""
    match layer:
        case ir.Conv():
            return _window(layer, x)
        case ir.ConvTranspose():
            return _transposed(layer, x)
    weight = x[1]
    if isinstance(layer, ir.BlockMatMul):
        weight = layer.format.real(weight, x[0].shape[-1], layer.weight_zero).astype(x[0].dtype)
    product = np.matmul(x[0], weight)
    return product if len(x) < 3 or x[2] is None else product + x[2]


def _window(layer: ir.Conv | ir.Pool, x: list[Any]) -> Any:
    pads = [*layer.pad_begin, *layer.pad_end]
    shared = {
        "kernel_shape": layer.kernel,
        "strides": layer.stride,
        "dilations": layer.dilation,
        "pads": pads,
    }
    if isinstance(layer, ir.Conv):
        return run_node("Conv", x, group=layer.groups, **shared)
    is_max, ceil = layer.function is PoolFunction.MAX, int(layer.ceil)
    if any(pad >= kernel for pad, kernel in zip(pads, 2 * layer.kernel, strict=True)):
        # onnxruntime takes no such pool; canonical ones have lost the taps that meet padding only.
        around = [(0, 0), (0, 0), *zip(layer.pad_begin, layer.pad_end, strict=True)]
        shared["pads"] = [0] * len(pads)
        if is_max:
            least = -np.inf if x[0].dtype.kind == "f" else np.iinfo(x[0].dtype).min
            return run_node(
                "MaxPool", [np.pad(x[0], around, constant_values=least)], ceil_mode=ceil, **shared
            )
        counted = np.pad(np.ones_like(x[0]), around, constant_values=float(layer.count_pad))
        averages = (
            run_node("AveragePool", [operand], ceil_mode=ceil, count_include_pad=0, **shared)
            for operand in (np.pad(x[0], around), counted)
        )
        return np.divide(*averages)
    if is_max:
        return run_node("MaxPool", x, ceil_mode=ceil, **shared)
    return run_node("AveragePool", x, ceil_mode=ceil, count_include_pad=int(layer.count_pad), **shared)


def _transposed(layer: ir.ConvTranspose, x: list[Any]) -> Any:
    """The full result, then the pads cut off (or zeros added where they are negative)."""
    full = run_node(
        "ConvTranspose", [*x[:2], None], strides=layer.stride, dilations=layer.dilation, group=layer.groups
    )
    for axis, (begin, end) in enumerate(zip(layer.pad_begin, layer.pad_end, strict=True), 2):
        extra = [(0, 0)] * full.ndim
        extra[axis] = (max(-begin, 0), max(-end, 0))
        full = np.pad(full, extra)
        full = np.take(full, range(max(begin, 0), full.shape[axis] - max(end, 0)), axis=axis)
    bias = x[2] if len(x) > 2 else None
    return full if bias is None else full + bias.reshape(-1, *[1] * (full.ndim - 2))


_BINARY: dict[Function, Any] = {
    Function.ADD: np.add,
    Function.SUB: np.subtract,
    Function.MUL: np.multiply,
    Function.POW: np.power,
    Function.MOD: np.mod,
    Function.FMOD: np.fmod,
    Function.MAX: np.maximum,
    Function.MIN: np.minimum,
    Function.AND: np.logical_and,
    Function.OR: np.logical_or,
    Function.XOR: np.logical_xor,
    Function.BITWISE_AND: np.bitwise_and,
    Function.BITWISE_OR: np.bitwise_or,
    Function.BITWISE_XOR: np.bitwise_xor,
    Function.SHIFT_LEFT: np.left_shift,
    Function.SHIFT_RIGHT: np.right_shift,
    Function.EQUAL: np.equal,
    Function.LESS: np.less,
    Function.LESS_EQUAL: np.less_equal,
    Function.GREATER: np.greater,
    Function.GREATER_EQUAL: np.greater_equal,
    Function.PRELU: lambda a, b: np.where(a < 0, a * b, a),
    Function.DIV: lambda a, b: a / b if a.dtype.kind == "f" else np.trunc(a.astype(float) / b),
}


def _gate(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def _elementwise(layer: ir.Elementwise, x: list[Any], dtype: Any) -> Any:
    function, params = layer.function, layer.params
    if function in _BINARY:
        if len(x) == 1:
            scalar = np.array(params[0]).astype(x[0].dtype)
            x = [scalar, x[0]] if layer.swap else [x[0], scalar]
        result = _BINARY[function](x[0], x[1])
        for operand in x[2:]:
            result = _BINARY[function](result, operand)
        return result
    record = function.record
    if is_unary(function) and record.operator is not None and function is not Function.SWISH:
        named = zip(record.params, params, strict=True)
        return run_node(record.operator, x, dtype, **{n: type(default)(v) for (n, default), v in named})
    match function:
        case Function.CAST:
            return x[0].astype(dtype)
        case Function.BITCAST:
            return x[0].view(dtype)
        case Function.CLIP:
            return np.clip(x[0], *np.array(params).astype(x[0].dtype))
        case Function.MEAN:
            return sum(x[1:], x[0]) / len(x)
        case Function.WHERE:
            return np.where(*x)
        case Function.SCALE_SHIFT:
            return np.clip(x[0] * x[1] + x[2], *(params or (-np.inf, np.inf)))
        case Function.GATED_TANH:
            return _gate(x[0]) * np.tanh(x[1])
        case Function.LSTM_STATE:
            return _gate(x[1]) * x[0] + _gate(x[2]) * np.tanh(x[3])
        case Function.GRU_STATE:
            new = np.tanh(x[4] + _gate(x[2]) * x[3])
            return (1 - _gate(x[1])) * new + _gate(x[1]) * x[0]
        case Function.GELU | Function.GELU_TANH:
            return run_node("Gelu", x, approximate="tanh" if function is Function.GELU_TANH else "none")
        case Function.SWISH:
            return x[0] / (1 + np.exp(-params[0] * x[0]))
    raise AssertionError(f"no evaluation for {function}")


def _reduce(layer: ir.Reduce, x: Any) -> Any:
    folds: dict[ReduceFunction, Any] = {
        ReduceFunction.SUM: np.sum,
        ReduceFunction.MAX: np.max,
        ReduceFunction.MIN: np.min,
        ReduceFunction.PROD: np.prod,
        ReduceFunction.MEAN: lambda v, **k: np.sum(v, **k) / layer.count,
        ReduceFunction.SUM_SQUARE: lambda v, **k: np.sum(v * v, **k),
        ReduceFunction.L1: lambda v, **k: np.sum(np.abs(v), **k),
        ReduceFunction.L2: lambda v, **k: np.sqrt(np.sum(v * v, **k)),
        ReduceFunction.LOG_SUM: lambda v, **k: np.log(np.sum(v, **k)),
        ReduceFunction.LOG_SUM_EXP: lambda v, **k: np.log(np.sum(np.exp(v), **k)),
    }
    return folds[layer.function](x, axis=layer.axes, keepdims=True)


def _recurrence(layer: ir.Recurrence, x: list[Any]) -> Any:
    """All steps in double precision."""
    p, weight, bias, h, c = [None if a is None else a.astype(float) for a in [*x, None, None, None][:5]]
    steps, batch, columns = p.shape
    zeros = np.zeros((batch, columns // layer.cell.gates))
    h, c = zeros if h is None else h, zeros if c is None else c
    rows: dict[int, Any] = {}
    for number in reversed(range(steps)) if layer.backwards else range(steps):
        h, c = _step(layer.cell.value, p[number], weight, 0 if bias is None else bias, h, c)
        rows[number if layer.sequence else 0] = h
    return np.stack([rows[number] for number in sorted(rows)] + ([c] if layer.cell_state else []))


def _step(cell: str, p: Any, weight: Any, bias: Any, h: Any, c: Any) -> tuple[Any, Any]:
    """The states behind a step."""
    n = h.shape[1]
    a = h @ weight
    if cell == "lstm":
        i, o, f, g = ((p + a)[:, gate * n : gate * n + n] for gate in range(4))
        c = _gate(f) * c + _gate(i) * np.tanh(g)
        return _gate(o) * np.tanh(c), c
    if cell.startswith("rnn"):
        return (np.tanh(p + a) if cell == "rnn_tanh" else np.maximum(p + a, 0)), c
    z, r = _gate(p + a)[:, :n], _gate(p + a)[:, n : 2 * n]
    inner = r * (a[:, 2 * n :] + bias) if cell == "gru_linear" else (r * h) @ weight[:, 2 * n :]
    return (1 - z) * np.tanh(p[:, 2 * n :] + inner) + z * h, c


def _normalise(layer: ir.Normalise, x: list[Any]) -> Any:
    data, scale, bias = [*x, None, None][:3]
    if layer.function.value == "mean_variance":
        data = data - data.mean(layer.axes, keepdims=True)
    data = data / np.sqrt((data * data).mean(layer.axes, keepdims=True) + layer.epsilon)
    data = data if scale is None else data * scale
    return data if bias is None else data + bias

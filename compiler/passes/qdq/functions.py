"""Functions, averages and means of quantised integers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.passes.matching import result_type
from nnc.compiler.passes.qdq.codes import Code, coded_bytes, rounding_behind
from nnc.compiler.passes.qdq.moves import moved_slots
from nnc.isa.functions import Function, PoolFunction, ReduceFunction, Result
from nnc.isa.types import DType

_AVERAGES = (ReduceFunction.MEAN, ReduceFunction.SUM)
_NO_NUMBERS = frozenset({Function.WHERE, Function.AND, Function.OR, Function.XOR})


def fuse_function(graph: Graph, layer: ir.Layer) -> None:
    """Make a layer between conversions one of integers."""
    behind = rounding_behind(graph, graph.output_of(layer.name))
    if behind is None:
        return
    rounding, code = behind
    if isinstance(layer, ir.Elementwise):
        is_fused = _fuse_elementwise(graph, layer, code)
    else:
        is_fused = _fuse_average(graph, layer, code)
    if is_fused:
        graph.take_over_output(layer.name, graph.output_of(rounding.name))


def _fuse_elementwise(graph: Graph, layer: ir.Elementwise, code: Code) -> bool:
    """A function of sources of which one at least is quantised; f32 ones count as they are."""
    is_function = layer.function.record.result is Result.FIRST and layer.function not in _NO_NUMBERS
    if not is_function or layer.src_scales:
        return False
    tensors = [required(tensor) for tensor in graph.inputs_of(layer.name)]
    if any(graph.types[tensor].dtype is not DType.F32 for tensor in tensors):
        return False
    found = [coded_bytes(graph, tensor) for tensor in tensors]
    if not any(found):
        return False
    graph.replace(
        replace(
            layer,
            src_scales=tuple(1.0 if one is None else one.code.step for one in found),
            src_zeros=tuple(0 if one is None else one.code.origin for one in found),
            dst_scale=code.step,
            dst_zero=code.origin,
        )
    )
    sources = [t if one is None else one.tensor for t, one in zip(tensors, found, strict=True)]
    graph.set_inputs(layer.name, sources)
    return True


def _fuse_average(graph: Graph, layer: ir.Layer, code: Code) -> bool:
    """An average over windows, or a mean or sum over axes."""
    is_pool = isinstance(layer, ir.Pool) and layer.function is PoolFunction.AVERAGE
    is_mean = isinstance(layer, ir.Reduce) and layer.function in _AVERAGES
    source = coded_bytes(graph, graph.operand(layer.name, 0))
    if source is None or not (is_pool or is_mean):
        return False
    if source.code.step / code.step > float(np.finfo(np.float32).max):
        return False  # a sum of 0 times an infinite ratio would be no number
    assert isinstance(layer, ir.Pool | ir.Reduce)
    fields = {"src_scale": source.code.step, "src_zero": source.code.origin}
    graph.replace(replace(layer, **fields, dst_scale=code.step, dst_zero=code.origin))  # type: ignore[arg-type]
    graph.set_inputs(layer.name, [source.tensor])
    return True


def reason_of_reals(graph: Graph, layer: ir.Layer) -> str | None:
    """Why a layer that is no product computes on real numbers; None if it does not, or is a conversion."""
    is_real = result_type(graph, layer).dtype.is_float and not layer.is_view
    if not is_real or isinstance(layer, ir.MacLayer):
        return None
    if isinstance(layer, ir.Elementwise):
        if layer.function in (Function.QUANTIZE, Function.DEQUANTIZE) or layer.src_scales:
            return None
        if layer.function.record.result is not Result.FIRST or layer.function in _NO_NUMBERS:
            return f"{layer.function.value} has no form on integers"
    elif not isinstance(layer, ir.Pool | ir.Reduce) or moved_slots(graph, layer):
        named = layer.mode.value + " " if isinstance(layer, ir.Resize) else ""
        return f"{named}{layer.kind} has no form on integers"
    if not any(coded_bytes(graph, tensor) for tensor in graph.inputs_of(layer.name)):
        return "its operands are not quantised"
    return "no rounding behind it"

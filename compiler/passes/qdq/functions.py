"""Functions, averages and means of quantised integers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.passes.matching import result_type
from nnc.compiler.passes.qdq.codes import Code, Coded, coded_bytes, converts, rounding_behind
from nnc.compiler.passes.qdq.moves import moved_slots
from nnc.isa.functions import OF_BITS, Function, PoolFunction, ReduceFunction, Result
from nnc.isa.types import DType

_REAL = Code(DType.F32, np.ones((), np.float32), np.zeros((), np.int32))
"""Of numbers that stand for themselves."""
_NO_NUMBERS = frozenset({Function.WHERE, Function.AND, Function.OR, Function.XOR, *OF_BITS})


def fuse_function(graph: Graph, layer: ir.Layer) -> None:
    """Make a layer between conversions one of integers."""
    behind = rounding_behind(graph, graph.output_of(layer.name))
    if behind is None:
        return
    rounding, code = behind
    match layer:
        case ir.Elementwise(src_scales=()) if _has_numbers(layer):
            is_fused = _fuse_elementwise(graph, layer, code)
        case (
            ir.Pool(function=PoolFunction.AVERAGE)
            | ir.Reduce(function=ReduceFunction.MEAN | ReduceFunction.SUM)
        ):
            is_fused = _fuse_average(graph, layer, code)
        case _:
            is_fused = False
    if is_fused:
        graph.take_over_output(layer.name, graph.output_of(rounding.name))


def _has_numbers(layer: ir.Elementwise) -> bool:
    """Whether a function makes numbers of numbers."""
    return layer.function.record.result is Result.FIRST and layer.function not in _NO_NUMBERS


def _fuse_elementwise(graph: Graph, layer: ir.Elementwise, code: Code) -> bool:
    """A function of sources of which one at least is quantised; f32 ones count as they are."""
    tensors = [required(tensor) for tensor in graph.inputs_of(layer.name)]
    reads = [coded_bytes(graph, tensor) or Coded(tensor, _REAL) for tensor in tensors]
    if {graph.types[tensor].dtype for tensor in tensors} != {DType.F32} or all(
        r.code is _REAL for r in reads
    ):
        return False
    fields = {"dst_scale": code.step, "dst_zero": code.origin}
    scales, zeros = tuple(read.code.step for read in reads), tuple(read.code.origin for read in reads)
    graph.replace(replace(layer, src_scales=scales, src_zeros=zeros, **fields))  # type: ignore[arg-type]
    graph.set_inputs(layer.name, [read.tensor for read in reads])
    return True


def _fuse_average(graph: Graph, layer: ir.Pool | ir.Reduce, code: Code) -> bool:
    """An average over windows, or a mean or sum over axes."""
    source = coded_bytes(graph, graph.operand(layer.name, 0))
    if source is None or source.code.step / code.step > float(np.finfo(np.float32).max):
        return False  # a sum of 0 times an infinite ratio would be no number
    fields = {"src_scale": source.code.step, "src_zero": source.code.origin}
    graph.replace(replace(layer, **fields, dst_scale=code.step, dst_zero=code.origin))  # type: ignore[arg-type]
    graph.set_inputs(layer.name, [source.tensor])
    return True


def reason_of_reals(graph: Graph, layer: ir.Layer) -> str | None:
    """Why a layer that is no product computes on real numbers; None if it does not, or is a conversion."""
    is_real = result_type(graph, layer).dtype.is_float and not layer.is_view
    if not is_real or isinstance(layer, ir.MacLayer) or _is_of_codes(layer):
        return None
    form = _without_integers(graph, layer)
    if form is not None:
        return f"{form} has no form on integers"
    if not any(coded_bytes(graph, tensor) for tensor in graph.inputs_of(layer.name)):
        return "its operands are not quantised"
    return "no rounding behind it"


def _is_of_codes(layer: ir.Layer) -> bool:
    """Whether a layer converts, or is a function of integers."""
    is_conversion = converts(layer, Function.QUANTIZE) or converts(layer, Function.DEQUANTIZE)
    return is_conversion or (isinstance(layer, ir.Elementwise) and bool(layer.src_scales))


def _without_integers(graph: Graph, layer: ir.Layer) -> str | None:
    """What a layer does, if that has no form on integers."""
    match layer:
        case ir.Elementwise():
            return None if _has_numbers(layer) else layer.function.value
        case ir.Resize():
            return f"{layer.mode.value} {layer.kind}"
        case ir.Softmax():
            return "the logarithm of softmax" if layer.log else None
        case ir.Normalise():
            return None
        case ir.Pool() | ir.Reduce():
            return layer.kind if moved_slots(graph, layer) else None
        case _:
            return layer.kind

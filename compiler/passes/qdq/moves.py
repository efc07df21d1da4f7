"""Moves commute with conversions: integers are moved in place of real numbers.

A layer that only puts elements elsewhere, or picks the largest, gives the same whether its elements are
converted before or after, since scales are positive.  So conversions to real numbers sink below moves, and
roundings rise above them, until they meet, or meet the layer that computes.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.conv_buffers import Window
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.passes.free_views import view_array
from nnc.compiler.passes.matching import replace_operand, result_type, source_of, source_type
from nnc.compiler.passes.qdq.codes import (
    Code,
    code_of,
    coded,
    coded_bytes,
    converts,
    insert_dequantise,
    insert_quantise,
    rounding_behind,
)
from nnc.isa.functions import Function, PadMode, PoolFunction, ReduceFunction, ResizeMode

_PLAIN = (ir.Reshape, ir.Transpose, ir.Slice, ir.Expand, ir.Copy, ir.Gather, ir.GatherElements)
_SHRINKING = (ir.Slice, ir.Gather, ir.GatherElements)
"""Moves whose operand may be far larger than their result: roundings stay behind them."""


def moved_slots(graph: Graph, layer: ir.Layer) -> tuple[int, ...]:
    """Operands whose elements a layer moves, or of which it picks the largest or the least; () if none."""
    match layer:
        case ir.Concat():
            return tuple(range(len(graph.inputs_of(layer.name))))
        case (
            ir.Pad()
            | ir.Resize(mode=ResizeMode.NEAREST)
            | ir.Pool(function=PoolFunction.MAX)
            | ir.Reduce(function=ReduceFunction.MAX | ReduceFunction.MIN)
        ):
            return (0,)
        case _:
            return (0,) if isinstance(layer, _PLAIN) else ()


def sink_conversions(graph: Graph) -> None:
    """Move integers where real numbers were moved: one code for all operands, and converted behind."""
    for layer in graph.layers():
        slots = moved_slots(graph, layer)
        reads = [coded_bytes(graph, graph.operand(layer.name, slot)) for slot in slots]
        first = reads[0] if reads else None
        if first is None:
            _sink_along_axes(graph, layer)
        elif _may_sink(graph, layer, first.code) and all(
            read and read.code.equals(first.code) for read in reads
        ):
            for slot, read in zip(slots, reads, strict=True):
                replace_operand(graph, layer.name, slot, required(read).tensor)
            _move_integers(graph, layer, first.code)
            insert_dequantise(graph, layer, first.code)


def _may_sink(graph: Graph, layer: ir.Layer, code: Code) -> bool:
    """Whether integers stand for all that a move makes, what it pads with included."""
    match layer:
        case ir.Pad():
            return _holds(layer, code)
        case ir.Pool():
            return not _pools_padding(graph, layer)
        case _:
            return True


def _holds(pad: ir.Pad, code: Code) -> bool:
    """Whether integers stand for what a layer pads with."""
    value = np.asarray(pad.value, np.float32)
    return pad.mode is not PadMode.CONSTANT or bool(code.real(code.of(value)).reshape(-1)[0] == value)


def _pools_padding(graph: Graph, pool: ir.Pool) -> bool:
    """Whether some window of a pool has no element: its maximum is −∞, for which no integer stands."""
    extents = source_type(graph, pool).shape[2:]
    sizes = zip(pool.kernel, pool.stride, pool.dilation, pool.pad_begin, pool.pad_end, strict=True)
    axes = zip(sizes, extents, result_type(graph, pool).shape[2:], strict=True)
    return any(
        low == high
        for size, extent, positions in axes
        for low, high in (Window(*size).inside(position, extent) for position in range(positions))
    )


def _move_integers(graph: Graph, layer: ir.Layer, code: Code) -> None:
    """What a layer on real numbers says in terms of integers."""
    if isinstance(layer, ir.Pad) and layer.mode is PadMode.CONSTANT:
        graph.replace(replace(layer, value=float(code.of(layer.value).reshape(-1)[0])))


def _sink_along_axes(graph: Graph, layer: ir.Layer) -> None:
    """Transposed weights with a scale per channel, which are constants: the scales are transposed as well."""
    if not isinstance(layer, ir.Transpose):
        return
    integers = coded(graph, graph.inputs_of(layer.name)[0])
    if integers is None or not graph.is_constant(integers.tensor):
        return
    value = np.ascontiguousarray(view_array(layer, [graph.constants[integers.tensor]]))
    scale, zero = (
        part.reshape((1,) * (len(layer.perm) - part.ndim) + part.shape).transpose(layer.perm)
        for part in (integers.code.scale, integers.code.zero)
    )
    replace_operand(graph, layer.name, 0, integers.tensor)
    insert_dequantise(graph, layer, Code(integers.code.dtype, scale, zero))
    graph.rewire(graph.output_of(layer.name), graph.add_constant(f"{integers.tensor}.transposed", value))


def fold_moved_constants(graph: Graph) -> None:
    """Evaluate views of constant integers, so that weights are constants to whoever asks."""
    for layer in graph.layers():
        tensor = graph.output_of(layer.name)
        source = graph.operand(layer.name, 0)
        is_plain = isinstance(layer, ir.Reshape | ir.Transpose) and tensor not in graph.outputs
        if is_plain and graph.is_constant(source) and not graph.types[tensor].dtype.is_float:
            value = np.ascontiguousarray(view_array(layer, [graph.constants[required(source)]]))
            graph.rewire(tensor, graph.add_constant(f"{tensor}.value", value))


def raise_roundings(graph: Graph) -> None:
    """Round before a move what was rounded behind it."""
    for layer in reversed(graph.layers()):
        slots = moved_slots(graph, layer) if _may_round(layer) else ()
        behind = rounding_behind(graph, graph.output_of(layer.name)) if slots else None
        if behind is None:
            continue
        rounding, code = behind
        for slot in slots:
            insert_quantise(graph, layer, slot, code)
        _move_integers(graph, layer, code)
        graph.take_over_output(layer.name, graph.output_of(rounding.name))


def _may_round(layer: ir.Layer) -> bool:
    """Whether roundings before a layer are no more than behind it, and it pads with numbers."""
    if isinstance(layer, ir.Pad):
        return layer.mode is not PadMode.CONSTANT or not np.isnan(layer.value)
    return not isinstance(layer, _SHRINKING)


def merge_roundings(graph: Graph) -> None:
    """One rounding of a tensor serves all that want the same."""
    first: dict[str, list[tuple[str, Code]]] = {}
    for layer in graph.layers():
        rounding = _rounding(graph, layer)
        if rounding is None:
            continue
        source, result = source_of(graph, layer), graph.output_of(layer.name)
        alike = [tensor for tensor, code in first.get(source, []) if code.equals(rounding)]
        if alike and result not in graph.outputs:
            graph.rewire(result, alike[0])
        else:
            first.setdefault(source, []).append((result, rounding))


def join_conversions(graph: Graph) -> None:
    """A conversion and the rounding behind it: nothing where both have one code, else a change of scale."""
    for layer in graph.layers():
        code = _rounding(graph, layer)
        source = coded_bytes(graph, graph.operand(layer.name, 0))
        if code is None or source is None:
            continue
        tensor = graph.output_of(layer.name)
        if not source.code.equals(code):
            graph.replace(rescaling(layer, source.code, code))
            graph.set_inputs(layer.name, [source.tensor])
        elif tensor not in graph.outputs:
            graph.rewire(tensor, source.tensor)
        else:
            copy = ir.Copy(name=graph.fresh(f"{layer.name}.copy"), loc=layer.loc)
            type_ = graph.types[tensor]
            graph.add(copy, [source.tensor], [graph.fresh(f"{tensor}.copy")], [type_])
            graph.take_over_output(copy.name, tensor)


def rescaling(layer: ir.Layer, before: Code, after: Code) -> ir.Elementwise:
    """The layer that gives integers another scale and zero point."""
    return ir.Elementwise(
        name=layer.name,
        loc=layer.loc,
        function=Function.IDENTITY,
        src_scales=(before.step,),
        src_zeros=(before.origin,),
        dst_scale=after.step,
        dst_zero=after.origin,
    )


def _rounding(graph: Graph, layer: ir.Layer) -> Code | None:
    """The code of a conversion to 8-bit integers with one scale, None if a layer is something else."""
    if not converts(layer, Function.QUANTIZE):
        return None
    code = code_of(graph, layer, result_type(graph, layer).dtype)
    return code if code is not None and code.is_bytes else None

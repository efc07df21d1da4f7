"""Lowering: one node of the placed graph becomes one instruction.

Dispatch is by the class of the layer.  Every rule only renames: shapes, axes and addresses are settled.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from nnc.compiler.backend.operands import Operands
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import channels_last, identity_order, permute
from nnc.compiler.target.layer_record import AxisOrder, record_of
from nnc.compiler.target.layer_traits import natural_order
from nnc.isa import instructions as isa
from nnc.isa.block_weights import BlockFormat
from nnc.isa.instruction import Instruction, Phase, attribute_fields
from nnc.isa.rule_table import RuleTable

Inputs = tuple[str | None, ...]
Rule = Callable[[Operands, Any, Inputs, str], Instruction]
RULES = RuleTable[ir.Layer, Rule]()
"""The rule of every kind that can be in a placed graph."""
_rule = RULES.rule


def lower_node(operands: Operands, layer: ir.Layer) -> Instruction:
    """The instruction of a node of a placed graph (not of a join: see `lower_store`)."""
    graph = operands.graph
    return RULES[type(layer)](operands, layer, graph.inputs_of(layer.name), graph.output_of(layer.name))


def lower_store(operands: Operands, join: ir.Join, slot: int) -> isa.Store:
    """The write of one operand of a join to its place in the whole (M1: the join costs nothing else)."""
    graph = operands.graph
    tile = required(graph.inputs_of(join.name)[slot])
    target, source = operands.transfer(graph.output_of(join.name), join.origins[slot], tile)
    return isa.Store(dst=target, src=source)


@_rule(ir.Slice)
def _load(operands: Operands, layer: ir.Slice, inputs: Inputs, out: str) -> Instruction:
    source, block = operands.transfer(required(inputs[0]), layer.start, out)
    receivers = operands.graph.notes.part_of[layer.name].receivers
    if receivers:
        return isa.Broadcast(dst=block, src=source, cores=sum(1 << core for core in receivers))
    return isa.Load(dst=block, src=source)


@_rule(ir.Fill)
def _fill(operands: Operands, layer: ir.Fill, inputs: Inputs, out: str) -> Instruction:
    return isa.Fill(dst=operands.tile(out), value=layer.value)


@_rule(ir.Gather)
def _gather(operands: Operands, layer: ir.Gather, inputs: Inputs, out: str) -> Instruction:
    data, index = required(inputs[0]), required(inputs[1])
    if data in operands.graph.notes.places:
        axes = identity_order(len(operands.graph.types[data].shape))
        return isa.Gather(
            dst=operands.tile(out, identity_order(len(operands.graph.types[out].shape))),
            src=operands.tile(data, axes),
            index=operands.tile(index, identity_order(len(operands.graph.types[index].shape))),
            axis=layer.axis,
            extent=layer.extent,
            src_origin=layer.src_origin,
        )
    table, rows, result = operands.rows(data, index, out)
    return isa.LoadRows(dst=result, src=table, index=rows)


@_rule(ir.GatherElements)
def _gather_elements(operands: Operands, layer: ir.GatherElements, inputs: Inputs, out: str) -> Instruction:
    axes = operands.order(out)
    src, index = (operands.tile(required(tensor), axes) for tensor in inputs)
    return isa.GatherElements(dst=operands.tile(out), src=src, index=index, axis=axes.index(layer.axis))


@_rule(ir.Scatter)
def _scatter(operands: Operands, layer: ir.Scatter, inputs: Inputs, out: str) -> Instruction:
    axes = operands.order(out)
    src, index, updates = (operands.tile(required(tensor), axes) for tensor in inputs)
    return isa.Scatter(
        dst=operands.tile(out),
        src=src,
        index=index,
        updates=updates,
        axis=axes.index(layer.axis),
        function=layer.function,
    )


_ZEROS = ("src_zero", "weight_zero")
_EPILOGUE = (
    *("act", "act_params", "dst_scale", "dst_zero"),
    *("residual_scale", "residual_zero", "sum_scale", "sum_zero"),
)
_QUANTISED_FOLD = ("src_scale", "src_zero", "dst_scale", "dst_zero")


def _named(layer: ir.Layer, names: tuple[str, ...]) -> dict[str, Any]:
    """Attributes that the instruction has by the same names."""
    return dict(zip(names, attrgetter(*names)(layer), strict=True))


def _epilogue(
    operands: Operands, layer: ir.MacLayer, inputs: Inputs, out: str, axes: tuple[int, ...]
) -> dict[str, Any]:
    """The fields that all MAC instructions share, beside source and weight."""
    bias, residual, scale, sums = (*inputs[2:], None, None, None, None)[:4]
    unfinished = layer.phase in (Phase.START, Phase.ADD)
    target = operands.tile(out, axes)
    fields: dict[str, Any] = {
        "phase": layer.phase,
        **_named(layer, _ZEROS),
        "dst": None if unfinished else target,
        "accumulator": target if unfinished else operands.optional(sums, axes),
    }
    if unfinished:
        return fields
    for name, vector in (("bias", bias), ("scale", scale)):
        if vector is not None:
            is_flat = len(operands.graph.types[vector].shape) == 1
            fields[name] = operands.tile(vector) if is_flat else operands.broadcast(vector, len(axes), axes)
    return fields | {
        "residual": operands.optional(residual, axes),
        **_named(layer, _EPILOGUE),
    }


@_rule(ir.Conv)
def _conv(operands: Operands, layer: ir.Conv, inputs: Inputs, out: str) -> Instruction:
    rank = len(operands.graph.types[out].shape)
    axes = channels_last(rank)
    return isa.Conv(
        src=operands.tile(required(inputs[0]), axes),
        weight=operands.tile(required(inputs[1]), natural_order(layer, 1, rank)),
        stride=layer.stride,
        dilation=layer.dilation,
        pad_begin=layer.pad_begin,
        groups=layer.groups,
        **_epilogue(operands, layer, inputs, out, axes),
    )


@_rule(ir.ConvTranspose)
def _conv_transpose(operands: Operands, layer: ir.ConvTranspose, inputs: Inputs, out: str) -> Instruction:
    rank = len(operands.graph.types[out].shape)
    axes = channels_last(rank)
    return isa.ConvTranspose(
        src=operands.tile(required(inputs[0]), axes),
        weight=operands.tile(required(inputs[1]), natural_order(layer, 1, rank)),
        stride=layer.stride,
        dilation=layer.dilation,
        pad_begin=layer.pad_begin,
        groups=layer.groups,
        **_epilogue(operands, layer, inputs, out, axes),
    )


@_rule(ir.MatMul)
def _matmul(operands: Operands, layer: ir.MatMul, inputs: Inputs, out: str) -> Instruction:
    graph = operands.graph
    x, weight = required(inputs[0]), required(inputs[1])
    axes = identity_order(len(graph.types[out].shape))
    return isa.Gemm(
        src=operands.tile(x, identity_order(len(graph.types[x].shape))),
        weight=operands.tile(weight, identity_order(len(graph.types[weight].shape))),
        **_epilogue(operands, layer, inputs, out, axes),
    )


@_rule(ir.BlockMatMul)
def _block_matmul(operands: Operands, layer: ir.BlockMatMul, inputs: Inputs, out: str) -> Instruction:
    axes = identity_order(len(operands.graph.types[out].shape))
    return isa.BlockGemm(
        src=operands.tile(required(inputs[0]), axes),
        weight=operands.tile(required(inputs[1]), (0, 1)),
        **_named(layer, BlockFormat._fields),
        **_epilogue(operands, layer, inputs, out, axes),
    )


@_rule(ir.Pool, ir.LocalResponseNorm, ir.Copy, *ir.ALONG_AXIS)
def _of_one_source(operands: Operands, layer: ir.Layer, inputs: Inputs, out: str) -> Instruction:
    """Attributes of the same names; an axis is counted in the order of the instruction."""
    record = record_of(type(layer))
    rank = len(operands.graph.types[out].shape)
    axes = channels_last(rank) if record.axis_order is AxisOrder.CHANNELS_LAST else operands.order(out)
    fields: dict[str, Any] = {name: getattr(layer, name) for name in attribute_fields(record.instruction)}
    if "axis" in fields:
        fields["axis"] = axes.index(fields["axis"])
    src = operands.tile(required(inputs[0]), axes)
    return record.instruction(**fields | {"dst": operands.tile(out, axes), "src": src})


@_rule(ir.Recurrence)
def _recurrence(operands: Operands, layer: ir.Recurrence, inputs: Inputs, out: str) -> Instruction:
    x, weight, bias, hidden, cell = (*inputs, None, None, None)[:5]
    return isa.Recurrence(
        dst=operands.tile(out, (0, 1, 2)),
        src=operands.tile(required(x), (0, 1, 2)),
        weight=operands.tile(required(weight), (0, 1)),
        bias=operands.optional(bias, (0,)),
        hidden=operands.optional(hidden, (0, 1)),
        initial_cell=operands.optional(cell, (0, 1)),
        **_named(layer, ("cell", "backwards", "sequence", "cell_state")),
    )


@_rule(ir.Elementwise)
def _elementwise(operands: Operands, layer: ir.Elementwise, inputs: Inputs, out: str) -> Instruction:
    axes = operands.order(out)
    return isa.Elementwise(
        dst=operands.tile(out),
        srcs=tuple(operands.broadcast(required(t), len(axes), axes) for t in inputs),
        function=layer.function,
        params=layer.params,
        swap=layer.swap,
        **_named(layer, ("src_scales", "src_zeros", "dst_scale", "dst_zero")),
    )


@_rule(ir.Reduce)
def _reduce(operands: Operands, layer: ir.Reduce, inputs: Inputs, out: str) -> Instruction:
    source = required(inputs[0])
    axes = operands.order(source)
    unfinished = layer.phase in (Phase.START, Phase.ADD)
    target = operands.tile(out, axes)
    sums = inputs[1] if len(inputs) > 1 else None
    return isa.Reduce(
        src=operands.tile(source),
        dst=None if unfinished else target,
        accumulator=target if unfinished else operands.optional(sums, axes),
        function=layer.function,
        axes=tuple(sorted(axes.index(axis) for axis in layer.axes)),
        count=layer.count,
        phase=layer.phase,
        **_named(layer, _QUANTISED_FOLD),
    )


@_rule(ir.Normalise)
def _normalise(operands: Operands, layer: ir.Normalise, inputs: Inputs, out: str) -> Instruction:
    axes = operands.order(out)
    x, scale, bias = (*inputs, None, None)[:3]
    return isa.Normalise(
        dst=operands.tile(out),
        src=operands.tile(required(x), axes),
        scale=None if scale is None else operands.broadcast(scale, len(axes), axes),
        bias=None if bias is None else operands.broadcast(bias, len(axes), axes),
        function=layer.function,
        axes=tuple(sorted(axes.index(axis) for axis in layer.axes)),
        epsilon=layer.epsilon,
        arithmetic=layer.arithmetic,
        **_named(layer, _QUANTISED_FOLD),
    )


@_rule(ir.Resize)
def _resize(operands: Operands, layer: ir.Resize, inputs: Inputs, out: str) -> Instruction:
    axes = operands.order(out)
    return isa.Resize(
        dst=operands.tile(out),
        src=operands.tile(required(inputs[0]), axes),
        mode=layer.mode,
        coordinates=layer.coordinates,
        nearest=layer.nearest,
        scales=tuple(layer.scales[axis] for axis in axes),
        origin=permute(layer.origin, axes),
        extent=permute(layer.extent, axes),
        src_origin=permute(layer.src_origin, axes),
        src_extent=permute(layer.src_extent, axes),
    )


@_rule(ir.Pad)
def _pad(operands: Operands, layer: ir.Pad, inputs: Inputs, out: str) -> Instruction:
    axes = operands.order(out)
    return isa.Pad(
        dst=operands.tile(out),
        src=operands.tile(required(inputs[0]), axes),
        mode=layer.mode,
        value=layer.value,
        begin=permute(layer.begin, axes),
        origin=permute(layer.origin, axes),
        src_origin=permute(layer.src_origin, axes),
        src_extent=permute(layer.src_extent, axes),
    )

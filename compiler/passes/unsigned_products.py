"""unsigned-products: signed bytes become unsigned ones where the array of a chip multiplies no others (M5).

before:  q = conv(x: i8, W: i8)  zero points 3 and 0
after:   u = x + 128 as u8;  q = conv(u, W + 128 as u8)  zero points 131 and 128

Both the values and the zero points move by 128, so that every product is the same.  Weights are stored so at
compile time; features are converted by a layer, unless the layer that makes them can write them so at once.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.matching import has_one_reader, layers_of, replace_operand, source_of
from nnc.compiler.target.target import Target
from nnc.isa.functions import Function, PoolFunction
from nnc.isa.types import DType

OFFSET = 128
"""From a signed byte to the unsigned one that stands for it."""
_ZEROS = ("src_zero", "weight_zero")


def _run(graph: Graph, target: Target) -> None:
    if not target.unsigned_products:
        return
    made: dict[str, str] = {}
    for layer in layers_of(graph, ir.MacLayer):
        for slot, zero in enumerate(_ZEROS):
            source = required(graph.operand(layer.name, slot))
            if graph.types[source].dtype is DType.I8:
                current = graph.layer(layer.name)
                made[source] = made.get(source) or _unsigned(graph, source, layer.loc)
                graph.replace(replace(current, **{zero: getattr(current, zero) + OFFSET}))
                replace_operand(graph, layer.name, slot, made[source])
    for tensor in made.values():
        convert = graph.producer(tensor)
        if convert is not None:
            _write_unsigned(graph, convert)


def _unsigned(graph: Graph, source: str, loc: ir.Loc) -> str:
    """The tensor as unsigned bytes: a constant, or what a new layer makes of it."""
    if graph.is_constant(source):
        value = graph.constants[source].astype(np.int16) + OFFSET
        return graph.add_constant(f"{source}.unsigned", value.astype(np.uint8))
    name = graph.fresh(f"{source}.unsigned")
    convert = ir.Elementwise(
        name=name,
        loc=loc,
        function=Function.IDENTITY,
        src_scales=(1.0,),
        src_zeros=(0,),
        dst_scale=1.0,
        dst_zero=OFFSET,
    )
    graph.add(convert, [source], [name], [TensorType(DType.U8, graph.types[source].shape)])
    return name


def _write_unsigned(graph: Graph, convert: ir.Layer) -> None:
    """Let the layer above a conversion write unsigned bytes, if the conversion alone reads what it makes.

    Layers between that only pick bytes pick those of the other type.
    """
    picks: list[ir.Layer] = []
    source = source_of(graph, convert)
    while has_one_reader(graph, source) and (above := graph.producer(source)) is not None:
        if _rounds(graph, above):
            for layer in picks:
                convert = _lift(graph, layer, convert)
            _retype(graph, above, convert)
            return
        if not _picks(above):
            return
        picks.append(above)
        source = source_of(graph, above)


def _rounds(graph: Graph, layer: ir.Layer) -> bool:
    """Whether the result of a layer is rounded to integers, with a zero point that can be another one."""
    if isinstance(layer, ir.Elementwise) and layer.function is Function.QUANTIZE and not layer.src_scales:
        zero = (*graph.inputs_of(layer.name), None)[2]
        return zero is None or graph.is_constant(zero)
    return isinstance(layer, ir.MacLayer) or (isinstance(layer, ir.Elementwise) and layer.dst_scale > 0)


def _picks(layer: ir.Layer) -> bool:
    """Whether a layer of one operand gives some of its bytes, whatever they stand for."""
    if isinstance(layer, ir.Pool):
        return layer.function is PoolFunction.MAX
    return isinstance(layer, ir.Reshape | ir.Transpose | ir.Slice | ir.Expand | ir.Copy)


def _retype(graph: Graph, above: ir.Layer, convert: ir.Layer) -> None:
    """The layer writes what the conversion would; products that are rounded before an addition move, too."""
    assert isinstance(above, ir.MacLayer | ir.Elementwise)
    if isinstance(above, ir.Elementwise) and above.function is Function.QUANTIZE and not above.src_scales:
        x, scale, zero = (*graph.inputs_of(above.name), None)[:3]
        value = np.zeros((), np.int16) if zero is None else graph.constants[zero].astype(np.int16)
        moved = graph.add_constant(f"{above.name}.zero", (value + OFFSET).astype(np.uint8))
        graph.set_inputs(above.name, [x, scale, moved])
    else:
        changed: ir.Layer = replace(above, dst_zero=above.dst_zero + OFFSET)
        if isinstance(changed, ir.MacLayer) and changed.sum_scale:
            changed = replace(changed, sum_zero=changed.sum_zero + OFFSET)
        graph.replace(changed)
    graph.take_over_output(above.name, graph.output_of(convert.name))


def _lift(graph: Graph, above: ir.Layer, convert: ir.Layer) -> ir.Layer:
    """Convert first, and pick then: the layers change places; the conversion above."""
    source, result = source_of(graph, above), graph.output_of(convert.name)
    before = graph.fresh(f"{source}.unsigned")
    graph.take_over_output(above.name, result)
    lifted = replace(convert, name=before)
    graph.add(lifted, [source], [before], [TensorType(DType.U8, graph.types[source].shape)])
    graph.set_inputs(above.name, [before, *graph.inputs_of(above.name)[1:]])
    return lifted


UNSIGNED_PRODUCTS = Pass("unsigned-products", _run)

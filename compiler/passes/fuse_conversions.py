"""fuse-conversions: a softmax or a normalisation takes in the conversions around it.

before:  s = dequantize(x);  p = softmax(s);  q = quantize(p)
after:   q = softmax(x) with scales and zero points

Scores are most of what attention holds on chip: they take a byte each, in place of four.  In f32 not a bit of
the result changes; f16 and integers are for who asks for them (`Target.softmax`).  Sums of exponentials that
are too long for integers are f32.
"""

from __future__ import annotations

from dataclasses import replace

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.drop_dead import drop_dead
from nnc.compiler.passes.matching import operands_of, source_type
from nnc.compiler.passes.qdq.codes import coded_bytes, rounding_behind
from nnc.compiler.target.target import Target
from nnc.isa.functions import Arithmetic
from nnc.isa.instructions.along_axis import MOST_SUMMED
from nnc.isa.types import DType


def _run(graph: Graph, target: Target) -> None:
    arithmetic = Arithmetic(target.softmax)
    for layer in graph.layers():
        match layer:
            case ir.Normalise() if {graph.types[t].dtype for t in operands_of(graph, layer)} == {DType.F32}:
                _fuse(graph, layer, arithmetic)
            case ir.Softmax(log=False):
                is_long = source_type(graph, layer).shape[layer.axis] > MOST_SUMMED
                _fuse(graph, layer, Arithmetic.F32 if arithmetic is Arithmetic.I8 and is_long else arithmetic)
    drop_dead(graph)


def _fuse(graph: Graph, layer: ir.Softmax | ir.Normalise, arithmetic: Arithmetic) -> None:
    source = coded_bytes(graph, graph.operand(layer.name, 0))
    behind = rounding_behind(graph, graph.output_of(layer.name))
    if source is None or behind is None:
        return
    rounding, code = behind
    fused = replace(
        layer,
        src_scale=source.code.step,
        src_zero=source.code.origin,
        dst_scale=code.step,
        dst_zero=code.origin,
        arithmetic=arithmetic,
    )
    graph.replace(fused)
    graph.set_inputs(layer.name, [source.tensor, *graph.inputs_of(layer.name)[1:]])
    graph.take_over_output(layer.name, graph.output_of(rounding.name))


FUSE_CONVERSIONS = Pass("fuse-conversions", _run)

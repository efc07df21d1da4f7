"""split-joined: a convolution of a concat is the sum of convolutions of its operands.

before:  y = relu(conv(concat(a, b), W) + bias)
after:   t = conv(a, W[:, :a]);  y = relu(conv(b, W[:, a:]) + bias + t)

A concat is one buffer, which is on chip or in DRAM as a whole, and an operand that is a slice of something is
copied to it.  Tensors by themselves stay, visit DRAM or are read slice by slice each as suits it; where a sum
is smaller than what it is made of, that is gone before the next operand comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Concat, Conv, Slice
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.matching import layers_of, operands_of, result_type, sole_reader, source_of
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING
from nnc.isa.functions import Function
from nnc.isa.types import DType

_X, _WEIGHT, _BIAS, _RESIDUAL = range(4)


def _run(graph: Graph, target: Target) -> None:
    if target.map == "pixels":  # stitched pictures are vectors of each channel, which lie side by side
        return
    for concat in layers_of(graph, Concat, upwards=True):  # one inside another is an operand by itself then
        tensor = graph.output_of(concat.name)
        conv = sole_reader(graph, tensor, Conv, slot=0) if concat.axis == 1 else None
        if conv is None or not _is_worth_splitting(graph, tensor, conv, target.memory_bytes):
            continue
        operands = _with_slices_joined(graph, operands_of(graph, concat))
        are_few = len(operands) <= TUNING.passes.max_joined_operands
        if are_few and not any(_is_joined_again(graph, operand) for operand in operands):
            _split(graph, conv, operands)
            graph.remove(concat.name)


def _is_worth_splitting(graph: Graph, joined: str, conv: Conv, memory_bytes: int) -> bool:
    """Whether a convolution sums over all channels of a concat that takes much of a memory, to no more bytes.

    Sums of floats are not rounded to fewer bits on the way.
    """
    operands, result = graph.inputs_of(conv.name), graph.output_of(conv.name)
    nbytes, tensors = graph.types[joined].nbytes, [*filter(None, operands), result]
    is_large = (
        0 < memory_bytes < nbytes * TUNING.passes.whole_operand_share and graph.types[result].nbytes <= nbytes
    )
    is_plain = conv.groups == 1 and operands[_X] == joined and not any(operands[_RESIDUAL + 1 :])
    is_wide = all(graph.types[tensor].dtype is DType.F32 for tensor in tensors)
    return is_large and is_plain and is_wide and graph.is_constant(operands[_WEIGHT])


def _is_joined_again(graph: Graph, tensor: str) -> bool:
    """Whether a tensor is an operand of several concats, which may lie in each other, or a constant."""
    readers = sum(isinstance(layer, Concat) for layer, _ in graph.consumers(tensor))
    return readers > 1 or graph.is_constant(tensor)


def _with_slices_joined(graph: Graph, operands: Sequence[str]) -> list[str]:
    """Operands, with slices of a tensor that together are the whole of it in one."""
    joined, first = list[str](), 0
    while first < len(operands):
        whole, end = _whole_of(graph, operands, first)
        joined.append(whole)
        first = end
    return joined


def _whole_of(graph: Graph, operands: Sequence[str], first: int) -> tuple[str, int]:
    """The tensor of which the operands from the first on are all slices, in order, and the operand behind
    them; else the first one.
    """
    source, channels = None, 0
    for position in range(first, len(operands)):
        layer, shape = graph.producer(operands[position]), graph.types[operands[position]].shape
        if not isinstance(layer, Slice) or any(step != 1 for step in layer.step):
            break
        tensor = source_of(graph, layer)
        if source not in (None, tensor) or layer.start != (0, channels, *[0] * (len(shape) - 2)):
            break
        source, channels = tensor, channels + shape[1]
        if (*shape[:1], channels, *shape[2:]) == graph.types[tensor].shape:
            return tensor, position + 1
    return operands[first], first + 1


def _split(graph: Graph, conv: Conv, operands: Sequence[str]) -> None:
    """Make a convolution that of the last operand, and add the others before."""
    constant = required(graph.operand(conv.name, _WEIGHT))
    weight, result = graph.constants[constant], result_type(graph, conv)
    bias, total, start = graph.operand(conv.name, _BIAS), graph.operand(conv.name, _RESIDUAL), 0
    for number, tensor in enumerate(operands, 1):
        end = start + graph.types[tensor].shape[1]
        piece = graph.add_constant(
            graph.fresh(f"{constant}.{start}"), np.ascontiguousarray(weight[:, start:end])
        )
        if number == len(operands):
            graph.set_inputs(conv.name, [tensor, piece, bias, total])
            return
        name = graph.fresh(f"{conv.name}.{start}")
        partial = replace(conv, name=name, act=Function.IDENTITY, act_params=())
        above = graph.producer(tensor)
        if above is not None and graph.types[tensor].nbytes >= result.nbytes:
            graph.add(partial, [tensor, piece, None, total], [name], [result], after=above.name)
        else:
            graph.add(partial, [tensor, piece, None, total], [name], [result], before=conv.name)
        total, start = name, end


SPLIT_JOINED = Pass("split-joined", _run)

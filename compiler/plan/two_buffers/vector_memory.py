"""How many output channels and rows of a convolution with two buffers fit the memory of weights and sums.

in:   a layer on a chip, and how many cores share its output channels
out:  ways to cut them (`BufferedConv`), those with the fewest passes over the input first
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.plan.two_buffers.buffered_conv import BufferedConv, LayerShape
from nnc.compiler.plan.two_buffers.geometry import fitting
from nnc.compiler.plan.two_buffers.row_blocks import live_rows, row_blocks
from nnc.compiler.target import layer_traits
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip, rate_class
from nnc.isa.integers import ceil_div, round_up


def buffered_convs(graph: Graph, layer: ir.Conv, chip: Chip, cores: int) -> Iterator[BufferedConv]:
    """The ways to compute a layer with two buffers on some cores that fit the memories, best first.

    Those with the most output channels per pass; then, where several passes are needed, those that leave
    room for the weights of the next one.
    """
    shape = LayerShape(graph, layer)
    features = layer_traits.memory_for(chip, graph, layer, "feature")
    align = chip.block_align(features)
    item = shape.source.dtype.itemsize
    r, channels = fitting(shape.columns, shape.rows, shape.channels, item, chip.memory[features].bytes, align)
    lanes = max(lanes for lanes, _ in chip.compute.array_shapes[rate_class(shape.source.dtype)])
    share = round_up(ceil_div(shape.out.shape[1], cores), lanes)
    if (cores - 1) * share >= shape.out.shape[1]:
        return  # a core would have nothing to do
    share = min(share, shape.out.shape[1])
    for copies in (1, 2):
        for outputs in _sizes(share, lanes):
            several = outputs < share
            if copies == 2 and not several:
                break
            in_pieces = copies == 1 and several and channels == shape.channels
            pieces = min(TUNING.two_buffers.weight_pieces, channels) if in_pieces else 1
            conv = BufferedConv(shape, r, channels, outputs, shape.out.shape[2], pieces, cores, lanes)
            rows = VectorMemory(graph, chip, conv, copies).most_rows()
            if rows:
                yield replace(conv, most_rows=rows)
                break


def _sizes(share: int, lanes: int) -> list[int]:
    """Output channels per pass worth trying, most first: all, multiples of the lanes, parts of them."""
    multiples = range(share // lanes * lanes, 0, -lanes)
    parts = [1 << bit for bit in reversed(range(lanes.bit_length()))]
    return list(dict.fromkeys([share, *multiples, *(n for n in parts if n < min(share, lanes))]))


def memory_demand(graph: Graph, chip: Chip, conv: BufferedConv) -> dict[str, int]:
    """Bytes that a convolution holds, per memory."""
    features, vectors = (
        layer_traits.memory_for(chip, graph, conv.shape.layer, role) for role in ("feature", "weight")
    )
    item = conv.shape.source.dtype.itemsize
    return {
        features: conv.shape.columns.nbytes(conv.r, conv.channels, item, chip.block_align(features)),
        vectors: VectorMemory(graph, chip, conv, 1).need(conv.most_rows),
    }


class VectorMemory:
    """What the memory of weights, sums and results must hold.

    `copies`: of the weights: 2 if those of the next pass are loaded while this one computes.
    """

    _RESULTS = 3
    """Results, and residuals, at a time: one is computed, others are stored."""

    def __init__(self, graph: Graph, chip: Chip, conv: BufferedConv, copies: int) -> None:
        self._conv, shape = conv, conv.shape
        self._align = chip.block_align(layer_traits.memory_for(chip, graph, shape.layer, "weight"))
        self._bytes = chip.memory[layer_traits.memory_for(chip, graph, shape.layer, "weight")].bytes
        inputs = graph.inputs_of(shape.layer.name)
        weight = graph.types[required(inputs[1])]
        taps, outputs = weight.shape[2] * weight.shape[3], conv.outputs
        constants = [outputs * shape.channels * taps * weight.dtype.itemsize]
        self._results = [shape.out.dtype.itemsize]
        for slot, tensor in enumerate(inputs[2:], 2):
            if tensor is None:
                continue
            if shape.layer.slots[slot] == "residual":
                self._results.append(graph.types[tensor].dtype.itemsize)
            else:
                constants.append(graph.types[tensor].nbytes)
        self._constants = sum(copies * round_up(nbytes, self._align) for nbytes in constants)

    def most_rows(self) -> int:
        """The most rows of the result in an instruction that fit; 0 if one row does not."""
        height = self._conv.shape.out.shape[2]
        low, high = 0, height
        while low < high:
            rows = (low + high + 1) // 2
            low, high = (rows, high) if self._holds(rows) else (low, rows - 1)
        return low

    def _holds(self, rows: int) -> bool:
        return self.need(rows) <= self._bytes

    def need(self, rows: int) -> int:
        """Bytes that it holds with so many rows of the result in an instruction."""
        conv, shape = self._conv, self._conv.shape
        images = shape.out.shape[0]
        blocks = required(row_blocks(shape.window(0), shape.rows, conv.r, rows))
        most = max(visit.high - visit.low for visits in blocks for visit in visits)
        steps = [max(len(conv.steps(0, at)), len(conv.steps(images - 1, at))) for at in range(len(blocks))]
        sums = live_rows(blocks, steps)
        sum_bytes = shape.layer.partial_type(shape.source.dtype).itemsize
        need = self._constants
        for half in shape.columns.halves:
            row = (half.high - half.low) * conv.outputs
            need += sums * round_up(row * sum_bytes, self._align)
        row = max(half.high - half.low for half in shape.columns.halves) * conv.outputs
        need += sum(self._RESULTS * round_up(most * row * size, self._align) for size in self._results)
        return need

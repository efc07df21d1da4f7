"""Convolutions with some rows of the kernel at a time: their sums add up to all of it (M3).

A node whose kernel is not that of its layer takes the taps that its weight tile is a box of, input channels
x kernel rows.  Its input is what these taps read.  The nodes that hand on their sums take no tap twice; when
they have finished, none is missing but those that read padding alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.conv_buffers import Window
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.regions.boxes import Boxes
from nnc.compiler.ir.regions.operand_boxes import needed
from nnc.compiler.ir.required import required
from nnc.compiler.ir.verify.subject import broken
from nnc.isa.instruction import Phase

Taken = npt.NDArray[np.bool_]
"""Taps that have been summed: input channels x kernel rows."""


def is_kernel_part(node: ir.Layer, layer: ir.Layer) -> bool:
    """Whether a node of a partitioned graph takes some rows of the kernel of its layer."""
    return isinstance(node, ir.Conv) and isinstance(layer, ir.Conv) and node.kernel != layer.kernel


def check_kernel_parts(graph: Graph, network: Graph, layer: ir.Layer, nodes: Sequence[ir.Layer]) -> None:
    """Input, weights and sums of all nodes that do parts of the kernel of a layer.

    Args:
        graph: partitioned, with the boxes of all tiles.
        nodes: in the order of issue.

    Raises:
        InternalError: a node reads something else, or the parts are not the kernel.
    """
    assert isinstance(layer, ir.Conv)
    parts = _KernelParts(graph, network, layer)
    for node in nodes:
        assert isinstance(node, ir.Conv)
        parts.check(node)
    if parts.sums:
        raise broken(layer, f"nobody finishes the sums {', '.join(parts.sums)}")


class _KernelParts:
    """The nodes of one layer, one after the other.

    `sums` are the taps in the sums that no node has taken over yet, by tile.
    """

    def __init__(self, graph: Graph, network: Graph, layer: ir.Conv) -> None:
        self._graph, self._layer, self._boxes = graph, layer, graph.notes.boxes
        tensors = [required(tensor) for tensor in network.inputs_of(layer.name)[:2]]
        self._source, self._weight = tensors
        self._shapes = [network.types[tensor].shape for tensor in tensors]
        self._whole = network.types[network.output_of(layer.name)].shape
        axis = (layer.kernel, layer.stride, layer.dilation, layer.pad_begin, layer.pad_end)
        self._window = Window(*(values[0] for values in axis))
        self.sums: dict[str, Taken] = {}

    def check(self, node: ir.Conv) -> None:
        """The operands of a node are what its taps read, and its sums have none of these."""
        graph, out = self._graph, self._graph.output_of(node.name)
        source, weight, *_ = map(required, graph.inputs_of(node.name)[:2])
        low, shape = self._boxes[out].low, graph.types[out].shape
        taps, extents = self._boxes[weight].low, graph.types[weight].shape
        if self._boxes[weight].tensor != self._weight or self._boxes[source].tensor != self._source:
            raise broken(node, f"it computes {out} from {source} and {weight}")
        expected = (
            (low[1], taps[1], taps[2], 0),
            (shape[1], extents[1], node.kernel[0], self._layer.kernel[1]),
        )
        if (taps, extents) != expected or node.kernel[1] != self._layer.kernel[1]:
            raise broken(node, f"{weight} are not the weights of its results")
        self._check_source(node, source, taps[1:3], extents[1])
        taken = self._taken(node, out)
        marks = taken[taps[1] : taps[1] + extents[1], taps[2] : taps[2] + extents[2]]
        if marks.any():
            raise broken(node, f"some of {weight} are in the sums of {out} already")
        marks[...] = True
        if node.phase in (Phase.START, Phase.ADD):
            self.sums[out] = taken
            return
        for y in range(low[2], low[2] + shape[2]):
            first, last = self._window.inside(y, self._shapes[0][2])
            if not taken[:, first:last].all():
                raise broken(node, f"row {y} of its result lacks taps of the kernel")

    def _check_source(self, node: ir.Conv, source: str, taps: tuple[int, ...], channels: int) -> None:
        """The input is what the taps (from a channel and a kernel row on) need for the result."""
        graph, layer, out = self._graph, self._layer, self._graph.output_of(node.name)
        low = self._boxes[out].low
        box = Boxes.of((low, tuple(a + n for a, n in zip(low, graph.types[out].shape, strict=True))))
        begin = (layer.pad_begin[0] - taps[1] * layer.dilation[0], layer.pad_begin[1])
        need = needed(replace(layer, kernel=node.kernel, pad_begin=begin), 0, box, self._shapes, self._whole)
        corner, extents = need.boxes.low[0].tolist(), need.boxes.extents[0].tolist()
        corner[1], extents[1] = taps[0], channels
        if (list(self._boxes[source].low), list(graph.types[source].shape)) != (corner, extents):
            raise broken(node, f"it needs {corner} of shape {extents}, and reads {source}")
        pads = tuple(need.before[0, 2:].tolist()), tuple(need.after[0, 2:].tolist())
        if (node.pad_begin, node.pad_end) != pads:
            raise broken(node, f"its padding is {node.pad_begin}/{node.pad_end}, not {pads[0]}/{pads[1]}")

    def _taken(self, node: ir.Conv, out: str) -> Taken:
        """The taps in the sums that a node takes over."""
        if node.phase in (Phase.START, Phase.WHOLE):
            return np.zeros((self._shapes[0][1], self._layer.kernel[0]), dtype=np.bool_)
        sums = required(self._graph.inputs_of(node.name)[-1])
        shapes = [self._graph.types[tile].shape for tile in (sums, out)]
        if sums not in self.sums or self._boxes[sums] != self._boxes[out] or shapes[0] != shapes[1]:
            raise broken(node, f"{sums} are no sums of {out}")
        return self.sums.pop(sums)

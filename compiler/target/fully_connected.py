"""Fully connected layers that a chip takes in groups of pixels (M5), and the features that these have.

A chip takes them so if neither features nor weights of its array can be loaded: they go through a memory that
the DMA reaches, in whole units, and are copied from there.
"""

from __future__ import annotations

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.target.pixel_groups import PIXEL_CHANNELS
from nnc.isa.chip.description import Chip

Features = tuple[int, int, int]
"""Channels, height and width of the features of a layer."""


def takes_pixels(chip: Chip) -> bool:
    """Whether fully connected layers of a chip take their features and weights through another memory."""
    homes = [chip.placement("gemm", role).memories[0] for role in ("feature", "weight")]
    return chip.transfer_unit > 1 and all(chip.landing(home) != home for home in homes)


def features_of(graph: Graph, layer: ir.Layer, chip: Chip) -> Features | None:
    """The features of a layer that is done in groups of pixels; None if it is not.

    A matrix of constants times a vector or a flattened picture, per element of the batch.
    """
    if not takes_pixels(chip) or not isinstance(layer, ir.MatMul):
        return None
    source, weight = (required(graph.operand(layer.name, slot)) for slot in (0, 1))
    shape = graph.types[source].shape
    if not graph.is_constant(weight) or graph.is_constant(source) or len(shape) != 2:
        return None
    flat = graph.producer(source)
    if isinstance(flat, ir.Reshape):
        whole = graph.types[required(graph.inputs_of(flat.name)[0])].shape
        if flat.order == (0, 1, 3, 4, 2) and whole[2] == PIXEL_CHANNELS:
            return whole[1] * whole[2], whole[3], whole[4]
        if flat.order == (0, 2, 3, 1) and whole[1] == PIXEL_CHANNELS:
            return whole[1], whole[2], whole[3]
    return shape[1], 1, 1

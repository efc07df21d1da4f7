"""flatten-in-pixels: features of fully connected layers lie as D, H, W, 32 on chips that take them so (M5).

before:  y = reshape(x [N, C, H, W] -> [N, C*H*W]);  z = matmul(y, W)
after:   p = pad(x, channels to D*32); b = reshape(p -> [N, D, 32, H, W])
         y = reshape(b, order N, D, H, W, 32);       z = matmul(y, W with its rows in that order)

Pad channels hold the zero point, so do their rows of weights.  Where channels are so few that the weights
would more than double, the picture is taken as a vector (H = W = 1), its pixels in the order of the storage.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.annotations import Padding
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import identity_order
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.matching import layers_of, source_of, source_type
from nnc.compiler.passes.reorder_flattened_weights import flattened_for
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING
from nnc.isa.functions import PadMode
from nnc.isa.integers import ceil_div

IN_PIXELS = (0, 1, 3, 4, 2)
"""Order of the axes of [N, D, 32, H, W] as the features lie."""


def _run(graph: Graph, target: Target) -> None:
    size = target.pixel_channels
    for flat in layers_of(graph, ir.Reshape) if size else ():
        product = flattened_for(graph, flat)
        depth = _depth(source_type(graph, flat).shape, size)
        if product is not None and depth is not None:
            _take_pixels(graph, flat, product, depth, size)


def _depth(shape: tuple[int, ...], size: int) -> int | None:
    """Channels of pictures in so many pixels; None if they are too few, or no pictures."""
    if len(shape) != 4 or shape[2] * shape[3] == 1:
        return None
    depth = ceil_div(shape[1], size)
    return depth if depth * size <= TUNING.passes.pixel_bytes_ratio * shape[1] else None


def _take_pixels(graph: Graph, layer: ir.Reshape, user: ir.MatMul, depth: int, size: int) -> None:
    source, weight = source_of(graph, layer), required(graph.operand(user.name, 1))
    batch, channels, height, width = graph.types[source].shape
    padding: dict[str, Padding] = {}
    used = (channels - 1) % size + 1
    if used < size:
        source = _padded(graph, layer, source, depth * size, user.src_zero)
        padding[source] = Padding(graph.types[source].shape, (0, channels, 0, 0))
    order: tuple[int, ...] = IN_PIXELS
    if depth == 1:
        order = (0, 2, 3, 1)
    else:
        source = _split(graph, layer, source, (batch, depth, size, height, width))
    value, shape = graph.constants[weight], (channels, height, width)
    rows = _rows_in_pixels(value, shape, depth, size, user.weight_zero)
    permuted = graph.add_constant(f"{weight}.pixels", rows)
    name = graph.fresh(f"{layer.name}.flat")
    flat = replace(layer, name=name, shape=(batch, len(rows)), order=order)
    graph.add(flat, [source], [name], [TensorType(graph.types[source].dtype, flat.shape)])
    graph.set_inputs(user.name, [name, permuted, *graph.inputs_of(user.name)[2:]])
    graph.remove(layer.name)
    if used < size:
        pixels = (depth, height, width, size)
        padding[name] = Padding((batch, *pixels), (0, depth - 1, 0, 0, used))
        padding[permuted] = Padding((*pixels, rows.shape[1]), (depth - 1, 0, 0, used, 0))
        graph.annotate(replace(graph.notes, padding={**graph.notes.padding, **padding}))


def _rows_in_pixels(
    weight: npt.NDArray[np.generic], shape: tuple[int, int, int], depth: int, size: int, zero: int
) -> npt.NDArray[np.generic]:
    """Rows of a weight matrix in the order D, H, W, 32, with rows of the zero point for pad channels."""
    channels, height, width = shape
    rows = weight.reshape(*shape, -1)
    more = ((0, depth * size - channels), (0, 0), (0, 0), (0, 0))
    rows = np.pad(rows, more, constant_values=zero).reshape(depth, size, height, width, -1)
    return np.ascontiguousarray(rows.transpose(0, 2, 3, 1, 4).reshape(-1, weight.shape[1]))


def _padded(graph: Graph, layer: ir.Reshape, source: str, channels: int, zero: int) -> str:
    type_ = graph.types[source]
    zeros = (0,) * 4
    pad = ir.Pad(
        name=graph.fresh(f"{layer.name}.pad"),
        loc=layer.loc,
        mode=PadMode.CONSTANT,
        value=float(zero),
        begin=zeros,
        end=(0, channels - type_.shape[1], 0, 0),
        origin=zeros,
        src_origin=zeros,
        src_extent=type_.shape,
    )
    shape = (type_.shape[0], channels, *type_.shape[2:])
    graph.add(pad, [source], [pad.name], [TensorType(type_.dtype, shape)])
    return pad.name


def _split(graph: Graph, layer: ir.Reshape, source: str, shape: tuple[int, ...]) -> str:
    name = graph.fresh(f"{layer.name}.pixels")
    view = ir.Reshape(name=name, loc=layer.loc, shape=shape, order=identity_order(4))
    graph.add(view, [source], [name], [TensorType(graph.types[source].dtype, shape)])
    return name


FLATTEN_IN_PIXELS = Pass("flatten-in-pixels", _run)

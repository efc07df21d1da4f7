"""fold-affine: a scale and shift per output channel become part of the weights and bias of a MAC layer.

before:  y = conv(x, W, b);  z = scale_shift(y, s, t)        with s, t one value per output channel
after:   z = conv(x, W·s, b·s + t)

A batch norm is the usual scale and shift; an added constant is a shift alone, and leaves the weights be.
Reshapes and transposes may stand between, if the constants still say one value per output channel.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import BlockMatMul, Conv, ConvTranspose, Elementwise, MacLayer, MatrixProduct
from nnc.compiler.ir.required import required
from nnc.compiler.passes.affine import Affine, affine_of, behind_views, scaled, shifted
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.matching import (
    MOVES,
    constant_value,
    layers_of,
    result_type,
    sole_reader,
    source_type,
    views_below,
)
from nnc.compiler.passes.merge_views import factors_of
from nnc.compiler.target.target import Target
from nnc.isa.functions import Function

Array = npt.NDArray[Any]


def _run(graph: Graph, _target: Target) -> None:
    for layer in layers_of(graph, MacLayer):
        while has_free_sums(graph, layer) and _fold(graph, layer):
            pass


def _fold(graph: Graph, mac: MacLayer) -> bool:
    """Fold the affine layer behind a MAC layer, or views of it, into it, if there is one that fits."""
    tensor, views = views_below(graph, graph.output_of(mac.name), *MOVES)
    affine = _affine_behind(graph, mac, tensor)
    if affine is None:
        return False
    shape = result_type(graph, mac).shape
    axes, channel = None if 0 in shape else factors_of(shape, views), channel_axis(mac, len(shape))
    if axes is None:
        return False
    scale, shift = (behind_views(v, axes, channel, shape[channel]) for v in (affine.scale, affine.shift))
    is_known = (scale is None, shift is None) == (affine.scale is None, affine.shift is None)
    if not is_known or not scale_and_shift(graph, mac, scale, shift):
        return False
    graph.take_over_output(required(graph.producer(tensor)).name, graph.output_of(affine.layer.name))
    return True


def _affine_behind(graph: Graph, mac: MacLayer, tensor: str) -> Affine | None:
    """The affine layer that alone reads a tensor; a scale needs weights that are constant."""
    user = sole_reader(graph, tensor, Elementwise)
    affine = None if user is None else affine_of(graph, user)
    if affine is None or affine.scale is None:
        return affine
    return affine if graph.is_constant(graph.operand(mac.name, 1)) else None


def has_free_sums(graph: Graph, mac: MacLayer) -> bool:
    """Whether the result of a MAC layer is sums of floats and a bias, and nothing else yet."""
    if mac.act is not Function.IDENTITY or graph.operand(mac.name, 3) is not None:
        return False
    bias, is_real = graph.operand(mac.name, 2), source_type(graph, mac).dtype.is_float
    value = constant_value(graph, bias)  # products of integers have scales of their own
    return is_real and (bias is None or (value is not None and value.ndim == 1))


def channel_axis(mac: MacLayer, rank: int) -> int:
    """The axis of a MAC layer's result along which the bias goes."""
    return rank - 1 if isinstance(mac, MatrixProduct) else 1


def scale_and_shift(graph: Graph, mac: MacLayer, scale: Array | None, shift: Array | None) -> bool:
    """Give the layer its new weight and bias, unless their type cannot hold them."""
    x, weight, *_ = graph.inputs_of(mac.name)
    before = constant_value(graph, graph.operand(mac.name, 2))
    bias = shift if before is None else shifted(before, scale, shift)
    folded = None if scale is None else scale_weight(mac, graph.constants[required(weight)], scale)
    if (scale is not None and folded is None) or (before is not None and bias is None):
        return False
    if folded is not None:
        weight = graph.add_constant(f"{weight}.folded", folded)
    reads = [x, weight]
    if bias is not None:
        reads.append(graph.add_constant(f"{mac.name}.bias.folded", np.ascontiguousarray(bias)))
    graph.set_inputs(mac.name, reads)
    return True


def scale_weight(layer: MacLayer, weight: Array, scale: Array) -> Array | None:
    """The weight with every output channel multiplied by its scale, None if its type cannot hold that."""
    if isinstance(layer, BlockMatMul):
        return None
    scale = scale.astype(weight.dtype)
    if isinstance(layer, Conv):
        summed = tuple(range(1, weight.ndim))
        return scaled(weight, scale.reshape(-1, *[1] * len(summed)), summed)
    if isinstance(layer, ConvTranspose):
        inputs, per_group = weight.shape[:2]
        by_group = scale.reshape(layer.groups, 1, per_group, *[1] * (weight.ndim - 2))
        grouped = weight.reshape(layer.groups, inputs // layer.groups, *weight.shape[1:])
        result = scaled(grouped, by_group, (1, *range(3, grouped.ndim)))
        return None if result is None else result.reshape(weight.shape)
    return scaled(weight, scale, (weight.ndim - 2,))


FOLD_AFFINE = Pass("fold-affine", _run)

"""fold-batch-norm: multiply a scale-and-shift into the weights and bias of the layer before it.

before:  y = conv(x, W, b);  z = scale_shift(y, s, t)
after:   z = conv(x, W·s, b·s + t)        with s, t one value per output channel
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Conv, ConvTranspose, Elementwise, Layer, MacLayer, MatMul
from nnc.compiler.passes.base import Pass, sole_consumer
from nnc.isa.functions import Function

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Fold:
    """A scale-and-shift layer, the MAC layer that takes it in, and its vectors over the channels."""

    mac: MacLayer
    norm: Elementwise
    scale: Array
    shift: Array


def find_folds(graph: Graph) -> list[Fold]:
    """All scale-and-shift layers that can be folded; used by the pass and by the floor of DRAM traffic."""
    found = (_fold_at(graph, layer) for layer in graph.layers())
    return [fold for fold in found if fold is not None]


def _fold_at(graph: Graph, layer: Layer) -> Fold | None:
    if not isinstance(layer, MacLayer) or layer.act is not Function.IDENTITY:
        return None
    if not graph.is_constant(graph.operand(layer.name, 1)) or graph.operand(layer.name, 3) is not None:
        return None
    bias = graph.operand(layer.name, 2)
    if bias is not None and not (graph.is_constant(bias) and graph.constants[bias].ndim == 1):
        return None
    user = sole_consumer(graph, graph.output_of(layer.name))
    if user is None or not isinstance(user[0], Elementwise) or user[0].function is not Function.SCALE_SHIFT:
        return None
    norm, slot = user
    assert isinstance(norm, Elementwise)
    _, scale, shift = graph.inputs_of(norm.name)
    if slot != 0 or scale not in graph.constants or shift not in graph.constants:
        return None
    shape = graph.types[graph.output_of(layer.name)].shape
    channel = len(shape) - 1 if isinstance(layer, MatMul) else 1
    vectors = [
        _channel_vector(graph.constants[t], len(shape), channel, shape[channel]) for t in (scale, shift)
    ]
    if vectors[0] is None or vectors[1] is None:
        return None
    return Fold(layer, norm, vectors[0], vectors[1])


def _channel_vector(value: Array, rank: int, channel: int, channels: int) -> Array | None:
    """The constant as a vector over the channels, or None if it varies over another axis."""
    shape = (1,) * (rank - value.ndim) + value.shape
    if any(extent != 1 for axis, extent in enumerate(shape) if axis != channel):
        return None
    return np.broadcast_to(value.reshape(-1), (channels,))


def scale_weight(layer: MacLayer, weight: Array, scale: Array) -> Array:
    """The weight with every output channel multiplied by its scale (in the weight's own type)."""
    scale = scale.astype(weight.dtype)
    if isinstance(layer, Conv):
        return np.asarray(weight * scale.reshape(-1, *[1] * (weight.ndim - 1)))
    if isinstance(layer, ConvTranspose):
        inputs, per_group = weight.shape[:2]
        by_group = scale.reshape(layer.groups, 1, per_group, *[1] * (weight.ndim - 2))
        grouped = weight.reshape(layer.groups, inputs // layer.groups, *weight.shape[1:])
        return np.asarray(grouped * by_group).reshape(weight.shape)
    return np.asarray(weight * scale)


def _apply(graph: Graph, fold: Fold) -> None:
    name = fold.mac.name
    x, weight, *rest = graph.inputs_of(name)
    assert x is not None and weight is not None
    old = graph.constants[weight]
    shift = fold.shift.astype(old.dtype)
    if rest and rest[0] is not None:
        shift = graph.constants[rest[0]] * fold.scale.astype(old.dtype) + shift
    new_weight = graph.add_constant(f"{weight}.folded", scale_weight(fold.mac, old, fold.scale))
    new_bias = graph.add_constant(f"{name}.bias.folded", np.ascontiguousarray(shift))
    graph.set_inputs(name, [x, new_weight, new_bias])
    graph.take_over_output(name, graph.output_of(fold.norm.name))


def _run(graph: Graph) -> None:
    while folds := find_folds(graph):
        for fold in folds:
            _apply(graph, fold)


FOLD_BATCH_NORM = Pass("fold-batch-norm", _run)

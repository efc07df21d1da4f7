"""Which layers of a network can run on stitched pictures, and at which pitch."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.ir.windows import window_reach
from nnc.compiler.passes.matching import operands_of, result_type, source_type
from nnc.compiler.passes.stitch.pitch import RowWindow, chain_pitch
from nnc.isa.functions import PoolFunction
from nnc.isa.instruction import Phase

Windowed = ir.Conv | ir.Pool


@dataclass(frozen=True, slots=True)
class Region:
    """Layers that run on stitched pictures.

    Attributes:
        batch: pictures of the network.
        pitch: of the pictures that enter.
        layers: names in order.
        scales: by how much pictures have shrunk along rows, of every tensor in the region.
        exits: tensors that others read too, or that leave the network.
    """

    batch: int
    pitch: int
    layers: tuple[str, ...]
    scales: dict[str, int]
    exits: tuple[str, ...]


def find_region(graph: Graph) -> Region | None:
    """The convolutions, pools and element-wise layers between network inputs and the first other layers.

    None if there is no convolution or pool among them.
    """
    scales: dict[str, int] = {}
    made: dict[str, str] = {}
    windows: list[RowWindow] = []
    batch = 0
    for layer in graph.layers():
        pictures = _pictures(graph, layer, scales, batch)
        if not _fits(graph, layer, pictures):
            continue
        scale, stride = next(iter(pictures.values())), 1
        if isinstance(layer, Windowed):
            windows.append(row_window(graph, layer, scale))
            stride = layer.stride[1]
        made[layer.name] = out = graph.output_of(layer.name)
        batch = graph.types[out].shape[0]
        scales |= {**dict.fromkeys(pictures, scale), out: scale * stride}
    exits = (tensor for tensor in made.values() if _leaves(graph, tensor, made))
    return Region(batch, chain_pitch(windows), tuple(made), scales, tuple(exits)) if windows else None


def row_window(graph: Graph, layer: Windowed, scale: int = 1) -> RowWindow:
    """The windows of a layer along rows."""
    width, outputs = source_type(graph, layer).shape[3], result_type(graph, layer).shape[3]
    reach = window_reach(layer.kernel, layer.dilation)[1]
    return RowWindow(width, reach, layer.stride[1], layer.pad_begin[1], outputs, scale)


def _pictures(graph: Graph, layer: ir.Layer, scales: Mapping[str, int], batch: int) -> dict[str, int]:
    """What of a region, or of pictures that enter it, a layer reads, with their scales."""
    tensors = operands_of(graph, layer)
    return {t: scales.get(t, 1) for t in tensors if t in scales or _enters(graph, t, batch)}


def _enters(graph: Graph, tensor: str, batch: int) -> bool:
    """Whether a tensor is an input of the network, of so many pictures (0: of any number)."""
    shape = graph.types[tensor].shape
    return tensor in graph.inputs and _are_pictures(shape) and batch in (0, shape[0])


def _leaves(graph: Graph, tensor: str, region: Container[str]) -> bool:
    """Whether the user, or a layer outside of a region, reads a tensor."""
    return tensor in graph.outputs or any(user.name not in region for user, _ in graph.consumers(tensor))


def _are_pictures(shape: tuple[int, ...]) -> bool:
    return len(shape) == 4 and min(shape) > 0


def _fits(graph: Graph, layer: ir.Layer, pictures: Mapping[str, int]) -> bool:
    """Whether a layer can read its pictures, whose scales are given, stitched; all else must be constant."""
    others = [tensor for tensor in operands_of(graph, layer) if tensor not in pictures]
    if not _makes_pictures(graph, layer, pictures) or not all(map(graph.is_constant, others)):
        return False
    match layer:
        case ir.Conv(phase=Phase.WHOLE):
            return _pads_fit(layer) and _conv_fits(graph, layer, pictures)
        case ir.Pool(function=function):  # averages of integers without padding would be rounded twice
            is_exact = function is PoolFunction.MAX or source_type(graph, layer).dtype.is_float
            return _pads_fit(layer) and is_exact
        case ir.Elementwise():
            return _elementwise_fits(graph, layer, pictures, others)
        case ir.Concat(axis=1):
            sizes = {(scale, graph.types[tensor].shape[2:]) for tensor, scale in pictures.items()}
            return not others and len(sizes) == 1
        case _:
            return False


def _makes_pictures(graph: Graph, layer: ir.Layer, pictures: Mapping[str, int]) -> bool:
    """Whether a layer makes pictures, and nothing else, of those of one batch."""
    batches = {graph.types[tensor].shape[0] for tensor in pictures}
    is_single = len(graph.outputs_of(layer.name)) == 1
    return len(batches) == 1 and is_single and _are_pictures(result_type(graph, layer).shape)


def _pads_fit(layer: Windowed) -> bool:
    reaches = window_reach(layer.kernel, layer.dilation)
    begins, ends = zip(layer.pad_begin, reaches, strict=True), layer.pad_end
    return len(layer.kernel) == 2 and all(0 <= pad < reach for pad, reach in begins) and min(ends) >= 0


def _conv_fits(graph: Graph, layer: ir.Conv, pictures: Mapping[str, int]) -> bool:
    """All but features and residual are constants; the residual is as the result."""
    features, weight, bias, residual, *more = (*graph.inputs_of(layer.name), None, None)
    scale = pictures.get(required(features), 0) * layer.stride[1]
    is_residual = residual is None or pictures.get(residual) == scale
    return scale > 0 and is_residual and pictures.keys().isdisjoint((weight, bias, *more))


def _elementwise_fits(
    graph: Graph, layer: ir.Elementwise, pictures: Mapping[str, int], others: Sequence[str]
) -> bool:
    """Pictures of one size, and constants that are the same for all pixels."""
    batch, channels, *size = result_type(graph, layer).shape
    shapes = {(shape[0], *shape[2:]) for shape in (graph.types[tensor].shape for tensor in pictures)}
    are_alike = shapes == {(batch, *size)} and len({*pictures.values()}) == 1
    return are_alike and all(_is_of_channels(graph.types[tensor].shape, channels) for tensor in others)


def _is_of_channels(shape: tuple[int, ...], channels: int) -> bool:
    """Whether a constant of a shape, broadcast to pictures, is one for all pixels of a channel."""
    *rest, outer, channel, height, width = (1, 1, 1, 1, *shape)
    return len(rest) <= 4 and outer == height == width == 1 and channel in (1, channels)

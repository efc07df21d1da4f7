"""Which layers of a network can run on stitched pictures, and at which pitch."""

from __future__ import annotations

from dataclasses import dataclass

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.ir.windows import window_reach
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
    names: list[str] = []
    windows: list[RowWindow] = []
    batch = 0
    for layer in graph.layers():
        entered = dict(scales)
        for tensor in graph.inputs_of(layer.name):
            if tensor in graph.inputs and _is_batch(graph, required(tensor), batch):
                entered.setdefault(required(tensor), 1)
        if not fits(graph, layer, entered):
            continue
        pictures = [t for t in graph.inputs_of(layer.name) if t in entered]
        scale = entered[required(pictures[0])]
        out = graph.output_of(layer.name)
        batch = graph.types[out].shape[0]
        scales |= {required(tensor): scale for tensor in pictures}
        scales[out] = scale
        if isinstance(layer, Windowed):
            windows.append(row_window(graph, layer, scale))
            scales[out] = scale * layer.stride[1]
        names.append(layer.name)
    if not windows:
        return None
    inside = set(names)
    made = [graph.output_of(name) for name in names]
    exits = [
        tensor
        for tensor in made
        if tensor in graph.outputs or any(user.name not in inside for user, _ in graph.consumers(tensor))
    ]
    return Region(batch, chain_pitch(windows), tuple(names), scales, tuple(exits))


def row_window(graph: Graph, layer: Windowed, scale: int = 1) -> RowWindow:
    """The windows of a layer along rows."""
    width = graph.types[required(graph.inputs_of(layer.name)[0])].shape[3]
    outputs = graph.types[graph.output_of(layer.name)].shape[3]
    reach = window_reach(layer.kernel, layer.dilation)[1]
    return RowWindow(width, reach, layer.stride[1], layer.pad_begin[1], outputs, scale)


def _is_batch(graph: Graph, tensor: str, batch: int) -> bool:
    shape = graph.types[tensor].shape
    return len(shape) == 4 and min(shape) > 0 and (batch == 0 or shape[0] == batch)


def fits(graph: Graph, layer: ir.Layer, scales: dict[str, int]) -> bool:
    """Whether a layer can read its pictures, those in `scales`, stitched; all else must be constant."""
    operands = graph.inputs_of(layer.name)
    if not operands or not all(t is None or t in scales or graph.is_constant(t) for t in operands):
        return False
    out = graph.types[graph.output_of(layer.name)].shape if len(graph.outputs_of(layer.name)) == 1 else ()
    if len(out) != 4 or min(out) < 1:
        return False
    pictures = [tensor for tensor in operands if tensor is not None and tensor in scales]
    if not pictures or len({graph.types[tensor].shape[0] for tensor in pictures}) != 1:
        return False
    match layer:
        case ir.Conv():
            return operands[0] in scales and layer.phase is Phase.WHOLE and _conv_fits(graph, layer, scales)
        case ir.Pool():
            return _pads_fit(layer) and _pool_fits(graph, layer)
        case ir.Elementwise():
            return _elementwise_fits(graph, layer, pictures, scales)
        case ir.Concat():
            same = {(scales[t], graph.types[t].shape[2:]) for t in pictures}
            return layer.axis == 1 and len(pictures) == len(operands) and len(same) == 1
        case _:
            return False


def _pads_fit(layer: Windowed) -> bool:
    reaches = window_reach(layer.kernel, layer.dilation)
    begins, ends = zip(layer.pad_begin, reaches, strict=True), layer.pad_end
    return len(layer.kernel) == 2 and all(0 <= pad < reach for pad, reach in begins) and min(ends) >= 0


def _conv_fits(graph: Graph, layer: ir.Conv, scales: dict[str, int]) -> bool:
    """All but features and residual are constants; the residual is as the result."""
    operands = graph.inputs_of(layer.name)
    residual = graph.operand(layer.name, 3)
    if residual is not None:
        scale = scales.get(required(graph.operand(layer.name, 0)), 0) * layer.stride[1]
        if scales.get(residual) != scale:
            return False
    others = [t for slot, t in enumerate(operands) if slot not in (0, 3) and t is not None]
    return _pads_fit(layer) and all(graph.is_constant(tensor) for tensor in others)


def _pool_fits(graph: Graph, layer: ir.Pool) -> bool:
    """Averages of integers that leave padding out would be rounded twice."""
    dtype = graph.types[required(graph.inputs_of(layer.name)[0])].dtype
    return layer.function is PoolFunction.MAX or dtype.is_float


def _elementwise_fits(
    graph: Graph, layer: ir.Elementwise, pictures: list[str], scales: dict[str, int]
) -> bool:
    """Pictures of one size, and constants that are the same for all pixels."""
    out = graph.types[graph.output_of(layer.name)].shape
    if any(graph.types[t].shape[2:] != out[2:] or graph.types[t].shape[0] != out[0] for t in pictures):
        return False
    if len({scales[tensor] for tensor in pictures}) != 1:
        return False
    constants = [t for t in graph.inputs_of(layer.name) if t not in scales]
    shapes = [(1, 1, 1, 1, *graph.types[required(t)].shape) for t in constants]
    return all(
        len(shape) <= 8 and shape[-1] == shape[-2] == 1 and shape[-4] == 1 and shape[-3] in (1, out[1])
        for shape in shapes
    )

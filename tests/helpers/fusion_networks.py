"""Small random networks of windows and forks for tests of fusion, and the rows they need by brute force."""

from __future__ import annotations

import random

import numpy as np
from pass_harness import graph_of

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.fusion.capacity import Capacity
from nnc.compiler.plan.fusion.fused_order import FusedOrder
from nnc.compiler.plan.fusion.structure_cache import StructureCache
from nnc.compiler.plan.network.orders import orders_of
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.isa.chip.description import Chip

CHANNELS = 4


def random_graph(seed: int, layers: int, extent: int = 24) -> Graph:
    """A canonical network: convolutions and pools of random windows, and forks whose branches join again.

    Args:
        seed: of all that is random.
        layers: how many, about.
        extent: rows and columns of the input.
    """
    draw = random.Random(seed)
    lines: list[str] = []
    weights: dict[str, tuple[int, ...]] = {}

    def window(source: str, size: int, kind: str) -> tuple[str, int]:
        """A window of any sort, the name of its result and the extent of that."""
        kernel, stride, dilation = draw.choice([1, 2, 3, 5]), draw.choice([1, 1, 2]), draw.choice([1, 1, 2])
        before, after = (draw.randrange((kernel + 1) // 2) for _ in range(2))
        dilation = dilation if kind == "conv" else 1
        result_size = (size + before + after - (kernel - 1) * dilation - 1) // stride + 1
        if result_size < 6:
            kernel, stride, dilation, before, after, result_size = 1, 1, 1, 0, 0, size
        return layer(source, kind, (kernel, stride, dilation, before, after)), result_size

    def layer(source: str, kind: str, window: tuple[int, int, int, int, int]) -> str:
        kernel, stride, dilation, before, after = window
        name = f"t{len(lines)}"
        attributes = f"kernel_shape=[{kernel},{kernel}], strides=[{stride},{stride}]"
        attributes += f", dilations=[{dilation},{dilation}], pads=[{before},{before},{after},{after}]"
        if kind == "conv":
            weights[f"w{name}"] = (CHANNELS, CHANNELS, kernel, kernel)
        operator = (
            f"Conv<{attributes}>({source}, w{name})" if kind == "conv" else f"MaxPool<{attributes}>({source})"
        )
        lines.append(f"{name} = {operator}")
        return name

    last, size = "x", extent
    while len(lines) < layers:
        if draw.random() < 0.4 and len(lines) + 3 <= layers:
            branches = []
            for _ in range(2):
                half = draw.choice([0, 1, 2])
                kind = "pool" if half and draw.random() < 0.3 else "conv"
                branches.append(layer(last, kind, (2 * half + 1, 1, 1, half, half)))
            if draw.random() < 0.3:
                branches[1] = last
                lines.pop()
            last = f"t{len(lines)}"
            lines.append(f"{last} = Add({', '.join(branches)})")
        else:
            last, size = window(last, size, draw.choice(["conv", "conv", "pool"]))
    ends = f"float[1,{CHANNELS},{extent},{extent}] x", f"float[1,{CHANNELS},{size},{size}] {last}"
    weights = {name: shape for name, shape in weights.items() if f"{name})" in " ".join(lines)}
    return canonicalise(graph_of(f"({ends[0]}) => ({ends[1]}) {{ {' '.join(lines)} }}", weights))


def network_of(graph: Graph) -> PlanNetwork:
    """The network with its layers as they came."""
    return PlanNetwork(graph, orders_of(graph)[0])


def fused_order(network: PlanNetwork, chip: Chip) -> FusedOrder:
    """The order as the search for fused groups needs it."""
    capacity = Capacity.of(chip, network)
    assert isinstance(capacity, Capacity)
    return FusedOrder(0, network, chip, capacity, StructureCache())


def taps(network: PlanNetwork, position: int, slot: int, axis: int, made: set[int]) -> set[int]:
    """Rows (axis 2) or columns (axis 3) of an operand that some of a layer's result need, tap by tap."""
    layer, at = network.layers[position], axis - 2
    if slot != 0 or not isinstance(layer, ir.Conv | ir.Pool):
        return set(made)
    operand = network.graph.operand(layer.name, slot)
    assert operand is not None
    extent = network.graph.types[operand].shape[axis]
    dilation = layer.dilation[at] if isinstance(layer, ir.Conv) else 1
    found = {
        index * layer.stride[at] - layer.pad_begin[at] + tap * dilation
        for index in made
        for tap in range(layer.kernel[at])
    }
    return {index for index in found if 0 <= index < extent}


def rows(low: np.ndarray, high: np.ndarray, part: int) -> set[int]:
    """Rows of one part."""
    return set(range(int(low[part]), int(high[part])))


def needed_rows(network: PlanNetwork) -> dict[str, set[int]]:
    """Rows of every tensor that somebody needs, upstream from the last result, window by window.

    Between the taps of a dilated window all rows count: a tile holds them all.
    """
    last = network.defines[-1]
    wanted: dict[str, set[int]] = {last: set(range(network.buffers[last].rows))}
    for position in range(len(network.layers) - 1, -1, -1):
        made = wanted[network.defines[position]]
        for slot, tensor in network.operands[position]:
            wanted.setdefault(tensor, set()).update(*(window(network, position, slot, row) for row in made))
    return wanted


def window(network: PlanNetwork, position: int, slot: int, row: int) -> set[int]:
    """Rows of an operand from the first to the last tap of one row of a layer's result."""
    layer = network.layers[position]
    if slot != 0 or not isinstance(layer, ir.Conv | ir.Pool):
        return {row}
    operand = network.graph.operand(layer.name, slot)
    assert operand is not None
    dilation = layer.dilation[0] if isinstance(layer, ir.Conv) else 1
    first = row * layer.stride[0] - layer.pad_begin[0]
    end = first + (layer.kernel[0] - 1) * dilation + 1
    return set(range(max(first, 0), min(end, network.graph.types[operand].shape[2])))

"""Physical limits of a network on a chip: DRAM bytes, MAC cycles, DRAM cycles.

All sees only the imported network and the chip, never a plan, so that no plan can move its own yardstick.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from math import prod

import networkx as nx
import numpy as np

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Gather, Layer, MatMul, SpatialMacLayer
from nnc.compiler.ir.required import required
from nnc.compiler.target import layer_traits, layer_work
from nnc.isa.chip.description import Chip
from nnc.isa.integers import ceil_div
from nnc.isa.types import DType


@dataclass(frozen=True, slots=True)
class Floors:
    """Limits that no schedule can beat.

    Attributes:
        dram_bytes: every used parameter (affine layers folded), network input and network output once.
        macs: multiply-accumulates of the network.
        peak_cycles: MACs over the peak MACs per cycle of all cores.
        compute_cycles: cycles of all layers, each as one tile, over the cores (no issue cost, no epilogues).
        dram_cycles: dram_bytes over the DRAM's bytes per cycle.
    """

    dram_bytes: int
    macs: int
    peak_cycles: int
    compute_cycles: int
    dram_cycles: int

    @property
    def cycles(self) -> int:
        """The larger of the compute floor and the DRAM floor."""
        return max(self.compute_cycles, self.dram_cycles)


def floors(folded: Graph, canonical: Graph, chip: Chip) -> Floors:
    """The limits of a network.

    Args:
        folded: the network with scales and shifts folded into weights, and nothing else: decides bytes.
        canonical: the same network with epilogues fused: decides cycles.
        chip: the target.
    """
    dram = floor_bytes(folded)
    peak, cycles, macs = 0, 0, 0
    for layer in canonical.layers():
        if layer.is_view or layer_traits.is_row_gather(layer):
            continue
        work = layer_work.macs(canonical, layer)
        macs += work
        cycles += _layer_cycles(canonical, chip, layer)
        peak += ceil_div(work, layer_work.peak_macs(chip, _rate_dtype(canonical, layer)) * chip.cores)
    return Floors(
        dram_bytes=dram,
        macs=macs,
        peak_cycles=peak,
        compute_cycles=ceil_div(cycles, chip.cores),
        dram_cycles=ceil_div(dram, chip.dram.bytes_per_cycle),
    )


def ordered_floor(canonical: Graph, chip: Chip) -> int:
    """Least cycles of a network on a chip whose memories are finite, in any order of work.

    When the last tile of a layer is done, so are all layers above it.  The products right below it may have
    used some of their weights for partial sums; those further below wait for whole sums, and need all of
    their weights: no more of these is on chip than the memories of all cores hold, the rest is still to come.
    """
    dag = canonical.layer_dag()
    layers = {layer.name: layer for layer in canonical.layers()}
    cycles = {n: 0 if x.is_view else _layer_cycles(canonical, chip, x) for n, x in layers.items()}
    weights = {name: weight for name in layers if (weight := _weight_of_all_tiles(canonical, name))}
    room = chip.cores * sum(memory.bytes for memory in chip.memory.values())
    least = 0
    for name in dag:
        before = cycles[name] + sum(cycles[other] for other in nx.ancestors(dag, name))
        begun = _next_products(dag, name, weights)
        needed = {weights[n] for n in nx.descendants(dag, name) if n in weights and n not in begun}
        nbytes = sum(canonical.types[tensor].nbytes for tensor in needed)
        rest = max(0, nbytes - room) // chip.dram.bytes_per_cycle
        least = max(least, before // chip.cores + rest)
    return least


def _next_products(dag: nx.DiGraph[str], name: str, weights: Container[str]) -> set[str]:
    """Layers with weights below a layer that are on a path with no other such layer before them."""
    found, seen, todo = set(), {name}, list(dag.successors(name))
    while todo:
        other = todo.pop()
        if other in seen:
            continue
        seen.add(other)
        if other in weights:
            found.add(other)
        else:
            todo += dag.successors(other)
    return found


def _weight_of_all_tiles(graph: Graph, name: str) -> str | None:
    """The constant of which every position of a layer's result needs all; None if there is none."""
    layer, inputs = graph.layer(name), graph.inputs_of(name)
    if not isinstance(layer, MatMul | SpatialMacLayer) or getattr(layer, "groups", 1) > 1:
        return None
    return inputs[1] if inputs[1] in graph.constants else None


def _layer_cycles(graph: Graph, chip: Chip, layer: Layer) -> int:
    """Cycles of a layer as one tile on one core; none if the DMA engine does it."""
    if layer_traits.is_row_gather(layer):
        return 0
    inputs = graph.inputs_of(layer.name)
    shapes = tuple(None if t is None else graph.types[t].shape for t in inputs)
    out = graph.types[graph.output_of(layer.name)]
    return layer_work.work_cycles(chip, layer, out.shape, shapes, _rate_dtype(graph, layer))


def _rate_dtype(graph: Graph, layer: Layer) -> DType:
    operands = [None if t is None else graph.types[t] for t in graph.inputs_of(layer.name)]
    return layer_work.rate_dtype(layer, graph.types[graph.output_of(layer.name)], operands)


def floor_bytes(folded: Graph) -> int:
    """Least DRAM traffic of a network, in bytes: parameters, inputs and outputs, once and unpadded."""
    total = sum(folded.types[t].nbytes for t in (*folded.inputs, *folded.outputs))
    readers: dict[str, list[tuple[Layer, int]]] = {}
    for layer in folded.layers():
        for slot, tensor in enumerate(folded.inputs_of(layer.name)):
            if tensor in folded.constants:
                readers.setdefault(required(tensor), []).append((layer, slot))
    return total + sum(_used_bytes(folded, tensor, users) for tensor, users in readers.items())


def _used_bytes(graph: Graph, tensor: str, users: list[tuple[Layer, int]]) -> int:
    """Bytes of a constant that its readers can touch: of an embedding table the rows that are used."""
    type_ = graph.types[tensor]
    rows = 0
    for layer, slot in users:
        if not (isinstance(layer, Gather) and slot == 0):
            return type_.nbytes
        index = required(graph.inputs_of(layer.name)[1])
        if index in graph.constants:
            rows += len(np.unique(graph.constants[index]))
        else:
            rows += prod(graph.types[index].shape)
    axis = users[0][0].axis if isinstance(users[0][0], Gather) else 0
    return type_.nbytes // type_.shape[axis] * min(rows, type_.shape[axis])

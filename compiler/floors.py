"""Physical limits of a network on a chip: DRAM bytes, MAC cycles, DRAM cycles.

All sees only the network and the chip, never a plan, so that no plan can move its own yardstick; and all are
bounds: no program comes out below them, however it is cut.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

import networkx as nx

from nnc.compiler import masks
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.masks import Mask
from nnc.compiler.needed_elements import delivered_elements, needed_elements
from nnc.compiler.needed_work import least_function_cycles, operations, products_of
from nnc.compiler.target import layer_traits, layer_work
from nnc.isa.chip.description import Chip
from nnc.isa.integers import ceil_div

_MOVES = (ir.Copy, ir.Pad, ir.Gather, ir.GatherElements, ir.Scatter)
"""Layers that a transfer or a view may do instead: they take no cycles for sure."""


@dataclass(frozen=True, slots=True)
class Floors:
    """Limits that no schedule can beat.

    Attributes:
        dram_bytes: every element of parameters (affine layers folded) and network inputs that is needed, and
            every element of network outputs, once.
        macs: multiply-accumulates that the outputs depend on, none of them on padding.
        peak_cycles: these over the peak MACs per cycle of all cores.
        compute_cycles: least cycles of all layers, over the cores (no issue cost).
        dram_cycles: dram_bytes over the DRAM's bytes per cycle; or what is read, or written, over those that
            the DMA engines of all cores can move on chip, if these are slower.
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
    read, written = _read_and_written(folded)
    limits = layer_floors(canonical, chip).values()
    return Floors(
        dram_bytes=read + written,
        macs=sum(limit.macs for limit in limits),
        peak_cycles=ceil_div(sum(limit.peak_cycles for limit in limits), chip.cores),
        compute_cycles=ceil_div(sum(limit.cycles for limit in limits), chip.cores),
        dram_cycles=_transfer_cycles(chip, read, written),
    )


@dataclass(frozen=True, slots=True)
class LayerFloor:
    """Limits of one layer on one core.

    Attributes:
        macs: needed multiply-accumulates; peak_cycles: theirs at the peak rate.
        cycles: the least in any tiles, without issue cost.
    """

    macs: int = 0
    peak_cycles: int = 0
    cycles: int = 0


def layer_floors(canonical: Graph, chip: Chip) -> dict[str, LayerFloor]:
    """The limits of every layer of a network by name; those of the network are their sums over the cores."""
    needed, plain = needed_elements(canonical), _without_waste(chip)
    limits = {}
    for layer in canonical.layers():
        out = needed.get(canonical.output_of(layer.name))
        if layer.is_view or layer_traits.is_read_engine(layer):
            limits[layer.name] = LayerFloor()
            continue
        cycles = _layer_cycles(canonical, chip, plain, layer, out)
        if isinstance(layer, ir.MacLayer | ir.Recurrence) and out is not None:
            products = products_of(canonical, layer, out)
            limits[layer.name] = LayerFloor(products.count, products.peak_cycles(chip), cycles)
        else:
            limits[layer.name] = LayerFloor(cycles=cycles)
    return limits


def ordered_floor(canonical: Graph, chip: Chip) -> int:
    """Least cycles of a network on a chip whose memories are finite, in any order of work.

    When the last tile of a layer is done, so are all layers above it.  The products right below it may have
    used some of their weights for partial sums; those further below wait for whole sums, and need all of
    their weights: no more of these is on chip than the memories of all cores hold, the rest is still to come.
    """
    dag, needed = canonical.layer_dag(), needed_elements(canonical)
    outs = {layer.name: needed.get(canonical.output_of(layer.name)) for layer in canonical.layers()}
    plain = _without_waste(chip)
    cycles = {n: _layer_cycles(canonical, chip, plain, canonical.layer(n), out) for n, out in outs.items()}
    weights = {name: weight for name in outs if (weight := _weight_of_all_tiles(canonical, name))}
    room = chip.cores * sum(memory.bytes for memory in chip.memory.values())
    least = 0
    for name in dag:
        before = cycles[name] + sum(cycles[ancestor] for ancestor in nx.ancestors(dag, name))
        begun = _next_products(dag, name, weights)
        used = {weights[n] for n in nx.descendants(dag, name) if n in weights and n not in begun}
        nbytes = sum(_needed_bytes(canonical, tensor, needed.get(tensor)) for tensor in used)
        rest = max(0, nbytes - room) // chip.dram.bytes_per_cycle
        least = max(least, before // chip.cores + rest)
    return least


def _next_products(dag: nx.DiGraph[str], name: str, weights: Container[str]) -> set[str]:
    """Layers with weights below a layer that are on a path with no other such layer before them."""
    products, seen, todo = set(), {name}, list(dag.successors(name))
    while todo:
        successor = todo.pop()
        if successor in seen:
            continue
        seen.add(successor)
        if successor in weights:
            products.add(successor)
        else:
            todo += dag.successors(successor)
    return products


def _weight_of_all_tiles(graph: Graph, name: str) -> str | None:
    """The constant of which every position of a layer's result needs all; None if there is none."""
    layer, inputs = graph.layer(name), graph.inputs_of(name)
    if not isinstance(layer, ir.MacLayer) or getattr(layer, "groups", 1) > 1:
        return None
    return inputs[1] if inputs[1] in graph.constants else None


# --- bytes -------------------------------------------------------------------------------------------------


def floor_bytes(folded: Graph) -> int:
    """Least DRAM traffic of a network, in bytes: what is needed of parameters and inputs, and the outputs.

    Each element once and unpadded.  Where the values of an index decide what is read of a table, as many rows
    count as it has entries.
    """
    return sum(_read_and_written(folded))


def _read_and_written(folded: Graph) -> tuple[int, int]:
    """Least bytes that are read from the DRAM, and that are written to it."""
    needed = needed_elements(folded)
    read = sum(_needed_bytes(folded, t, needed.get(t)) for t in (*folded.inputs, *folded.constants))
    return read, sum(_needed_bytes(folded, t, mask) for t, mask in delivered_elements(folded).items())


def _transfer_cycles(chip: Chip, read: int, written: int) -> int:
    """Least cycles of transfers: of the DRAM, and of a read and a write engine on every core."""
    engines = ceil_div(max(read, written), chip.cores * chip.dma.move_bytes_per_cycle)
    return max(ceil_div(read + written, chip.dram.bytes_per_cycle), engines)


def _needed_bytes(graph: Graph, tensor: str, mask: Mask | None) -> int:
    return 0 if mask is None else masks.count(mask) * graph.types[tensor].dtype.itemsize


# --- cycles ------------------------------------------------------------------------------------------------


def _layer_cycles(graph: Graph, chip: Chip, plain: Chip, layer: ir.Layer, out: Mask | None) -> int:
    """Least cycles of a layer on one core, in any tiles.

    Args:
        plain: the chip without waste; out: which elements of the layer's result are needed.
    """
    if out is None or layer.is_view or isinstance(layer, _MOVES):
        return 0
    if isinstance(layer, ir.Recurrence):
        functions = least_function_cycles(chip, graph, layer, out)
        return products_of(graph, layer, out).least_cycles(chip) + functions
    if isinstance(layer, ir.MacLayer):
        return products_of(graph, layer, out).least_cycles(chip)
    above = graph.producer(required(graph.inputs_of(layer.name)[0]))
    if isinstance(layer, ir.Reduce) and isinstance(above, ir.Reduce):
        return 0  # two folds in a row take no more operations than one, which the first counts
    whole = layer_work.work_cycles(plain, layer, *layer_work.whole_blocks(graph, layer))
    source = graph.types[required(graph.inputs_of(layer.name)[0])].shape
    return whole * operations(layer, out, source) // max(1, operations(layer, masks.whole(out.shape)))


def _without_waste(chip: Chip) -> Chip:
    """The chip with words of one byte, and lanes that run along anything: operations at their rate alone."""
    memory = {name: memory.model_copy(update={"word": 1}) for name, memory in chip.memory.items()}
    compute = chip.compute.model_copy(update={"map": "channels"})
    return chip.model_copy(update={"memory": memory, "compute": compute})

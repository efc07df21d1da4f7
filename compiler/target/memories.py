"""Where tiles lie on chip, and by which memory their data comes and goes.

An operand has a *home*: the memory that the chip prefers for it.  A load brings data to a memory that the
read engine reaches; where that is not the home, a copy (the compute engine's) takes it from there:

    [operands.conv] feature = ["sm"]      [operands.dma] feature = ["am"]

    load am+0x0 <- dram;  copy sm+0x0 <- am+0x0;  conv … <- sm+0x0
"""

from __future__ import annotations

from dataclasses import replace

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.target import layer_traits, layer_work
from nnc.isa.chip.description import DMA, Chip
from nnc.isa.operand import Operand


def operand_homes(chip: Chip, graph: Graph, layer: ir.Layer, slot: int) -> tuple[str, ...]:
    """The memories that an operand of a layer may lie in, the preferred one first."""
    if layer_traits.is_row_gather(layer):  # the read engine's own work: it reads the index
        return chip.placement(DMA, "feature").memories
    return chip.placement(layer_traits.family(graph, layer), layer_traits.slot_role(layer, slot)).memories


def result_home(chip: Chip, graph: Graph, layer: ir.Layer) -> str:
    """The memory in which a layer leaves its result."""
    if isinstance(layer, ir.Fill):
        return landing(chip, chip.placement("default", "result").memories[0])
    home = layer_traits.memory_for(chip, graph, layer, "result")
    return landing(chip, home) if layer_traits.is_row_gather(layer) else home


def sums_in_place(chip: Chip, graph: Graph, layer: ir.Layer) -> bool:
    """Whether a result takes the place of its partial sums: of one type and layout, stored from there."""
    home = layer_traits.memory_for(chip, graph, layer, "accumulator")
    return (
        isinstance(layer, ir.MacLayer)
        and chip.transfer_unit == 1
        and graph.types[graph.output_of(layer.name)].dtype is layer_traits.sums_dtype(graph, layer)
        and home == result_home(chip, graph, layer) == chip.departure(home)
    )


def landing(chip: Chip, home: str) -> str:
    """The memory in which a load for an operand arrives."""
    return required(chip.landing(home))


def departure(chip: Chip, home: str) -> str:
    """The memory from which a result is stored."""
    return required(chip.departure(home))


def copy_cycles(chip: Chip, tile: Operand, memory: str) -> int:
    """Cycles of a copy of a tile to another memory of the core, issue cost included."""
    return layer_work.tile_cycles(chip, _COPY, replace(tile, memory=memory), [tile])


_COPY = ir.Copy(name="", loc=ir.Loc("", ""))

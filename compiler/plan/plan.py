"""What the planner decides: groups with their tiling, and the steps with every address (`Plan`).

The passes group, partition, map and place materialise these decisions in the graph, one level at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from nnc.compiler.ir.annotations import GroupKind, Piece, Place
from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.layers import Layer
from nnc.compiler.ir.storage import ordered_strides, storage_order
from nnc.compiler.plan.tiling.core_split import Split
from nnc.isa.program import Wait


@dataclass(frozen=True, slots=True)
class Tiling:
    """How one layer is cut.

    Attributes:
        tile: largest extents of an output tile, per output axis.
        loops: output axes in the order of the loops over tiles, outermost first.
        chunk: extent of a chunk of the summed (K) axis; None if it is whole.
        double_buffer: whether the next part is loaded while this one computes.
        reason: why this cut, in words.
        split: how cores share the layer; None if core 0 works alone.
    """

    tile: tuple[int, ...]
    loops: tuple[int, ...]
    chunk: int | None
    double_buffer: bool
    reason: str
    split: Split | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """Bytes of a memory that are allocated and freed together; tiles are boxes inside blocks."""

    name: str
    memory: str
    nbytes: int


@dataclass(frozen=True, slots=True)
class Tile:
    """A block on chip: a box of a network tensor, or partial sums.

    Attributes:
        name: unique; names the tensor in the partitioned graph.
        tensor: the network tensor (or constant) it is a box of; partial sums name the result.
        low: first element of the box, per axis of the tensor.
        type: element type and shape of the box.
        block: the bytes that hold it; `offset` and `strides` (elements) say where in them.
    """

    name: str
    tensor: str
    low: tuple[int, ...]
    type: TensorType
    block: Block
    offset: int
    strides: tuple[int, ...]

    @staticmethod
    def dense(
        name: str, tensor: str, low: tuple[int, ...], type_: TensorType, order: tuple[int, ...], memory: str
    ) -> Tile:
        """A tile that fills a block of its own, axes nested in `order` (outermost first)."""
        block = Block(name, memory, type_.nbytes)
        return Tile(name, tensor, low, type_, block, 0, ordered_strides(type_.shape, order))

    @property
    def order(self) -> tuple[int, ...]:
        """Axes from outermost to innermost as they nest in memory."""
        return storage_order(self.type.shape, self.strides)


class StepKind(Enum):
    """What a step does; all but views become one instruction each."""

    LOAD = "load"
    LOAD_ROWS = "load_rows"
    COMPUTE = "compute"
    STORE = "store"
    VIEW = "view"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the schedule of a group.

    Attributes:
        kind: load (tile `out` from its tensor), load_rows (rows of data named by ins[0]), compute
            (the tile layer `layer`), store (tile ins[0] to its tensor), or view (`layer` only names bytes
            on chip again: joins of tiles that lie side by side, slices; it costs nothing).
        group, part, core: where it belongs.
        layer: the layer of the tile for compute, view and load_rows, else the layer of the network.
        out: the tile that is defined; None for stores.
        ins: tiles by operand slot; None where an optional operand is absent.
        receivers: cores that a load is broadcast to; none for a load to its own core.
        others: the same step on other cores (see `lockstep`), until the plan is complete.
    """

    kind: StepKind
    group: int
    part: int
    core: int
    layer: Layer
    out: Tile | None
    ins: tuple[Tile | None, ...]
    receivers: tuple[int, ...] = ()
    others: tuple[Step, ...] = ()

    def at(self, group: int, part: int) -> Step:
        """The same step of a core in another group and part."""
        return Step(self.kind, group, part, self.core, self.layer, self.out, self.ins, self.receivers)

    def in_group(self, group: int) -> Step:
        """The same step of all its cores in another group."""
        others = tuple(other.in_group(group) for other in self.others)
        return replace(self.at(group, self.part), others=others) if others else self.at(group, self.part)


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the planner expects of a group: cycles until it ends since the group before, DRAM bytes."""

    cycles: int
    dram_bytes: int
    compute_cycles: int


@dataclass(frozen=True, slots=True)
class GroupPlan:
    """A layer group and how it is partitioned.

    Attributes:
        layers, views: layers that compute, in order, and views that belong to them.
        parts, axis: number of partial networks and the axes that are cut, in words.
        cores, core_reason: which cores work on it, and why.
        reason: why it is cut like this and ends where it ends.
        steps: in the order of demand: every load right before its first use.
    """

    index: int
    kind: GroupKind
    layers: tuple[str, ...]
    views: tuple[str, ...]
    parts: int
    axis: str
    cores: tuple[int, ...]
    core_reason: str
    reason: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """How a memory is used over a whole program: highest byte in use, and most bytes alive at one step."""

    peak: int
    live: int

    @property
    def fragmentation(self) -> float:
        """Share of the peak that is in no tile's use even when most is alive; 0: the peak is optimal."""
        return 1.0 - self.live / self.peak if self.peak else 0.0


@dataclass(frozen=True)
class Plan:
    """All decisions for a network on a chip.

    Attributes:
        groups: in order of execution.
        order: the steps of all groups in the order of issue (loads ahead of their use).
        places: where every tile lies, by tile name.
        memory_peak: per group, bytes in use at the most by memory.
        memory_use: per memory, over all groups.
        pieces: address in DRAM of every packed piece of a constant.
        buffers: address in DRAM of every buffer of activations.
        constant_bytes: size of the constant region at the start of DRAM.
        dram_bytes: all the DRAM that is used.
        predictions: per group, in order.
        waits: of every step that becomes an instruction, in the order of issue.
        cycles: predicted cycles of the whole program.
    """

    groups: tuple[GroupPlan, ...]
    order: tuple[Step, ...]
    places: dict[str, Place]
    memory_peak: tuple[dict[str, int], ...]
    memory_use: dict[str, MemoryUse]
    pieces: dict[Piece, int]
    buffers: dict[str, int]
    constant_bytes: int
    dram_bytes: int
    predictions: tuple[Prediction, ...]
    waits: tuple[tuple[Wait, ...], ...]
    cycles: int

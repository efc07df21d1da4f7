"""Steps of a group, and the tiles and blocks that they work on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.layers import Layer
from nnc.compiler.ir.storage import ordered_strides, storage_order


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

"""The levels of a graph, and what those after `canonical` add: groups, parts, cores, order, places, waits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from math import prod
from typing import NamedTuple

from nnc.compiler.ir.conv_buffers import ConvBuffers
from nnc.compiler.ir.read_only_tables import ReadOnlyTables
from nnc.compiler.ir.storage import ordered_strides
from nnc.isa.integers import round_up
from nnc.isa.program import Wait
from nnc.isa.record import record


class Level(StrEnum):
    """How far a graph has come: each level is named after the step that reaches it (`dump-ir --stage`)."""

    IMPORT = "import"
    CANONICAL = "canonical"
    GROUP = "group"
    PARTITION = "partition"
    MAP = "map"
    PLACE = "place"


class GroupKind(Enum):
    """M1's patterns of layer groups."""

    SERIAL = "serial"
    INVERSE_Y = "inverse-y"
    RESIDUAL = "residual"
    MIXED = "mixed"
    SINGLE = "single"


@dataclass(frozen=True, slots=True)
class GroupEnd:
    """Why a group ends where it ends.

    Attributes:
        next_layer: in the order of the search; empty if the network ends.
        cut: in which the group was weighed with it, in words; empty if it was not.
        what: what does not fit, or cannot be done, in words; empty if only the cost speaks against it.
        demand, bound: what that needs and has; both 0 where nothing can be counted.
        unit: of these: bytes or layers.
        dram_bytes, cycles: of the group with the next layer, and without it; None where it cannot be.
    """

    next_layer: str = ""
    cut: str = ""
    what: str = ""
    demand: int = 0
    bound: int = 0
    unit: str = "bytes"
    dram_bytes: tuple[int, int] | None = None
    cycles: tuple[int, int] | None = None

    def __str__(self) -> str:
        if not self.next_layer:
            return "the network ends"
        said = f"next is {self.next_layer}"
        if self.dram_bytes is None or self.cycles is None:
            counted = f": {self.demand} needed, {self.bound} available" if self.demand or self.bound else ""
            return "; ".join((said, f"{self.cut}: {self.what}{counted}" if self.cut else self.what + counted))
        return (
            f"{said}; with it, {self.cut}: {self.dram_bytes[0]} B of DRAM traffic and {self.cycles[0]} cycles"
            f", without it {self.dram_bytes[1]} B and {self.cycles[1]} cycles; the cheapest sequence has it"
            " elsewhere"
        )


@dataclass(frozen=True, slots=True)
class Group:
    """A layer group of the network (level `group`).

    Attributes:
        index: number in the order of execution.
        kind: M1's pattern.
        layers: layers that compute, in order.
        views: layers that only rename bytes, and cost nothing.
        parts: number of partial networks P.
        axis: the axes that are cut, in words.
        cores: cores that work on it.
        reason: why it is cut like this; ends: why the next layer is not in it, None until that is known.
        finds, leaves: what is on chip when it starts and when it ends, in words, buffers by their names.
        buffers: those of a convolution with two fixed buffers of rows (M3).
        cycles, dram_bytes: the planner's prediction, once all groups are scheduled.
        memory_peak: bytes in use at the most, by memory, once all groups are placed.
    """

    index: int
    kind: GroupKind
    layers: tuple[str, ...]
    views: tuple[str, ...]
    parts: int
    axis: str
    cores: tuple[int, ...]
    reason: str
    ends: GroupEnd | None = None
    finds: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()
    buffers: ConvBuffers | None = None
    cycles: int = 0
    dram_bytes: int = 0
    memory_peak: tuple[tuple[str, int], ...] = ()


@record(frozen=True, slots=True)
class PartOf:
    """Where a node of a partitioned graph belongs (level `partition`; cores, from level `map` on).

    Attributes:
        core: the core that does it; reason: why.
        receivers: cores that a load is broadcast to; none for a load to its own core.
    """

    group: int
    part: int
    core: int | None = None
    reason: str = ""
    receivers: tuple[int, ...] = ()


class Issue(NamedTuple):
    """One place in the order of issue: a node, or the write of operand `slot` of a join.

    Places and pieces are keys all the time: tuples are hashed and compared without a call of Python.
    """

    node: str
    slot: int | None = None


@record(frozen=True, slots=True)
class TileBox:
    """Of what a tile is a box: a tensor of the network, and its first element there.

    Partial sums are boxes of the result.
    """

    tensor: str
    low: tuple[int, ...]


class Piece(NamedTuple):
    """A box of a constant as it is packed in DRAM: axes nested in `order` (outermost first).

    Attributes:
        row: elements from one step along the outermost axis to the next; 0 if there are no gaps.
    """

    constant: str
    low: tuple[int, ...]
    shape: tuple[int, ...]
    order: tuple[int, ...]
    row: int = 0

    @staticmethod
    def table(constant: str, shape: tuple[int, ...], unit: int) -> Piece:
        """A whole constant in row-major order, its rows in multiples of `unit` elements."""
        row, axes = prod(shape[1:]), tuple(range(len(shape)))
        gaps = 0 if row % unit == 0 else round_up(row, unit)
        return Piece(constant, (0,) * len(shape), shape, axes, gaps)

    @property
    def strides(self) -> tuple[int, ...]:
        """Distances along its axes, in elements, in the order of the constant's axes."""
        strides = ordered_strides(self.shape, self.order)
        if not self.row:
            return strides
        outermost = self.order[0]
        return (*strides[:outermost], self.row, *strides[outermost + 1 :])

    @property
    def elements(self) -> int:
        """Elements that it takes, gaps included."""
        return self.row * self.shape[self.order[0]] if self.row else prod(self.shape)


@record(frozen=True, slots=True)
class Place:
    """Address of a tile in its memory (bytes) and its lifetime in the order of issue (inclusive)."""

    memory: str
    address: int
    nbytes: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class GroupCopy:
    """A group that differs from another one in names alone: its layers stay whole (level `partition`).

    Its instructions are those of the other, which move other tensors.

    Attributes:
        group: its number; leader: the number of the other.
        tensors: of the network, its own by those of the leader; buffers are among them.
        nodes: the same of the nodes of the model.
        issued_at: places of its instructions in the order of issue of the whole program.
        waits: of each of them.
    """

    group: int
    leader: int
    tensors: Mapping[str, str]
    nodes: Mapping[str, str]
    issued_at: Sequence[int]
    waits: Sequence[tuple[Wait, ...]]


@dataclass(frozen=True, slots=True)
class StitchedLayer:
    """A convolution or pool on stitched pictures (method M4).

    Attributes:
        layer: its name in the network.
        pictures: side by side; a last stitch may have fewer.
        pitch: columns from one picture to the next; width: of a picture.
        merged: whether its rows follow each other as one run of pixels.
        vectors: of lanes, per tap and channel; unstitched: those of as many pictures one by one.
        utilisation: share of the lanes that compute outputs of pictures.
        macs: multiply-accumulates of a stitch; 0 for pools.
    """

    layer: str
    pictures: int
    pitch: int
    width: int
    merged: bool
    vectors: int
    unstitched: int
    utilisation: float
    macs: int = 0

    def __str__(self) -> str:
        rows, gap = "merged" if self.merged else "apart", self.pitch - self.width
        pictures = "1 picture" if self.pictures == 1 else f"{self.pictures} pictures"
        return (
            f"stitch {pictures}, pitch {self.pitch} = {self.width}+{gap}, rows {rows}, "
            f"{self.vectors} vectors (unstitched {self.unstitched}), utilisation {self.utilisation:.3f}"
        )


@dataclass(frozen=True, slots=True)
class Stitching:
    """How pictures are stitched.

    Attributes:
        pictures: at most so many side by side; 0: none are stitched.
        layers: what that comes to.
    """

    pictures: int = 0
    layers: tuple[StitchedLayer, ...] = ()


@dataclass(frozen=True, slots=True)
class Padding:
    """Elements of a tensor that are none of the network's: seen in `shape`, those from `low` to the end."""

    shape: tuple[int, ...]
    low: tuple[int, ...]

    @property
    def extents(self) -> tuple[int, ...]:
        """Of the box that is padding."""
        return tuple(extent - low for extent, low in zip(self.shape, self.low, strict=True))


@dataclass(frozen=True)
class Annotations(ReadOnlyTables):
    """All annotations of a graph; each level fills in more (`dataclasses.replace`), and none is changed.

    Attributes:
        level: the last level that was reached; whoever runs a step of the pipeline notes it.
        not_quantised: layers of a quantised network that stay layers of real numbers, and why.
        stitch: how pictures of a batch are stitched, once they are.
        apart: the tensor up to which every picture has layers of its own, once it has; "": none.
        transfer_unit: level `canonical`: bytes in whole multiples of which storage is moved.
        padding: of which tensors and constants some elements are none of the network's (pad channels, M5).
        groups: level `group`.
        part_of, order: level `partition`: where nodes belong, and in which order they are issued.
        boxes: level `partition`: of what every tile is a box, by tensor.
        copies: level `partition`: groups that other nodes stand for.
        issued_at: level `partition`: with copies, of everything in `order` its place in the whole program.
        places: level `place`: where tiles lie on chip, by tensor.
        waits: level `place`: what must have completed before an instruction starts, by place in the order.
        pieces, buffers: level `place`: DRAM addresses of packed constants and of activation buffers.
        constant_bytes, dram_bytes: level `place`: size of the constant region, and of all DRAM in use.
    """

    level: Level = Level.IMPORT
    not_quantised: Mapping[str, str] = field(default_factory=dict)
    stitch: Stitching = Stitching()
    apart: str = ""
    transfer_unit: int = 1
    padding: Mapping[str, Padding] = field(default_factory=dict)
    groups: tuple[Group, ...] = ()
    part_of: Mapping[str, PartOf] = field(default_factory=dict)
    order: tuple[Issue, ...] = ()
    boxes: Mapping[str, TileBox] = field(default_factory=dict)
    copies: tuple[GroupCopy, ...] = ()
    issued_at: Sequence[int] = ()
    places: Mapping[str, Place] = field(default_factory=dict)
    waits: Mapping[Issue, tuple[Wait, ...]] = field(default_factory=dict)
    pieces: Mapping[Piece, int] = field(default_factory=dict)
    buffers: Mapping[str, int] = field(default_factory=dict)
    constant_bytes: int = 0
    dram_bytes: int = 0

"""The report: everything that is known of a program and of a run of it, typed, as JSON has it.

``nnc compile --json`` and ``--report``, ``nnc run --json`` and ``--report``, the tables, the page and the
overlays for other viewers are made of this one model; ``nnc schema report`` prints its JSON Schema.

Sums close exactly at every level: instructions, DRAM bytes by cause, busy and waiting cycles, MACs and
operations of the layers of a group are those of the group, as are those of its parts; those of all groups
are those of the network, which are the simulator's.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from nnc.isa.notebook import html_table
from nnc.report.entries import Entry, Estimate, Figures, Floor

SCHEMA = 1
"""Number of the form of the report; it grows when a field changes its meaning or goes."""


class Source(Entry):
    """The model that was compiled."""

    name: str = Field(description="of its graph")
    file: str | None = Field(description="the path that was given; null for a model in memory")
    sha256: str | None = Field(description="of the file or the bytes, without external data")


class ChipInfo(Entry):
    """The chip as it was, overrides applied."""

    name: str
    title: str = Field(description="the name, and what differs from the chip of that name")
    overrides: tuple[str, ...] = Field(description="KEY=VALUE, of --set or found beside the preset")
    description: dict[str, Any] = Field(description="all keys: a chip of `nnc schema chip`")


class Options(Entry):
    """What was asked of the planner; null: what the planner chose or has by default."""

    objective: str
    effort: str
    overlap: str
    split: str
    stitch: str
    conv_buffers: str
    fc_oram: int | None
    softmax: str


class LayerAccuracy(Entry):
    """How far a layer of a quantised network is from the float network's, as `nnc accuracy` measured it."""

    tensor: str = Field(description="of those that the layer computes, the one with most harm of its own")
    own_snr_db: float | None = Field(description="of the layer alone quantised; null: equal")
    cumulative_snr_db: float | None = Field(description="in the whole quantised network; null: equal")
    saturated: float | None = Field(description="share of elements that the integers cannot hold")
    chip_differing: int | None = Field(description="elements that differ on the chip; null: it was not run")


class LayerReport(Entry):
    """A layer of the network as a group executes it, inside of fused groups, too.

    A layer that several groups work on has an entry for each of them.
    """

    id: int
    name: str
    kind: str | None = Field(description="of the canonical network; null from a program alone")
    op: str | None = Field(description="operator of the ONNX node")
    nodes: tuple[str, ...] = Field(description="ONNX nodes that it computes, those fused into it included")
    shape: tuple[int, ...] | None = Field(description="of its result, in elements")
    dtype: str | None
    group: int = Field(description="-1: of no group")
    reads: tuple[int, ...] = Field(
        description="ids of the layers whose results its instructions read; none in a program without notes"
    )
    first_cycle: int = Field(description="issue of its first instruction")
    last_cycle: int = Field(description="completion of its last one")
    bound_by: str = Field(description="where most of its time goes: MAC, vector, issue, or a wait")
    next_limit: str = Field(description="in words: what would have to change for it to be faster")
    floor: Floor
    figures: Figures
    accuracy: LayerAccuracy | None = Field(default=None, description="where nnc accuracy has measured it")


class PartReport(Entry):
    """A part of a group (a partial network of M1)."""

    group: int
    part: int
    first_cycle: int
    last_cycle: int
    figures: Figures


class GroupEndReport(Entry):
    """Why a group ends where it ends, in figures."""

    next_layer: str = Field(description="empty if the network ends")
    cut: str = Field(description="in which the group was weighed with it; empty if it was not")
    what: str = Field(description="what does not fit or cannot be done; empty if only the cost is against it")
    demand: int = Field(description="0 where nothing is counted")
    bound: int
    unit: str = Field(default="bytes", description="of demand and bound: bytes or layers")
    dram_bytes: tuple[int, int] | None = Field(description="with the next layer, and without it")
    cycles: tuple[int, int] | None


class GroupReport(Entry):
    """A layer group."""

    id: int
    kind: str
    layers: tuple[str, ...]
    parts: int
    axis: str | None = Field(description="what is cut; null from a program alone")
    cores: tuple[int, ...]
    reason: str = Field(description="why these layers are one group, cut like this")
    ends_because: str | None = Field(
        description="the next layer, and why it is not in the group: what was refused with demand and bound,"
        " or what it would cost; null from a program alone"
    )
    end: GroupEndReport | None = Field(default=None, description="the same in figures")
    finds: tuple[str, ...] | None = Field(
        default=None,
        description="what is on chip when it starts, buffers by their names; null from a program alone",
    )
    leaves: tuple[str, ...] | None = Field(default=None, description="what is on chip when it ends")
    memory_peak: dict[str, int] = Field(description="highest byte in use, by memory")
    cycles: int = Field(description="from the end of the groups before it to its own; they sum to the run's")
    bound_by: str
    next_limit: str
    estimated: Estimate | None
    floor: Floor
    figures: Figures


class MemoryReport(Entry):
    """An on-chip memory of a core over the whole program."""

    bytes: int
    peak_bytes: int = Field(description="highest byte that is ever in use")
    live_bytes: int = Field(description="most bytes alive at once")
    fragmentation: float = Field(description="share of the peak that is in no block's use then")


class StatesReport(Entry):
    """What a session keeps from run to run.

    Rows that are not there yet are read, too, and weigh nothing: the position masks them.
    """

    count: int
    bytes: int
    rows: int = Field(description="room of those with rows; 0 if none has any")
    new_rows: int = Field(description="that a run adds to each")


class OperationReport(Entry):
    """All instructions of a mnemonic."""

    mnemonic: str
    figures: Figures


class CoreReport(Entry):
    """All instructions of a core."""

    core: int
    idle_cycles: int = Field(description="of its compute engine after its last work")
    figures: Figures


class Network(Entry):
    """The whole program."""

    cycles: int = Field(description="from cycle 0 to the last completion, as simulated")
    predicted_cycles: int | None = Field(description="of the compiler")
    estimated: Estimate | None
    idle_core_cycles: int = Field(
        description="of compute engines after their last work, and of cores without any: with busy and"
        " waiting ones, these are cycles x cores"
    )
    microseconds: float
    bound_by: str
    padding_bytes: int = Field(description="of DRAM tensors that hold no element of the network")
    floor: Floor
    figures: Figures = Field(
        description="of all instructions; static energy is that of all cores in all cycles, idle ones too"
    )


class Timeline(Entry):
    """Ranges of alike instructions, column by column; one instruction each where there are not too many.

    Rows are ordered by core, engine and number.  Those of a range follow each other in the stream of one
    engine.
    """

    core: list[int]
    engine: list[int] = Field(description="0 read, 1 compute, 2 write")
    first: list[int] = Field(description="number of the first instruction in the stream of its engine")
    count: list[int] = Field(description="instructions of the range")
    group: list[int]
    part: list[int]
    layer: list[int] = Field(description="id of the layer")
    mnemonic: list[int] = Field(description="index into mnemonics")
    start: list[int] = Field(description="cycle from which on its engine works on it")
    end: list[int] = Field(description="cycle of its completion")
    busy: list[int] = Field(description="cycles")
    wait: list[int] = Field(description="cycles for which its engine was idle before it")
    waited_for: list[int] = Field(description="index into waits, of the longest wait")
    dram_bytes: list[int]
    mnemonics: list[str]
    waits: list[str]


class Blocks(Entry):
    """What lies where in the memories and when, column by column; alike neighbours may be one row."""

    memory: list[int] = Field(description="index into memories")
    core: list[int]
    low: list[int] = Field(description="first byte")
    high: list[int] = Field(description="one past the last")
    begin: list[int] = Field(description="cycle in which its writer issues")
    end: list[int] = Field(description="cycle in which its last reader completes")
    tensor: list[int] = Field(description="index into tensors")
    group: list[int] = Field(description="of its writer")
    layer: list[int] = Field(description="id of its writer's layer")
    memories: list[str]
    tensors: list[str]


class Details(Entry):
    """What the page needs, and the tables do not."""

    parts: tuple[PartReport, ...]
    timeline: Timeline
    blocks: Blocks


class EngineReport(Entry):
    """An engine of a core."""

    core: int
    engine: str
    instructions: int
    busy_cycles: int = Field(description="with at least one instruction issued and not completed")
    utilisation: float


class RunReport(Entry):
    """A run of the program."""

    outputs: dict[str, Any] = Field(description="by name: the file or null, and figures of the values")
    verified: bool
    jitter: int | None
    wall_seconds: float
    check: dict[str, Any] | None = None


class Report(Entry):
    """A program, and a run of it if there was one."""

    schema_number: int = Field(default=SCHEMA, alias="schema")
    nnc: str = Field(description="version")
    program: str | None = Field(description="file of the program")
    model: Source | None = Field(description="null from a program alone")
    chip: ChipInfo
    options: Options | None
    instructions: dict[str, int] = Field(description="read, compute, write and total")
    network: Network
    groups: tuple[GroupReport, ...]
    layers: tuple[LayerReport, ...]
    operations: tuple[OperationReport, ...]
    cores: tuple[CoreReport, ...]
    memory: dict[str, MemoryReport]
    states: StatesReport | None = None
    engines: tuple[EngineReport, ...]
    buffers: tuple[dict[str, Any], ...] = Field(description="of convolutions with two fixed ones (M3)")
    fc_groups: tuple[dict[str, Any], ...] = Field(description="groups of pixels (M5)")
    stitch: dict[str, Any] | None = Field(description="pictures side by side (M4)")
    quantised: dict[str, Any] | None
    compile_seconds: float | None
    run: RunReport | None = None
    details: Details | None = None

    @property
    def links(self) -> list[tuple[int, int]]:
        """Edges of the graph: pairs of layers by id, the second reads what the first one made."""
        return [(source, layer.id) for layer in self.layers for source in layer.reads]

    @property
    def title(self) -> str:
        """Model or program, and chip."""
        name = self.model.name if self.model is not None else self.program or "program"
        return f"{name} on {self.chip.title}"

    def summary(self) -> list[tuple[str, str]]:
        """Names and figures of the whole: size, time, traffic and energy, beside the known floors."""
        network, moved = self.network, self.network.figures.dram.total_bytes
        cycles = f"{network.cycles:,}{_beside(network.cycles, network.floor.cycles)}"
        rows = [
            ("groups, layers", f"{len(self.groups):,}, {len(self.layers):,}"),
            ("instructions", f"{self.instructions['total']:,}"),
            ("cycles", f"{cycles}, bound by {network.bound_by}"),
            ("DRAM bytes", f"{moved:,}{_beside(moved, network.floor.dram_bytes)}"),
        ]
        for name, memory in self.memory.items():
            rows.append((f"{name} bytes", f"{memory.peak_bytes:,} of {memory.bytes:,}"))
        if network.figures.microjoules is not None:
            rows.append(("energy", f"{network.figures.microjoules:,.4g} uJ"))
        return rows

    def __repr__(self) -> str:
        return f"<Report of {self.title}: {'; '.join(f'{name} {value}' for name, value in self.summary())}>"

    __str__ = __repr__

    def _repr_html_(self) -> str:
        return html_table(self.title, self.summary())


def _beside(value: int, floor: int | None) -> str:
    """`` (1.25 x floor)``."""
    return f" ({value / floor:.2f} x floor)" if floor else ""

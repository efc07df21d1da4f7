"""The difference of two reports, typed, as ``nnc diff --json`` prints it (``nnc schema diff``)."""

from __future__ import annotations

from pydantic import Field, computed_field

from nnc.report.entries import Entry
from nnc.report.schema import Source

SCHEMA = 1
"""Number of the form of a difference; it grows when a field changes its meaning or goes."""


class Side(Entry):
    """One of the two that are compared."""

    title: str = Field(description="model or program, and chip")
    model: Source | None = Field(description="null from a program alone")
    nnc: str = Field(description="version")


class Setting(Entry):
    """A key of the chip, an option, the model or the version, if the two differ in it."""

    key: str
    before: str | None = Field(description="null: the side has no such key")
    after: str | None


class Change(Entry):
    """A figure on both sides."""

    before: int | float
    after: int | float

    @computed_field(description="after less before")  # type: ignore[prop-decorator]
    @property
    def delta(self) -> int | float:
        """After less before."""
        return self.after - self.before

    @property
    def share(self) -> float | None:
        """The change as a share of what was before; None if that was nothing."""
        return self.delta / self.before if self.before else None


class ByteCause(Entry):
    """Why DRAM bytes of one cause changed."""

    cause: str = Field(description="of the ledger: spill, reload, …")
    delta: int = Field(description="bytes, after less before")
    why: str = Field(description="what differs between the plans; empty if nothing that is known does")
    layers: tuple[str, ...] = Field(description="whose transfers these are, largest change first")


class GroupChange(Entry):
    """Groups of both sides that share layers with each other and with no other group."""

    kind: str = Field(
        description="alike; figures: the same layers in the same cut cost something else; cut; layers: one"
        " group gained or lost layers; merged; split; moved: borders between several groups moved; new; gone"
    )
    before: tuple[int, ...] = Field(description="ids of groups")
    after: tuple[int, ...]
    layers: tuple[str, ...] = Field(description="of the later side, or of the earlier one if they are gone")
    what: str = Field(description="in words: which borders, parts, cores or residents differ")
    cycles: Change
    dram_bytes: Change
    instructions: Change
    microjoules: Change | None = Field(description="null if a chip has no figures of energy")
    bound_by: tuple[str, str] = Field(description="before and after, of its slowest group; empty: no group")
    causes: tuple[ByteCause, ...] = Field(description="largest change first")


class LayerChange(Entry):
    """A layer of both sides, or of one."""

    before: str | None = Field(description="name; null: the layer is new")
    after: str | None = Field(description="null: the layer is gone")
    core_cycles: Change
    dram_bytes: Change
    by_cause: dict[str, int] = Field(description="after less before, causes that changed")


class Diff(Entry):
    """What changed between two programs."""

    schema_number: int = Field(default=SCHEMA, alias="schema")
    before: Side
    after: Side
    settings: tuple[Setting, ...]
    totals: dict[str, Change] = Field(
        description="cycles, dram_bytes, microjoules (if both chips have figures), instructions, groups,"
        " layers, macs, floors, and bytes by cause"
    )
    groups: tuple[GroupChange, ...] = Field(description="largest change of bytes and cycles first")
    layers: tuple[LayerChange, ...] = Field(description="those whose figures changed, largest first")
    changed_bytes: int = Field(description="of layers by cause, whether more or fewer")
    told_bytes: int = Field(description="those for which a cause is told")
    failures: tuple[str, ...] = Field(
        default=(), description="figures that grew by more than was allowed (--fail-above), in words"
    )

    @property
    def told_share(self) -> float:
        """Share of the changed bytes whose cause is told; 1 if none changed."""
        return self.told_bytes / self.changed_bytes if self.changed_bytes else 1.0


class GoldenCheck(Entry):
    """Networks of a golden folder, as ``nnc golden check --json`` prints them (``nnc schema golden``)."""

    schema_number: int = Field(default=SCHEMA, alias="schema")
    networks: dict[str, Diff] = Field(description="by name, from the kept report to today's")

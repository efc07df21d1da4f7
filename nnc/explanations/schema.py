"""Questions about a plan and their answers, typed, as ``nnc explain --json`` prints them."""

from __future__ import annotations

from pydantic import Field

from nnc.diff.schema import Diff
from nnc.report.entries import Entry

SCHEMA = 1
"""Number of the form of an explanation; it grows when a field changes its meaning or goes."""


class Bound(Entry):
    """What decided: something that does not fit, or a price."""

    what: str = Field(description="what was weighed, with the layers named")
    demand: int | None = Field(description="what it needs, or costs; null where nothing can be counted")
    available: int | None = Field(description="the most that it may have, or what the plan takes instead")
    unit: str = Field(description="bytes, cycles, layers, cores or parts")

    @property
    def excess(self) -> int | None:
        """By how much the demand exceeds what there is."""
        return None if self.demand is None or self.available is None else self.demand - self.available


class Flip(Entry):
    """The smallest change of one thing with which the plan decides otherwise.

    Both sides were compiled: with `value` it does, with `nearest` it decides as now, or cannot be compiled.
    """

    key: str = Field(description="of the chip, an option (objective, effort), or: channels of NODE")
    before: str = Field(description="its value now")
    nearest: str = Field(description="the value next to `value` with which nothing changes")
    value: str = Field(description="the value that flips the decision")
    cycles: tuple[int, int] = Field(description="of the whole, now and with the change")
    dram_bytes: tuple[int, int]
    diff: Diff | None = Field(default=None, description="of the plans now and with the change (--prove)")


class Answer(Entry):
    """A decision, why it was taken, and what would flip it."""

    question: str
    decided: str
    reason: str = Field(description="of the planner")
    bound: Bound
    flip: Flip | None = Field(description="null if none was found, or none was looked for")
    tried: tuple[str, ...] = Field(description="what was changed in vain")
    compilations: int = Field(description="that were made to find it")


class RefusedNode(Entry):
    """A node that cannot be compiled."""

    name: str
    operator: str
    reason: str
    reads_from: tuple[str, ...] = Field(description="the nodes before it, with their operators")
    read_by: tuple[str, ...] = Field(description="the nodes behind it")
    forms: tuple[str, ...] = Field(
        description="what instances of its operator must obey; none if no instance can be compiled"
    )


class RefusalAnswer(Entry):
    """Why a model cannot be compiled."""

    code: str
    message: str
    remedy: str
    nodes: tuple[RefusedNode, ...] = Field(description="those that are refused, in order")
    flip: str | None = Field(description="the smallest change of the chip with which it compiles: KEY=VALUE")
    nearest: str | None = Field(description="the value next to it with which it does not")


class Explanation(Entry):
    """Answers about one model on one chip."""

    schema_number: int = Field(default=SCHEMA, alias="schema")
    title: str
    answers: tuple[Answer, ...]
    refusal: RefusalAnswer | None = None

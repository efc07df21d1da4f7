"""A sweep as ``nnc sweep --json`` prints it, typed; ``nnc schema sweep`` prints its JSON Schema."""

from __future__ import annotations

from pydantic import Field

from nnc.report.entries import Entry
from nnc.sweeps.figures import PointFigures

SCHEMA = 1
"""Number of the form; it grows when a field changes its meaning or goes."""
Plain = bool | int | float | str


class PointReport(Entry):
    """A network on a chip, with options."""

    point: int = Field(description="its number; the last varied key goes fastest")
    model: str = Field(description="path")
    sha256: str = Field(description="of the model's file; if it keeps weights beside it, of all its files")
    chip: str = Field(description="preset or file")
    values: dict[str, Plain] = Field(description="of the varied keys; sizes in bytes")
    error: str | None = Field(description="code, if it could not be compiled")
    message: str | None
    figures: PointFigures | None
    seconds: float | None = Field(default=None, description="that compiling took, if that was asked for")


class FindingReport(Entry):
    """A value that was searched for, of one model on one chip, with the other keys as they are here."""

    question: str
    model: str
    chip: str
    values: dict[str, Plain] = Field(description="of the other keys")
    key: str
    found: Plain | None = Field(description="null: it holds for no value")
    point: int | None = Field(description="the number of the point that was found")
    before: int | None = Field(
        description="point of the neighbour for which it does not hold; null at the end of the values"
    )
    after: int | None = Field(description="point of the neighbour on the other side")
    holds_after: bool | None = Field(
        description="whether it holds there, too; if not, other values further on may be better ones"
    )
    points: int = Field(description="that the search looked at")


class SweepReport(Entry):
    """All points of a sweep, or those that a search looked at."""

    schema_number: int = Field(default=SCHEMA, alias="schema")
    nnc: str = Field(description="version")
    models: tuple[str, ...]
    chips: tuple[str, ...]
    varied: dict[str, tuple[Plain, ...]] = Field(description="keys with their values, in their order")
    minimised: tuple[str, ...] = Field(description="figures by which points are compared; less is better")
    points: tuple[PointReport, ...]
    front: tuple[int, ...] = Field(
        description="points that no other one of the same model beats in one of these figures without losing"
        " in another; of each model by the first figure"
    )
    findings: tuple[FindingReport, ...] = ()

    def point(self, number: int) -> PointReport:
        """The point of that number."""
        return next(point for point in self.points if point.point == number)

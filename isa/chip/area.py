"""What a chip takes of silicon: the section `area` of a chip description, in square millimetres (mm²)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from nnc.isa.chip.part import Part

SquareMillimetres = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False, strict=True)]


class UnitArea(Part):
    """mm² of a unit for one multiply-accumulate, or another operation on an element, in a cycle."""

    i8: SquareMillimetres
    f16: SquareMillimetres
    f32: SquareMillimetres


class Area(Part):
    """Area of a chip's parts, in mm².

    Attributes:
        unit: per multiply-accumulate of the array, or element of the vector unit, in a cycle.
        kib: per KiB of memory, of all memories of a core.
        core: of whatever else a core has: control, DMA engines.
        shared: of what the cores share: the interface of the DRAM.
    """

    unit: UnitArea
    kib: SquareMillimetres
    core: SquareMillimetres
    shared: SquareMillimetres

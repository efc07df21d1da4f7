"""What a chip's work takes of energy: the section `energy` of a chip description, in picojoules (pJ)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from nnc.isa.chip.part import Part

PicoJoules = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False, strict=True)]


class ByClass(Part):
    """pJ by class of element types (their size decides, as for rates)."""

    i8: PicoJoules
    f16: PicoJoules
    f32: PicoJoules


class Access(Part):
    """pJ per byte that a memory reads, and per byte that it writes."""

    read: PicoJoules
    write: PicoJoules


class Energy(Part):
    """Energy of a chip's work, in pJ.

    Attributes:
        mac: per multiply-accumulate of the MAC array.
        operation: per other operation on an element: of the vector unit, or of the array's epilogue.
        memory: per byte, of each memory of a core.
        dram: per byte that the DRAM moves, whole bursts.
        broadcast: per byte that a broadcast carries to a core, for every core that receives it.
        static: per cycle and core, whatever it does: clocks and leakage.
    """

    mac: ByClass
    operation: ByClass
    memory: dict[str, Access]
    dram: PicoJoules
    broadcast: PicoJoules
    static: PicoJoules

"""The chip description: one validated object that compiler, simulator, verifier and docs all read."""

from __future__ import annotations

import re
from functools import cached_property
from math import lcm
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from nnc.isa.chip.area import Area
from nnc.isa.chip.energy import Energy
from nnc.isa.chip.part import Part
from nnc.isa.limits import ALIGNMENT, CORES, ON_CHIP_MEMORY
from nnc.isa.operand import DRAM
from nnc.isa.types import DType

_SIZE = re.compile(r"\s*(\d+)\s*(B|KiB|MiB|GiB|KB|MB|GB)?\s*")
_UNIT = {None: 1, "B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "KB": 10**3, "MB": 10**6, "GB": 10**9}
_NAME = re.compile(r"[a-z_][a-z0-9_]*")
_ANY_ELEMENT = lcm(*(dtype.itemsize for dtype in DType))
DMA = "dma"
"""Family of the instructions of the DMA engines: they load to `feature`, and store from `result`."""


def parse_size(value: object) -> object:
    """Turn '256KiB' into bytes; other types are left for pydantic to judge."""
    if isinstance(value, str):
        match = _SIZE.fullmatch(value)
        if match is None:
            raise ValueError("a size is a number of bytes or a text such as '256KiB'")
        return int(match[1]) * _UNIT[match[2]]
    return value


Bytes = Annotated[int, BeforeValidator(parse_size), Field(gt=0, le=2**40)]
Positive = Annotated[int, Field(gt=0, le=2**31)]
NotNegative = Annotated[int, Field(ge=0, le=2**31)]
RoleName = Literal["feature", "weight", "result", "accumulator"]
RateClass = Literal["i8", "f16", "f32"]
ProductClass = Literal["i4", "i8", "f16", "f32"]
PACKED_BITS = 4
"""Products with weights of so many bits at most, in blocks, are of the class i4 where an array has one."""


DEPTHWISE = "depthwise"
"""The family of convolutions with one channel per group; where the chip says nothing of it, conv's holds."""


class Dram(Part):
    """External memory, shared by all cores; runs of a DMA transfer start and end at multiples of `align`."""

    bytes_per_cycle: Positive
    latency: NotNegative
    burst: Positive
    align: Positive = 1
    bytes: Bytes = 4 * 2**30


class Dma(Part):
    """The DMA engines (one read engine and one write engine per core).

    On chip, runs of a transfer start and end at multiples of `align` bytes.
    """

    broadcast: bool = False
    in_flight: Positive
    move_bytes_per_cycle: Positive
    align: Positive = 1


class Memory(Part):
    """One software-managed memory of each core.

    What is allocated starts at multiples of `align` bytes; `word` bytes are read or written at once.
    """

    bytes: Annotated[Bytes, Field(le=ON_CHIP_MEMORY.most)]
    align: Positive = 64
    word: Positive = 16


class Placement(Part):
    """In which memories an operand may lie, in order of preference, and with which element types."""

    memories: tuple[str, ...] = Field(min_length=1)
    dtypes: tuple[str, ...] | None = None

    @field_validator("dtypes")
    @classmethod
    def _known_types(cls, value: tuple[str, ...] | None) -> tuple[str, ...] | None:
        for name in value or ():
            DType(name)
        return value


def _short_placement(value: object) -> object:
    return {"memories": value} if isinstance(value, list | tuple) else value


OperandTable = dict[RoleName, Annotated[Placement, BeforeValidator(_short_placement)]]


class Compute(Part):
    """Rates of the MAC array and of the vector unit; classes of element size: i8, f16, f32.

    The array may have a class of its own, i4, for products with weights in blocks of 4 bits or fewer, of
    whatever type the features are; without it, that of the features holds for them.
    """

    issue: NotNegative
    result_bytes_per_cycle: Positive = 64
    """Bandwidth between the MAC array and memory for results and what is added to them."""
    map: Literal["channels", "pixels"] = "channels"
    arrays: dict[ProductClass, tuple[str, ...]]
    depthwise: dict[RateClass, Positive]
    elementwise: dict[RateClass, Positive]

    @field_validator("arrays")
    @classmethod
    def _shapes(cls, value: dict[ProductClass, tuple[str, ...]]) -> dict[ProductClass, tuple[str, ...]]:
        for shapes in value.values():
            if not shapes:
                raise ValueError("name at least one array shape such as '32x32'")
            for shape in shapes:
                if not re.fullmatch(r"[1-9]\d{0,5}x[1-9]\d{0,5}", shape):
                    raise ValueError(f"array shape {shape!r} is not LANESxUNITS")
        return value

    @cached_property
    def array_shapes(self) -> dict[str, tuple[tuple[int, int], ...]]:
        """Per rate class the (lanes, units) shapes of the MAC array."""
        return {
            cls: tuple((int(a), int(b)) for a, b in (shape.split("x") for shape in shapes))
            for cls, shapes in self.arrays.items()
        }

    def shapes_for(self, dtype: DType, weight_bits: int = 0) -> tuple[tuple[int, int], ...]:
        """The (lanes, units) shapes of the MAC array for products; none if it does not know the type.

        Args:
            dtype: of the features.
            weight_bits: of weights in blocks; 0: weights are of the type of the features.
        """
        if 0 < weight_bits <= PACKED_BITS and "i4" in self.arrays:
            return self.array_shapes["i4"]
        return self.array_shapes.get(rate_class(dtype), ())


class Chip(Part):
    """A whole chip.  Bandwidths are bytes per cycle, latencies cycles, sizes bytes."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")
    description: str = ""
    cores: Annotated[int, Field(gt=0, le=CORES.most)]
    split_bytes: NotNegative = 0
    """Weight matrices of fewer bytes are not split over the cores by M2's rule (``--split even``)."""
    clock_mhz: Positive
    dram: Dram
    dma: Dma
    memory: dict[str, Memory] = Field(min_length=1, max_length=16)
    operands: dict[str, OperandTable]
    compute: Compute
    energy: Energy | None = None
    area: Area | None = None

    @field_validator("memory")
    @classmethod
    def _memory_names(cls, value: dict[str, Memory]) -> dict[str, Memory]:
        for name in value:
            if not _NAME.fullmatch(name) or name == DRAM:
                raise ValueError(f"memory name {name!r} must be lower case letters, digits, _ and not 'dram'")
        return value

    @model_validator(mode="after")
    def _table_is_complete(self) -> Chip:
        default = self.operands.get("default", {})
        missing = [role for role in ("feature", "weight", "result", "accumulator") if role not in default]
        if missing:
            raise ValueError(f"operands.default lacks {', '.join(missing)}")
        for family, table in self.operands.items():
            for role, placement in table.items():
                for memory in placement.memories:
                    if memory not in self.memory:
                        raise ValueError(
                            f"operands.{family}.{role} names memory {memory!r}; the chip has "
                            + ", ".join(self.memory)
                        )
        return self

    @model_validator(mode="after")
    def _energy_is_of_its_memories(self) -> Chip:
        for name in self.energy.memory if self.energy else ():
            if name not in self.memory:
                raise ValueError(f"energy.memory names {name!r}; the chip has " + ", ".join(self.memory))
        return self

    @model_validator(mode="after")
    def _alignments_are_small(self) -> Chip:
        for name in self.memory:
            if self.block_align(name) > ALIGNMENT.most:
                multiple = f"{ALIGNMENT.subject} is at most {ALIGNMENT.amount}"
                raise ValueError(f"{multiple}; for {name} it is {self.block_align(name)}")
        return self

    @model_validator(mode="after")
    def _dma_leads_everywhere(self) -> Chip:
        for family, table in self.operands.items():
            for role, placement in table.items() if family != DMA else ():
                home = placement.memories[0]
                lost = "from DRAM there" if self.landing(home) is None else ""
                if role == "result" and self.departure(home) is None:
                    lost = "from there to DRAM"
                if lost and role != "accumulator":
                    raise ValueError(
                        f"operands.{family}.{role} names {home} first, but no data gets {lost}: "
                        f"name {home} in operands.dma, or in operands.copy beside a memory of operands.dma"
                    )
        return self

    def placement(self, family: str, role: str) -> Placement:
        """Where an operand of an instruction family may lie (`operands.default` unless overridden).

        The DMA engines reach every memory unless `operands.dma` says otherwise.
        """
        families = {DEPTHWISE: (DEPTHWISE, "conv", "default"), DMA: (DMA,)}.get(family, (family, "default"))
        tables: list[dict[Any, Placement]] = [self.operands.get(name, {}) for name in families]
        placement = next((table[role] for table in tables if role in table), None)
        return Placement(memories=tuple(self.memory)) if placement is None else placement

    def word(self, memory: str) -> int:
        """Bytes that a memory reads or writes at once; those of the finest word if it is not known yet."""
        description = self.memory.get(memory)
        return min(entry.word for entry in self.memory.values()) if description is None else description.word

    @cached_property
    def transfer_unit(self) -> int:
        """Bytes in whole multiples of which DMA transfers move data, in DRAM and on chip; 1: any bytes."""
        return lcm(self.dram.align, self.dma.align)

    def transfer_rate(self, cores: int = 1) -> int:
        """Most bytes per cycle that the read (or write) engines of some cores move: theirs, or the DRAM's."""
        return min(self.dram.bytes_per_cycle, cores * self.dma.move_bytes_per_cycle)

    def block_align(self, memory: str) -> int:
        """Multiples of so many bytes are allocated in a memory: any element or transfer may start there."""
        return lcm(self.memory[memory].align, self.transfer_unit, _ANY_ELEMENT)

    def copies(self, source: str, target: str) -> bool:
        """Whether a copy of the compute engine may read from one memory and write to another."""
        read, written = self.placement("copy", "feature"), self.placement("copy", "result")
        return source in read.memories and target in written.memories

    def landing(self, home: str) -> str | None:
        """The memory in which a load for an operand in `home` arrives: that, or one that is copied to it."""
        reached = self.placement(DMA, "feature").memories
        return home if home in reached else next((m for m in reached if self.copies(m, home)), None)

    def departure(self, home: str) -> str | None:
        """The memory from which a result in `home` is stored: that, or one to which it is copied."""
        reached = self.placement(DMA, "result").memories
        return home if home in reached else next((m for m in reached if self.copies(home, m)), None)

    @cached_property
    def energy_lacks(self) -> list[str]:
        """Keys without which the chip's energy is not known; none if it is.

        A chip that extends another one may have memories of which that says nothing.
        """
        if self.energy is None:
            return ["energy"]
        return [f"energy.memory.{name}" for name in self.memory if name not in self.energy.memory]

    @cached_property
    def square_millimetres(self) -> float | None:
        """Area of the whole chip in mm² by its section `area`; None without one.

        Products and elements of all classes are worked on by the same units: the class that takes most
        counts.  Products with weights in blocks (i4) run on parts of the units of bytes.
        """
        if self.area is None:
            return None
        shapes, vector = self.compute.array_shapes, self.compute.elementwise
        unit: dict[RateClass, float] = {
            "i8": self.area.unit.i8,
            "f16": self.area.unit.f16,
            "f32": self.area.unit.f32,
        }
        units = max(
            area * (max((a * b for a, b in shapes.get(name, ())), default=0) + vector.get(name, 0))
            for name, area in unit.items()
        )
        memories = self.area.kib * sum(memory.bytes for memory in self.memory.values()) / 1024
        return self.area.shared + self.cores * (self.area.core + units + memories)

    def memory_ids(self) -> dict[str, int]:
        """Numbers of the memories in binary programs: DRAM is 0, then the order of the description."""
        return {DRAM: 0, **{name: i + 1 for i, name in enumerate(self.memory)}}


def rate_class(dtype: DType) -> RateClass:
    """The rate class of an element type: its size decides (1 byte i8, 2 bytes f16, more f32)."""
    if dtype.itemsize == 1:
        return "i8"
    return "f16" if dtype.itemsize == 2 else "f32"

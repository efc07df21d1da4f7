"""What an instruction *is*: a frozen dataclass whose typed fields are its definition.

Encoder, decoder, assembler, disassembler, reference documentation, dispatch and access modes are all
derived from the fields of the classes in ``nnc.isa.instructions``; there is no second list.  A class also
says what it costs and which shapes fit together; only its kernel lies elsewhere, in the runtime.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import MISSING, dataclass, field
from enum import Enum
from functools import cache
from typing import Any, ClassVar, TypeVar, cast, dataclass_transform, get_type_hints

from nnc.isa.chip.description import Chip
from nnc.isa.operand import Operand, burst_bytes
from nnc.isa.record import QuickEnum, record
from nnc.isa.types import DType
from nnc.isa.work import CostRule, Work

Shape = tuple[int, ...]


class Engine(QuickEnum):
    """The three in-order engines of a core (M1's three instruction sets)."""

    READ = "read"
    COMPUTE = "compute"
    WRITE = "write"


ENGINES = tuple(Engine)


class Access(QuickEnum):
    """How an instruction touches an operand."""

    READ = "read"
    WRITE = "write"
    READ_WRITE = "read-write"

    @property
    def reads(self) -> bool:
        """Whether the old bytes matter."""
        return self is not Access.WRITE

    @property
    def writes(self) -> bool:
        """Whether the bytes change."""
        return self is not Access.READ


class Role(QuickEnum):
    """What an operand is for; the chip's operand table says in which memories each role may lie."""

    FEATURE = "feature"
    WEIGHT = "weight"
    RESULT = "result"
    ACCUMULATOR = "accumulator"
    EXTERNAL = "external"


class Phase(QuickEnum):
    """Position of an instruction in a chain that sums up partial results (K-chunks)."""

    WHOLE = "whole"
    START = "start"
    ADD = "add"
    FINISH = "finish"


class Overlap(Enum):
    """In which way what an instruction writes may lie over an operand that it reads."""

    NEVER = "never"
    SAME = "same"
    """As the very block: each element is read before the element in its place is written."""
    ANY = "any"


@dataclass(frozen=True, slots=True)
class OperandSpec:
    """Declaration of an operand field."""

    access: Access
    role: Role
    doc: str
    overlap: Overlap


def operand(
    access: Access, role: Role, doc: str, *, default: Any = MISSING, overlap: Overlap = Overlap.NEVER
) -> Any:
    """Declare an operand field of an instruction; an optional one has the default None."""
    return field(default=default, metadata={"operand": OperandSpec(access, role, doc, overlap)})


def attribute(doc: str, *, default: Any = MISSING) -> Any:
    """Declare an immediate field of an instruction (int, float, bool, enum or a tuple of ints or floats)."""
    return field(default=default, metadata={"doc": doc})


@record(frozen=True, kw_only=True)
class Instruction:
    """Base class; subclasses are registered by the ``instruction`` decorator."""

    opcode: ClassVar[int]
    mnemonic: ClassVar[str]
    engine: ClassVar[Engine]
    family: ClassVar[str]
    example: ClassVar[str]
    cost: ClassVar[CostRule | None]
    """The rule that prices it; None for a DRAM transfer, whose time the scheduler finds."""

    @property
    def families(self) -> tuple[str, ...]:
        """The families by whose lines in the chip's operand table its operands may lie where they do."""
        return (self.family,)

    def shape_errors(self) -> Iterable[str]:
        """What does not fit in operands and attributes; nothing if no kernel can index outside.

        Every class has its own rule, which relies on operands that are well-formed by themselves.
        """
        raise NotImplementedError(type(self).__name__)

    def type_errors(self) -> Iterator[str]:
        """Operands of types of storage, unless it copies them, or converts to the type computed or back."""
        if self.family in _COPYING:
            return
        for block, _, _ in self.accesses():
            if block.dtype.is_stored:
                yield f"{block} is of {block.dtype.value}, expected {block.dtype.computed.value}"

    @classmethod
    def rate_dtype(cls, result: DType, sources: Sequence[DType]) -> DType:
        """The element type that decides the rate: the first source's."""
        return sources[0] if sources else result

    @property
    def work(self) -> Work:
        """Its operands as its cost rule sees them."""
        srcs: list[Operand] = []
        written: list[Operand] = []
        port_bytes = 0
        for block, access, role in self.accesses():
            (srcs if access is Access.READ else written).append(block)
            if role is Role.RESULT or role is Role.ACCUMULATOR:
                port_bytes += block.nbytes * (access.reads + access.writes)
        dtype = self.rate_dtype(written[0].dtype, [block.dtype for block in srcs])
        return Work(dtype, written[0], srcs, port_bytes)

    @property
    def on_chip_bytes(self) -> int:
        """Bytes that a transfer reads or writes on chip: those of its largest operand there."""
        return max(block.nbytes for block, _, role in self.accesses() if role is not Role.EXTERNAL)

    @property
    def macs(self) -> int:
        """Multiply-accumulates of the MAC array; also those on padding, which it does."""
        return 0

    @property
    def operations(self) -> int:
        """Other operations on elements; none where they only go to other places."""
        return 0

    @property
    def operation_dtype(self) -> DType:
        """The element type whose class the operations are of: that of the rate."""
        return self.work.dtype

    def bytes_read(self, chip: Chip) -> list[tuple[str, int]]:
        """(memory, bytes) that it reads on chip: each operand once, what it repeats too."""
        return [
            (block.memory, block.distinct_bytes)
            for block, access, role in self.accesses()
            if access.reads and role is not Role.EXTERNAL
        ]

    def dram_bytes(self, burst: int) -> int:
        """Bytes moved over the DRAM bus in bursts of that many: whole ones for every contiguous run."""
        return sum(burst_bytes(op, burst) for op, _, role in self.accesses() if role is Role.EXTERNAL)

    def overlap_errors(self) -> Iterator[str]:
        """Operands that what it writes overlaps and must not: a kernel may write before it has read all."""
        blocks = {name: getattr(self, name) for name in operand_specs(type(self))}
        target = next((name for name in blocks if blocks[name] is not None and self._writes(name)), None)
        for name, spec in operand_specs(type(self)).items():
            if target is None or name == target or spec.overlap is Overlap.ANY:
                continue
            operands = blocks[name] if isinstance(blocks[name], tuple) else (blocks[name],)
            for block in operands:
                if block is None or not block.overlaps(blocks[target]):
                    continue
                if spec.overlap is not Overlap.SAME or not block.coincides(blocks[target]):
                    yield f"writes {blocks[target]} over its {name} {block}"

    def _writes(self, name: str) -> bool:
        return self._access(operand_specs(type(self))[name]).writes

    def _access(self, spec: OperandSpec) -> Access:
        """How the operand of a field is touched: partial sums by the phase."""
        return _OF_SUMS[getattr(self, "phase", Phase.WHOLE)] if spec.role is Role.ACCUMULATOR else spec.access

    def accesses(self) -> list[tuple[Operand, Access, Role]]:
        """Every operand that is present, with how it is touched and what it is for."""
        accesses: list[tuple[Operand, Access, Role]] = []
        for name, spec in operand_specs(type(self)).items():
            value = getattr(self, name)
            access = self._access(spec) if spec.role is Role.ACCUMULATOR else spec.access
            if isinstance(value, tuple):
                accesses += [(item, access, spec.role) for item in value]
            elif value is not None:
                accesses.append((value, access, spec.role))
        return accesses


_COPYING = frozenset({"dma", "copy"})
"""Families of instructions that only copy elements."""
_OF_SUMS = {
    Phase.WHOLE: Access.READ_WRITE,
    Phase.START: Access.WRITE,
    Phase.ADD: Access.READ_WRITE,
    Phase.FINISH: Access.READ,
}

INSTRUCTIONS: dict[str, type[Instruction]] = {}
BY_OPCODE: dict[int, type[Instruction]] = {}

InstructionT = TypeVar("InstructionT", bound=Instruction)
ResultT = TypeVar("ResultT")


def per_class(function: Callable[[type[Instruction]], ResultT]) -> Callable[[type[Instruction]], ResultT]:
    """Remember the result of a function of an instruction class.

    This is functools.cache with a narrower type: its own one refuses classes that define ``__hash__``.
    """
    return cast(Callable[[type[Instruction]], ResultT], cache(function))


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(operand, attribute))
def instruction(
    opcode: int, mnemonic: str, engine: Engine, family: str, *, example: str, cost: CostRule | None = None
) -> Callable[[type[InstructionT]], type[InstructionT]]:
    """Make a class a frozen dataclass and enter it into the one table of instructions.

    Args:
        opcode: number in the program file.
        mnemonic: name in program text.
        engine: the engine that runs it.
        family: its lines in the chip's operand table.
        example: one plausible instruction of the class as program text; the reference shows it.
        cost: what it costs; None for a DRAM transfer.

    Raises:
        ValueError: mnemonic or opcode are taken.
        TypeError: the class computes and has no cost, is a transfer and has one, or has no rule of shapes.
    """

    def register(cls: type[InstructionT]) -> type[InstructionT]:
        cls.opcode, cls.mnemonic, cls.engine, cls.family = opcode, mnemonic, engine, family
        cls.example, cls.cost = example, cost
        made = record(frozen=True, kw_only=True)(cls)
        transfer = any(spec.role is Role.EXTERNAL for spec in operand_specs(made).values())
        if transfer != (cost is None):
            wrong = "is a transfer, but has a" if transfer else "has no"
            raise TypeError(f"instruction {mnemonic} {wrong} cost rule")
        if cls.shape_errors is Instruction.shape_errors:
            raise TypeError(f"instruction {mnemonic} has no rule of shapes: method shape_errors")
        if mnemonic in INSTRUCTIONS or opcode in BY_OPCODE:
            raise ValueError(f"instruction {mnemonic} ({opcode}) is registered twice")
        INSTRUCTIONS[mnemonic] = BY_OPCODE[opcode] = made
        return made

    return register


@per_class
def operand_specs(cls: type[Instruction]) -> dict[str, OperandSpec]:
    """The operand fields of an instruction class, in order."""
    return {f.name: f.metadata["operand"] for f in dataclasses.fields(cls) if "operand" in f.metadata}


@per_class
def attribute_fields(cls: type[Instruction]) -> dict[str, dataclasses.Field[Any]]:
    """The immediate fields of an instruction class, in order."""
    return {f.name: f for f in dataclasses.fields(cls) if "operand" not in f.metadata}


@per_class
def field_types(cls: type[Instruction]) -> dict[str, Any]:
    """The resolved type annotation of every field of an instruction class."""
    hints = get_type_hints(cls)
    return {f.name: hints[f.name] for f in dataclasses.fields(cls)}

"""The reference page that is made from the classes: ``python -m nnc.isa.reference > docs/isa.md``.

The templates of all such pages lie beside this file.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from jinja2 import Environment, PackageLoader, StrictUndefined

from nnc.isa.assembly.assembler import parse_instruction
from nnc.isa.assembly.directives import DIRECTIVES
from nnc.isa.assembly.disassembler import instruction_text
from nnc.isa.codec.codec import Codec
from nnc.isa.codec.layout import FieldLayout, layout, layout_text, signature
from nnc.isa.codec.scalars import EnumCodec
from nnc.isa.codec.scanner import Scanner
from nnc.isa.instruction import ENGINES, INSTRUCTIONS, Instruction, Role
from nnc.isa.program import FORMAT_VERSION, State, TensorRole
from nnc.isa.program_file import binary, hosted, linked
from nnc.isa.types import DType


@dataclass(frozen=True)
class Page:
    """What the reference says of one instruction."""

    cls: type[Instruction]
    doc: str
    cost: str
    example: str
    operands: list[FieldLayout]
    attributes: list[FieldLayout]
    signature: str
    signed: str

    @property
    def summary(self) -> str:
        """The first sentence of the explanation."""
        return _cell(self.doc.split("\n")[0])


def examples() -> dict[type[Instruction], Instruction]:
    """One plausible instruction of every class."""
    return {cls: parse_instruction(Scanner(cls.example)) for cls in INSTRUCTIONS.values()}


def pages() -> list[Page]:
    """The pages of all instructions, by opcode."""
    shown = examples()
    return [
        Page(
            cls=cls,
            doc=_doc(cls),
            cost=_cost(cls),
            example=instruction_text(shown[cls]),
            operands=[field for field in layout(cls) if field.spec is not None],
            attributes=[field for field in layout(cls) if field.spec is None],
            signature=f"{signature(cls):08x}",
            signed=layout_text(cls),
        )
        for cls in sorted(INSTRUCTIONS.values(), key=lambda cls: cls.opcode)
    ]


def isa_reference() -> str:
    """The text of docs/isa.md."""
    shown = pages()
    codecs = {
        type(field.codec): field.codec for page in shown for field in (*page.operands, *page.attributes)
    }
    return render(
        "isa.md.j2",
        pages=shown,
        engines=[(engine, [page for page in shown if page.cls.engine is engine]) for engine in ENGINES],
        dtypes=", ".join(dtype.value for dtype in DType),
        roles=", ".join(role.value for role in Role if role is not Role.EXTERNAL),
        tensor_roles=", ".join(role.value for role in TensorRole),
        enums=_enums(shown),
        directives=DIRECTIVES,
        version=FORMAT_VERSION,
        file_doc=_doc(binary),
        linked_doc=_doc(linked),
        hosted_doc=_doc(hosted),
        state_doc=_doc(State).partition("Attributes:")[0].strip(),
        types=[(_type_name(codec), _cell(_doc(type(codec)))) for codec in codecs.values()],
    )


def render(template: str, **values: object) -> str:
    """A template of this folder with its values; its filters `doc` and `cell` give docstrings."""
    environment = Environment(
        loader=PackageLoader("nnc.isa.reference", "."),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters.update(doc=_doc, cell=_cell)
    return environment.get_template(template).render(**values)


def _enums(shown: list[Page]) -> list[type[Enum]]:
    """The enumerations that attributes use, in order of first use."""
    codecs = [field.codec for page in shown for field in page.attributes]
    return list(dict.fromkeys(codec.cls for codec in codecs if isinstance(codec, EnumCodec)))


def _type_name(codec: Codec[object]) -> str:
    return "enumeration" if isinstance(codec, EnumCodec) else codec.name.split(" of ")[0]


def _cost(cls: type[Instruction]) -> str:
    if cls.cost is None:
        return (
            "a DRAM transfer: whole bursts for every contiguous run, at the bandwidth that it gets; at least "
            "bytes on chip / move bandwidth."
        )
    return f"`compute.issue` + {_doc(cls.cost)}"


def _doc(thing: type | Callable[..., object] | object) -> str:
    text = inspect.getdoc(thing)
    if not text:
        raise ValueError(f"{thing} has no docstring")
    return text


def _cell(text: str) -> str:
    """A text on one line, fit for a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")

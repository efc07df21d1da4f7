"""The keys of a chip description, read from its schema: what each takes, its default, what it says.

``nnc chips keys`` prints them, and with them the guide has its table; errors name the nearest of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from nnc.isa.chip.description import Chip

REQUIRED = "required"
OPTIONAL = "optional"
REQUIRED_TABLE = "required table"
_FIXED = {
    "CLASS": ["i8", "f16", "f32"],
    "PRODUCT": ["i4", "i8", "f16", "f32"],
    "ROLE": ["feature", "weight", "result", "accumulator"],
}
"""What stands for names that all chips share, and these."""
_NAMES = {"memory": "MEMORY", "operands": "FAMILY"}
"""What stands for the names that a chip chooses itself, by the table that they are in."""
_ABOUT = {
    "name": "of the chip: letters, digits, and . _ - after the first",
    "description": "a line for people",
    "cores": "alike, each with memories and engines of its own",
    "split_bytes": "weight matrices of fewer bytes are not split over the cores by --split even (M2)",
    "clock_mhz": "by which cycles are shown as time",
    "dram.bytes_per_cycle": "bandwidth, shared by all cores",
    "dram.latency": "cycles from the issue of a transfer to its first byte",
    "dram.burst": "bytes: a transfer moves whole bursts",
    "dram.align": "bytes: runs of a transfer start at, and are, multiples of this in DRAM",
    "dram.bytes": "size of the DRAM",
    "dma.broadcast": "whether one load may arrive at several cores",
    "dma.in_flight": "transfers at the same time, per engine",
    "dma.move_bytes_per_cycle": "of copies and fills on a core, and of the on-chip side of transfers",
    "dma.align": "bytes: the same as dram.align, on chip",
    "memory.MEMORY.bytes": "size of a memory of each core; at least one memory",
    "memory.MEMORY.align": "bytes: what is allocated starts at multiples of this",
    "memory.MEMORY.word": "bytes that are read or written at once",
    "operands.FAMILY.ROLE.memories": "where operands of a family of instructions may lie, the preferred"
    " memory first; a list in place of the table says just this; operands.default has all four roles",
    "operands.FAMILY.ROLE.dtypes": "element types that are taken there; all if nothing is said",
    "compute.issue": "cycles to start an instruction",
    "compute.result_bytes_per_cycle": "of results, residuals and partial sums, between array and memory",
    "compute.map": "what the lanes of the array run along",
    "compute.arrays.PRODUCT": "shapes of the MAC array, such as 32x32 (lanes x units); a tile runs on the"
    " best; i4 for weights in blocks of at most 4 bits, if not that of the features",
    "compute.depthwise.CLASS": "multiply-accumulates per cycle with one channel per group",
    "compute.elementwise.CLASS": "elements per cycle of the vector unit",
}
"""What the fields of the description say that have no words of their own in the schema."""


@dataclass(frozen=True, slots=True)
class ChipKey:
    """A key of the description.

    Attributes:
        key: dotted; a part in capitals stands for a name: of a memory, a family of instructions, a role of
            operands (feature, weight, result, accumulator), a class of element types (i8, f16, f32) or of
            products (these and i4).
        default: the value where a chip does not say it; `REQUIRED`; ``with [table]`` where it is
            required if that table is there; `OPTIONAL` where there is nothing in its place; `REQUIRED_TABLE`
            where the table must be there, if only without entries.
        takes: values that are accepted, in words.
        about: what it says.
    """

    key: str
    default: str
    takes: str
    about: str

    @property
    def is_required(self) -> bool:
        """Whether a chip without it is refused."""
        return self.default == REQUIRED

    def fits(self, parts: list[str]) -> bool:
        """Whether it stands for a key with these parts."""
        own = self.key.split(".")
        return len(own) == len(parts) and all(a.isupper() or a == b for a, b in zip(own, parts, strict=True))


@cache
def chip_keys() -> tuple[ChipKey, ...]:
    """All keys, in the order of the description."""
    schema = Chip.model_json_schema()
    return tuple(_Walk(schema["$defs"]).table(schema, "", REQUIRED, ""))


def missing_keys(prefix: str) -> list[str]:
    """What a chip lacks that lacks a key or a whole table: the key, or the required keys of the table."""
    within = []
    for key in chip_keys():
        if key.key.startswith(f"{prefix}.") and key.is_required:
            within.append(key.key)
        elif key.key.startswith(f"{prefix}.") and key.default == REQUIRED_TABLE:
            within.append(key.key.rpartition(".")[0])
    return within or [prefix]


def keys_for(data: Mapping[str, Any]) -> list[str]:
    """Dotted keys that a description may have, with the names that it uses itself."""
    keys: list[str] = []
    for entry in chip_keys():
        keys.extend(_named(entry.key.split("."), data))
    return list(dict.fromkeys(keys))


def _named(parts: list[str], data: object, prefix: str = "") -> Iterator[str]:
    if not parts:
        yield prefix.removesuffix(".")
        return
    table = data if isinstance(data, Mapping) else {}
    for name in _FIXED.get(parts[0], list(table)) if parts[0].isupper() else [parts[0]]:
        yield from _named(parts[1:], table.get(name), f"{prefix}{name}.")


@dataclass(frozen=True)
class _Walk:
    """Through a schema with these definitions."""

    definitions: Mapping[str, Any]

    def table(self, schema: Mapping[str, Any], prefix: str, default: str, about: str) -> Iterator[ChipKey]:
        """The keys of a table with fields; `about` is for those of which nothing else is said."""
        said = _attributes(schema.get("description", ""))
        for name, field in schema["properties"].items():
            if name in schema.get("required", ()):
                own = default
            else:
                own = _value(field.get("default"), name) if "default" in field else OPTIONAL
            words = field.get("description") or said.get(name) or about
            yield from self.field(field, f"{prefix}{name}", own, words)

    def field(self, field: Mapping[str, Any], key: str, default: str, about: str) -> Iterator[ChipKey]:
        """The keys of a field: one, or those of the table that it is."""
        present = [alternative for alternative in field.get("anyOf", ()) if alternative.get("type") != "null"]
        if len(present) == 1:
            if "$ref" in present[0]:
                default = f"with [{key}]"  # a table that may be left out as a whole
            field = present[0]
        if "$ref" in field:
            field = self.definitions[field["$ref"].rpartition("/")[2]]
        if "properties" in field:
            yield from self.table(field, f"{key}.", default, about)
        elif isinstance(values := field.get("additionalProperties"), Mapping):
            enum = field.get("propertyNames", {}).get("enum")
            name = next((name for name, names in _FIXED.items() if names == enum), None)
            name = name or _NAMES.get(key.rpartition(".")[2], "NAME")
            is_leaf = values.get("type") in ("array", "integer", "number", "string", "boolean")
            if is_leaf:
                default = REQUIRED_TABLE if default == REQUIRED else default
            yield from self.field(values, f"{key}.{name}", default, about)
        else:
            about = _ABOUT.get(key, about)
            yield ChipKey(key, default, _takes(field, key), " ".join(about.split()).rstrip("."))


def _takes(field: Mapping[str, Any], key: str) -> str:
    kind = field.get("type")
    if "enum" in field:
        return " or ".join(map(str, field["enum"]))
    if kind in ("integer", "number"):
        least = field.get("minimum", field.get("exclusiveMinimum", field.get("gt", 0)))
        least += kind == "integer" and "minimum" not in field
        most = field.get("maximum", field.get("exclusiveMaximum", field.get("le")))
        is_size = key.endswith("bytes")
        return f"{'size' if is_size else kind}, {_number(least)} … {_number(most, is_size=is_size)}"
    return {"array": "list of texts", "boolean": "true or false", "string": "text"}.get(str(kind), "table")


def _number(value: float | None, *, is_size: bool = False) -> str:
    if value is None:
        return "any"
    for power, unit in ((40, "TiB"), (30, "GiB")) if is_size else ():
        if value and value % 2**power == 0:
            return f"{int(value) >> power} {unit}"
    if value in (2**31, 1e9):
        return "2^31" if value == 2**31 else "10^9"
    return f"{value:,g}" if isinstance(value, float) else f"{value:,}"


def _value(value: object, name: str) -> str:
    if value is None:
        return OPTIONAL
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return _number(value, is_size=name == "bytes")
    return str(value) or "empty"


def _attributes(docstring: str) -> dict[str, str]:
    """What the section `Attributes` of a docstring says of each field."""
    section = docstring.partition("Attributes:\n")[2]
    return {
        match[1]: match[2] for match in re.finditer(r"^\s*(\w+): ((?:(?!^\s*\w+: ).*\n?)+)", section, re.M)
    }

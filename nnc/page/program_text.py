"""A line of program text for each row of a report's timeline."""

from __future__ import annotations

from dataclasses import replace

from nnc.isa.assembly.disassembler import disassemble
from nnc.isa.instruction import ENGINES
from nnc.isa.program import Program
from nnc.isa.timing.streams import places_of
from nnc.report.schema import Timeline


def row_texts(program: Program, timeline: Timeline) -> list[str]:
    """The first instruction of each row as `nnc disasm` writes it, without the name of its core."""
    places = places_of(program)
    streams = dict(zip(places.keys, places.members, strict=True))
    engines = [ENGINES[engine] for engine in timeline.engine]
    rows = list(zip(timeline.core, engines, timeline.first, strict=True))
    firsts = [program.issued[streams[core, engine][first]] for core, engine, first in rows]
    text = disassemble(replace(program, issued=tuple(firsts)), "constants")
    lines = [line.split(maxsplit=1)[1] for line in text.splitlines() if line.startswith("  ")]
    return [
        f"{engine.value[0]}{first:<6} {line}" for (_, engine, first), line in zip(rows, lines, strict=True)
    ]

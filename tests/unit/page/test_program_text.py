"""nnc/page/program_text.py"""

from __future__ import annotations

from nnc.compilation import Result
from nnc.isa.assembly.disassembler import disassemble
from nnc.isa.instruction import ENGINES
from nnc.page.subject import Subject


def test_rows_have_the_lines_of_the_whole_text(compiled: Result, subject: Subject) -> None:
    whole = disassemble(compiled.program, "constants").splitlines()
    wanted: dict[tuple[int, str], str] = {}
    core = 0
    for line in whole:
        if line.startswith(".part"):
            core = int(line.split()[-1])
        elif line.startswith("  "):
            name, text = line.split(maxsplit=1)
            wanted[core, name] = text
    assert subject.text is not None and subject.report.details is not None
    timeline = subject.report.details.timeline
    assert len(subject.text) == len(timeline.core) == len(wanted)
    rows = zip(timeline.core, timeline.engine, timeline.first, subject.text, strict=True)
    for core, engine, first, line in rows:
        name = f"{ENGINES[engine].value[0]}{first}"
        assert line.split(maxsplit=1) == [name, wanted[core, name]]

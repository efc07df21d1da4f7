"""Which layers read what which other layers made, by a program's notes of what operands hold."""

from __future__ import annotations

from collections import defaultdict

from nnc.isa.instruction import Engine
from nnc.isa.program import Program

Place = tuple[int, str]
"""A group, and a layer that it works on."""
Link = tuple[Place, Place]


def layer_links(program: Program) -> list[Link]:
    """Pairs of layers by group and name: the second reads elements of a buffer that the first one made.

    A layer makes a buffer if it writes elements of it without reading any, as copies and sums of partial
    results do.  Groups run in their order, so that none reads what a later one makes.  A program without
    notes has no links.
    """
    makers: defaultdict[str, dict[Place, None]] = defaultdict(dict)
    readers: defaultdict[Place, dict[str, None]] = defaultdict(dict)
    for item in program.issued:
        if item.instruction.engine is not Engine.COMPUTE or not item.note.contents:
            continue
        place = (item.note.group, item.note.layer)
        read: set[str] = set()
        written: set[str] = set()
        for (_, access, _), content in zip(item.instruction.accesses(), item.note.contents, strict=True):
            if content is not None:
                (written if access.writes else read).add(content.buffer)
        for buffer in sorted(written - read):
            makers[buffer][place] = None
        for buffer in sorted(read):
            readers[place][buffer] = None
    links = {
        (maker, reader): None
        for reader, buffers in readers.items()
        for buffer in buffers
        for maker in makers.get(buffer, ())
        if maker != reader and maker[0] <= reader[0]
    }
    return list(links)

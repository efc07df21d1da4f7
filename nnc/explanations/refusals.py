"""Why a model cannot be compiled: nodes with what is around them and the forms that can, or memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

from nnc.compiler.errors import CapacityError
from nnc.compiler.frontend.domains import label_of, name_of
from nnc.compiler.frontend.errors import UnsupportedError
from nnc.compiler.frontend.importer import survey_model
from nnc.compiler.frontend.table import supported_operators
from nnc.explanations.recompilation import Recompilation, halved
from nnc.explanations.schema import RefusalAnswer, RefusedNode
from nnc.isa.chip.load import load_chip
from nnc.isa.errors import NncError

if TYPE_CHECKING:
    from nnc.compiler.frontend.segments.survey import Survey

_FARTHEST = 1024
"""Times by which a memory may grow."""
_GRAIN = 64
"""Bytes between sizes that are tried."""
_STEPS = 6
"""Halvings between a size and its double: what is told is a sixty-fourth above what is too little."""


def refusal(error: NncError, subject: Recompilation) -> RefusalAnswer:
    """What an error of a compilation means, and the smallest memory with which there is none.

    Args:
        error: of the compilation; any that is neither of a node nor of memory is raised again.
        subject: what was compiled.

    Raises:
        NncError: nothing more is known about the error than it says.
    """
    if isinstance(error, UnsupportedError):
        return _answer(error, _nodes(survey_model(subject.model, shapes=subject.shapes, dims=subject.dims)))
    if not isinstance(error, CapacityError):
        raise error
    for name, memory in load_chip(subject.chip, subject.overrides).memory.items():
        key = f"memory.{name}.bytes"
        if (sizes := _enough(memory.bytes, partial(_compiles, subject, key))) is not None:
            return _answer(error, (), flip=f"{key}={sizes[1]}", nearest=str(sizes[0]))
    return _answer(error, ())


def _answer(
    error: NncError, nodes: Sequence[RefusedNode], *, flip: str | None = None, nearest: str | None = None
) -> RefusalAnswer:
    message = f"{error.where}: {error.message}" if error.where else error.message
    return RefusalAnswer(
        code=error.code, message=message, remedy=error.remedy, nodes=tuple(nodes), flip=flip, nearest=nearest
    )


def _compiles(subject: Recompilation, key: str, size: int) -> bool:
    try:
        subject.changed(key, size)
    except CapacityError:
        return False
    return True


def _enough(size: int, compiles: Callable[[int], bool]) -> tuple[int, int] | None:
    """A size that is too small and one a few per cent above it that is enough; None if none is."""
    low, high = size, size * 2
    while not compiles(high):
        if high >= size * _FARTHEST:
            return None
        low, high = high, high * 2
    return halved(low, high, _GRAIN, compiles, _STEPS)


def _nodes(survey: Survey) -> list[RefusedNode]:
    """The refused nodes, each with its neighbours and the forms of its operator that can be compiled."""
    forms = {doc["name"]: tuple(doc["constraints"]) for doc in map(asdict, supported_operators())}
    readers = dict[str, list[int]]()
    for number, node in enumerate(survey.nodes):
        for tensor in node.input:
            readers.setdefault(tensor, []).append(number)

    def said(number: int) -> str:
        return f"{name_of(survey.nodes[number])} ({label_of(survey.nodes[number])})"

    return [
        RefusedNode(
            name=name_of(node),
            operator=label_of(node),
            reason=survey.refused[number],
            reads_from=tuple(said(survey.producers[t]) for t in node.input if t in survey.producers),
            read_by=tuple(dict.fromkeys(said(n) for t in node.output for n in readers.get(t, ()))),
            forms=forms.get(node.op_type, ()),
        )
        for number, node in enumerate(survey.nodes)
        if number in survey.refused
    ]

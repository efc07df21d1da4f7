"""An explanation for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from nnc.cli.diff_text import diff_text
from nnc.cli.failures import printable
from nnc.cli.output import plural
from nnc.explanations.schema import Answer, Bound, Explanation, Flip, RefusalAnswer

if TYPE_CHECKING:
    from rich.table import Table


def explanation_text(explanation: Explanation, *, verbose: bool) -> Iterator[str | Table]:
    """Questions with their answers, in the order of the explanation."""
    if explanation.refusal is not None:
        yield from _refusal(explanation.refusal)
        return
    yield printable(explanation.title)
    if not explanation.answers:
        yield "every decision is at its floor: nothing to explain"
    for answer in explanation.answers:
        yield ""
        yield from _answer(answer)
        if answer.flip is not None and answer.flip.diff is not None:
            yield ""
            yield from diff_text(answer.flip.diff, form="text", verbose=verbose)


def _answer(answer: Answer) -> Iterator[str]:
    yield printable(answer.question)
    yield f"  decided  {printable(answer.decided)}"
    yield f"  bound    {printable(_bound(answer.bound))}"
    if answer.reason:
        yield f"  reason   {printable(answer.reason)}"
    if answer.flip is not None:
        yield f"  flips    {_flip(answer.flip)}"
    elif answer.compilations:
        tried = "; ".join(answer.tried)
        yield f"  flips    not found within {plural(answer.compilations, 'compilation')} ({tried})"


def _bound(bound: Bound) -> str:
    if bound.demand is None or bound.available is None or bound.excess is None:
        return bound.what
    beside = f"{bound.demand:,} {bound.unit} beside {bound.available:,}"
    times = f", {bound.demand / bound.available:.2f} x" if bound.available else ""
    return f"{bound.what}: {beside} ({bound.excess:+,}{times})"


def _flip(flip: Flip) -> str:
    """The change, its neighbour, and what it does to the whole."""
    figures = (
        f"{after:,} {unit} ({after - before:+,})"
        for (before, after), unit in ((flip.cycles, "cycles"), (flip.dram_bytes, "B"))
    )
    return (
        f"{flip.key}={flip.value}, now {flip.before}; at {flip.nearest} it is as now. The network then takes"
        f" {' and '.join(figures)}"
    )


def _refusal(refusal: RefusalAnswer) -> Iterator[str]:
    yield f"{refusal.code}: {printable(refusal.message)}"
    for node in refusal.nodes:
        yield ""
        yield printable(f"{node.name} ({node.operator}): {node.reason}")
        for word, nodes in (("reads from", node.reads_from), ("is read by", node.read_by)):
            if nodes:
                yield printable(f"  {word}  {', '.join(nodes)}")
        for form in node.forms:
            yield f"  form        {form}"
        if not node.forms:
            yield "  form        no instance of the operator has more constraints than this reason"
    if refusal.flip is not None:
        yield f"compiles with {refusal.flip}, and not with {refusal.nearest}"
    yield f"remedy: {printable(refusal.remedy)}"

"""Groups that are copies of others: their programs are those of all nodes, and broken copies are refused."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from harness import check_compiled, chip_of, random_inputs, reference
from pass_harness import graph_of, model_of

from nnc.compiler.backend.emit import emit
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.annotations import GroupCopy
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.verify.levels import verify_graph
from nnc.compiler.materialise.copies import without_copies
from nnc.compiler.pipeline import Compilation, planned_levels, run_pipeline
from nnc.compiler.plan.options import PlanOptions
from nnc.isa.chip.description import Chip
from nnc.isa.errors import InternalError

CHAIN = """(float[1,4,9,12] x) => (y) {
    a = Conv <pads=[1,1,1,1]> (x, wa)  b = Conv <pads=[1,1,1,1]> (a, wb)
    c = Conv <pads=[1,1,1,1]> (b, wc)  d = Conv <pads=[1,1,1,1]> (c, wd)
    e = Conv <pads=[1,1,1,1]> (d, we)  y = Add (e, x)
}"""
WEIGHTS = {f"w{name}": (4, 4, 3, 3) for name in "abcde"}


def chip() -> Chip:
    return chip_of("npu", sram="1KiB")


@cache
def compilation() -> Compilation:
    return run_pipeline(graph_of(CHAIN, WEIGHTS), chip())


@cache
def _reduced() -> Graph:
    found = compilation()
    copies = without_copies(found.plan)
    *_, (_, graph) = planned_levels(found.canonical, copies.plan, chip(), verify=False)
    return copies.noted(graph)


def reduced() -> Graph:
    """The placed graph without the nodes of copies, to be broken."""
    return _reduced().copy()


def check(graph: Graph) -> None:
    verify_graph(graph, chip(), network=compilation().canonical, values_only=True)


def with_copy(**changes: Any) -> Graph:
    """The graph with other fields of its last copy."""
    graph = reduced()
    *others, last = graph.notes.copies
    graph.annotate(replace(graph.notes, copies=(*others, replace(last, **changes))))
    return graph


def last_copy() -> GroupCopy:
    return reduced().notes.copies[-1]


def caught(graph: Graph, message: str) -> None:
    with pytest.raises(InternalError, match=message):
        check(graph)


def test_programs_are_those_of_all_nodes() -> None:
    found, graph = compilation(), reduced()
    assert len(graph.notes.copies) >= 2 and len(graph) < len(found.placed)
    check(graph)
    program = emit(found.placed, chip(), found.program.facts)
    assert found.program.issued == program.issued == emit(graph, chip(), {}).issued
    assert found.program.tensors == program.tensors


def test_a_group_that_nobody_stands_for() -> None:
    graph = reduced()
    graph.annotate(replace(graph.notes, copies=graph.notes.copies[:-1]))
    caught(graph, "layers in no part")


def test_a_group_of_other_layers() -> None:
    caught(with_copy(group=len(reduced().notes.groups) - 1), "layers in no part")


def test_other_tensors() -> None:
    mine = last_copy()
    (weight,) = [name for name in mine.tensors.values() if name.startswith("w")]
    for name in mine.tensors:
        names = dict(mine.tensors) | {name: "x"}
        caught(with_copy(tensors=names), "its tensors are not those|no tensor for it|one tensor for several")
    swapped = {name: "wa" if other == weight else other for name, other in mine.tensors.items()}
    caught(with_copy(tensors=swapped), "its tensors are not those")


def test_tensors_that_nobody_names() -> None:
    names = dict(last_copy().tensors)
    caught(with_copy(tensors=names | {"y": next(iter(names.values()))}), "one tensor for several")
    caught(with_copy(tensors=names | {"y": "wb"}), "which it stands for")


@pytest.mark.parametrize("change", [lambda at: at[::-1], lambda at: [*at[:1], *at[:-1]], lambda at: at[:-1]])
def test_other_places_in_the_order(change: Any) -> None:
    places = change(last_copy().issued_at)
    caught(with_copy(issued_at=places), "in another order|taken twice|has not the instructions")


def test_places_of_the_leader() -> None:
    graph = reduced()
    graph.annotate(replace(graph.notes, issued_at=graph.notes.issued_at[1:]))
    caught(graph, "places for")


def test_copies_that_come_too_early() -> None:
    """A copy that takes turns with the one before it reads what is not stored yet, into bytes in use."""
    graph = reduced()
    *others, one, last = graph.notes.copies
    swapped = replace(one, issued_at=last.issued_at), replace(last, issued_at=one.issued_at)
    graph.annotate(replace(graph.notes, copies=(*others, *swapped)))
    caught(graph, "is issued before")


def test_copies_that_lie_in_bytes_in_use() -> None:
    """Two copies at once, at the same places on chip."""
    graph = reduced()
    *others, one, last = graph.notes.copies
    places = sorted([*one.issued_at, *last.issued_at])
    mixed = replace(one, issued_at=places[::2]), replace(last, issued_at=places[1::2])
    graph.annotate(replace(graph.notes, copies=(*others, *mixed)))
    with pytest.raises(InternalError):
        check(graph)


def test_another_leader() -> None:
    last = len(reduced().notes.groups) - 1
    caught(with_copy(leader=last), "has not the instructions|is not cut as|is not what|are not those")


def test_a_network_that_is_not_known() -> None:
    with pytest.raises(InternalError, match="unknown network"):
        verify_graph(reduced(), chip(), values_only=True)


def test_buffers_in_dram_that_overlap() -> None:
    """Buffers that only copies touch are held against the others, too."""
    graph, mine = reduced(), last_copy()
    ins = next(name for name in mine.tensors.values() if name in "abcd")
    graph.annotate(replace(graph.notes, buffers=dict(graph.notes.buffers) | {ins: graph.notes.buffers["x"]}))
    caught(graph, "overlaps")


def test_halves_of_one_buffer_are_no_copy_of_halves_of_two() -> None:
    """The same steps at the same places, but a group has two buffers where the other one has one."""
    concats = range(7)
    pairs = [(3, 4), (4, 5), (5, 6), (6, 3), (0, 0), (1, 1), (2, 2)]
    lines = [
        f"a{n} = Conv <pads=[1,1,1,1]> (x, u{n})  b{n} = Conv <pads=[1,1,1,1]> (x, v{n})"
        f"  c{n} = Concat <axis=1> (a{n}, b{n})  p{n}, q{n} = Split <axis=1, num_outputs=2> (c{n})"
        for n in concats
    ]
    lines += [f"y{n} = Sub (p{first}, q{second})" for n, (first, second) in enumerate(pairs)]
    outputs = ", ".join(f"c{n}, y{n}" for n in concats)
    weights = {f"{name}{n}": (4, 4, 3, 3) for name in "uv" for n in concats}
    model = model_of(f"(float[1,4,8,8] x) => ({outputs}) {{ {' '.join(lines)} }}", weights)
    options = PlanOptions(fused=False)
    result = run_pipeline(import_model(model), chip_of("npu", sram="2KiB"), options=options)
    assert without_copies(result.plan).groups
    feeds = random_inputs(model)
    check_compiled(result, feeds, reference(model, feeds))

"""The verifier against brute force over single bytes, on random tangles of instructions."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise

import networkx as nx
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from verifier_programs import (
    F32,
    block,
    program_of,
    rules,
)

from nnc.isa.chip.load import load_chip
from nnc.isa.instruction import Instruction
from nnc.isa.instructions import (
    Broadcast,
    Copy,
    Load,
    LoadRows,
    Store,
)
from nnc.isa.operand import Operand
from nnc.isa.program import Issued, Program, TensorRole, Wait
from nnc.isa.timing.accesses import touched
from nnc.isa.types import DType
from nnc.runtime.verifier.verify import Rule, verify


@st.composite
def tangles(draw: st.DrawFn) -> Program:
    """Two cores that load, copy, gather rows, broadcast and store small strided blocks, with random waits."""
    chip = load_chip("npu4", ["cores=2"])
    tensors = {
        "table": (TensorRole.CONSTANT, block("dram", 0, (16,))),
        "x": (TensorRole.INPUT, block("dram", 64, (16,))),
        "y": (TensorRole.OUTPUT, block("dram", 128, (12,))),
        "s": (TensorRole.SPILL, block("dram", 64, (40,))),  # may alias: bytes count, not tensors
    }

    def some(memory: str, low: int, high: int) -> Operand:
        step = draw(st.sampled_from([-2, -1, 1, 2, 3]))
        first = draw(st.integers(low + max(0, -step), high - 1 - max(0, step)))
        return Operand(memory, 4 * first, F32, (2,), (4 * step,))

    items: list[Issued] = []
    counts: dict[tuple[int, object], int] = {}
    serial = draw(st.integers(0, 2)) > 0  # mostly each waits for all before, with a few exceptions
    for _ in range(draw(st.integers(2, 12))):
        core = draw(st.integers(0, 1))
        kind = draw(st.sampled_from(["load", "copy", "store", "rows", "broadcast"]))
        chosen: Instruction
        if kind == "load":
            source = some("dram", 0, 16) if draw(st.booleans()) else some("dram", 16, 56)
            chosen = Load(dst=some("sram", 0, 8), src=source)
        elif kind == "broadcast":
            chosen = Broadcast(
                dst=some("sram", 0, 8), src=some("dram", 16, 56), cores=draw(st.integers(1, 3))
            )
        elif kind == "rows":
            index = replace(some("sram", 0, 8), dtype=DType.I32)
            chosen = LoadRows(dst=some("sram", 0, 8), src=block("dram", 64, (16,)), index=index)
        elif kind == "copy":
            chosen = Copy(dst=some("sram", 0, 8), src=some("sram", 0, 8))
        else:
            chosen = Store(dst=some("dram", 32, 56), src=some("sram", 0, 8))
        reached = sorted(counts, key=str)
        names = draw(st.lists(st.sampled_from(reached), max_size=2)) if reached else []
        waits = tuple(Wait(*name, draw(st.integers(0, counts[name] - 1))) for name in names)  # type: ignore[arg-type]
        if serial and draw(st.integers(0, 9)) > 0:
            waits = tuple(Wait(*name, counts[name] - 1) for name in reached)  # type: ignore[arg-type]
        items.append(Issued(core, chosen, waits))
        key = (core, chosen.engine)
        counts[key] = counts.get(key, 0) + 1
    return program_of(items, tensors, chip, constants=64)


def happens_before(program: Program) -> nx.DiGraph:
    """All orderings between issue, service and completion of the instructions, as a transitive closure."""
    graph = nx.DiGraph()
    streams: dict[tuple[int, object], list[int]] = {}
    for i, item in enumerate(program.issued):
        streams.setdefault((item.core, item.instruction.engine), []).append(i)
        graph.add_edges_from([(("issue", i), ("serve", i)), (("serve", i), ("done", i))])
    for members in streams.values():
        for a, b in pairwise(members):
            graph.add_edges_from([(("issue", a), ("issue", b)), (("done", a), ("serve", b))])
    for i, item in enumerate(program.issued):
        for wait in item.waits:
            graph.add_edge(("done", streams[wait.core, wait.engine][wait.index]), ("issue", i))
    return nx.transitive_closure_dag(graph)


def cells(operand: Operand) -> set[int]:
    offsets = np.add.outer(
        np.arange(operand.shape[0]) * operand.strides[0], np.arange(operand.dtype.itemsize)
    )
    return {int(value) for value in (offsets + operand.address).ravel()}


@settings(max_examples=400, deadline=None)
@given(tangles())
def test_equals_brute_force_over_single_bytes(program: Program) -> None:
    graph = happens_before(program)
    accesses: list[tuple[int, str, set[tuple[str, int, int]], bool, bool]] = []
    for i in range(len(program.issued)):
        for memory, core, where, access, at_issue in touched(program, i):
            bytes_ = {(memory, core, b) for b in cells(where)}
            accesses.append((i, "issue" if at_issue else "serve", bytes_, access.reads, access.writes))

    def before(a: int, b: int, event: str) -> bool:
        return bool(graph.has_edge(("done", a), (event, b)))

    racing = set()
    for (i, event_i, bytes_i, _, writes_i), (j, event_j, bytes_j, _, writes_j) in combinations(accesses, 2):
        ordered = i == j or before(i, j, event_j) or before(j, i, event_i)
        if not ordered and (writes_i or writes_j) and bytes_i & bytes_j:
            racing |= {i, j}
    findings = verify(program)
    raced = {finding.index for finding in findings if finding.rule is Rule.RACE}
    assert raced <= racing and bool(raced) == bool(racing)
    if racing:
        return
    unwritten = set()
    for i, event, bytes_, reads, _ in accesses:
        given_ = {("dram", -1, b) for b in range(128)}
        for j, _, written, _, writes in accesses:
            if writes and i != j and before(j, i, event):
                given_ |= written
        if reads and not bytes_ <= given_:
            unwritten.add(i)
    assert {f.index for f in findings if f.rule is Rule.UNWRITTEN} == unwritten
    stores = [bytes_ for _, _, bytes_, _, writes in accesses if writes and next(iter(bytes_))[0] == "dram"]
    times = [sum(("dram", -1, b) in bytes_ for bytes_ in stores) for b in range(128, 176)]
    assert (Rule.OUTPUT in rules(findings)) == any(count != 1 for count in times)

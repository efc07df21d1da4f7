"""Recurrences: a state is made of all steps before it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from hypothesis import strategies as st
from region_model import NAME, Case, Draw, Index, extents

from nnc.compiler.ir import layers as ir
from nnc.isa.functions import RecurrentCell


@st.composite
def recurrences(draw: Draw) -> Case:
    """All steps up to that of a row, of its sequence; tiles hold all of them. States and weights whole."""
    cell = draw(st.sampled_from(RecurrentCell))
    steps, batch, hidden = draw(extents), draw(extents), draw(extents)
    sequence, backwards = draw(st.booleans()), draw(st.booleans())
    layer = ir.Recurrence(
        **NAME,
        cell=cell,
        backwards=backwards,
        sequence=sequence,
        cell_state=cell.has_cell_state and draw(st.booleans()),
    )
    columns, state = cell.gates * hidden, (batch, hidden)
    shapes = (
        (steps, batch, columns),
        (hidden, columns),
        (hidden,) if cell is RecurrentCell.GRU_LINEAR and draw(st.booleans()) else None,
        state if draw(st.booleans()) else None,
        state if cell.has_cell_state and draw(st.booleans()) else None,
    )

    def reads(slot: int, place: Index) -> Iterable[Index]:
        row, number, _ = place
        if slot > 2:
            return [(number, i) for i in range(hidden)]
        if slot:
            return product(*map(range, shapes[slot] or ()))
        is_last = not sequence or row == steps
        taken = range(steps) if is_last else range(row, steps) if backwards else range(row + 1)
        return product(taken, [number], range(columns))

    def covers(slot: int, place: Index) -> Iterable[Index]:
        return reads(slot, place) if slot else product(range(steps), [place[1]], range(columns))

    return Case(layer, shapes, (layer.rows(steps), batch, hidden), reads, covers)

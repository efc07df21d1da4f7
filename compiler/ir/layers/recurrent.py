"""Layers of recurrent networks."""

from __future__ import annotations

from nnc.compiler.ir.layers.layer import Layer
from nnc.isa.functions import RecurrentCell
from nnc.isa.record import record


@record(frozen=True, kw_only=True)
class Recurrence(Layer):
    """All steps of one direction of an LSTM, GRU or RNN (`isa.Recurrence`).

    x [steps, batch, gates·hidden] is what the inputs add to the sums of gates; weight [hidden, gates·hidden];
    bias [hidden] of the product that `gru_linear` resets; hidden and initial_cell [batch, hidden] are the
    states before the first step, zeros if absent.  The result has the hidden states of all steps in their
    places if `sequence`, else that behind the last step; with `cell_state`, the cell state behind it is one
    row more.
    """

    kind = "recurrence"
    slots = ("x", "weight", "bias", "hidden", "initial_cell")
    cell: RecurrentCell
    backwards: bool = False
    sequence: bool = True
    cell_state: bool = False

    def rows(self, steps: int) -> int:
        """Rows of the result of so many steps."""
        return (steps if self.sequence else 1) + self.cell_state

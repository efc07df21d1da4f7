"""Importers of recurrent networks: LSTM, GRU and RNN.

The usual forms are one layer for each direction (`recurrent_whole`); others, such as sequences of several
lengths, bounds and other functions, are steps that are planned one by one (`recurrent_steps`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.operators.recurrent_cells import Activation, Cell, Gru, Lstm, Rnn, activations
from nnc.compiler.frontend.operators.recurrent_network import C, H, Network, P, network_of
from nnc.compiler.frontend.operators.recurrent_steps import define_steps, mask_of
from nnc.compiler.frontend.operators.recurrent_whole import define_whole
from nnc.compiler.frontend.table import importer
from nnc.isa.functions import RecurrentCell

_LISTED = "Activations are those of ONNX's list; Affine and ScaledTanh state alpha and beta."
_STEPS = "clip, peepholes, input_forget, other lengths or activations: planned step by step, not as a whole."


_LSTM = ("Sigmoid", "Tanh", "Tanh")
_GRU = ("Sigmoid", "Tanh")
_RNN = {"Tanh": RecurrentCell.RNN_TANH, "Relu": RecurrentCell.RNN_RELU}


@importer("RNN", constraints=(_LISTED, _STEPS))
def rnn(context: OpContext) -> None:
    """A simple recurrent network: h = f(a)."""
    network = network_of(context, 1)
    functions = activations(context, ("Tanh",), network.directions)
    kinds = [_RNN.get(function.op) for function in functions]

    def cell(direction: int) -> Cell:
        return Rnn(*network.common(direction, functions, [network.gates(direction, 0, 1)]))

    _define(network, kinds, cell, (H,))


@importer("GRU", constraints=(_LISTED, _STEPS))
def gru(context: OpContext) -> None:
    """Gated recurrent units."""
    network = network_of(context, 3)
    functions = activations(context, _GRU, network.directions)
    resets_product = context.flag("linear_before_reset")
    kind = RecurrentCell.GRU_LINEAR if resets_product else RecurrentCell.GRU

    def cell(direction: int) -> Cell:
        new = network.gates(direction, 2, 3, recurrent_bias=not resets_product)
        bias = network.bias(direction, 5, 6) if resets_product else None
        gates = [network.gates(direction, 0, 2), new]
        return Gru(*network.common(direction, functions, gates), resets_product, bias)

    _define(network, _if_usual(functions, _GRU, kind), cell, (H,))


@importer("LSTM", constraints=(_LISTED, _STEPS))
def lstm(context: OpContext) -> None:
    """Long short-term memory."""
    network = network_of(context, 4)
    functions = activations(context, _LSTM, network.directions)
    is_coupled = context.flag("input_forget")
    if context.has(P):
        context.expect_shape(P, network.directions, 3 * network.hidden)

    def cell(direction: int) -> Cell:
        spans = [(gate, gate + 1) for gate in range(3)] if context.has(P) else []
        peepholes = [network.rows(P, direction, *span) for span in spans]
        gates = [network.gates(direction, 0, 4)]
        return Lstm(*network.common(direction, functions, gates), peepholes, is_coupled)

    kinds = _if_usual(functions, _LSTM, None if is_coupled or context.has(P) else RecurrentCell.LSTM)
    _define(network, kinds, cell, (H, C))


def _if_usual(
    functions: Sequence[Activation], usual: Sequence[str], kind: RecurrentCell | None
) -> list[RecurrentCell | None]:
    """A kind of cell for each direction whose functions are the usual ones, else None."""
    names = [function.op for function in functions]
    count = len(usual)
    return [
        kind if tuple(names[first : first + count]) == usual else None
        for first in range(0, len(names), count)
    ]


def _define(
    network: Network,
    kinds: Sequence[RecurrentCell | None],
    cell_of: Callable[[int], Cell],
    slots: Sequence[int],
) -> None:
    """Define the results by a layer for each direction, or step by step.

    One step by itself is products and functions: the weights of a product may be cut, if they are large.
    """
    mask = mask_of(network)
    whole = [kind for kind in kinds if kind is not None]
    is_clipped = network.context.has_attribute("clip")
    if network.steps > 1 and mask is None and not is_clipped and len(whole) == len(kinds):
        define_whole(network, whole)
    else:
        define_steps(network, mask, cell_of, slots)

"""Recurrent networks as one layer for all steps of a direction.

p = X·Wᵀ + Wb + Rb                  of all steps, [steps, batch, gates · hidden]
y = recurrence(p, Rᵀ, h, c)         hidden states of all steps, and the cell state behind the last
"""

from __future__ import annotations

from collections.abc import Sequence

from nnc.compiler.frontend.operators.recurrent_network import B, C, H, Network, R, W, X
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import RecurrentCell


def define_whole(network: Network, cells: Sequence[RecurrentCell]) -> None:
    """Run all directions, each as one layer, and define the results of the node."""
    context = network.context
    slots = [slot for slot in range(3) if context.uses(slot)]
    results = [_results(network, number, cell) for number, cell in enumerate(cells)]
    for slot in slots:
        outer = (network.steps,) if slot == 0 else ()
        network.define(slot, [of_direction[slot] for of_direction in results], *outer)


def _results(network: Network, direction: int, cell: RecurrentCell) -> dict[int, str]:
    """The results of a direction that anybody reads, by slot: y, y_h, y_c."""
    context, make, steps = network.context, network.make, network.steps
    backwards, sequence, cell_state = network.backwards[direction], context.uses(0), context.uses(2)
    operands = _operands(network, direction, cell)
    rows = (steps if sequence else 1) + cell_state
    result = context.step(
        "recurrence",
        ir.Recurrence,
        operands,
        TensorType(context.type(X).dtype, (rows, network.batch, network.hidden)),
        cell=cell,
        backwards=backwards,
        sequence=sequence,
        cell_state=cell_state,
    )
    last = steps - 1 if sequence and not backwards else 0
    results = {1: make.slice(result, 0, last, last + 1)} if context.uses(1) else {}
    if sequence:
        results[0] = make.slice(result, 0, 0, steps) if cell_state else result
    if cell_state:
        results[2] = make.slice(result, 0, rows - 1, rows)
    return results


def _operands(network: Network, direction: int, cell: RecurrentCell) -> list[str | None]:
    """What the layer reads: addends of the gates, weights, bias, states."""
    context, make, count = network.context, network.make, network.gate_count
    inputs, weight = (make.transpose(network.rows(slot, direction, 0, count), 1, 0) for slot in (W, R))
    if cell is RecurrentCell.GRU_LINEAR and context.has(B):
        parts = [network.input_bias(direction, 0, 2, recurrent_bias=True), network.bias(direction, 2, 3)]
        bias: str | None = make("Concat", *parts, axis=0)
        reset_bias = network.bias(direction, 5, 6)
    else:
        bias, reset_bias = network.input_bias(direction, 0, count, recurrent_bias=True), None
    states = [None if network.is_zero(slot) else network.given_state(slot, direction) for slot in (H, C)]
    context.flush()
    type_ = TensorType(context.type(X).dtype, (network.steps, network.batch, count * network.hidden))
    addends = context.step("addends", ir.MatMul, [network.x, inputs, bias], type_)
    return [addends, weight, reset_bias, states[0], states[1] if cell is RecurrentCell.LSTM else None]

"""Random recurrences inside of networks: LSTM, GRU and RNN on tensors of rank 3, steps × batch × features."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from random_net import Draw, RandomNet, Value, ints, layer


@layer
def recurrent(net: RandomNet, draw: Draw, x: Value) -> Value | None:
    """In one or both directions; usual forms and some that are unrolled; all steps, or the last state."""
    if x.rank != 3:
        return None
    op, gates = draw(st.sampled_from([("LSTM", 4), ("GRU", 3), ("RNN", 1)]))
    direction = draw(st.sampled_from(["forward", "forward", "reverse", "bidirectional"]))
    directions = 1 + (direction == "bidirectional")
    (steps, batch, features), hidden = x.shape, draw(ints(1, 12))
    operands = [
        x.name,
        net.weight(directions, gates * hidden, features, fan_in=features),
        net.weight(directions, gates * hidden, hidden, fan_in=hidden),
        net.weight(directions, 2 * gates * hidden) if draw(st.booleans()) else "",
    ]
    attributes: dict[str, object] = {"hidden_size": hidden, "direction": direction}
    if op == "GRU":
        attributes["linear_before_reset"] = draw(ints(0, 1))
    if draw(ints(0, 3)) == 0:
        attributes["clip"] = 1.5
    states = [net.weight(directions, batch, hidden) for _ in range(1 + (op == "LSTM"))]
    lengths = net.constant(net.rng.integers(1, steps + 1, batch), np.int32) if draw(ints(0, 3)) == 0 else ""
    if lengths or draw(st.booleans()):
        operands += [lengths, *(states if draw(st.booleans()) else [])]
    every = (steps, directions, batch, hidden)
    of_all_steps = draw(st.booleans())
    result = net.op(op, operands, every, **attributes)
    if result is None or of_all_steps:
        return result
    last = Value(f"{result.name}.last", (directions, batch, hidden))
    net.nodes[-1].output[:] = [result.name if draw(st.booleans()) else "", last.name]
    return last

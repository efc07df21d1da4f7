"""Activations in time: loads of constants that overtake activations, given up where they would hold these up.

in:   steps in the order of issue, when they are predicted to begin and to end
out:  the steps in another order of issue

Where cores wait for each other's activations, constants of later computations come first (`issue_order`).
That keeps the DRAM busy until the activations are stored.  But a core's loads are served in their order:
constants that are still to come then hold up the activations, and all computations that need them.

    issue      load w.0, load w.1, load w.2, load a        a is stored while w.0 is loaded
    in time    load w.0, load a, load w.1, load w.2        blocks stay where they are, w.1 lives from later on
"""

from __future__ import annotations

from math import inf

import numpy as np

from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.place.issue_order import Issue
from nnc.compiler.plan.place.predict import Times
from nnc.compiler.plan.step import Load, Store
from nnc.compiler.tuning import TUNING


def activations_in_time(graph: Graph, issue: Issue, times: Times) -> Issue | None:
    """The steps with each load of activations before constants needed later that begin after its store.

    Args:
        issue: the steps of leaders; times: when they begin and end.

    Returns:
        None if no load moves.
    """
    storage, demanded = graph.storage, issue.touches.demanded.tolist()
    stored = dict[str, int]()  # by buffer, when its latest store has ended
    constants, behind = list[int](), [*range(len(demanded))]
    for place, step in enumerate(issue.touches.order):
        if not isinstance(step, Load | Store):
            continue
        if step.tile.tensor not in storage:
            constants.append(place)
            continue
        buffer = storage[step.tile.tensor].buffer
        if isinstance(step, Store):
            stored[buffer] = times.end[place]
            continue
        for constant in reversed(constants):
            if place - constant > TUNING.place.max_steps_ahead or times.begin[constant] < stored.get(
                buffer, inf
            ):
                break
            if demanded[constant] > demanded[place]:
                behind[constant] = place
    moves = [place != own for own, place in enumerate(behind)]
    if not any(moves):
        return None
    return Issue(issue.touches.reordered(np.lexsort((demanded, moves, behind)).tolist()), issue.offsets)

"""Branches of a network that end: which of several comes first.

a -> b -> c, and behind them the heads of a detector, a -> p, b -> q, c -> r, as exporters write them:
a, b, c, p, q, r.  While p and q are computed, c must stay on chip or visit DRAM.  In the order
a, b, c, r, q, p it need not.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.orders.order_memory import buffers_read
from nnc.compiler.tuning import TUNING


@dataclass(eq=False)
class _Branch:
    """Layers one behind the other, each of which reads what the one before it makes.

    Attributes:
        layers: their names.
        reads: the buffers that other layers make for it.
        ends: whether others read little or nothing of what it makes.
        missing: how many of the buffers that it reads are not complete yet.
    """

    layers: list[str]
    reads: set[str] = field(default_factory=set)
    ends: bool = False
    missing: int = 0


def newest_first(graph: Graph, order: Sequence[str]) -> list[str]:
    """The same layers; before a branch that ends come all others that end and read what was made later."""
    walk = _Walk(graph, order)
    for branch in walk.branches:
        while branch.ends and walk.ready and branch.layers[0] not in walk.done:
            walk.do(walk.ready.pop())
        walk.do(branch)
    return list(walk.done)


class _Walk:
    """Which branches are done, and which ends of the network could be done.

    Attributes:
        branches: in the order as it came.
        done: the layers that are done, in order.
        ready: branches that end and whose operands are there, those that had to wait longest at the end.
    """

    def __init__(self, graph: Graph, order: Sequence[str]) -> None:
        self._graph = graph
        self._makes = {name: graph.storage[graph.output_of(name)].buffer for name in order}
        self._reads = {name: buffers_read(graph, name) for name in order}
        self._unmade = Counter(self._makes.values())
        self._readers = defaultdict[str, list[str]](list)
        for name, buffers in self._reads.items():
            for buffer in buffers:
                self._readers[buffer].append(name)
        self.branches = self._split(order)
        self._waiting = defaultdict[str, list[_Branch]](list)
        for branch in reversed(self.branches):
            self._look_at(branch)
            for buffer in branch.reads:
                self._waiting[buffer].append(branch)
        self.done: dict[str, None] = {}
        self.ready = [branch for branch in reversed(self.branches) if branch.ends and not branch.missing]

    def _split(self, order: Sequence[str]) -> list[_Branch]:
        """The branches of an order; a new one begins where a layer does not read what was just made."""
        found, made = list[_Branch](), ""
        for name in order:
            if made not in self._reads[name]:
                found.append(_Branch([]))
            found[-1].layers.append(name)
            made = self._makes[name]
        return found

    def _look_at(self, branch: _Branch) -> None:
        """Find what a branch reads of others, and whether it ends."""
        inside, sizes, types = set(branch.layers), self._graph.buffers, self._graph.types
        made = Counter(self._makes[name] for name in branch.layers)
        own = {buffer for buffer, count in made.items() if count == self._unmade[buffer]}
        branch.reads = {buffer for name in branch.layers for buffer in self._reads[name]} - own
        branch.missing = sum(buffer in self._unmade for buffer in branch.reads)
        read_later = {buffer for buffer in made if not inside.issuperset(self._readers[buffer])}
        tensors = (self._graph.output_of(n) for n in branch.layers if self._makes[n] in read_later)
        read = sum(sizes[buffer].nbytes for buffer in branch.reads)
        branch.ends = TUNING.search.branch_end_share * sum(types[tensor].nbytes for tensor in tensors) <= read

    def do(self, branch: _Branch) -> None:
        """Let a branch be done, unless it is."""
        if branch.layers[0] in self.done:
            return
        for name in branch.layers:
            self.done[name] = None
            made = self._makes[name]
            self._unmade[made] -= 1
            for reader in self._waiting[made] if not self._unmade[made] else ():
                reader.missing -= 1
                if reader.ends and not reader.missing:
                    self.ready.append(reader)

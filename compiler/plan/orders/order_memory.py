"""Which buffers are alive while layers are done one by one in some order."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import inf

from nnc.compiler.ir.graph import Graph


class OrderMemory:
    """Which buffers layers read and make, and which layers are done; steps take time by their own operands.

    Attributes:
        reads: the buffers that each layer reads.
        waiting: the layers that are not done yet and read a buffer, in order.
        done: the layers that are done, in order.
        most: most bytes that were alive at a layer.
    """

    def __init__(self, graph: Graph, order: Sequence[str]) -> None:
        self._graph = graph
        self._makes = {name: graph.storage[graph.output_of(name)].buffer for name in order}
        self.reads = {name: buffers_read(graph, name) for name in order}
        self.done: dict[str, None] = {}
        self.waiting: dict[str, dict[str, None]] = defaultdict(dict)
        self._unmade = Counter(self._makes.values())
        self._outputs = {graph.storage[tensor].buffer for tensor in graph.outputs}
        for name in order:
            for buffer in self.reads[name]:
                self.waiting[buffer][name] = None
        self._begun: set[str] = set()
        self._alive = self.most = 0

    def do(self, name: str) -> None:
        """Let a layer be done."""
        self._alive += self._bytes_made(name)
        self.most = max(self.most, self._alive)
        self._alive -= self._bytes_freed(name)
        self.done[name] = None
        self._begun.add(self._makes[name])
        self._unmade[self._makes[name]] -= 1
        for buffer in self.reads[name]:
            del self.waiting[buffer][name]

    def do_small(self, order: Sequence[str], most: int) -> None:
        """Let all layers be done that can, and begin no buffer of more bytes."""
        for name in order:
            if name not in self.done and self._bytes_made(name) <= most and self.gain(name) > -inf:
                self.do(name)

    def concerned(self, name: str) -> list[str]:
        """What may be computed or free memory since a layer was done: its readers, last readers beside it."""
        readers = [] if self._unmade[self._makes[name]] else [*self.waiting[self._makes[name]]]
        others = (self.waiting[buffer] for buffer in self.reads[name])
        return readers + [last for mine in others if len(mine) == 1 for last in mine]

    def last_beside(self, name: str) -> list[str]:
        """The layers that alone wait for an operand of a layer beside it, and free more than they make."""
        waiting = (self.waiting[buffer] for buffer in self.reads[name])
        others = [mine.keys() - {name} for mine in waiting if len(mine) <= 2]
        lasts = dict.fromkeys(last for mine in others if len(mine) == 1 for last in mine)
        return [last for last in lasts if self.gain(last, name) > 0]

    def gain(self, name: str, beside: str = "") -> float:
        """Bytes that a layer, or one beside it, frees beyond those it makes; −∞ if it cannot come yet."""
        if any(self._unmade[buffer] for buffer in self.reads[name]):
            return -inf
        return self._bytes_freed(name, beside) - self._graph.buffers[self._makes[name]].nbytes

    def _bytes_freed(self, name: str, beside: str = "") -> int:
        """Bytes that a layer reads and no layer reads any more behind it and one beside it."""
        unread = (b for b in self.reads[name] if b not in self._outputs)
        few = (b for b in unread if len(self.waiting[b]) <= 2)
        last = (b for b in few if not self.waiting[b].keys() - {name, beside})
        return sum(self._graph.buffers[buffer].nbytes for buffer in last)

    def _bytes_made(self, name: str) -> int:
        """Bytes of the buffer that a layer begins; none if others have begun it."""
        made = self._makes[name]
        return 0 if made in self._begun else self._graph.buffers[made].nbytes


def buffers_read(graph: Graph, name: str) -> list[str]:
    """The buffers of the activations that a layer reads."""
    operands = (tensor for tensor in graph.inputs_of(name) if tensor is not None and tensor in graph.storage)
    return list(dict.fromkeys(graph.storage[tensor].buffer for tensor in operands))

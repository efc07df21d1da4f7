"""Fused groups that differ in names alone: what the steps of one depend on, and its names in a fixed order.

in:   an interval of the layers of a network
out:  a key that alike intervals have in common (`GroupNames.structure`); the steps of one with the names of
      another (`GroupNames.renamed`)

Nothing may be on chip before and after such a group.  Tensors are numbered as the layers touch them; of each,
the key has type and place in its buffer, who makes it and who reads it, counted from the start of the group.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import replace

from nnc.compiler.ir.layers import Loc
from nnc.compiler.plan.alike.renamed_steps import RenamedSteps
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.step import Step

_OF_A_LAYER = re.compile(r"/(?=[pw]\d)")
"""What follows the name of a layer in names that are made of it: a part, a slot of weights."""
_OF_A_BUFFER = re.compile(r"(?=/p\d+\.|\.whole|\.window)")
"""What follows the name of a buffer, or of a view."""


_LAYER, _TENSOR, _VIEW = range(3)
_Form = tuple[bool, int, int, str]
"""Whether the group's name comes first, a name by its kind and number, and what follows it."""


class GroupNames:
    """The names that the steps of an interval of layers are made of.

    Attributes:
        structure: equal for intervals that differ in names and values alone.
    """

    def __init__(self, network: PlanNetwork, start: int, end: int) -> None:
        self._network, self._graph, self._start = network, network.graph, start
        self._layers = {network.layers[at].name: at - start for at in range(start, end + 1)}
        self._of_layers = [*self._layers]
        self._numbers: dict[str, int] = {}  # of tensors
        self._views: dict[str, int] = {}
        self._locs: list[Loc] = []
        parts = [self._layer(at) for at in range(start, end + 1)]
        tensors, done = [], 0
        while done < len(self._numbers):  # buffers of tensors, and operands of views, are added meanwhile
            names = [*self._numbers][done:]
            done += len(names)
            tensors += [self._tensor(name) for name in names]
        self.structure: Hashable = (tuple(parts), tuple(tensors), len(network.layers) - 1 == end)
        self._of_tensors, self._of_views = [*self._numbers], [*self._views]
        self._apart: tuple[Sequence[Step], RenamedSteps, list[list[_Form]]] | None = None

    def _number(self, tensor: str) -> int:
        return self._numbers.setdefault(tensor, len(self._numbers))

    def _layer(self, position: int) -> Hashable:
        network = self._network
        layer, out = network.layers[position], network.defines[position]
        ins = tuple(None if t is None else self._number(t) for t in self._graph.inputs_of(layer.name))
        self._locs.append(layer.loc)
        # what is equal may differ in signs of zeros: texts do not
        return network.structure(position), repr(layer.signature), ins, self._number(out)

    def _tensor(self, name: str) -> Hashable:
        """All that steps depend on of a tensor, but for names."""
        graph, network = self._graph, self._network
        storage, producer, made = graph.storage.get(name), graph.producer(name), None
        self._locs.append(Loc(name, "Input") if producer is None else producer.loc)
        if storage is None:
            return graph.types[name], graph.is_constant(name)
        if producer is not None and producer.is_view:
            ins = tuple(None if t is None else self._number(t) for t in graph.inputs_of(producer.name))
            self._views.setdefault(producer.name, len(self._views))
            made = repr(producer.signature), ins
        buffer = network.buffer_of(name)
        lies = storage.offset, storage.strides, storage.order, storage.shape, self._number(buffer)
        whole = self._buffer(name) if buffer == name else None
        return graph.types[name], lies, made, name in network.delivered, whole

    def _buffer(self, name: str) -> Hashable:
        """The same of a buffer: who makes and reads it, counted from the start of the group."""
        network, start = self._network, self._start
        made = tuple((at - start, self._number(t)) for at, t in network.definitions.get(name, ()))
        uses = network.uses.get(name, [])
        self._locs += [network.layers[at].loc for at in uses[:1]]
        ends = name in network.network_inputs, name in network.network_outputs, name in network.uncut
        return replace(network.buffers[name], name=""), made, tuple(at - start for at in uses), ends

    def renamed(self, steps: Sequence[Step], other: GroupNames) -> tuple[Step, ...] | None:
        """Steps of this group with the names of one of the same structure; None if names are not clear."""
        locs = dict[Loc, Loc]()
        for mine, theirs in zip(self._locs, other._locs, strict=True):
            if locs.setdefault(mine, theirs) != theirs:
                return None
        if self._apart is None or self._apart[0] is not steps:
            apart = RenamedSteps(steps)
            self._apart = steps, apart, [self._forms(name) for name in apart.names]
        _, apart, forms = self._apart
        names = [name for mine in forms if (name := other._new_name(mine)) is not None]
        if not len({*names}) == len(names) == len(forms):
            return None
        tensors = dict(zip(self._of_tensors, other._of_tensors, strict=True))
        return apart.named(names, tensors, locs.__getitem__)

    def _forms(self, name: str) -> list[_Form]:
        """All ways in which a name is made of this group's names."""
        found = [(False, *form) for form in self._forms_of_layers(name)]
        group = f"{self._of_layers[-1]}/"
        if name.startswith(group):
            rest = name.removeprefix(group)
            found += [(True, *form) for form in self._forms_of_layers(rest)]
            for place in (match.start() for match in _OF_A_BUFFER.finditer(rest)):
                stem, tail = rest[:place], rest[place:]
                if stem in self._numbers:
                    found.append((True, _TENSOR, self._numbers[stem], tail))
                if stem in self._views:
                    found.append((True, _VIEW, self._views[stem], tail))
        return found

    def _forms_of_layers(self, name: str) -> list[tuple[int, int, str]]:
        """The same of a name that begins with that of a layer."""
        places = [match.start() for match in _OF_A_LAYER.finditer(name)]
        known = [(name[:place], name[place:]) for place in places if name[:place] in self._layers]
        return [(_LAYER, self._layers[stem], tail) for stem, tail in known]

    def _new_name(self, forms: Sequence[_Form]) -> str | None:
        """The name that this group makes in the ways in which another one does; None if they differ."""
        group = f"{self._of_layers[-1]}/"
        names = self._of_layers, self._of_tensors, self._of_views
        found = {(group if is_inside else "") + names[of][at] + tail for is_inside, of, at, tail in forms}
        return found.pop() if len(found) == 1 else None

"""Segments: a model for each run of nodes on one side, in the order in which they run.

A node runs as early as what it reads allows: its level is one more than that of the latest node of the other
side before it.  The nodes of a level are a segment, so that chip and host take turns as rarely as possible.
Constants, and nodes that compute the same in each run, are in every segment that reads them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from onnx import ModelProto, ValueInfoProto, helper

from nnc.compiler.frontend.domains import label_of, name_of
from nnc.compiler.frontend.model.subgraphs import reads
from nnc.compiler.frontend.positions import positions_denotation
from nnc.compiler.frontend.segments.survey import Survey
from nnc.isa.hosted import HostNode

Nodes = Sequence[int]


@dataclass(frozen=True)
class Segment:
    """A part of a model that one side computes.

    Attributes:
        model: with the inputs and outputs that connect it with the others, or are the network's.
        host_nodes: its nodes with reasons, if it is the host's; else none.
    """

    model: ModelProto
    host_nodes: tuple[HostNode, ...] = ()


def segments_of(survey: Survey, host: Mapping[int, str]) -> list[Segment]:
    """The segments of a model, in the order in which they run.

    Args:
        survey: of the model.
        host: nodes of the host by their numbers, with reasons.
    """
    levels = _levels(survey, host)
    split = _Split(survey, levels)
    result = []
    for level in sorted(set(levels.values())):
        numbers = [number for number, own in levels.items() if own == level]
        nodes = [survey.nodes[number] for number in numbers] if level % 2 else []
        names = [name_of(node) for node in nodes]
        listed = zip(names, nodes, numbers, strict=False)
        host_nodes = tuple(HostNode(name, label_of(node), host[number]) for name, node, number in listed)
        result.append(Segment(split.model(level), host_nodes))
    return result


def _levels(survey: Survey, host: Mapping[int, str]) -> dict[int, int]:
    """Levels of the nodes that do not compute constants: even ones are the chip's, odd ones the host's."""
    levels: dict[int, int] = {}
    for number, node in enumerate(survey.nodes):
        if number in survey.constant_nodes:
            continue
        side = number in host
        before = [levels[n] for n in map(survey.producers.get, reads(node)) if n in levels]
        latest = max(before, default=-1 if side else 0)
        levels[number] = latest + (latest % 2 != side)
    return levels


class _Split:
    """The models of the levels."""

    def __init__(self, survey: Survey, levels: Mapping[int, int]) -> None:
        self._survey, self._levels = survey, levels
        self._readers = defaultdict[str, set[int]](set)
        for number, level in levels.items():
            for name in reads(survey.nodes[number]):
                self._readers[name].add(level)
        declared: list[ValueInfoProto] = [*survey.skeleton.model.graph.input]
        self._inputs = {info.name: info for info in declared}

    def model(self, level: int) -> ModelProto:
        """The model of a level: its nodes with the constants that they read."""
        survey = self._survey
        numbers = [number for number, own in self._levels.items() if own == level]
        constants, made = self._constants(numbers)
        nodes = [survey.nodes[number] for number in [*made, *numbers]]
        own = {name for node in nodes for name in node.output if name}
        read = dict.fromkeys(name for node in nodes for name in reads(node))
        graph = helper.make_graph(
            nodes,
            f"{survey.scope.graph.name}.{'host' if level % 2 else 'chip'}",
            [self._port(name) for name in read if name not in own and name not in constants],
            [self._port(name) for name in self._outputs(numbers, level)],
            [survey.constant(name) for name in constants],
        )
        model = survey.skeleton.model
        return helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version)

    def _constants(self, numbers: Nodes) -> tuple[list[str], list[int]]:
        """Constant tensors that nodes read, and the nodes that make others of constants, in order."""
        survey, constants, made = self._survey, dict[str, None](), set[int]()
        open_numbers = [*numbers]
        while open_numbers:
            for name in reads(survey.nodes[open_numbers.pop()]):
                producer = survey.producers.get(name)
                if survey.is_constant(name):
                    constants[name] = None
                elif producer in survey.constant_nodes and producer not in made:
                    made.add(producer)
                    open_numbers.append(producer)
        return [*constants], sorted(made)

    def _outputs(self, numbers: Iterable[int], level: int) -> list[str]:
        """What other levels read of nodes, or the network's user."""
        names = (name for number in numbers for name in self._survey.nodes[number].output if name)
        ends = set(self._survey.outputs)
        return [name for name in names if name in ends or self._readers[name] - {level}]

    def _port(self, name: str) -> ValueInfoProto:
        """The declaration of an input or output, as far as its type is known."""
        if name in self._inputs:
            return self._inputs[name]
        code, shape = self._survey.type_of(name)
        info = ValueInfoProto(name=name)
        if code:
            info.CopyFrom(helper.make_tensor_value_info(name, code, shape))
        counted = self._survey.scope.positions_in(name)
        if counted is not None:  # the segment that reads them does not have the MaxPool that tells it
            info.type.denotation = positions_denotation(counted)
        return info

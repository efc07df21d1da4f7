"""A program whose network is in part computed by a host: segments of chip and host, in the order of a run.

    x -> [chip: program "chip0"] -> boxes, scores -> [host: an ONNX model] -> the outputs

All programs are linked (see `nnc.isa.link`): one image of the DRAM holds the constants of all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nnc.isa.program import Issued, Program, Tensor, TensorRole


@dataclass(frozen=True, slots=True)
class HostNode:
    """A node of the model that the host computes: its name, its operator, and why it is not the chip's."""

    name: str
    operator: str
    reason: str


@dataclass(frozen=True, slots=True)
class ChipSegment:
    """What a program of the chip computes.

    Attributes:
        entry: its name among the programs.
    """

    entry: str


@dataclass(frozen=True, slots=True)
class HostSegment:
    """What the host computes.

    Attributes:
        model: the bytes of an ONNX model.
        inputs, outputs: names of its tensors.
        nodes: those of the user's model, with reasons.
    """

    model: bytes
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    nodes: tuple[HostNode, ...]


@dataclass(frozen=True)
class HostedProgram:
    """Segments with the programs of the chip among them.

    Attributes:
        segments: in the order in which they run.
        programs: linked, by the entries that chip segments name.
        given_inputs: what the user gives, a tensor of the table each.
        outputs: names of what the user receives; shapes of the host's may be known only at run time.
    """

    segments: tuple[ChipSegment | HostSegment, ...]
    programs: dict[str, Program]
    given_inputs: tuple[Tensor, ...]
    outputs: tuple[str, ...]

    @property
    def issued(self) -> Iterator[Issued]:
        """The instructions of all programs."""
        return (item for program in self.programs.values() for item in program.issued)

    @property
    def host_nodes(self) -> list[HostNode]:
        """All nodes of the host."""
        hosts = (segment for segment in self.segments if isinstance(segment, HostSegment))
        return [node for segment in hosts for node in segment.nodes]

    def reads(self, segment: ChipSegment | HostSegment) -> tuple[str, ...]:
        """Names of the tensors that a segment reads."""
        if isinstance(segment, HostSegment):
            return segment.inputs
        return tuple(tensor.name for tensor in self.programs[segment.entry].by_role(TensorRole.INPUT))

    def makes(self, segment: ChipSegment | HostSegment) -> tuple[str, ...]:
        """Names of the tensors that a segment makes."""
        if isinstance(segment, HostSegment):
            return segment.outputs
        return tuple(tensor.name for tensor in self.programs[segment.entry].by_role(TensorRole.OUTPUT))

    def crossings(self) -> Iterator[tuple[str, int, tuple[int, ...]]]:
        """Tensors that one segment makes and others read: name, numbers of the maker and of the readers."""
        reads = [frozenset(self.reads(segment)) for segment in self.segments]
        for number, segment in enumerate(self.segments):
            for name in self.makes(segment):
                readers = tuple(n for n, names in enumerate(reads) if name in names)
                if readers:
                    yield name, number, readers


def hosted_problem(hosted: HostedProgram) -> str:
    """Why segments cannot run in their order; empty if they can."""
    known = {tensor.name for tensor in hosted.given_inputs}
    for number, segment in enumerate(hosted.segments):
        if isinstance(segment, ChipSegment) and segment.entry not in hosted.programs:
            return f"segment {number} names no program: {segment.entry!r}"
        if missing := [name for name in hosted.reads(segment) if name not in known]:
            return f"segment {number} reads {missing[0]!r}, which nothing before it makes"
        known.update(hosted.makes(segment))
    missing = [name for name in hosted.outputs if name not in known]
    return f"no segment makes output {missing[0]!r}" if missing else ""

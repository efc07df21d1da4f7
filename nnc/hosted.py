"""Compiling for a chip with a host: what the chip cannot compute, onnxruntime does between its programs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Unpack

from onnx import ModelProto, ValueInfoProto

from nnc.compilation import Arguments, Result, compile_model
from nnc.compiler.frontend.domains import name_of
from nnc.compiler.frontend.errors import ModelTooLargeError, UnsupportedError
from nnc.compiler.frontend.importer import survey_model
from nnc.compiler.frontend.model.element_types import element_type
from nnc.compiler.frontend.model.load import ModelSource
from nnc.compiler.frontend.segments.sides import on_host, refuse
from nnc.compiler.frontend.segments.split import Segment, segments_of
from nnc.compiler.frontend.segments.survey import Survey
from nnc.isa.argument_types import typed
from nnc.isa.chip.description import Chip
from nnc.isa.errors import OptionError
from nnc.isa.hosted import ChipSegment, HostedProgram, HostSegment
from nnc.isa.limits import MODEL_FILE
from nnc.isa.link import link
from nnc.isa.program_file.hosted import input_tensor

AUTO, NEVER = "auto", "never"


@dataclass(frozen=True)
class HostedResult:
    """A program with a host, and how its parts for the chip came about.

    Attributes:
        hosted: ready for `HostedSession` or `nnc.save_hosted`.
        results: what `compile_model` gives, by the entries of the chip's segments.
    """

    hosted: HostedProgram
    results: Mapping[str, Result]


@typed
def compile_hosted(
    model: ModelSource,
    chip: str | Chip = "npu",
    *,
    host: str | Collection[str] = AUTO,
    verify_each: bool = False,
    **arguments: Unpack[Arguments],
) -> HostedResult:
    """Compile a model in segments: programs for the chip, and ONNX models for a host.

    >>> result = nnc.compile_hosted("detector.onnx", "npu")
    >>> nnc.save_hosted(result.hosted, "detector.bin")

    Args:
        model: as of `compile_model`.
        chip, verify_each: as of `compile_model`.
        host: ``"auto"``: all that cannot be compiled, and what follows it in shapes known only at run time;
            names of nodes: these; several words: both.
        arguments: as of `compile`, without states.

    Raises:
        UnsupportedError: a node cannot be compiled, and is not the host's; nothing is left for the chip.
        OptionError: there is no node of a name; states are asked for.
        NncError: as `compile_model`.
    """
    words = arguments.copy()
    shapes, dims = words.pop("shapes", None), words.pop("dims", None)
    if words.pop("states", None):
        raise OptionError(
            "a program with a host keeps no states",
            remedy="leave the states to the caller, or compile without a host",
        )
    survey = survey_model(model, shapes=shapes, dims=dims)
    segments = _segments(survey, [host] if isinstance(host, str) else host)
    results, entries = dict[str, Result](), list[ChipSegment | HostSegment]()
    for segment in segments:
        if segment.host_nodes:
            entries.append(_host_segment(segment))
            continue
        entry = f"chip{len(results)}"
        result = compile_model(segment.model, chip, verify_each=verify_each, **words)
        results[entry] = _with_host(result, survey)
        entries.append(ChipSegment(entry))
    programs = link({entry: result.program for entry, result in results.items()})
    inputs = tuple(
        input_tensor(info.name, element_type(info.type.tensor_type.elem_type), _shape(info))
        for info in survey.skeleton.model.graph.input
        if info.name in survey.skeleton.inputs
    )
    return HostedResult(HostedProgram(tuple(entries), programs, inputs, tuple(survey.outputs)), results)


def _segments(survey: Survey, host: Collection[str]) -> list[Segment]:
    """The segments, some of which are the chip's."""
    named = [name for name in host if name not in (AUTO, NEVER)]
    sides = on_host(survey, named)
    names = {number: name_of(survey.nodes[number]) for number in survey.refused}
    if AUTO not in host and (rest := [n for n, name in names.items() if name not in named]):
        refuse(survey, rest)
    segments = segments_of(survey, sides)
    if not any(not segment.host_nodes for segment in segments):
        raise UnsupportedError(
            "nothing of the model is left for the chip",
            where=survey.scope.graph.name,
            found=f"{len(sides)} nodes for the host",
            remedy="run the model in onnxruntime, or export it without the nodes that nnc refuses",
        )
    return segments


def _host_segment(segment: Segment) -> HostSegment:
    inputs, outputs = _names(segment.model)
    size = segment.model.ByteSize()
    MODEL_FILE.check(
        size,
        ModelTooLargeError,
        "a segment of the host is too large",
        where=segment.model.graph.name,
        remedy="name fewer nodes for the host, or export the model without what only it can compute",
    )
    return HostSegment(segment.model.SerializeToString(), inputs, outputs, segment.host_nodes)


def _names(model: ModelProto) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the inputs and of the outputs of a model."""
    return tuple(info.name for info in model.graph.input), tuple(info.name for info in model.graph.output)


def _with_host(result: Result, survey: Survey) -> Result:
    """A result whose program says which of its inputs and outputs are the host's."""
    program = result.program
    own = {*survey.skeleton.inputs, *survey.outputs}
    ports = dict.fromkeys(tensor.name for tensor in (*program.given_inputs, *program.given_outputs))
    hosted = replace(program, host_tensors=tuple(name for name in ports if name not in own))
    return replace(result, compilation=replace(result.compilation, program=hosted))


def _shape(info: ValueInfoProto) -> tuple[int, ...]:
    """The shape of an input, which is static."""
    return tuple(dim.dim_value for dim in info.type.tensor_type.shape.dim)

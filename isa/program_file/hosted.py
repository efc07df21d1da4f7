"""The file of a program with a host: the segments, the models of the host, then a file of linked programs.

========== =======================================================================================
header     magic (8 bytes), version, CRC-32 of what follows up to the linked programs (words), sizes
           of the manifest and of all models (64 bits each)
manifest   JSON: segments, inputs and outputs (see `_Manifest`)
models     the bytes of the host's ONNX models, one after the other
programs   a file of linked programs (see `nnc.isa.program_file.linked`), at the next multiple of 64 bytes
========== =======================================================================================
"""

from __future__ import annotations

import os
import struct
from itertools import accumulate, pairwise
from typing import Literal
from zlib import crc32

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from nnc.isa.argument_types import typed
from nnc.isa.errors import ProgramFileError, ProgramInvalidError
from nnc.isa.files import write_whole
from nnc.isa.hosted import ChipSegment, HostedProgram, HostNode, HostSegment, hosted_problem
from nnc.isa.integers import round_up
from nnc.isa.operand import DRAM, Operand
from nnc.isa.program import CONSTANT_ALIGN, FORMAT_VERSION, Tensor, TensorRole
from nnc.isa.program_file.linked import decode_entries, encode_entries
from nnc.isa.types import DType

HOSTED_MAGIC = b"\x89NNH\r\n\x1a\n"
_HEADER = struct.Struct("<8sII2Q")
_CHECKED_FROM = 16


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Node(_Part):
    name: str
    operator: str
    reason: str


class _Segment(_Part):
    """`entry` is of a chip's segment; the rest of a host's, whose model has so many bytes."""

    side: Literal["chip", "host"]
    entry: str = ""
    model_bytes: int = Field(default=0, ge=0)
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    nodes: tuple[_Node, ...] = ()


class _Input(_Part):
    name: str
    dtype: DType
    shape: tuple[int, ...]


class _Manifest(_Part):
    segments: tuple[_Segment, ...]
    inputs: tuple[_Input, ...]
    outputs: tuple[str, ...]


@typed
def save_hosted(hosted: HostedProgram, path: str | os.PathLike[str]) -> None:
    """Write a program with its host's segments, whole or not at all.

    Raises:
        ProgramInvalidError: its segments cannot run in their order, or a program cannot be written.
        OutputFileError: the file cannot be written.
    """
    if problem := hosted_problem(hosted):
        raise ProgramInvalidError("the program contradicts itself", found=problem)
    inputs = [
        _Input(name=tensor.name, dtype=tensor.block.dtype, shape=tensor.block.shape)
        for tensor in hosted.given_inputs
    ]
    segments = tuple(map(_described, hosted.segments))
    manifest = _Manifest(segments=segments, inputs=tuple(inputs), outputs=hosted.outputs)
    text = manifest.model_dump_json(exclude_defaults=True).encode()
    models = [segment.model for segment in hosted.segments if isinstance(segment, HostSegment)]
    body = [struct.pack("<2Q", len(text), sum(map(len, models))), text, *models]
    body.append(bytes(-(_CHECKED_FROM + sum(map(len, body))) % CONSTANT_ALIGN))
    checksum = 0
    for piece in body:
        checksum = crc32(piece, checksum)
    head = HOSTED_MAGIC + struct.pack("<II", FORMAT_VERSION, checksum)
    write_whole(path, [head, *body, *encode_entries(hosted.programs)])


def _described(segment: ChipSegment | HostSegment) -> _Segment:
    if isinstance(segment, ChipSegment):
        return _Segment(side="chip", entry=segment.entry)
    nodes = tuple(_Node(name=n.name, operator=n.operator, reason=n.reason) for n in segment.nodes)
    return _Segment(
        side="host",
        model_bytes=len(segment.model),
        inputs=segment.inputs,
        outputs=segment.outputs,
        nodes=nodes,
    )


def decode_hosted(data: memoryview, where: str = "") -> HostedProgram:
    """Read a program with its host's segments from the bytes of its file.

    Raises:
        ProgramFileError: the bytes are none, incomplete or damaged.
    """
    manifest, models, linked = _split(data.toreadonly(), where)
    sizes = [segment.model_bytes for segment in manifest.segments]
    if sum(sizes) != len(models):
        raise _damaged(where, f"{len(models)} bytes of models", f"{sum(sizes)} by the segments")
    bounds = pairwise(accumulate(sizes, initial=0))
    segments = [
        ChipSegment(segment.entry)
        if segment.side == "chip"
        else HostSegment(
            bytes(models[low:high]),
            segment.inputs,
            segment.outputs,
            tuple(HostNode(node.name, node.operator, node.reason) for node in segment.nodes),
        )
        for segment, (low, high) in zip(manifest.segments, bounds, strict=True)
    ]
    inputs = tuple(input_tensor(entry.name, entry.dtype, entry.shape) for entry in manifest.inputs)
    hosted = HostedProgram(tuple(segments), decode_entries(linked, where), inputs, manifest.outputs)
    if problem := hosted_problem(hosted):
        raise _damaged(where, problem, "segments that read what earlier ones make")
    return hosted


def input_tensor(name: str, dtype: DType, shape: tuple[int, ...]) -> Tensor:
    """An input of a program with a host; where it lies is the host's business until a segment reads it."""
    return Tensor(name, TensorRole.INPUT, Operand.dense(DRAM, 0, dtype, shape))


def linked_part(data: memoryview, where: str = "") -> memoryview:
    """The linked programs in the bytes of a program with a host.

    Raises:
        ProgramFileError: the bytes are none, incomplete or damaged.
    """
    return _split(data.toreadonly(), where)[2]


def _split(view: memoryview, where: str) -> tuple[_Manifest, memoryview, memoryview]:
    if len(view) < _HEADER.size or view[: len(HOSTED_MAGIC)] != HOSTED_MAGIC:
        actual = f"{len(view)} bytes that start with {bytes(view[:8])!r}"
        raise _damaged(where, actual, f"at least {_HEADER.size} bytes that start with {HOSTED_MAGIC!r}")
    _, version, checksum, text_bytes, model_bytes = _HEADER.unpack_from(view)
    if version != FORMAT_VERSION:
        raise _damaged(where, f"version {version}", f"version {FORMAT_VERSION}")
    middle = _HEADER.size + text_bytes
    end = round_up(middle + model_bytes, CONSTANT_ALIGN)
    if end > len(view):
        raise _damaged(where, f"{len(view)} bytes", f"at least {end} bytes by its header")
    if (crc := crc32(view[_CHECKED_FROM:end])) != checksum:
        raise _damaged(where, f"checksum {crc:#010x}", f"checksum {checksum:#010x} by its header")
    try:
        manifest = _Manifest.model_validate_json(bytes(view[_HEADER.size : middle]))
    except ValidationError as error:
        raise _damaged(where, " ".join(str(error).split())[:300], "a list of segments") from None
    return manifest, view[middle : middle + model_bytes], view[end:]


def _damaged(where: str, actual: str, expected: str) -> ProgramFileError:
    return ProgramFileError(
        "the file of a program with a host is damaged or of another version",
        where=where,
        found=actual,
        expected=expected,
        remedy="compile the model again, with this nnc",
    )

"""Inputs of a run from files: .npy, .npz and pictures, or random ones.

Headers are judged before any data is read, so that a small file cannot ask for a large allocation; nothing is
ever unpickled.
"""

from __future__ import annotations

import io
import os
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from lzma import LZMAError
from math import prod
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

from nnc.io import pictures
from nnc.io.pictures import PixelScaling, read_picture
from nnc.isa.errors import InputError
from nnc.isa.files import open_file
from nnc.isa.hosted import HostedProgram
from nnc.isa.instructions import Gather, GatherElements, LoadRows
from nnc.isa.nearest import did_you_mean
from nnc.isa.program import Program, Tensor
from nnc.isa.types import DType

Array = npt.NDArray[Any]
SUFFIXES = (".npy", ".npz", *pictures.SUFFIXES)
_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
_HEADER_BYTES = 1 << 16
"""Read at first: more than the header of any array that numpy writes."""
_PIECE_BYTES = 1 << 20
"""Read at once: a header may ask for any number of bytes."""
_INTEGER_RANGE = 10
"""Random integers are below this (and below the rows of every table that the program indexes)."""


def read_inputs(
    program: Program | HostedProgram, arguments: Sequence[str], scaling: PixelScaling, *, room: bool = False
) -> dict[str, Array]:
    """The arrays that the arguments ``[NAME=]FILE`` name, by input.

    Args:
        program: its inputs say which names, shapes and element types are right.
        arguments: a .npz file without a NAME holds arrays by input name; a .npy file or a picture without a
            NAME is for the only input.
        scaling: how pixels become values.
        room: arrays may have smaller extents than the inputs; pictures may not.

    Raises:
        InputError: a file cannot be read or does not fit its input, or a name is unknown or given twice.
    """
    tensors = {tensor.name: tensor for tensor in program.given_inputs}
    arrays: dict[str, Array] = {}
    for argument in arguments:
        for name, array in _read_argument(argument, tensors, scaling, room):
            if name in arrays:
                raise InputError(
                    "an input is given twice", where=f"--input {argument}", found=name, remedy="give it once"
                )
            arrays[name] = array
    missing = [name for name in tensors if name not in arrays]
    if missing:
        raise InputError(
            "an input is missing",
            where=" ".join(f"--input {argument}" for argument in arguments),
            found=", ".join(arrays) or "none",
            expected=", ".join(map(describe, tensors.values())),
            remedy="give " + " ".join(f"--input {name}=FILE" for name in missing),
        )
    return arrays


def random_inputs(program: Program | HostedProgram, seed: int) -> dict[str, Array]:
    """Seeded random inputs: standard normal floats, small integers that are valid as indices."""
    generator = np.random.default_rng(seed)
    high = min([_INTEGER_RANGE, *_table_extents(program)])
    arrays: dict[str, Array] = {}
    for tensor in program.given_inputs:
        shape, dtype = tensor.block.shape, tensor.block.dtype
        if dtype.is_float:
            values: Array = generator.standard_normal(shape)
        else:
            values = generator.integers(0, 2 if dtype is DType.BOOL else high, shape)
        arrays[tensor.name] = np.asarray(values).astype(dtype.numpy)
    return arrays


def describe(tensor: Tensor) -> str:
    """An input in words: ``image f32[1,1,16,16]``."""
    return f"{tensor.name} {tensor.block.dtype.value}[{','.join(map(str, tensor.block.shape))}]"


def _table_extents(program: Program | HostedProgram) -> Iterator[int]:
    """Extents of all that the program indexes with values."""
    for item in program.issued:
        match item.instruction:
            case LoadRows(src=table):
                yield max(1, table.shape[0])
            case Gather(extent=extent):
                yield max(1, extent)
            case GatherElements(src=src, axis=axis):
                yield max(1, src.shape[axis])


def _read_argument(
    argument: str, tensors: dict[str, Tensor], scaling: PixelScaling, room: bool
) -> Iterator[tuple[str, Array]]:
    name, file = _split(argument, tensors)
    yield from read_file(Path(file), name, tensors, scaling, room=room)


def read_file(
    path: Path, name: str, tensors: dict[str, Tensor], scaling: PixelScaling, *, room: bool = False
) -> Iterator[tuple[str, Array]]:
    """The arrays in a file, each with the name of the input that it is for.

    Args:
        name: the input; empty: as the file says, or the only one.
        tensors: the inputs by name.
        scaling, room: as of `read_inputs`.

    Raises:
        InputError: the file cannot be read or does not fit its input.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(
            "the format of the file is not known",
            where=str(path),
            expected=f"a file {', '.join(SUFFIXES)}",
            remedy="write the array with numpy.save or numpy.savez, or give a picture as PNG or JPEG",
        )
    try:
        if path.suffix.lower() == ".npz":
            yield from _read_npz(path, name, tensors, room)
            return
        tensor = tensors[name] if name else _only_input(str(path), tensors)
        if path.suffix.lower() in pictures.SUFFIXES:
            yield tensor.name, read_picture(path, tensor, scaling)
            return
        with open_file(path) as stream:
            yield tensor.name, read_tensor(stream, tensor, str(path), room=room)
    except OSError as error:
        raise InputError(
            "the file cannot be read",
            where=str(path),
            found=error.strerror or str(error),
            remedy="give an existing file: --input [NAME=]FILE",
        ) from error


def _split(argument: str, tensors: dict[str, Tensor]) -> tuple[str, str]:
    """NAME and FILE of an argument; both may contain equals signs, so the names of the inputs decide."""
    for name in sorted(tensors, key=len, reverse=True):
        if argument.startswith(f"{name}="):
            return name, argument[len(name) + 1 :]
    if "=" in argument and not os.path.lexists(argument):
        raise InputError(
            "the program has no such input",
            where=f"--input {argument}",
            found=argument.partition("=")[0],
            expected=" or ".join(map(describe, tensors.values())) or "no input at all",
            remedy=did_you_mean(
                argument.partition("=")[0],
                tensors,
                "name one of the inputs that are expected: --input NAME=FILE",
            ),
        )
    return "", argument


def _only_input(file: str, tensors: dict[str, Tensor]) -> Tensor:
    if len(tensors) != 1:
        raise InputError(
            "the file does not say which input it is for",
            where=file,
            expected=" or ".join(map(describe, tensors.values())) or "no input at all",
            remedy=f"say it: --input {next(iter(tensors), 'NAME')}={file}",
        )
    return next(iter(tensors.values()))


def _read_npz(path: Path, name: str, tensors: dict[str, Tensor], room: bool) -> Iterator[tuple[str, Array]]:
    """All arrays by input name, or with a NAME the array of that name or the only one."""
    with open_npz(path) as (archive, members):
        if name:
            key = name if name in members or len(members) != 1 else next(iter(members))
            wanted = {name: key}
        else:
            wanted = {key: key for key in members}
        for target, key in wanted.items():
            if target not in tensors or key not in members:
                raise InputError(
                    "the file has no array of that name" if name else "an array is for no input",
                    where=str(path),
                    found=", ".join(list(members)[:20]) or "no array",
                    expected=name or " and ".join(map(describe, tensors.values())) or "no input at all",
                    remedy="name the arrays of a .npz file like the inputs",
                )
            with archive.open(members[key]) as stream:
                yield target, read_tensor(stream, tensors[target], f"{path}: {key}", room=room)


@contextmanager
def open_npz(path: Path) -> Iterator[tuple[zipfile.ZipFile, dict[str, str]]]:
    """An archive of arrays, and its members by the names of the arrays.

    Raises:
        InputError: the archive is broken, at once or where it is read.
        OSError: the file cannot be opened.
    """
    try:
        with open_file(path) as file, zipfile.ZipFile(file) as archive:
            yield archive, {member.removesuffix(".npy"): member for member in archive.namelist()}
    except (zipfile.BadZipFile, zlib.error, LZMAError, RuntimeError, EOFError, ValueError) as error:
        raise InputError(
            "the file is not a whole .npz file",
            where=str(path),
            found=str(error),
            remedy="write it with numpy.savez",
        ) from error


def read_tensor(stream: IO[bytes], tensor: Tensor, where: str, *, room: bool = False) -> Array:
    """An array of exactly the shape and type of an input; numpy saves types that it lacks as mere bytes.

    Args:
        stream: in numpy's format.
        tensor: the input.
        where: what errors call the stream.
        room: the array may have smaller extents.

    Raises:
        InputError: the stream is no array, or has another shape or type.
    """
    own, is_stored = tensor.block.dtype.numpy, tensor.block.dtype.is_stored

    def fits(shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        wanted = tensor.block.shape
        has_room = (
            room and len(shape) == len(wanted) and all(a <= b for a, b in zip(shape, wanted, strict=True))
        )
        _insist(has_room or shape == wanted, "wrong shape", tensor, where, str(list(shape)))
        right = dtype.newbyteorder("<") == own or (is_stored and dtype == np.dtype((np.void, own.itemsize)))
        _insist(right, "wrong element type", tensor, where, str(dtype))

    array = read_array(stream, where, fits)
    return array.view(own) if is_stored else array


def read_array(
    stream: IO[bytes], where: str, fits: Callable[[tuple[int, ...], np.dtype[Any]], None]
) -> Array:
    """An array in numpy's format, little endian, in C order.

    Args:
        fits: raises an InputError if shape and type are not those that are wanted; no data is read before.

    Raises:
        InputError: the stream is no array, too short, or does not fit.
    """
    head = io.BytesIO(stream.read(_HEADER_BYTES))
    try:
        version = npy.read_magic(head)
        with warnings.catch_warnings(action="ignore"):
            shape, fortran, dtype = _HEADERS[version](head)
        if any(isinstance(extent, bool) or extent < 0 for extent in shape):
            raise ValueError(f"extents {shape}")
    except Exception as error:  # of many kinds, by what is wrong: the header is an expression of Python
        raise InputError(
            "the file is no .npy array",
            where=where,
            found=" ".join(str(error).split())[:200],
            remedy="write it with numpy.save or numpy.savez",
        ) from error
    fits(tuple(shape), dtype)
    wanted = prod(shape) * dtype.itemsize
    data = bytearray(head.read(min(wanted, _HEADER_BYTES)))
    while piece := stream.read(min(wanted - len(data), _PIECE_BYTES)):
        data += piece
    if len(data) != wanted:
        raise InputError(
            "the file is too short",
            where=where,
            found=f"{len(data)} bytes of data",
            expected=f"{wanted} bytes",
            remedy="write the array again, with numpy.save",
        )
    array = np.frombuffer(data, dtype=dtype).reshape(shape, order="F" if fortran else "C")
    return array.astype(dtype.newbyteorder("<"))


def _insist(holds: bool, message: str, tensor: Tensor, where: str, actual: str) -> None:
    if not holds:
        raise InputError(
            f"{message} for input {tensor.name}",
            where=where,
            found=actual,
            expected=f"{tensor.block.dtype.numpy} {list(tensor.block.shape)}",
            remedy="reshape or convert the array, or compile again with another --shape",
        )

"""Outputs of a run as files, and in figures."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.isa.errors import OutputFileError
from nnc.isa.files import write_whole
from nnc.isa.program import Program
from nnc.isa.types import DType


@dataclass(frozen=True, slots=True)
class OutputFigures:
    """What a report says of an output.

    Attributes:
        file: where it was written; None: nowhere.
        dtype: numpy's name of the element type; shape: its extents.
        minimum, maximum, mean: of the elements that are finite, None if there are none; those of integers are
            exact, and of booleans, false is 0 and true is 1.
        not_finite: how many elements are infinite or NaN.
    """

    file: str | None
    dtype: str
    shape: tuple[int, ...]
    minimum: int | float | None
    maximum: int | float | None
    mean: float | None
    not_finite: int

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {**asdict(self), "shape": list(self.shape)}


def output_figures(array: npt.NDArray[Any], file: str | None = None) -> OutputFigures:
    """The figures of an output of any shape and element type."""
    dtype, shape = array.dtype.name, tuple(array.shape)
    array = array.astype(DType.from_numpy(array.dtype).computed.numpy, copy=False)
    is_float = array.dtype.kind == "f"
    finite = array[np.isfinite(array)] if is_float else array
    if not finite.size:
        return OutputFigures(file, dtype, shape, None, None, None, array.size)
    low, high = finite.min().item(), finite.max().item()
    with np.errstate(over="ignore"):
        mean = float(np.mean(finite, dtype=np.float64))
    if not math.isfinite(mean):  # the sum is beyond what a float can hold
        mean = float(np.sum(finite / finite.size, dtype=np.float64))
    mean = float(min(max(mean, low), high))  # whatever rounding does
    if not is_float:
        low, high = int(low), int(high)
    return OutputFigures(file, dtype, shape, low, high, mean, array.size - finite.size)


def write_outputs(outputs: Mapping[str, npt.NDArray[Any]], folder: Path | None) -> dict[str, str | None]:
    """Write every output as a .npy file into a folder, which is made if need be.

    Gives the files by output name; without a folder nothing is written, and they are None.

    Raises:
        OutputFileError: the folder cannot be made, or a file cannot be written.
    """
    files: dict[str, str | None] = dict.fromkeys(outputs)
    if folder is None:
        return files
    make_folder(folder)
    for (name, array), file in zip(outputs.items(), files_of(folder, outputs), strict=True):
        buffer = io.BytesIO()
        np.save(buffer, array, allow_pickle=False)
        write_whole(file, [buffer.getbuffer()])
        files[name] = str(file)
    return files


def output_files(folder: Path, program: Program) -> list[Path]:
    """The files that `write_outputs` writes of a run of a program."""
    return files_of(folder, [tensor.name for tensor in program.given_outputs])


def files_of(folder: Path, names: Iterable[str]) -> list[Path]:
    """The files for outputs of these names."""
    taken: list[str] = []
    for name in names:
        taken.append(_file_name(name, taken))
    return [folder / file for file in taken]


def _file_name(name: str, taken: Collection[str]) -> str:
    """A file name for an output: never a path, never one that is taken."""
    stem = re.sub(r"[^A-Za-z0-9._-]", "_", name)[:100].lstrip(".") or "output"
    number, file = 1, f"{stem}.npy"
    while file.casefold() in (name.casefold() for name in taken):  # on some disks these are the same
        number += 1
        file = f"{stem}-{number}.npy"
    return file


def make_folder(folder: Path) -> None:
    """Make a folder to write to, and those above it, if it is not there.

    Raises:
        OutputFileError: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputFileError(
            "the folder cannot be made",
            where=str(folder),
            found=error.strerror or str(error),
            remedy="name a folder that you may make: its name is free, and that above it exists",
        ) from error

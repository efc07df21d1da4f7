"""Outputs of a run as files."""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.isa.errors import OutputFileError
from nnc.isa.files import write_whole


def write_outputs(outputs: Mapping[str, npt.NDArray[Any]], folder: Path | None) -> dict[str, str | None]:
    """Write every output as a .npy file into a folder, which is made if need be.

    Gives the files by output name; without a folder nothing is written, and they are None.

    Raises:
        OutputFileError: the folder cannot be made, or a file cannot be written.
    """
    files: dict[str, str | None] = dict.fromkeys(outputs)
    if folder is None:
        return files
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputFileError(
            "the folder cannot be made", where=str(folder), found=error.strerror or str(error)
        ) from error
    taken: list[str] = []
    for name, array in outputs.items():
        taken.append(_file_name(name, taken))
        buffer = io.BytesIO()
        np.save(buffer, array, allow_pickle=False)
        write_whole(folder / taken[-1], [buffer.getbuffer()])
        files[name] = str(folder / taken[-1])
    return files


def _file_name(name: str, taken: Collection[str]) -> str:
    """A file name for an output: never a path, never one that is taken."""
    stem = re.sub(r"[^A-Za-z0-9._-]", "_", name)[:100].lstrip(".") or "output"
    number, file = 1, f"{stem}.npy"
    while file in taken:
        number += 1
        file = f"{stem}-{number}.npy"
    return file

"""States of a session in a file, so that another process goes on from there: a .npz of arrays by input.

One array more, `position`, says how many rows count; where an input has that name, it is `position.1` and
so on.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np

from nnc.io.inputs import open_npz, read_array, read_tensor
from nnc.isa.errors import InputError
from nnc.isa.files import write_whole
from nnc.isa.program import Program, TensorRole
from nnc.runtime.states import SavedState


def write_state(saved: SavedState, path: Path) -> None:
    """Write states, whole or not at all.

    Raises:
        OutputFileError: the file cannot be written.
    """
    buffer = io.BytesIO()
    arrays: dict[str, Any] = {**saved.tensors, _position_name(saved.tensors): np.array(saved.position)}
    np.savez(buffer, **arrays)
    write_whole(path, [buffer.getbuffer()])


def read_state(program: Program, path: Path) -> SavedState:
    """Read the states of a program, or of another one of the same model.

    Raises:
        InputError: the file cannot be read, or its arrays are not the states of the program.
    """
    kept = {state.input for state in program.states}
    tensors = {tensor.name: tensor for tensor in program.by_role(TensorRole.INPUT) if tensor.name in kept}
    position = _position_name(tensors)
    try:
        with open_npz(path) as (archive, members):
            if members.keys() != {*tensors, position}:
                raise _misfit(path, ", ".join(sorted(members)[:20]), ", ".join([*tensors, position][:20]))
            arrays = {}
            for name, tensor in tensors.items():
                with archive.open(members[name]) as stream:
                    arrays[name] = read_tensor(stream, tensor, f"{path}: {name}")
            with archive.open(members[position]) as stream:
                rows = read_array(
                    stream, f"{path}: {position}", lambda shape, dtype: _fits(path, shape, dtype)
                )
    except OSError as error:
        raise InputError(
            "the file cannot be read",
            where=str(path),
            found=error.strerror or str(error),
            remedy="give a file that --save-state wrote",
        ) from error
    return SavedState(int(rows), arrays)


def _fits(path: Path, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    if shape or dtype.kind not in "iu":
        raise _misfit(path, f"{dtype}{list(shape)}", "one integer, the position")


def _misfit(path: Path, actual: str, expected: str) -> InputError:
    return InputError(
        "the file does not hold the states of this program",
        where=str(path),
        found=actual or "no array",
        expected=expected,
        remedy="give a file that --save-state wrote for a program of the same model and length",
    )


def _position_name(tensors: Any) -> str:
    name, number = "position", 0
    while name in tensors:
        number += 1
        name = f"position.{number}"
    return name

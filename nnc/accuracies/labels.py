"""Right answers from a file: a class for every sample, in the order of the samples."""

from __future__ import annotations

from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.io.inputs import open_npz, read_array
from nnc.isa.errors import InputError
from nnc.isa.files import open_file
from nnc.isa.limits import SAMPLES

Array = npt.NDArray[Any]
_REMEDY = "give a .npy file, a .npz file with an array labels, or a text file with a number per line"
_NAME = "labels"


def read_labels(path: Path) -> Array:
    """Labels, i64 of one axis: from .npy, from .npz (the array `labels`, or the only one), else from text.

    Raises:
        InputError: the file cannot be read, or holds something else.
    """
    try:
        if path.suffix.lower() == ".npz":
            with open_npz(path) as (archive, members):
                name = _NAME if _NAME in members else next(iter(members), "") if len(members) == 1 else ""
                if not name:
                    raise _no_labels(path, ", ".join(list(members)[:20]) or "no array")
                with archive.open(members[name]) as stream:
                    return as_labels(read_array(stream, str(path), _fitting(path)), str(path))
        with open_file(path) as file:
            if path.suffix.lower() == ".npy":
                return as_labels(read_array(file, str(path), _fitting(path)), str(path))
            return _numbers(file.read(SAMPLES.most).decode("utf-8", "replace"), path)
    except OSError as error:
        raise InputError(
            "the labels cannot be read", where=str(path), found=error.strerror or str(error), remedy=_REMEDY
        ) from error


def as_labels(values: npt.ArrayLike, where: str) -> Array:
    """Labels of one axis.

    Raises:
        InputError: they are no integers, or have several axes.
    """
    labels = np.asarray(values)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1 or labels.dtype.kind not in "iu":
        raise InputError(
            "labels are integers along one axis",
            where=where,
            found=f"{labels.dtype} {list(labels.shape)}",
            expected="the class of each sample, counted from 0",
            remedy=_REMEDY,
        )
    return labels.astype(np.int64)


def insist_on_labels(labels: Array, samples: int, rows: int, classes: int) -> None:
    """Do nothing if there is a class of the output for each row of each sample.

    Raises:
        InputError: there are more or fewer, or one is no class.
    """
    if len(labels) != samples * rows:
        each = "" if rows == 1 else f", {rows} for each"
        raise InputError(
            "the labels are not as many as the samples",
            where="--labels",
            found=f"{len(labels)} labels",
            expected=f"{samples * rows}: {samples} samples{each}",
            remedy="give a label for each sample, in the order of the data (files by their names)",
        )
    if len(labels) and not 0 <= labels.min() <= labels.max() < classes:
        raise InputError(
            "a label is no class of the output",
            where="--labels",
            found=f"{labels.min()} … {labels.max()}",
            expected=f"0 … {classes - 1}: the last axis of the output counts classes",
            remedy="count classes from 0, or name another output with --scored NAME",
        )


def _fitting(path: Path) -> Any:
    def fits(shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        nbytes = prod(shape) * dtype.itemsize
        SAMPLES.check(nbytes, InputError, "the labels are too large", where=str(path), remedy=_REMEDY)

    return fits


def _numbers(text: str, path: Path) -> Array:
    words = text.split()
    try:
        return np.array([int(word) for word in words], dtype=np.int64)
    except (ValueError, OverflowError):
        wrong = next(word for word in words if not word.lstrip("+-").isdecimal() or len(word) > 18)
        raise _no_labels(path, wrong[:40]) from None


def _no_labels(path: Path, found: str) -> InputError:
    return InputError(
        "the file holds no labels", where=str(path), found=found, expected="integers", remedy=_REMEDY
    )
